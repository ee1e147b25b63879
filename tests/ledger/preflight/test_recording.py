"""A run keeps its preflight: copies byte for byte, and a mark in its trajectory."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from canon import sha256
from ledger.errors import FileUnwritable
from ledger.preflight import (
    Configured,
    Report,
    Surroundings,
    has_begun,
    preflight,
    read_config,
    record,
)

Marks = list[tuple[str, Mapping[str, Any]]]
TOML = b'# what we use\nname = "a"\ncommand = "b"\nshell = ["true"]\n'


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """Return the directory of a run."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


@pytest.fixture
def made(tmp_path: Path, around: Surroundings) -> Callable[..., tuple[Report, Configured]]:
    """Return a function that makes a preflight with the bytes of a file."""

    def make(data: bytes, name: str, *overrides: str) -> tuple[Report, Configured]:
        configured = read_config(data, name, overrides)
        return preflight(configured, tmp_path / "out", ["terminal"], around), configured

    return make


def recorded(run_dir: Path, report: Report, configured: Configured) -> Marks:
    """Record a preflight, and return the marks that it made."""
    marks: Marks = []
    record(report, configured, run_dir, lambda name, data: marks.append((name, data)), os.urandom)
    return marks


def test_a_run_keeps_report_configuration_and_mark(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-60, PRE-61 and PRE-63: byte for byte, with a name relative to the run."""
    report, configured = made(TOML, "harness.toml", "model=m")
    ((name, data),) = recorded(run_dir, report, configured)
    folder = run_dir / "preflight"
    assert {path.name for path in folder.iterdir()} == {
        "preflight.json",
        "preflight.md",
        "config.toml",
    }
    assert (folder / "preflight.json").read_bytes() == report.data
    assert (folder / "preflight.md").read_text("utf-8") == report.text
    assert (folder / "config.toml").read_bytes() == TOML
    assert name == "harness_preflight"
    assert data == {
        "overall": "PASS",
        "report": "preflight/preflight.json",
        "report_sha256": sha256(report.data).hex(),
        "config_sha256": sha256(TOML).hex(),
        "effective_sha256": configured.effective_sha256.hex(),
        "checks": {"terminal": "PASS"},
    }
    assert report.document["effective_sha256"] == data["effective_sha256"]


def test_a_configuration_with_secrets_is_kept_without_them(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-63: a copy that says so, and the digest of the file."""
    data = TOML + b'[env]\nAPI_KEY = "k-789-xyz"\n'
    report, configured = made(data, "harness.toml")
    ((_, mark),) = recorded(run_dir, report, configured)
    folder = run_dir / "preflight"
    assert not (folder / "config.toml").exists()
    kept = json.loads((folder / "config.redacted.json").read_text())
    assert kept["config"]["env"] == {"API_KEY": "<redacted>"}
    assert kept["sha256"] == sha256(data).hex() == mark["config_sha256"]
    assert not any(b"k-789-xyz" in path.read_bytes() for path in folder.iterdir())


def test_a_secret_beside_the_file_leaves_the_file_as_it_is(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-63 and PRE-41: the bytes are kept, and the secret is nowhere."""
    data = json.dumps({"name": "a", "command": "b", "shell": ["echo", "sec-ret-1"]}).encode()
    report, configured = made(data, "harness.json", "lab.rcon_password=sec-ret-2")
    recorded(run_dir, report, configured)
    assert (run_dir / "preflight" / "config.json").read_bytes() == data
    written = [path.read_bytes() for path in run_dir.rglob("*") if path.is_file()]
    assert not any(b"sec-ret-2" in one for one in written)


def test_an_earlier_report_is_kept(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-62: a failure stays visible when the next preflight passes."""
    failed, configured = made(TOML, "harness.toml", 'shell=["false"]')
    assert failed.overall == "FAIL"
    recorded(run_dir, failed, configured)
    passed, configured = made(TOML, "harness.toml")
    recorded(run_dir, passed, configured)
    folder = run_dir / "preflight"
    aside = folder / "earlier" / failed.sha256.hex()[:16]
    assert (folder / "preflight.json").read_bytes() == passed.data
    assert (aside / "preflight.json").read_bytes() == failed.data
    assert (aside / "preflight.md").read_text("utf-8") == failed.text


def test_a_configuration_that_the_run_was_opened_with_stays(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-64: another one is kept beside it; the same one is not kept twice."""
    (run_dir / "preflight").mkdir()
    (run_dir / "preflight" / "config.toml").write_bytes(TOML)
    same, other = made(TOML, "harness.toml"), made(TOML + b"\n", "harness.toml")
    json_one = made(json.dumps(same[1].written).encode(), "harness.json")
    kept = [
        record(*one, run_dir, lambda *_: None, os.urandom) for one in (same, other, other, json_one)
    ]
    assert [one.another for one in kept] == [False, True, True, True]
    folder = run_dir / "preflight"
    assert (folder / "config.toml").read_bytes() == TOML
    digest = sha256(TOML + b"\n").hex()[:16]
    assert kept[1].path == kept[2].path == folder / f"{digest}.config.toml"
    assert kept[1].path.read_bytes() == TOML + b"\n"
    assert not (folder / "config.json").exists()
    assert kept[3].path.read_bytes() == json_one[1].data


def test_a_configuration_is_mended_before_the_agent_begins(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-64: the earlier one is put aside while the agent has made no call, and stays then."""
    first, second = made(TOML, "harness.toml"), made(TOML + b"\n", "harness.toml")
    calls = b'{"record": "call", "call_id": "c1", "actor": "agent"}\n'
    (run_dir / "trajectory.jsonl").write_bytes(calls.replace(b"agent", b"operator"))
    assert not has_begun(run_dir)
    for one in (first, second):
        kept = record(*one, run_dir, lambda *_: None, os.urandom, begun=has_begun(run_dir))
        assert not kept.another
    folder = run_dir / "preflight"
    assert (folder / "config.toml").read_bytes() == TOML + b"\n"
    aside = folder / "earlier" / sha256(TOML).hex()[:16] / "config.toml"
    assert aside.read_bytes() == TOML
    (run_dir / "trajectory.jsonl").write_bytes(calls)
    assert has_begun(run_dir)
    assert record(*first, run_dir, lambda *_: None, os.urandom, begun=has_begun(run_dir)).another
    assert (folder / "config.toml").read_bytes() == TOML + b"\n"
    (run_dir / "trajectory.jsonl").unlink()
    with pytest.raises(FileUnwritable):
        has_begun(run_dir)


def test_the_same_report_recorded_twice_is_no_trouble(
    made: Callable[..., tuple[Report, Configured]], run_dir: Path
) -> None:
    """PRE-62: a clock may stand still."""
    report, configured = made(TOML, "harness.toml")
    for _ in range(3):
        recorded(run_dir, report, configured)
    assert (run_dir / "preflight" / "preflight.json").read_bytes() == report.data


def test_a_run_that_cannot_be_written_is_refused(
    made: Callable[..., tuple[Report, Configured]], tmp_path: Path
) -> None:
    """And nothing is marked that is not there."""
    report, configured = made(TOML, "harness.toml")
    marks: Marks = []
    with pytest.raises(FileUnwritable):
        record(
            report,
            configured,
            tmp_path / "no-run",
            lambda name, data: marks.append((name, data)),
            os.urandom,
        )
    assert marks == []
