// Frames: a CBOR sequence read head by head (specs/canon.md, CANON-20 to CANON-22).

import { readNumber, readText } from "./canon.mjs";
import { Refusal } from "./refusal.mjs";

const INT64_TOP = 0x7fffffffffffffffn;

/** Reads frames from bytes; nothing is copied, a string is a view of the input. */
export class Frames {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** Whether nothing is left (CANON-21). */
  get atEnd() {
    return this.at >= this.bytes.length;
  }

  /**
   * Read the head that must stand here, and return its number.
   * @param {number} major
   * @returns {number | bigint}
   */
  head(major) {
    const { bytes, at } = this;
    if (at >= bytes.length)
      throw new Refusal("E_TRUNCATED", "the sequence ends before an item", at);
    const info = bytes[at] & 0x1f;
    if (bytes[at] >> 5 !== major || info >= 28) {
      throw new Refusal("E_FRAME", `first byte ${bytes[at]}, expected major type ${major}`, at);
    }
    const number = readNumber(bytes, at);
    if (number === null) throw new Refusal("E_TRUNCATED", "the sequence ends inside a head", at);
    if (!number.shortest)
      throw new Refusal("E_FRAME", "a head is longer than its number needs", at);
    this.at = number.after;
    return number.n;
  }

  /** Read the head of an array, and return how many items it states. */
  array() {
    return this.head(4);
  }

  /** Read an unsigned integer below 2^63. */
  uint() {
    const { at } = this;
    const n = this.head(0);
    if (n > INT64_TOP) throw new Refusal("E_FRAME", "an integer needs more than 63 bits", at);
    return n;
  }

  /** Read a byte string of at most *limit* bytes. @param {number} limit */
  bytesUpTo(limit) {
    return this.string(2, limit);
  }

  /** Read text of at most *limit* bytes. @param {number} limit */
  textUpTo(limit) {
    const { at } = this;
    return readText(this.string(3, limit), at);
  }

  /** @param {number} major @param {number} limit in bytes */
  string(major, limit) {
    const { at } = this;
    const length = this.head(major);
    if (length > limit)
      throw new Refusal("E_LIMIT", `${length} bytes stated, at most ${limit}`, at);
    const left = this.bytes.length - this.at;
    if (length > left) throw new Refusal("E_TRUNCATED", `${length} bytes stated, ${left} left`, at);
    const content = this.bytes.subarray(this.at, this.at + Number(length));
    this.at += content.length;
    return content;
  }
}
