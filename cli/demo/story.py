"""The story of a ledger: founded, published from, audited, corrected, attacked, restored."""

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

from canon import sha256
from cli import samples

from .forgery import freeze_lie
from .recorded import judge_a_run
from .stage import Stage, Unexpected

ORIGIN = "example.org/drills"
LEDGER, RESTORED, LIAR = Path("drills.db"), Path("restored.db"), Path("liar.db")
SAMPLES, KEYS, AUDITOR = Path("samples"), Path("keys"), Path("auditor")
KEY, TRUST = KEYS / "root.key", KEYS / "trust-root.cbor"
FIRST, SECOND = "spring", "spring-amended"
APRIL, MAY = "20250408.0.0", "20250513.0.0"
COUNTED = ("--from", APRIL, "--from", MAY)
BASALT = "system/lantern+quarry%2Fbasalt-70b+high/task/*"

Row = dict[str, Any]


def tell(stage: Stage) -> None:
    """Tell the whole story in the present folder.

    Raises:
        Unexpected: Something did not go as the story says.

    """
    rows = _write_samples()
    _found(stage)
    _take_in(stage, rows)
    _publish(stage)
    _audit(stage, rows)
    decisions = _amend(stage, rows)
    _compare(stage, decisions)
    _flip(stage)
    _lie(stage)
    _restore(stage)
    judge_a_run(stage, SAMPLES, LEDGER, KEY)


def _write_samples() -> dict[str, list[Row]]:
    """Write the sample files and return the rows of each release."""
    releases = [json.loads(path.read_bytes()) for path in samples.write(SAMPLES)]
    return {release["version"]: release["runs"] for release in releases}


def _found(stage: Stage) -> None:
    stage.step(
        "A ledger",
        "It gets keys of its own and a trust root, which says whose signature counts for what. "
        "The trust root is what an auditor has to get from somewhere else than the bundle.",
    )
    stage.run("init", "--ledger", LEDGER, "--origin", ORIGIN, "--keys", KEYS)
    status = stage.ask("status", "--ledger", LEDGER)
    stage.holds(status["attempts"] == 0, "the ledger holds its rules, and no attempt yet", status)


def _take_in(stage: Stage, rows: dict[str, list[Row]]) -> None:
    stage.step(
        "Results come in",
        "Three made-up releases, the third of which repeats nine trials of the second. Each row "
        "becomes an event, and its bytes are kept. A trial that stands in two releases is one.",
    )
    files = sorted(SAMPLES.iterdir())
    stage.run("import", *files, "--ledger", LEDGER)
    before = stage.ask("status", "--ledger", LEDGER)
    reported = before["events"].get("attempt.reported/1", 0)
    count = sum(map(len, rows.values()))
    stage.holds(reported == count, f"{count} rows are {count} events", reported)
    trials = len({_trial(row) for row in chain(*rows.values())})
    stage.holds(before["attempts"] == trials, f"they are {trials} different trials", before)

    stage.step("The same files again", "An import is safe to repeat: nothing is there twice.")
    stage.run("import", *files, "--ledger", LEDGER)
    after = stage.ask("status", "--ledger", LEDGER)
    stage.holds(after == before, f"still {before['size']} events, and the same root", after)


def _publish(stage: Stage) -> None:
    stage.step(
        "An edition is frozen and leaves as one file",
        "The two later releases were made under the same conditions, so they may share a table. "
        "The older one was not, and stays out.",
    )
    stage.run("edition", "freeze", FIRST, *COUNTED, "--ledger", LEDGER, "--key", KEY)
    stage.run("leaderboard", "--edition", FIRST, "--ledger", LEDGER)
    bundle = _bundle(FIRST)
    stage.run("edition", "export", FIRST, "-o", bundle, "--ledger", LEDGER, "--key", KEY)
    stage.holds(bundle.stat().st_size > 0, f"{bundle} holds the whole log up to the edition")


