// COSE_Sign1 in the two profiles of specs/signing.md (SIGN-5 to SIGN-27): decisions and editions.

import { compareText, isBytes, sameBytes, toHex } from "./bytes.mjs";
import { decode, encode } from "./canon.mjs";
import { sha256 } from "./digest.mjs";
import { checkSignature } from "./ed25519.mjs";
import { demand } from "./refusal.mjs";

const TAG_18 = 0xd2;
const [ALG, CRIT, KID, CLAIMS, TYP, HASH, PREIMAGE] = [1, 2, 4, 15, 16, 258, 259];
const [ISSUER, SUBJECT, ROLE] = [1, 2, 9];
const DECISION = {
  typ: "application/vnd.coldledger.decision+cbor",
  labels: [ALG, KID, TYP],
};
const EDITION = {
  typ: "application/vnd.coldledger.edition+cose",
  labels: [ALG, CRIT, KID, CLAIMS, TYP, HASH, PREIMAGE],
};
const MANIFEST_TYPE = "application/vnd.coldledger.manifest+cbor";
const SHA_256 = -16;

/**
 * A key as a trust root gives it for a kid.
 * @typedef {import("./trust-root.mjs").RootKey} Key
 * @typedef {(kid: string) => Key} Lookup by the kid in hex; refuses what it does not know
 * @typedef {(kid: string) => Key | null} Choice the same, and null for a signature that is left
 *   to later
 * @typedef {{
 *   headers: Map<any, any>, bytes: Uint8Array, payload: Uint8Array | null, signature: Uint8Array
 * }} Envelope
 */

/** Read one envelope: SIGN-5 to SIGN-10. @param {Uint8Array} bytes @returns {Envelope} */
function open(bytes) {
  demand(bytes[0] === TAG_18, "E_COSE", "the first byte is not tag 18");
  const parts = decode(bytes.subarray(1));
  demand(Array.isArray(parts) && parts.length === 4, "E_COSE", "not an array of four parts");
  const [wrapped, outer, payload, signature] = /** @type {any[]} */ (parts);
  demand(isBytes(wrapped), "E_COSE", "the protected headers are no byte string");
  demand(outer instanceof Map, "E_COSE", "the unprotected headers are no map");
  demand(payload === null || isBytes(payload), "E_COSE", "the payload is neither nil nor bytes");
  demand(isBytes(signature, 64), "E_COSE", "the signature is not 64 bytes");
  const headers = wrapped.length === 0 ? new Map() : decode(wrapped);
  demand(headers instanceof Map, "E_COSE", "the protected headers are no map");
  const twice = [...outer.keys()].some((label) => headers.has(label));
  demand(!twice, "E_HEADER_DUP", "a label stands in both buckets");
  demand(!outer.has(ALG), "E_ALG_UNPROTECTED", "the algorithm is unprotected");
  demand(!outer.has(CRIT), "E_CRIT", "crit is unprotected");
  demand(outer.size === 0, "E_HEADER", "an unprotected header");
  return { headers, bytes: wrapped, payload, signature };
}

/** SIGN-11 to SIGN-15. @param {Envelope} envelope @param {typeof DECISION} profile */
function checkHeaders({ headers }, profile) {
  demand(
    !headers.has(TYP) || headers.get(TYP) === profile.typ,
    "E_TYPE",
    "another kind of payload",
  );
  if (profile === EDITION) {
    const crit = headers.get(CRIT);
    const exact =
      Array.isArray(crit) && crit.length === 2 && crit[0] === CLAIMS && crit[1] === HASH;
    demand(exact, "E_CRIT", "crit is not [15, 258]");
  } else {
    demand(!headers.has(CRIT), "E_CRIT", "crit in a decision's envelope");
  }
  const all = profile.labels.every((label) => headers.has(label));
  demand(
    all && headers.size === profile.labels.length,
    "E_HEADER",
    "other labels than the profile's",
  );
  const alg = headers.get(ALG);
  demand(alg === -19 || alg === -8, "E_ALG_KEY", "an algorithm that is not Ed25519");
  demand(isBytes(headers.get(KID), 32), "E_HEADER", "kid is not 32 bytes");
}

/** @param {{ headers: Map<any, any> }} envelope */
const kidOf = ({ headers }) => toHex(headers.get(KID));

