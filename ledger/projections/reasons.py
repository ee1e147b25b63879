"""Why a figure has its value: the events behind it, each with what it did (FIG-41)."""

from msgspec import Struct

from .attempts import Attempts
from .columns import Place
from .judged import Judged
from .view import View


class Reason(Struct, frozen=True, order=True):
    """An event that bears on a figure.

    Attributes:
        seq: Its number.
        type: Its wire name.
        why: What it has to do with the figure, in a few words.
    """

    seq: int
    type: str
    why: str


def reasons(view: View, path: str) -> list[Reason]:
    """Return the events that the figure at *path* comes from, in ledger order.

    They are the reports of the attempts that add to it, the decisions about these and about those
    that would add to it otherwise, the releases and sources that the reports stand in, and the
    policy.

    Raises:
        FigureUnknown: There is none of that path.
    """
    view.figure(path)
    state = view.state
    after = view.contributions(path)
    before = view.contributions(path, decided=False)
    found: dict[int, Reason] = {}
    for frozen in state.policies.get(view.policy.name, ()):
        if frozen.note == view.policy.digest.hex():
            found[frozen.seq] = Reason(frozen.seq, frozen.wire, f"rules of {view.policy.label}")
    for judged in view.members(path):
        attempt = judged.attempt
        if attempt not in after and attempt not in before:
            continue
        _add_report(found, state, judged, attempt in after)
        for reason in decisions(state, attempt):
            found[reason.seq] = reason
    return sorted(found.values())


def decisions(state: Attempts, attempt: str) -> list[Reason]:
    """Return what was decided about an attempt, and what its sources report as corrected."""
    found: dict[int, Reason] = {}
    for note in state.reported.get(attempt, ()):
        found[note.seq] = Reason(note.seq, note.wire, f"{attempt}: {note.note}")
    for exclusion in state.exclusions.get(attempt, ()):
        why = f"{attempt} excluded: {exclusion.cause}"
        found[exclusion.seq] = Reason(exclusion.seq, exclusion.wire, why)
    for change in state.changes.get(attempt, ()):
        earlier = found.get(change.seq)
        why = f"{change.field} is {change.now}"
        why = f"{earlier.why}, {why}" if earlier else f"{attempt} corrected: {why}"
        found[change.seq] = Reason(change.seq, change.wire, why)
    return list(found.values())


def reports(state: Attempts, attempt: str) -> list[Reason]:
    """Return every row that reports an attempt, and the sources that replaced one of them."""
    found = []
    for row in state.rows_of(attempt):
        numbers = state.rows.read(row)
        place = state.places.values[numbers.place]
        where = f"row {numbers.row_index} of {place.release}"
        found.append(Reason(numbers.seq, place.wire, f"{attempt}: {where}"))
        successor = state.superseded.get(place.source)
        if successor is not None:
            why = f"replaces the source of {where}"
            found.append(Reason(successor, state.sources[successor].wire, why))
    return found


def _add_report(found: dict[int, Reason], state: Attempts, judged: Judged, adds: bool) -> None:
    numbers = state.rows.read(judged.row)
    place = state.places.values[numbers.place]
    verdict = judged.verdict
    standing = verdict.standing if verdict.state == "valid" else verdict.state
    why = f"{judged.attempt}: row {numbers.row_index} of {place.release}, {standing}"
    if verdict.passed:
        why += ", verified repair"
    if not adds:
        why += ", adds nothing"
    found[numbers.seq] = Reason(numbers.seq, place.wire, why)
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
