"""Runs on their way into a ledger."""

from canon.refusal import Refusal


class RunUnnamed(Refusal):
    """A folder with a run does not say which run it is."""

    code = "E_RUN_UNNAMED"
    remedy = "give the run a run.json with its run_id, as `coldledger run init` writes it"


class RunOther(Refusal):
    """A run has the name of another run that the ledger holds."""

    code = "E_RUN_OTHER"
    remedy = "two runs never share a name: give one of them a run_id of its own"


class RunChanged(Refusal):
    """A file of a run changed while it was being read; nothing was appended."""

    code = "E_RUN_CHANGED"
    remedy = "wait until nobody writes to the run, then import it again"


class RunLine(Refusal):
    """A line of a run is longer than a ledger keeps."""

    code = "E_RUN_LINE"
    remedy = "keep the file as an artifact of the run, and leave the line out of the stream"
