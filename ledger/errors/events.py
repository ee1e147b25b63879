"""Entries, the chain and decisions: what may not stand in a log."""

from canon.refusal import Refusal


class ShapeInvalid(Refusal):
    """An item is canonical CBOR but not of the shape its type has."""

    code = "E_SHAPE"
    remedy = "ask whoever made it for one that follows the CDDL in specs/cddl"


class EventTypeUnknown(Refusal):
    """An entry's type is none that this version knows."""

    code = "E_EVENT_TYPE"
    remedy = "verify with a version of coldledger that knows the type"


class EventsMalformed(Refusal):
    """A document with events to append is no JSON or TOML, or holds none."""

    code = "E_EVENTS"
    remedy = "write one event, or a list of them under `events`; `coldledger schema` has examples"


class AppendedByCommand(Refusal):
    """An event of that type is appended by a command, since something else goes with it."""

    code = "E_BY_COMMAND"
    remedy = "use the command that appends it"


class ChainBroken(Refusal):
    """An entry's log, seq or prev is not what the entries before it give."""

    code = "E_CHAIN"
    remedy = (
        "keep this file as evidence; go on from the newest backup that"
        " `coldledger replay --check` accepts"
    )


class DecisionMismatch(Refusal):
    """A decision is of another type than its entry, or its actor is not the deciding role."""

    code = "E_DECISION"
    remedy = "append the decision under its own type, by the role that the trust root names"


class DecisionReplayed(Refusal):
    """A decision was used before, or was made for another log."""

    code = "E_REPLAY"
    remedy = "sign a new decision; each can be used once, in the log that it names"


class DecisionExpired(Refusal):
    """A decision was appended after the size that it allows."""

    code = "E_UNTIL"
    remedy = "sign the decision again, in view of what was appended since"


class TargetMismatch(Refusal):
    """A decision was not made in view of the entries that it has to be made in view of."""

    code = "E_TARGET"
    remedy = "make the decision again in this ledger, after what it amends"


class AttemptUnknown(Refusal):
    """No attempt has that identity."""

    code = "E_ATTEMPT_UNKNOWN"
    remedy = "list identities with `coldledger attempts`"


class EventUnknown(Refusal):
    """The ledger has no event of that number, or no bytes in that slot of it."""

    code = "E_EVENT_UNKNOWN"
    remedy = "list events with `coldledger log`"


class NameUnknown(Refusal):
    """Nothing in the ledger has that name, or several things have."""

    code = "E_NAME_UNKNOWN"
    remedy = (
        "list names with `coldledger attempts`, `coldledger source list`, `coldledger run list` and"
        " `coldledger status`;"
        " put the kind before a name that several things have, as edition:NAME"
    )


class CorrectionInvalid(Refusal):
    """A correction changes nothing, or not what stands there."""

    code = "E_CORRECTION"
    remedy = "look at the attempt with `coldledger attempts`, and give a value that differs"


class ReasonMissing(Refusal):
    """A decision gives no reason, or no evidence where it needs some."""

    code = "E_REASON"
    remedy = "say why with --reason, and what bears it out with --evidence"


class EvidenceInvalid(Refusal):
    """Evidence is empty, or looks like a name of this ledger that it does not have."""

    code = "E_EVIDENCE"
    remedy = (
        "give an attempt or the number of an event of this ledger; begin a reference outside it"
        " with a word, such as `ticket 12`"
    )


class ExcludedAlready(Refusal):
    """The attempt is excluded, for the same class of reason."""

    code = "E_EXCLUDED"
    remedy = "nothing is left to do: an exclusion stands, and another class would replace its own"


class TaskUnknown(Refusal):
    """No attempt is reported at that version of a task."""

    code = "E_TASK_UNKNOWN"
    remedy = (
        "list tasks with `coldledger leaderboard --tasks`; to invalidate a version before anything"
        " of it is reported, give --unreported"
    )


class InvalidatedAlready(Refusal):
    """The version of the task is invalidated."""

    code = "E_INVALIDATED"
    remedy = "nothing is left to do: an invalidation stands, also for what is reported later"


class SourceUnknown(Refusal):
    """No source has that number, name or digest."""

    code = "E_SOURCE_UNKNOWN"
    remedy = "list sources with `coldledger source list`"


class WithdrawalInvalid(Refusal):
    """A source was withdrawn before, or its withdrawal reinstates what it cannot."""

    code = "E_WITHDRAWAL"
    remedy = "look at the source with `coldledger source list`; a withdrawal stands"


class PolicyVersion(Refusal):
    """A policy is frozen where another of its name is in force that is not older."""

    code = "E_POLICY_VERSION"
    remedy = "give the changed rules a higher version: a name and a version mean one document"


class PolicyMismatch(Refusal):
    """A policy is frozen under another name than its document bears."""

    code = "E_POLICY_NAME"
    remedy = "freeze the document under the name that stands in it"


class FreezeStale(Refusal):
    """An edition was frozen at another size than it names."""

    code = "E_STALE"
    remedy = "freeze again: the log grew meanwhile"


class FreezeRoot(Refusal):
    """A freeze names another tree root than the entries below it have."""

    code = "E_FREEZE_ROOT"
    remedy = "refuse the edition: its publisher signed another history"


class EditionExists(Refusal):
    """Two editions have the same name, or a new one has a name that means something else."""

    code = "E_EDITION_NAME"
    remedy = "choose another name; `coldledger status` lists those taken"


class EditionUnknown(Refusal):
    """No edition and no release has that name."""

    code = "E_EDITION_UNKNOWN"
    remedy = "list names with `coldledger status`"


class NothingToFreeze(Refusal):
    """An edition would have no attempts; an empty set proves nothing."""

    code = "E_EMPTY"
    remedy = (
        "import results first, or name a release with --from; an edition fixes figures of attempts:"
        " runs alone are handed out with `coldledger backup`, or in an edition once there are"
        " attempts"
    )


class RedactionInvalid(Refusal):
    """A redacted slot is filled, was redacted before, or never existed."""

    code = "E_REDACTION"
    remedy = "leave the slot empty: a redaction is for good"
