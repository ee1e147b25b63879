"""What can be wrong with the structure of a run, each fault under a word of its own (RUN-40)."""

from typing import Any

from msgspec import Struct

from canon.excerpt import excerpt
from canon.refusal import LONGEST

MOST_PROBLEMS = 1_000
"""So many are listed; whoever chose the files must not fill a memory with complaints."""

HINTS: dict[str, str] = {
    # a file as a whole
    "missing": "put the file back, or withdraw what names it",
    "absolute": "copy the file into the run and name it relative to the run",
    "climbs": "copy the file into the run and name it relative to the run",
    "symlink": "put the file itself into the run instead of a link to it",
    "empty_path": "name the file, or set the slot to null",
    "not_a_file": "name a regular file",
    "unreadable": "give yourself the right to read the file",
    "too_large": "keep a smaller extract in the run, and the digest of the whole",
    "empty_file": "put back what the file held",
    # text that is no record or document
    "not_utf8": "look at the bytes: the file is binary, or in another encoding than UTF-8",
    "not_json": "look at the text: something other than the recorder wrote it",
    "duplicate_name": "decide which of the two values is meant, in a new run",
    "too_deep": "look at the text: nothing nests so deep by itself",
    "not_an_object": "look at the text: every record and document is a JSON object",
    "blank": "look at what stood in the line: the recorder writes none that is blank",
    "too_long": "keep what is so long as a file, and its digest in the record",
    "truncated": "run `coldledger run repair`: it keeps the torn bytes beside the file",
    # digests
    "hash_missing": "declare the file with its digest",
    "hash_malformed": "write the digest as 64 hexadecimal digits",
    "hash_differs": "find out who changed the file; the digest is of what it was",
    # documents
    "schema": "make the file with a version that writes the schema expected here",
    "field": "write the field as specs/runs.md has it",
    "count": "count again: the list or the number was changed alone",
    # the trajectory
    "header_missing": "begin the file with the header that `coldledger run init` writes",
    "header_repeated": "keep one header: what follows another one is another run's",
    "kind": "record it as one of call, result, phase or mark",
    "run_id": "find out which run the record is of; it is none of this one's",
    "seq": "append with the recorder: it numbers the records",
    "seq_order": "find out what was moved, repeated or put in between",
    "time": "write the time as RFC 3339 in UTC",
    "time_order": "append in the order in which things happened; sort only in a derived run",
    "phase": "use one of prepare, restore, agent or audit",
    "actor": "use one of operator, test, agent, restore, harness or reviewer",
    "status": "use one of ok, error or open",
    "call_id": "give the call a name of its own",
    "call_repeated": "give each call a name of its own",
    "tool": "name the tool that was called",
    "arguments": "record what the tool was called with; null where it took nothing",
    "name": "name the mark",
    "call_without_result": "record the result; with the status open if none ever came",
    "result_without_call": "record the call before its result",
    "result_before_call": "record the call before its result",
    "result_repeated": "keep one result for each call",
    # reviews and derivations
    "review": "write the review with `coldledger run review`",
    "derivation": "write the derivation with `coldledger run derive`",
    # against a ledger
    "not_in_ledger": "take it in with `coldledger import`, if it belongs to the run",
    "vanished": "put the file back: the ledger has its bytes",
    "unnamed": "name the file again: the ledger has it",
    "line_ends": "put the line ends back: the digest of the file is another one",
    "more": "see to the problems above first",
}
"""Word of each fault to what a person does about it."""


class Problem(Struct, frozen=True):
    """One thing that is wrong with a run.

    Attributes:
        file: Where, as the run names the file.
        line: Line of it, from 1; None where the fault is not in one line.
        code: One word for the fault, of :data:`HINTS`.
        got: What stands there.
        expected: What should.
    """

    file: str
    line: int | None
    code: str
    got: str
    expected: str

    @property
    def place(self) -> str:
        """Where, as compilers say it."""
        file = self.file if len(self.file) <= LONGEST else f"{self.file[:LONGEST]}…"
        return file if self.line is None else f"{file}:{self.line}"

    @property
    def message(self) -> str:
        """What is wrong, as a sentence without its end."""
        return f"{self.place}: got {self.got}, expected {self.expected}"

    @property
    def hint(self) -> str:
        """What to do about it."""
        return HINTS.get(self.code, "find out what changed the run since it was recorded")

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "file": self.file,
            "line": self.line,
            "code": self.code,
            "got": self.got,
            "expected": self.expected,
            "message": self.message,
            "hint": self.hint,
        }


def shown(value: Any) -> str:
    """Return a JSON value for a message, cut short."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return excerpt(value)
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    return excerpt(str(value)).strip("'")


LINE_GOT: dict[str, str] = {
    "not_utf8": "bytes that are not UTF-8",
    "not_json": "text that is not JSON",
    "duplicate_name": "an object with a name that stands twice",
    "too_deep": "JSON that is nested too deep",
    "not_an_object": "JSON that is no object",
    "blank": "a blank line",
    "too_long": "more than 16 MiB",
    "truncated": "half a record, without a line end",
}
"""Word of a fault of text to what stands there."""
