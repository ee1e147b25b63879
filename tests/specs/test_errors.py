"""``specs/errors.md`` lists every refusal, and every code that anything names is a refusal's."""

import json
import re
import runpy
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from canon.refusal import Refusal

REPO = Path(__file__).resolve().parents[2]
SPECS = REPO / "specs"
CODE = re.compile(r"\bE_[A-Z][A-Z0-9_]*\b")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """Return what the generator of the page defines."""
    return runpy.run_path(str(SPECS / "make_errors.py"))


@pytest.fixture(scope="module")
def kinds(made: dict[str, Any]) -> list[type[Refusal]]:
    """Return every class of refusal."""
    refusals: Callable[[str], Iterator[type[Refusal]]] = made["refusals"]
    return [kind for package in made["PACKAGES"] for kind in refusals(package.__name__)]


def test_the_page_is_up_to_date(made: dict[str, Any]) -> None:
    """`make docs` changes nothing."""
    assert (SPECS / "errors.md").read_text(encoding="utf-8") == made["page"]()


def test_one_class_has_one_code(kinds: list[type[Refusal]]) -> None:
    """No code stands for two faults, and no class borrows the code of another."""
    codes = Counter(kind.code for kind in kinds)
    assert [code for code, times in codes.items() if times > 1] == []
    assert all("code" in vars(kind) for kind in kinds)


def test_the_page_lists_the_classes_and_nothing_else(kinds: list[type[Refusal]]) -> None:
    """Codes on the page and codes of classes are the same set."""
    text = (SPECS / "errors.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(E_\w+)` \|", text, re.MULTILINE))
    assert listed == {kind.code for kind in kinds}


def test_every_class_says_what_it_means_and_what_to_do(kinds: list[type[Refusal]]) -> None:
    """A meaning is a sentence; a remedy is a clause in the imperative without a full stop."""
    for kind in kinds:
        meaning = (kind.__doc__ or "").splitlines()[0]
        assert meaning.endswith((".", "64.", "70.")), kind
        assert kind.remedy, kind
        assert kind.remedy[0].islower(), kind
        assert not kind.remedy.endswith("."), kind


def test_every_code_that_a_page_or_vector_names_exists(kinds: list[type[Refusal]]) -> None:
    """Specs and vectors speak of no code that nothing raises."""
    known = {kind.code for kind in kinds}
    for path in SPECS.glob("*.md"):
        named = set(CODE.findall(path.read_text(encoding="utf-8")))
        assert named - known <= {"E_CBOR_"}, path  # which stands for a family, with an asterisk
    for path in SPECS.glob("vectors/*/*.json"):
        vectors = json.loads(path.read_text(encoding="utf-8"))["vectors"]
        expected = {vector.get("code") for vector in vectors} - {None}
        assert expected <= known, path


def test_every_class_is_raised_somewhere(kinds: list[type[Refusal]]) -> None:
    """A class that nothing raises would be a promise without a fault."""
    words: Counter[str] = Counter()
    for package in ("canon", "signing", "ledger", "cli"):
        for path in (REPO / package).rglob("*.py"):
            words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    assert [kind.__name__ for kind in kinds if words[kind.__name__] < 2] == []
