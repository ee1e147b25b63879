"""Observations: what a source or a recorder says happened; unsigned (``specs/events.md``).

Fields stand in the canonical order of their names (length first, then bytes), so that a struct
becomes canonical CBOR without sorting. A test holds every struct to it.
"""

from typing import ClassVar, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from .fields import Amount, Blobs, Category, Count, Digest, Identifier, Instant, Pointer, Quantity

RowFlag: TypeAlias = Literal[
    "category_not_a_word",
    "cost_negative",
    "cost_not_finite",
    "cost_out_of_range",
    "duration_over_timeout",
    "failed_without_category",
    "finished_before_started",
    "reward_contradicts_phases",
    "source_ambiguous",
    "spend_on_unavailable",
    "unavailable_after_progress",
    "unavailable_without_category",
    "zero_cost_nothing_ran",
]
"""What is odd about one row; the row is kept (``protocols`` of the source's own rules)."""

ReleaseFlag: TypeAlias = Literal[
    "aggregate_mismatch",
    "attempt_number_repeated",
    "categories_do_not_add_up",
    "conditions_contradicted",
    "fewer_than_3_attempts",
    "incomplete_rectangle",
    "names_alike",
]
"""What is odd about a release as a whole."""


class SourceImported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A foreign file was read.

    Attributes:
        name: What the file says it is, for example a release's version.
        rows: Records found in it, quarantined ones included.
        blobs: ``digest`` (SHA-256 of the file, 32 bytes), ``path`` (as it was given),
            ``unmapped`` (JSON list of pointers to fields nobody reads), when there are any.
        format: The format's name and version.
        sha256: Of the whole file, only when the importer was told that the source is public.
        importer: Name and version of the importer, which verifying names again.
        size_bytes: Of the whole file.
        supersedes: Sequence number of the source that this one replaces, or null.
    """

    wire: ClassVar[str] = "source.imported/1"
    name: Identifier
    rows: Count
    blobs: Blobs | UnsetType = UNSET
    format: Identifier
    sha256: Digest | None
    importer: Identifier
    size_bytes: Count
    supersedes: Count | None


class AgentHarness(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The harness that drove the agent, as the release names it."""

    id: Identifier
    billing: Identifier | None
    version: Identifier | None
    provider: Identifier | None


class ReleaseReported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A source published a release: the conditions that its rows share.

    Attributes:
        tier: smoke, core, full, frontier, unclassified; null where the release says none.
        agent: [name, adapter, payload].
        blobs: ``record``: the file with each row replaced by its index.
        flags: [flag, how often, pointer to the first], sorted.
        suite: Name of the matrix.
        source: Sequence number of the ``source.imported/1`` it comes from.
        release: Its version; rows name it.
        per_cell: Attempts planned per system and scenario.
        packs: Scenario packs, [id, version].
        harness: The agent's harness, null in releases that name none.
        timeout_s: Limit on the agent's time, seconds.
        matrices: Names of the source matrices it was assembled from.
        input_mode: text or visual; absent means text.
        adapter_release: Release of the adapter, or null.
        comparability: SHA-256 over everything that must be equal before rows share a table.
        harness_versions: Of the host harness, ascending.
    """

    wire: ClassVar[str] = "release.reported/1"
    tier: Identifier | None
    agent: tuple[Identifier | None, Identifier | None, Identifier | None]
    blobs: Blobs | UnsetType = UNSET
    flags: list[tuple[ReleaseFlag, Count, Pointer]]
    packs: list[tuple[Identifier, Identifier | None]]
    suite: Identifier | None
    source: Count
    harness: AgentHarness | None
    release: Identifier
    matrices: list[Identifier]
    per_cell: Count | None
    timeout_s: Quantity | None
    input_mode: Identifier
    comparability: Digest
    adapter_release: Identifier | None
    harness_versions: list[Count]


class Usage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tokens and money as the source wrote them; whether input includes cache is unknown.

    A null is a value that the source does not report, never a zero.
    """

    cost_usd: Amount | None
    input_tokens: Count | None
    output_tokens: Count | None
    reasoning_tokens: Count | None
    cache_read_tokens: Count | None
    cache_creation_tokens: Count | None
    subscription_usage_usd: Amount | None


class AfterTimeout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the verifier found after the agent's time had run out; recorded, never scored."""

    durable_repair: bool | None
    failure_category: Category | None


