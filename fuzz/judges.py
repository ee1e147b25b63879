"""What must hold of a reader for any bytes: each judge reads *data* and asserts it.

A refusal is an answer. Anything else that is raised is a fault, and so is an answer that another
way of asking contradicts.
"""

import io
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from canon import (
    decode,
    encode,
    fraction_of,
    node_hash,
    parse_decimal,
    parse_instant,
    quotient,
    read_instant,
    read_number,
    verify_consistency,
    verify_inclusion,
)
from canon.instant import instant_text
from canon.quantity import DIGITS_LIMIT, decimal_text
from canon.refusal import Refusal
from canon.scan import scan
from ledger.entry import MAX_ENTRY_BYTES, read_entry, read_event
from ledger.importers.replaybook.importer import ReplaybookImporter
from ledger.importers.source_json import parse
from ledger.importers.source_rows import Split, reassemble
from ledger.pattern import AttemptPattern
from ledger.rules import check_document, disclosure_rules, parse_policy, status_rules
from ledger.verify.bundle import verify_bundle
from ledger.verify.conditions import read_conditions
from ledger.verify.kept import open_kept
from ledger.verify.question import Question
from signing import cose, note, trust
from signing.checkpoint import open_checkpoint, parse_checkpoint
from signing.root import document_bytes

from .seeds import VECTORS, envelopes, questions, sound_cores, vectors

Judge = Callable[[bytes], None]
_LARGEST_PROOF = 2**12


def canon(data: bytes) -> None:
    """The quick reader and the scanner agree, on the value or on the fault; one encoding each."""
    quick, exact = _outcome(decode, data), _outcome(scan, data)
    assert quick == exact, (quick, exact)
    if quick[0] is None:
        assert encode(decode(data)) == data


def _outcome(read: Callable[[bytes], Any], data: bytes) -> tuple[str | None, Any]:
    try:
        return None, _typed(read(data))
    except Refusal as refusal:
        code, offset = refusal.code, refusal.offset
    assert offset is not None
    assert 0 <= offset <= len(data)
    return code, offset


def _typed(value: Any) -> Any:
    """Return *value* with its types: in Python, True equals 1."""
    if isinstance(value, dict):
        return [(_typed(key), _typed(item)) for key, item in value.items()]
    return list(map(_typed, value)) if isinstance(value, list) else (type(value), value)


@cache
def _question(number: int) -> Question:
    asked = questions()[number]
    roots = [(VECTORS / "bundles" / name).read_bytes() for name in asked["trust"]]
    since, rules, pin = asked["since"], asked["conditions"], asked["trust_sha256"]
    return Question(
        roots,
        trust_sha256=None if pin is None else bytes.fromhex(pin),
        since=None if since is None else open_kept(since.encode(), trust.parse_root(roots[0])),
        conditions=None if rules is None else read_conditions(rules, "conditions"),
        now=asked["now"],
    )


def bundle(data: bytes) -> None:
    """One boolean, an error just where it is false, and no core accepted but the known ones."""
    verdict = forged(data)
    assert not verdict or verdict in sound_cores(), "a changed core was accepted"


def forged(data: bytes) -> str | None:
    """Return the core of a bundle that is accepted; the verdict must make sense.

    With the test keys at hand a changed core may be sound: this says nothing about that.
    """
    number = data[0] % len(questions()) if data else 0
    verdict, verified = verify_bundle(io.BytesIO(data[1:]), _question(number))
    document = json.loads(json.dumps(verdict.document()))
    assert verdict.ok == (verified is not None) == (verdict.error is None) == document["ok"]
    assert verdict.error is None or (verdict.error.code and len(verdict.error.message) < 4_096)
    if verified is None:
        return None
    assert verdict.figures_differing == 0
    return verdict.core_sha256


@cache
def _known_notes() -> tuple[list[note.VerifierKey], frozenset[bytes]]:
    common = vectors("signing/checkpoint-note")["common"]["known"]
    texts = {
        note.parse_note(bytes.fromhex(one["inputs"]["note_hex"])).text
        for name in ("note", "checkpoint-note")
        for one in vectors(f"signing/{name}")["vectors"]
        if one["expect"] == "accept"
    }
    return [note.parse_vkey(text) for text in common], frozenset(texts)


