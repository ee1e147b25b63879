"""Files of this machine: the ledger, and what is written beside it."""

from canon.refusal import Refusal


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


class LedgerVersion(Refusal):
    """The ledger has another version of the file's format than this program reads."""

    code = "E_LEDGER_VERSION"
    remedy = "open it with the version of coldledger that wrote it, or a newer one"


class LedgerSchema(Refusal):
    """The file has other tables, triggers or indexes than a ledger has."""

    code = "E_LEDGER_SCHEMA"
    remedy = "remove what does not belong into a ledger, or restore the newest good backup"


class LedgerMoved(Refusal):
    """The file was moved, replaced or deleted while it was open; nothing was appended."""

    code = "E_LEDGER_MOVED"
    remedy = "see what stands at the path now, then try again"


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


class StorageFailed(Refusal):
    """The system could not read or write the file, for another reason than room."""

    code = "E_STORAGE"
    remedy = "see to the disk, its quota and the limits on file sizes; the ledger is as before"


class DeletionUnfinished(Refusal):
    """A redaction stands, but the bytes that it deletes may still be in the file or its WAL."""

    code = "E_NOT_DELETED"
    remedy = "make room, end other readers of the ledger, then run `coldledger replay`"


class LedgerCorrupt(Refusal):
    """The file's own tables contradict each other."""

    code = "E_LEDGER_CORRUPT"
    remedy = "run `coldledger replay --check` to see where; restore the newest good backup"


class LedgerStale(Refusal):
    """The ledger grew between reading it and appending to it."""

    code = "E_LEDGER_GREW"
    remedy = "try again: another writer was faster"


class IndexMismatch(Refusal):
    """A table that is made from the events is not what they give."""

    code = "E_INDEX_TABLE"
    remedy = "the events are whole: run `coldledger replay` to make the table again"


class FileUnwritable(Refusal):
    """A file could not be written where it was to go."""

    code = "E_FILE"
    remedy = "give a path in a folder that exists, that you may write, and that has room"