class Phases(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the repair held at once, after a service restart and after a host reboot."""

    host_reboot: bool | None
    immediate_http: bool | None
    service_restart: bool | None
    after_agent_timeout: AfterTimeout | None


class Recording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Counts and seconds of the agent's rounds and tool calls; names are the source's."""

    tool_calls: Count | None
    model_rounds: Count | None
    tool_duration_seconds: Quantity | None
    model_duration_seconds: Quantity | None
    total_duration_seconds: Quantity | None
    first_non_read_only_tool_seconds: Quantity | None
    post_first_non_read_only_seconds: Quantity | None


class AttemptReported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a release reports an attempt; the same attempt may stand in several releases.

    Attributes:
        agent: The agent's name.
        blobs: ``record``: the row's own bytes.
        flags: What is odd about it, sorted, each once.
        index: Place of the row in its release, from 0.
        model: The model's name.
        usage: Tokens and money, or null.
        absent: Names of known optional fields that the row does not have, sorted.
        matrix: The one source matrix that fits, else null.
        number: Attempt number within its cell, from 1.
        reward: 0 or 1, as written.
        run_id: The source's own name for it, which repeats across releases.
        source: Sequence number of the ``source.imported/1`` it comes from.
        status: evaluated or unavailable, as the source says.
        attempt: Identity of the trial (``specs/importers.md``).
        release: Version of the release it stands in.
        failed_text: Whether the row gives a failure in prose; the prose stays in the blob.
        phases: The three verification phases.
        scenario: Name of the scenario.
        recording: Rounds and tool calls, or null.
        started_at, finished_at: As reported.
        scenario_version: Of the scenario.
        failure_category: The source's word, or null.
        reasoning_effort: The source's word, or null.
        agent_timeout_s, agent_duration_s: Seconds.
    """

    wire: ClassVar[str] = "attempt.reported/1"
    agent: Identifier
    blobs: Blobs | UnsetType = UNSET
    flags: list[RowFlag]
    index: Count
    model: Identifier
    usage: Usage | None
    absent: list[Identifier]
    matrix: Identifier | None
    number: Count
    phases: Phases | None
    reward: Literal[0, 1]
    run_id: Identifier
    source: Count
    status: Literal["evaluated", "unavailable"]
    attempt: Identifier
    release: Identifier
    scenario: Identifier
    recording: Recording | None
    started_at: Instant
    failed_text: bool
    finished_at: Instant
    agent_timeout_s: Quantity | None
    agent_duration_s: Quantity | None
    failure_category: Category | None
    reasoning_effort: Category | None
    scenario_version: Count


class CorrectionReported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A source says that it corrected a row; an observation, not a decision of this ledger.

    Attributes:
        blobs: ``record``: the correction's own bytes, prose included.
        index: Place in the source's list, from 0.
        author: Always null: the format carries none.
        fields: Names of the changed fields, sorted.
        run_id: The row it names.
        source: Sequence number of the ``source.imported/1`` it comes from.
        attempt: The attempt, where exactly one row of the release has that run_id.
        release: Version of the release.
        category: [original, corrected] category, null where the correction has none.
        decided_at: Always null: the format carries none.
    """

    wire: ClassVar[str] = "correction.reported/1"
    blobs: Blobs | UnsetType = UNSET
    index: Count
    author: None
    fields: list[Identifier]
    run_id: Identifier
    source: Count
    attempt: Identifier | None
    release: Identifier
    category: tuple[Category | None, Category | None]
    decided_at: None


class RecordQuarantined(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record could not be read; its bytes are kept and the reason is named.

    Attributes:
        blobs: ``record``: the record's own bytes; ``reason``: the message in full.
        code: The error's code.
        source: Sequence number of the ``source.imported/1`` it comes from.
        pointer: Where in the file the fault stands.
    """

    wire: ClassVar[str] = "record.quarantined/1"
    code: Identifier
    blobs: Blobs | UnsetType = UNSET
    source: Count
    pointer: Pointer


ImportObservation: TypeAlias = (
    SourceImported | ReleaseReported | AttemptReported | CorrectionReported | RecordQuarantined
)

RECORD = "record"
"""The slot of what was imported, for the raw record whose fields an entry repeats."""

MAX_RECORD_BYTES = 16 * 2**20
"""The longest raw record that an importer keeps, and that a verifier reads again."""

DIGEST = "digest"
"""The slot with the SHA-256 of a source that nobody called public, 32 bytes."""