def notes(data: bytes) -> None:
    """A note that is read is what it is written as; only known texts are believed."""
    keys, texts = _known_notes()
    for read in (
        lambda: _same(note.render_note(*_parts(note.parse_note(data))), data),
        lambda: _same(parse_checkpoint(data).body(), data),
        lambda: _same(
            note.parse_vkey(data.decode("utf-8", "surrogateescape")).text().encode(), data
        ),
        lambda: _believed(note.open_note(data, keys).text, texts),
        lambda: _believed(open_checkpoint(data, keys).body(), texts),
    ):
        _read_or_refused(read)


def _parts(read: note.Note) -> tuple[bytes, tuple[note.NoteSignature, ...]]:
    return read.text, read.signatures


def _same(again: bytes, data: bytes) -> None:
    assert again == data


def _believed(text: bytes, texts: frozenset[bytes]) -> None:
    assert text in texts, "a changed note was believed"


def _read_or_refused(read: Callable[[], object]) -> None:
    with suppress(Refusal):
        read()


@cache
def _first_root() -> tuple[trust.TrustRoot, list[bytes]]:
    common = vectors("signing/successor")["common"]
    root = trust.parse_root(bytes.fromhex(common["current_hex"]))
    return root, [trust.kid_of(key.key) for key in root.document.keys]


def roots(data: bytes) -> None:
    """A root that is read is its bytes, and as a successor it is accepted or refused."""
    root, kids = _first_root()
    try:
        read = trust.parse_root(data)
    except Refusal:
        return
    assert document_bytes(read.document) == data
    new = [trust.kid_of(key.key) for key in read.document.keys]
    for signers in (kids, sorted({*kids, *new})):
        _read_or_refused(lambda signers=signers: trust.accept_successor(root, data, signers, 5))
    for position in (0, 5, 2**63 - 1):
        for role in read.document.roles:
            _read_or_refused(lambda one=role, at=position: read.require(new, one, at))
        _read_or_refused(lambda at=position: read.log_key_at(at))


@cache
def _signed() -> tuple[trust.TrustRoot, bytes, bytes, str, frozenset[bytes]]:
    said, edition = vectors("signing/decision")["common"], vectors("signing/edition")["common"]
    return (
        trust.parse_root(bytes.fromhex(said["root_hex"])),
        bytes.fromhex(said["decision_hex"]),
        bytes.fromhex(edition["manifest_hex"]),
        edition["subject"],
        frozenset(envelopes()),
    )


def envelope(data: bytes) -> None:
    """Only envelopes of the vectors are believed: nobody else has signed."""
    root, decision, manifest, subject, known = _signed()
    for position in (5, 10):
        lookup = root.lookup(position)
        for read in (
            lambda: cose.verify_decisions([data], decision, lookup),  # noqa: B023
            lambda: cose.verify_editions([data], manifest, lookup, subject=subject),  # noqa: B023
        ):
            try:
                believed = read()
            except Refusal:
                continue
            assert not believed or data in known, "a changed signature was believed"
    _read_or_refused(lambda: cose.parse_edition(data))


def proof(data: bytes) -> None:
    """A proof is believed just if the recursion of RFC 9162 leads from it to the roots."""
    try:
        value = decode(data)
    except Refusal:
        return
    match value:
        case ["inclusion", bytes(leaf), int(index), int(size), list(path), bytes(root)]:
            if all(isinstance(one, bytes) for one in path):
                held = _holds(lambda: verify_inclusion(leaf, index, size, path, root))
                if 0 <= index < size <= _LARGEST_PROOF:
                    assert held == (_inclusion_root(leaf, index, size, list(path)) == root)
        case ["consistency", int(first), int(second), bytes(old), bytes(new), list(path)]:
            if all(isinstance(one, bytes) for one in path):
                held = _holds(lambda: verify_consistency(first, second, old, new, path))
                if 0 < first < second <= _LARGEST_PROOF:
                    assert held == (_consistent(first, second, old, list(path)) == (old, new))
        case _:
            pass


