"""Vectors for notes, verifier keys, checkpoints and cosignatures (SIGN-28 to SIGN-45)."""

import base64
from typing import Any

from signing_fixtures import ORIGIN, accept, flipped, key, refuse

from canon.digest import sha256
from signing import (
    COSIGNATURE,
    ED25519,
    NoteSignature,
    PrivateKey,
    VerifierKey,
    cosign,
    key_id,
    render_note,
    sign_checkpoint,
)
from signing.note import cosigned

Vectors = list[dict[str, Any]]

LOG, WITNESS = key("log one"), key("witness.example/a")
NAME = "witness.example/a"
TIME = 1_790_000_000
ROOT_HASH = sha256(b"some tree")
BODY = f"{ORIGIN}\n7\n{base64.b64encode(ROOT_HASH).decode()}\n".encode()
# Found by trying 75,632 keys: one 32-bit key id under the name of the log.
COLLIDING = (key("collision 310"), key("collision 75631"))
TEXT = b"a text\nof two lines\n"


def vkey(signer: PrivateKey, name: str = ORIGIN, kind: int = ED25519) -> str:
    """Return the verifier key of a test key."""
    return VerifierKey(name, kind, signer.public).text()


def line(signer: PrivateKey, text: bytes, name: str = ORIGIN) -> NoteSignature:
    """Return a signature line of a test key."""
    return NoteSignature(name, key_id(name, ED25519, signer.public) + signer.sign(text))


def notes() -> Vectors:
    """Return vectors for signed notes."""
    good = line(LOG, TEXT)
    note = render_note(TEXT, [good])
    other = line(key("mallory"), TEXT, "mallory.example")
    encoded = base64.b64encode(good.data)
    # 68 bytes leave four unread bits in the last character before the padding.
    respelled = encoded[:-2] + bytes([encoded[-2] + 1]) + b"="
    in_line, form = ("SIGN-30", "E_NOTE"), ("SIGN-29", "E_NOTE")
    return [
        accept("one", "SIGN-32", "One line by the known key.", note=note),
        accept(
            "unknown-beside",
            "SIGN-34",
            "A line by an unknown key is ignored, whatever it holds.",
            note=render_note(TEXT, [other, good]),
        ),
        accept(
            "same-name",
            "SIGN-34",
            "A line under the known name with another key id is ignored.",
            note=render_note(TEXT, [line(key("mallory"), TEXT), good]),
        ),
        refuse("invalid-utf-8", "SIGN-28", "E_NOTE", "ff in front.", note=b"\xff" + note),
        refuse("control", "SIGN-28", "E_NOTE", "A tab in the text.", note=b"\t" + note),
        refuse("no-signatures", *form, "The text alone.", note=TEXT),
        refuse("empty-block", *form, "No line after the empty one.", note=TEXT + b"\n"),
        refuse("no-newline", *form, "The last byte is missing.", note=note[:-1]),
        refuse("junk", *form, "Another line at the end.", note=note + b"junk\n"),
        refuse(
            "101-lines",
            *form,
            "More than 100 signatures.",
            note=render_note(TEXT, [good]) + note[len(TEXT) + 1 :] * 100,
        ),
        refuse("name-space", *in_line, "A space.", note=_noted(b"a name", encoded)),
        refuse("name-plus", *in_line, "A plus.", note=_noted(b"a+name", encoded)),
        refuse("name-empty", *in_line, "No name.", note=_noted(b"", encoded)),
        refuse("respelled", *in_line, "Unread bits.", note=note.replace(encoded, respelled)),
        refuse("unpadded", *in_line, "No padding.", note=note.replace(encoded, encoded[:-1])),
        refuse("url-safe", *in_line, "Characters of RFC 4648 §5.", note=_noted(b"n", b"-_-_-_-_")),
        refuse("four-bytes", *in_line, "A key id alone.", note=_noted(b"n", b"AAAAAA==")),
        refuse(
            "key-ids-collide",
            "SIGN-31",
            "E_KEY_AMBIGUOUS",
            "Two known keys with one name and one key id.",
            note=render_note(TEXT, [line(COLLIDING[0], TEXT)]),
            known=[vkey(signer) for signer in COLLIDING],
        ),
        refuse(
            "wrong-signature",
            "SIGN-32",
            "E_SIG",
            "The known key's line belongs to another text.",
            note=render_note(TEXT, [line(LOG, TEXT + b"more\n")]),
        ),
        refuse(
            "unknown-only",
            "SIGN-33",
            "E_NO_CHECKPOINT",
            "No line by the known key.",
            note=render_note(TEXT, [other]),
        ),
    ]


