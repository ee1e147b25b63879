"""The page of cases, and the cases as a user would run them."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from cases.desk import Desk
from cases.releases import release, three

HERE = Path(__file__).parent
REPO = HERE.parents[1]
_PRECEDENT = re.compile(r"[\w.-]+/[\w.-]+#[0-9]+")


def rows() -> list[list[str]]:
    """Return the cells of each row of the page's table."""
    page = (REPO / "specs" / "cases.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_case_is_on_the_page_and_has_a_precedent() -> None:
    """One row for each module, with public threads that it answers to."""
    modules = {path.name for path in HERE.glob("test_*.py")} - {Path(__file__).name}
    assert sorted(cells[3].strip("`") for cells in rows()) == sorted(modules)
    for cells in rows():
        assert all(map(_PRECEDENT.fullmatch, cells[1].split(", "))), cells[1]


def test_every_case_tells_its_story_and_stands_up_to_verifying() -> None:
    """Each module begins with the story, and verifies what came of one of its inputs."""
    for cells in rows():
        tree = ast.parse((HERE / cells[3].strip("`")).read_text(encoding="utf-8"))
        story = ast.get_docstring(tree) or ""
        assert 3 <= len(re.findall(r"[.:](?:\s|$)", story)) <= 9, cells[3]
        called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "stands" in called, cells[3]


def test_it_is_the_same_in_processes(desk: Desk) -> None:
    """What a user types gives what the other tests call."""
    desk.write(release("20260302.0.0", three("repaired", "unavailable", "failed")))

    def program(*words: str) -> dict[str, object]:
        done = subprocess.run(
            [sys.executable, "-c", "from cli.main import run; run()", *words, "--json"],
            env={**os.environ, "PYTHONPATH": str(REPO)},
            capture_output=True,
            check=True,
        )
        found: dict[str, object] = json.loads(done.stdout)
        return found

    program("import", "20260302.0.0.json")
    assert program("leaderboard") == desk.board()
    assert desk.rate() == "1/2"
