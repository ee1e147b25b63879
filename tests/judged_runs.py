"""A run that passes, kept in memory, for tests that change one thing of it and judge it."""

import copy
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from ledger.audit import Bound, Signed, Verdict, audit, bind
from ledger.rules import parse_policy, shipped
from ledger.runs.contents import File
from ledger.runs.discovery import discover
from ledger.runs.layout import Role

RUN = "night-7"
WHERE = {"instance": "lab-3", "dimension": "minecraft:overworld"}
HARNESS = {"name": "pi", "version": "3", "model": "small", "provider": "maker"}
CAUSALITY = "machine_operated.causality"
RUNNING = "logger_armed_before_activation.running"
INDEPENDENCE = "answer_correct.oracle_independence"
FLAGS = (
    "machine_operated",
    "logger_armed_before_activation",
    "transient_outputs_captured",
    "agent_read_log",
    "answer_correct",
)
TASK = b"Find out what comes out of the machine.\nLog it.\n"

Json = dict[str, Any]
Change = Callable[["Draft"], object]


def at(seconds: float) -> str:
    """Return a time that many seconds after the beginning."""
    minutes, rest = divmod(seconds, 60)
    return f"2026-04-05T06:{int(minutes):02d}:{rest:06.3f}Z"


def sha(data: bytes) -> str:
    """Return the SHA-256 of bytes as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def lines_of(records: Sequence[Any]) -> bytes:
    """Return records as the bytes of a stream; one that is bytes already stays as it is."""
    return b"".join(
        one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in records
    )


class Memory:
    """Files of a run in memory (``ledger.runs.contents.Contents``)."""

    def __init__(self, files: Mapping[str, bytes], withheld: Mapping[str, Json]) -> None:
        """Hold *files* by path; those of *withheld* are not shown."""
        self._data, self._withheld = files, withheld
        self._files = discover(self._lookup, self.data)

    def files(self) -> Sequence[File]:
        """Return them in the order of the roles."""
        return self._files

    def data(self, file: File) -> bytes:
        """Return the bytes of one."""
        return self._data[file.path]

    def lines(self, file: File) -> Iterator[bytes]:
        """Yield the lines of one."""
        yield from BytesIO(self._data[file.path])

    def _lookup(self, role: Role, path: str) -> File:
        if path in self._withheld:
            said = self._withheld[path].get("sha256")
            digest = None if said is None else bytes.fromhex(said)
            return File(role, path, "withheld", self._withheld[path]["reason"], sha256=digest)
        data = self._data.get(path)
        if data is None:
            return File(role, path, "absent", "no such file")
        raw = hashlib.sha256(data).digest()
        canonical = hashlib.sha256(data.replace(b"\r\n", b"\n")).digest()
        return File(role, path, "present", None, len(data), raw, canonical)


class Draft:
    """A run as plain data; what it is written as is computed when it is judged.

    Attributes:
        files: Bytes by path that replace or add to what is computed.
        withheld: Paths that are not shown, to why.
        later: Changes of evidence.json, run.json and others after digests are computed.
    """

    def __init__(self) -> None:
        """Begin with a run that passes by three reported reviews."""
        self.run: Json = {"harness": dict(HARNESS), "imports": [], "artifacts": []}
        self.calls: list[Json] = []
        self.marks: list[Json] = []
        self._call("c1", "write", {"path": "Logger.java", "text": "..."}, 10, "written")
        self._call("c2", "bash", {"command": "press the note block"}, 20, "pressed")
        read = "box-1: [iron_ingot, gold_ingot x3]\nbox-2: [stone]"
        self._call("c3", "bash", {"command": "cat out/captures.jsonl"}, 40, read)
        self.testmod: list[Any] = [
            self._event("instance_ready", 5, 100, 1),
            self._event("input_attempt", 20.1, 400, 2, actor="robot"),
            self._event("input_processed", 20.2, 401, 3, actor="robot"),
            self._event("cart_ejected", 25, 500, 4, uuid="box-1"),
            self._event("cart_ejected", 26, 520, 5, uuid="box-2"),
            self._event("cart_removed", 35, 700, 6, uuid="box-1", reason="void"),
            self._event("cart_removed", 36, 720, 7, uuid="box-2", reason="void"),
            self._event("end", 50, 1000, 8),
        ]
        self.logger: list[Any] = [
            self._event("logger_armed", 15, 300, 1),
            self._event("cart_observed", 27, 540, 2, uuid="box-1",
                        items=["minecraft:iron_ingot", {"id": "gold_ingot", "count": 3}]),
            self._event("cart_observed", 28, 560, 3, uuid="box-2", items=["minecraft:stone"]),
            self._event("logger_flushed", 29, 580, 4),
        ]  # fmt: skip
        self.normalized: list[Any] | None = None
        first = ["iron_ingot", "minecraft:gold_ingot x3"]
        carts = [{"uuid": "box-1", "items": first}, {"uuid": "box-2", "items": ["stone"]}]
        self.answer: Any = {"carts": copy.deepcopy(carts)}
        self.oracle: Any = {
            "status": "verified",
            "source": "test mod",
            "evidence_refs": ["testmod:seq4", "testmod:seq5", "fixture:ready"],
            "carts": copy.deepcopy(carts),
        }
        self.fixture: Any = {"status": "ready", "ready": True}
        self.restore: Any = {"status": "ok"}
        self.preflight: Any = None
        self.reviews: list[Any] = [
            self.review(CAUSALITY, ["trajectory:c2", "testmod:seq3"]),
            self.review(RUNNING, ["logger:seq1"]),
            self.review(INDEPENDENCE, ["testmod:seq4"]),
        ]
        self.derivations: list[Any] | None = None
        self.files: dict[str, bytes] = {}
        self.withheld: dict[str, Json] = {}
        self.later: list[Callable[[dict[str, bytes]], object]] = []

    def _call(self, call_id: str, tool: str, arguments: Any, when: float, text: str) -> None:
        common = {"call_id": call_id, "phase": "agent", "actor": "agent"}
        said = {"record": "call", **common, "tool": tool, "arguments": arguments, "at": at(when)}
        back = {"record": "result", **common, "status": "ok", "result": {"text": text}}
        self.calls += [said, back | {"at": at(when + 0.05)}]

    def call(self, call_id: str, tool: str, arguments: Any, when: float, text: str) -> None:
        """Add a call of the agent and its result, where their time belongs."""
        self._call(call_id, tool, arguments, when, text)
        self.calls.sort(key=lambda record: str(record.get("at")))

    @staticmethod
    def _event(event: str, when: float, tick: int, seq: int, **fields: Any) -> Json:
        return {"event": event, **WHERE, "at": at(when), "tick": tick, "seq": seq, **fields}

    @staticmethod
    def review(question: str, refs: list[str], status: str = "resolved") -> Json:
        """Return an entry of the reviews."""
        return {"id": question, "status": status, "by": "ada", "at": at(55), "note": "looked",
                "evidence": refs}  # fmt: skip

    def event(self, name: str, uuid: str | None = None) -> Json:
        """Return the first event of a name."""
        return next(one for one in [*self.testmod, *self.logger]
                    if one["event"] == name and uuid in (None, one.get("uuid")))  # fmt: skip

    def record(self, call_id: str, kind: str = "call") -> Json:
        """Return the record of a call or a result."""
        return next(one for one in self.calls
                    if one["call_id"] == call_id and one["record"] == kind)  # fmt: skip

    def drop(self, *names: str) -> "Draft":
        """Leave out events."""
        self.testmod = [one for one in self.testmod if one["event"] not in names]
        self.logger = [one for one in self.logger if one["event"] not in names]
        return self

    def contents(self) -> Memory:
        """Return the run as it is now."""
        return Memory(self.written(), self.withheld)

    def write(self, root: Path) -> Path:
        """Write the run to the disk, without what is withheld."""
        for path, data in self.written().items():
            if path not in self.withheld:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(data)
        if self.withheld:
            listed = [{"path": path, **said} for path, said in self.withheld.items()]
            said = {"schema": "coldledger-withheld/1", "files": listed}
            (root / "withheld.json").write_text(json.dumps(said))
        return root

    def written(self) -> dict[str, bytes]:
        """Return the bytes of every file by its path."""
        files: dict[str, bytes] = {"task.md": TASK}
        slots: dict[str, Any] = {
            "agent_logger": ("out/captures.jsonl", lines_of(self.logger)),
            "test_mod": ("test/mod.jsonl", lines_of(self.testmod)),
        }
        for name in ("answer", "oracle", "fixture", "restore", "preflight"):
            said = getattr(self, name)
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            slots[name] = None if said is None else (f"evidence/{name}.json", data)
        evidence: Json = {"schema": "mc-agent-coldstart-evidence/1", "review": None}
        for name, slot in slots.items():
            evidence[name] = slot and {"path": slot[0], "sha256": sha(slot[1])}
            if slot:
                files[slot[0]] = slot[1]
        if self.normalized is not None:
            files["out/view.jsonl"] = lines_of(self.normalized)
            evidence["agent_logger"] |= {
                "normalized": "out/view.jsonl",
                "normalized_sha256": sha(files["out/view.jsonl"]),
            }
        files["evidence.json"] = json.dumps(evidence).encode()
        files["visibility.json"] = json.dumps(
            {"schema": "mc-agent-coldstart-visibility/1", "file_count": 0, "files": []}
        ).encode()
        files["run.json"] = json.dumps(
            {"schema": "mc-agent-coldstart-run/1", "run_id": RUN, "created_at": at(0),
             "task": {"path": "task.md", "sha256": sha(TASK)}, **self.run}
        ).encode()  # fmt: skip
        files["trajectory.jsonl"] = lines_of(self._trajectory())
        if self.reviews:
            files["reviews.jsonl"] = lines_of(self.reviews)
        if self.derivations is not None:
            files["derivations.jsonl"] = lines_of(self.derivations)
        files |= self.files
        for change in self.later:
            change(files)
        return files

    def _trajectory(self) -> list[Any]:
        header = {"record": "header", "created_at": at(0), "harness": HARNESS}
        schema = "mc-agent-coldstart-trajectory/1"
        records = [header, *self.marks, *self.calls]
        return [
            {"schema": schema, "run_id": RUN, "seq": number, **one}
            if isinstance(one, dict)
            else one
            for number, one in enumerate(records, 1)
        ]


@cache
def rules() -> Bound:
    """Return the shipped rules."""
    return bind(parse_policy(shipped()["audit/cold-start-v1"]))


def judged(*changes: Change, signed: Sequence[Signed] = ()) -> Verdict:
    """Return the verdict on the run after some changes."""
    draft = Draft()
    for change in changes:
        change(draft)
    return audit(draft.contents(), rules(), signed)


def flag(verdict: Verdict, name: str) -> Json:
    """Return a flag of a verdict."""
    found: Json = next(one for one in verdict.body["flags"] if one["flag"] == name)
    return found


def statuses(verdict: Verdict) -> dict[str, str]:
    """Return what each flag is."""
    return {one["flag"]: one["status"] for one in verdict.body["flags"]}


def asked(verdict: Verdict, name: str) -> list[str]:
    """Return what must be reviewed for a flag, without the flag's name."""
    return [one["id"].partition(".")[2] for one in flag(verdict, name)["required_review"]]


def without(record: Json, *names: str) -> Json:
    """Take fields out of a record, and return it."""
    for name in names:
        record.pop(name, None)
    return record
