"""No MUST without a vector or a test that names it, and no proof of a clause that there is not."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ledger.verify.steps import Step

REPO = Path(__file__).resolve().parents[2]
SPECS = REPO / "specs"
CLAUSE = re.compile(
    r"^\*\*([A-Z]+-\d+)\*\*(.*?)(?=^\*\*[A-Z]+-\d+\*\*|^#|\Z)", re.MULTILINE | re.DOTALL
)
OF_RUNS = {"task.md"}
"""Names of files that every run has, and not we."""
NAMED = re.compile(r"\b([A-Z]+)-(\d+)(?: to (?:[A-Z]+-)?(\d+))?")
PAGES = sorted(
    path.name for path in SPECS.glob("*.md") if CLAUSE.search(path.read_text(encoding="utf-8"))
)


@cache
def clauses() -> dict[str, str]:
    """Return every clause of every page to its text."""
    found: dict[str, str] = {}
    for page in PAGES:
        for clause, text in CLAUSE.findall((SPECS / page).read_text(encoding="utf-8")):
            assert clause not in found, f"{clause} stands twice"
            found[clause] = text
    return found


@cache
def vectors() -> list[dict[str, object]]:
    """Return every vector that names a clause."""
    found = []
    for path in sorted(SPECS.glob("vectors/*/*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        found += [one | {"file": path.name} for one in content["vectors"]]
    return found


def named_in(text: str) -> Iterator[str]:
    """Yield the clauses that a text names, ranges included."""
    for family, first, last in NAMED.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{family}-{number}"


def dangling(text: str) -> list[str]:
    """Return what a text names, as a clause or as an end of a range, that there is not."""
    families = {clause.partition("-")[0] for clause in clauses()}
    ends = [
        f"{family}-{number}"
        for family, first, last in NAMED.findall(text)
        for number in {first, last or first}
        if family in families
    ]
    return [clause for clause in ends if clause not in clauses()]


@cache
def proofs() -> dict[str, list[str]]:
    """Return the clauses that docstrings in test files name, to their functions."""
    found: dict[str, list[str]] = {}
    for path in sorted((REPO / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for clause in named_in(ast.get_docstring(node) or ""):
                    found.setdefault(clause, []).append(node.name)
    return found


def proved_by_vectors() -> set[str]:
    """Return the clauses that vectors name; a step is named by whatever fails in it."""
    steps = {step.value: f"VERIFY-{number}" for number, step in enumerate(Step, 1)}
    named = {str(one["clause"]) for one in vectors() if "clause" in one}
    return named | {steps[str(one["step"])] for one in vectors() if one.get("step")}


def test_the_pages_are_read() -> None:
    """Every page with rules has some, under its own names."""
    assert {"bundle.md", "canon.md", "chain.md", "events.md", "signing.md", "store.md"} <= set(
        PAGES
    )
    assert len(clauses()) > 150


@pytest.mark.parametrize("page", PAGES)
def test_every_must_is_proved(page: str) -> None:
    """By a vector that names the clause, or by a test whose docstring does."""
    text = (SPECS / page).read_text(encoding="utf-8")
    proved = proved_by_vectors() | set(proofs())
    unproved = [
        clause for clause, said in CLAUSE.findall(text) if "MUST" in said and clause not in proved
    ]
    assert unproved == []


def test_every_clause_has_a_must() -> None:
    """A numbered clause that demands nothing would be a remark."""
    assert [clause for clause, said in clauses().items() if "MUST" not in said] == []


def test_every_vector_names_a_clause_that_there_is() -> None:
    """And a code, null where it is accepted."""
    for one in vectors():
        if "clause" in one:
            assert one["clause"] in clauses(), one
            assert ("code" in one) or one["file"].startswith(("figures", "importers")), one  # type: ignore[union-attr]


def test_every_clause_that_a_page_calls_for_exists() -> None:
    """References between pages point at something."""
    for path in SPECS.glob("*.md"):
        assert dangling(path.read_text(encoding="utf-8")) == [], path.name


def test_every_clause_that_the_code_cites_exists() -> None:
    """Docstrings and comments cite clauses by their numbers; so do tests."""
    for package in ("canon", "signing", "ledger", "cli", "tests"):
        for path in (REPO / package).rglob("*.py"):
            assert dangling(path.read_text(encoding="utf-8")) == [], path


def test_every_attack_is_met_by_the_vectors_that_the_page_names() -> None:
    """The vectors exist and expect the code of their row."""
    by_name = {str(one["name"]): one for one in vectors() if "input" in one}
    files = {path.relative_to(SPECS / "vectors").with_suffix("").as_posix()
             for path in SPECS.glob("vectors/*/*.json")}  # fmt: skip
    tests = {name for names in proofs().values() for name in names}
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", (SPECS / "attacks.md").read_text("utf-8"),
                      re.MULTILINE)  # fmt: skip
    assert len(rows) > 45
    for _, code, named in rows[2:]:
        codes = set(re.findall(r"`(E_\w+)`", code))
        for name in named.split(", "):
            if name.startswith("`"):
                assert name.strip("`") in tests
            elif "/" in name:
                assert name in files
                text = (SPECS / "vectors" / f"{name}.json").read_text("utf-8")
                assert any(one in text for one in codes), name
            else:
                assert by_name[name]["code"] in codes or "E_CBOR_FLOAT" in codes, name


def test_pages_and_files_that_pages_name_exist() -> None:
    """A path in backticks that ends like a file of ours is one."""
    for path in SPECS.glob("*.md"):
        for name in re.findall(
            r"`((?:cddl|vectors|policies)/[\w/.-]+|[\w-]+\.md)`", path.read_text("utf-8")
        ):
            if "*" not in name and "<" not in name and name not in OF_RUNS:
                assert (SPECS / name).exists() or (REPO / name).exists(), f"{path.name}: {name}"
