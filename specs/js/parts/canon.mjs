// Canonical items (specs/canon.md, CANON-1 to CANON-19, CANON-39, CANON-40): read strictly,
// write in the one form.
//
// An item becomes: integer -> number, or bigint beyond 2^53 - 1; byte string -> Uint8Array, a
// view of the input; text -> string; array -> Array; map -> Map in the order of its keys; false,
// true, null -> themselves. So equal integers are equal by ===, and < may be used between a
// number and a bigint.

import { compareBytes, join, toUtf8 } from "./bytes.mjs";
import { Refusal } from "./refusal.mjs";
import { isAssigned } from "./unicode.mjs";

/** @typedef {any} Item as it is said above */

const DEEPEST = 16;
const MOST_ITEMS = 2 ** 20;
const MOST_INTEGER_KEYS = 64;
const INT64_TOP = 0x7fffffffffffffffn;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Read the number of the head at *at*: the argument that follows the first byte.
 * @param {Uint8Array} bytes
 * @param {number} at offset of the head
 * @returns {{ n: number | bigint, after: number, shortest: boolean } | null} null if the input
 *   ends in it
 */
export function readNumber(bytes, at) {
  const info = bytes[at] & 0x1f;
  if (info < 24) return { n: info, after: at + 1, shortest: true };
  const width = 1 << (info - 24);
  if (at + 1 + width > bytes.length) return null;
  let n = 0;
  for (let i = 1; i <= Math.min(width, 4); i++) n = n * 256 + bytes[at + i];
  const after = at + 1 + width;
  if (width < 8) return { n, after, shortest: n >= [24, 0x100, 0x10000][info - 24] };
  let low = 0;
  for (let i = 5; i <= 8; i++) low = low * 256 + bytes[at + i];
  const wide = (BigInt(n) << 32n) | BigInt(low);
  return { n: n < 0x200000 ? Number(wide) : wide, after, shortest: n > 0 };
}

/**
 * Read text by CANON-17 to CANON-19.
 * @param {Uint8Array} bytes
 * @param {number} offset named in a refusal
 * @returns {string}
 */
export function readText(bytes, offset) {
  let text;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Refusal("E_CBOR_UTF8", "text is not UTF-8", offset);
  }
  if (text.length === bytes.length) return text; // ASCII only
  for (const letter of text) {
    const point = /** @type {number} */ (letter.codePointAt(0));
    if (!isAssigned(point)) {
      const name = point.toString(16).toUpperCase().padStart(4, "0");
      throw new Refusal("E_CBOR_UNASSIGNED", `U+${name} is not assigned in Unicode 14.0`, offset);
    }
  }
  if (text.normalize("NFC") !== text) throw new Refusal("E_CBOR_NFC", "text is not in NFC", offset);
  return text;
}

/**
 * Count the items of the input, heads alone, and refuse one too many (CANON-41). Where the heads
 * of the item end,
 * or cannot be followed any further, the limit is not reached.
 * @param {Uint8Array} bytes
 */
function checkCount(bytes) {
  if (bytes.length <= MOST_ITEMS) return;
  let owed = 1;
  let at = 0;
  for (let count = 1; owed > 0 && at < bytes.length; count++, owed--) {
    if (count > MOST_ITEMS) throw new Refusal("E_LIMIT", `more than ${MOST_ITEMS} items`, at);
    const major = bytes[at] >> 5;
    const head = (bytes[at] & 0x1f) >= 28 ? null : readNumber(bytes, at);
    if (head === null) return;
    at = head.after;
    const left = bytes.length - at;
    if (major === 6) owed += 1;
    if (major < 2 || major > 5) continue;
    if (head.n > (major === 5 ? left / 2 : left)) return;
    const n = Number(head.n);
    if (major < 4) at += n;
    else owed += major === 4 ? n : 2 * n;
  }
}

class Scanner {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /**
   * Read one item; what is asked at one head is asked in the order of CANON-39.
   * @param {number} depth how many arrays and maps are open around it
   * @param {number | null} [key] as a key of a map: -1 for the first, else the major type of
   *   the first
   * @returns {Item}
   */
  item(depth, key = null) {
    const { bytes, at } = this;
    if (at >= bytes.length)
      throw new Refusal("E_CBOR_TRUNCATED", "the input ends before an item", at);
    const first = bytes[at];
    const major = first >> 5;
    const info = first & 0x1f;
    if (key !== null && (key === -1 ? major !== 0 && major !== 3 : major !== key)) {
      throw new Refusal(
        "E_CBOR_KEY_TYPE",
        "keys are neither all text nor all unsigned integers",
        at,
      );
    }
    if (major === 7) return this.simple(info, at);
    if (info >= 28 && (info < 31 || major < 2 || major === 6)) {
      throw new Refusal("E_CBOR_RESERVED", `additional information ${info} is reserved`, at);
    }
    if (info === 31) throw new Refusal("E_CBOR_INDEFINITE", "a length is indefinite", at);
    const number = readNumber(bytes, at);
    if (number === null) throw new Refusal("E_CBOR_TRUNCATED", "the input ends inside a head", at);
    if (!number.shortest)
      throw new Refusal("E_CBOR_HEAD", "a head is longer than its number needs", at);
    const { n } = number;
    this.at = number.after;
    if (major === 6) {
      if (n === 2 || n === 3) throw new Refusal("E_CBOR_BIGNUM", "an integer is a bignum", at);
      throw new Refusal("E_CBOR_TAG", `tag ${n} stands in canonical data`, at);
    }
    if (major < 2) {
      if (n > INT64_TOP)
        throw new Refusal("E_CBOR_INT_RANGE", "an integer needs more than 64 bits", at);
      if (major === 0) return n;
      return typeof n === "number" && n < Number.MAX_SAFE_INTEGER ? -1 - n : -1n - BigInt(n);
    }
    if (major >= 4 && depth >= DEEPEST) {
      throw new Refusal("E_CBOR_DEPTH", `nested more than ${DEEPEST} deep`, at);
    }
    const left = bytes.length - this.at;
    if (n > (major === 5 ? left / 2 : left)) {
      throw new Refusal("E_CBOR_TRUNCATED", `states ${n}, and ${left} bytes are left`, at);
    }
    const count = Number(n);
    if (major === 4) return this.array(count, depth + 1);
    if (major === 5) return this.map(count, depth + 1);
    const content = bytes.subarray(this.at, this.at + count);
    this.at += count;
    return major === 2 ? content : readText(content, at);
  }

