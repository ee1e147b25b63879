"""A session taken into a run: its file copied, its records appended, each once (PI-19 to PI-21)."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from canon.excerpt import excerpt
from ledger.errors import FileUnwritable, RunWord
from ledger.runs.layout import ACTORS, PHASES
from ledger.runs.recording import Recorder
from ledger.runs.recording.keeping import digest_of, folder_in, write_new
from ledger.runs.recording.raw_files import IMPORTS, copied_raw, known_raw, name_raw

from .known import Known
from .messages import Imported
from .report import Report
from .results import FULL_TEXTS, MAX_TEXT, Attachment
from .session import read_session

_BATCH = 128
"""Records that are written at once; with texts cut they are a few megabytes."""


class Added(Struct):
    """What an import of a session did.

    Attributes:
        path: The copy, as the run names it.
        same_file: Whether the run had this very file.
        added: Records that are new.
        known: Records that were there.
        gone: Records of this session that are there, and are no longer on its active branch.
        early: New records that are earlier than the last one that was there.
        report: What is in the session.
    """

    path: str
    same_file: bool
    added: int
    known: int
    gone: int
    early: int
    report: Report

    def document(self) -> dict[str, Any]:
        """Return all of it as a JSON value."""
        return {
            "path": self.path,
            "same_file": self.same_file,
            "added": self.added,
            "known": self.known,
            "gone": self.gone,
            "early": self.early,
            **self.report.document(),
        }


def add_session(
    run_dir: Path,
    source: Path,
    *,
    phase: str,
    clock: Callable[[], str],
    cwd: Path,
    actor: str = "agent",
    max_text: int = MAX_TEXT,
    progress: Callable[[int, int], None] | None = None,
) -> Added:
    """Import a session into a run.

    Args:
        run_dir: The run.
        source: The session. It may still grow; import it again when it has.
        phase: Phase of the run that the session belongs to.
        clock: Returns the present time, RFC 3339 in UTC.
        cwd: Where *source* starts.
        actor: Who made the calls.
        max_text: From how many characters on the text of a result is cut, at least 1.
        progress: Called with lines that are done, and all lines.

    Raises:
        RunMissing, RunUnreadable, RunLocked: There is no run, or it cannot be added to.
        RunWord: There is no such phase or actor.
        SourceMissing, SourceDirectory, SourceUnreadable: There is no such session.
        PiSessionInvalid, PiVersion: It is no session that is read.
        FileUnwritable: There is no room for its copy.
    """
    for name, word, words in (("phase", phase, PHASES), ("actor", actor, ACTORS)):
        if word not in words:
            raise RunWord(name, excerpt(word), " or ".join(words))
    tell = progress or (lambda done, total: None)
    session = read_session(cwd / source)
    with Recorder(run_dir, clock=clock, lenient=True) as recorder, recorder.held():
        now = recorder.moment()
        known = known_raw(run_dir, bytes.fromhex(session.report.sha256))
        listed = None if known is None else str(known.get("path"))
        copy = run_dir / listed if listed else copied_raw(run_dir, cwd / source)
        if listed is None:
            # What was copied counts: the session may have grown since.
            session = read_session(copy, source.name)
        there = Known(run_dir, session.report.session)
        records = session.records(
            phase=phase, now=now, actor=actor, max_text=max_text, answered=there.answered
        )
        new = there.new(records)
        if listed is None:
            _append(recorder, new, lambda line: tell(line, session.report.lines))
            count = there.added + there.known
            name_raw(run_dir, copy, source=source, cwd=cwd, records=count, at=now)
        else:
            for _ in new:  # only to report what is in the file
                pass
    there.tell(session, source.name)
    return Added(
        path=listed or f"{IMPORTS}/{copy.name}",
        same_file=listed is not None,
        added=0 if listed else there.added,
        known=there.known,
        gone=there.of_session - there.known,
        early=0 if listed else there.early,
        report=session.report,
    )


def _append(
    recorder: Recorder, records: Iterator[Imported], progress: Callable[[int], None]
) -> None:
    """Append records, each after the text that belongs to it."""
    while batch := list(islice(records, _BATCH)):
        for one in batch:
            if one.attachment is not None:
                _keep(recorder.run_dir, one.attachment)
        recorder.record_all(one.record for one in batch)
        progress(batch[-1].line)


def _keep(run_dir: Path, attachment: Attachment) -> None:
    """Write the whole text of a result into the run; what is there under its digest is it."""
    folder_in(run_dir, IMPORTS)
    target = folder_in(run_dir, FULL_TEXTS) / Path(attachment.path).name
    if target.is_file() and not target.is_symlink():
        if digest_of(target)[0] == attachment.sha256:
            return
        target.unlink()  # a copy that was broken off
    try:
        write_new(target, attachment.data)
    except OSError as fault:
        raise FileUnwritable(attachment.path, fault.strerror or str(fault), "a copy") from fault
