"""What the documents of a run must say, apart from what the files that they name hold (RUN-42)."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from .contents import Contents, File
from .fields import digest, text
from .json_text import parse
from .layout import (
    FIXED,
    MAX_DOCUMENT_BYTES,
    PHASES,
    RUN_SCHEMA,
    SLOTS,
    VISIBILITY_SCHEMA,
    WITHHELD_SCHEMA,
    Role,
)
from .problems import LINE_GOT, Problem, shown
from .times import instant

DOCUMENTS: frozenset[Role] = frozenset(
    ("manifest", "withheld", "visibility", "evidence", "answer", "oracle", "fixture", "restore",
     "preflight")
)  # fmt: skip
"""Roles of files that are one JSON object each."""


class Pin:
    """A file that a document names, and the digest that it gives for it.

    Attributes:
        path: The file.
        where: The document, and where in it.
        said: The digest as written; None where there is none.
        needed: Whether there must be one.
    """

    __slots__ = ("document", "needed", "path", "pointer", "said")

    def __init__(self, path: str, document: str, pointer: str, said: Any, *, needed: bool) -> None:
        """Take down what a document says."""
        self.path, self.document, self.pointer = path, document, pointer
        self.said, self.needed = said, needed


def read(contents: Contents, file: File) -> tuple[Mapping[str, Any], list[Problem]]:
    """Return what a document says, an empty map where it cannot be read, and why it cannot."""
    if (file.size_bytes or 0) > MAX_DOCUMENT_BYTES:
        return {}, [Problem(file.path, None, "too_long", LINE_GOT["too_long"], "a document")]
    data = contents.data(file)
    if not data:
        return {}, [Problem(file.path, None, "empty_file", "an empty file", "a JSON object")]
    parsed = parse(data)
    if parsed.fault is not None:
        got = f"{LINE_GOT[parsed.fault]} ({parsed.why})"
        return {}, [Problem(file.path, None, parsed.fault, got, "a JSON object")]
    if not isinstance(parsed.said, dict):
        got = LINE_GOT["not_an_object"]
        return {}, [Problem(file.path, None, "not_an_object", got, "a JSON object")]
    return parsed.said, []


def of_manifest(said: Mapping[str, Any], pins: list[Pin]) -> Iterator[Problem]:
    """Yield what is wrong with run.json, and note the files that it names."""
    path = FIXED["manifest"]
    yield from _schema(path, said, RUN_SCHEMA)
    if text(said.get("run_id")) is None:
        yield _field(path, "run_id", said.get("run_id"), "a run id")
    yield from _time(path, said, "created_at")
    task = said.get("task")
    if isinstance(task, dict):
        yield from _named(path, "task", task, FIXED["task"])
        pins.append(Pin(FIXED["task"], path, "task", task.get("sha256"), needed=True))
    else:
        yield _field(path, "task", task, "an object with path and sha256")
    for name in ("trajectory", "visibility"):
        role: Role = "trajectory" if name == "trajectory" else "visibility"
        named = said.get(name)
        if isinstance(named, dict):
            yield from _named(path, name, named, FIXED[role])
        elif named is not None:
            yield _field(path, name, named, "an object with path")
    for name in ("imports", "artifacts"):
        yield from _stored(path, name, said.get(name), pins)


def of_visibility(
    said: Mapping[str, Any], manifest: Mapping[str, Any], pins: list[Pin]
) -> Iterator[Problem]:
    """Yield what is wrong with visibility.json, and note the copies that it names."""
    path = FIXED["visibility"]
    yield from _schema(path, said, VISIBILITY_SCHEMA)
    listed = said.get("files")
    files = yield from _files(path, listed, "an object with path, sha256 and copy")
    if not isinstance(listed, list):
        return
    for where, item in files:
        copy = item.get("copy")
        if text(copy) is not None:
            pins.append(Pin(str(copy), path, where, item.get("sha256"), needed=True))
        elif copy is not None:
            yield _field(path, f"{where}.copy", copy, "a path or null")
        elif digest(item.get("sha256")) is None:
            yield _digest_problem(path, where, item.get("sha256"))
    counts = [(path, "file_count", said.get("file_count"))]
    named = manifest.get("visibility")
    if isinstance(named, dict):
        counts.append((FIXED["manifest"], "visibility.file_count", named.get("file_count")))
    for file, where, count in counts:
        if count is not None and (isinstance(count, bool) or count != len(listed)):
            got = f"{where} {shown(count)}"
            yield Problem(file, None, "count", got, f"{len(listed)}, which {path} lists")


def of_evidence(said: Mapping[str, Any], pins: list[Pin]) -> Iterator[Problem]:
    """Yield what is wrong with evidence.json, and note the files that it declares."""
    path = FIXED["evidence"]
    for slot in (*SLOTS, "review"):
        declared = said.get(slot)
        if declared is None:
            continue
        if not isinstance(declared, dict) or not isinstance(declared.get("path"), str):
            yield _field(path, slot, declared, "null, or an object with path and sha256")
            continue
        pins.append(Pin(declared["path"], path, slot, declared.get("sha256"), needed=False))
        if slot == "agent_logger" and declared.get("normalized") is not None:
            yield from _normalized(path, declared, pins)


def of_withheld(said: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with withheld.json."""
    path = FIXED["withheld"]
    yield from _schema(path, said, WITHHELD_SCHEMA)
    files = yield from _files(path, said.get("files"), "an object with path, sha256 and reason")
    for where, item in files:
        if text(item.get("reason")) is None:
            yield _field(path, f"{where}.reason", item.get("reason"), "why it is withheld")
        if item.get("sha256") is not None and digest(item["sha256"]) is None:
            yield _digest_problem(path, where, item["sha256"])


