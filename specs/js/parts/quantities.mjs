// Decimals and times of entries (specs/canon.md, CANON-32, CANON-34, CANON-36). What only
// importers and figures read, JSON numbers, quotients and foreign times, is not here.

import { demand } from "./refusal.mjs";

const DECIMAL = /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;
const INSTANT = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{6}Z$/;

/** The form of CANON-32 alone. @param {string} text */
export const isDecimalForm = (text) => DECIMAL.test(text) && text !== "-0";

/** CANON-32, then CANON-34. @param {string} text */
export function checkDecimal(text) {
  demand(isDecimalForm(text), "E_DECIMAL", "not the canonical form of a decimal");
  const [whole, part = ""] = text.replace("-", "").split(".");
  const digits = whole + part;
  const first = digits.search(/[1-9]/);
  if (first < 0) return;
  const last = digits.length - 1 - [...digits].reverse().findIndex((digit) => digit !== "0");
  demand(last - first < 40, "E_NUMBER_RANGE", "more than 40 digits");
  demand(whole.length - 1 - first <= 103, "E_NUMBER_RANGE", "a digit above place 103");
  demand(whole.length - 1 - last >= -103, "E_NUMBER_RANGE", "a digit below place -103");
}

/** The form of CANON-36 alone. @param {string} text */
export const isInstantForm = (text) => INSTANT.test(text);

/** CANON-36: the form, and a moment of the calendar. @param {string} text */
export function checkInstant(text) {
  const parts = INSTANT.exec(text);
  demand(parts !== null, "E_INSTANT", "not YYYY-MM-DDTHH:MM:SS.ffffffZ");
  const [year, month, day, hour, minute, second] = /** @type {RegExpExecArray} */ (parts)
    .slice(1)
    .map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  const moment = year >= 1 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
  demand(moment, "E_INSTANT", "no moment of the calendar");
}
