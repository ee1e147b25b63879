"""What is measured: this ledger's own work."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from canon import Frontier, leaf_hash, sha256
from ledger.decide import catch_up, replay_of
from ledger.entry import genesis, read_entry
from ledger.importers import import_file
from ledger.pattern import AttemptPattern
from ledger.runs.intake.observing import observe_directory
from ledger.store import Ledger
from ledger.verify.ahead import Readers
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question

from .inputs import AT, BATCH_EVENTS, Inputs
from .watch import Watch

SINGLES = 1_000
STARTS = 10
JOBS = 2
_ORIGIN = "example.org/bench"
_COMMAND = (sys.executable, "-c", "from cli.main import run; run()")

Work = Callable[[Inputs, Watch], int]
"""Does the work on the inputs, marks what counts, and returns how many things it worked on."""

Linked = Callable[[bytes, int, bytes], bool]
"""Tells whether an entry with its number follows a leaf."""


def append(inputs: Inputs, watch: Watch) -> int:
    """Append events, 1,000 per durable transaction."""
    with _fresh(inputs) as ledger:
        for events in inputs.attempts():
            with watch.running(), ledger.batch(at=AT, entropy=os.urandom) as batch:
                for event in events:
                    batch.append(event)
        return ledger.size


def import_releases(inputs: Inputs, watch: Watch) -> int:
    """Import releases, each in one durable transaction, with a blob for each row."""
    with _fresh(inputs) as ledger:
        with watch.running():
            for release in inputs.releases:
                import_file(ledger, release, at=AT, entropy=os.urandom)
        return ledger.size


def import_run(inputs: Inputs, watch: Watch) -> int:
    """Import a run in one durable transaction, with a blob for each record of its trajectory."""
    with _fresh(inputs) as ledger:
        with watch.running():
            report = observe_directory(ledger, inputs.run, at=AT, entropy=os.urandom)
        return report.new


def import_run_again(inputs: Inputs, watch: Watch) -> int:
    """Import a run of which every record is known; nothing is appended."""
    with _fresh(inputs) as ledger:
        observe_directory(ledger, inputs.run, at=AT, entropy=os.urandom)
        with watch.running():
            report = observe_directory(ledger, inputs.run, at=AT, entropy=os.urandom)
        if report.events:
            raise AssertionError("a run that was new twice")
        return report.known


def single(inputs: Inputs, watch: Watch) -> int:
    """Append events one by one, each durable before the next."""
    with _fresh(inputs) as ledger:
        events = next(inputs.attempts())[:SINGLES]
        with watch.running():
            for event in events:
                with ledger.batch(at=AT, entropy=os.urandom) as batch:
                    batch.append(event)
        return ledger.size


def chain(inputs: Inputs, watch: Watch) -> int:
    """Check every link of the chain and the root of the tree, whatever the entries say."""
    return _check(inputs, watch, _says_so)


def strict(inputs: Inputs, watch: Watch) -> int:
    """Do the same, and read every entry strictly."""
    return _check(inputs, watch, _reads_so())


def replay(inputs: Inputs, watch: Watch) -> int:
    """Replay the ledger: strict bytes, chain, tree, authority, and the state of every attempt."""
    with Ledger.open(inputs.ledger) as ledger, watch.running():
        state = replay_of(ledger)
        catch_up(state, ledger)
        if state.root() != ledger.root():
            raise AssertionError("another root")
    return state.size


def verify_full(inputs: Inputs, watch: Watch) -> int:
    """Verify the bundle with every slot's bytes in it, up to every figure."""
    return _verify(inputs, inputs.full, watch)


def verify_bare(inputs: Inputs, watch: Watch) -> int:
    """Verify the bundle without any slot's bytes, up to every figure."""
    return _verify(inputs, inputs.bare, watch)


def verify_full_together(inputs: Inputs, watch: Watch) -> int:
    """Verify the bundle with every slot's bytes in it, two processes reading ahead."""
    with Readers(JOBS) as readers:
        return _verify(inputs, inputs.full, watch, readers)


def start_version(inputs: Inputs, watch: Watch) -> int:
    """Start the command and ask for its version."""
    return start(inputs, watch, *_COMMAND, "--version")


def start_help(inputs: Inputs, watch: Watch) -> int:
    """Start the command and ask for help."""
    return start(inputs, watch, *_COMMAND, "--help")


def start_verify(inputs: Inputs, watch: Watch) -> int:
    """Start the command and verify a bundle."""
    bundle, root = str(inputs.bare), str(inputs.root)
    return start(inputs, watch, *_COMMAND, "verify", bundle, "--trust", root)


def start(inputs: Inputs, watch: Watch, *command: str) -> int:
    """Run a command several times, compiled as an installed one is, and return how often."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(inputs.folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    run = partial(subprocess.run, command, check=True, capture_output=True, env=environment)
    run()  # compiles
    for _ in range(STARTS):
        with watch.running():
            run()
    return STARTS


@contextmanager
def _fresh(inputs: Inputs) -> Iterator[Ledger]:
    """Make an empty ledger on the disk that the inputs are on."""
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        path = Path(folder) / "ledger.db"
        with Ledger.create(path, _ORIGIN, genesis(_ORIGIN, b"")) as ledger:
            yield ledger


def _check(inputs: Inputs, watch: Watch, is_linked: Linked) -> int:
    """Go through the ledger from its genesis to its root."""
    with Ledger.open(inputs.ledger) as ledger, watch.running():
        leaf = genesis(ledger.origin, sha256(inputs.root.read_bytes()))
        frontier, entries = Frontier(), ledger.entries()
        while batch := list(islice(entries, BATCH_EVENTS)):
            leaves = [leaf_hash(data) for _, data in batch]
            links = zip((leaf, *leaves), batch, strict=False)
            if not all(is_linked(before, seq, data) for before, (seq, data) in links):
                raise AssertionError(f"broken link after {frontier.size}")
            frontier.extend(leaves)
            leaf = leaves[-1]
        if (frontier.size, leaf, frontier.root()) != ledger.head():
            raise AssertionError("another head")
    return frontier.size


def _says_so(before: bytes, _: int, data: bytes) -> bool:
    """Look for the link where it must stand, and read nothing else."""
    return b"\x64prev\x58\x20" + before + b"\x64type" in data


def _reads_so() -> Linked:
    """Return what reads an entry strictly, as a replay does, and compares its link."""
    pattern = AttemptPattern()

    def is_linked(before: bytes, seq: int, data: bytes) -> bool:
        found = pattern.read(data)
        entry = read_entry(data, seq) if found is None else found[0]
        return entry.seq == seq and entry.prev == before

    return is_linked


def _verify(inputs: Inputs, bundle: Path, watch: Watch, readers: Readers | None = None) -> int:
    with bundle.open("rb") as stream, watch.running():
        asked = Question([inputs.root.read_bytes()])
        verdict, verified = verify_bundle(stream, asked, readers=readers)
    if verified is None:
        raise AssertionError(str(verdict.error))
    return verified.head.size
