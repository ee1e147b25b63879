// Names that people read and keys are known by (specs/trust-root.md, ROOT-5; specs/signing.md,
// SIGN-30).

import { toUtf8 } from "./bytes.mjs";

const MISLEADING = new RegExp(
  "[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff" +
    "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
);
const SPACE_OR_PLUS = /[\p{White_Space}+]/u;

/** ROOT-5, of any name. @param {string} text */
export function isName(text) {
  const length = toUtf8(text).length;
  return length >= 1 && length <= 256 && !MISLEADING.test(text);
}

/** SIGN-30. @param {unknown} text */
export const isKeyName = (text) =>
  typeof text === "string" && text !== "" && !SPACE_OR_PLUS.test(text);

/** ROOT-5, of a witness. @param {string} text */
export const isWitnessName = (text) => isName(text) && isKeyName(text);

/** ROOT-5, of a log. @param {string} text */
export const isOrigin = (text) => isWitnessName(text) && !text.includes("#");
