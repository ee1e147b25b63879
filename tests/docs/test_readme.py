"""The console blocks of the README do what it says, in order, on the committed samples."""

import os
import shutil
from pathlib import Path

import pytest
from docs.transcript import EXIT_CODE, commands, matches, play

REPO = Path(__file__).resolve().parents[2]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go into a folder that has the samples and nothing else, without the user's settings."""
    shutil.copytree(REPO / "samples", tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("COLDLEDGER")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TRUST_SHA256", "")  # set by the page, gone afterwards
    return tmp_path


@pytest.mark.usefixtures("workplace")
def test_the_readme_does_what_it_says() -> None:
    """Every command ends as shown and prints what is shown."""
    play(REPO / "README.md")


def test_the_readme_shows_the_job_of_each_user() -> None:
    """The page would be true if it showed nothing."""
    shown = " ".join(command.text for command in commands(REPO / "README.md"))
    for needed in ("init", "import", "freeze", "export", "verify", "correct", "exclude", "diff"):
        assert f" {needed} " in f" {shown} "
    assert EXIT_CODE in shown


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (("a", "…", "d"), ["a", "b", "c", "d"]),
        (("a", "…", "b"), ["a", "b"]),
        (("…",), []),
        (("size …, root …", "…"), ["size 7, root ab12"]),
        (("a (b) *",), ["a (b) *  "]),
    ],
)
def test_an_ellipsis_stands_for_what_is_left_out(
    expected: tuple[str, ...], printed: list[str]
) -> None:
    """In a line for any text, on its own for any number of lines."""
    assert matches(expected, printed)


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (("a", "…", "d"), ["a", "b"]),
        (("a",), ["a", "b"]),
        (("size …, root",), ["size 7, root ab12"]),
        (("a.c",), ["abc"]),
        (("a … b",), ["a x", "y b"]),
    ],
)
def test_all_else_has_to_be_the_same(expected: tuple[str, ...], printed: list[str]) -> None:
    """A line too many, too few or different is noticed."""
    assert not matches(expected, printed)


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ coldledger --version\ncoldledger 9.9.9\n```\n",
        "```console\n$ false\n```\n",
        "```console\n$ true\n$ echo $?\n1\n```\n",
        "```console\nno command\n```\n",
    ],
)
@pytest.mark.usefixtures("workplace")
def test_a_page_that_is_not_true_fails(page: str, tmp_path: Path) -> None:
    """Other output, another exit code, or output without a command."""
    document = tmp_path / "page.md"
    document.write_text(page)
    with pytest.raises(AssertionError, match=r"page\.md:\d"):
        play(document)
