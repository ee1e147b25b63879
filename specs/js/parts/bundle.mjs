// The items of a bundle, framed (specs/bundle.md, BUNDLE-1, BUNDLE-2, BUNDLE-4, BUNDLE-6,
// BUNDLE-13, BUNDLE-14). One call reads one piece, so that what is wrong further on in the file
// is met later.

import { compareText } from "./bytes.mjs";
import { Frames } from "./frames.mjs";
import { Refusal } from "./refusal.mjs";

const MIB = 1024 * 1024;
const MOST = {
  document: 16 * MIB,
  documents: 64 * MIB,
  entries: 256,
  entry: 65535,
  slot: 32,
  parts: 256,
  part: MIB,
  record: 16 * MIB,
  checkpoint: 1024,
  signatures: 64,
  signature: 8192,
  name: 256,
};
const FORMAT = "coldledger/bundle/1";
export const [HEADER, MANIFEST, DOCUMENT, CHUNK, DISCLOSURE, CHECKPOINT, SEAL] = [
  0, 1, 2, 3, 4, 5, 6,
];
const PARTS = [2, 2, 3, 3, 5, 2, 5];
/** What may follow each kind of item. */
const NEXT = [
  [MANIFEST],
  [DOCUMENT],
  [DOCUMENT, CHUNK],
  [CHUNK, DISCLOSURE, CHECKPOINT],
  [CHUNK, DISCLOSURE, CHECKPOINT],
  [SEAL],
  [],
];

/**
 * @typedef {{
 *   log: Uint8Array, editions: Uint8Array[], cosignatures: [string, Uint8Array][],
 * }} Seal
 */

/** @param {string} message @param {number} offset @returns {never} */
function misframed(message, offset) {
  throw new Refusal("E_FRAME", message, offset);
}

export class BundleReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.frames = new Frames(bytes);
    /** Offset of the item that is read. */
    this.start = 0;
    this.kind = -1;
    this.entries = 0;
    this.lastChunk = 0;
    this.documents = 0;
    /** @type {[number, string]} position and slot of the disclosure before */
    this.disclosed = [-1, ""];
  }

  /** Read the head of the next item, and return its kind. */
  next() {
    const { frames } = this;
    this.start = frames.at;
    const count = frames.array();
    const kind = Number(frames.uint());
    const allowed = this.kind < 0 ? [HEADER] : NEXT[this.kind];
    if (!allowed.includes(kind)) misframed(`an item of kind ${kind}`, this.start);
    if (count !== PARTS[kind]) misframed(`${count} parts, expected ${PARTS[kind]}`, this.start);
    this.kind = kind;
    return kind;
  }

  /** The bytes of the item that was read. */
  get item() {
    return this.frames.bytes.subarray(this.start, this.frames.at);
  }

  /** A string of a fixed length, which is its limit too. @param {number} length */
  exactly(length) {
    const { at } = this.frames;
    const content = this.frames.bytesUpTo(length);
    if (content.length !== length) misframed(`${content.length} bytes, expected ${length}`, at);
    return content;
  }

  header() {
    const format = this.frames.textUpTo(MOST.name);
    if (format !== FORMAT) misframed("another format", this.start);
  }

  manifest() {
    return this.frames.bytesUpTo(MOST.document);
  }

  /** @returns {{ digest: Uint8Array, document: Uint8Array }} */
  document() {
    const digest = this.exactly(32);
    const left = MOST.documents - this.documents;
    const document = this.frames.bytesUpTo(Math.min(MOST.document, left));
    this.documents += document.length;
    return { digest, document };
  }

  /** Read what stands before the entries of a chunk, and return how many there are. */
  chunk() {
    const { frames } = this;
    const full = this.entries === 0 || this.lastChunk === MOST.entries;
    if (!full) misframed("a chunk after one that is not full", this.start);
    const first = frames.uint();
    const next = first === this.entries;
    if (!next) misframed(`a chunk of ${first}, expected ${this.entries}`, this.start);
    const { at } = frames;
    const count = frames.array();
    if (count > MOST.entries) throw new Refusal("E_LIMIT", `a chunk of ${count} entries`, at);
    if (count === 0) misframed("an empty chunk", at);
    this.lastChunk = Number(count);
    return this.lastChunk;
  }

  /** @returns {{ entry: Uint8Array, offset: number }} */
  entry() {
    const offset = this.frames.at;
    const entry = this.frames.bytesUpTo(MOST.entry);
    this.entries += 1;
    return { entry, offset };
  }

  /** Read a disclosure. */
  disclosure() {
    const position = this.frames.uint();
    const slot = this.frames.textUpTo(MOST.slot);
    const [before, name] = this.disclosed;
    const ascends = position > before || (position === before && compareText(slot, name) > 0);
    if (!ascends) misframed("the disclosures do not ascend", this.start);
    this.disclosed = [/** @type {number} */ (position), slot];
    return { position, slot, ...this.blob(slot) };
  }

  /**
   * Whether a disclosure of *position* may stand after this chunk.
   * @param {number | bigint} position
   */
  inChunk(position) {
    return position < this.entries && position >= this.entries - this.lastChunk;
  }

  /** Read salt and bytes of a disclosure. @param {string} slot */
  blob(slot) {
    const { frames } = this;
    const salt = this.exactly(32);
    let { at } = frames;
    const count = Number(frames.array());
    if (count > MOST.parts) throw new Refusal("E_LIMIT", `${count} parts of a disclosure`, at);
    if (count === 0) misframed("a disclosure without parts", at);
    const most = slot === "record" ? MOST.record : MOST.parts * MOST.part;
    const parts = [];
    let total = 0;
    for (let i = 1; i <= count; i++) {
      ({ at } = frames);
      const part = frames.bytesUpTo(Math.min(MOST.part, most - total));
      const fits = i < count ? part.length === MOST.part : part.length > 0 || count === 1;
      if (!fits) misframed(`a part of ${part.length} bytes`, at);
      parts.push(part);
      total += part.length;
    }
    return { salt, parts };
  }

  checkpoint() {
    return this.frames.bytesUpTo(MOST.checkpoint);
  }

  /** @param {number} most @returns {number} */
  count(most) {
    const { at } = this.frames;
    const count = this.frames.array();
    if (count > most) throw new Refusal("E_LIMIT", `${count} signatures`, at);
    return Number(count);
  }

  /** @returns {Seal} */
  seal() {
    const { frames } = this;
    const log = this.exactly(68);
    const editions = [];
    for (let i = this.count(MOST.signatures); i > 0; i--) {
      editions.push(frames.bytesUpTo(MOST.signature));
    }
    /** @type {[string, Uint8Array][]} */
    const cosignatures = [];
    for (let i = this.count(MOST.signatures); i > 0; i--) {
      const { at } = frames;
      if (frames.array() !== 2) misframed("a cosignature that is not name and bytes", at);
      const name = frames.textUpTo(MOST.name);
      cosignatures.push([name, this.exactly(76)]);
    }
    const { at } = frames;
    if (frames.array() !== 0) misframed("a timestamp", at);
    return { log, editions, cosignatures };
  }

  end() {
    const { frames } = this;
    if (!frames.atEnd) throw new Refusal("E_TRAILING", "bytes follow the seal", frames.at);
  }
}
