// specs/vectors/signing: the inputs of a vector are `common` overlaid with its `inputs`.

import * as js from "../coldledger.mjs";
import { compare, hex } from "./outcome.mjs";

/** @typedef {Record<string, any>} Inputs */

/** @type {Record<string, (inputs: Inputs) => Promise<any>>} */
const actions = {
  "public-key": async ({ public_hex }) => js.checkPublicKey(hex(public_hex)),
  signature: ({ public_hex, message_hex, signature_hex }) =>
    js.checkSignature(hex(public_hex), hex(message_hex), hex(signature_hex)),
  decision: async ({ root_hex, position, decision_hex, signatures_hex }) => {
    const lookup = js.keysAt(await js.readRoot(hex(root_hex)), position);
    return js.checkDecisionSignatures(hex(decision_hex), signatures_hex.map(hex), lookup);
  },
  edition: async ({ root_hex, position, manifest_hex, subject, signatures_hex }) => {
    const lookup = js.keysAt(await js.readRoot(hex(root_hex)), position);
    return js.checkEditionSignatures(hex(manifest_hex), subject, signatures_hex.map(hex), lookup);
  },
  note: async ({ note_hex, known }) =>
    js.openNote(hex(note_hex), await Promise.all(known.map(js.readVkey))),
  vkey: ({ text }) => js.readVkey(text),
  checkpoint: ({ body_hex, signature_hex, origin, public_hex }) =>
    js.checkLogSignature(hex(body_hex), hex(signature_hex), origin, hex(public_hex)),
  "checkpoint-note": async ({ note_hex, known }) =>
    js.openCheckpoint(hex(note_hex), await Promise.all(known.map(js.readVkey))),
  cosignature: ({ body_hex, cosignature_hex, witness, public_hex, now }) =>
    js.checkCosignature(hex(body_hex), hex(cosignature_hex), witness, hex(public_hex), now),
  newer: async ({ kept_hex, new_hex }) =>
    js.checkNewer(js.readCheckpoint(hex(kept_hex)), js.readCheckpoint(hex(new_hex))),
  root: ({ root_hex }) => js.readRoot(hex(root_hex)),
  authority: async ({ root_hex, type, signers_hex, position }) =>
    js.authorise(await js.readRoot(hex(root_hex)), type, signers_hex, position),
  "edition-roles": async ({ root_hex, signed, position }) => {
    const claims = signed.map((/** @type {string[]} */ [role, kid]) => ({ role, kid }));
    return js.requireEdition(await js.readRoot(hex(root_hex)), claims, position);
  },
  seal: async ({ root_hex, position, body_hex, cosignatures }) => {
    const root = await js.readRoot(hex(root_hex));
    js.logKeyAt(root, position);
    const list = cosignatures.map((/** @type {string[]} */ [name, bytes]) => [name, hex(bytes)]);
    return js.checkCosignatures(root, list, hex(body_hex), position, null);
  },
  successor: async ({ current_hex, root_hex, signers_hex, position }) => {
    const [current, next] = [await js.readRoot(hex(current_hex)), await js.readRoot(hex(root_hex))];
    return js.acceptSuccessor(current, next, signers_hex, position);
  },
};

export const signingCases = Object.fromEntries(
  Object.entries(actions).map(([file, action]) => [
    file,
    (/** @type {Inputs} */ vector, /** @type {Inputs} */ common) =>
      compare(vector, () => action({ ...common, ...vector.inputs })),
  ]),
);
