"""Observations of cold-start runs: files, records, and what was concluded (``specs/events.md``).

Fields stand in the canonical order of their names, as in ``observed``.
"""

from typing import ClassVar, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from .fields import Blobs, Count, Digest, Identifier, Instant

FileRole: TypeAlias = Literal[
    "agent_logger",
    "answer",
    "artifact",
    "configuration",
    "derivations",
    "evidence",
    "fixture",
    "import",
    "manifest",
    "normalized",
    "oracle",
    "preflight",
    "restore",
    "reviews",
    "task",
    "test_mod",
    "trajectory",
    "visibility",
    "visible",
    "withheld",
]
"""What a file of a run is for (``specs/runs.md``)."""

FileState: TypeAlias = Literal["present", "absent", "withheld", "refused"]

Status: TypeAlias = Literal["PASS", "FAIL", "PENDING", "NOT_APPLICABLE"]

FailureClass: TypeAlias = Literal["AGENT_FAIL", "FIXTURE_INVALID", "INFRA_ERROR"]


class FileObserved(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of a run was looked at; its new records follow.

    Attributes:
        run: The run's own name for itself.
        kept: So many records from the start are those of the superseded version.
        role: What the file is for.
        blobs: ``path`` (as the run names it), ``digest`` and ``canonical`` (SHA-256 of the file,
            and with CR LF read as LF, 32 bytes each) where it is present; ``content``: its bytes,
            unless it is read line by line; ``why``: a sentence, where it is not present.
        state: Whether its bytes were at hand.
        reader: Name and version of what read it, which verifying names again.
        records: How many records it has, those that were kept included.
        size_bytes: Of the whole file, or null.
        supersedes: The event of the version that this one replaces, or null.
    """

    wire: ClassVar[str] = "file.observed/1"
    run: Identifier
    kept: Count
    role: FileRole
    blobs: Blobs | UnsetType = UNSET
    state: FileState
    reader: Identifier
    records: Count
    size_bytes: Count | None
    supersedes: Count | None


class TrajectoryRecorded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a trajectory.

    Attributes:
        at: As recorded, or null: absent or no time.
        seq: The recorder's own number, or null.
        kind: header, call, result, phase, mark, or another word; null where there is none.
        line: Its place in the file, from 0.
        name: Of a mark.
        tick: Of the world's clock, or null.
        tool: Of a call.
        actor: Who acted.
        blobs: ``line``: the line's own bytes, its end included.
        fault: What is wrong with the line by itself, a word, or null.
        phase: Of the run.
        run_id: As the line says, or null.
        source: The event of its file.
        status: Of a result.
        call_id: Of calls and results.
        instance, dimension: Where, or null.
    """

    wire: ClassVar[str] = "trajectory.recorded/1"
    at: Instant | None
    seq: Count | None
    kind: Identifier | None
    line: Count
    name: Identifier | None
    tick: Count | None
    tool: Identifier | None
    actor: Identifier | None
    blobs: Blobs | UnsetType = UNSET
    fault: Identifier | None
    phase: Identifier | None
    run_id: Identifier | None
    source: Count
    status: Identifier | None
    call_id: Identifier | None
    instance: Identifier | None
    dimension: Identifier | None


class EvidenceRecorded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of an evidence stream: of the test side, of the agent's logger, or a view of it.

    Attributes:
        at, seq, tick: As written, through their aliases; null where absent or malformed.
        line: Its place in the file, from 0.
        uuid: Of the thing it is about.
        actor: Who acted.
        blobs: ``line``: the line's own bytes, its end included.
        event: What happened, the stream's word.
        fault: What is wrong with the line by itself, a word, or null.
        run_id: As the line says, or null.
        source: The event of its file.
        instance, dimension: Where, or null.
    """

    wire: ClassVar[str] = "evidence.recorded/1"
    at: Instant | None
    seq: Count | None
    line: Count
    tick: Count | None
    uuid: Identifier | None
    actor: Identifier | None
    blobs: Blobs | UnsetType = UNSET
    event: Identifier | None
    fault: Identifier | None
    run_id: Identifier | None
    source: Count
    instance: Identifier | None
    dimension: Identifier | None


class ReviewReported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a run's reviews; an observation, which nobody signed.

    Attributes:
        at: When it says it was made.
        line: Its place in the file, from 0.
        refs: How many references it cites as evidence, or null.
        blobs: ``line``: the line's own bytes, its end included.
        fault: What is wrong with the line by itself, a word, or null.
        review: The required review that it answers.
        source: The event of its file.
        status: resolved, rejected, pending, or another word.
    """

    wire: ClassVar[str] = "review.reported/1"
    at: Instant | None
    line: Count
    refs: Count | None
    blobs: Blobs | UnsetType = UNSET
    fault: Identifier | None
    review: Identifier | None
    source: Count
    status: Identifier | None


class DerivationReported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a run's derivations: a file was made from others.

    Attributes:
        at: When it says it was made.
        line: Its place in the file, from 0.
        tool: What made it.
        blobs: ``line``: the line's own bytes, its end included.
        fault: What is wrong with the line by itself, a word, or null.
        inputs: From how many files, or null.
        source: The event of its file.
        producer: Who ran the tool.
    """

    wire: ClassVar[str] = "derivation.reported/1"
    at: Instant | None
    line: Count
    tool: Identifier | None
    blobs: Blobs | UnsetType = UNSET
    fault: Identifier | None
    inputs: Count | None
    source: Count
    producer: Identifier | None


class ItemDeclared(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document of a run names a file: evidence, an artifact, an import, a visible document.

    Attributes:
        line: Its place among those that the document names, from 0.
        slot: Of evidence: its slot; else null.
        blobs: ``line``: the bytes that name it, as they stand in the document.
        fault: What is wrong with it by itself, a word, or null.
        phase: Of an artifact.
        source: The event of its document.
        size_bytes: As declared, or null.
    """

    wire: ClassVar[str] = "item.declared/1"
    line: Count
    slot: Identifier | None
    blobs: Blobs | UnsetType = UNSET
    fault: Identifier | None
    phase: Identifier | None
    source: Count
    size_bytes: Count | None


class AuditConcluded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An audit came to a verdict about a run, by rules that are frozen in the log.

    Attributes:
        run: The run.
        blobs: ``verdict``: the verdict in full, canonical CBOR (``specs/audit.md``).
        flags: [flag, status], in the order of the rules.
        rules: SHA-256 of the rules, a policy of the log.
        auditor: Name and version of what judged.
        overall: Of the run.
        reviews: The signed reviews that were looked at, ascending.
        sources: The files that were looked at, ascending.
        supersedes: The event of the verdict on this run before it, or null.
        failure_class: Why it failed, or null.
    """

    wire: ClassVar[str] = "audit.concluded/1"
    run: Identifier
    blobs: Blobs | UnsetType = UNSET
    flags: list[tuple[Identifier, Status]]
    rules: Digest
    auditor: Identifier
    overall: Literal["PASS", "FAIL", "PENDING"]
    reviews: list[Count]
    sources: list[Count]
    supersedes: Count | None
    failure_class: FailureClass | None


RunRecord: TypeAlias = (
    TrajectoryRecorded | EvidenceRecorded | ReviewReported | DerivationReported | ItemDeclared
)
"""An event that is a record of a file."""

RunObservation: TypeAlias = FileObserved | RunRecord | AuditConcluded

RUN_OBSERVATIONS: tuple[type[RunObservation], ...] = (
    FileObserved,
    TrajectoryRecorded,
    EvidenceRecorded,
    ReviewReported,
    DerivationReported,
    ItemDeclared,
    AuditConcluded,
)

RECORDS: tuple[type[RunRecord], ...] = (
    TrajectoryRecorded,
    EvidenceRecorded,
    ReviewReported,
    DerivationReported,
    ItemDeclared,
)
"""Events that follow the file they were read from, one for each of its new records."""

RECORD_OF: dict[FileRole, type[RunRecord]] = {
    "agent_logger": EvidenceRecorded,
    "derivations": DerivationReported,
    "evidence": ItemDeclared,
    "manifest": ItemDeclared,
    "normalized": EvidenceRecorded,
    "reviews": ReviewReported,
    "test_mod": EvidenceRecorded,
    "trajectory": TrajectoryRecorded,
    "visibility": ItemDeclared,
    "withheld": ItemDeclared,
}
"""Role to the events that a file's records are; files of other roles have none (EVENT-73)."""

STREAM_ROLES: frozenset[FileRole] = frozenset(
    role for role, struct in RECORD_OF.items() if struct is not ItemDeclared
)
"""Roles of the files that are read line by line; their bytes are those of their records."""

MANY: frozenset[FileRole] = frozenset(("artifact", "configuration", "import", "visible"))
"""Roles of which a run has any number of files; of every other it has one (EVENT-76)."""

PATH, CANONICAL, CONTENT, WHY = "path", "canonical", "content", "why"
"""Slots of a file, beside ``digest``."""

LINE = "line"
"""The slot of a record of a run, for its own bytes: no published row, so not ``record``."""

VERDICT = "verdict"
"""The slot with a verdict in full."""