/**
 * SIGN-20 to SIGN-22.
 * @param {Envelope} envelope
 * @param {Uint8Array} payload
 * @param {Choice} lookup
 */
async function checkSigner({ headers, bytes, signature }, payload, lookup) {
  const key = lookup(kidOf({ headers }));
  if (key === null) return null;
  demand(
    headers.get(ALG) === key.alg,
    "E_ALG_KEY",
    `algorithm ${headers.get(ALG)}, not ${key.alg}`,
  );
  const signed = encode(["Signature1", bytes, new Uint8Array(0), payload]);
  await checkSignature(key.key, signed, signature);
  return key;
}

/** SIGN-26, then SIGN-27. @param {number[]} orders of each signature against the one before */
function checkOrder(orders) {
  demand(
    orders.every((order) => order <= 0),
    "E_SIG_ORDER",
    "the signatures do not ascend",
  );
  demand(
    orders.every((order) => order < 0),
    "E_THRESHOLD",
    "a key signed twice",
  );
}

/**
 * Check the signatures of one decision (SIGN-5 to SIGN-27).
 * @param {Uint8Array} decision the bytes that were signed
 * @param {Uint8Array[]} signatures
 * @param {Choice} lookup
 * @returns {Promise<Key[]>} the signers, in order
 */
export async function checkDecisionSignatures(decision, signatures, lookup) {
  const signers = [];
  /** @type {string[]} */
  const kids = [];
  for (const bytes of signatures) {
    const envelope = open(bytes);
    checkHeaders(envelope, DECISION);
    demand(envelope.payload === null, "E_COSE", "a decision's payload is not nil");
    kids.push(kidOf(envelope));
    signers.push(await checkSigner(envelope, decision, lookup));
  }
  checkOrder(kids.slice(1).map((kid, i) => compareText(kids[i], kid)));
  return signers.filter((key) => key !== null);
}

/** SIGN-17 to SIGN-19. @param {Envelope} envelope */
function checkEditionHeaders({ headers, payload }) {
  demand(headers.get(HASH) === SHA_256, "E_HEADER", "the payload hash is not SHA-256");
  const claims = headers.get(CLAIMS);
  const exact =
    claims instanceof Map &&
    claims.size === 3 &&
    [ISSUER, SUBJECT, ROLE].every((claim) => typeof claims.get(claim) === "string");
  demand(exact, "E_HEADER", "the claims are not 1, 2 and 9 in text");
  demand(headers.get(PREIMAGE) === MANIFEST_TYPE, "E_TYPE", "the preimage is no manifest");
  demand(isBytes(payload, 32), "E_COSE", "an edition's payload is not 32 bytes");
}

/**
 * Check the signatures of one edition (SIGN-5 to SIGN-27).
 * @param {Uint8Array} manifest
 * @param {string} subject `origin#edition`
 * @param {Uint8Array[]} signatures
 * @param {Lookup} lookup
 * @returns {Promise<{ role: string, key: Key }[]>} who signed in which role, in order
 */
export async function checkEditionSignatures(manifest, subject, signatures, lookup) {
  const digest = await sha256(manifest);
  /** @type {{ role: string, key: Key }[]} */
  const signed = [];
  for (const bytes of signatures) {
    const envelope = open(bytes);
    checkHeaders(envelope, EDITION);
    checkEditionHeaders(envelope);
    const payload = /** @type {Uint8Array} */ (envelope.payload);
    const key = /** @type {Key} */ (await checkSigner(envelope, payload, lookup));
    demand(sameBytes(payload, digest), "E_ENTRY", "a signature of another manifest");
    const claims = envelope.headers.get(CLAIMS);
    demand(
      claims.get(ISSUER) === key.controller,
      "E_CLAIM",
      "the issuer is not the key's controller",
    );
    demand(claims.get(SUBJECT) === subject, "E_CLAIM", "the subject is another edition");
    const role = claims.get(ROLE);
    demand(key.roles.includes(role), "E_ROLE", "the key does not hold the role that it claims");
    signed.push({ role, key });
  }
  const order = (/** @type {{ role: string, key: Key }} */ a, /** @type {typeof a} */ b) =>
    compareText(a.key.kid, b.key.kid) || compareText(a.role, b.role);
  checkOrder(signed.slice(1).map((one, i) => order(signed[i], one)));
  return signed;
}
