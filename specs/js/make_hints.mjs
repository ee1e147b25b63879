// Write parts/hints.mjs: what specs/errors.md says to do about each code.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const page = readFileSync(here("../errors.md"), "utf8");
const rows = [...page.matchAll(/^\| `(E_[A-Z0-9_]+)` \|.*\| (.+) \|$/gm)];
if (rows.length === 0) throw new Error("specs/errors.md has no table of errors");
const lines = rows.map(([, code, hint]) => `  ${code}:\n    ${JSON.stringify(hint)},`);
const text = `// Made by specs/js/make_hints.mjs from specs/errors.md; do not edit.

/** @type {Record<string, string>} */
const HINTS = {
${lines.join("\n")}
};

/** What to do about an error. @param {string} code */
export const hintFor = (code) => HINTS[code] ?? "see specs/errors.md";
`;
if (process.argv.includes("--check")) {
  process.exitCode = readFileSync(here("parts/hints.mjs"), "utf8") === text ? 0 : 1;
} else writeFileSync(here("parts/hints.mjs"), text);
