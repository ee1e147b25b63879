// Sources that were withdrawn, and those that count again (specs/events.md, EVENT-55 to EVENT-57).

import { demand } from "./refusal.mjs";

/** @typedef {{ supersedes: number | null, superseded: boolean }} Source */

export class Withdrawals {
  constructor() {
    /** @type {Map<number, Source>} by position */
    this.sources = new Map();
    /** @type {Map<number, { by: number, reinstates: number | null }>} the newest of each source */
    this.newest = new Map();
  }

  /** Count a source. @param {number} position @param {number | null} supersedes */
  addSource(position, supersedes) {
    const replaced = supersedes === null ? undefined : this.sources.get(supersedes);
    if (replaced !== undefined) replaced.superseded = true;
    this.sources.set(position, { supersedes, superseded: false });
  }

  /** @param {number} position */
  isWithdrawn(position) {
    return this.newest.has(position);
  }

  /** EVENT-55. @param {number} source */
  checkSource(source) {
    demand(this.sources.has(source), "E_SOURCE_UNKNOWN", `no source stands at ${source}`);
  }

  /** EVENT-56 and EVENT-57. @param {number} source @param {number | null} reinstates */
  check(source, reinstates) {
    const before = this.newest.get(source);
    const first = before === undefined || (before.reinstates === null && reinstates !== null);
    demand(first, "E_WITHDRAWAL", "the source was withdrawn before");
    if (reinstates === null) return;
    const known = /** @type {Source} */ (this.sources.get(source));
    demand(!known.superseded, "E_WITHDRAWAL", "a newer source replaced it");
    let candidate = known.supersedes;
    while (candidate !== null && this.isWithdrawn(candidate)) {
      candidate = this.sources.get(candidate)?.supersedes ?? null;
    }
    demand(reinstates === candidate, "E_WITHDRAWAL", `${candidate} would count again`);
  }

  /**
   * Count a withdrawal.
   * @param {number} source
   * @param {number | null} reinstates
   * @param {number} by
   */
  add(source, reinstates, by) {
    this.newest.set(source, { by, reinstates });
  }
}
