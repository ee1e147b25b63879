"""``specs/commands.md`` is what the program's help says, and the help says enough."""

import runpy
from pathlib import Path

import pytest

SPECS = Path(__file__).resolve().parents[2] / "specs"


@pytest.fixture(scope="module")
def page() -> str:
    """Return the page as the generator gives it now."""
    made = runpy.run_path(str(SPECS / "make_commands.py"))["page"]()
    assert isinstance(made, str)
    return made


def test_the_page_is_up_to_date(page: str) -> None:
    """`make docs` changes nothing."""
    assert (SPECS / "commands.md").read_text(encoding="utf-8") == page


def test_every_command_has_an_example_of_itself(page: str) -> None:
    """The example under a command begins with its name."""
    sections = page.split("\n### `")[1:]
    assert len(sections) >= 20
    for section in sections:
        name, _, text = section.partition("`")
        _, _, examples = text.partition("Example")
        assert f"\n  {name} " in examples or f"\n    {name}" in examples, name


def test_every_variable_on_the_page_is_read_somewhere(page: str) -> None:
    """A variable that the program ignores would be a promise without a test."""
    package = SPECS.parent / "cli"
    sources = "".join(path.read_text(encoding="utf-8") for path in package.glob("*.py"))
    _, _, table = page.partition("| variable |")
    names = {part for row in table.split("\n## ")[0].splitlines() for part in row.split("`")[1:2]}
    assert "COLDLEDGER" in names
    assert {name for name in names if f'"{name}"' not in sources} == set()
