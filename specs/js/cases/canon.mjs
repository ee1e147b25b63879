// specs/vectors/canon: see the table at the end of specs/canon.md.

import * as js from "../coldledger.mjs";
import { asHex, compare, hex, NOT_CHECKED } from "./outcome.mjs";

/** @typedef {Record<string, any>} Vector */

/** Diagnostic notation of an item (RFC 8949 section 8). @param {any} item @returns {string} */
function diagnostic(item) {
  if (item instanceof Uint8Array) return `h'${asHex(item)}'`;
  if (typeof item === "string") return JSON.stringify(item);
  if (Array.isArray(item)) return `[${item.map(diagnostic).join(", ")}]`;
  if (item instanceof Map) {
    const pairs = [...item].map(([key, value]) => `${diagnostic(key)}: ${diagnostic(value)}`);
    return `{${pairs.join(", ")}}`;
  }
  return String(item);
}

/** @param {Vector} vector */
const item = (vector) =>
  compare(
    vector,
    () => {
      const bytes = hex(vector.input_hex);
      const value = js.decode(bytes);
      if (asHex(js.encode(value)) !== vector.input_hex) return "another encoding when written";
      return diagnostic(value);
    },
    vector.diagnostic,
  );

/** @param {Vector} vector */
const bomb = (vector) =>
  compare(vector, () => {
    const text = vector.pieces.map((/** @type {[string, number]} */ [one, times]) =>
      one.repeat(times),
    );
    js.decode(hex(text.join("")));
  });

/** @param {Vector} vector */
const value = (vector) =>
  compare(
    vector,
    () => asHex(js.encode(new Map(vector.keys.map((/** @type {any} */ key) => [key, 0])))),
    vector.output_hex,
  );

/** @param {Vector} vector */
const frame = (vector) =>
  compare(vector, () => {
    const frames = new js.Frames(hex(vector.input_hex));
    if (vector.read === "array") return frames.array();
    if (vector.read === "uint") return frames.uint();
    if (vector.read === "bytes") return frames.bytesUpTo(vector.limit);
    if (vector.read === "text") return frames.textUpTo(vector.limit);
    if (!frames.atEnd) throw new Error("not at the end");
    return null;
  });

/** @param {Vector} vector */
const digest = (vector) =>
  compare(
    vector,
    async () => {
      const input = hex(vector.input_hex);
      if (vector.salt_hex !== undefined) {
        return asHex(await js.commitment(hex(vector.salt_hex), input));
      }
      return asHex(
        await (vector.label === null ? js.sha256(input) : js.labelled(vector.label, input)),
      );
    },
    vector.output_hex,
  );

/** @param {string[]} leaves in hex */
async function rootOf(leaves) {
  const tree = new js.Tree();
  for (const leaf of leaves) await tree.add(hex(leaf));
  return asHex(await tree.root());
}

/** @param {Vector} vector */
function tree(vector) {
  const path = vector.path?.map(hex);
  return compare(
    vector,
    async () => {
      if (vector.kind === "leaf") return asHex(await js.leafHash(hex(vector.entry)));
      if (vector.kind === "root") return rootOf(vector.leaves);
      if (vector.kind === "inclusion") {
        const { leaf, index, size, root } = vector;
        return js.checkInclusion(hex(leaf), BigInt(index), BigInt(size), path, hex(root));
      }
      const [first, second] = [BigInt(vector.first), BigInt(vector.second)];
      return js.checkConsistency(
        first,
        second,
        hex(vector.first_root),
        hex(vector.second_root),
        path,
      );
    },
    vector.output,
  );
}

/**
 * Only decimals stand in entries; JSON numbers and quotients belong to steps 8 and 14.
 * @param {Vector} vector
 */
async function quantity(vector) {
  if (vector.kind !== "decimal") return NOT_CHECKED;
  return compare(vector, () => (js.checkDecimal(vector.input), vector.input), vector.output);
}

/** Foreign times belong to step 8. @param {Vector} vector */
async function time(vector) {
  if (vector.kind !== "canonical") return NOT_CHECKED;
  return compare(vector, () => (js.checkInstant(vector.input), vector.input), vector.output);
}

export const canonCases = {
  items: item,
  bombs: bomb,
  values: value,
  frames: frame,
  digests: digest,
  trees: tree,
  quantities: quantity,
  times: time,
};
