"""Versions of a stream by somebody who holds the ledger and its keys (STORE-27)."""

import hashlib
import os
from typing import Any

import pytest
from audited_runs import AT, RUN, AuditedRun, concluded, take

from ledger.check import check_ledger
from ledger.events import CANONICAL, DIGEST, LINE, PATH, FileObserved
from ledger.runs.extraction import READER, event_of
from ledger.runs.intake.versions import Versions
from ledger.store import Ledger

MOD = "test/mod.jsonl"


def forge(
    ledger: Ledger, lines: list[bytes], kept: int, stated: bytes | None = None, **says: Any
) -> int:
    """Append a version of the test mod's events, under the digests of other bytes if asked to."""
    data = b"".join(lines)
    known = data if stated is None else stated
    before = Versions(ledger, RUN).newest("test_mod", MOD)
    assert before is not None
    event: dict[str, Any] = {
        "run": RUN,
        "kept": kept,
        "role": "test_mod",
        "state": "present",
        "reader": READER,
        "records": len(lines),
        "size_bytes": len(data),
        "supersedes": before.seq,
    }
    digests = {DIGEST: known, CANONICAL: known.replace(b"\r\n", b"\n")}
    slots = {slot: hashlib.sha256(one).digest() for slot, one in digests.items()}
    with ledger.batch(at=AT, entropy=os.urandom) as batch:
        seq = batch.append(FileObserved(**event | says), {PATH: MOD.encode(), **slots})
        for line in range(kept, len(lines)):
            batch.append(event_of("test_mod", line, lines[line], seq), {LINE: lines[line]})
    return seq


@pytest.fixture
def lines(ledger: Ledger, reviewed: AuditedRun) -> list[bytes]:
    """Return the events of the test mod of a run that is in the ledger."""
    take(ledger, reviewed)
    return reviewed.read(MOD).splitlines(keepends=True)


def other(lines: list[bytes]) -> list[bytes]:
    """Return events of the same length in which another player pressed the button."""
    return [line.replace(b'"actor": "p"', b'"actor": "q"') for line in lines]


def test_other_lines_under_the_declared_digest(ledger: Ledger, lines: list[bytes]) -> None:
    """An audit that goes by the digest passes; the check of the file does not (STORE-27)."""
    made = [lines[0], *other(lines)[1:]]
    seq = forge(ledger, made, 1, stated=b"".join(lines))
    assert concluded(ledger).judgement.verdict.overall == "PASS"
    verdict = check_ledger(ledger)
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.seq) == ("E_EXTRACT", seq)
    assert f"event {seq}, {DIGEST}" in verdict.error.message


def test_what_is_built_on_such_a_version(ledger: Ledger, lines: list[bytes]) -> None:
    """A version that only grew from there is not taken on trust either."""
    made = [lines[0], *other(lines)[1:]]
    forge(ledger, made, 1)
    seq = forge(ledger, [*made, b"{}\n"], len(made), stated=b"".join([*lines, b"{}\n"]))
    verdict = check_ledger(ledger)
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.seq) == ("E_EXTRACT", seq)


def test_another_size(ledger: Ledger, lines: list[bytes]) -> None:
    """The size is that of all lines, those included that were kept."""
    seq = forge(ledger, [lines[0], *other(lines)[1:]], 1, size_bytes=7)
    verdict = check_ledger(ledger)
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.seq) == ("E_EXTRACT", seq)
    assert "size_bytes" in verdict.error.message


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_an_honest_version_that_goes_back(ledger: Ledger, lines: list[bytes], kept: int) -> None:
    """A file whose later lines changed holds, and so does what grows from it, with CR LF too."""
    made = [*lines[:kept], *(line.replace(b"\n", b"\r\n") for line in other(lines)[kept:])]
    forge(ledger, made, kept)
    forge(ledger, [*made, b"{}\n"], len(made))
    verdict = check_ledger(ledger)
    assert verdict.error is None
    assert verdict.ok
