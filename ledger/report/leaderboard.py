"""The leaderboard: figures as tables, by system and by task (``specs/figures.md``, Reports)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ledger.projections.paths import TOTAL, Group, parse_path, system_of, task_of
from ledger.projections.table import Value
from ledger.rules import Policy

from .rows import Row, Rows, counts_of, pair_of
from .spellings import names_alike

_SYSTEM = ("agent", "model", "reasoning_effort")


def leaderboard(
    figures: Mapping[str, Value],
    policy: Policy,
    *,
    prefix: str = "",
    release_flags: Sequence[Row] = (),
) -> Row:
    """Return ``totals``, ``by_model``, ``by_scenario_model``, and the same by ``cohorts``.

    ``names_alike`` are names in these tables that may be one name in several spellings.

    Systems are in order of their pass rate, those without one last; a system's place says nothing
    beyond that. Each cohort stands in ``cohorts`` with tables of its own. Where there is one, these
    are the same tables again; cohorts that must not share a table have no totals over them.

    Args:
        figures: Path to value, of one edition or of the ledger's present state.
        policy: The status policy, which says how a quotient is shown.
        prefix: Stands before every path in ``figure_prefix``, such as the name of an edition.
        release_flags: What is odd about the releases as wholes; see :func:`release_flags`.
    """
    flags = [*release_flags]
    groups: dict[Group, dict[str, Value]] = {}
    for path, value in figures.items():
        parsed = parse_path(path)
        if parsed is not None:
            groups.setdefault(parsed[0], {})[parsed[1]] = value
    rows = Rows(policy)
    odd = {"release_flags": flags, "names_alike": names_alike(_names(groups))}
    labels = sorted({group.cohort for group in groups} - {""})
    if not labels:
        tables = _tables("", groups, rows, prefix)
        return {**tables, "cohorts": [{"cohort": None, **tables}], **odd}
    cohorts = [{"cohort": label, **_tables(label, groups, rows, prefix)} for label in labels]
    return {
        "totals": None,
        "by_model": [],
        "by_scenario_model": [],
        "cohorts": cohorts,
        **odd,
    }


def _tables(
    cohort: str, groups: Mapping[Group, Mapping[str, Value]], rows: Rows, prefix: str
) -> Row:
    totals: Row | None = None
    by_model: list[tuple[tuple[bool, Fraction, str], Row]] = []
    by_task: list[tuple[tuple[str, int, str], Row]] = []
    for group, values in groups.items():
        if group.cohort != cohort:
            continue
        row = {**rows.row(values), "figure_prefix": prefix + group.prefix}
        if group.system == TOTAL:
            totals = row
            continue
        agent, model, effort = system_of(group.system)
        row = {"agent": agent, "model": model, "reasoning_effort": effort, **row}
        if group.task == TOTAL:
            by_model.append(((*_rank(values), group.system), row))
        else:
            scenario, version = task_of(group.task)
            row = {"scenario": scenario, "scenario_version": version, **row}
            by_task.append(((scenario, version, group.system), row))
    return {
        "totals": totals,
        "by_model": [row for _, row in sorted(by_model, key=lambda pair: pair[0])],
        "by_scenario_model": [row for _, row in sorted(by_task, key=lambda pair: pair[0])],
    }


def _names(groups: Mapping[Group, Mapping[str, Value]]) -> dict[str, set[str]]:
    """Return the names that stand in the tables, by kind."""
    names: dict[str, set[str]] = {}
    for group, values in groups.items():
        if group.system != TOTAL:
            for kind, name in zip(_SYSTEM, system_of(group.system), strict=True):
                if name is not None:
                    names.setdefault(kind, set()).add(name)
        if group.task != TOTAL:
            names.setdefault("scenario", set()).add(task_of(group.task)[0])
        words = names.setdefault("failure_category", set())
        for counted in ("failure_categories", "unavailable_categories"):
            words.update(word for word, _ in counts_of(values.get(counted)))
    return names


def _rank(values: Mapping[str, Value]) -> tuple[bool, Fraction]:
    """Return what a system is ordered by: first those with a pass rate, the best first."""
    rate = pair_of(values.get("pass_rate"))
    return rate is None, Fraction(0) if rate is None else -Fraction(*rate)
