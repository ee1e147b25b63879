"""Why a figure has its value: the events behind it, each with what it did (FIG-41)."""

from collections.abc import Iterator
from operator import attrgetter

from msgspec import Struct

from ledger.events import SourceWithdrawn

from .additions import Addition, additions, in_words
from .attempts import Attempts
from .columns import Place
from .judged import Judged
from .view import View


class Reason(Struct, frozen=True):
    """An event that bears on a figure.

    Attributes:
        seq: Its number.
        type: Its wire name.
        why: What it has to do with the figure, in a few words.
    """

    seq: int
    type: str
    why: str


class Report(Reason, frozen=True, omit_defaults=True):
    """A row that reports an attempt.

    Attributes:
        release: The release that it stands in.
        contribution: Measure to what the attempt adds to it (FIG-43), empty where that is nothing;
            None where no figure is asked about.
    """

    release: str
    contribution: dict[str, Addition] | None = None


def reasons(view: View, path: str) -> list[Reason]:
    """Return the events that the figure at *path* comes from, in ledger order.

    They are the reports of the attempts that add to it, the decisions about these and about those
    that would add to it otherwise, the releases and sources that the reports stand in, and the
    policy.

    Raises:
        FigureUnknown: There is none of that path.
    """
    _, figure = view.definition(path)
    state = view.state
    no_category = view.rules.words.no_category
    found: dict[int, Reason] = {}
    for frozen in state.policies.get(view.policy.name, ()):
        if frozen.note == view.policy.digest.hex():
            found[frozen.seq] = Reason(frozen.seq, frozen.wire, f"rules of {view.policy.label}")
    for judged in view.members(path):
        added = additions(figure, judged, no_category)
        if not added:
            undecided = view.undecided(judged)
            if undecided is judged or not additions(figure, undecided, no_category):
                continue
        _add_report(found, state, judged, added)
        for reason in decisions(state, judged.attempt):
            found[reason.seq] = reason
    return sorted(found.values(), key=attrgetter("seq"))


def decisions(state: Attempts, attempt: str) -> list[Reason]:
    """Return what was decided about an attempt, its task and its sources, and what these say.

    That is: corrections and exclusions of it, invalidations of its task, withdrawals of sources
    that report it or that made one of them count again, and corrections that sources report.
    """
    found: dict[int, Reason] = {}
    for note in state.reported.get(attempt, ()):
        found[note.seq] = Reason(note.seq, note.wire, f"{attempt}: {note.note}")
    for exclusion in state.exclusions.get(attempt, ()):
        why = f"excluded {attempt}: {exclusion.cause}"
        found[exclusion.seq] = Reason(exclusion.seq, exclusion.wire, why)
    for change in state.changes.get(attempt, ()):
        earlier = found.get(change.seq)
        why = f"{change.field} is {'none' if change.now is None else change.now}"
        why = f"{earlier.why}, {why}" if earlier else f"corrected {attempt}: {why}"
        found[change.seq] = Reason(change.seq, change.wire, why)
    for reason in _wider(state, attempt):
        found[reason.seq] = reason
    return list(found.values())


def _wider(state: Attempts, attempt: str) -> Iterator[Reason]:
    """Yield the decisions on the task of an attempt and on sources that report it."""
    if not (state.invalidations or state.withdrawals):
        return
    places = {state.rows.link(row)[0] for row in state.rows_of(attempt)}
    for place in map(state.places.values.__getitem__, sorted(places)):
        for made in state.invalidations.get((place.scenario, place.version), ()):
            yield Reason(made.seq, made.wire, f"invalidated {made.note}")
        for withdrawal in state.withdrawals.get(place.source, ()):
            why = f"withdrew source {place.source}, of {place.release}"
            yield Reason(withdrawal.seq, withdrawal.wire, why)
        for time in state.reinstated.get(place.source, ()):
            why = f"made source {place.source}, of {place.release}, count again"
            yield Reason(time.until, SourceWithdrawn.wire, why)


def reports(state: Attempts, attempt: str) -> list[Reason]:
    """Return every row that reports an attempt, and the sources that replaced one of them."""
    found: list[Reason] = []
    for row in state.rows_of(attempt):
        numbers = state.rows.read(row)
        place = state.places.values[numbers.place]
        where = f"row {numbers.row_index} of {place.release}"
        found.append(Report(numbers.seq, place.wire, f"{attempt}: {where}", place.release))
        successor = state.superseded.get(place.source)
        if successor is not None:
            name = state.sources[successor].name
            why = f"source of {name} that replaces the one of event {place.source}"
            found.append(Reason(successor, state.sources[successor].wire, why))
    return found


def _add_report(
    found: dict[int, Reason], state: Attempts, judged: Judged, added: dict[str, Addition]
) -> None:
    numbers = state.rows.read(judged.row)
    place = state.places.values[numbers.place]
    verdict = judged.verdict
    outcome = verdict.outcome
    if verdict.state not in ("valid", outcome):
        outcome = f"{verdict.state} ({outcome})"
    why = (
        f"{judged.attempt}: row {numbers.row_index} of {place.release}, {outcome};"
        f" adds {in_words(added)}"
    )
    found[numbers.seq] = Report(numbers.seq, place.wire, why, place.release, added)
    _add_place(found, state, place)


def _add_place(found: dict[int, Reason], state: Attempts, place: Place) -> None:
    """Add the source that a report stands in, and what that source says of the release."""
    if place.source in found:
        return
    source = state.sources.get(place.source)
    if source is not None:
        why = f"source of {place.release}"
        found[place.source] = Reason(place.source, source.wire, why)
    for release in state.releases.get(place.release, ()):
        if release.source == place.source:
            why = f"conditions of {place.release}"
            found[release.seq] = Reason(release.seq, release.wire, why)
