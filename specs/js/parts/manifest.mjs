// The manifest of an edition (specs/bundle.md, BUNDLE-7, BUNDLE-8, BUNDLE-10, BUNDLE-11;
// cddl/manifest.cddl).

import { compareBytes, compareText, isBytes, sameBytes, toHex } from "./bytes.mjs";
import { decode, encode } from "./canon.mjs";
import { labelled, sha256 } from "./digest.mjs";
import { slot } from "./kinds.mjs";
import { demand } from "./refusal.mjs";
import { fits, list, n, oneOf, parts, record, textMap } from "./shapes.mjs";

/** @type {import("./shapes.mjs").Shape} */
const text = (value) => typeof value === "string";
/** @type {import("./shapes.mjs").Shape} */
const digest = (value) => isBytes(value, 32);
/** Integer, text, true, false, null, or a list of these. @param {any} value @returns {boolean} */
const figure = (value) =>
  Array.isArray(value)
    ? value.every(figure)
    : !(value instanceof Uint8Array || value instanceof Map);

/** An identifier of up to 256 code points. @param {any} value */
const identifier = (value) => text(value) && /^[^\u0000-\u001f\u007f-\u009f]{1,256}$/u.test(value);
/** Text of at most so many code points. @param {number} most @returns {(value: any) => boolean} */
const textUpTo = (most) => (value) => text(value) && [...value].length <= most;

const MANIFEST = record({
  type: oneOf("coldledger/manifest/1"),
  log: identifier,
  edition: identifier,
  status: textUpTo(64),
  size: n,
  root: digest,
  software: textUpTo(256),
  docs: list(digest, 1),
  policies: textMap(text, digest),
  figures: textMap(text, figure, 1),
  figures_sha256: digest,
  corrections: list(n),
  exclusions: list(n),
  invalidations: list(n),
  targets: list(n),
  redacted: list(parts(n, slot, n)),
  disclosure: list(
    record({ slot, class: textUpTo(64), reason: textUpTo(4096), inspect: list(identifier) }),
  ),
  limits: list(textUpTo(4096)),
});

/** @param {any} a @param {any} b */
const byNumber = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
/** @param {any} a @param {any} b */
const bySlot = (a, b) => compareText(a.get("slot"), b.get("slot"));
/** @param {any} a @param {any} b */
const byPlace = (a, b) => byNumber(a[0], b[0]) || compareText(a[1], b[1]);
/** @type {Record<string, (a: any, b: any) => number>} */
const ORDERS = {
  docs: compareBytes,
  corrections: byNumber,
  exclusions: byNumber,
  invalidations: byNumber,
  targets: byNumber,
  redacted: byPlace,
  disclosure: bySlot,
};

/**
 * What the entries before N give of a manifest (BUNDLE-11).
 * @typedef {{
 *   docs: Set<string>, policies: Map<string, string>, corrections: Set<number>,
 *   exclusions: Set<number>, invalidations: Set<number>, targets: Set<number>, redacted:
 * [number, string, number][],
 *   disclosure: import("./canon.mjs").Item[],
 * }} Given
 */

/** A manifest in order by itself. */
export class Manifest {
  /** Read it by BUNDLE-7. @param {Uint8Array} bytes */
  constructor(bytes) {
    const item = decode(bytes);
    demand(fits(item, MANIFEST), "E_SHAPE", "not the shape of a manifest");
    const map = /** @type {Map<string, any>} */ (item);
    for (const [field, order] of Object.entries(ORDERS)) {
      const items = /** @type {any[]} */ (map.get(field));
      const ascends = items.slice(1).every((one, i) => order(items[i], one) < 0);
      demand(ascends, "E_SHAPE", `${field} does not ascend`);
    }
    this.bytes = bytes;
    this.map = map;
    /** @type {string} */
    this.log = map.get("log");
    /** @type {string} */
    this.edition = map.get("edition");
    /** @type {number | bigint} */
    this.size = map.get("size");
    /** @type {Uint8Array} */
    this.root = map.get("root");
    /** @type {string[]} digests in hex */
    this.docs = map.get("docs").map(toHex);
    /** @type {Set<number | bigint>} */
    this.targets = new Set(map.get("targets"));
    /** @type {Set<string>} `position/slot` */
    this.redacted = new Set(
      map.get("redacted").map((/** @type {any} */ one) => `${one[0]}/${one[1]}`),
    );
  }

  /** BUNDLE-8. */
  async checkFigures() {
    const given = await labelled("coldledger/figures/1", encode(this.map.get("figures")));
    const same = sameBytes(given, this.map.get("figures_sha256"));
    demand(same, "E_FIGURES_DIGEST", "figures_sha256 is not the digest of the figures");
  }

  /** Whether a freeze names this manifest (BUNDLE-10). @param {Map<string, any>} freeze */
  async checkFrozen(freeze) {
    const same =
      freeze.get("edition") === this.edition &&
      freeze.get("size") === this.size &&
      sameBytes(freeze.get("root"), this.root) &&
      sameBytes(freeze.get("manifest"), await sha256(this.bytes));
    demand(same, "E_MANIFEST", "the freeze names another manifest");
  }

  /** BUNDLE-11. @param {Given} given */
  checkState(given) {
    const policies = new Map([...given.policies].map(([name, digest]) => [name, digest]));
    const listed = this.map.get("policies");
    const same = {
      docs: sameList(this.docs, [...given.docs].sort()),
      policies:
        listed.size === policies.size &&
        [...listed].every(([name, one]) => toHex(one) === policies.get(name)),
      corrections: sameList(this.map.get("corrections"), [...given.corrections].sort(byNumber)),
      exclusions: sameList(this.map.get("exclusions"), [...given.exclusions].sort(byNumber)),
      invalidations: sameList(
        this.map.get("invalidations"),
        [...given.invalidations].sort(byNumber),
      ),
      targets: sameList(this.map.get("targets"), [...given.targets].sort(byNumber)),
      redacted: sameItems(this.map.get("redacted"), [...given.redacted].sort(byPlace)),
      disclosure: sameItems(this.map.get("disclosure"), given.disclosure),
    };
    for (const [field, holds] of Object.entries(same)) {
      demand(holds, "E_MANIFEST_STATE", `${field} is not what the entries give`);
    }
  }
}

/** @param {any[]} a @param {any[]} b */
const sameList = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);

/** @param {any[]} a @param {any[]} b */
const sameItems = (a, b) => sameBytes(encode(a), encode(b));