def _audit(stage: Stage, rows: dict[str, list[Row]]) -> None:
    stage.step(
        "Somebody who trusts nobody verifies it, offline",
        "All they have is the file, the trust root, and the trust root's digest, which they got "
        "another way. Every figure is computed again from the events.",
    )
    AUDITOR.mkdir()
    for path in (_bundle(FIRST), TRUST):
        stage.copy(path, AUDITOR / path.name)
    with stage.folder(AUDITOR):
        stage.run("verify", _bundle(FIRST), *_pinned())
        verdict = stage.ask("verify", _bundle(FIRST), *_pinned())
    figures, checked = verdict["figures"], verdict["extraction"]
    stage.holds(
        figures["compared"] > 0 and figures["differing"] == 0,
        f"{figures['compared']} figures were computed again, and none differs",
        figures,
    )
    count = sum(map(len, rows.values()))
    stage.holds(
        checked["checked"] == checked["of"] >= count,
        "every row was read again from its bytes and says what its event says",
        checked,
    )
    stage.holds(verdict["root_pinned_by_digest"], "the trust root is the one with that digest")


def _amend(stage: Stage, rows: dict[str, list[Row]]) -> list[int]:
    """Correct one attempt and exclude another; return the numbers of the decisions."""
    stage.step(
        "A maintainer finds two mistakes",
        "One failure has the wrong word. Another was no failure of the agent: the machine died. "
        "Nothing is edited: two signed decisions are appended, each with its reason.",
    )
    wrong = _attempt(stage, rows, lambda row: row["failure_category"] == "service_not_restored")
    broken = _attempt(stage, rows, lambda row: row["failure_category"] == "agent_runtime_error")
    before = stage.ask("leaderboard", "--ledger", LEDGER, "--edition", FIRST)
    seen = stage.ask("status", "--ledger", LEDGER)["size"]
    stage.run(
        *("correct", "--target", wrong),
        *("--set", "failure_category=certificate_not_renewed"),
        *("--reason", "the kept transcript shows that the certificate was never renewed"),
        *("--ledger", LEDGER, "--key", KEY),
    )
    stage.run(
        *("exclude", "--target", broken, "--class", "infrastructure"),
        *("--reason", "the host lost its disk in the second minute, whatever the agent did"),
        *("--evidence", "host journal of 2025-04-08", "--ledger", LEDGER, "--key", KEY),
    )
    after = stage.ask("leaderboard", "--ledger", LEDGER, "--edition", FIRST)
    stage.holds(after == before, f"the edition {FIRST!r} says what it said", after)
    size = stage.ask("status", "--ledger", LEDGER)["size"]
    stage.holds(size == seen + 2, "the log is two events longer", size)
    return [seen, seen + 1]


def _compare(stage: Stage, decisions: list[int]) -> None:
    stage.step(
        "A second edition, and what changed",
        "Both files verify for ever. Between them, every figure that changed is named with its "
        "old and new value and the events that changed it.",
    )
    old, new = _bundle(FIRST), _bundle(SECOND)
    stage.run("edition", "freeze", SECOND, *COUNTED, "--ledger", LEDGER, "--key", KEY)
    stage.run("edition", "export", SECOND, "-o", new, "--ledger", LEDGER, "--key", KEY)
    stage.run("diff", old, new, "--trust", TRUST, exits=1, shown=28)
    changed = stage.ask("diff", old, new, "--trust", TRUST, exits=1)["changed"]
    because = {seq for figure in changed for seq in figure["because"]}
    stage.holds(because == set(decisions), "the two decisions explain every change", because)

    stage.step(
        "Where a figure comes from",
        "Any figure can name the events that it rests on: rows, corrections, exclusions, rules.",
    )
    figure = f"{SECOND}:{BASALT}/pass_rate"
    stage.run("explain", figure, "--ledger", LEDGER, shown=24)
    found = stage.ask("explain", figure, "--ledger", LEDGER)
    types = {event["seq"]: event["type"] for event in found["events"]}
    excluded = types.get(decisions[1])
    stage.holds(excluded == "attempt.excluded/1", "the exclusion is among them", types)


