"""``audit``: what a run comes to, flag by flag, and what a person still has to look at."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import entropy, now
from .errors import check_text
from .options import AsOf, Json
from .runs import ledger_of
from .text import emit, line, note, paint, prose, safe, warn

if TYPE_CHECKING:
    from ledger.audit import Verdict
    from ledger.audit.conclude import Concluded
    from ledger.rules import Policy
    from ledger.store import Ledger

_STYLES = {"PASS": "1;32", "FAIL": "1;31", "PENDING": "1;33", "NOT_APPLICABLE": "2"}
_SHOWN = 12
_STATUS_WIDTH = 7
_INDENT = "    "


def audit(
    target: Annotated[
        str, typer.Argument(metavar="D|RUN", help="A run directory, or a run of a ledger.")
    ],
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger",
            metavar="PATH",
            help="Audit the run of that name in this ledger; where RUN is no folder, by default"
            " COLDLEDGER or coldledger.db.",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="P",
            help="Rules of the family audit: a name of the ledger or of this program, or a file.",
        ),
    ] = None,
    as_of: AsOf = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Append no verdict to the ledger.")
    ] = False,
    no_write: Annotated[
        bool, typer.Option("--no-write", help="Write no audit.json and audit.md into D.")
    ] = False,
    json: Json = False,
) -> int:
    """Judge a run by five flags, and say what each rests on.

    It says what is still to be reviewed, too. Exit 0 when it passes, 1 when it fails, 2 when it
    waits: for a review, or for what is withheld.
    A directory gets audit/audit.json and audit/audit.md; a ledger gets the verdict as an event,
    once.
    """
    if policy is not None:
        check_text(policy, "--policy")
    held = ledger_of(target, ledger, as_of)
    if held is None:
        return _of_directory(Path(target), policy, write=not no_write, json=json)
    return _of_ledger(target, held, policy, as_of, dry_run=dry_run, json=json)


def _of_directory(directory: Path, policy: str | None, *, write: bool, json: bool) -> int:
    from ledger.audit.directory import audit_directory, write_files
    from ledger.audit.document import JSON_NAME, PAGE_NAME, document

    at = now()
    verdict = audit_directory(directory, _policy(policy), at=at, entropy=entropy)
    said = document(verdict, at)
    fault = write_files(directory, said) if write else None
    if json:
        emit(said)
    else:
        _show(said, ("coldledger", "run", "review", "--run-dir", str(directory)))
    if fault is not None:
        warn(f"no audit.json and audit.md were written into {safe(directory)}: {fault}")
    elif write and not json:
        note(f"wrote {safe(directory / JSON_NAME)} and {safe(directory / PAGE_NAME)}")
    return verdict.exit_code


def _of_ledger(
    run: str, path: Path, policy: str | None, as_of: int | None, *, dry_run: bool, json: bool
) -> int:
    from ledger.audit.conclude import conclude
    from ledger.audit.document import document
    from ledger.audit.signers import controllers
    from ledger.errors import LedgerReadOnly
    from ledger.store import Ledger

    from .ledgers import check_size

    at = now()
    unwritable = None
    if as_of is None and not dry_run:
        try:
            Ledger.open(path, write=True).close()
        except LedgerReadOnly as refusal:
            unwritable, dry_run = refusal, True
    recorded = as_of is None and not dry_run
    with Ledger.open(path, write=recorded) as opened:
        check_size(opened, as_of)
        done = conclude(
            opened,
            run,
            _policy_of(opened, policy, as_of, recorded=recorded),
            at=at,
            entropy=entropy,
            as_of=as_of,
            dry_run=dry_run,
        )
        names = {} if json else controllers(opened)
    verdict: Verdict = done.judgement.verdict
    said = document(verdict, at) | _place(done)
    if unwritable is not None:
        warn(f"the verdict was not recorded: {unwritable.message}")
    _warn_of(done)
    if json:
        emit(said)
        return verdict.exit_code
    where = ("coldledger", "review", "--ledger", str(path), "--run", run)
    _show(said, where, ("--key", "KEY"), names)
    for review, why in done.judgement.uncounted():
        warn(f"signed review {safe(review.said.id)}, event {review.seq}, does not count: {why}")
    if done.appended:
        note(f"the verdict is event {done.seq}")
    elif done.seq is not None:
        note(f"the same verdict stands already, as event {done.seq}")
    return verdict.exit_code


def _place(done: "Concluded") -> dict[str, Any]:
    return {
        "run": done.run,
        "event": done.seq,
        "appended": done.appended,
        "before": done.before,
        "size": done.size,
        "not_held": done.unheld,
        "replaced": [one.document() for one in done.replaced],
    }


def _warn_of(done: "Concluded") -> None:
    """Say on stderr what a verdict rests on that may not hold."""
    if done.unheld is not None:
        warn(
            f"the verdict was not recorded: this ledger does not have {done.unheld}, so it says"
            " what this copy shows, and not what the run is"
        )
    for review, files in done.outdated.items():
        names = ", ".join(safe(one.path or one.role) for one in files)
        warn(f"{safe(review)} was answered by a reported review before {names} was replaced")


def _policy(named: str | None) -> "Policy":
    """Return rules of this program, by name or from a file."""
    from ledger.audit.conclude import RULES
    from ledger.rules import parse_policy, shipped

    known = shipped()
    name = RULES if named is None else named
    return parse_policy(known[name]) if name in known else _from_file(name)


def _policy_of(
    opened: "Ledger", named: str | None, as_of: int | None, *, recorded: bool
) -> "Policy":
    """Return rules in force in a ledger, by name, or from a file.

    Where nothing is to be recorded, those of this program do for a ledger that has none.
    """
    from ledger.audit.conclude import RULES, frozen_rules
    from ledger.errors import RulesNotFrozen
    from ledger.rules import shipped

    if named is not None and Path(named).is_file():
        return _from_file(named)
    name = named or RULES
    try:
        return frozen_rules(opened, name, as_of)
    except RulesNotFrozen:
        if recorded or name not in shipped():
            raise
    warn(f"rules of this program: the ledger has no policy {safe(name)}")
    return _policy(name)


def _from_file(name: str) -> "Policy":
    from ledger.rules import document, parse_policy

    from .edge import read_file

    data = read_file(Path(name), "rules of the family audit, or the name of such rules")
    is_toml = not data[:1] or data[0] < 0x80
    return parse_policy(document(data.decode(errors="replace")) if is_toml else data)


def _show(
    said: Mapping[str, Any],
    where: Sequence[str],
    behind: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
) -> None:
    """Print a verdict for people: flags, reasons, evidence, and what is still to be done."""
    from ledger.audit.document import background

    failure = said["failure_class"]
    name = said["run_id"] or said.get("run") or "without a name"
    line(f"run {safe(name)}: {_painted(said['overall'])}"
         + ("" if failure is None else f", {failure}"))  # fmt: skip
    for flag in said["flags"]:
        line()
        line(f"{_painted(flag['status'], _STATUS_WIDTH)}  {safe(flag['flag'])}")
        prose(safe(flag["summary"]), _INDENT)
        _list("evidence", flag["evidence"])
        _list("missing", flag["missing"])
        for one in flag["needs_review"][:_SHOWN]:
            prose(safe(one), f"{_INDENT}      ", f"{_INDENT}note: ")
        _answers(flag, said["reviews"], names or {})
        _open(flag, where, behind)
    for title, name in (
        ("the tools or the evidence are inconsistent", "infra_errors"),
        ("the fixture is not faithful", "fixture_errors"),
        ("the run waits for", "pending_reasons"),
        ("reviews cite what is not there", "review_problems"),
    ):
        _reasons(title, said[name])
    _reasons("context and lineage", [*background(said)])
    _reasons("replaced since the verdict before", [*map(_replacement, said.get("replaced", ()))])
    line()
    rules = said["rules"]
    line(f"rules {rules['policy']}@{rules['version']} {rules['sha256'][:12]}…, "
         f"verdict {said['verdict_sha256'][:12]}…, {said['auditor']}")  # fmt: skip


def _replacement(one: Mapping[str, Any]) -> str:
    return f"{one['path'] or one['role']}, event {one['before']}, by event {one['now']}"


def _answers(
    flag: Mapping[str, Any], reviews: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> None:
    """Print the reviews that decide a flag, and rejections that were reported and overruled."""
    from ledger.audit.signers import signer

    asked = {one["id"] for one in flag["required_review"]}
    overruled = [
        one for one in reviews
        if one["id"] in asked and one["status"] == "rejected" and one["kind"] == "reported"
        and not one["counts"]
    ]  # fmt: skip
    for one in (*flag["review_resolutions"], *overruled):
        who = f"{one['status']} by {safe(signer(one, names))}, {one['kind']}"
        why = f", does not count: {safe(one['why'])}" if one in overruled else ""
        prose(f"{safe(one['id'])}: {who}{why}", f"{_INDENT}        ", f"{_INDENT}review: ")


def _open(flag: Mapping[str, Any], where: Sequence[str], behind: Sequence[str]) -> None:
    from ledger.audit.document import open_reviews, resolving

    for one in open_reviews(flag):
        prose(f"{safe(one['id'])} is open. {safe(one['question'])}",
              f"{_INDENT}        ", f"{_INDENT}review: ")  # fmt: skip
        if "lapsed" in one:
            prose(safe(one["lapsed"]), f"{_INDENT}        ", f"{_INDENT}        ")
        line(f"{_INDENT}  {safe(' '.join((resolving(flag, one['id'], where), *behind)))}")


def _reasons(title: str, reasons: Sequence[str]) -> None:
    if reasons:
        line()
        line(f"{title}:")
        for one in reasons[:_SHOWN]:
            prose(safe(one), _INDENT, "  - ")
        if len(reasons) > _SHOWN:
            line(f"  - {len(reasons) - _SHOWN} more, with --json")


def _list(label: str, texts: Sequence[str]) -> None:
    if texts:
        more = "" if len(texts) <= _SHOWN else f" and {len(texts) - _SHOWN} more"
        listed = ", ".join(map(safe, texts[:_SHOWN]))
        indent = " " * (len(label) + 2)
        prose(f"{listed}{more}", f"{_INDENT}{indent}", f"{_INDENT}{label}: ")


def _painted(status: str, width: int = 0) -> str:
    return paint(f"{status:<{width}}", _STYLES[status], sys.stdout)
