"""A process that audits, reviews or adds to a run in a ledger that others write to as well.

Run as ``python auditor.py LEDGER RUN WORK ROUNDS``: at the end one line with what it appended.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from audited_runs import QUESTIONS, AuditedRun, answered, concluded, mark, take

from ledger.store import Ledger


def main(path: str, root: str, work: str, rounds: str) -> None:
    """Do *work* so many times."""
    done = 0
    run = AuditedRun.__new__(AuditedRun)
    run.root = Path(root)
    with Ledger.open(Path(path), write=True) as ledger:
        for number in range(int(rounds)):
            if work == "audit":
                done += concluded(ledger).appended
            elif work == "review":
                answered(ledger, QUESTIONS[number % len(QUESTIONS)], refs=("trajectory:c2",))
                done += 1
            else:
                run.append("trajectory.jsonl", mark(8 + number))
                take(ledger, run)
                done += 1
    sys.stdout.write(f"{done}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
