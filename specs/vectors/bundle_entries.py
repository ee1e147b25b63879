"""Forged bundles whose entries are wrong in themselves or in their place (EVENT-1 to 10, CHAIN)."""

from collections.abc import Callable

from bundle_vector import Asked, Vector, lean, note
from bundle_world import root
from forge import Draft, Map, key

from canon.digest import sha256
from ledger.entry import genesis
from signing.root import LogKey

_POLICY, _SOURCE, _RELEASE, _ONE, _TWO, _FREEZE = range(1, 7)
_CANONICAL, _CHAIN = "canonical", "chain"


def entries() -> list[Vector]:
    """Return the vectors."""
    return [*_bytes(), *_fields(), *_links(), *_moved(), *_first(), *_kept()]


def _with(seq: int, entry: Callable[[Map], object]) -> Draft:
    draft = lean()
    draft.rows[seq].entry = entry
    return draft


def _bytes() -> list[Vector]:
    def changed(change: Callable[[bytes], bytes]) -> Draft:
        draft = lean()
        draft.rows[_ONE].data = change
        return draft

    rows: list[tuple[str, str, Callable[[bytes], bytes], str]] = [
        ("entry-with-float", "A reward of 1.0 in place of 1.",
         lambda data: data.replace(b"\x66reward\x01", b"\x66reward\xf9\x3c\x00"), "E_CBOR_FLOAT"),
        ("entry-with-long-head", "The number 4 in two bytes.",
         lambda data: data.replace(b"\x63seq\x04", b"\x63seq\x18\x04"), "E_CBOR_HEAD"),
        ("entry-with-tag", "A tag in front of the entry.",
         lambda data: b"\xd9\xd9\xf7" + data, "E_CBOR_TAG"),
        ("entry-with-twin-key", "A key that stands twice.",
         lambda data: data.replace(b"\xa8\x61v\x01", b"\xa9\x61v\x01\x61v\x01", 1),
         "E_CBOR_KEY_DUPLICATE"),
        ("entry-not-nfc", "An accent apart from its letter, of a word of the same length.",
         lambda data: data.replace(b"recorder", b"recore\xcc\x81"),
         "E_CBOR_NFC"),
        ("entry-with-trailing-byte", "A byte after the entry's map.",
         lambda data: data + b"\0", "E_TRAILING"),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-2", comment, changed(change), code, _CANONICAL, _ONE)
        for name, comment, change, code in rows
    ]


