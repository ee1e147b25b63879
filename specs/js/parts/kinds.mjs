// The kinds of value in an event (specs/events.md, Format; specs/cddl/events.cddl).

import { isBytes, toUtf8 } from "./bytes.mjs";
import { isDecimalForm, isInstantForm } from "./quantities.mjs";
import { n, oneOf, optional, textMap } from "./shapes.mjs";

/** @typedef {import("./shapes.mjs").Shape} Shape */

export const LONGEST_TEXT = 256;
const LONGEST_QUANTITY = 160;
const CATEGORY = /^[^\u0000-\u001f\u007f-\u009f]{1,64}$/u;
const IDENTIFIER = /^[^\u0000-\u001f\u007f-\u009f]{1,256}$/u;
const SLOT = /^[a-z][a-z0-9_]{0,31}$/;
const POINTER = /^(\/[A-Za-z0-9_~-]*)*$/;

/** @param {RegExp} pattern @returns {Shape} */
const matching = (pattern) => (value) => typeof value === "string" && pattern.test(value);
/** @type {Shape} */
export const text = (value) => typeof value === "string";
/** @type {Shape} */
export const digest = (value) => isBytes(value, 32);
/** @type {Shape} */
export const identifier = (value) => matching(IDENTIFIER)(value) && toUtf8(value).length <= LONGEST_TEXT;
export const category = matching(CATEGORY);
export const slot = matching(SLOT);
/** @type {Shape} */
export const quantity = (value) => text(value) && value.length <= LONGEST_QUANTITY && isDecimalForm(value);
/** Money, not below zero (EVENT-46). @type {Shape} */
export const amount = (value) => quantity(value) && !value.startsWith("-");
/** @type {Shape} */
export const instant = (value) => text(value) && isInstantForm(value);
/** @type {Shape} */
export const pointer = (value) => text(value) && value.length <= LONGEST_TEXT && POINTER.test(value);
export const commitments = textMap(slot, digest, 1);
export const maybe = {
  id: optional(identifier),
  count: optional(n),
  quantity: optional(quantity),
  amount: optional(amount),
};
export const flag = (/** @type {string} */ words) => oneOf(...words.split(" "));
