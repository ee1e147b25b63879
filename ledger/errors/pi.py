"""Sessions of pi, and what of them cannot be translated into records of a run."""

from canon.refusal import Refusal


class PiSessionInvalid(Refusal):
    """A file begins neither with the header of a pi session nor with a message of one."""

    code = "E_PI_SESSION"
    remedy = "give the session file that pi wrote, whole and as it is"


class PiHeaderMissing(Refusal):
    """A pi session has lost its header, or the name in it; its entries are read all the same."""

    code = "E_PI_HEADER"
    remedy = "look for the file as pi wrote it: who the session was, and its version, is not known"


class PiVersion(Refusal):
    """A pi session is of a version that this program does not read."""

    code = "E_PI_VERSION"
    remedy = "import it with a version of coldledger that reads it"


class PiChanged(Refusal):
    """A session file is no longer what it was when its tree was read."""

    code = "E_PI_CHANGED"
    remedy = "end the session first, then import it again"


class PiLineLong(Refusal):
    """A line of a pi session is too long to be read; it is kept in the copy of the file only."""

    code = "E_PI_LINE_LONG"
    remedy = "look at the line in the copy of the session; what it reports is not imported"


class PiEntryUnknown(Refusal):
    """An entry of a pi session is of a type that this version does not know."""

    code = "E_PI_ENTRY_UNKNOWN"
    remedy = "look at the line in the copy of the session; nothing of it is imported"


class PiEntryInvalid(Refusal):
    """An entry of a pi session lacks what its type prescribes."""

    code = "E_PI_ENTRY"
    remedy = "look at the line in the copy of the session; what can be read of it is imported"


class PiPlace(Refusal):
    """An entry of a pi session does not say, or not in a way to rely on, what it follows."""

    code = "E_PI_PLACE"
    remedy = "compare the branch that was imported with what pi shows of the session"


class PiTime(Refusal):
    """An entry of a pi session has no time that can be read."""

    code = "E_PI_TIME"
    remedy = "find out when it was; the record has the time that is named here"


class PiClock(Refusal):
    """An entry of a pi session is earlier than the one before it."""

    code = "E_PI_CLOCK"
    remedy = "the run will not validate while a time goes back; find out which clock was set"


class PiText(Refusal):
    """A text of a pi session holds what is no Unicode text; U+FFFD stands in its place."""

    code = "E_PI_TEXT"
    remedy = "read the copy of the session where the exact bytes matter"


class PiCost(Refusal):
    """Usage in a pi session is not counted, because it is no quantity."""

    code = "E_PI_COST"
    remedy = "ask the provider what was used; until then the sum is a lower bound"


class PiCallTwice(Refusal):
    """Two calls of a pi session have the same id."""

    code = "E_PI_CALL_TWICE"
    remedy = "both are recorded, and the run will not validate; find out which result is whose"


class PiResultTwice(Refusal):
    """Two results of a pi session answer the same call."""

    code = "E_PI_RESULT_TWICE"
    remedy = "both are recorded, and the run will not validate; find out which one is meant"


class PiResultUncalled(Refusal):
    """A result of a pi session answers a call that is not on the branch."""

    code = "E_PI_RESULT_UNCALLED"
    remedy = "it is recorded, and the run will not validate; look for the call in the session"


class PiResultUnnamed(Refusal):
    """A result of a pi session does not say which call it answers; it is not recorded."""

    code = "E_PI_RESULT_UNNAMED"
    remedy = "look at the line in the copy of the session"


class PiUnanswered(Refusal):
    """A call of a pi session has no result."""

    code = "E_PI_UNANSWERED"
    remedy = "the run will not validate: record the result; with the status open if none ever came"


class PiUserCommand(Refusal):
    """A person ran a command in a pi session; it is no call of the agent and not recorded."""

    code = "E_PI_USER_COMMAND"
    remedy = "record what the operator did with `coldledger run call --actor operator`"
