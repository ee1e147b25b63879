"""What the pages point at is there."""

import re
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?:[A-Za-z0-9_.-]+/)+[A-Za-z0-9_.-]*|[A-Za-z0-9_-]+\.(?:md|lock|toml)")
_WIRE_NAME = re.compile(r"[a-z-]+/[0-9]+")
_MADE_BY_THE_TOUR = ("keys/", "spring")


@pytest.mark.parametrize("page", PAGES)
def test_paths_on_a_page_exist(page: str) -> None:
    """Every path in code is one of the repository; those that the README makes are its own."""
    paths = {
        name
        for name in _CODE.findall(_prose(page))
        if _PATH.fullmatch(name)
        and not name.startswith(_MADE_BY_THE_TOUR)
        and not _WIRE_NAME.fullmatch(name)
    }
    assert {path for path in paths if not (REPO / path).exists()} == set()


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_on_a_page_exist(page: str) -> None:
    """Every `make` that a page asks for is in the Makefile."""
    makefile = (REPO / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    asked = set(re.findall(r"(?:^|`)make ([a-z]+)", _text(page), re.MULTILINE))
    assert asked <= targets


def test_the_pages_ask_for_the_targets_that_visitors_need() -> None:
    """The README's two set-up commands are these."""
    readme = _text("README.md")
    assert re.findall(r"^make (\w+)", readme, re.MULTILINE) == ["demo", "test"]


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    """Relative links name a file of the repository."""
    targets = re.findall(r"\]\(([^)#]+)", _text(page))
    relative = [target for target in targets if "://" not in target]
    assert [target for target in relative if not (REPO / target).exists()] == []


def test_the_changelog_begins_with_this_version() -> None:
    """Below what is unreleased stands the version that the program says it is."""
    from ledger.version import __version__

    versions = re.findall(r"^## \[([^]]+)\]", _text("CHANGELOG.md"), re.MULTILINE)
    assert versions[:2] == ["Unreleased", __version__]


def test_decision_records_are_numbered_without_gaps() -> None:
    """Each is named after its number, and says so in its title."""
    records = sorted((REPO / "specs/adr").glob("*.md"))
    for number, path in enumerate(records, 1):
        assert path.name.startswith(f"{number:04}-"), path.name
        assert path.read_text(encoding="utf-8").startswith(f"# ADR-{number:04}: ")
    assert records


def _text(page: str) -> str:
    return (REPO / page).read_text(encoding="utf-8")


def _prose(page: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", _text(page), flags=re.MULTILINE | re.DOTALL)
