"""A folder with a fresh ledger, and the commands of a user in it."""

from pathlib import Path
from typing import Any

from cases.releases import Release, written
from cli_place import KEY, TRUST, Run

from canon import decode, encode
from cli.selection import selected
from ledger.projections import View
from ledger.rules import parse_policy, shipped

TOTAL = "system/*/task/*/"


class Desk:
    """Runs commands as a user would, and reads what they say with ``--json``.

    Attributes:
        place: The present folder.
        run: Runs one command.
    """

    def __init__(self, place: Path, run: Run) -> None:
        self.place, self.run = place, run

    def take(self, *releases: Release, refused: bool = False) -> list[dict[str, Any]]:
        """Import releases, each from a file of its version's name; return what is said of each."""
        names = [f"{made['version']}.json" for made in releases]
        reports = []
        for name, made in zip(names, releases, strict=True):
            self.write(made)
            ran = self.run("import", name, "--json")
            assert ran.code == (1 if refused else 0), ran.out
            reports += ran.json["sources"]
        return reports

    def write(self, made: Release) -> None:
        """Write a release to the file of its version's name."""
        (self.place / f"{made['version']}.json").write_bytes(written(made))

    def board(self, *words: str) -> Any:
        """Return the leaderboard."""
        return self.run("leaderboard", *words, "--json").json

    def totals(self, *words: str) -> dict[str, Any]:
        """Return the figures over all attempts of the one cohort that there is."""
        found: dict[str, Any] = self.board(*words)["totals"]
        return found

    def rate(self, *words: str) -> Any:
        """Return repairs over evaluated attempts, of the one cohort that there is."""
        return self.totals(*words)["pass_rate"]

    def attempts(self, *words: str) -> list[dict[str, Any]]:
        """Return the list of attempts."""
        found: list[dict[str, Any]] = self.run("attempts", *words, "--json").json
        return found

    def explain(self, name: str) -> Any:
        """Return the figure of that name over all attempts, and where it comes from."""
        return self.run("explain", TOTAL + name, "--json").json

    def under(self, name: str, **rules: dict[str, Any]) -> Any:
        """Return a figure over all attempts as it would be under other rules.

        Args:
            name: Of the figure.
            rules: Part of the status policy to what is changed in it.
        """
        made: Any = decode(shipped()["status/replaybook"])
        for part, changes in rules.items():
            made["rules"][part] |= changes
        with selected(self.place / "coldledger.db") as selection:
            view = View(selection.replay.attempts, [], parse_policy(encode(made)))
        return view.figure(TOTAL + name)

    def decide(self, *words: str) -> Any:
        """Make a decision and return what is said of it."""
        ran = self.run(*words, "--reason", "seen in the log of the host", "--key", KEY, "--json")
        assert ran.code == 0, ran.out
        return ran.json

    def freeze(self, name: str) -> None:
        """Freeze an edition of every attempt."""
        assert self.run("edition", "freeze", name, "--key", KEY, "--json").code == 0

    def stands(self) -> Any:
        """Check the ledger, freeze an edition, export and verify it; return the verdict.

        Every figure that the bundle states was computed again from the events in it, and every
        row's event compared with the row's bytes.
        """
        assert self.run("replay", "--check", "--json").json["ok"] is True
        self.freeze("case")
        words = ("edition", "export", "case", "-o", "case.bundle", "--key", KEY)
        assert self.run(*words, "--json").code == 0
        ran = self.run("verify", "case.bundle", "--trust", TRUST, "--json")
        assert (ran.code, ran.json["ok"], ran.json["figures"]["differing"]) == (0, True, 0)
        assert ran.json["figures"]["compared"] > 0
        return ran.json


def flags_of(report: dict[str, Any]) -> dict[str, int]:
    """Return the flags that an import raised, and how often."""
    return {one["flag"]: one["count"] for one in report["flags"]}


def counts(totals: dict[str, Any]) -> tuple[int, int, int, int, int]:
    """Return attempts, evaluated, unavailable, excluded and pending, which must add up."""
    found = tuple(
        totals[name] for name in ("attempts", "evaluated", "unavailable", "excluded", "pending")
    )
    assert found[0] == sum(found[1:])
    return found
