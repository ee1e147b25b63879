"""Write ``parts/unicode.mjs``: the code points that Unicode 14.0 assigns (CANON-18).

Needs Python 3.11, whose ``unicodedata`` is of that version; refuses any other.
"""

import sys
import unicodedata
from pathlib import Path

_TARGET = Path(__file__).parent / "parts" / "unicode.mjs"
_HEADER = """\
// Made by specs/js/make_unicode.py; do not edit. The code points with a General_Category other
// than Cn in Unicode 14.0 (specs/canon.md, CANON-18), whatever version the JavaScript engine has.

// Lengths in base 36: of the first assigned run, of the unassigned one after it, and so on.
const RUNS =
"""
_FOOTER = """\

/** @type {number[]} where runs begin: even places assigned, odd ones not */
const STARTS = [0];
for (const run of RUNS.split(" ")) STARTS.push(STARTS[STARTS.length - 1] + parseInt(run, 36));

/** Whether Unicode 14.0 assigns *point*. @param {number} point */
export function isAssigned(point) {
  let low = 0;
  let high = STARTS.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (STARTS[middle] <= point) low = middle;
    else high = middle;
  }
  return low % 2 === 0;
}
"""


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        if number == 0:
            return digits


def _runs() -> list[int]:
    """Return the lengths of runs, assigned first, up to U+10FFFF."""
    runs, assigned = [0], True
    for point in range(0x110000):
        if (unicodedata.category(chr(point)) != "Cn") != assigned:
            assigned = not assigned
            runs.append(0)
        runs[-1] += 1
    return runs


def text() -> str:
    """Return the module."""
    if unicodedata.unidata_version != "14.0.0":
        raise SystemExit(f"unicodedata is {unicodedata.unidata_version}, and 14.0.0 is needed")
    words, lines = [_base36(run) for run in _runs()], [""]
    for word in words:
        if len(lines[-1]) + len(word) > 90:
            lines.append("")
        lines[-1] += word + " "
    lines[-1] = lines[-1].rstrip()  # the other lines keep theirs, since they are joined
    quoted = " +\n".join(f'  "{line}"' for line in lines)
    return f"{_HEADER}{quoted};\n{_FOOTER}"


if __name__ == "__main__":
    if "--check" in sys.argv:
        raise SystemExit(_TARGET.read_text(encoding="utf-8") != text())
    _TARGET.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{_TARGET.name}\n")
