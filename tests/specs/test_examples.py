"""What the pages show is what the vectors hold."""

import io
import json
import re
from pathlib import Path
from typing import Any

from bundle_decisions import exclusion, with_decision
from bundle_vector import FREEZE, lean
from bundle_world import world

from canon import decode, leaf_hash, root_of
from canon.digest import sha256
from ledger.bundle import read_items
from ledger.bundle.reader import Core
from ledger.entry import genesis
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question

SPECS = Path(__file__).resolve().parents[2] / "specs"
BUNDLES = SPECS / "vectors" / "bundles"


def example(page: str) -> str:
    """Return the example of a page."""
    text = (SPECS / page).read_text(encoding="utf-8")
    return text.partition("## Example\n")[2].partition("\n## Conventions")[0]


def test_the_entry_of_the_events_page() -> None:
    """Its length, the decision in it, and the leaf that it targets."""
    text, data = example("events.md"), with_decision(exclusion()).made().entries[FREEZE]
    entry: Any = decode(data)
    says: Any = decode(entry["body"]["decision"])
    assert f"{len(data)} bytes" in text
    assert f"{len(entry['body']['decision'])} bytes" in text
    assert f"{len(entry['body']['signatures'][0])} bytes" in text
    assert f"h'{entry['prev'].hex()[:16]}…'" in text
    assert f'"attempt": "{says["attempt"]}"' in text
    assert f"[[4, h'{says['target'][0][1].hex()[:16]}…']]" in text
    assert f"h'{says['nonce'].hex()[:8]}…'" in text


def test_the_log_of_the_chain_page() -> None:
    """Every link, leaf and root."""
    text, made = example("chain.md"), lean().made()
    digest = sha256(lean().root)
    assert f"`{digest.hex()[:16]}…`" in text
    assert f"`{genesis('log.example/drills', digest).hex()[:16]}…`" in text
    leaves = [leaf_hash(data) for data in made.entries]
    rows = re.findall(r"^\| (\d) \| `(.*)` \| `(.*)` \| `(.*)` \| `(.*)` \|$", text, re.MULTILINE)
    expected = []
    for seq, data in enumerate(made.entries):
        entry: Any = decode(data)
        hashes = (entry["prev"], leaves[seq], root_of(leaves[: seq + 1]))
        expected.append((str(seq), entry["type"], *(one.hex()[:16] for one in hashes)))
    assert rows == expected


def test_the_file_of_the_bundle_page() -> None:
    """Every offset, the bytes that stand there, and the digest of the core."""
    text, data = example("bundle.md"), (BUNDLES / "lean.bundle").read_bytes()
    assert f"{len(data):,} bytes" in text
    offsets = [item.offset for item in read_items(io.BytesIO(data), Core())]
    shown = re.findall(r"^(?:byte)? +(\d+)  ((?:[0-9a-f]+ ?)+)", text, re.MULTILINE)
    assert [int(offset) for offset, _ in shown] == offsets
    for offset, digits in shown:
        first = bytes.fromhex(digits.replace(" ", ""))
        assert data[int(offset) :].startswith(first)
    assert f"the first {offsets[-1]:,} bytes" in text
    assert f"`{sha256(data[: offsets[-1]]).hex()}`" in " ".join(text.split())


def test_the_verdict_of_the_verify_page() -> None:
    """The error, and the numbers beside it."""
    text, data = example("verify.md"), (BUNDLES / "figure-edited.bundle").read_bytes()
    root = (BUNDLES / "trust-root-1.cbor").read_bytes()
    document = verify_bundle(io.BytesIO(data), Question([root]))[0].document()
    for name in ("code", "message", "hint", "step", "seq", "offset"):
        assert f'"{name}": {json.dumps(document["error"][name])}' in text
    for name in ("edition", "size", "withheld", "redacted", "figures", "extraction"):
        assert f'"{name}": {json.dumps(document[name])}' in text
    assert f'"root": "{document["root"][:16]}…"' in text


def test_the_ledger_of_the_store_page() -> None:
    """The lengths of the first entries after `init`."""
    text = example("store.md")
    with world() as made:
        rows = [f"{seq}|{len(data)}" for seq, data in made.ledger.entries()]
    assert "\n".join(rows) in text
