// As much TOML as conditions need: keys, strings on one line, integers, booleans, arrays, inline
// tables, and arrays of tables. Other TOML is refused as if it were none: a file of conditions
// has no use for it.

import { Refusal } from "./refusal.mjs";

const SPACE = /[ \t]*/y;
const GAP = /(?:[ \t\r\n]|#[^\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const KEY = /[A-Za-z0-9_-]+/y;
const BASIC = /"((?:[^"\\\u0000-\u0008\u000a-\u001f\u007f]|\\["\\bfnrt]|\\u[0-9A-Fa-f]{4})*)"/y;
const LITERAL = /'([^'\u0000-\u0008\u000a-\u001f\u007f]*)'/y;
const INTEGER = /[+-]?(?:0|[1-9](?:_?[0-9])*)(?![0-9A-Za-z_.:-])/y;
const BOOLEAN = /(?:true|false)(?![A-Za-z0-9_-])/y;
const DEEPEST = 16;

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @param {RegExp} pattern sticky @returns {RegExpExecArray | null} */
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** @param {string} letters @returns {boolean} */
  takes(letters) {
    if (!this.text.startsWith(letters, this.at)) return false;
    this.at += letters.length;
    return true;
  }

  /** @returns {never} */
  fail() {
    const line = this.text.slice(0, this.at).split("\n").length;
    throw new Refusal("E_CONDITIONS", `line ${line} is not what conditions are written in`);
  }

  /** @param {RegExp} pattern */
  must(pattern) {
    return this.take(pattern) ?? this.fail();
  }

  key() {
    const quoted = this.take(BASIC) ?? this.take(LITERAL);
    return quoted === null ? this.must(KEY)[0] : quoted[1];
  }

  /** @param {Map<string, any>} table @param {number} depth */
  pair(table, depth) {
    const key = this.key();
    this.take(SPACE);
    if (!this.takes("=") || table.has(key)) this.fail();
    this.take(SPACE);
    table.set(key, this.value(depth));
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    if (depth > DEEPEST) this.fail();
    const basic = this.take(BASIC);
    if (basic !== null) return JSON.parse(`"${basic[1].replaceAll("\t", "\\t")}"`);
    const literal = this.take(LITERAL);
    if (literal !== null) return literal[1];
    const boolean = this.take(BOOLEAN);
    if (boolean !== null) return boolean[0] === "true";
    const integer = this.take(INTEGER);
    if (integer !== null) {
      const exact = BigInt(integer[0].replaceAll("_", "").replace("+", ""));
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    }
    if (this.takes("[")) return this.array(depth + 1);
    if (this.takes("{")) return this.inline(depth + 1);
    return this.fail();
  }

  /** @param {number} depth */
  array(depth) {
    const items = [];
    for (;;) {
      this.take(GAP);
      if (this.takes("]")) return items;
      items.push(this.value(depth));
      this.take(GAP);
      if (!this.takes(",")) {
        if (this.takes("]")) return items;
        this.fail();
      }
    }
  }

  /** @param {number} depth */
  inline(depth) {
    const table = new Map();
    this.take(SPACE);
    if (this.takes("}")) return {};
    for (;;) {
      this.take(SPACE);
      this.pair(table, depth);
      this.take(SPACE);
      if (this.takes("}")) return Object.fromEntries(table);
      if (!this.takes(",")) this.fail();
    }
  }

  document() {
    const top = new Map();
    let table = top;
    for (this.take(GAP); this.at < this.text.length; this.take(GAP)) {
      if (this.takes("[[")) {
        const key = this.key();
        if (!this.takes("]]") || !Array.isArray(top.get(key) ?? [])) this.fail();
        table = new Map();
        top.set(key, [...(top.get(key) ?? []), table]);
      } else this.pair(table, 0);
      this.must(LINE_END);
    }
    return top;
  }
}

/**
 * Read a document as plain objects.
 * @param {string} text
 * @returns {any}
 */
export function readToml(text) {
  const top = new Reader(text.replace(/^\ufeff/, "")).document();
  const plain = (/** @type {any} */ item) =>
    item instanceof Map ? Object.fromEntries(item) : item;
  return Object.fromEntries([...top].map(([k, v]) => [k, Array.isArray(v) ? v.map(plain) : v]));
}
