// Ed25519 as specs/signing.md wants it (SIGN-1 to SIGN-4). WebCrypto does the equation, without
// cofactor as its specification says; which encodings may take part is decided here, since
// engines differ there.

import { isBytes, toHex } from "./bytes.mjs";
import { demand, Refusal } from "./refusal.mjs";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const SIGN_BIT = 1n << 255n;

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let result = 1n;
  let square = base % P;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const D = ((P - 121665n) * power(121666n, P - 2n)) % P;
// y of the points of order 1, 2, 4 and 8; with both signs and the two spellings above p these
// are 14 encodings.
const Y8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const LOW_ORDER = new Set([1n, P - 1n, 0n, Y8, P - Y8]);

/** @param {Uint8Array} bytes little-endian */
function toInteger(bytes) {
  let n = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) n = (n << 8n) | BigInt(bytes[i]);
  return n;
}

/** y as it is written, without the sign of x. @param {Uint8Array} encoded 32 bytes */
const writtenY = (encoded) => toInteger(encoded) & (SIGN_BIT - 1n);

/** Whether some x belongs to y: x^2 = (y^2 - 1) / (d y^2 + 1) has a root. @param {bigint} y */
function onCurve(y) {
  const square = (y * y) % P;
  const x2 = ((square + P - 1n) * (D * square + 1n)) % P; // times a square, which changes no answer
  return x2 === 0n || power(x2, (P - 1n) / 2n) === 1n;
}

/** @type {Map<string, CryptoKey>} keys that were checked and imported, by their hex */
const imported = new Map();
const KEPT_KEYS = 1024;

/** SIGN-1 and SIGN-2. @param {Uint8Array} key */
export function checkPublicKey(key) {
  demand(isBytes(key, 32), "E_KEY_ENCODING", `a key of ${key.length} bytes, expected 32`);
  if (imported.has(toHex(key))) return;
  const y = writtenY(key);
  demand(onCurve(y % P), "E_KEY_ENCODING", "no point of edwards25519");
  demand(!LOW_ORDER.has(y % P), "E_KEY_WEAK", "a key of low order");
  demand(y < P, "E_KEY_WEAK", "a key in a second spelling");
}

/** The bytes as WebCrypto's types want them. @param {Uint8Array} bytes */
const plain = (bytes) => /** @type {Uint8Array<ArrayBuffer>} */ (bytes);

/** @param {Uint8Array} key 32 bytes, checked */
async function importKey(key) {
  const name = toHex(key);
  let handle = imported.get(name);
  if (handle === undefined) {
    const { subtle } = globalThis.crypto;
    handle = await subtle.importKey("raw", plain(key), { name: "Ed25519" }, false, ["verify"]);
    if (imported.size >= KEPT_KEYS) imported.clear();
    imported.set(name, handle);
  }
  return handle;
}

/**
 * SIGN-1 to SIGN-4.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @param {Uint8Array} signature
 */
export async function checkSignature(key, message, signature) {
  checkPublicKey(key);
  demand(signature.length === 64, "E_SIG", `a signature of ${signature.length} bytes, expected 64`);
  const y = writtenY(signature.subarray(0, 32));
  demand(!LOW_ORDER.has(y % P), "E_KEY_WEAK", "an R of low order");
  demand(y < P, "E_SIG", "R in a second spelling");
  demand(toInteger(signature.subarray(32)) < L, "E_SIG", "S is not below L");
  const handle = await importKey(key);
  const { subtle } = globalThis.crypto;
  const [bytes, signed] = [plain(signature), plain(message)];
  if (!(await subtle.verify({ name: "Ed25519" }, handle, bytes, signed))) {
    throw new Refusal("E_SIG", "the signature does not verify");
  }
}