def _noted(name: bytes, encoded: bytes) -> bytes:
    return TEXT + "\n— ".encode() + name + b" " + encoded + b"\n"


def vkeys() -> Vectors:
    """Return vectors for verifier keys."""
    good = vkey(LOG)
    name, hexed, material = good.split("+", 2)
    bad = ("SIGN-35", "E_VKEY")
    ecdsa = base64.b64encode(b"\x02" + LOG.public).decode()
    of_ecdsa = sha256(f"{ORIGIN}\n".encode() + b"\x02" + LOG.public)[:4].hex()
    longer = base64.b64encode(b"\x01" + LOG.public + b"\x00").decode()
    return [
        accept("log", "SIGN-35", "Type 1.", text=good),
        accept("witness", "SIGN-35", "Type 4.", text=vkey(WITNESS, NAME, COSIGNATURE)),
        refuse("two-parts", *bad, "No key.", text=f"{name}+{hexed}"),
        refuse("other-id", *bad, "Not this key's id.", text=f"{name}+00000000+{material}"),
        refuse("upper-case", *bad, "Hex in capitals.", text=f"{name}+{hexed.upper()}+{material}"),
        refuse("name-space", *bad, "A space in the name.", text=f"a {good}"),
        refuse("type-2", *bad, "ECDSA.", text=f"{name}+{of_ecdsa}+{ecdsa}"),
        refuse("long", *bad, "33 bytes of key.", text=f"{name}+{hexed}+{longer}"),
        refuse("unpadded", *bad, "No padding.", text=good.rstrip("=") + "=="),
    ]


def checkpoints() -> Vectors:
    """Return vectors for a checkpoint's body and the log's bare signature."""
    good = sign_checkpoint(LOG, ORIGIN, BODY)
    form = ("SIGN-36", "E_NOTE")
    encoded = base64.b64encode(ROOT_HASH)
    respelled = encoded[:-2] + bytes([encoded[-2] + 1]) + b"="
    big = BODY.replace(b"\n7\n", b"\n9223372036854775808\n")

    def body(name: str, comment: str, data: bytes) -> dict[str, Any]:
        signature = good[:4] + LOG.sign(data)
        return refuse(name, *form, comment, body=data, signature=signature)

    return [
        accept("good", "SIGN-40", "A signature of the log.", signature=good),
        body("extension", "A fourth line.", BODY + b"more\n"),
        body("two-lines", "No root.", BODY[: BODY.index(b"7") + 2]),
        body("no-newline", "The last byte is missing.", BODY[:-1]),
        body("crlf", "Carriage returns.", BODY.replace(b"\n", b"\r\n")),
        body("zero-in-front", "Size 07.", BODY.replace(b"\n7\n", b"\n07\n")),
        body("size-signed", "Size +7.", BODY.replace(b"\n7\n", b"\n+7\n")),
        body("size-arabic", "A digit of another script.", BODY.replace(b"\n7\n", "\n٧\n".encode())),
        body("size-2-63", "Size 2^63.", big),
        body("root-respelled", "Unread bits.", BODY.replace(encoded, respelled)),
        body("root-short", "31 bytes.", BODY.replace(encoded, base64.b64encode(ROOT_HASH[:31]))),
        body("origin-empty", "No origin.", BODY[len(ORIGIN) :]),
        body("origin-hash", "A # in the origin.", b"#" + BODY),
        body("invalid-utf-8", "ff in front.", b"\xff" + BODY),
        refuse(
            "other-log",
            "SIGN-37",
            "E_ORIGIN",
            "Another log's checkpoint.",
            body=BODY.replace(b"/one", b"/two"),
            signature=good[:4] + LOG.sign(BODY.replace(b"/one", b"/two")),
        ),
        refuse("short", "SIGN-38", "E_NOTE", "67 bytes.", signature=good[:-1]),
        refuse("long", "SIGN-38", "E_NOTE", "69 bytes.", signature=good + b"\x00"),
        refuse("key-id", "SIGN-39", "E_KEY_UNKNOWN", "Another id.", signature=flipped(good, 0)),
        refuse("flipped", "SIGN-40", "E_SIG", "One bit of S.", signature=flipped(good, 50)),
        refuse(
            "other-size",
            "SIGN-40",
            "E_SIG",
            "The signature of size 8.",
            signature=sign_checkpoint(LOG, ORIGIN, BODY.replace(b"\n7\n", b"\n8\n")),
        ),
    ]


