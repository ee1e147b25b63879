"""One reader and one input that would cost more than it weighs, when run as a program.

Prints how long the reader took, in seconds of the processor, the peak of memory in MiB beside
the input, and the code of the refusal, null where there is none.
"""

import gc
import io
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from canon import Limit, Refusal, array_head, decode, encode, head, sha256
from canon.heads import bytes_item, text_item, uint_item
from ledger.bundle import read_items
from ledger.bundle.items import ManifestItem
from ledger.bundle.reader import Core
from ledger.importers.source_json import parse
from ledger.importers.source_rows import Split
from ledger.verify.bundle import verify_bundle
from ledger.verify.conditions import read_conditions
from ledger.verify.question import Question
from signing.note import parse_note
from signing.trust import parse_root

VECTORS = Path(__file__).resolve().parents[1] / "specs" / "vectors" / "bundles"
ITEMS = 2**20
MIB_16 = 16 * 2**20

Bomb = tuple[Callable[[bytes], object], Callable[[], bytes]]


def bundle(manifest: bytes) -> bytes:
    """Return a bundle that ends behind its manifest."""
    return b"".join(
        (
            array_head(2) + uint_item(0) + text_item("coldledger/bundle/1"),
            array_head(2) + uint_item(1) + bytes_item(manifest),
        )
    )


def verified(data: bytes) -> None:
    """Verify a bundle from nothing but itself; the verdict of these is about their manifest."""
    root = (VECTORS / "trust-root-1.cbor").read_bytes()
    verdict, _ = verify_bundle(io.BytesIO(data), Question([root]))
    if verdict.error is not None and verdict.error.code == Limit.code:
        raise Limit("bundle", verdict.error.message, "less")


def full() -> bytes:
    """Return a bundle whose manifest and documents keep every limit, up to its first entry."""
    with (VECTORS / "lean.bundle").open("rb") as stream:
        manifest = next(
            decode(item.data)
            for item in read_items(stream, Core())
            if isinstance(item, ManifestItem)
        )
    documents = {sha256(data): data for data in (bytes([n]) * MIB_16 for n in range(4))}
    deep: list[Any] = []
    for _ in range(12):
        deep = [deep]
    figures = {"figures": {"a": [deep] * (ITEMS // 14)}, "docs": sorted(documents)}
    return b"".join(
        (
            bundle(encode({**manifest, **figures})),
            *(
                array_head(3) + uint_item(2) + bytes_item(digest) + bytes_item(data)
                for digest, data in sorted(documents.items())
            ),
            array_head(3) + uint_item(3) + uint_item(0) + array_head(1) + bytes_item(b"\x80"),
        )
    )


def rows(data: bytes) -> None:
    """Take a file of results apart."""
    for _ in Split(io.BytesIO(data), "runs", "file"):
        pass


def json_value(data: bytes) -> None:
    """Read a record."""
    parse(data, "record")


def toml(data: bytes) -> None:
    """Read conditions."""
    read_conditions(data.decode(), "conditions")


def lines() -> Iterator[bytes]:
    """Yield lines of TOML, each of which is looked up below the table that they stand in."""
    return (b"%x=1\n" % number for number in range(600))


def filled(item: bytes, items: int = 1, *, behind: bytes = b"") -> bytes:
    """Return an array of as many of *item*, which is so many *items*, as the limit allows."""
    count = (ITEMS - 1 - bool(behind)) // items
    return array_head(count + bool(behind)) + item * count + behind


def paths() -> bytes:
    """Return a manifest's figures, 16 MiB of them."""
    return encode(
        {f"system/agent+model+effort/task/{n:08}@1/passed": n % 9 for n in range(300_000)}
    )


BOMBS: dict[str, Bomb] = {
    "arrays-16-mib": (decode, lambda: head(4, MIB_16 - 5) + b"\x80" * (MIB_16 - 5)),
    "maps-within": (decode, lambda: filled(b"\xa1\x00" * 14 + b"\x80", 29)),
    "maps-and-a-fault": (decode, lambda: filled(b"\xa1\x00" * 14 + b"\x80", 29, behind=b"\xf7")),
    "wide-text": (decode, lambda: encode("🫠" + "a" * (MIB_16 - 9))),
    "figures": (decode, paths),
    "bundle": (verified, lambda: bundle(head(4, MIB_16 - 5) + b"\x80" * (MIB_16 - 5))),
    "bundle-full": (verified, full),
    "root": (parse_root, lambda: filled(b"\x80")[: 2**20]),
    "note": (parse_note, lambda: b"\n" * MIB_16),
    "json-arrays": (json_value, lambda: b"[" + b"[]," * 5_000_000 + b"[]]"),
    "json-nested": (json_value, lambda: b"[" + b'{"":' * 60 * 60_000),
    "json-numbers": (rows, lambda: b'{"x":[' + b"1.5," * 4_000_000 + b"0]}"),
    "json-escapes": (rows, lambda: b'{"x":' + b"[" * 2_000 + b'"' + b'\\"' * 7_000_000),
    "json-members": (rows, lambda: b"{" + b",".join(b'"%d":0' % n for n in range(10**6)) + b"}"),
    "toml-tables": (toml, lambda: b"[" + b"a." * 2_000 + b"a]\n" + b"".join(lines())),
}  # fmt: skip


def _peak_mib() -> int:
    """Return the most memory that this process had; what `resource` says counts its parent in."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) // 1_024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024


def main(name: str) -> None:
    """Set one off."""
    read, make = BOMBS[name]
    data = make()
    gc.collect()
    code: str | None = None
    begun = time.process_time()
    try:
        read(data)
    except Refusal as refusal:
        code = refusal.code
    taken = time.process_time() - begun
    # A bundle is read from its file: what is held here to be read is none of its reader's.
    peak = _peak_mib() - len(data) // 2**20
    sys.stdout.write(json.dumps({"seconds": taken, "mib": peak, "code": code}))


if __name__ == "__main__":
    main(sys.argv[1])
