"""Names that may be one name in two spellings."""

import pytest

from ledger.spelling import alike, skeleton


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("maker/First", "maker/first", "model"),
        ("maker/first", "first", "model"),
        ("host/maker/first", "dealer/first", "model"),
        ("first-2", "First 2", "model"),
        ("first-2.1", "first-2-1", "model"),
        ("first2", "first_2", "model"),
        ("101-stuck-queue", "101 Stuck_Queue", "scenario"),
        ("GROẞ", "gross", "agent"),
    ],
)
def test_spellings_of_one_name_are_alike(one: str, two: str, kind: str) -> None:
    """Case, separators, and of models the provider (IMPORT-42)."""
    assert alike([two, one], kind) == [sorted([one, two])]


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("first-2.1", "first-21", "model"),
        ("first-2", "first-3", "model"),
        ("maker/first", "maker/first-mini", "model"),
        ("pack/first", "first", "scenario"),
        ("first+", "first", "model"),
    ],
)
def test_names_of_two_things_are_not(one: str, two: str, kind: str) -> None:
    """A digit, a word or a sign more is another name; only a model has a provider."""
    assert alike([one, two], kind) == []


def test_one_name_is_not_like_itself() -> None:
    """However often it stands there; and a group holds every spelling, in order."""
    assert alike(["first", "first"], "model") == []
    assert alike(["b/x", "X", "y", "a/x", "Y"], "model") == [["X", "a/x", "b/x"], ["Y", "y"]]


def test_something_is_left_of_every_name() -> None:
    """A model that ends with its provider is not a model without a name."""
    assert skeleton("maker/", "model") == "maker/"
