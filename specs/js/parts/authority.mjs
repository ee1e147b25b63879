// What a trust root lets people do at a position (specs/trust-root.md, ROOT-18 to ROOT-29).

import { compareText, sameBytes } from "./bytes.mjs";
import { checkCosignature } from "./notes.mjs";
import { demand, Refusal } from "./refusal.mjs";

/** @typedef {import("./trust-root.mjs").Root} Root */
/** @typedef {import("./trust-root.mjs").RootKey} RootKey */
/** @typedef {number | bigint} Position */

/** @param {import("./trust-root.mjs").Span} span @param {Position} position */
const inForce = ({ from, to }, position) => from <= position && (to === null || position < to);

/**
 * The key of a kid, as signatures are looked up (SIGN-20, ROOT-19, ROOT-20).
 * @param {Root} root @param {Position} position
 * @returns {(kid: string) => RootKey}
 */
export const keysAt = (root, position) => (kid) => {
  const key = root.keys.get(kid);
  if (key === undefined) throw new Refusal("E_KEY_UNKNOWN", `no key ${kid.slice(0, 16)}`);
  demand(
    inForce(key, position),
    "E_KEY_SPAN",
    `${key.controller}'s key is not in force at ${position}`,
  );
  return key;
};

/**
 * The distinct keys and controllers among *signers* that hold *role*: the smaller of their numbers.
 * @param {RootKey[]} signers
 * @param {string} role
 */
function strength(signers, role) {
  const holders = signers.filter((key) => key.roles.includes(role));
  const kids = new Set(holders.map((key) => key.kid));
  return Math.min(kids.size, new Set(holders.map((key) => key.controller)).size);
}

/** ROOT-19 to ROOT-22. @param {Root} root @param {string} role @param {string[]} kids
 * @param {Position} position */
function checkRole(root, role, kids, position) {
  const signers = kids.map((kid) => {
    const key = root.keys.get(kid);
    if (key === undefined) throw new Refusal("E_KEY_UNKNOWN", `no key ${kid.slice(0, 16)}`);
    return key;
  });
  for (const key of signers) keysAt(root, position)(key.kid);
  for (const key of signers) {
    demand(key.roles.includes(role), "E_ROLE", `${key.controller} does not hold the role ${role}`);
  }
  const needed = root.roles.get(role)?.threshold ?? Infinity;
  const got = strength(signers, role);
  demand(got >= needed, "E_THRESHOLD", `${got} of ${needed} signed in the role ${role}`);
}

/** The role that decides *type* (ROOT-18). @param {Root} root @param {string} type */
export function roleFor(root, type) {
  for (const [role, { decides }] of root.roles) if (decides.includes(type)) return role;
  throw new Refusal("E_AUTHORITY", `no role decides ${type}`);
}

/**
 * ROOT-18 to ROOT-22.
 * @param {Root} root @param {string} type @param {string[]} kids @param {Position} position
 * @returns {string} the role that decides
 */
export function authorise(root, type, kids, position) {
  const role = roleFor(root, type);
  checkRole(root, role, kids, position);
  return role;
}

/**
 * ROOT-23.
 * @param {Root} root @param {{ role: string, kid: string }[]} signed @param {Position} position
 */
export function requireEdition(root, signed, position) {
  for (const role of root.edition) {
    const kids = signed.filter((one) => one.role === role).map((one) => one.kid);
    checkRole(root, role, kids, position);
  }
}

/**
 * ROOT-28 and ROOT-29: *next* comes into force after the adoption at *position*.
 * @param {Root} current @param {Root} next @param {string[]} kids @param {Position} position
 */
export function acceptSuccessor(current, next, kids, position) {
  checkSuccession(current, next);
  const after = typeof position === "bigint" ? position + 1n : position + 1;
  const sides = [
    { root: current, at: position },
    { root: next, at: after },
  ].map(({ root, at }) => {
    const signers = kids.flatMap((kid) => root.keys.get(kid) ?? []);
    return {
      root,
      signers: signers.filter((key) => inForce(key, at) && key.roles.includes("root")),
    };
  });
  const holds = (/** @type {string} */ kid) =>
    sides.some(({ signers }) => signers.some((key) => key.kid === kid));
  demand(kids.every(holds), "E_TRUST_CHAIN", "a signer does not hold the role root");
  for (const { root, signers } of sides) checkRootThreshold(root, signers);
}

/**
 * EVENT-32: the keys of *current* by which an adoption at *position* may be signed, and null for
 * all others.
 * @param {Root} current @param {Position} position
 * @returns {(kid: string) => RootKey | null}
 */
export const rootHoldersAt = (current, position) => (kid) => {
  const key = current.keys.get(kid);
  return key !== undefined && inForce(key, position) && key.roles.includes("root") ? key : null;
};

/** EVENT-32. @param {Root} current @param {RootKey[]} signers */
export function checkRootThreshold(current, signers) {
  const needed = current.roles.get("root")?.threshold ?? Infinity;
  const got = strength(signers, "root");
  const enough = got >= needed;
  demand(enough, "E_TRUST_CHAIN", `${got} of ${needed} of version ${current.version} signed`);
}

/** ROOT-28. @param {Root} current @param {Root} next */
export function checkSuccession(current, next) {
  demand(next.log === current.log, "E_TRUST_CHAIN", "a trust root of another log");
  const follows = BigInt(next.version) === BigInt(current.version) + 1n;
  demand(follows, "E_TRUST_CHAIN", `version ${next.version} after version ${current.version}`);
  demand(next.prev === current.digest, "E_TRUST_CHAIN", "it names another version before it");
}

/** ROOT-24. @param {Root} root @param {Position} position */
export function logKeyAt(root, position) {
  const key = root.logKeys.find((one) => inForce(one, position));
  if (key === undefined) throw new Refusal("E_LOG_KEY", `no log key is in force at ${position}`);
  return key;
}

/**
 * ROOT-25 to ROOT-27, and the cosignatures themselves.
 * @param {Root} root @param {[string, Uint8Array][]} cosignatures @param {Uint8Array} body
 * @param {Position} position @param {number | null} now
 * @returns {Promise<string[]>} names of the witnesses
 */
export async function checkCosignatures(root, cosignatures, body, position, now) {
  /** @type {string[]} */
  const names = [];
  const operators = new Set();
  for (const [name, cosignature] of cosignatures) {
    const ascends = names.length === 0 || compareText(names[names.length - 1], name) < 0;
    demand(ascends, "E_SIG_ORDER", "the names of witnesses do not ascend");
    names.push(name);
    const id = cosignature.subarray(0, 4);
    const witness = root.witnesses.find((one) => one.name === name && sameBytes(one.id, id));
    if (witness === undefined) throw new Refusal("E_KEY_UNKNOWN", `no witness ${name}`);
    demand(inForce(witness, position), "E_KEY_SPAN", `${name} is not in force at ${position}`);
    await checkCosignature(body, cosignature, name, witness.key, now);
    operators.add(witness.operator);
  }
  demand(
    operators.size >= root.quorum,
    "E_QUORUM",
    `${operators.size} of ${root.quorum} operators`,
  );
  return names;
}
