// How the result of a vector is compared with what it expects.

import { Refusal } from "../coldledger.mjs";

/** @param {string} text */
export const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));

/** @param {Uint8Array} bytes */
export const asHex = (bytes) => Buffer.from(bytes).toString("hex");

/** A vector about what this program does not do. */
export const NOT_CHECKED = { mismatch: null, notChecked: true };

/**
 * Run something that gives a value or refuses, and compare.
 * @param {Record<string, any>} vector
 * @param {() => any} action
 * @param {any} [output] what it has to give, where that is stated
 * @returns {Promise<import("../vectors.mjs").Outcome>}
 */
export async function compare(vector, action, output) {
  /** @type {any} */
  let got = null;
  /** @type {Refusal | null} */
  let refused = null;
  try {
    got = await action();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    refused = refusal;
  }
  const code = refused?.code ?? null;
  if (code !== (vector.code ?? null)) return { mismatch: `${code}, expected ${vector.code}` };
  if (vector.offset !== undefined && refused !== null && refused.offset !== vector.offset) {
    return { mismatch: `offset ${refused.offset}, expected ${vector.offset}` };
  }
  if (refused === null && output !== undefined && got !== output) {
    return { mismatch: `${got}, expected ${output}` };
  }
  return { mismatch: null };
}
