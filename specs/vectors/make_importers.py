"""Write the vectors of ``specs/importers.md`` to ``specs/vectors/importers``, the same each time.

Nothing of the implementation is used: what must come out is spelled out. A file holds
``{about, vectors}``.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from importers_files import files as whole_files
from importers_made import Vector
from importers_releases import releases
from importers_rows import rows

FOLDER = Path(__file__).resolve().parent / "importers"


def files() -> dict[str, dict[str, Any]]:
    """Return the content of every file by its name."""
    content = {
        "files": ("files that are imported in order into an empty log", whole_files()),
        "releases": ("what stands around the rows of a release", releases()),
        "rows": ("single rows", rows()),
        "names": ("names of systems, tasks, attempts, and components of paths", _names()),
        "slices": ("files taken apart into an envelope and records", _slices()),
    }
    return {name: {"about": about, "vectors": made} for name, (about, made) in content.items()}


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        text = json.dumps(content, indent=1, ensure_ascii=True) + "\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def _name(
    name: str, clause: int, kind: str, given: Any, output: str | None, code: str | None = None
) -> Vector:
    return {
        "name": name,
        "comment": f"The name of a {kind}.",
        "clause": f"IMPORT-{clause}",
        "expect": "refuse" if code else "accept",
        "code": code,
        "kind": kind,
        "input": given,
        "output": output,
    }


def _names() -> list[Vector]:
    walker = {"agent": "walker", "model": "maker/first", "effort": "low"}
    plus = {"agent": "a+b", "model": "c%", "effort": None}
    trial = {
        **walker,
        "scenario": "101-stuck-queue",
        "version": 2,
        "number": 1,
        "started_at": "2026-02-28T10:03:00.000000Z",
        "finished_at": "2026-02-28T10:03:50.000000Z",
    }
    return [
        _name("system", 14, "system", walker, "walker+maker/first+low"),
        _name("system-without-effort", 14, "system", plus, "a%2Bb+c%25"),
        _name("task", 14, "task", {"scenario": "101-stuck-queue", "version": 2},
              "101-stuck-queue@2"),
        _name("task-with-at", 14, "task", {"scenario": "a@b%", "version": 1}, "a%40b%25@1"),
        _name("attempt", 15, "attempt", trial, _attempt(trial)),
        _name("attempt-without-effort", 15, "attempt", trial | {"effort": None},
              _attempt(trial | {"effort": None})),
        _name("component", 16, "component", "a/b*c:d%e f\t\x85é",
              "a%2Fb%2Ac%3Ad%25e%20f%09%C2%85é"),
        *(
            _name(f"component-{number}", 16, "component", text, None, "E_PATH_COMPONENT")
            for number, text in enumerate(("a/b", "%2f", "%41", "%", "%FF", "*", " "))
        ),
    ]  # fmt: skip


def _attempt(trial: dict[str, Any]) -> str:
    """Encode the eight parts by hand: text and small integers under their shortest heads."""
    data = bytes([0x80 | len(trial)])
    for part in trial.values():
        if part is None:
            data += b"\xf6"
        elif isinstance(part, int):
            data += bytes([part])
        else:
            text = part.encode()
            data += (
                bytes([0x60 | len(text)]) if len(text) < 24 else bytes([0x78, len(text)])
            ) + text
    return "att-" + hashlib.sha256(b"coldledger/attempt/1\x00" + data).hexdigest()[:32]


def _slices() -> list[Vector]:
    made = []
    for name, comment, before, between, after, listed in (
        ("plain", "Two rows.", b'{"runs": [', b", ", b"]}", [b'{"a": 1}', b'{"a": 2}']),
        ("no-rows", "An empty array.", b'{"runs": [', b"", b" ]}", []),
        ("line-ends", "CRLF and odd white space.", b'{\r\n\t"x" : 1 ,"runs":\r\n[ ', b"\r\n ,\t",
         b"\r\n]\t}\r\n", [b'{\r\n"a":1 }', b"[ 2 ]", b'"\\u00e9"']),
        ("mark", "A byte order mark.", b'\xef\xbb\xbf{"runs":[', b",", b"]}", [b"1", b"2"]),
        ("no-utf-8", "Bytes that are not text.", b'{"x":"\xff","runs":[', b",", b"]}",
         [b'"\xc3\x28"', b'{"\xfe":NaN}']),
    ):  # fmt: skip
        indices = [str(index).encode() for index in range(len(listed))]
        made.append(
            {
                "name": name,
                "comment": comment,
                "clause": "IMPORT-6",
                "expect": "accept",
                "code": None,
                "input_hex": (before + between.join(listed) + after).hex(),
                "envelope_hex": (before + between.join(indices) + after).hex(),
                "rows_hex": [one.hex() for one in listed],
            }
        )
    return made


if __name__ == "__main__":
    main()
