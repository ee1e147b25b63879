// Digests and the Merkle tree (specs/canon.md, CANON-23 to CANON-31).

import { join, sameBytes, toUtf8 } from "./bytes.mjs";
import { encode } from "./canon.mjs";
import { demand } from "./refusal.mjs";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const INT64_TOP = 0x7fffffffffffffffn;

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} 32 bytes */
export async function sha256(bytes) {
  const input = /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", input));
}

/** SHA-256(label || 00 || input), CANON-23. @param {string} label @param {Uint8Array} input */
export const labelled = (label, input) => sha256(join(toUtf8(label), LEAF, input));

/** CANON-24. @param {Uint8Array} salt 32 bytes @param {Uint8Array} content */
export function commitment(salt, content) {
  demand(salt.length === 32, "E_SALT", `a salt of ${salt.length} bytes, expected 32`);
  return labelled("coldledger/blob/1", join(salt, content));
}

/**
 * `prev` of entry 0 (CHAIN-4).
 * @param {string} origin
 * @param {Uint8Array} digest of root version 1
 */
export const genesis = (origin, digest) =>
  labelled("coldledger/genesis/1", encode([origin, digest]));

/** @param {Uint8Array} entry */
export const leafHash = (entry) => sha256(join(LEAF, entry));

/** @param {Uint8Array} left @param {Uint8Array} right */
export const nodeHash = (left, right) => sha256(join(NODE, left, right));

/** A tree that grows by leaves, kept as the roots of its perfect subtrees. */
export class Tree {
  constructor() {
    this.size = 0;
    /** @type {Uint8Array[]} the largest first */
    this.peaks = [];
  }

  /** @param {Uint8Array} leaf */
  async add(leaf) {
    let node = leaf;
    for (let size = this.size; size % 2 === 1; size = (size - 1) / 2) {
      node = await nodeHash(/** @type {Uint8Array} */ (this.peaks.pop()), node);
    }
    this.peaks.push(node);
    this.size += 1;
  }

  /** @returns {Promise<Uint8Array>} */
  async root() {
    if (this.peaks.length === 0) return sha256(new Uint8Array(0));
    let root = this.peaks[this.peaks.length - 1];
    for (let i = this.peaks.length - 2; i >= 0; i--) root = await nodeHash(this.peaks[i], root);
    return root;
  }
}

/** @param {bigint[]} numbers @param {Uint8Array[]} path @param {...Uint8Array} others */
function checkShape(numbers, path, ...others) {
  demand(
    numbers.every((n) => n >= 0 && n <= INT64_TOP),
    "E_PROOF_SHAPE",
    "a number out of range",
  );
  demand(path.length <= 63, "E_PROOF_SHAPE", "a path of more than 63 hashes");
  const hashes = [...path, ...others];
  demand(
    hashes.every((hash) => hash.length === 32),
    "E_PROOF_SHAPE",
    "a hash that is not 32 bytes",
  );
}

/**
 * CANON-27 to CANON-30.
 * @param {Uint8Array} leaf @param {bigint} index @param {bigint} size @param {Uint8Array[]} path
 * @param {Uint8Array} root
 */
export async function checkInclusion(leaf, index, size, path, root) {
  checkShape([index, size], path, leaf, root);
  demand(size > 0n, "E_PROOF_SIZE", "a tree without leaves");
  demand(index < size, "E_INDEX", `leaf ${index} of ${size}`);
  let node = leaf;
  let at = index;
  let last = size - 1n;
  let used = 0;
  for (; last > 0n; at >>= 1n, last >>= 1n) {
    if (at === last && (at & 1n) === 0n) continue;
    demand(used < path.length, "E_PROOF_SHAPE", "a path that is too short");
    const other = path[used++];
    node = (at & 1n) === 1n ? await nodeHash(other, node) : await nodeHash(node, other);
  }
  demand(used === path.length, "E_PROOF_SHAPE", "a path that is too long");
  demand(sameBytes(node, root), "E_INCLUSION", "the path leads to another root");
}

/**
 * CANON-27, CANON-28 and CANON-31, by RFC 9162 section 2.1.4.2.
 * @param {bigint} first
 * @param {bigint} second
 * @param {Uint8Array} firstRoot
 * @param {Uint8Array} secondRoot
 * @param {Uint8Array[]} path
 */
export async function checkConsistency(first, second, firstRoot, secondRoot, path) {
  checkShape([first, second], path);
  demand(first > 0n && first <= second, "E_PROOF_SIZE", `from ${first} to ${second}`);
  checkShape([], [], firstRoot, secondRoot);
  if (first === second) {
    demand(path.length === 0, "E_PROOF_SHAPE", "equal sizes with a path");
    demand(sameBytes(firstRoot, secondRoot), "E_CONSISTENCY", "one size with two roots");
    return;
  }
  let at = first - 1n;
  let last = second - 1n;
  for (; (at & 1n) === 1n; at >>= 1n, last >>= 1n);
  const hashes = at === 0n ? [firstRoot, ...path] : [...path];
  demand(hashes.length > 0, "E_PROOF_SHAPE", "a path that is too short");
  let [older] = hashes;
  let newer = older;
  let used = 1;
  for (; last > 0n; at >>= 1n, last >>= 1n) {
    if (at === last && (at & 1n) === 0n) continue;
    demand(used < hashes.length, "E_PROOF_SHAPE", "a path that is too short");
    const other = hashes[used++];
    if ((at & 1n) === 1n) {
      older = await nodeHash(other, older);
      newer = await nodeHash(other, newer);
    } else {
      newer = await nodeHash(newer, other);
    }
  }
  demand(used === hashes.length, "E_PROOF_SHAPE", "a path that is too long");
  demand(sameBytes(older, firstRoot), "E_CONSISTENCY", "the path leads to another older root");
  demand(sameBytes(newer, secondRoot), "E_CONSISTENCY", "the path leads to another newer root");
}
