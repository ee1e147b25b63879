"""``python -m fuzz``: which surfaces it is asked for."""

from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.surfaces import SURFACES


def test_all_surfaces_are_meant_where_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An input is judged again by each of them."""
    path = tmp_path / "input"
    path.write_bytes(b"\xa0")
    assert main(["--replay", str(path)]) == 0
    assert capsys.readouterr().out.split() == [
        word for name in SURFACES for word in (f"{name}:", "held")
    ]
    assert main(["--replay", str(path), "canon"]) == 0
    assert capsys.readouterr().out == "canon: held\n"


def test_a_surface_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    """It is named, with those that there are."""
    with pytest.raises(SystemExit) as left:
        main(["nothing"])
    assert left.value.code == 2
    assert "no surface nothing: any of canon, " in capsys.readouterr().err