def _fields() -> list[Vector]:
    def set_to(name: str, value: object) -> Callable[[Map], object]:
        return lambda entry: entry.update({name: value})

    def body(name: str, value: object) -> Callable[[Map], object]:
        return lambda entry: entry["body"].update({name: value})

    shape = "E_SHAPE"
    rows: list[tuple[str, str, str, int, Callable[[Map], object], str]] = [
        ("entry-without-actor", "EVENT-3", "A field of the entry is missing.", _ONE,
         lambda entry: entry.pop("actor"), shape),
        ("unknown-type", "EVENT-4", "An observation of a type that nobody specified.", _ONE,
         set_to("type", "attempt.imagined/1"), "E_EVENT_TYPE"),
        ("observation-with-prose", "EVENT-5", "A field more than its type has.", _ONE,
         body("failure", "the well stayed dry"), shape),
        ("digest-as-text", "EVENT-5", "A digest in base64 where its 32 bytes must stand.", _SOURCE,
         body("sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), shape),
        ("name-with-newline", "EVENT-5", "An identifier that ends with a line break.", _SOURCE,
         body("name", "20260101.0.0\n"), shape),
        ("minus-zero", "EVENT-5", "A quantity of -0.", _ONE, body("agent_timeout_s", "-0"), shape),
        ("decision-unsigned", "EVENT-6", "A decision without any signature.", _POLICY,
         body("signatures", []), shape),
        ("at-of-no-day", "EVENT-9", "The claimed time is a 30 February.", _ONE,
         set_to("at", "2026-02-30T00:00:00.000000Z"), "E_INSTANT"),
        ("actor-empty", "EVENT-10", "Nobody recorded it.", _ONE, set_to("actor", ""), shape),
        ("name-of-258-bytes", "EVENT-10", "129 code points, of two bytes each.", _ONE,
         body("matrix", "é" * 129), shape),
    ]  # fmt: skip
    vectors = [
        Vector(name, clause, comment, _with(seq, change), code, _CANONICAL, seq)
        for name, clause, comment, seq, change, code in rows
    ]
    draft = lean()
    draft.rows[_POLICY].decision = lambda says: says.update(policy="é" * 129)
    comment = "A name inside a decision: 129 code points, of two bytes each."
    vectors.append(
        Vector("name-in-decision-of-258-bytes", "EVENT-10", comment, draft, shape, _CANONICAL, 1)
    )
    draft = lean()
    draft.rows[_POLICY].decision = lambda says: says.update(remark="as agreed")
    comment = "A field more than its type has, signed."
    vectors.append(
        Vector("decision-with-remark", "EVENT-8", comment, draft, shape, _CANONICAL, _POLICY)
    )
    draft = lean()
    draft.rows[_POLICY].entry = lambda entry: entry["body"].update(
        decision=entry["body"]["decision"] + b"\0"
    )
    comment = "A byte after the decision's map."
    vectors.append(
        Vector(
            "decision-with-trailing-byte",
            "EVENT-7",
            comment,
            draft,
            "E_TRAILING",
            _CANONICAL,
            _POLICY,
        )
    )
    return vectors


def _links() -> list[Vector]:
    broken = "E_CHAIN"

    def set_to(name: str, value: object) -> Callable[[Map], object]:
        return lambda entry: entry.update({name: value})

    rows: list[tuple[str, str, str, int, Callable[[Map], object], int]] = [
        ("entry-of-other-log", "CHAIN-2", "Spliced in from another log.", _ONE,
         set_to("log", "log.example/other"), _ONE),
        ("entry-says-9", "CHAIN-2", "Entry 4 says that it is entry 9.", _ONE, set_to("seq", 9),
         _ONE),
        ("prev-of-zeros", "CHAIN-3", "Entry 5 names another leaf before it.", _TWO,
         set_to("prev", bytes(32)), _ONE),
        ("genesis-of-zeros", "CHAIN-4", "Entry 0 does not begin at the genesis.", 0,
         set_to("prev", bytes(32)), 0),
        ("genesis-of-other-log", "CHAIN-4", "Entry 0 begins at the genesis of another origin.", 0,
         set_to("prev", genesis("log.example/other", sha256(lean().root))), 0),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, _with(seq, change), broken, _CHAIN, named)
        for name, clause, comment, seq, change, named in rows
    ]


def _moved() -> list[Vector]:
    """Entries moved or changed in the file alone, with nothing made to fit again."""

    def moved(change: Callable[[list[bytes]], list[bytes]]) -> Draft:
        draft = lean()
        draft.chunks = lambda entries: [(0, change(entries))]
        return draft

    def at(entries: list[bytes], seq: int) -> list[bytes]:
        later = entries[seq].replace(b"2026-01-02T03:04:05", b"2026-01-02T03:04:06")
        return [*entries[:seq], later, *entries[seq + 1 :]]

    rows: list[tuple[str, str, str, Callable[[list[bytes]], list[bytes]], int]] = [
        ("entry-changed", "CHAIN-3", "The claimed time of entry 3 is another.",
         lambda entries: at(entries, 3), 3),
        ("entries-swapped", "VERIFY-18", "Entries 3 and 4 have changed places.",
         lambda entries: [*entries[:3], entries[4], entries[3], *entries[5:]], 3),
        ("entry-removed", "CHAIN-2", "Entry 4 is left out.",
         lambda entries: entries[:4] + entries[5:], 4),
        ("entry-repeated", "CHAIN-2", "Entry 4 stands twice.",
         lambda entries: [*entries[:5], *entries[4:]], 5),
        ("two-entries-changed", "CHAIN-5", "The claimed times of entries 2 and 4 are others.",
         lambda entries: at(at(entries, 4), 2), 2),
    ]  # fmt: skip
    vectors = [
        Vector(name, clause, comment, moved(change), "E_CHAIN", _CHAIN, named)
        for name, clause, comment, change, named in rows
    ]
    comment = "The claimed time of the freeze is another; no entry follows that would show it."
    draft = moved(lambda entries: at(entries, _FREEZE))
    vectors.append(Vector("last-entry-changed", "CHAIN-6", comment, draft, "E_ROOT", "root"))
    comment = "The last entry is left out."
    draft = moved(lambda entries: entries[:-1])
    vectors.append(Vector("last-entry-removed", "CHAIN-6", comment, draft, "E_ROOT", "root"))

    both = moved(lambda entries: at(entries, 3))
    both.seal = lambda parts: parts.update(log=bytes(68))
    comment = "Entry 3 is changed, and the log has not signed: the entry comes first in the file."
    vectors.append(
        Vector("changed-and-unsigned", "VERIFY-17", comment, both, "E_CHAIN", _CHAIN, 3)
    )
    return vectors


def _first() -> list[Vector]:
    """Logs that begin otherwise than the pinned trust root says."""
    other = root(log_keys=[LogKey(key=key("stranger").public, start=0, end=None)])
    draft = lean()
    pinned = draft.root
    draft.replace_root(other.data)
    draft.sealed_by = "stranger"
    comment = "A whole log under the same origin, founded on another trust root."
    return [
        Vector(
            "founded-on-other-root", "CHAIN-4", comment, draft, "E_CHAIN", _CHAIN, 0, Asked([pinned])
        )
    ]


def _kept() -> list[Vector]:
    """Logs that do not continue a checkpoint that was kept."""
    made = lean().made()
    size, zeros = len(made.entries), bytes(32)
    rows = [
        ("kept-of-other-log", "CHAIN-11", "The kept checkpoint is of another log.",
         note(5, zeros, origin="log.example/other"), "E_NO_CHECKPOINT", None),
        ("kept-of-nothing", "CHAIN-7", "The kept checkpoint is of an empty log.",
         note(0, sha256(b"")), "E_PROOF_SIZE", "consistency"),
        ("history-rewritten", "CHAIN-8", "The kept checkpoint has other entries below 5.",
         note(5, zeros), "E_CONSISTENCY", "consistency"),
        ("older-than-kept", "CHAIN-9", "The kept checkpoint is larger: the tail was cut off.",
         note(size + 1, zeros), "E_ROLLBACK", "consistency"),
        ("split-view", "CHAIN-10", "The kept checkpoint has this size and another root.",
         note(size, zeros), "E_SPLIT_VIEW", "consistency"),
        ("kept-unsigned", "CHAIN-11", "The note was signed by somebody else under the log's name.",
         note(5, zeros, signer="stranger"), "E_NO_CHECKPOINT", None),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, lean(), code, step, asked=Asked(since=since))
        for name, clause, comment, since, code, step in rows
    ]

