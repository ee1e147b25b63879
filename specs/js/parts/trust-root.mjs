// The trust root as a document (specs/trust-root.md, ROOT-1 to ROOT-17). What it lets people do
// is in authority.mjs.

import { compareBytes, compareText, isBytes, join, toHex } from "./bytes.mjs";
import { decode } from "./canon.mjs";
import { sha256 } from "./digest.mjs";
import { checkPublicKey } from "./ed25519.mjs";
import { isName, isOrigin, isWitnessName } from "./names.mjs";
import { keyId, LOG_KEY, WITNESS_KEY } from "./notes.mjs";
import { checkInstant } from "./quantities.mjs";
import { demand } from "./refusal.mjs";
import { fits, list, n, optional, record, textMap } from "./shapes.mjs";

const THUMBPRINT = Uint8Array.of(0xa3, 1, 1, 0x20, 6, 0x21, 0x58, 0x20);
const MOST_SIGNERS = 64;
const LONGEST = 1024 * 1024;
const MOST = 256;

/**
 * @typedef {{ from: number | bigint, to: number | bigint | null }} Span
 * @typedef {Span & { kid: string, key: Uint8Array, alg: number, controller: string, roles:
 *   string[] }} RootKey
 * @typedef {Span & { key: Uint8Array, id: Uint8Array }} LogKey
 * @typedef {Span & { name: string, key: Uint8Array, operator: string, id: Uint8Array }} Witness
 * @typedef {{
 *   digest: string, log: string, version: number | bigint, prev: string | null,
 *   expires: string | null,
 *   keys: Map<string, RootKey>, roles: Map<string, { threshold: number, decides: string[] }>,
 *   edition: string[], logKeys: LogKey[], witnesses: Witness[], quorum: number | bigint,
 * }} Root
 */

const text = (/** @type {unknown} */ value) => typeof value === "string";
const integer = (/** @type {unknown} */ value) =>
  typeof value === "number" || typeof value === "bigint";
const key32 = (/** @type {unknown} */ value) => isBytes(value, 32);
const span = { from: n, to: optional(n) };
const ROOT_SHAPE = record({
  type: (/** @type {unknown} */ value) => value === "coldledger/trust-root/1",
  log: text,
  version: n,
  prev: optional(key32),
  expires: optional(text),
  keys: list(
    record({
      alg: (/** @type {unknown} */ value) => value === -19 || value === -8,
      key: key32,
      controller: text,
      roles: list(text, 1),
      ...span,
    }),
    1,
  ),
  roles: textMap(text, record({ threshold: integer, decides: list(text) }), 1),
  edition: list(text, 1),
  log_keys: list(record({ key: key32, ...span }), 1),
  witnesses: list(record({ name: text, key: key32, operator: text, ...span })),
  quorum: n,
});

/** The RFC 9679 thumbprint, in hex. @param {Uint8Array} key */
export const kidOf = async (key) => toHex(await sha256(join(THUMBPRINT, key)));

/** ROOT-5. @param {Map<string, any>} root */
function checkNames(root) {
  demand(isOrigin(root.get("log")), "E_ROOT_NAME", "the log's name");
  const names = [...root.get("roles").keys(), ...root.get("edition")];
  for (const role of root.get("roles").values()) names.push(...role.get("decides"));
  for (const key of root.get("keys")) names.push(key.get("controller"), ...key.get("roles"));
  for (const witness of root.get("witnesses")) {
    demand(isWitnessName(witness.get("name")), "E_ROOT_NAME", "the name of a witness");
    names.push(witness.get("operator"));
  }
  demand(names.every(isName), "E_ROOT_NAME", "a name that is empty, too long, or misleads");
}

/** ROOT-31. @param {Map<string, any>} root */
function checkLimits(root) {
  const roles = [...root.get("roles").values()];
  const lists = ["keys", "log_keys", "witnesses", "edition"].map((field) => root.get(field));
  lists.push(roles, ...roles.map((role) => role.get("decides")));
  lists.push(...root.get("keys").map((/** @type {Map<string, any>} */ key) => key.get("roles")));
  demand(
    lists.every((one) => one.length <= MOST),
    "E_LIMIT",
    `a list of more than ${MOST}`,
  );
}

/** ROOT-6 and ROOT-7. @param {Uint8Array[]} keys */
function checkKeys(keys) {
  for (const key of keys) checkPublicKey(key);
  demand(new Set(keys.map(toHex)).size === keys.length, "E_KEY_TWICE", "a public key stands twice");
}

/** ROOT-9. @param {LogKey[]} logKeys */
function checkLogKeys(logKeys) {
  const ordered = [...logKeys].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const apart = ordered.slice(1).every((key, i) => {
    const { to } = ordered[i];
    return to !== null && to <= key.from;
  });
  demand(apart, "E_LOG_KEY", "two log keys are in force at one position");
}

/**
 * @template T @param {T[]} items @param {(a: T, b: T) => number} order
 */
const ascends = (items, order) => items.slice(1).every((item, i) => order(items[i], item) < 0);

/** ROOT-10. @param {Root} root @param {RootKey[]} keys */
function checkOrder(root, keys) {
  const byFrom = (/** @type {Span} */ a, /** @type {Span} */ b) => (a.from < b.from ? -1 : 1);
  const byName = (/** @type {Witness} */ a, /** @type {Witness} */ b) =>
    compareText(a.name, b.name) || compareBytes(a.key, b.key);
  const lists = [root.edition, ...keys.map((key) => key.roles)];
  for (const role of root.roles.values()) lists.push(role.decides);
  const holds =
    ascends(keys, (a, b) => compareText(a.kid, b.kid)) &&
    ascends(root.logKeys, byFrom) &&
    ascends(root.witnesses, byName) &&
    lists.every((one) => ascends(one, compareText));
  demand(holds, "E_ROOT_ORDER", "a list does not ascend");
}

