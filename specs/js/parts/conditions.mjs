// Conditions of the verifier's own (specs/verify.md, Conditions, VERIFY-16, VERIFY-21).

import { toUtf8 } from "./bytes.mjs";
import { readToml } from "./toml.mjs";
import { demand } from "./refusal.mjs";

/**
 * @typedef {{ kind: string, role?: string, controller?: string, count?: number | bigint }} Rule
 * @typedef {{
 *   signers: { controller: string, role: string }[], size: number | bigint, witnesses: string[],
 *   withheld: number, records: number, disclosedRecords: number, pinnedByDigest: boolean,
 * }} Facts
 */

const LONGEST = 8192;

/** @param {unknown} value */
const text = (value) => typeof value === "string";
/** @param {any} value */
const integer = (value) => typeof value === "number" || typeof value === "bigint";
/** @param {number} least @returns {(value: any) => boolean} */
const countFrom = (least) => (value) => integer(value) && value >= least;

/** @type {Record<string, Record<string, (value: unknown) => boolean>>} fields of each kind */
const KINDS = {
  "signed-by": { role: text, "controller?": text },
  "min-events": { count: countFrom(1) },
  witnessed: { count: countFrom(1) },
  "max-withheld": { count: countFrom(0) },
  "records-checked": {},
  "root-pinned": {},
};

/** @param {Record<string, unknown>} rule */
function isRule({ kind, ...fields }) {
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) return false;
  const known = Object.entries(KINDS[kind]);
  const fitting = known.every(([name, shape]) => {
    const value = fields[name.replace("?", "")];
    return value === undefined ? name.endsWith("?") : shape(value);
  });
  return (
    fitting &&
    Object.keys(fields).every((name) => known.some(([one]) => one.replace("?", "") === name))
  );
}

/** Read conditions (VERIFY-21). @param {string} toml @returns {Rule[]} */
export function readConditions(toml) {
  const { length } = toUtf8(toml);
  demand(length <= LONGEST, "E_LIMIT", `conditions of ${length} bytes, at most ${LONGEST}`);
  const table = readToml(toml);
  const { id, version, rules, ...more } = table;
  demand(Object.keys(more).length === 0, "E_CONDITIONS", "other fields than id, version and rules");
  demand(text(id), "E_CONDITIONS", "no id");
  demand(integer(version), "E_CONDITIONS", "no version");
  demand(Array.isArray(rules) && rules.length > 0, "E_CONDITIONS", "no rule");
  const known = rules.every(
    (/** @type {any} */ rule) => rule?.constructor === Object && isRule(rule),
  );
  demand(known, "E_CONDITIONS", "a rule of no known kind");
  return rules;
}

/**
 * Whether a rule holds; null where only step 8, which is not taken here, could say.
 * @param {Rule} rule @param {Facts} facts @returns {boolean | null}
 */
function holds({ kind, role, controller, count: wanted = 0 }, facts) {
  switch (kind) {
    case "signed-by":
      return facts.signers.some(
        (one) => one.role === role && (controller === undefined || one.controller === controller),
      );
    case "min-events":
      return facts.size >= wanted;
    case "witnessed":
      return facts.witnesses.length >= wanted;
    case "max-withheld":
      return facts.withheld <= wanted;
    case "records-checked":
      return facts.records > 0 && facts.disclosedRecords === facts.records ? null : false;
    default:
      return facts.pinnedByDigest;
  }
}

/**
 * VERIFY-16.
 * @param {Rule[]} rules @param {Facts} facts
 * @returns {boolean} whether every rule could be judged
 */
export function checkConditions(rules, facts) {
  const answers = rules.map((rule) => ({ rule, held: holds(rule, facts) }));
  for (const { rule, held } of answers) {
    demand(held !== false, "E_CONDITION", `the condition ${rule.kind} does not hold`);
  }
  return answers.every(({ held }) => held === true);
}