def of_pin(pin: Pin, file: File) -> Iterator[Problem]:
    """Yield what is wrong with a file that a document names, as far as its digest tells."""
    if pin.said is None:
        if pin.needed:
            got = f"no sha256 in {pin.pointer}"
            yield Problem(pin.document, None, "hash_missing", got, f"that of {shown(pin.path)}")
        return
    wanted = digest(pin.said)
    if wanted is None:
        yield _digest_problem(pin.document, pin.pointer, pin.said)
    elif file.sha256 is not None and file.sha256 != wanted:
        got = f"SHA-256 {file.sha256.hex()}"
        if file.canonical == wanted:
            got += ", which differs in line ends alone"
        expected = f"{wanted.hex()}, as {pin.document} says in {pin.pointer}"
        yield Problem(pin.path, None, "hash_differs", got, expected)


def _normalized(path: str, declared: Mapping[str, Any], pins: list[Pin]) -> Iterator[Problem]:
    named, where = declared["normalized"], "agent_logger.normalized"
    if not isinstance(named, str):
        yield _field(path, where, named, "a path")
        return
    pins.append(Pin(named, path, where, declared.get("normalized_sha256"), needed=True))


def _stored(path: str, name: str, listed: Any, pins: list[Pin]) -> Iterator[Problem]:
    if listed is None:
        return
    if not isinstance(listed, list):
        yield _field(path, name, listed, "a list")
        return
    for number, item in enumerate(listed):
        where = f"{name}[{number}]"
        if not isinstance(item, dict) or not isinstance(item.get("path"), str):
            yield _field(path, where, item, "an object with path and sha256")
            continue
        if name == "artifacts" and item.get("phase") not in (None, *PHASES):
            got = f"{where}.phase {shown(item['phase'])}"
            yield Problem(path, None, "phase", got, " or ".join(PHASES))
        pins.append(Pin(item["path"], path, where, item.get("sha256"), needed=True))


def _schema(path: str, said: Mapping[str, Any], expected: str) -> Iterator[Problem]:
    if said.get("schema") != expected:
        yield Problem(path, None, "schema", shown(said.get("schema")), expected)


def _time(path: str, said: Mapping[str, Any], name: str) -> Iterator[Problem]:
    if said.get(name) is not None and instant(said[name]) is None:
        yield Problem(path, None, "time", f"{name} {shown(said[name])}", "a time")


def _named(path: str, name: str, said: Mapping[str, Any], expected: str) -> Iterator[Problem]:
    """A run cannot rename its own parts: what reads them would read another file."""
    if said.get("path") not in (None, expected):
        yield _field(path, f"{name}.path", said["path"], expected)


def _files(
    path: str, listed: Any, expected: str
) -> Generator[Problem, None, list[tuple[str, Mapping[str, Any]]]]:
    """Yield what is wrong with a list of files; return the others, each with its place."""
    if not isinstance(listed, list):
        yield _field(path, "files", listed, "a list")
        return []
    files: list[tuple[str, Mapping[str, Any]]] = []
    for number, item in enumerate(listed):
        where = f"files[{number}]"
        if isinstance(item, dict) and text(item.get("path")) is not None:
            files.append((where, item))
        else:
            yield _field(path, where, item, expected)
    return files


def _field(path: str, where: str, value: Any, expected: str) -> Problem:
    got = f"no {where}" if value is None else f"{where} {shown(value)}"
    return Problem(path, None, "field", got, expected)


def _digest_problem(path: str, where: str, value: Any) -> Problem:
    code = "hash_missing" if value is None else "hash_malformed"
    return Problem(path, None, code, f"sha256 {shown(value)} in {where}", "64 hexadecimal digits")