/** ROOT-11. @param {Root} root */
function checkKeyIds({ logKeys, witnesses }) {
  const ids = [
    logKeys.map((key) => toHex(key.id)),
    witnesses.map((witness) => `${witness.name}+${toHex(witness.id)}`),
  ];
  const apart = ids.every((some) => new Set(some).size === some.length);
  demand(apart, "E_KEY_AMBIGUOUS", "two keys have one key id");
}

/**
 * How many distinct holders there are at most at one position.
 * @param {(Span & { holder: string })[]} spans
 */
function mostAtOnce(spans) {
  const turns = spans.flatMap(({ from, to, holder }) => [
    { at: from, by: 1, holder },
    ...(to === null ? [] : [{ at: to, by: -1, holder }]),
  ]);
  turns.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.by - b.by));
  const held = new Map();
  let most = 0;
  for (const { by, holder } of turns) {
    const count = (held.get(holder) ?? 0) + by;
    if (count === 0) held.delete(holder);
    else held.set(holder, count);
    most = Math.max(most, held.size);
  }
  return most;
}

/** ROOT-12 to ROOT-17. @param {Root} root @param {RootKey[]} keys */
function checkRules(root, keys) {
  const { roles, edition, witnesses, quorum } = root;
  demand(roles.has("root"), "E_POLICY", "there is no role root");
  for (const { threshold } of roles.values()) {
    demand(threshold >= 1 && threshold <= MOST_SIGNERS, "E_POLICY", `a threshold of ${threshold}`);
  }
  const used = [...edition, ...keys.flatMap((key) => key.roles)];
  demand(
    used.every((role) => roles.has(role)),
    "E_POLICY",
    "a role that is not in roles",
  );
  const decided = [...roles.values()].flatMap((role) => role.decides);
  demand(new Set(decided).size === decided.length, "E_POLICY", "a type is decided by two roles");
  /** @type {Map<string, (Span & { holder: string })[]>} */
  const holders = new Map([...roles.keys()].map((role) => [role, []]));
  for (const { from, to, controller, roles: held } of keys) {
    for (const role of held) holders.get(role)?.push({ from, to, holder: controller });
  }
  for (const [role, { threshold }] of roles) {
    const most = mostAtOnce(holders.get(role) ?? []);
    demand(
      most >= threshold,
      "E_POLICY",
      `role ${role} needs ${threshold}, and has ${most} at most`,
    );
  }
  const operators = mostAtOnce(witnesses.map((one) => ({ ...one, holder: one.operator })));
  demand(operators >= quorum, "E_POLICY", `a quorum of ${quorum} of ${operators} operators`);
}

/**
 * Read a trust root and judge it by ROOT-1 to ROOT-17, ROOT-30 and ROOT-31.
 * @param {Uint8Array} bytes
 * @returns {Promise<Root>}
 */
export async function readRoot(bytes) {
  demand(bytes.length <= LONGEST, "E_LIMIT", `a trust root of ${bytes.length} bytes`);
  const item = decode(bytes);
  demand(fits(item, ROOT_SHAPE), "E_ROOT_SHAPE", "not the shape of a trust root");
  const map = /** @type {Map<string, any>} */ (item);
  checkLimits(map);
  const version = map.get("version");
  const fitting = version >= 1 && (map.get("prev") === null) === (version === 1);
  demand(fitting, "E_ROOT_VERSION", `version ${version} and its predecessor do not go together`);
  if (map.get("expires") !== null) checkInstant(map.get("expires"));
  checkNames(map);
  const all = ["keys", "log_keys", "witnesses"].flatMap((field) => map.get(field));
  checkKeys(all.map((key) => key.get("key")));
  const spans = all.every((key) => key.get("to") === null || key.get("to") > key.get("from"));
  demand(spans, "E_ROOT_SPAN", "a span ends where it begins, or before");
  /** @type {any[]} */
  const keys = [];
  for (const key of map.get("keys")) {
    keys.push({ ...Object.fromEntries(key), kid: await kidOf(key.get("key")) });
  }
  /** @type {any[]} */
  const logKeys = [];
  for (const key of map.get("log_keys")) {
    const id = await keyId(map.get("log"), LOG_KEY, key.get("key"));
    logKeys.push({ ...Object.fromEntries(key), id });
  }
  /** @type {any[]} */
  const witnesses = [];
  for (const witness of map.get("witnesses")) {
    const id = await keyId(witness.get("name"), WITNESS_KEY, witness.get("key"));
    witnesses.push({ ...Object.fromEntries(witness), id });
  }
  /** @type {Root["roles"]} */
  const roles = new Map();
  for (const [name, role] of map.get("roles")) {
    roles.set(name, { threshold: role.get("threshold"), decides: role.get("decides") });
  }
  /** @type {Root} */
  const root = {
    digest: toHex(await sha256(bytes)),
    log: map.get("log"),
    version,
    expires: map.get("expires"),
    prev: version === 1 ? null : toHex(map.get("prev")),
    keys: new Map(keys.map((key) => [key.kid, key])),
    roles,
    edition: map.get("edition"),
    logKeys,
    witnesses,
    quorum: map.get("quorum"),
  };
  checkLogKeys(logKeys);
  checkOrder(root, keys);
  checkKeyIds(root);
  checkRules(root, keys);
  return root;
}
