"""A desk with a fresh ledger for each case; its keys are made once."""

import shutil
from pathlib import Path

import pytest
from cases.desk import Desk
from cli_place import Ran

from cli.main import main

_VARIABLES = ("COLDLEDGER", "COLDLEDGER_LOG_KEY", "COLDLEDGER_PASSPHRASE", "COLUMNS")


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with an empty ledger and its keys."""
    folder = tmp_path_factory.mktemp("founded")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for variable in _VARIABLES:
            patch.delenv(variable, raising=False)
        assert main(["init", "--origin", "example.org/cases", "--keys", "keys", "--json"]) == 0
    return folder


@pytest.fixture
def desk(
    founded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Desk:
    """Return a desk in a copy of that folder."""
    place = tmp_path / "desk"
    shutil.copytree(founded, place)
    monkeypatch.chdir(place)
    for variable in _VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words: object) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return Desk(place, run)
