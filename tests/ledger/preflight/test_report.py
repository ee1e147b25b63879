"""The report has the fields of the page, and replaces nothing but an earlier one."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pycddl
import pytest

from canon import encode, sha256
from ledger.errors import FileUnwritable, LedgerExists
from ledger.preflight import Report, Surroundings, preflight, read_config

REPO = Path(__file__).resolve().parents[3]
CDDL = (REPO / "specs" / "cddl" / "preflight.cddl").read_text("utf-8")
SCHEMA = pycddl.Schema(f"start = report\n{CDDL}")
EVIDENCE = pycddl.Schema(f"start = evidence\n{CDDL}")
AT = "2026-01-02T03:04:05.000006Z"
Checked = Callable[..., Report]


def test_the_report_has_exactly_the_fields_of_the_page(checked: Checked, tmp_path: Path) -> None:
    """PRE-50: by its CDDL, with evidence of every kind, and PRE-51: without a fraction."""
    lab = {"enabled": True, "start": False, "provision": False, "list_command": [sys.executable]}
    report = checked(lab=lab, fetch_urls=["http://127.0.0.1:1/"], model="m", provider="p")
    data = (tmp_path / "out" / "preflight.json").read_bytes()
    document = json.loads(data, parse_float=lambda text: pytest.fail(f"a fraction: {text}"))
    assert report.data == data
    assert document == report.document
    evidence = [one for check in document["checks"] for one in check["evidence"]]
    for one in evidence:
        EVIDENCE.validate_cbor(encode(one))
    # Deep in a document the validator at hand takes the first kind of entry for the only one.
    checks = [check | {"evidence": []} for check in document["checks"]]
    SCHEMA.validate_cbor(encode(document | {"checks": checks}))
    assert [check["id"] for check in document["checks"]][::9] == [
        "harness_identity",
        "lab_management",
    ]
    assert {one["kind"] for one in evidence} == {"command", "fetch", "file", "port"}
    assert document["harness"] == {"name": "plain", "model": "m", "provider": "p"}
    assert (document["started_at"], document["ended_at"]) == (AT, AT)
    with pytest.raises(pycddl.ValidationError):
        SCHEMA.validate_cbor(encode(document | {"checks": checks, "more": 1}))


def test_what_is_shown_gives_the_effective_digest(checked: Checked) -> None:
    """PRE-5: where nothing is secret, whoever has the report can compute it."""
    document = checked("terminal").document
    assert document["effective_sha256"] == sha256(encode(document["config"])).hex()


def test_secrets_of_the_configuration_are_not_shown(checked: Checked, tmp_path: Path) -> None:
    """PRE-40: in the report for programs and in that for people."""
    report = checked("terminal", env={"API_TOKEN": "t-456"}, model="t-456", shell=["echo", "t-456"])
    assert report.document["config"]["env"] == {"API_TOKEN": "<redacted>"}
    assert report.document["harness"]["model"] == "<redacted>"
    for path in (tmp_path / "out").rglob("*"):
        assert path.is_dir() or b"t-456" not in path.read_bytes(), path


def test_the_report_for_people_says_the_same(checked: Checked, tmp_path: Path) -> None:
    """PRE-50: every check with its status, and nothing that Markdown would read."""
    report = checked("terminal", "bridge_mcp", shell=["printf", "a|b`<c>\x1b[31m"])
    text = (tmp_path / "out" / "preflight.md").read_text("utf-8")
    assert text == report.text
    assert text.startswith("# Preflight: PASS\n")
    assert "| terminal | PASS | a\\|b\\`\\<c\\> \\[31m |\n" in text
    assert "| bridge_mcp | SKIP | `" not in text
    assert report.document["config_sha256"] in text


def test_a_check_is_written_as_soon_as_it_was_made(tmp_path: Path, around: Surroundings) -> None:
    """PRE-15: a preflight that is cut short leaves what it knew."""
    document = {"name": "a", "command": "b", "shell": [sys.executable, "-V"]}
    configured = read_config(json.dumps(document).encode(), "x.json")
    out = tmp_path / "out"

    def interrupt(check: Any) -> None:
        if check.id == "terminal":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        preflight(configured, out, ["terminal", "filesystem"], around, interrupt)
    kept = json.loads((out / "probes" / "terminal.json").read_text())
    assert (kept["id"], kept["status"]) == ("terminal", "PASS")
    assert not (out / "preflight.json").exists()
    assert json.loads((out / "probes" / "started.json").read_text()) == {
        "started_at": AT,
        "checks": ["terminal", "filesystem"],
    }
    report = preflight(configured, out, ["filesystem"], around)
    assert report.overall == "PASS"
    assert not (out / "probes" / "terminal.json").exists()


def test_an_earlier_report_is_replaced(checked: Checked, tmp_path: Path) -> None:
    """PRE-52: and what else is in the folder stays."""
    checked("terminal", "filesystem", shell=["true"])
    (tmp_path / "out" / "mine.txt").write_text("mine")
    checked("filesystem")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"mine.txt", "probes", "preflight.json", "preflight.md"}
    assert not (tmp_path / "out" / "probes" / "terminal").exists()


@pytest.mark.parametrize("name", ["preflight.json", "preflight.md", "probes"])
def test_what_no_preflight_left_is_not_replaced(
    checked: Checked, tmp_path: Path, name: str
) -> None:
    """PRE-52: whoever names a wrong folder loses nothing."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(LedgerExists) as refused:
        checked("filesystem")
    assert refused.value.place == str(tmp_path / "out" / name)
    assert (tmp_path / "out" / name).read_text() == "mine"


def test_a_folder_of_probes_that_leads_elsewhere_is_not_emptied(
    checked: Checked, tmp_path: Path
) -> None:
    """PRE-52: a link is taken away, not what it leads to."""
    checked("filesystem")
    (tmp_path / "out" / "probes").rename(tmp_path / "elsewhere")
    (tmp_path / "out" / "probes").symlink_to(tmp_path / "elsewhere")
    checked("filesystem")
    assert (tmp_path / "elsewhere" / "started.json").is_file()
    assert not (tmp_path / "out" / "probes").is_symlink()


def test_a_folder_that_cannot_be_made_is_refused(checked: Checked, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FileUnwritable):
        checked("filesystem")


def test_a_folder_that_vanishes_is_refused(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a disk that is full between two checks."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ledger.preflight.procedure._write", full)
    with pytest.raises(FileUnwritable) as refused:
        checked("filesystem")
    assert refused.value.got == "No space left on device"
