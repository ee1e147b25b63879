#!/usr/bin/env node
// Change sound bundles at random and verify them: whatever comes in, a verdict has to come out,
// with a code where it is not ok; and it is never ok when the core, or what is under a
// commitment, was changed.
//
//   node specs/js/fuzz.mjs [--seconds N] [--seed N]

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { verifyBundle } from "./coldledger.mjs";

const { values } = parseArgs({
  options: { seconds: { type: "string" }, seed: { type: "string" } },
});
const seconds = Number(values.seconds ?? 5);
const SLOWEST_MS = 5000;
let state = Number(values.seed ?? 1) >>> 0 || 1;

/** A number from 0 to *below* - 1 (xorshift32). @param {number} below */
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}

const folder = new URL("../vectors/bundles/", import.meta.url);
const read = (/** @type {string} */ name) => new Uint8Array(readFileSync(new URL(name, folder)));
/** @type {any[]} */
const vectors = JSON.parse(readFileSync(new URL("vectors.json", folder), "utf8")).vectors;
const sound = vectors.filter((one) => one.expect === "accept" && one.question.conditions === null);
const questions = sound.map(({ input, question }) => ({
  name: input,
  bytes: read(input),
  question: {
    trust: question.trust.map(read),
    trustSha256: question.trust_sha256,
    since: question.since === null ? null : new TextEncoder().encode(question.since),
    now: question.now,
    conditions: null,
  },
}));

/** Heads that state a lot, and items that are refused. */
const SPIKES = ["ff", "9f", "5f", "d2", "f97e00", "1bffffffffffffffff", "9b7fffffffffffffff"]
  .concat(["5b7fffffffffffffff", "bb7fffffffffffffff", "81818181818181818181818181818181818180"])
  .map((text) => new Uint8Array(Buffer.from(text, "hex")));

/** @type {Record<string, (bytes: Uint8Array) => Uint8Array>} */
const CHANGES = {
  flip: (bytes) => {
    const copy = bytes.slice();
    copy[random(copy.length)] ^= 1 << random(8);
    return copy;
  },
  put: (bytes) => {
    const copy = bytes.slice();
    const spike = SPIKES[random(SPIKES.length)];
    const at = random(copy.length);
    copy.set(spike.subarray(0, copy.length - at), at);
    return copy;
  },
  cut: (bytes) => bytes.slice(0, random(bytes.length)),
  insert: (bytes) => splice(bytes, random(bytes.length + 1), 0, SPIKES[random(SPIKES.length)]),
  remove: (bytes) => splice(bytes, random(bytes.length), 1 + random(40), new Uint8Array(0)),
  repeat: (bytes) => {
    const from = random(bytes.length);
    return splice(bytes, random(bytes.length + 1), 0, bytes.slice(from, from + 1 + random(400)));
  },
};

/** @param {Uint8Array} bytes @param {number} at @param {number} gone @param {Uint8Array} put */
function splice(bytes, at, gone, put) {
  const rest = bytes.subarray(Math.min(at + gone, bytes.length));
  const all = new Uint8Array(at + put.length + rest.length);
  all.set(bytes.subarray(0, at));
  all.set(put, at);
  all.set(rest, at + put.length);
  return all;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const equal = (a, b) => Buffer.compare(a, b) === 0;

/** @type {Record<string, number>} */
const met = {};
let tried = 0;
let slowest = 0;
/** @type {string[]} */
const defects = [];
const end = Date.now() + seconds * 1000;
while (Date.now() < end && defects.length < 10) {
  const { name, bytes, question } = questions[random(questions.length)];
  const names = Object.keys(CHANGES);
  const change = names[random(names.length)];
  const seed = state;
  const changed = CHANGES[change](bytes);
  const started = Date.now();
  try {
    const verdict = await verifyBundle(changed, question);
    const code = verdict.error?.code ?? "ok";
    met[code] = (met[code] ?? 0) + 1;
    // A changed file is never sound: every byte is under a digest, a signature, or has one
    // spelling.
    if (verdict.ok && !equal(changed, bytes)) defects.push(`${name} ${change} ${seed}: accepted`);
    if (!verdict.ok && !/^E_[A-Z0-9_]+$/.test(code))
      defects.push(`${name} ${change} ${seed}: no code`);
    if (!verdict.ok && verdict.error.step === null)
      defects.push(`${name} ${change} ${seed}: no step`);
  } catch (defect) {
    const shown = defect instanceof Error ? defect.stack : String(defect);
    defects.push(`${name} ${change} ${seed}: ${shown}`);
  }
  slowest = Math.max(slowest, Date.now() - started);
  tried += 1;
}
if (slowest > SLOWEST_MS) defects.push(`a verdict took ${slowest} ms`);
for (const defect of defects) process.stdout.write(`${defect}\n`);
const codes = Object.entries(met).sort((a, b) => b[1] - a[1]);
process.stdout.write(`${codes.map(([code, count]) => `${code} ${count}`).join(", ")}\n`);
process.stdout.write(
  `${tried} changed bundles, ${defects.length} defects, slowest ${slowest} ms\n`,
);
process.exitCode = defects.length === 0 && tried > 0 ? 0 : 1;
