"""Run directories: opening them, and appending to what they record."""

from canon.refusal import Refusal


class RunMissing(Refusal):
    """There is no run where one was looked for."""

    code = "E_RUN_MISSING"
    remedy = "give the directory with --run-dir, or open a run with `coldledger run init`"


class RunExists(Refusal):
    """Something stands where a run was to be opened."""

    code = "E_RUN_EXISTS"
    remedy = "choose another directory: a run is opened once, and nothing is overwritten"


class RunUnreadable(Refusal):
    """A document of a run cannot be read, so it cannot be added to."""

    code = "E_RUN_DOCUMENT"
    remedy = "run `coldledger run validate` and put the file back as it was"


class RunTorn(Refusal):
    """The last record is half written, so the next one would be glued to it."""

    code = "E_RUN_TORN"
    remedy = "run `coldledger run repair`: it keeps the torn bytes beside the file, then go on"


class RunLocked(Refusal):
    """Another recorder has held the run for half a minute."""

    code = "E_RUN_LOCKED"
    remedy = "wait for the other recorder to finish, then try again"


class RunForeign(Refusal):
    """A record names another run than the one that it was to be appended to."""

    code = "E_RUN_ID"
    remedy = "append it to its own run, or leave the run id out: the recorder fills it in"


class RunWord(Refusal):
    """A phase, an actor, a status, a slot or a kind is none of those there are; exit code 64."""

    code = "E_RUN_WORD"
    remedy = "use one of the words that are listed"


class RecordField(Refusal):
    """A field of a record is missing, is not of its kind, or is the recorder's to give."""

    code = "E_RUN_FIELD"
    remedy = "write the field as specs/runs.md has it"


class RecordTime(Refusal):
    """A time in a record is no time."""

    code = "E_RUN_TIME"
    remedy = "write it as RFC 3339 in UTC, or leave it out: the recorder takes the time"


class RecordEarly(Refusal):
    """A record is of a time before the last one, and a trajectory never goes back."""

    code = "E_RUN_TIME_ORDER"
    remedy = "append in the order in which things happened; see to the clock if it was set back"


class RecordAhead(Refusal):
    """A time that is given has not come yet, and no record could follow it until it has."""

    code = "E_RUN_TIME_AHEAD"
    remedy = "give the time at which it happened, or leave it out: the recorder takes the time"


class RecordLong(Refusal):
    """A record is longer than a line may be."""

    code = "E_RUN_LINE_LONG"
    remedy = "keep what is so long with `coldledger run artifact`, and record its digest"


class CallRepeated(Refusal):
    """A call has the name of an earlier one."""

    code = "E_RUN_CALL_TWICE"
    remedy = "give each call a name of its own"


class ResultUncalled(Refusal):
    """A result is of no call that was recorded."""

    code = "E_RUN_UNCALLED"
    remedy = "record the call first"


class ResultRepeated(Refusal):
    """A call has its result already."""

    code = "E_RUN_RESULT_TWICE"
    remedy = "keep the first result; record what became known later as a mark"


class RunPath(Refusal):
    """A path does not lead to a regular file inside of the run, through no link."""

    code = "E_RUN_PATH"
    remedy = "copy the file into the run and name it relative to the run"


class ReviewInvalid(Refusal):
    """A review lacks what its status demands."""

    code = "E_RUN_REVIEW"
    remedy = "say what was decided, by whom, and what was looked at"


class AttestationEmpty(Refusal):
    """An attestation of a clean context states nothing, or names nobody."""

    code = "E_RUN_ATTESTATION"
    remedy = "name who attests, and state at least one of the three"
