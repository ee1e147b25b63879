// C2SP signed notes, checkpoints and cosignatures (specs/signing.md, SIGN-28 to SIGN-45).

import { fromBase64, isBytes, join, sameBytes, toHex, toUtf8 } from "./bytes.mjs";
import { sha256 } from "./digest.mjs";
import { checkSignature } from "./ed25519.mjs";
import { isKeyName, isOrigin } from "./names.mjs";
import { demand } from "./refusal.mjs";

export const LOG_KEY = 1;
export const WITNESS_KEY = 4;
const INT64_TOP = 0x7fffffffffffffffn;
const MOST_LINES = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @typedef {{ name: string, type: number, key: Uint8Array, id: Uint8Array }} NoteKey
 * @typedef {{ origin: string, size: number | bigint, root: Uint8Array }} Checkpoint
 */

/** @param {Uint8Array} bytes @returns {string | null} null if they are no UTF-8 */
function readUtf8(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** The first 4 bytes of SHA-256(name || 0a || type || key). @returns {Promise<Uint8Array>}
 * @param {string} name @param {number} type @param {Uint8Array} key */
export async function keyId(name, type, key) {
  return (await sha256(join(toUtf8(name), Uint8Array.of(10, type), key))).subarray(0, 4);
}

/** @param {string} name @param {number} type @param {Uint8Array} key @returns {Promise<NoteKey>} */
export const noteKey = async (name, type, key) => ({
  name,
  type,
  key,
  id: await keyId(name, type, key),
});

/** Read a verifier key (SIGN-35). @param {string} text @returns {Promise<NoteKey>} */
export async function readVkey(text) {
  const parts = text.split("+");
  const name = parts[0];
  demand(parts.length >= 3 && isKeyName(name), "E_VKEY", "not name+id+key");
  const bytes = fromBase64(parts.slice(2).join("+"));
  demand(isBytes(bytes, 33), "E_VKEY", "the key is not 33 bytes in canonical base64");
  const [type] = /** @type {Uint8Array} */ (bytes);
  demand(type === LOG_KEY || type === WITNESS_KEY, "E_VKEY", `a key of type ${type}`);
  const known = await noteKey(name, type, /** @type {Uint8Array} */ (bytes).subarray(1));
  demand(parts[1] === toHex(known.id), "E_VKEY", "the key id is not that of the key");
  return known;
}

/** What a cosignature of a body covers. @param {bigint} time @param {Uint8Array} body */
const cosigned = (time, body) => join(toUtf8(`cosignature/v1\ntime ${time}\n`), body);

/** @param {Uint8Array} bytes 8, big-endian */
const readTime = (bytes) => BigInt(`0x${toHex(bytes)}`);

/**
 * Check what follows the key id on a line of *known*.
 * @param {NoteKey} known @param {Uint8Array} text @param {Uint8Array} signature
 */
async function checkLine(known, text, signature) {
  if (known.type === LOG_KEY) return checkSignature(known.key, text, signature);
  demand(signature.length === 72, "E_SIG", "a cosignature that is not time and 64 bytes");
  const time = readTime(signature.subarray(0, 8));
  return checkSignature(known.key, cosigned(time, text), signature.subarray(8));
}

/**
 * Open a signed note (SIGN-28 to SIGN-34).
 * @param {Uint8Array} bytes
 * @param {NoteKey[]} known
 * @returns {Promise<{ text: Uint8Array, signers: NoteKey[] }>}
 */
export async function openNote(bytes, known) {
  const note = readUtf8(bytes);
  demand(note !== null, "E_NOTE", "a note that is not UTF-8");
  const whole = /** @type {string} */ (note);
  demand(!/[\u0000-\u0009\u000b-\u001f]/.test(whole), "E_NOTE", "a control character");
  const gap = whole.lastIndexOf("\n\n");
  demand(gap >= 0, "E_NOTE", "a note without an empty line");
  demand(whole.endsWith("\n"), "E_NOTE", "the last line has no end");
  const lines = whole.slice(gap + 2, -1).split("\n");
  demand(gap + 2 < whole.length && lines.length <= MOST_LINES, "E_NOTE", "not 1 to 100 signatures");
  const signatures = lines.map((line) => {
    const [dash, name, spelled, ...more] = line.split(" ");
    demand(dash === "\u2014" && more.length === 0, "E_NOTE", "a line that is no signature");
    demand(isKeyName(name), "E_NOTE", "a key name with a space or plus, or none");
    const raw = fromBase64(spelled ?? "");
    demand(raw !== null && raw.length >= 5, "E_NOTE", "not 5 bytes or more in canonical base64");
    return { name, raw: /** @type {Uint8Array} */ (raw) };
  });
  const text = toUtf8(whole.slice(0, gap + 1));
  /** @type {NoteKey[]} */
  const signers = [];
  for (const { name, raw } of signatures) {
    const id = raw.subarray(0, 4);
    const candidates = known.filter((key) => key.name === name && sameBytes(key.id, id));
    demand(candidates.length < 2, "E_KEY_AMBIGUOUS", "two known keys have one name and one key id");
    const [key] = candidates;
    if (key === undefined || signers.includes(key)) continue;
    await checkLine(key, text, raw.subarray(4));
    signers.push(key);
  }
  demand(signers.length > 0, "E_NO_CHECKPOINT", "no signature of a known key");
  return { text, signers };
}

/** Read the body of a checkpoint (SIGN-36). @param {Uint8Array} body @returns {Checkpoint} */
export function readCheckpoint(body) {
  const text = readUtf8(body);
  demand(text !== null, "E_NOTE", "a body that is not UTF-8");
  const lines = /** @type {string} */ (text).split("\n");
  demand(lines.length === 4 && lines[3] === "", "E_NOTE", "a body that is not three lines");
  const [origin, size, root] = lines;
  demand(isOrigin(origin), "E_NOTE", "the first line is no origin");
  const whole = /^(0|[1-9][0-9]{0,18})$/.test(size) && BigInt(size) <= INT64_TOP;
  demand(whole, "E_NOTE", "the second line is no size");
  const hash = fromBase64(root);
  demand(isBytes(hash, 32), "E_NOTE", "the third line is not 32 bytes in canonical base64");
  const exact = BigInt(size);
  const small = exact <= BigInt(Number.MAX_SAFE_INTEGER);
  return { origin, size: small ? Number(exact) : exact, root: /** @type {Uint8Array} */ (hash) };
}

/**
 * Open a checkpoint in a note (SIGN-41).
 * @param {Uint8Array} bytes @param {NoteKey[]} known @returns {Promise<Checkpoint>}
 */
export async function openCheckpoint(bytes, known) {
  const { text, signers } = await openNote(bytes, known);
  const checkpoint = readCheckpoint(text);
  const logged = signers.some((key) => key.type === LOG_KEY && key.name === checkpoint.origin);
  demand(logged, "E_NO_CHECKPOINT", "no signature of the log");
  return checkpoint;
}

/**
 * Check a log's signature of a body (SIGN-36 to SIGN-40).
 * @param {Uint8Array} body @param {Uint8Array} signature 68 bytes @param {string} origin
 * @param {Uint8Array} key
 */
export async function checkLogSignature(body, signature, origin, key) {
  demand(readCheckpoint(body).origin === origin, "E_ORIGIN", "a checkpoint of another log");
  demand(signature.length === 68, "E_NOTE", `a log signature of ${signature.length} bytes`);
  const id = await keyId(origin, LOG_KEY, key);
  demand(sameBytes(signature.subarray(0, 4), id), "E_KEY_UNKNOWN", "the key id of another key");
  await checkSignature(key, body, signature.subarray(4));
}

/**
 * Check a witness's cosignature of a body (SIGN-38, SIGN-39, SIGN-42, SIGN-43).
 * @param {Uint8Array} body @param {Uint8Array} cosignature 76 bytes @param {string} name
 * @param {Uint8Array} key @param {number | null} now seconds since 1970, null without a clock
 */
export async function checkCosignature(body, cosignature, name, key, now) {
  demand(cosignature.length === 76, "E_NOTE", `a cosignature of ${cosignature.length} bytes`);
  const id = await keyId(name, WITNESS_KEY, key);
  demand(sameBytes(cosignature.subarray(0, 4), id), "E_KEY_UNKNOWN", "the key id of another key");
  const time = readTime(cosignature.subarray(4, 12));
  demand(time <= INT64_TOP, "E_TIMESTAMP", "a time of 64 bits");
  demand(now === null || time <= now, "E_TIMESTAMP", `cosigned at ${time}, and now is ${now}`);
  await checkSignature(key, cosigned(time, body), cosignature.subarray(12));
}

/** Compare a checkpoint with one that was kept (SIGN-37, SIGN-44, SIGN-45).
 * @param {Checkpoint} kept @param {Checkpoint} newer */
export function checkNewer(kept, newer) {
  demand(kept.origin === newer.origin, "E_ORIGIN", "a checkpoint of another log");
  demand(newer.size >= kept.size, "E_ROLLBACK", `size ${newer.size}, and ${kept.size} was kept`);
  const one = newer.size > kept.size || sameBytes(kept.root, newer.root);
  demand(one, "E_SPLIT_VIEW", "two roots at one size");
}