def checkpoint_notes() -> Vectors:
    """Return vectors for checkpoints as notes."""
    log = NoteSignature(ORIGIN, sign_checkpoint(LOG, ORIGIN, BODY))
    cosignature = NoteSignature(NAME, cosign(WITNESS, NAME, BODY, TIME))
    return [
        accept(
            "cosigned",
            "SIGN-41",
            "By the log and a witness.",
            note=render_note(BODY, [log, cosignature]),
        ),
        refuse(
            "witness-only",
            "SIGN-41",
            "E_NO_CHECKPOINT",
            "A valid cosignature is not the log's signature.",
            note=render_note(BODY, [cosignature]),
        ),
        refuse(
            "cosignature-wrong",
            "SIGN-32",
            "E_SIG",
            "A known witness's line fails.",
            note=render_note(BODY, [log, NoteSignature(NAME, flipped(cosignature.data, 60))]),
        ),
        refuse(
            "no-checkpoint",
            "SIGN-36",
            "E_NOTE",
            "A signed note of another text.",
            note=render_note(TEXT, [line(LOG, TEXT)]),
        ),
    ]


def cosignatures() -> Vectors:
    """Return vectors for one cosignature."""
    good = cosign(WITNESS, NAME, BODY, TIME)
    late = (2**63).to_bytes(8, "big")
    without_time = good[:12] + WITNESS.sign(BODY)
    return [
        accept("good", "SIGN-42", "A cosignature, with no clock.", cosignature=good),
        accept("now", "SIGN-43", "Made this second.", cosignature=good, now=TIME),
        refuse("short", "SIGN-38", "E_NOTE", "75 bytes.", cosignature=good[:-1]),
        refuse("type-1", "SIGN-38", "E_NOTE", "68 bytes.", cosignature=good[:4] + good[12:]),
        refuse(
            "key-id-type-1",
            "SIGN-39",
            "E_KEY_UNKNOWN",
            "The id that the key has for notes.",
            cosignature=key_id(NAME, ED25519, WITNESS.public) + good[4:],
        ),
        refuse("time", "SIGN-42", "E_SIG", "Another time.", cosignature=flipped(good, 11)),
        refuse("no-time", "SIGN-42", "E_SIG", "Signed as a note.", cosignature=without_time),
        refuse("flipped", "SIGN-42", "E_SIG", "One bit of S.", cosignature=flipped(good, 60)),
        refuse(
            "future",
            "SIGN-43",
            "E_TIMESTAMP",
            "A second later than the clock.",
            cosignature=good,
            now=TIME - 1,
        ),
        refuse(
            "time-2-63",
            "SIGN-43",
            "E_TIMESTAMP",
            "2^63 seconds.",
            cosignature=good[:4] + late + WITNESS.sign(cosigned(BODY, late)),
        ),
    ]


def newer() -> Vectors:
    """Return vectors for a checkpoint after one that was kept."""
    eight = BODY.replace(b"\n7\n", b"\n8\n")
    other = BODY.replace(base64.b64encode(ROOT_HASH), base64.b64encode(sha256(b"another tree")))
    return [
        accept("equal", "SIGN-44", "The same checkpoint.", kept=BODY, new=BODY),
        accept("larger", "SIGN-44", "One entry more.", kept=BODY, new=eight),
        refuse("smaller", "SIGN-44", "E_ROLLBACK", "One entry less.", kept=eight, new=BODY),
        refuse("split", "SIGN-45", "E_SPLIT_VIEW", "Another root.", kept=BODY, new=other),
        refuse(
            "other-log",
            "SIGN-37",
            "E_ORIGIN",
            "Another log's checkpoint.",
            kept=BODY,
            new=eight.replace(b"/one", b"/two"),
        ),
    ]
