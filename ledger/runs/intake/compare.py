"""A run as it stands against what a ledger holds of it, by file and line (KEEP-14).

The chain says that the ledger is whole. So whatever a directory lacks, has besides or has otherwise
was done to the directory after it was taken in.
"""

import hashlib
from collections.abc import Iterator
from itertools import chain, islice

from canon.excerpt import excerpt
from ledger.errors import RunUnnamed
from ledger.events import STREAM_ROLES
from ledger.identities import run_key
from ledger.runs.contents import Contents, File
from ledger.runs.layout import FIXED
from ledger.runs.problems import Problem

from .committed import Committed
from .held import Held
from .naming import name_of
from .report import printable
from .versions import Holdings

_AHEAD = 1_000
"""Lines that are looked through for where two files go on alike."""
_ALIKE = 4
"""So many lines, where there are as many, have to agree before two files go on alike."""
_BEFORE, _SHOWN = 12, 40


def compare(ledger: Holdings, contents: Contents, run: str | None = None) -> list[Problem]:
    """Return where a run differs from what a ledger holds of it; nothing where it does not.

    Args:
        ledger: The ledger, whose own chain is checked by ``coldledger replay --check``.
        contents: The run as it stands.
        run: Which run it is, where it does not say so itself; if not given, the only one there is.
    """
    with ledger.snapshot():
        try:
            name = name_of(contents, run or _only(ledger))
        except RunUnnamed as refusal:
            expected = "a run_id, since the ledger does not hold just one run"
            return [Problem(refusal.place, None, "unnamed_run", refusal.got, expected)]
        held = Held(Committed(ledger), name)
        if not held.known:
            got = f"the run {excerpt(name)}"
            return [Problem(FIXED["manifest"], None, "not_in_ledger", got, "a run of the ledger")]
        return list(_differences(held, contents))


def _only(ledger: Holdings) -> str | None:
    """Return the name of the only run of a ledger, None where there are none or several."""
    start = run_key("")
    names = [key.removeprefix(start) for key, _ in islice(ledger.under(start), 2)]
    return names[0] if len(names) == 1 else None


def _differences(held: Held, contents: Contents) -> Iterator[Problem]:
    before = {(file.role, file.path): file for file in held.files()}
    for now in contents.files():
        then = before.pop((now.role, now.path), None)
        problem = _difference(held, then, contents, now)
        if problem is not None:
            yield problem
    for then in before.values():
        if then.state != "absent":
            expected = f"a {then.role} of the run, as event {then.seq} has it"
            yield _problem(then, "unnamed", "a file that no document names any more", expected)


def _difference(held: Held, then: File | None, contents: Contents, now: File) -> Problem | None:
    """Return how a file differs from what the ledger has of it."""
    if then is None or then.state == "absent":
        if now.state == "absent":
            return None
        return _problem(now, "not_in_ledger", f"a file, {now.state}", "only files that it has")
    if now.state == "absent":
        return _problem(now, "vanished", "no file", _as_it_was(then))
    if then.state == now.state == "present" and then.sha256 != now.sha256:
        if then.canonical == now.canonical:
            got = "the same lines with other line ends"
            return _problem(now, "line_ends", got, _as_it_was(then))
        if now.role in STREAM_ROLES:
            return _difference_of_lines(now, held.lines(then), contents.lines(now))
        return _problem(now, "differs", _digest(now), _as_it_was(then))
    known = None not in (then.sha256, now.sha256)
    if known and then.sha256 != now.sha256:
        return _problem(now, "differs", _digest(now), _as_it_was(then))
    if then.state != now.state and not (known or "withheld" in (then.state, now.state)):
        return _problem(now, "differs", now.why or now.state, _as_it_was(then))
    return None


def _difference_of_lines(now: File, old: Iterator[bytes], new: Iterator[bytes]) -> Problem:
    """Return the first line in which a file differs, and whether lines went, came or changed."""
    number, was, got = 1, next(old, None), next(new, None)
    while was is not None and was == got:
        number, was, got = number + 1, next(old, None), next(new, None)
    if was is None and got is None:
        return _problem(now, "differs", "a file that changes while it is read", "the same bytes")
    if was is not None and got is None:
        cut = f"the end of the file, {_lines(1 + sum(1 for _ in old))} early"
        return _problem(now, "lines_cut", cut, _said(was), number)
    if was is None or got is None:
        more = f"{_lines(1 + sum(1 for _ in new))} more"
        return _problem(now, "not_in_ledger", more, "the end of the file", number)
    before, after = _ahead(was, old), _ahead(got, new)
    gone, put_in = _found(after, before), _found(before, after)
    if gone is not None and (put_in is None or gone <= put_in):
        said = f"{_lines(gone)} removed, then {_said(got)}"
        return _problem(now, "lines_removed", said, _said(was), number)
    if put_in is not None:
        said = f"{_lines(put_in)} put in, the first {_said(got)}"
        return _problem(now, "lines_inserted", said, _said(was), number)
    at = next((at for at, (one, two) in enumerate(zip(was, got, strict=False)) if one != two), 0)
    return _problem(now, "line_changed", _said(got, at), _said(was, at), number)


def _ahead(first: bytes, following: Iterator[bytes]) -> list[bytes]:
    """Return the digests of a line and those after it: lines may be long, and these are many."""
    lines = chain((first,), islice(following, _AHEAD - 1))
    return [hashlib.sha256(line).digest() for line in lines]


def _found(some: list[bytes], ahead: list[bytes]) -> int | None:
    """Return after how many lines of *ahead* it goes on as *some* does, None where it does not."""
    for skipped in range(1, len(ahead)):
        if ahead[skipped] == some[0]:
            follow = min(len(some), len(ahead) - skipped, _ALIKE)
            if ahead[skipped : skipped + follow] == some[:follow]:
                return skipped
    return None


def _problem(file: File, code: str, got: str, expected: str, line: int | None = None) -> Problem:
    return Problem(printable(file.path), line, code, got, expected)


def _as_it_was(file: File) -> str:
    """Say how the ledger has a file."""
    if file.sha256 is None:
        return f"what event {file.seq} has: {file.state}"
    return f"{_digest(file)}, as event {file.seq} has it"


def _digest(file: File) -> str:
    return file.why or file.state if file.sha256 is None else f"sha256 {file.sha256.hex()[:16]}…"


def _lines(count: int) -> str:
    return f"{count:,} line" if count == 1 else f"{count:,} lines"


def _said(line: bytes, at: int = 0) -> str:
    """Return a piece of a line, from a little before the byte *at*."""
    start = max(at - _BEFORE, 0)
    text = line[start : start + _SHOWN].decode("utf-8", "backslashreplace")
    return f"{'…' if start else ''}{text!a}{'…' if start + _SHOWN < len(line) else ''}"
