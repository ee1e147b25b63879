"""Events of a file: what does not stand where its file puts it (EVENT-40 to EVENT-45)."""

from canon.refusal import Refusal


class SupersedesMismatch(Refusal):
    """A source does not say that it replaces the newest one of its name, or says it of another."""

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
