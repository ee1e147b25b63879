"""A cold-start run that passes once three reviews are resolved, and ledgers to take it into."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ledger.audit.conclude import Concluded, conclude, frozen_rules
from ledger.audit.reviewing import Answered, answer_review
from ledger.decide import catch_up, replay_of
from ledger.entry import genesis
from ledger.events import LINE
from ledger.founding import ROLES, fill
from ledger.runs.directory import Directory
from ledger.runs.intake.observing import observe
from ledger.store import Ledger, PassingLedger
from signing.keys import PrivateKey
from signing.root import ALG_ED25519, LogKey, Role, RootKey
from signing.trust import TrustRoot, new_root

AT = "2026-03-01T00:00:00.000000Z"
RUN = "run-01"
CAUSALITY = "machine_operated.causality"
RUNNING = "logger_armed_before_activation.running"
INDEPENDENCE = "answer_correct.oracle_independence"
QUESTIONS = (CAUSALITY, RUNNING, INDEPENDENCE)

MAINTAINER, REVIEWER, SECOND, LOG = (PrivateKey.generate(bytes([n]) * 32) for n in range(1, 5))
"""Keys: one with every role but the reviewer's, and two reviewers."""

_WHERE = {"instance": "lab-1", "dimension": "minecraft:overworld", "run_id": RUN}
_HARNESS = {"name": "pi", "version": "1", "model": "m", "provider": "p"}


def _at(seconds: float) -> str:
    return f"2026-02-01T10:00:{seconds:06.3f}Z"


