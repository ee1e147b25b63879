// Shapes: what a decoded item may be, as predicates that are put together as CDDL is (specs/cddl).

/** @typedef {(value: any) => boolean} Shape */

const INT64_TOP = 0x7fffffffffffffffn;

/** @param {unknown} value @param {Shape} shape */
export const fits = (value, shape) => shape(value);

/** An integer in 0 … 2^63 - 1. @type {Shape} */
export const n = (value) =>
  (typeof value === "number" || typeof value === "bigint") && value >= 0 && value <= INT64_TOP;

/** @type {Shape} */
export const bool = (value) => typeof value === "boolean";

/** The shape, or null. @param {Shape} shape @returns {Shape} */
export const optional = (shape) => (value) => value === null || shape(value);

/** One of these values. @param {...any} values @returns {Shape} */
export const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);

/**
 * @param {Shape} shape of each item
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Shape}
 */
export const list =
  (shape, least = 0, most = Infinity) =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(shape);

/** An array of just these parts. @param {...Shape} shapes @returns {Shape} */
export const parts =
  (...shapes) =>
  (value) =>
    Array.isArray(value) &&
    value.length === shapes.length &&
    shapes.every((one, i) => one(value[i]));

/** @param {Shape} key @param {Shape} shape @param {number} [least] @returns {Shape} */
export const textMap =
  (key, shape, least = 0) =>
  (value) =>
    value instanceof Map && value.size >= least && [...value].every(([k, v]) => key(k) && shape(v));

/**
 * A map of exactly these fields; one whose name ends with `?` may be left out.
 * @param {Record<string, Shape>} fields
 * @returns {Shape}
 */
export function record(fields) {
  const known = Object.entries(fields).map(([name, shape]) => ({
    name: name.replace("?", ""),
    shape,
    must: !name.endsWith("?"),
  }));
  return (value) => {
    if (!(value instanceof Map)) return false;
    let seen = 0;
    for (const { name, shape, must } of known) {
      if (value.has(name)) {
        if (!shape(value.get(name))) return false;
        seen += 1;
      } else if (must) return false;
    }
    return seen === value.size;
  };
}
