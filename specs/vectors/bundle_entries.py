"""Forged bundles whose entries are wrong in themselves or in their place (EVENT-1 to 10, CHAIN).

What one entry shows by itself is in ``event_entries.py``; here it stands in a bundle.
"""

from collections.abc import Callable

from bundle_vector import FREEZE, POLICY, RELEASE, ROW, SOURCE, Asked, Vector, lean, note
from bundle_world import root
from forge import Draft, Map, Row, decision, key

from canon.digest import sha256
from signing.root import LogKey

_CANONICAL, _CHAIN = "canonical", "chain"

Change = Callable[[Map], object]


def entries() -> list[Vector]:
    """Return the vectors."""
    return [*_bytes(), *_fields(), *_decisions(), *_links(), *_moved(), *_first(), *_kept()]


def _set(name: str, value: object) -> Change:
    return lambda entry: entry.update({name: value})


def _body(name: str, value: object) -> Change:
    return lambda entry: entry["body"].update({name: value})


def _with(seq: int, change: Change) -> Draft:
    draft = lean()
    draft.rows[seq].entry = change
    return draft


def _bytes() -> list[Vector]:
    rows: list[tuple[str, str, Callable[[bytes], bytes], str]] = [
        ("entry-with-float", "A reward of 0.0 in place of 0.",
         lambda data: data.replace(b"\x66reward\x00", b"\x66reward\xf9\x00\x00"), "E_CBOR_FLOAT"),
        ("entry-with-trailing-byte", "A byte after the entry's map.",
         lambda data: data + b"\0", "E_TRAILING"),
    ]  # fmt: skip
    vectors = []
    for name, comment, change, code in rows:
        draft = _with_another_row()
        draft.rows[ROW].data = change
        vectors.append(Vector(name, "EVENT-2", comment, draft, code, _CANONICAL, ROW))
    return vectors


def _with_another_row() -> Draft:
    """Return a lean draft with a second attempt, so that there are figures without the first."""
    draft = lean()
    _, row = draft.row("attempt.reported/1")
    says = {**row.says, "attempt": "att-" + "1" * 32, "index": 1}
    draft.add(Row(row.type, says, gone={"record": bytes(32)}))
    return draft


def _fields() -> list[Vector]:
    shape = "E_SHAPE"
    rows: list[tuple[str, str, str, int, Change, str]] = [
        ("entry-without-actor", "EVENT-3", "A field of the entry is missing.", ROW,
         lambda entry: entry.pop("actor"), shape),
        ("unknown-type", "EVENT-4", "An observation of a type that nobody specified.", ROW,
         _set("type", "attempt.imagined/1"), "E_EVENT_TYPE"),
        ("observation-with-prose", "EVENT-5", "A field more than its type has.", ROW,
         _body("failure", "the well stayed dry"), shape),
        ("at-of-no-day", "EVENT-9", "The claimed time is a 30 February.", ROW,
         _set("at", "2026-02-30T00:00:00.000000Z"), "E_INSTANT"),
        ("actor-empty", "EVENT-10", "Nobody recorded it.", ROW, _set("actor", ""), shape),
        ("name-of-258-bytes", "EVENT-10", "129 code points, of two bytes each.", ROW,
         _body("matrix", "é" * 129), shape),
        ("row-without-record", "EVENT-11", "An attempt that no raw record bears out.", ROW,
         lambda entry: entry["body"].pop("blobs"), shape),
        ("row-with-another-slot", "EVENT-11", "It commits to something, but to no record.", ROW,
         _body("blobs", {"remark": bytes(32)}), shape),
    ]  # fmt: skip
    vectors = []
    for name, clause, comment, seq, change, code in rows:
        draft = _with_another_row()
        draft.rows[seq].entry = change
        vectors.append(Vector(name, clause, comment, draft, code, _CANONICAL, seq))
    return vectors


def _decisions() -> list[Vector]:
    def policy(**more: Change) -> Draft:
        draft = lean()
        says = {**draft.rows[POLICY].says, "nonce": bytes(16)}
        draft.add(decision("policy.frozen/1", says, ["ben"], **more))
        return draft

    def trailing(entry: Map) -> None:
        entry["body"]["decision"] += b"\0"

    shape = "E_SHAPE"
    rows = [
        ("decision-unsigned", "EVENT-6", "A decision without any signature.",
         policy(entry=_body("signatures", [])), shape),
        ("decision-with-trailing-byte", "EVENT-7", "A byte after the decision's map.",
         policy(entry=trailing), "E_TRAILING"),
        ("decision-with-remark", "EVENT-8", "A field more than its type has, signed.",
         policy(decision=_set("remark", "as agreed")), shape),
        ("decision-of-258-bytes", "EVENT-10", "A name of 129 code points, of two bytes each.",
         policy(decision=_set("policy", "é" * 129)), shape),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, draft, code, _CANONICAL, FREEZE)
        for name, clause, comment, draft, code in rows
    ]


def _links() -> list[Vector]:
    rows: list[tuple[str, str, str, int, Change, int]] = [
        ("entry-of-other-log", "CHAIN-2", "Spliced in from another log.", ROW,
         _set("log", "log.example/other"), ROW),
        ("entry-says-9", "CHAIN-2", "Entry 4 says that it is entry 9.", ROW, _set("seq", 9), ROW),
        ("prev-of-zeros", "CHAIN-3", "Entry 4 names another leaf before it.", ROW,
         _set("prev", bytes(32)), RELEASE),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, _with(seq, change), "E_CHAIN", _CHAIN, named)
        for name, clause, comment, seq, change, named in rows
    ]


