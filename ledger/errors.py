"""Refusals of the ledger: one class, one code each (``specs/errors.md``)."""

from canon.refusal import Refusal


# -- entries and the chain
class ShapeInvalid(Refusal):
    """An item is canonical CBOR but not of the shape its type has."""

    code = "E_SHAPE"
    remedy = "ask whoever made it for one that follows the CDDL in specs/cddl"


class EventTypeUnknown(Refusal):
    """An entry's type is none that this version knows."""

    code = "E_EVENT_TYPE"
    remedy = "verify with a version of coldledger that knows the type"


class ChainBroken(Refusal):
    """An entry's log, seq or prev is not what the entries before it give."""

    code = "E_CHAIN"
    remedy = "keep this file as evidence; restore the newest backup that `replay --check` accepts"


# -- the ledger file
class LedgerMissing(Refusal):
    """There is no ledger where one was looked for."""

    code = "E_LEDGER_MISSING"
    remedy = "give the path with --ledger or COLDLEDGER, or make one with `coldledger init`"


class LedgerExists(Refusal):
    """Something stands where a new file was to be made."""

    code = "E_EXISTS"
    remedy = "choose another path; nothing is ever overwritten"


class NotALedger(Refusal):
    """The file is not a ledger of a version that this program reads."""

    code = "E_NOT_A_LEDGER"
    remedy = "give the path of a file that `coldledger init` or `coldledger restore` made"


class LedgerLocked(Refusal):
    """Another process holds the write lock for too long."""

    code = "E_LOCKED"
    remedy = "wait for the other writer to finish, then try again"


class LedgerReadOnly(Refusal):
    """The file or its folder cannot be written, or not even opened."""

    code = "E_READ_ONLY"
    remedy = "give yourself the right to read and write the file and its folder"


class StorageFull(Refusal):
    """The disk is full; nothing of the batch was kept."""

    code = "E_STORAGE_FULL"
    remedy = "make room and try again; the ledger is as it was before"


class LedgerCorrupt(Refusal):
    """The file's own tables contradict each other."""

    code = "E_LEDGER_CORRUPT"
    remedy = "run `coldledger replay --check` to see where; restore the newest good backup"


class LedgerStale(Refusal):
    """The ledger grew between reading it and appending to it."""

    code = "E_LEDGER_GREW"
    remedy = "try again: another writer was faster"


# -- decisions
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


class CorrectionInvalid(Refusal):
    """A correction changes nothing, or not what stands there."""

    code = "E_CORRECTION"
    remedy = "look at the attempt with `coldledger attempts`, and give a value that differs"


class FreezeStale(Refusal):
    """An edition was frozen at another size than it names."""

    code = "E_STALE"
    remedy = "freeze again: the log grew meanwhile"


class FreezeRoot(Refusal):
    """A freeze names another tree root than the entries below it have."""

    code = "E_FREEZE_ROOT"
    remedy = "refuse the edition: its publisher signed another history"


class EditionExists(Refusal):
    """Two editions have the same name."""

    code = "E_EDITION_NAME"
    remedy = "choose another name; `coldledger status` lists those taken"


class RedactionInvalid(Refusal):
    """A redacted slot is filled, was redacted before, or never existed."""

    code = "E_REDACTION"
    remedy = "leave the slot empty: a redaction is for good"


# -- documents and trust
class DocumentMismatch(Refusal):
    """A document is missing, has another digest, or is one too many."""

    code = "E_DOCUMENT"
    remedy = "ask for the bundle as it was exported: documents can never be withheld"


class TrustUnpinned(Refusal):
    """No trust root was given, or it does not have the digest that was given."""

    code = "E_TRUST_SOURCE"
    remedy = "get the trust root from its publisher by another way than the bundle"


# -- editions and bundles
class ManifestState(Refusal):
    """A list or policy in the manifest is not what the events give."""

    code = "E_MANIFEST_STATE"
    remedy = "refuse the edition: its publisher signed a manifest that its events contradict"


class ManifestMismatch(Refusal):
    """The manifest is not the one that the freeze at its end names."""

    code = "E_MANIFEST"
    remedy = "ask for the bundle as it was exported"


class FigureMismatch(Refusal):
    """A published figure is not what the events give."""

    code = "E_FIGURE"
    remedy = "refuse the edition: recompute the figure from its events with `coldledger explain`"


