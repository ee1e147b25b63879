"""What the vectors of bundles are about: a small made-up log, whose keys are no secret."""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forge import AT, Draft, draft_of, key, seeded

from ledger.decide import catch_up, replay_of
from ledger.edition.freeze import freeze
from ledger.founding import found
from ledger.importers import import_file
from ledger.invalidate import invalidate, withdraw
from ledger.maintain import correct, exclude, redact
from ledger.replay import Replay
from ledger.rules import shipped
from ledger.store import Ledger
from signing.root import ALG_ED25519, ALG_EDDSA, LogKey, Role, RootKey, Witness
from signing.trust import TrustRoot, new_root

ORIGIN = "log.example/drills"
EDITION, RELEASE = "2026.1", "20260101.0.0"
KEYS = ("ada", "ada two", "ben", "cleo", "dora", "stranger", "log")
WITNESSES = ("north.example/w", "north.example/x", "south.example/w")
DECIDED_BY_MAINTAINERS = (
    "attempt.corrected/1",
    "attempt.excluded/1",
    "disclosure.redacted/1",
    "policy.frozen/1",
    "source.withdrawn/1",
    "task.invalidated/1",
)

POLICIES = {name: shipped()[name] for name in ("disclosure/default", "status/replaybook")}
"""Name to document of the policies that every log here begins with."""


def holder(
    name: str,
    controller: str,
    roles: Sequence[str],
    *,
    alg: Any = ALG_ED25519,
    span: tuple[int, int | None] = (0, None),
) -> RootKey:
    """Return the trust root's entry for a test key."""
    start, end = span
    return RootKey(
        alg=alg,
        key=key(name).public,
        controller=controller,
        roles=tuple(sorted(roles)),
        start=start,
        end=end,
    )


ADA = holder("ada", "Ada", ["maintainer", "publisher", "root"])
ADA_TOO = holder("ada two", "Ada", ["maintainer", "publisher"])
BEA = holder("bea", "Bea", ["publisher"])
BEN = holder("ben", "Ben", ["maintainer", "root"])
CLEO = holder("cleo", "Cleo", ["auditor"], alg=ALG_EDDSA)
DORA = holder("dora", "Dora", ["maintainer"], span=(0, 3))
"""She was revoked at 3."""


def witness(name: str, end: int | None = None) -> Witness:
    """Return the trust root's entry for a witness; operators are told apart by first letters."""
    return Witness(name=name, key=key(name).public, operator=name[0], start=0, end=end)


def root(**changed: Any) -> TrustRoot:
    """Return the trust root of the log, with some arguments of `new_root` changed.

    Each role needs one signature, and nobody has to witness.
    """
    arguments: dict[str, Any] = {
        "log": ORIGIN,
        "keys": [ADA, BEN, CLEO],
        "roles": roles(),
        "edition": ["publisher"],
        "log_keys": [LogKey(key=key("log").public, start=0, end=None)],
    }
    return new_root(**(arguments | changed))


def roles(**thresholds: int) -> dict[str, Role]:
    """Return the roles, with other thresholds than 1 where they are given."""
    decides = {
        "auditor": (),
        "maintainer": DECIDED_BY_MAINTAINERS,
        "publisher": ("edition.frozen/1",),
        "root": ("trust.adopted/1",),
    }
    return {
        name: Role(threshold=thresholds.get(name, 1), decides=types)
        for name, types in decides.items()
    }


def row(number: int, **changed: Any) -> dict[str, Any]:
    """Return one row of a release, passed unless it is *changed*."""
    return {
        "run_id": f"w-q-{number}",
        "scenario": "w",
        "scenario_version": 1,
        "agent": "p",
        "model": "q",
        "reasoning_effort": None,
        "attempt": number,
        "started_at": f"2026-01-01T0{number}:00:00Z",
        "finished_at": f"2026-01-01T0{number}:05:00Z",
        "agent_duration_seconds": 200 + number,
        "agent_timeout_seconds": 900,
        "reward": 1,
        "trial_status": "evaluated",
        "failure": None,
        "failure_category": None,
        "usage": {"input_tokens": 10, "output_tokens": 2, "cost_usd": 0.1 * number},
        **changed,
    }


FAILED = {"reward": 0, "failure": "the well stayed dry", "failure_category": "not_repaired"}
LOST = {"reward": 0, "trial_status": "unavailable", "failure_category": "provider", "usage": None}


def release(rows: Sequence[dict[str, Any]], version: str = RELEASE, **members: Any) -> bytes:
    """Return a file of results, with more *members* than its rows."""
    document: dict[str, Any] = {
        "schema_version": 1,
        "version": version,
        "title": "Drills at the dry well",
        "compatibility": {
            "suite": "wells-v1",
            "harness_version": 1,
            "attempts": 3,
            "agent_timeout_seconds": 900,
            "agent": {"name": "p", "adapter": "p", "payload": None},
        },
        "runs": list(rows),
        **members,
    }
    return json.dumps(document, indent=1).encode()


