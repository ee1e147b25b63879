"""The table of attempts for whoever reads the ledger with SQL, made from a replay."""

from typing import Any

from .edition.state import status_policy
from .errors import IndexMismatch
from .replay import Replay
from .report import attempts
from .store import Ledger
from .store.views import (
    ATTEMPTS_VERSION,
    Position,
    attempts_position,
    read_attempts,
    write_attempts,
)


def rebuild(ledger: Ledger, replay: Replay) -> int:
    """Make the table anew as of the entries that *replay* has taken; return its rows."""
    return write_attempts(ledger, _attempt_rows(replay), replay.size)


def position(ledger: Ledger) -> Position | None:
    """Return which state the table shows; None where there is none, or one of another version."""
    found = attempts_position(ledger)
    return found if found is not None and found.version == ATTEMPTS_VERSION else None


def check_position(ledger: Ledger) -> None:
    """Refuse a table that does not say which state it shows, so that nobody could check it.

    Raises:
        IndexMismatch: There is one, without a position of this version.
    """
    if position(ledger) is None and next(read_attempts(ledger), None) is not None:
        raise IndexMismatch(
            "table of attempts", "no size and version that it was made at", "those of `replay`"
        )


def check_rows(ledger: Ledger, replay: Replay) -> None:
    """Refuse a table that is not what the entries give; *replay* stands at its position.

    Raises:
        IndexMismatch: It names the first row that differs and the event that reports it.
    """
    given = {row["attempt"]: row for row in _attempt_rows(replay)}
    for row in read_attempts(ledger):
        expected = given.pop(row.get("attempt"), None)
        if row != expected:
            seq = None if expected is None else expected["report_seq"]
            raise IndexMismatch(
                f"table of attempts, row {row.get('attempt')}",
                "another row",
                "what the events give",
                seq=seq,
            )
    for attempt, row in given.items():
        raise IndexMismatch(
            f"table of attempts, row {attempt}", "no row", "a row", seq=row["report_seq"]
        )


def _attempt_rows(replay: Replay) -> list[dict[str, Any]]:
    """Return one flat row for every attempt: texts, whole numbers and nulls."""
    rows: list[dict[str, Any]] = attempts(replay.attempts, (), status_policy(replay))
    return [
        {
            "attempt": row["attempt"],
            "report_seq": replay.attempts.first_report(row["attempt"]),
            "source": row["source"],
            "task": row["task"],
            "system": row["system"],
            "outcome": row["outcome"],
            "strict_pass": None if row["strict_pass"] is None else str(row["strict_pass"]).lower(),
            "state": row["state"],
            "cost_state": row["cost"]["state"],
            "cost_usd": row["cost"]["usd"],
            "flags": ",".join(row["flags"]),
        }
        for row in rows
    ]
