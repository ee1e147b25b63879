// Where in a bundle a refusal was met: its step, offset and entry (specs/verify.md, VERIFY-17,
// VERIFY-18).

import { Refusal } from "./refusal.mjs";

/**
 * Do something that belongs to a step, so that a refusal says where it was met.
 * @template T
 * @param {string} step
 * @param {number | null} offset of the item or entry
 * @param {number | null} seq
 * @param {() => T | Promise<T>} action
 * @returns {Promise<T>}
 */
export async function within(step, offset, seq, action) {
  try {
    return await action();
  } catch (refusal) {
    if (refusal instanceof Refusal) {
      const limit = refusal.code === "E_LIMIT"; // whatever is over its limit belongs to step 1
      Object.assign(refusal, { step: limit ? "limits" : step, offset, seq });
    }
    throw refusal;
  }
}

/**
 * Read from the file: steps 1 and 2, whose refusals have an offset of their own.
 * @template T
 * @param {() => T} action
 * @returns {T}
 */
export function framed(action) {
  try {
    return action();
  } catch (refusal) {
    if (refusal instanceof Refusal) {
      refusal.step = refusal.code === "E_LIMIT" ? "limits" : "framing";
    }
    throw refusal;
  }
}
