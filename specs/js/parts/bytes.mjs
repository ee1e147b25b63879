// Byte strings: comparing, joining, and their spellings as hex, base64 and text.

const ASCII_SPELLING = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const encoder = new TextEncoder();

/** @param {Uint8Array} bytes @returns {string} lower-case hex */
export function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** @param {string} text hex of either case @returns {Uint8Array | null} null if it is none */
export function fromHex(text) {
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** @param {string} text @returns {Uint8Array} UTF-8 */
export const toUtf8 = (text) => encoder.encode(text);

/** @param {...Uint8Array} parts @returns {Uint8Array} one after the other */
export function join(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Bytewise order: negative, zero or positive. @param {Uint8Array} a @param {Uint8Array} b */
export function compareBytes(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/**
 * Order of texts by code point, which is that of their UTF-8.
 * @param {string} a
 * @param {string} b
 */
export function compareText(a, b) {
  if (a === b) return 0;
  return compareBytes(toUtf8(a), toUtf8(b));
}

/** @param {unknown} a @param {unknown} b */
export const sameBytes = (a, b) =>
  a instanceof Uint8Array && b instanceof Uint8Array && compareBytes(a, b) === 0;

/** @param {unknown} value @param {number} [length] @returns {value is Uint8Array} */
export const isBytes = (value, length) =>
  value instanceof Uint8Array && (length === undefined || value.length === length);

/**
 * Read standard base64 in its one spelling: padded, unread bits zero (SIGN-30).
 * @param {string} text
 * @returns {Uint8Array | null} null if it is not that
 */
export function fromBase64(text) {
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const digit of digits) {
    held = (held << 6) | ASCII_SPELLING.indexOf(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return held === 0 ? bytes : null;
}
