#!/usr/bin/env node
// node specs/js/verify.mjs BUNDLE --trust ROOT… [--trust-sha256 HEX] [--since NOTE] [--policy
// TOML] [--json]

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { verifyBundle } from "./coldledger.mjs";

const USAGE =
  "Usage: node verify.mjs BUNDLE --trust ROOT [--trust ROOT …] [--trust-sha256 HEX]\n" +
  "                       [--since NOTE] [--policy TOML] [--json]\n";
const [HOLDS, REFUSED, MISUSE] = [0, 1, 64];

/** @param {string} message @returns {never} */
function misuse(message) {
  process.stderr.write(`${message}\n${USAGE}`);
  process.exit(MISUSE);
}

/** @param {string} path */
function readFile(path) {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    return misuse(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        trust: { type: "string", multiple: true },
        "trust-sha256": { type: "string" },
        since: { type: "string" },
        policy: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    return misuse(error instanceof Error ? error.message : String(error));
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(HOLDS);
}
if (positionals.length !== 1) misuse("one bundle is needed");
if (!values.trust?.length) misuse("--trust is needed");
const sha256 = values["trust-sha256"];
if (sha256 !== undefined && !/^[0-9a-fA-F]{64}$/.test(sha256))
  misuse("--trust-sha256 takes 64 hex digits");
const verdict = await verifyBundle(readFile(positionals[0]), {
  trust: values.trust.map(readFile),
  trustSha256: sha256 ?? null,
  since: values.since === undefined ? null : readFile(values.since),
  conditions:
    values.policy === undefined ? null : new TextDecoder().decode(readFile(values.policy)),
  now: Math.floor(Date.now() / 1000),
});
// Numbers beyond 2^53 - 1 can only be sizes that are refused; they are printed as text.
const shown = (/** @type {string} */ _, /** @type {any} */ value) =>
  typeof value === "bigint" ? String(value) : value;
process.stdout.write(`${JSON.stringify(verdict, shown, 2)}\n`);
process.exitCode = verdict.ok ? HOLDS : REFUSED;
