"""Notes, checkpoints and cosignatures: round trips, mutations, and what is ignored."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import signing
from canon.refusal import Refusal
from signing import COSIGNATURE, ED25519, Checkpoint, NoteSignature, PrivateKey, VerifierKey
from signing.errors import (
    CosignatureTime,
    NoteMalformed,
    OtherOrigin,
    SignatureInvalid,
)

Maker = Callable[[str], PrivateKey]

ORIGIN = "log.example/t"
HEAD = Checkpoint(ORIGIN, 41, bytes(range(32)))


def _log_key(key: Maker) -> VerifierKey:
    return VerifierKey(ORIGIN, ED25519, key("log").public)


def _note(key: Maker) -> bytes:
    body = HEAD.body()
    signature = signing.sign_checkpoint(key("log"), ORIGIN, body)
    cosignature = signing.cosign(key("w"), "w.example", body, 1_700_000_000)
    return signing.render_checkpoint(body, signature, [("w.example", cosignature)])


def test_a_checkpoint_reads_back(key: Maker) -> None:
    """Body, bare signature and note all give the same head."""
    body = HEAD.body()
    assert signing.parse_checkpoint(body) == HEAD
    signature = signing.sign_checkpoint(key("log"), ORIGIN, body)
    assert len(signature) == 68
    assert signing.verify_checkpoint(signature, body, ORIGIN, key("log").public) == HEAD
    assert signing.open_checkpoint(_note(key), [_log_key(key)]) == HEAD


def test_a_cosignature_gives_its_time(key: Maker) -> None:
    """With and without a clock; the clock may stand at that very second."""
    body = HEAD.body()
    cosignature = signing.cosign(key("w"), "w.example", body, 1_700_000_000)
    assert len(cosignature) == 76
    for now in (None, 1_700_000_000):
        time = signing.verify_cosignature(cosignature, body, "w.example", key("w").public, now=now)
        assert time == 1_700_000_000


def test_every_flipped_bit_of_a_checkpoint_note_is_refused(key: Maker) -> None:
    """In text, names, log signature and cosignature, when both signers are known."""
    note = _note(key)
    known = [_log_key(key), VerifierKey("w.example", COSIGNATURE, key("w").public)]
    assert signing.open_checkpoint(note, known) == HEAD
    ignored = 0
    for bit in range(len(note) * 8):
        changed = bytearray(note)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            assert signing.open_checkpoint(bytes(changed), known) == HEAD
            ignored += 1
        except Refusal:
            continue
    # What still opens are lines that became another signer's: the witness's name or key id.
    assert ignored <= 8 * (len("w.example") + 6)
    with pytest.raises(SignatureInvalid):
        signing.open_checkpoint(note.replace(b"\n41\n", b"\n42\n"), known)


def test_a_body_of_another_log_is_not_signed(key: Maker) -> None:
    """The log's key name is the origin, so the two must agree."""
    with pytest.raises(OtherOrigin):
        signing.sign_checkpoint(key("log"), "log.example/other", HEAD.body())


@pytest.mark.parametrize(
    "head",
    [
        Checkpoint("a log", 1, bytes(32)),
        Checkpoint("", 1, bytes(32)),
        Checkpoint("a\nb", 1, bytes(32)),
        Checkpoint("x" * 257, 1, bytes(32)),
        Checkpoint(ORIGIN, -1, bytes(32)),
        Checkpoint(ORIGIN, 2**63, bytes(32)),
        Checkpoint(ORIGIN, 1, bytes(31)),
    ],
)
def test_a_head_that_would_not_read_back_is_not_written(head: Checkpoint) -> None:
    """Writing refuses what reading refuses."""
    with pytest.raises(NoteMalformed):
        head.body()


@pytest.mark.parametrize("time", [-1, 2**63])
def test_a_time_outside_its_range_is_not_cosigned(key: Maker, time: int) -> None:
    """Eight bytes, of which the first bit is zero."""
    with pytest.raises(CosignatureTime):
        signing.cosign(key("w"), "w.example", HEAD.body(), time)


