"""Every event type in use, by its wire name (``specs/events.md``)."""

from .decided import (
    DECISIONS,
    AttemptCorrected,
    AttemptExcluded,
    Decision,
    DisclosureRedacted,
    EditionFrozen,
    PolicyFrozen,
    TrustAdopted,
)
from .observed import (
    OBSERVATIONS,
    AfterTimeout,
    AgentHarness,
    AttemptReported,
    CorrectionReported,
    Observation,
    Phases,
    Recording,
    RecordQuarantined,
    ReleaseReported,
    SourceImported,
    Usage,
)

__all__ = [
    "DECISIONS",
    "OBSERVATIONS",
    "AfterTimeout",
    "AgentHarness",
    "AttemptCorrected",
    "AttemptExcluded",
    "AttemptReported",
    "CorrectionReported",
    "Decision",
    "DisclosureRedacted",
    "EditionFrozen",
    "Observation",
    "Phases",
    "PolicyFrozen",
    "RecordQuarantined",
    "Recording",
    "ReleaseReported",
    "SourceImported",
    "TrustAdopted",
    "Usage",
]
