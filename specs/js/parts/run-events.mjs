// Shapes of the events of runs (specs/cddl/events.cddl, Runs).

import { commitments, digest, flag, identifier, instant, maybe } from "./kinds.mjs";
import { list, n, oneOf, optional, parts, record } from "./shapes.mjs";

const at = optional(instant);
const STATUS = flag("PASS FAIL PENDING NOT_APPLICABLE");

/** @type {Record<string, import("./shapes.mjs").Shape>} by wire name */
export const RUN_OBSERVATIONS = {
  "file.observed/1": record({
    run: identifier,
    kept: n,
    role: flag(
      "agent_logger answer artifact configuration derivations evidence fixture import manifest " +
        "normalized oracle preflight restore reviews task test_mod trajectory visibility visible " +
        "withheld",
    ),
    "blobs?": commitments,
    state: flag("present absent withheld refused"),
    reader: identifier,
    records: n,
    size_bytes: maybe.count,
    supersedes: maybe.count,
  }),
  "trajectory.recorded/1": record({
    at,
    seq: maybe.count,
    kind: maybe.id,
    line: n,
    name: maybe.id,
    tick: maybe.count,
    tool: maybe.id,
    actor: maybe.id,
    "blobs?": commitments,
    fault: maybe.id,
    phase: maybe.id,
    run_id: maybe.id,
    source: n,
    status: maybe.id,
    call_id: maybe.id,
    instance: maybe.id,
    dimension: maybe.id,
  }),
  "evidence.recorded/1": record({
    at,
    seq: maybe.count,
    line: n,
    tick: maybe.count,
    uuid: maybe.id,
    actor: maybe.id,
    "blobs?": commitments,
    event: maybe.id,
    fault: maybe.id,
    run_id: maybe.id,
    source: n,
    instance: maybe.id,
    dimension: maybe.id,
  }),
  "review.reported/1": record({
    at,
    line: n,
    refs: maybe.count,
    "blobs?": commitments,
    fault: maybe.id,
    review: maybe.id,
    source: n,
    status: maybe.id,
  }),
  "derivation.reported/1": record({
    at,
    line: n,
    tool: maybe.id,
    "blobs?": commitments,
    fault: maybe.id,
    inputs: maybe.count,
    source: n,
    producer: maybe.id,
  }),
  "item.declared/1": record({
    line: n,
    slot: maybe.id,
    "blobs?": commitments,
    fault: maybe.id,
    phase: maybe.id,
    source: n,
    size_bytes: maybe.count,
  }),
  "audit.concluded/1": record({
    run: identifier,
    "blobs?": commitments,
    flags: list(parts(identifier, STATUS)),
    rules: digest,
    auditor: identifier,
    overall: flag("PASS FAIL PENDING"),
    reviews: list(n),
    sources: list(n),
    supersedes: maybe.count,
    failure_class: oneOf("AGENT_FAIL", "FIXTURE_INVALID", "INFRA_ERROR", null),
  }),
};

/** What a signed review says, beside what every decision has. */
export const REVIEW = {
  run: identifier,
  cited: list(n),
  review: identifier,
  status: flag("resolved rejected pending"),
  verdict: n,
};
