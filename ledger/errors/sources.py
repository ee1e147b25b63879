"""Foreign files and their records."""

from canon.refusal import Refusal


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
    remedy = "copy the path from what `coldledger explain` lists; percent-encoding is upper-case"