def _flip(stage: Stage) -> None:
    stage.step("A byte is changed", "One bit, somewhere in the middle of the file.")
    good = _bundle(FIRST).read_bytes()
    place = len(good) // 2
    tampered = Path("tampered.bundle")
    tampered.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    stage.remark(f"{tampered} is {_bundle(FIRST)} with one bit of byte {place} flipped")
    stage.run("verify", tampered, *_pinned(TRUST), exits=1)
    verdict = stage.ask("verify", tampered, *_pinned(TRUST), exits=1)
    stage.holds(not verdict["ok"], f"it is refused: {verdict['error']['code']}", verdict)


def _lie(stage: Stage) -> None:
    stage.step(
        "The publisher lies",
        "Whoever holds the keys can sign anything. Here they publish nine repairs of Basalt 70B "
        "where the events give fewer, sign it, and leave the chain and the checkpoint in order.",
    )
    stage.run("backup", LIAR, "--ledger", LEDGER)
    lie, figure = "spring-polished", f"{BASALT}/passed"
    freeze_lie(LIAR, KEY, lie, [APRIL, MAY], figure, 9)
    stage.remark(f"frozen with the library, past every command: {lie}, {figure} = 9")
    stage.run("edition", "export", lie, "-o", _bundle(lie), "--ledger", LIAR, "--key", KEY)
    stage.run("verify", _bundle(lie), *_pinned(TRUST), exits=1)
    error = stage.ask("verify", _bundle(lie), *_pinned(TRUST), exits=1)["error"]
    stage.holds(
        error["step"] == "figures", f"the figures are computed again: {error['code']}", error
    )


def _restore(stage: Stage) -> None:
    stage.step(
        "The ledger is lost",
        "A bundle holds the whole log, so a ledger can be made from it: the same events, the same "
        "root, and the same edition to export again.",
    )
    bundle, again = _bundle(SECOND), Path("again.bundle")
    stage.run("restore", bundle, "--ledger", RESTORED, *_pinned(TRUST))
    stage.run("status", "--ledger", RESTORED)
    lost, found = (stage.ask("status", "--ledger", path) for path in (LEDGER, RESTORED))
    stage.holds(
        (found["size"], found["root"]) == (lost["size"], lost["root"]), "the same root", found
    )
    stage.run("edition", "export", SECOND, "-o", again, "--ledger", RESTORED, "--key", KEY)
    cores = [stage.ask("verify", path, *_pinned(TRUST))["core_sha256"] for path in (bundle, again)]
    stage.holds(cores[0] == cores[1], "exported again, it has the same core", cores)


def _bundle(edition: str) -> Path:
    return Path(f"{edition}.bundle")


def _pinned(trust: Path = Path(TRUST.name)) -> tuple[str, str, str, str]:
    """Return the options that pin the trust root, whose digest is that of its file."""
    return "--trust", str(trust), "--trust-sha256", sha256(trust.read_bytes()).hex()


def _trial(row: Row) -> tuple[Any, ...]:
    names = ("agent", "model", "reasoning_effort", "scenario", "scenario_version", "attempt")
    return (*map(row.get, names), row["started_at"], row["finished_at"])


def _attempt(stage: Stage, rows: dict[str, list[Row]], wanted: Callable[[Row], bool]) -> str:
    """Return the ledger's name of the one row of April that is *wanted*."""
    indexes = [index for index, row in enumerate(rows[APRIL]) if wanted(row)]
    source = f"{APRIL}#{indexes[0]}"
    found = [one for one in stage.ask("attempts", "--ledger", LEDGER) if one["source"] == source]
    if len(indexes) != 1 or len(found) != 1:
        raise Unexpected(
            f"row {source} is {len(found)} attempts, and {len(indexes)} rows are wanted"
        )
    return str(found[0]["attempt"])