def _holds(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refusal:
        return False
    return True


def _inclusion_root(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """Return the root that a path leads to, None where its length is another (section 2.1.3)."""
    if any(len(one) != 32 for one in [leaf, *path]):
        return None
    if size == 1:
        return None if path else leaf
    if not path:
        return None
    top, split = path.pop(), _split(size)
    if index < split:
        left, right = _inclusion_root(leaf, index, split, path), top
        return None if left is None else node_hash(left, right)
    inner = _inclusion_root(leaf, index - split, size - split, path)
    return None if inner is None else node_hash(top, inner)


def _consistent(
    first: int, second: int, old: bytes, path: list[bytes], *, whole: bool = True
) -> tuple[bytes, bytes] | None:
    """Return both roots that a path leads to, None where it has another length (section 2.1.4)."""
    if any(len(one) != 32 for one in [old, *path]):
        return None
    if first == second:
        if whole:
            return None if path else (old, old)
        return (path[0], path[0]) if len(path) == 1 else None
    if not path:
        return None
    top, split = path.pop(), _split(second)
    if first <= split:
        inner = _consistent(first, split, old, path, whole=whole)
        return None if inner is None else (inner[0], node_hash(inner[1], top))
    inner = _consistent(first - split, second - split, old, path, whole=False)
    return None if inner is None else (node_hash(top, inner[0]), node_hash(top, inner[1]))


def _split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1


_pattern = AttemptPattern()


def entry(data: bytes) -> None:
    """What the pattern takes is what the reader of any entry makes of it."""
    quick = _pattern.read(data)
    try:
        exact = read_entry(data, 0)
        event = read_event(exact)
    except Refusal:
        assert quick is None, "the pattern takes what the reader refuses"
        return
    assert len(data) <= MAX_ENTRY_BYTES
    if quick is not None:
        assert quick[0] == exact
        assert quick[1] == event


def source(data: bytes) -> None:
    """What a file is read as, its records give again, one by one (IMPORT-6, IMPORT-38)."""
    importer = ReplaybookImporter()
    _read_or_refused(lambda: parse(data, "file"))
    _put_together(data)
    try:
        reading = importer.read(io.BytesIO(data), "file")
    except Refusal:
        return
    try:
        context: Any = None
        for record in reading.records(0):
            said = msgspec.to_builtins(record.event, builtin_types=(bytes,))
            body = encode(said)
            assert decode(body) is not None
            raw = record.blobs.get("record", b"")
            if record.event.wire == "release.reported/1":
                context = importer.context(raw)
            if record.event.wire in ("record.quarantined/1", "source.imported/1"):
                continue
            fields = importer.extract(record.event.wire, raw, context)
            stands: Any = decode(body)
            assert {name: stands[name] for name in fields} == fields
    finally:
        reading.close()


def _put_together(data: bytes) -> None:
    """Envelope and rows are the file again (IMPORT-6)."""
    try:
        split = Split(io.BytesIO(data), "runs", "file")
        rows = [raw for _, raw, _ in split]
        envelope_ = split.envelope()
    except Refusal:
        return
    assert reassemble(envelope_, "runs", rows) == data


def conditions(data: bytes) -> None:
    """Conditions have rules, or are refused."""
    try:
        read = read_conditions(data.decode("utf-8", "replace"), "conditions")
    except Refusal:
        return
    assert read.rules


def numbers(data: bytes) -> None:
    """Numbers and times that are read have one text, which reads back."""
    text = data.decode("utf-8", "surrogateescape")
    with suppress(Refusal):
        assert decimal_text(parse_decimal(text)) == text
    with suppress(Refusal):
        once = read_number(text)
        assert len(once) > DIGITS_LIMIT or read_number(once) == once
    with suppress(Refusal):
        assert instant_text(parse_instant(text)) == text
    with suppress(Refusal):
        parse_instant(read_instant(text))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    with suppress(Refusal):
        assert quotient(fraction_of(value)) == value


def policy(data: bytes) -> None:
    """A policy is read or refused, and its rules with it, for whatever it names itself."""
    with suppress(Refusal):
        assert check_document(data)
    with suppress(Refusal):
        read = parse_policy(data)
        for rules in (status_rules, disclosure_rules):
            with suppress(Refusal):
                rules(read)