class Entropy:
    """Bytes that look random and are the same at every run."""

    def __init__(self, seed: str) -> None:
        self._seed, self._calls = seed, 0

    def __call__(self, length: int) -> bytes:
        """Return the next *length* bytes."""
        self._calls += 1
        return seeded(f"{self._seed} {self._calls}", length)


class World:
    """A ledger in a folder, and what may be done in it.

    Attributes:
        ledger: The file, open for writing.
        replay: A replay of it.
        root: Its first trust root.
        path: Where it is.
    """

    def __init__(self, folder: Path, seed: str = "a", first: TrustRoot | None = None) -> None:
        self.root = first or root()
        self.path = folder / "ledger.db"
        self._entropy, self._folder = Entropy(seed), folder
        found(self.path, self.root, key("ada"), policies=POLICIES, at=AT, entropy=self._entropy)
        self.ledger = Ledger.open(self.path, write=True)
        self.replay: Replay = replay_of(self.ledger)

    def imports(self, data: bytes, name: str = "release.json", *, public: bool = False) -> None:
        """Import a file."""
        path = self._folder / name
        path.write_bytes(data)
        import_file(self.ledger, path, at=AT, entropy=self._entropy, public=public)

    def attempt(self, index: int) -> str:
        """Return the identity of an attempt by the order of first reports."""
        catch_up(self.replay, self.ledger)
        return list(self.replay.attempts.latest)[index]

    def corrects(self, attempt: str, by: str = "ben", **values: str) -> int:
        """Correct an attempt."""
        reason = "the category was misread"
        made = correct(self.ledger, self.replay, attempt, values, reason, [key(by)], **self._edge)
        return made.seq

    def excludes(self, attempt: str, by: str = "ben") -> int:
        """Exclude an attempt."""
        evidence, reason = [attempt, "ticket 7"], "the host was rebooted by its owner"
        made = exclude(
            self.ledger,
            self.replay,
            attempt,
            "infrastructure",
            reason,
            evidence,
            [key(by)],
            **self._edge,
        )
        return made.seq

    def invalidates(self, scenario: str = "w", version: int = 1, by: str = "ben") -> int:
        """Invalidate a version of a task."""
        reason, evidence = "the verifier accepted a dry well", ["ticket 8"]
        made = invalidate(
            self.ledger,
            self.replay,
            scenario,
            version,
            reason,
            evidence,
            [key(by)],
            unreported=True,
            **self._edge,
        )
        return made.seq

    def withdraws(self, source: int, by: str = "ben", *, reinstate: bool = False) -> int:
        """Withdraw a source."""
        reason = "its publisher retracted it"
        made = withdraw(
            self.ledger,
            self.replay,
            source,
            reason,
            [key(by)],
            reinstate=reinstate,
            **self._edge,
        )
        return made.seq

    def source(self, index: int) -> int:
        """Return the number of a source by the order of imports."""
        catch_up(self.replay, self.ledger)
        return list(self.replay.attempts.sources)[index]

    def redacts(self, *slots: tuple[int, str], by: str = "ben") -> int:
        """Redact slots."""
        made = redact(
            self.ledger, self.replay, slots, "privacy", "it names a person", [key(by)], **self._edge
        )
        return made.seq

    def freezes(self, edition: str = EDITION, releases: Sequence[str] = ()) -> None:
        """Freeze an edition."""
        freeze(
            self.ledger,
            self.replay,
            edition,
            releases,
            [key("ada")],
            status="final",
            **self._edge,
        )

    def draft(self) -> Draft:
        """Return the newest edition in parts, without the folder's name in it."""
        draft = draft_of(self.ledger, KEYS)
        for one in draft.rows:
            if "path" in one.blobs:
                one.blobs["path"] = (one.blobs["path"][0], b"release.json")
            if one.type == "record.quarantined/1":
                salt, reason = one.blobs["reason"]
                one.blobs["reason"] = (salt, reason.replace(bytes(self._folder) + b"/", b""))
        return draft

    @property
    def _edge(self) -> dict[str, Any]:
        return {"at": AT, "entropy": self._entropy}


@contextmanager
def world(seed: str = "a", first: TrustRoot | None = None) -> Iterator[World]:
    """Give a world that is gone when the block ends; so memory will do for a disk."""
    memory = "/dev/shm"  # noqa: S108 - a folder with a name of its own is made in it
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        made = World(Path(folder), seed, first)
        with made.ledger:
            yield made


def plain(*rows: dict[str, Any]) -> Draft:
    """Return the draft of an edition with *rows*, or with one attempt, which failed."""
    with world() as made:
        made.imports(release(rows or [row(1, **FAILED)]))
        made.freezes()
        return made.draft()