class FiguresDigest(Refusal):
    """The digest of the figures is not that of the figures beside it."""

    code = "E_FIGURES_DIGEST"
    remedy = "refuse the edition: its manifest contradicts itself"


class RootMismatch(Refusal):
    """The tree over the entries has another root or size than the checkpoint says."""

    code = "E_ROOT"
    remedy = "ask for the bundle as it was exported: entries were changed at its end"


class CommitmentMismatch(Refusal):
    """Disclosed bytes are not those that the entry committed to."""

    code = "E_COMMITMENT"
    remedy = "ask for the bytes as they were recorded, or for a bundle that withholds them"


class ExtractionMismatch(Refusal):
    """An entry's fields are not what its importer reads from the disclosed record."""

    code = "E_EXTRACT"
    remedy = "refuse the edition: an entry says something else than its source"


class ImporterUnknown(Refusal):
    """An entry names an importer, or a version of one, that this program does not have."""

    code = "E_IMPORTER"
    remedy = "verify with a version of coldledger that has the importer"


class DisclosureUnexpected(Refusal):
    """A disclosure stands where no commitment is, or out of order."""

    code = "E_DISCLOSURE"
    remedy = "ask for the bundle as it was exported"


class PolicyUnmet(Refusal):
    """A condition of the verifier's own policy does not hold."""

    code = "E_CONDITION"
    remedy = "ask the publisher for what the policy demands, or change the policy"


class EditionUnknown(Refusal):
    """No edition and no release has that name."""

    code = "E_EDITION_UNKNOWN"
    remedy = "list names with `coldledger status`"


class NothingToFreeze(Refusal):
    """An edition would have no attempts; an empty set proves nothing."""

    code = "E_EMPTY"
    remedy = "import results first, or name a release with --from"


# -- importers
class SourceMissing(Refusal):
    """There is no file at a path to import."""

    code = "E_SOURCE_MISSING"
    remedy = "check the path; quote it when it holds spaces"


class SourceDirectory(Refusal):
    """A path to import is a folder, and no format that this program reads is one."""

    code = "E_SOURCE_DIRECTORY"
    remedy = "give the file inside the folder"


class SourceUnreadable(Refusal):
    """A file to import cannot be read, or is not a regular file."""

    code = "E_SOURCE_UNREADABLE"
    remedy = "give a regular file that you have the right to read"


class SourceLimit(Refusal):
    """A record, or what its file says around its records, is too large to keep."""

    code = "E_SOURCE_LIMIT"
    remedy = "split the file into smaller releases, each complete in itself"


class FormatUnknown(Refusal):
    """No importer recognises a file by its content."""

    code = "E_FORMAT_UNKNOWN"
    remedy = "give a file of a format that this version reads, or name the format with --format"


class FormatName(Refusal):
    """A format was asked for that this version does not have."""

    code = "E_FORMAT_NAME"
    remedy = "name one of the formats that this version reads, or leave --format out"


class JsonSyntax(Refusal):
    """A file is not JSON."""

    code = "E_JSON"
    remedy = "export the file again as JSON in UTF-8; do not repair it by hand"


class JsonTruncated(Refusal):
    """A file ends before its JSON does."""

    code = "E_JSON_TRUNCATED"
    remedy = "fetch the file again: its end is missing"


class JsonDuplicateKey(Refusal):
    """A key stands twice in one JSON object, so readers would disagree about its value."""

    code = "E_JSON_DUPLICATE_KEY"
    remedy = "ask the source which of the two values is meant"


class JsonDepth(Refusal):
    """Arrays and objects of a JSON text are nested too deep."""

    code = "E_JSON_DEPTH"
    remedy = "ask the source what the nesting means; no known format needs so much"


class SchemaInvalid(Refusal):
    """A file is not of the schema that its format prescribes."""

    code = "E_SCHEMA"
    remedy = "import the file with a version of coldledger that knows its schema"


class FieldMissing(Refusal):
    """A record lacks a field without which it cannot be counted."""

    code = "E_FIELD_MISSING"
    remedy = "ask the source for the record in full"


class FieldInvalid(Refusal):
    """A field of a record has a value of another kind or range."""

    code = "E_FIELD"
    remedy = "ask the source for a corrected record"


class NotFinite(Refusal):
    """A field of a record is NaN or infinite where only a number can be counted."""

    code = "E_NOT_FINITE"
    remedy = "ask the source for the number, or for null where it has none"