  /** @param {number} info @param {number} at */
  simple(info, at) {
    this.at = at + 1;
    if (info === 20) return false;
    if (info === 21) return true;
    if (info === 22) return null;
    if (info === 23) throw new Refusal("E_CBOR_UNDEFINED", "the value undefined", at);
    if (info >= 25 && info <= 27) throw new Refusal("E_CBOR_FLOAT", "a floating-point number", at);
    if (info >= 28 && info <= 30) throw new Refusal("E_CBOR_RESERVED", `information ${info}`, at);
    if (info === 31) throw new Refusal("E_CBOR_INDEFINITE", "a stop code", at);
    throw new Refusal("E_CBOR_SIMPLE", "another simple value", at);
  }

  /** @param {number} count @param {number} depth */
  array(count, depth) {
    const items = [];
    for (let i = 0; i < count; i++) items.push(this.item(depth));
    return items;
  }

  /** @param {number} count @param {number} depth */
  map(count, depth) {
    const pairs = new Map();
    /** @type {Uint8Array | null} */
    let before = null;
    let kind = -1;
    for (let i = 0; i < count; i++) {
      const at = this.at;
      if (i === MOST_INTEGER_KEYS && kind === 0 && this.bytes[at] >> 5 === 0) {
        throw new Refusal("E_LIMIT", `more than ${MOST_INTEGER_KEYS} keys that are integers`, at);
      }
      const key = this.item(depth, kind);
      kind = this.bytes[at] >> 5;
      const encoded = this.bytes.subarray(at, this.at);
      const order = before === null ? 1 : compareBytes(encoded, before);
      if (order === 0) throw new Refusal("E_CBOR_KEY_DUPLICATE", "a key stands twice", at);
      if (order < 0) throw new Refusal("E_CBOR_KEY_ORDER", "the keys do not ascend", at);
      before = encoded;
      pairs.set(key, this.item(depth));
    }
    return pairs;
  }
}

/**
 * Read the one canonical item that *bytes* are.
 * @param {Uint8Array} bytes
 * @returns {Item}
 */
export function decode(bytes) {
  checkCount(bytes);
  const scanner = new Scanner(bytes);
  const item = scanner.item(0);
  if (scanner.at < bytes.length) {
    throw new Refusal(
      "E_TRAILING",
      `${bytes.length - scanner.at} bytes follow the item`,
      scanner.at,
    );
  }
  return item;
}

/** @param {number} major @param {number | bigint} n */
function head(major, n) {
  const info = n < 24 ? Number(n) : n < 0x100 ? 24 : n < 0x10000 ? 25 : n < 0x100000000 ? 26 : 27;
  const width = info < 24 ? 0 : 1 << (info - 24);
  const bytes = new Uint8Array(1 + width);
  bytes[0] = (major << 5) | info;
  let rest = BigInt(n);
  for (let i = width; i > 0; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/**
 * Write *item* in its one form, whatever order the keys of a Map have.
 * @param {Item} item
 * @returns {Uint8Array}
 */
export function encode(item) {
  if (item === false) return Uint8Array.of(0xf4);
  if (item === true) return Uint8Array.of(0xf5);
  if (item === null) return Uint8Array.of(0xf6);
  if (typeof item === "bigint" || (typeof item === "number" && Number.isSafeInteger(item))) {
    return item < 0 ? head(1, -1n - BigInt(item)) : head(0, item);
  }
  if (item instanceof Uint8Array) return join(head(2, item.length), item);
  if (typeof item === "string") {
    const text = toUtf8(item);
    return join(head(3, text.length), text);
  }
  if (Array.isArray(item)) return join(head(4, item.length), ...item.map(encode));
  if (item instanceof Map) {
    const pairs = [...item].map(([key, value]) => [encode(key), encode(value)]);
    pairs.sort((a, b) => compareBytes(a[0], b[0]));
    return join(head(5, pairs.length), ...pairs.flat());
  }
  throw new Refusal("E_CBOR_TYPE", "a value of a type outside the profile");
}