def _later(entries: list[bytes], seq: int) -> list[bytes]:
    """Return the entries with another claimed time in one of them."""
    changed = entries[seq].replace(b"2026-01-02T03:04:05", b"2026-01-02T03:04:06")
    return [*entries[:seq], changed, *entries[seq + 1 :]]


def _moved() -> list[Vector]:
    """Entries moved or changed in the file alone, with nothing made to fit again."""

    def moved(change: Callable[[list[bytes]], list[bytes]]) -> Draft:
        draft = lean()
        draft.chunks = lambda entries: [(0, change(entries))]
        return draft

    rows: list[tuple[str, str, str, Callable[[list[bytes]], list[bytes]], int]] = [
        ("entry-changed", "CHAIN-3", "The claimed time of entry 3 is another.",
         lambda entries: _later(entries, RELEASE), RELEASE),
        ("entries-swapped", "VERIFY-18", "Entries 2 and 3 have changed places.",
         lambda entries: [*entries[:2], entries[3], entries[2], *entries[4:]], SOURCE),
        ("entry-removed", "CHAIN-2", "Entry 3 is left out.",
         lambda entries: entries[:3] + entries[4:], RELEASE),
        ("entry-repeated", "CHAIN-2", "Entry 4 stands twice.",
         lambda entries: [*entries[:5], *entries[4:]], FREEZE),
        ("two-entries-changed", "CHAIN-5", "The claimed times of entries 2 and 4 are others.",
         lambda entries: _later(_later(entries, ROW), SOURCE), SOURCE),
    ]  # fmt: skip
    both = moved(lambda entries: _later(entries, RELEASE))
    both.seal = lambda parts: parts.update(log=bytes(68))
    return [
        *(
            Vector(name, clause, comment, moved(change), "E_CHAIN", _CHAIN, named)
            for name, clause, comment, change, named in rows
        ),
        Vector("last-entry-changed", "CHAIN-6",
               "The claimed time of the freeze is another; no entry follows that would show it.",
               moved(lambda entries: _later(entries, FREEZE)), "E_ROOT", "root"),
        Vector("last-entry-removed", "CHAIN-6", "The last entry is left out.",
               moved(lambda entries: entries[:-1]), "E_ROOT", "root"),
        Vector("changed-and-unsigned", "VERIFY-17",
               "Entry 3 is changed and the log has not signed: the entry comes first in the file.",
               both, "E_CHAIN", _CHAIN, RELEASE),
        Vector("changed-and-cut-short", "VERIFY-17",
               "Entry 3 is changed, and the file ends in the last entry of the same chunk.",
               both, "E_CHAIN", _CHAIN, RELEASE, data=_cut(both)),
    ]  # fmt: skip


def _cut(draft: Draft) -> bytes:
    """Return a bundle up to the middle of its last entry."""
    made = draft.made()
    return made.data[: made.data.index(made.entries[-1]) + 20]


def _first() -> list[Vector]:
    """Return the log that begins otherwise than the pinned trust root says."""
    draft = lean()
    pinned = draft.root
    draft.replace_root(root(log_keys=[LogKey(key=key("log two").public, start=0, end=None)]).data)
    draft.sealed_by = "log two"
    comment = "A whole log under the same origin, founded on another trust root."
    asked = Asked([pinned])
    return [Vector("founded-on-other-root", "CHAIN-4", comment, draft, "E_CHAIN", _CHAIN, 0, asked)]


def _loose(text: str) -> str:
    """Return a note whose last base64 has a bit set that nobody reads."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return f"{text[:-3]}{alphabet[alphabet.index(text[-3]) + 1]}=\n"


def _kept() -> list[Vector]:
    """Logs that do not continue a checkpoint that was kept."""
    size, zeros = len(lean().made().entries), bytes(32)
    consistency = "consistency"
    rows = [
        ("kept-of-other-log", "CHAIN-11", "The note is of another log, and signed by its key.",
         note(4, zeros, origin="log.example/other"), "E_NO_CHECKPOINT", None),
        ("kept-unsigned", "CHAIN-11", "The note was signed by somebody else under the log's name.",
         note(4, zeros, signer="stranger"), "E_NO_CHECKPOINT", None),
        ("kept-with-loose-base64", "CHAIN-11", "The note's signature in another spelling.",
         _loose(note(4, zeros)), "E_NOTE", None),
        ("kept-of-nothing", "CHAIN-7", "The kept checkpoint is of an empty log.",
         note(0, sha256(b"")), "E_PROOF_SIZE", consistency),
        ("history-rewritten", "CHAIN-8", "The kept checkpoint has other entries below 4.",
         note(4, zeros), "E_CONSISTENCY", consistency),
        ("older-than-kept", "CHAIN-9", "The kept checkpoint is larger: the tail was cut off.",
         note(size + 1, zeros), "E_ROLLBACK", consistency),
        ("split-view", "CHAIN-10", "The kept checkpoint has this size and another root.",
         note(size, zeros), "E_SPLIT_VIEW", consistency),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, lean(), code, step, asked=Asked(since=since))
        for name, clause, comment, since, code, step in rows
    ]