class IdentifierInvalid(Refusal):
    """A field that names something holds text that is no name."""

    code = "E_IDENTIFIER"
    remedy = "ask the source for a name of one line, at most 256 bytes of NFC text"


class StatusUnknown(Refusal):
    """A record has a status word that its format does not define."""

    code = "E_STATUS_UNKNOWN"
    remedy = "find out what the word means before the record is counted"


class RewardInvalid(Refusal):
    """A record's reward is neither 0 nor 1."""

    code = "E_REWARD"
    remedy = "ask the source for the verifier's verdict"


class DuplicateRow(Refusal):
    """Two records of one file report the same trial."""

    code = "E_DUPLICATE_ROW"
    remedy = "ask the source which of the two records is meant; the first one counts"


class CorrectionField(Refusal):
    """A reported correction changes a field that its format does not let it change."""

    code = "E_CORRECTION_FIELD"
    remedy = "correct the attempt in this ledger, with an author and a reason"


class CostNegative(Refusal):
    """An amount of money in a record is negative; it counts as unknown."""

    code = "E_COST_NEGATIVE"
    remedy = "ask the source what was paid; until then the cost is unknown, not zero"


class CostNotFinite(Refusal):
    """An amount of money in a record is NaN or infinite; it counts as unknown."""

    code = "E_COST_NOT_FINITE"
    remedy = "ask the source what was paid; a missing amount is written as null"


class CostRange(Refusal):
    """An amount of money in a record is out of range; it counts as unknown."""

    code = "E_COST_RANGE"
    remedy = "ask the source what was paid, in at most 40 digits and an exponent within ±64"


class TimesReversed(Refusal):
    """A record finished before it started; it is kept and flagged."""

    code = "E_FINISHED_BEFORE_STARTED"
    remedy = "ask the source which clock was wrong"


class PathComponentInvalid(Refusal):
    """Text is not a component of a figure's path."""

    code = "E_PATH_COMPONENT"
    remedy = "copy the path from `coldledger leaderboard`; upper-case percent-encoding is needed"


# -- projections
class FigureUnknown(Refusal):
    """No figure has that path."""

    code = "E_FIGURE_UNKNOWN"
    remedy = "copy the path from `coldledger leaderboard --json`"


class ReleaseUnknown(Refusal):
    """No source that was imported reports a release of that name."""

    code = "E_RELEASE_UNKNOWN"
    remedy = "import the release first, or give the name that its source states"


class PolicySource(Refusal):
    """The text of a policy cannot be found, is not TOML, or has another name than its file."""

    code = "E_POLICY_SOURCE"
    remedy = "correct the TOML file; those in specs/policies are examples"


class PolicyShape(Refusal):
    """A document is not a policy, or its rules are not of the shape that its family has."""

    code = "E_POLICY_SHAPE"
    remedy = "write the policy as specs/policies.md says"


class PolicyUnknown(Refusal):
    """A policy is of a family that this version knows no rules for."""

    code = "E_POLICY_UNKNOWN"
    remedy = "use a version of coldledger that knows the family"


class PolicyRule(Refusal):
    """The rules of a policy contradict each other."""

    code = "E_POLICY_RULE"
    remedy = "decide which of the two rules is meant"


class PolicyKind(Refusal):
    """A policy was given where one of another family is needed."""

    code = "E_POLICY_KIND"
    remedy = "give a policy of the family that the message names"


class ConditionsMalformed(Refusal):
    """A file of conditions is not of the shape they have, or has no rules."""

    code = "E_CONDITIONS"
    remedy = "write `id`, `version` and at least one rule; specs/verify.md has an example"


# -- the maintainer's decisions
class ReasonMissing(Refusal):
    """A decision gives no reason, or no evidence where it needs some."""

    code = "E_REASON"
    remedy = "say why with --reason, and what bears it out with --evidence"


class SignedAlready(Refusal):
    """The key has signed the edition in that role."""

    code = "E_SIGNED"
    remedy = "nothing is missing; one signature by a key and role is all that counts"


# -- checking a ledger file
class IndexMismatch(Refusal):
    """A table that is made from the events is not what they give."""

    code = "E_INDEX_TABLE"
    remedy = "the events are whole: run `coldledger replay --rebuild` to make the table again"


class FileUnwritable(Refusal):
    """A file could not be written where it was to go."""

    code = "E_FILE"
    remedy = "give a path in a folder that exists, that you may write, and that has room"
