"""What to tell whoever reads a file that is not what it should be; needs no typer.

A refusal's own remedy is for whoever made the thing at fault. Whoever received a bundle did not
make it, and can only fetch it again, ask for another, or refuse it.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from canon.refusal import Refusal
from signing.errors import RootShape

from .edge import read_file

if TYPE_CHECKING:
    from io import BufferedReader

    from ledger.verify.verdict import Fault, Verdict

BUNDLE, TRUST_ROOT = "a bundle", "a trust root"
_HEAD_BYTES = 4_096
_MAP = 0xA0  # the first byte of a CBOR map of up to 23 pairs, without their number
_MAGIC = (
    (b"SQLite format 3\0", "an SQLite file, such as a ledger"),
    (b"-----BEGIN", "a key or certificate in PEM"),
    (b"\x1f\x8b", "a file compressed with gzip"),
    (b"PK\x03\x04", "a zip file"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd"),
)
_DOCUMENTS = (
    (b"coldledger/trust-root/", TRUST_ROOT),
    (b"coldledger/policy/", "a policy"),
    (b"coldledger/manifest/", "a manifest"),
)

_NOT_A_BUNDLE = "this is no bundle: give a file that `coldledger edition export` wrote"
_NOT_A_ROOT = "give the file of a trust root, such as keys/trust-root.cbor"
_CHANGED = "the file is not as it was exported: fetch it again from its publisher"
_REWRITTEN = f"keep this file as evidence: {_CHANGED}"
_FILED = "refuse the bundle: its log leaves out, moves or repeats what a file reported"
_NOT_ALLOWED = (
    "make sure that the trust root is the one of this log; if it is, refuse the bundle: it holds a"
    " decision that was not allowed"
)
_UNSIGNED = "ask the publisher for the bundle with the signatures that the trust root demands"
_BY_STEP = {
    "framing": _CHANGED,
    "canonical": _CHANGED,
    "chain": _REWRITTEN,
    "authority": _NOT_ALLOWED,
    "signatures": _UNSIGNED,
}
_SAID_WELL = frozenset({"E_TRUNCATED", "E_EVENT_TYPE", "E_IMPORTER", "E_POLICY_UNKNOWN"})


def head_of(stream: "BufferedReader") -> bytes:
    """Return the first bytes of a file without consuming them."""
    return stream.peek(_HEAD_BYTES)[:_HEAD_BYTES]


def kind_of(head: bytes) -> str | None:
    """Return what a file looks like by its first bytes; None where that says nothing."""
    if not head:
        return "an empty file"
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if b"coldledger/bundle/" in head[:32]:
        return BUNDLE
    if head[0] & 0xE0 == _MAP:
        for name, kind in _DOCUMENTS:
            if name in head:
                return kind
    try:
        text = head.decode("utf-8-sig", "strict" if len(head) < _HEAD_BYTES else "ignore")
    except UnicodeDecodeError:
        return None
    if text.lstrip()[:1] in ("{", "["):
        return "JSON"
    if "\n\n— " in text:
        return "a signed note, such as a checkpoint"
    return "text" if "\0" not in text and text.isascii() else None


def other_kind(refusal: Refusal, path: Path, head: bytes) -> Refusal:
    """Return *refusal* of a bundle, saying what the file is where its first bytes tell."""
    kind = kind_of(head)
    if kind in (None, BUNDLE):
        return refusal
    got = f"a file that looks like {kind}"
    return type(refusal)(str(path), got, BUNDLE, offset=refusal.offset, remedy=_NOT_A_BUNDLE)


def root_bytes(path: Path) -> bytes:
    """Read the file of a trust root, whose bytes somebody else is going to judge.

    Raises:
        RootShape: It is a file of another kind.
    """
    data = read_file(path, TRUST_ROOT)
    kind = kind_of(data[:_HEAD_BYTES])
    if kind not in (None, TRUST_ROOT):
        got = f"a file that looks like {kind}"
        raise RootShape(str(path), got, TRUST_ROOT, remedy=_NOT_A_ROOT)
    return data


def tell_reader(verdict: "Verdict", place: str, head: bytes) -> None:
    """Put a hint for readers into the verdict on a bundle, and what the file is if it is none."""
    if verdict.error is not None:
        verdict.error = _for_reader(verdict.error, place, head)


def _for_reader(fault: "Fault", place: str, head: bytes) -> "Fault":
    from msgspec.structs import replace

    from ledger.errors import ChainBroken

    kind = kind_of(head)
    if fault.step in ("framing", "limits") and kind not in (None, BUNDLE):
        message = f"{place}: got a file that looks like {kind}, expected a bundle"
        return replace(fault, message=message, hint=_NOT_A_BUNDLE)
    if fault.code in _SAID_WELL or fault.step not in _BY_STEP:
        return fault
    if fault.step == "chain" and fault.code != ChainBroken.code:
        return replace(fault, hint=_FILED)
    if fault.step == "chain" and fault.hint != ChainBroken.remedy:
        return fault  # where the log begins, it is told what else can be the matter
    if fault.step == "framing" and not fault.offset:
        return replace(fault, hint=f"if this is a bundle, {_CHANGED}")
    return replace(fault, hint=_BY_STEP[fault.step])
