// The one kind of error that bad input causes. Everything else that is thrown is a defect of
// this program.

/** An input is not as a clause of the specifications demands. */
export class Refusal extends Error {
  /**
   * @param {string} code `E_…` as in specs/errors.md
   * @param {string} message place, got, expected
   * @param {number | null} [offset] byte offset of the item at fault, where there are bytes
   */
  constructor(code, message, offset = null) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.offset = offset;
    /** @type {string | null} step of specs/verify.md in which it was met; set by the pass */
    this.step = null;
    /** @type {number | null} number of the first entry that is wrong; set by the pass */
    this.seq = null;
  }
}

/**
 * Refuse unless *holds*.
 * @param {unknown} holds
 * @param {string} code
 * @param {string} message
 */
export function demand(holds, code, message) {
  if (!holds) throw new Refusal(code, message);
}
