"""What is measured: this ledger's own work."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from canon import Frontier, leaf_hash
from ledger.decide import catch_up, replay_of
from ledger.entry import genesis, read_entry
from ledger.importers import import_file
from ledger.store import Ledger
from ledger.verify.bundle import Question, verify_bundle

from .inputs import AT, BATCH_EVENTS, Inputs
from .watch import Watch

SINGLES = 1_000
STARTS = 10

Work = Callable[[Inputs, Watch], int]
"""Does the work on the inputs, marks what counts, and returns how many things it worked on."""


def append(inputs: Inputs, watch: Watch) -> int:
    """Append events without blobs, 1,000 per durable transaction."""
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        path = Path(folder) / "ledger.db"
        with Ledger.create(path, "example.org/bench", b"\0" * 32) as ledger:
            for events in inputs.attempts():
                with watch.running(), ledger.batch(at=AT, entropy=os.urandom) as batch:
                    for event in events:
                        batch.append(event)
            return ledger.size


def import_releases(inputs: Inputs, watch: Watch) -> int:
    """Import the releases, each in one durable transaction."""
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        path = Path(folder) / "ledger.db"
        with Ledger.create(path, "example.org/bench", b"\0" * 32) as ledger, watch.running():
            for release in inputs.releases:
                import_file(ledger, release, at=AT, entropy=os.urandom)
            return ledger.size


def single(inputs: Inputs, watch: Watch) -> int:
    """Append events one by one, each durable before the next."""
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        path = Path(folder) / "ledger.db"
        with Ledger.create(path, "example.org/bench", b"\0" * 32) as ledger:
            events = next(inputs.attempts())[:SINGLES]
            with watch.running():
                for event in events:
                    with ledger.batch(at=AT, entropy=os.urandom) as batch:
                        batch.append(event)
            return ledger.size


def chain(inputs: Inputs, watch: Watch) -> int:
    """Check every link of the chain and the root of the tree, whatever the entries say."""
    with Ledger.open(inputs.ledger) as ledger, watch.running():
        size, newest, root = ledger.head()
        frontier, leaves, leaf = Frontier(), [], b""
        for seq, entry in ledger.entries():
            # The link stands after a fixed key; the bytes between are the entry's own affair.
            if seq and b"\x64prev\x58\x20" + leaf not in entry:
                raise AssertionError(f"broken link at {seq}")
            leaf = leaf_hash(entry)
            leaves.append(leaf)
            if len(leaves) == BATCH_EVENTS:
                frontier.extend(leaves)
                leaves.clear()
        frontier.extend(leaves)
        if (frontier.size, leaf, frontier.root()) != (size, newest, root):
            raise AssertionError("another root")
    return size


def strict(inputs: Inputs, watch: Watch) -> int:
    """Do the same, and read every entry strictly."""
    with Ledger.open(inputs.ledger) as ledger, watch.running():
        size, newest, root = ledger.head()
        frontier, leaves = Frontier(), []
        first = ledger.document(_first_root(inputs))
        leaf = genesis(ledger.origin, _first_root(inputs)) if first is not None else b""
        for seq, data in ledger.entries():
            entry = read_entry(data, seq)
            if (entry.seq, entry.prev) != (seq, leaf):
                raise AssertionError(f"broken link at {seq}")
            leaf = leaf_hash(data)
            leaves.append(leaf)
            if len(leaves) == BATCH_EVENTS:
                frontier.extend(leaves)
                leaves.clear()
        frontier.extend(leaves)
        if (frontier.size, leaf, frontier.root()) != (size, newest, root):
            raise AssertionError("another root")
    return size


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


def start_version(_: Inputs, watch: Watch) -> int:
    """Start the command and ask for its version."""
    return _start(watch, "--version")


def start_help(_: Inputs, watch: Watch) -> int:
    """Start the command and ask for help."""
    return _start(watch, "--help")


def start_verify(inputs: Inputs, watch: Watch) -> int:
    """Start the command and verify the smallest bundle there is."""
    return _start(watch, "verify", str(inputs.bare), "--trust", str(inputs.root))


def _verify(inputs: Inputs, bundle: Path, watch: Watch) -> int:
    with bundle.open("rb") as stream, watch.running():
        verdict, _ = verify_bundle(stream, Question([inputs.root.read_bytes()]))
    if not verdict.ok:
        raise AssertionError(str(verdict.error))
    return verdict.size or 0


def _start(watch: Watch, *arguments: str) -> int:
    command = [sys.executable, "-m", "cli.main", *arguments]
    for _ in range(STARTS):
        with watch.running():
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
    return STARTS
