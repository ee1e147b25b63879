"""Events made for tests of figures: short to write, complete as the wire wants them."""

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.events import (
    AfterTimeout,
    AttemptCorrected,
    AttemptExcluded,
    AttemptReported,
    CorrectionReported,
    Decision,
    Observation,
    Phases,
    PolicyFrozen,
    ReleaseReported,
    SourceImported,
    SourceWithdrawn,
    TaskInvalidated,
    Usage,
)
from ledger.identity import attempt_id

Event = Observation | Decision
KEY = bytes(32)
OTHER_KEY = b"\x01" * 32


class Made:
    """Events in ledger order, each made by a method that returns its number."""

    def __init__(self) -> None:
        self.events: list[tuple[int, Event]] = []

    @property
    def size(self) -> int:
        """Number of the next event."""
        return len(self.events)

    def add(self, event: Event) -> int:
        """Append any event."""
        seq = self.size
        self.events.append((seq, event))
        return seq

    def source(self, name: str, supersedes: int | None = None) -> int:
        """A file was read."""
        return self.add(
            SourceImported(
                name=name,
                rows=0,
                format="replaybook-release/1",
                sha256=None,
                importer="replaybook/1",
                size_bytes=1,
                supersedes=supersedes,
            )
        )

    def release(self, name: str, source: int, key: bytes = KEY) -> int:
        """The file reports a release."""
        return self.add(
            ReleaseReported(
                tier=None,
                agent=("claux", None, None),
                flags=[],
                packs=[],
                suite=None,
                source=source,
                harness=None,
                release=name,
                matrices=[],
                per_cell=3,
                timeout_s="900",
                input_mode="text",
                comparability=key,
                adapter_release=None,
                harness_versions=[11],
            )
        )

    def imported(
        self,
        name: str,
        rows: Iterable[AttemptReported],
        *,
        key: bytes = KEY,
        supersedes: int | None = None,
    ) -> int:
        """A file with *rows* was imported; returns the number of its source."""
        source = self.source(name, supersedes)
        self.release(name, source, key)
        for index, one in enumerate(rows):
            self.add(placed(one, name, source, index))
        return source

    def reported_correction(self, release: str, attempt: str, source: int = 0) -> int:
        """A source says that it corrected a row."""
        return self.add(
            CorrectionReported(
                index=0,
                author=None,
                fields=["failure_category"],
                run_id="r",
                source=source,
                attempt=attempt,
                release=release,
                category=("a", "b"),
                decided_at=None,
            )
        )

    def corrected(self, attempt: str, **now: int | str | None) -> int:
        """A maintainer replaced fields of an attempt."""
        return self.add(
            AttemptCorrected(
                v=1,
                log="example.org/log",
                type="attempt.corrected/1",
                nonce=bytes(16),
                target=[],
                attempt=attempt,
                changes=[(field, None, value) for field, value in sorted(now.items())],
            )
        )

    def excluded(self, attempt: str, cause: str = "infrastructure") -> int:
        """A maintainer excluded an attempt."""
        return self.add(
            AttemptExcluded(
                v=1,
                log="example.org/log",
                type="attempt.excluded/1",
                nonce=bytes(16),
                target=[],
                attempt=attempt,
                cause=cause,
                evidence=[],
            )
        )

    def invalidated(self, scenario: str, version: int = 1) -> int:
        """A maintainer invalidated a version of a task."""
        return self.add(
            TaskInvalidated(
                v=1,
                log="example.org/log",
                type="task.invalidated/1",
                nonce=bytes(16),
                target=[],
                evidence=[],
                scenario=scenario,
                scenario_version=version,
            )
        )

    def withdrawn(self, source: int, reinstates: int | None = None) -> int:
        """A maintainer withdrew a source."""
        return self.add(
            SourceWithdrawn(
                v=1,
                log="example.org/log",
                type="source.withdrawn/1",
                nonce=bytes(16),
                target=[],
                source=source,
                reinstates=reinstates,
            )
        )

    def frozen(self, policy: str, digest: bytes) -> int:
        """A policy was put in force."""
        return self.add(
            PolicyFrozen(
                v=1,
                log="example.org/log",
                type="policy.frozen/1",
                nonce=bytes(16),
                target=[],
                doc=digest,
                policy=policy,
            )
        )


def row(
    number: int = 1,
    *,
    model: str = "m",
    effort: str | None = None,
    scenario: str = "s",
    status: str = "evaluated",
    reward: int = 1,
    category: str | None = None,
    cost: str | None = None,
    subscription: str | None = None,
    tokens: int | None = None,
    usage: bool = True,
    duration: str | None = None,
    late: bool | None = None,
    flags: Iterable[str] = (),
) -> AttemptReported:
    """Return a row, whose attempt is told by model, effort, scenario and number."""
    attempt = attempt_id(
        agent="claux",
        model=model,
        effort=effort,
        scenario=scenario,
        version=1,
        number=number,
        started_at="2026-08-10T16:30:04.000000Z",
        finished_at="2026-08-10T16:31:46.000000Z",
    )
    return AttemptReported(
        agent="claux",
        flags=sorted(flags),
        index=0,
        model=model,
        usage=Usage(
            cost_usd=cost,
            input_tokens=tokens,
            output_tokens=tokens,
            reasoning_tokens=None,
            cache_read_tokens=tokens,
            cache_creation_tokens=None,
            subscription_usage_usd=subscription,
        )
        if usage
        else None,
        absent=[],
        matrix=None,
        number=number,
        phases=None
        if late is None
        else Phases(
            host_reboot=False,
            immediate_http=False,
            service_restart=False,
            after_agent_timeout=AfterTimeout(durable_repair=late, failure_category=None),
        ),
        reward=reward,
        run_id=f"{scenario}-{model}-{number}",
        source=0,
        status=status,
        attempt=attempt,
        release="v",
        scenario=scenario,
        recording=None,
        started_at="2026-08-10T16:30:04.000000Z",
        failed_text=False,
        finished_at="2026-08-10T16:31:46.000000Z",
        agent_timeout_s="900",
        agent_duration_s=duration,
        failure_category=category,
        reasoning_effort=effort,
        scenario_version=1,
    )


def placed(one: AttemptReported, release: str, source: int, index: int) -> AttemptReported:
    """Return the row as it stands in a release."""
    fields = {name: getattr(one, name) for name in AttemptReported.__struct_fields__}
    return AttemptReported(**fields | {"release": release, "source": source, "index": index})


def identity_of(fields: Mapping[str, Any]) -> str:
    """Return the identity that the fields of a reported attempt give (EVENT-45)."""
    return attempt_id(
        agent=fields["agent"],
        model=fields["model"],
        effort=fields["reasoning_effort"],
        scenario=fields["scenario"],
        version=fields["scenario_version"],
        number=fields["number"],
        started_at=fields["started_at"],
        finished_at=fields["finished_at"],
    )
