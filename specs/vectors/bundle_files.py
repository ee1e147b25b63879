"""Forged bundles in which events do not stand where their file puts them (EVENT-40 to EVENT-46)."""

from collections.abc import Callable

from bundle_claims import decided
from bundle_decisions import exclusion
from bundle_vector import FREEZE, RELEASE, ROW, SOURCE, Vector, lean, thin
from bundle_world import FAILED, plain, release, row, world
from forge import Draft

_CHAIN = "chain"


def filed() -> list[Vector]:
    """Return the vectors."""
    return [*_sources(), *_orders(), *_places(), _amount()]


def _changed(draft: Draft, seq: int, /, **says: object) -> Draft:
    draft.rows[seq].says.update(says)
    return draft


def _two() -> Draft:
    """Return an edition over two rows, of which the second failed."""
    return thin(plain(row(1), row(2, **FAILED)))


def _corrected() -> Draft:
    """Return an edition whose file also says that it corrected a row, twice."""
    with world() as made:
        made.imports(release([row(1, **FAILED)], corrections=[_said("a"), _said("b")]))
        made.freezes()
        return thin(made.draft())


def _said(category: str) -> dict[str, object]:
    return {"run_id": "w-q-1", "original": {}, "changes": {"failure_category": category}}


def _again(version: str | None = None, **options: bool) -> Draft:
    """Return an edition over a file and another one, of the same name or of *version*."""
    with world() as made:
        made.imports(release([row(1, **FAILED)]), **options)
        second = {} if version is None else {"version": version}
        made.imports(release([row(1, **FAILED)], title="again", **second), "second.json", **options)
        made.freezes()
        return thin(made.draft())


def _sources() -> list[Vector]:
    second = ROW + 1
    public = _again("20260102.0.0", public=True)
    public.rows[second].says["sha256"] = public.rows[SOURCE].says["sha256"]
    cases = [
        ("source-supersedes-nothing", "A second file of a name hides that it replaces the first.",
         _changed(_again(), second, supersedes=None)),
        ("source-supersedes-another", "It replaces a source of another name.",
         _changed(_again("20260102.0.0"), second, supersedes=SOURCE)),
        ("source-supersedes-what-is-none", "It replaces what is no source.",
         _changed(_again(), second, supersedes=RELEASE)),
    ]  # fmt: skip
    return [
        *(
            Vector(name, "EVENT-40", comment, draft, "E_SUPERSEDES", _CHAIN, second)
            for name, comment, draft in cases
        ),
        Vector("file-twice", "EVENT-41", "Two sources state one digest.", public, "E_SOURCE_TWICE",
               _CHAIN, second),
    ]  # fmt: skip


def _without(number: int, make: Callable[[], Draft]) -> Draft:
    draft = make()
    del draft.rows[number]
    return draft


def _moved(number: int, to: int, make: Callable[[], Draft]) -> Draft:
    draft = make()
    draft.rows.insert(to, draft.rows.pop(number))
    return draft


def _orders() -> list[Vector]:
    between = _two()
    between.add(exclusion(), ROW + 1)
    twice = lean()
    twice.rows.insert(ROW, twice.copy().rows[RELEASE])
    after = decided()
    after.add(after.copy().rows[ROW])
    cases = [
        ("row-left-out", "The failed row of two is left out.", _without(ROW + 1, _two), FREEZE),
        ("first-row-left-out", "The first row of two is left out.", _without(ROW, _two), ROW),
        ("rows-in-other-order", "Two rows have changed places.", _moved(ROW, ROW + 1, _two), ROW),
        ("row-before-release", "A row stands before its release.",
         _moved(RELEASE, ROW, lean), RELEASE),
        ("release-left-out", "A second file without its release.",
         _without(ROW + 2, lambda: _again("20260102.0.0")), ROW + 2),
        ("release-twice", "A file reports a second release.", twice, ROW),
        ("decision-between-rows", "A decision stands between two rows.", between, ROW + 1),
        ("row-after-its-file", "A row of a file that has ended.", after, len(after.rows) - 2),
        ("row-too-many", "A file has a row more than it states.",
         _changed(_two(), SOURCE, rows=1), ROW + 1),
        ("source-of-no-import", "A row names a source that is none.",
         _changed(lean(), ROW, source=0), ROW),
        ("correction-left-out-between", "The first of two corrections is left out.",
         _without(ROW + 1, _corrected), ROW + 1),
        ("correction-before-rows", "A correction stands before the row.",
         _moved(ROW + 1, ROW, _corrected), ROW),
        ("row-set-aside-elsewhere", "A row is set aside under the number of another.",
         _changed(_aside(), ROW + 1, pointer="/runs/0/reward"), ROW + 1),
        ("row-set-aside-as-correction", "A row is set aside as if it were a correction.",
         _changed(_aside(), ROW + 1, pointer="/corrections/1"), ROW + 1),
    ]  # fmt: skip
    return [
        Vector("file-with-corrections", "EVENT-42", "A row and two corrections.", _corrected()),
        *(
            Vector(name, "EVENT-42", comment, draft, "E_FILE_ORDER", _CHAIN, seq)
            for name, comment, draft, seq in cases
        ),
    ]


def _aside() -> Draft:
    return thin(plain(row(1, **FAILED), row(2, reward=2)))


def _places() -> list[Vector]:
    attempt = "att-" + "0" * 32
    twice = _two()
    twice.rows[ROW + 1].says = {**twice.rows[ROW].says, "index": 1}
    places = [
        ("release-of-other-name", "A file reports a release of another name.",
         _changed(lean(), RELEASE, release="20260102.0.0"), RELEASE),
        ("row-of-other-release", "A row is moved to another release.",
         _changed(lean(), ROW, release="20260102.0.0"), ROW),
        ("row-of-no-matrix", "A row comes from a matrix that its release does not name.",
         _changed(lean(), ROW, matrix="wells-9"), ROW),
        ("correction-of-other-release", "A correction is moved to another release.",
         _changed(_corrected(), ROW + 1, release="20260102.0.0"), ROW + 1),
        ("correction-of-foreign-attempt", "A correction names an attempt that its file has not.",
         _changed(_corrected(), ROW + 1, attempt=attempt), ROW + 1),
    ]  # fmt: skip
    return [
        *(
            Vector(name, "EVENT-43", comment, draft, "E_FILE_PLACE", _CHAIN, seq)
            for name, comment, draft, seq in places
        ),
        Vector("row-counted-twice", "EVENT-44", "Two rows of a file report one trial.", twice,
               "E_DUPLICATE_ROW", _CHAIN, ROW + 1),
        Vector("attempt-renamed", "EVENT-45", "The attempt has another identity.",
               _changed(lean(), ROW, attempt=attempt), "E_ATTEMPT_ID", _CHAIN, ROW),
        Vector("attempt-renumbered", "EVENT-45", "The identity is that of another number.",
               _changed(lean(), ROW, number=2), "E_ATTEMPT_ID", _CHAIN, ROW),
    ]  # fmt: skip


def _amount() -> Vector:
    draft = _two()
    usage = {**draft.rows[ROW + 1].says["usage"], "cost_usd": "-0.1"}
    return Vector("cost-below-zero", "EVENT-46", "Nobody can have paid that.",
                  _changed(draft, ROW + 1, usage=usage), "E_SHAPE", "canonical",
                  ROW + 1)  # fmt: skip