BLOCK = "text\n\n— b AAAAAAA=".encode()


@pytest.mark.parametrize("text", [b"no newline", b"", b"a tab\t\n", b"\xff\n", b"a\n\nb", BLOCK])
def test_a_text_that_would_not_read_back_is_not_rendered(text: bytes) -> None:
    """A text ends in a newline; without, its end would join the signatures."""
    with pytest.raises(NoteMalformed):
        signing.render_note(text, [NoteSignature("a", bytes(5))])


@pytest.mark.parametrize("text", [b"a\n\nb\n", b"a\n\n\n", BLOCK + b"\n"])
def test_a_text_may_hold_empty_lines(text: bytes) -> None:
    """The last empty line separates, so what looks like signatures before it is text."""
    line = NoteSignature("a", bytes(5))
    note = signing.parse_note(signing.render_note(text, [line]))
    assert (note.text, note.signatures) == (text, (line,))


def test_a_note_without_signatures_is_not_rendered() -> None:
    """One signature at least."""
    with pytest.raises(NoteMalformed):
        signing.render_note(b"text\n", [])


def test_a_key_may_sign_under_two_types(key: Maker) -> None:
    """The type is in the key id, so a cosignature is never taken for a log's signature."""
    ids = {signing.key_id(ORIGIN, kind, key("log").public) for kind in (ED25519, COSIGNATURE)}
    assert len(ids) == 2


def test_a_cosignature_line_of_another_length_is_refused(key: Maker) -> None:
    """A known witness's line of type 4 has 76 bytes."""
    witness = VerifierKey("w.example", COSIGNATURE, key("w").public)
    line = NoteSignature("w.example", witness.id + key("w").sign(HEAD.body()))
    with pytest.raises(SignatureInvalid):
        signing.open_note(signing.render_note(HEAD.body(), [line]), [witness])


def test_repeated_unknown_lines_are_reported_once(key: Maker) -> None:
    """As in Go: what is ignored is listed without repetition."""
    log = NoteSignature(ORIGIN, signing.sign_checkpoint(key("log"), ORIGIN, HEAD.body()))
    stranger = NoteSignature("stranger", bytes(10))
    note = signing.render_note(HEAD.body(), [stranger, log, stranger, log])
    opened = signing.open_note(note, [_log_key(key)])
    assert (opened.verified, opened.unverified) == ((log,), (stranger,))


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data: bytes) -> None:
    """Parsers of notes and checkpoints raise nothing but refusals."""
    mark = "\n\n— ".encode()
    for parse in (signing.parse_note, signing.parse_checkpoint):
        for note in (data, data + mark + data + b"\n", b"a\n" + data + b"\n\n"):
            try:
                parse(note)
            except Refusal:
                continue


@given(st.text(max_size=120))
def test_random_text_is_no_vkey(text: str) -> None:
    """The parser of verifier keys raises nothing but refusals."""
    for vkey in (text, f"a+{text}", f"a+00000000+{text}"):
        with pytest.raises(Refusal):
            signing.parse_vkey(vkey)


@given(st.binary(max_size=100))
def test_random_signatures_are_refused(data: bytes) -> None:
    """Verifying bare signatures raises nothing but refusals."""
    body, public = HEAD.body(), PrivateKey.generate(bytes(32)).public
    known = signing.key_id(ORIGIN, ED25519, public)
    cosigner = signing.key_id(ORIGIN, COSIGNATURE, public)
    for signature in (data, (known + data + bytes(64))[:68]):
        with pytest.raises(Refusal):
            signing.verify_checkpoint(signature, body, ORIGIN, public)
    for signature in (data, (cosigner + data + bytes(72))[:76]):
        with pytest.raises(Refusal):
            signing.verify_cosignature(signature, body, ORIGIN, public)
