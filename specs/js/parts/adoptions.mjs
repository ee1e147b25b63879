// Trust roots: which the question gives, what they descend from, and which is in force in a log
// (specs/verify.md, VERIFY-5, VERIFY-19; specs/events.md, EVENT-31, EVENT-32).

import { acceptSuccessor, authorise, checkRootThreshold, checkSuccession } from "./authority.mjs";
import { keysAt, roleFor, rootHoldersAt } from "./authority.mjs";
import { toHex } from "./bytes.mjs";
import { sha256 } from "./digest.mjs";
import { checkDecisionSignatures } from "./envelopes.mjs";
import { demand, Refusal } from "./refusal.mjs";
import { readRoot } from "./trust-root.mjs";

/** @typedef {import("./trust-root.mjs").Root} Root */

/**
 * Read the trust roots of the question; the newest is the pinned one.
 * @param {Uint8Array[]} files
 * @returns {Promise<{ pinned: Root, given: Root[] }>}
 */
export async function readTrust(files) {
  demand(files.length > 0, "E_TRUST_SOURCE", "no trust root is given");
  const given = [];
  for (const file of files) given.push(await readRoot(file));
  const pinned = given.reduce((a, b) => (b.version > a.version ? b : a));
  return { pinned, given };
}

/**
 * Follow the pinned root back to version 1 (VERIFY-5).
 * @param {Root} pinned @param {Root[]} given @param {Map<string, Uint8Array>} documents
 * @returns {Promise<Map<number | bigint, Root>>} by version
 */
export async function followBack(pinned, given, documents) {
  const roots = new Map([[pinned.version, pinned]]);
  const byDigest = new Map(given.map((root) => [root.digest, root]));
  let root = pinned;
  while (root.prev !== null) {
    const digest = root.prev;
    const document = documents.get(digest);
    const before =
      byDigest.get(digest) ?? (document === undefined ? null : await readRoot(document));
    if (before === null)
      throw new Refusal("E_DOCUMENT", `version ${root.version} has no predecessor`);
    checkSuccession(before, root);
    roots.set(before.version, before);
    root = before;
  }
  const others = given.filter((one) => roots.get(one.version)?.digest !== one.digest);
  demand(
    others.length === 0,
    "E_TRUST_CHAIN",
    "a trust root that the pinned one does not descend from",
  );
  return roots;
}

/** The trust roots that a log adopts. */
export class Adoptions {
  /** @param {Map<number | bigint, Root>} roots @param {Map<string, Uint8Array>} documents */
  constructor(roots, documents) {
    this.roots = roots;
    this.documents = documents;
    /** @type {Root} in force */
    this.current = /** @type {Root} */ (roots.get(1));
    /** Number of the newest adoption. */
    this.newest = 0;
  }

  /**
   * Judge the adoption at *position*; the root is in force from the next entry on.
   * @param {string} digest of the document
   * @param {{ bytes: Uint8Array, signatures: Uint8Array[] }} decision
   * @param {number} position
   * @returns {Promise<string>} the role that decides
   */
  async adopt(digest, decision, position) {
    if (position === 0) return this.found(digest, decision);
    return this.follow(digest, decision, position);
  }

  /**
   * EVENT-31.
   * @param {string} digest
   * @param {{ bytes: Uint8Array, signatures: Uint8Array[] }} decision
   */
  async found(digest, decision) {
    demand(digest === this.current.digest, "E_TRUST_CHAIN", "another first trust root");
    const lookup = keysAt(this.current, 0);
    const signers = await checkDecisionSignatures(decision.bytes, decision.signatures, lookup);
    return authorise(
      this.current,
      "trust.adopted/1",
      signers.map((key) => key.kid),
      0,
    );
  }

  /**
   * EVENT-32. Nothing of the next root is read before those who may have signed it.
   * @param {string} digest @param {{ bytes: Uint8Array, signatures: Uint8Array[] }} decision
   * @param {number} position
   */
  async follow(digest, decision, position) {
    const { bytes, signatures } = decision;
    const holders = rootHoldersAt(this.current, position);
    checkRootThreshold(this.current, await checkDecisionSignatures(bytes, signatures, holders));
    const next = await readRoot(/** @type {Uint8Array} */ (this.documents.get(digest)));
    checkSuccession(this.current, next);
    const expected = this.roots.get(next.version);
    const descends = expected === undefined || expected.digest === digest;
    demand(descends, "E_TRUST_CHAIN", "the pinned root does not descend from it");
    const [now, then] = [keysAt(this.current, position), keysAt(next, position + 1)];
    const lookup = (/** @type {string} */ kid) => {
      try {
        return now(kid);
      } catch (refusal) {
        if (!(refusal instanceof Refusal) || !next.keys.has(kid)) throw refusal;
        return then(kid);
      }
    };
    const signers = await checkDecisionSignatures(bytes, signatures, lookup);
    const kids = signers.map((key) => key.kid);
    acceptSuccessor(this.current, next, kids, position);
    const role = roleFor(this.current, "trust.adopted/1");
    this.current = next;
    return role;
  }
}

/** @param {Uint8Array} bytes @returns {Promise<string>} */
export const digestOf = async (bytes) => toHex(await sha256(bytes));