class AuditedRun:
    """A run directory that tests write and change."""

    def __init__(self, root: Path, *, reviewed: bool = False) -> None:
        """Write the run; *reviewed* with the three reviews that it needs."""
        self.root = root
        self._documents()
        self.lines("trajectory.jsonl", _trajectory())
        self.lines("test/mod.jsonl", _events())
        self.lines("agent/log.jsonl", _captures())
        if reviewed:
            self.lines("reviews.jsonl", [reported(one) for one in QUESTIONS])
        self.declare()

    def declare(self) -> None:
        """Write evidence.json anew, with the digests of what it names."""
        named = {
            "agent_logger": "agent/log.jsonl",
            "test_mod": "test/mod.jsonl",
            "answer": "answer.json",
            "oracle": "oracle.json",
            "fixture": "fixture.json",
            "restore": "restore.json",
        }
        slots = {
            slot: {"path": path, "sha256": hashlib.sha256(self.read(path)).hexdigest()}
            for slot, path in named.items()
        }
        self.write("evidence.json", {"schema": "mc-agent-coldstart-evidence/1", **slots})

    def write(self, path: str, content: bytes | Mapping[str, Any]) -> None:
        """Write a file: bytes, or an object as JSON."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())

    def lines(self, path: str, records: Sequence[Mapping[str, Any]]) -> None:
        """Write records as JSON lines."""
        self.write(path, b"".join(json.dumps(one).encode() + b"\n" for one in records))

    def append(self, path: str, *records: Mapping[str, Any]) -> None:
        """Append records as JSON lines."""
        with (self.root / path).open("ab") as out:
            out.writelines(json.dumps(one).encode() + b"\n" for one in records)

    def replace(self, path: str, old: str, new: str) -> None:
        """Change a text that stands in a file, and what evidence.json says of the file."""
        before = self.read(path)
        assert old.encode() in before
        self.write(path, before.replace(old.encode(), new.encode()))
        self.declare()

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        return (self.root / path).read_bytes()

    def _documents(self) -> None:
        task = b"Operate the machine, log what comes out, and report it.\n"
        self.write("task.md", task)
        visible = {"cwd": ".", "roots": [], "exclude": [], "file_count": 0, "files": []}
        schema = "mc-agent-coldstart-visibility/1"
        self.write("visibility.json", {"schema": schema, "created_at": _at(0), **visible})
        self.write(
            "run.json",
            {
                "schema": "mc-agent-coldstart-run/1",
                "run_id": RUN,
                "created_at": _at(0),
                "repo": {},
                "harness": _HARNESS,
                "task": {"path": "task.md", "sha256": hashlib.sha256(task).hexdigest()},
                "trajectory": {"path": "trajectory.jsonl"},
                "visibility": {"path": "visibility.json", "file_count": 0},
                "imports": [],
                "artifacts": [],
                "status": "open",
                "notes": [],
            },
        )
        items = ["minecraft:stone", "minecraft:dirt"]
        self.write("answer.json", {"carts": [{"uuid": "cart-1", "items": items}]})
        self.write(
            "oracle.json",
            {
                "status": "verified",
                "source": "test mod",
                "evidence_refs": ["testmod:seq4", "fixture:ready"],
                "carts": [{"uuid": "cart-1", "items": items}],
            },
        )
        self.write("fixture.json", {"status": "ready", "ready": True})
        self.write("restore.json", {"status": "ok"})


def reported(review: str, status: str = "resolved", at: float = 40) -> dict[str, Any]:
    """Return a line of reviews.jsonl."""
    return {
        "id": review,
        "status": status,
        "by": "a reviewer",
        "at": _at(at),
        "note": "looked at it",
        "evidence": ["trajectory:c2"],
    }


def mark(seq: int, at: float = 45) -> dict[str, Any]:
    """Return a line of the trajectory that no flag is about."""
    return {**_base("mark", seq), "name": "note", "actor": "test", "at": _at(at), "data": {}}


def _base(record: str, seq: int) -> dict[str, Any]:
    return {
        "schema": "mc-agent-coldstart-trajectory/1",
        "run_id": RUN,
        "record": record,
        "seq": seq,
    }


def _trajectory() -> list[dict[str, Any]]:
    calls = [
        ("c1", "bash", "javac LoggerMod.java && install it", 4, "built"),
        ("c2", "bridge", "execute use note_block", 10, "used"),
        ("c3", "bash", "cat agent/log.jsonl", 17, "cart-1 stone dirt"),
    ]
    lines = [{**_base("header", 1), "created_at": _at(0), "harness": _HARNESS}]
    own = {"phase": "agent", "actor": "agent"}
    for name, tool, command, at, text in calls:
        lines += [
            {
                **_base("call", len(lines) + 1),
                **own,
                "call_id": name,
                "tool": tool,
                "arguments": {"command": command},
                "at": _at(at),
            },
            {
                **_base("result", len(lines) + 2),
                **own,
                "call_id": name,
                "status": "ok",
                "result": {"text": text},
                "at": _at(at + 0.5),
            },
        ]
    return lines


def _events() -> list[dict[str, Any]]:
    rows: list[tuple[str, float, dict[str, Any]]] = [
        ("instance_ready", 0, {}),
        ("input_attempt", 11, {"actor": "p"}),
        ("input_processed", 11.5, {"actor": "p"}),
        ("cart_ejected", 15, {"uuid": "cart-1"}),
        ("cart_removed", 16.8, {"uuid": "cart-1", "reason": "void"}),
        ("end", 25, {}),
    ]
    return [
        {"event": event, **_WHERE, "tick": int(at * 20), "seq": seq, "at": _at(at), **more}
        for seq, (event, at, more) in enumerate(rows, 1)
    ]


def _captures() -> list[dict[str, Any]]:
    items = ["minecraft:stone", "minecraft:dirt"]
    seen = {"uuid": "cart-1", "position": [0, 0, 0], "items": items}
    return [
        {"event": "logger_armed", **_WHERE, "tick": 100, "seq": 1, "at": _at(5)},
        {"event": "cart_observed", **_WHERE, "tick": 320, "seq": 2, "at": _at(16), **seen},
    ]


def trust_root() -> TrustRoot:
    """Return the root of ledgers in which reviewers are others than maintainers."""
    roles = {name: Role(threshold=1, decides=tuple(sorted(types))) for name, types in ROLES.items()}
    others = tuple(sorted(set(ROLES) - {"reviewer"}))
    held = [(MAINTAINER, others), (REVIEWER, ("reviewer",)), (SECOND, ("reviewer",))]
    return new_root(
        log="example.org/runs",
        keys=[
            RootKey(
                alg=ALG_ED25519, key=key.public, controller=f"person {number}", roles=roles_of,
                start=0, end=None,
            )
            for number, (key, roles_of) in enumerate(held)
        ],
        roles=roles,
        edition=("publisher",),
        log_keys=[LogKey(key=LOG.public, start=0, end=None)],
    )  # fmt: skip


@contextmanager
def founded() -> Iterator[Ledger]:
    """Found a ledger that nobody keeps."""
    root = trust_root()
    with PassingLedger.make(root.log, genesis(root.log, root.digest)) as ledger:
        fill(ledger, root, MAINTAINER, at=AT, entropy=os.urandom)
        yield ledger


def answered(
    ledger: Ledger,
    review: str = CAUSALITY,
    status: Any = "resolved",
    refs: Sequence[str] = ("trajectory:c2", "testmod:seq3"),
    *,
    key: PrivateKey = REVIEWER,
    replay: Any = None,
    **options: Any,
) -> Answered:
    """Sign a review of the run in a ledger."""
    edge: dict[str, Any] = {"at": AT, "entropy": os.urandom} | options
    seen = replayed(ledger) if replay is None else replay
    return answer_review(ledger, seen, RUN, review, status, "looked", refs, [key], **edge)


def take(ledger: Ledger, run: AuditedRun) -> None:
    """Take a run into a ledger."""
    observe(ledger, Directory(run.root), at=AT, entropy=os.urandom)


def concluded(ledger: Ledger, **options: Any) -> Concluded:
    """Audit the run in a ledger."""
    return conclude(ledger, RUN, frozen_rules(ledger), at=AT, entropy=os.urandom, **options)


def replayed(ledger: Ledger) -> Any:
    """Return a replay of a ledger."""
    replay = replay_of(ledger)
    catch_up(replay, ledger)
    return replay


def statuses(done: Concluded) -> dict[str, str]:
    """Return flag to status."""
    return {one["flag"]: one["status"] for one in done.judgement.verdict.body["flags"]}


def slot_of(ledger: Ledger, seq: int, slot: str = LINE) -> bytes | None:
    """Return the bytes in a slot."""
    found = ledger.blob(seq, slot)
    return None if found is None else found.data
