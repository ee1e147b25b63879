"""What is installed from a wheel works, with nothing of the checkout beside it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
PACKAGES = {"canon", "signing", "ledger", "cli"}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the wheel has in it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=REPO,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("coldledger-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def installed(unpacked: Path, folder: Path, *arguments: str) -> str:
    """Run the command from the unpacked wheel, in a folder of its own."""
    run = "import cli.main, sys; sys.exit(cli.main.run())"
    done = subprocess.run(
        [sys.executable, "-c", run, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(unpacked), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_it_holds_the_packages_and_nothing_else(unpacked: Path) -> None:
    """Tests, specs and benchmarks stay at home; policies and the command come along."""
    names = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}
    assert names == PACKAGES
    (scripts,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "coldledger = cli.main:run" in scripts.read_text()
    shipped = {path.stem for path in (unpacked / "ledger/rules/policies").rglob("*.toml")}
    assert shipped == {path.stem for path in (REPO / "specs/policies").rglob("*.toml")}
    assert shipped


def test_a_ledger_is_made_checked_and_verified(unpacked: Path, tmp_path: Path) -> None:
    """From the wheel's own modules: its policies are frozen, its samples go through."""
    made = "import canon, ledger, pathlib; print(pathlib.Path(ledger.__file__).parent.parent)"
    where = subprocess.run(
        [sys.executable, "-c", made],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(where.stdout.strip()) == unpacked
    installed(unpacked, tmp_path, "init", "--origin", "example.org/wheel", "--keys", "keys")
    for sample in sorted((REPO / "samples").glob("*.json"))[:1]:
        installed(unpacked, tmp_path, "import", str(sample))
    key = ["--key", "keys/root.key"]
    installed(unpacked, tmp_path, "edition", "freeze", "one", *key)
    installed(unpacked, tmp_path, "edition", "export", "one", "-o", "one.bundle", *key)
    trust = ["--trust", "keys/trust-root.cbor"]
    assert "VALID" in installed(unpacked, tmp_path, "verify", "one.bundle", *trust)
