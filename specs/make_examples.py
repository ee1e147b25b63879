"""Write the examples of ``chain.md``, ``bundle.md`` and ``verify.md`` from the vectors' own files.

They show digests and lengths, which every new figure changes.
"""

import io
import json
from pathlib import Path
from typing import Any

from canon import decode, leaf_hash, root_of
from canon.digest import sha256
from ledger.bundle import Chunk, Document, Item, ManifestItem, read_items
from ledger.bundle.reader import Core
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question

SPECS = Path(__file__).resolve().parent
_BUNDLES = SPECS / "vectors" / "bundles"
_START, _END = "## Example\n", "\n## Conventions\n"


def examples() -> dict[str, str]:
    """Return the example of each page."""
    return {"chain.md": _chain(), "bundle.md": _bundle(), "verify.md": _verdict()}


def page(name: str, example: str) -> str:
    """Return a page with its example replaced."""
    text = (SPECS / name).read_text(encoding="utf-8")
    before, _, rest = text.partition(_START)
    _, _, after = rest.partition(_END)
    return f"{before}{_START}\n{example}{_END}{after}"


def _content(name: str) -> bytes:
    return (_BUNDLES / name).read_bytes()


def _items(data: bytes) -> list[Item]:
    return list(read_items(io.BytesIO(data), Core()))


def _chain() -> str:
    root = _content("trust-root-1.cbor")
    entries = next(
        item.entries for item in _items(_content("lean.bundle")) if isinstance(item, Chunk)
    )
    leaves = [leaf_hash(entry) for entry in entries]
    rows, genesis = [], ""
    for seq, data in enumerate(entries):
        entry: Any = decode(data)
        genesis = genesis or entry["prev"].hex()[:16]
        hashes = (entry["prev"], leaves[seq], root_of(leaves[: seq + 1]))
        cells = [f"`{value}`" for value in (entry["type"], *(one.hex()[:16] for one in hashes))]
        rows.append(f"| {seq} | {' | '.join(cells)} |")
    return f"""\
The log of `vectors/bundles/lean.bundle`, each hash by its first 8 bytes. The trust root has
the digest `{sha256(root).hex()[:16]}…`; the genesis of origin `log.example/drills` is
`{genesis}…`.

| k | type | prev | leaf k | root k + 1 |
|---|---|---|---|---|
{chr(10).join(rows)}
"""


def _bundle() -> str:
    data = _content("lean.bundle")
    items = _items(data)
    seal = items[-1].offset
    lines = []
    for item, said in zip(items, _said(items), strict=True):
        digits = data[item.offset : item.offset + 8].hex(" ")
        lines.append(f"{item.offset:>9,}  {digits} …  {said}")
    return f"""\
`vectors/bundles/lean.bundle`, {len(data):,} bytes: an edition over five entries, its freeze, and
nothing disclosed. Where each item begins, its first 8 bytes, and what it is:

```
{chr(10).join(lines)}
```

Its core, the first {seal:,} bytes, has the SHA-256
`{sha256(data[:seal]).hex()}`.
"""


def _said(items: list[Item]) -> list[str]:
    said = []
    for item in items:
        match item:
            case ManifestItem(data=data):
                said.append(f"manifest, {len(data):,} bytes")
            case Document(data=data):
                value: Any = decode(data)
                said.append(f"document, {len(data):,} bytes, {value['type']}")
            case Chunk(entries=entries):
                said.append(f"chunk, entries 0 to {len(entries) - 1}")
            case _:
                said.append(type(item).__name__.lower())
    return said


def _verdict() -> str:
    question = Question([_content("trust-root-1.cbor")])
    data = _content("figure-edited.bundle")
    document = verify_bundle(io.BytesIO(data), question)[0].document()
    steps = [one for one in document["steps"] if one["name"] in ("limits", "figures", "signatures")]
    names = ("ok", "error", "edition", "size", "root", "core_sha256")
    others = ("figures", "withheld", "redacted", "extraction")
    shown = {name: document[name] for name in names} | {"steps": steps}
    shown |= {name: document[name] for name in others}
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in shown.items()]
    text = ",\n".join(lines).replace("}, {", "},\n            {")
    for name in ("message", "hint", "step"):
        text = text.replace(f' "{name}": ', f'\n            "{name}": ')
    return f"""\
The verdict on `vectors/bundles/figure-edited.bundle`, whose publisher added a repair that its rows
do not give and signed all of it; with three of the sixteen steps, and without the fields that say
nothing here:

```json
{{
{text}
}}
```
"""


def main() -> None:
    """Write the pages."""
    for name, example in examples().items():
        (SPECS / name).write_text(page(name, example), encoding="utf-8")


if __name__ == "__main__":
    main()
