"""The numbered steps of verifying a bundle (``specs/verify.md``)."""

from enum import StrEnum


class Step(StrEnum):
    """A step, in the order in which a fault at one offset is reported."""

    LIMITS = "limits"
    FRAMING = "framing"
    CANONICAL = "canonical"
    CHAIN = "chain"
    DOCUMENTS = "documents"
    AUTHORITY = "authority"
    DISCLOSURES = "disclosures"
    EXTRACTION = "extraction"
    ROOT = "root"
    CHECKPOINT = "checkpoint"
    CONSISTENCY = "consistency"
    WITNESSES = "witnesses"
    MANIFEST = "manifest"
    FIGURES = "figures"
    SIGNATURES = "signatures"
    POLICY = "policy"


NOT_PROVED = (
    "that the benchmark was fair, or its tasks sound",
    "that what was observed is true: the ledger keeps what sources and recorders said",
    "that fields whose raw records are withheld were read correctly",
    "that every attempt was recorded: only that none below this size was removed or changed since",
    "that nothing was decided after this size: give a newer bundle or a kept checkpoint",
    "that this program is correct: specs/ is written for others to check it",
)
"""What even a valid bundle does not prove; part of every verdict."""

ONE_HISTORY = (
    "that the holders of the keys wrote no other history before they showed you this one:"
    " keep checkpoints and give one with --since, or ask for witnesses"
)
"""Not proved either, unless a kept checkpoint or a witness bears the history out."""


def verdicts_not_computed(count: int) -> str:
    """Return what is not proved of *count* verdicts on runs: a run is judged by all its files."""
    which = (
        "the verdict on a run follows" if count == 1 else f"the {count:,} verdicts on runs follow"
    )
    return (
        f"that {which} from what was recorded: nothing here computed it again; `coldledger"
        " restore`, then `coldledger replay --check`, does as far as bytes are disclosed"
    )


# Once the checkpoint holds, every entry, document and disclosure has been looked at.
OF_ENTRIES = (
    Step.CANONICAL,
    Step.CHAIN,
    Step.DOCUMENTS,
    Step.AUTHORITY,
    Step.DISCLOSURES,
    Step.EXTRACTION,
    Step.ROOT,
)
