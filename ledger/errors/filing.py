"""Events of a file: what does not stand where its file puts it (EVENT-40 on, EVENT-70 on)."""

from canon.refusal import Refusal


class SupersedesMismatch(Refusal):
    """A source, a file or a verdict does not name the newest before it, or names another."""

    code = "E_SUPERSEDES"
    remedy = "import the file with `coldledger import`, which names what it replaces"


class SourceRepeated(Refusal):
    """Two sources state one digest: a file was imported twice."""

    code = "E_SOURCE_TWICE"
    remedy = "refuse the log: a file that is imported again adds nothing"


class FileOrder(Refusal):
    """An event is not the next one of its file, or a file is not finished."""

    code = "E_FILE_ORDER"
    remedy = "import the file as a whole with `coldledger import`"


class FilePlace(Refusal):
    """An event names a release, a matrix or an attempt that its file does not have."""

    code = "E_FILE_PLACE"
    remedy = "import the file as a whole with `coldledger import`"


class AttemptMisnamed(Refusal):
    """An attempt has another identity than its own fields give."""

    code = "E_ATTEMPT_ID"
    remedy = "refuse the log: the identity of a trial follows from what is reported of it"


class FileState(Refusal):
    """A file of a run has sizes, records or slots that its role and its state do not allow."""

    code = "E_FILE_STATE"
    remedy = "import the run as a whole with `coldledger import`"


class VerdictInvalid(Refusal):
    """A verdict rests on what the log does not have so, or contradicts itself."""

    code = "E_VERDICT"
    remedy = "audit the run with `coldledger audit`, which looks at what is newest"


class VerdictUnknown(Refusal):
    """A review answers a verdict on its run that is not in the log."""

    code = "E_VERDICT_UNKNOWN"
    remedy = "name a verdict with `coldledger log --type audit.concluded`"


class CitedElsewhere(Refusal):
    """A review cites what is no file and no record of its run."""

    code = "E_CITED"
    remedy = "cite events of the run that is reviewed"
