"""What is measured against what, and the ratio that is to hold."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from . import baselines, peers, works
from .works import Work

ALL: Mapping[str, Work] = {
    "append": works.append,
    "chain": works.chain,
    "hashlib": baselines.hashing,
    "import": works.import_releases,
    "import-run": works.import_run,
    "import-run-again": works.import_run_again,
    "python": baselines.python,
    "raw-append": baselines.raw_append,
    "raw-single": baselines.raw_single,
    "replay": works.replay,
    "scan": baselines.scan,
    "scan-blobs": baselines.scan_blobs,
    "single": works.single,
    "start-help": works.start_help,
    "start-verify": works.start_verify,
    "start-version": works.start_version,
    "strict": works.strict,
    "verify": works.verify_bare,
    "verify-blobs": works.verify_full,
    "verify-blobs-jobs": works.verify_full_together,
    "JSONL-append": peers.jsonl_append,
    "JSONL-verify": peers.jsonl_verify,
    "eventsourcing-append": peers.eventsourcing_append,
    "eventsourcing-replay": peers.eventsourcing_replay,
    "git-append": peers.git_import,
    "git-fsck": peers.git_fsck,
    "pymerkle-append": peers.pymerkle_append,
    "pymerkle-recheck": peers.pymerkle_recheck,
}


class Pair(Struct, frozen=True, kw_only=True):
    """A work and its baseline, measured one after the other.

    Attributes:
        work: Name of the work.
        title: What it does.
        baseline: Name of the baseline.
        against: What the baseline does.
        at_most: How many times as long as the baseline it may take; None where nothing is set.
        group: Word that selects it on the command line.
        at: ``each`` size, the ``least`` or the ``most`` of them, or the few ``warm`` events.
        limits_memory: Whether the limit on memory applies.
        once: Whether one round is enough at sizes where it takes long: it only gives a scale.
        wall: Whether only elapsed time says anything: it waits for a disk, or for other processes.

    """

    work: str
    title: str
    baseline: str
    against: str
    at_most: float | None
    group: str
    at: Literal["each", "least", "most", "warm"] = "each"
    limits_memory: bool = True
    once: bool = False
    wall: bool = False


_SCAN = "SELECT scan"

PAIRS = (
    Pair(
        work="append",
        title="append, chain and tree",
        baseline="raw-append",
        against="raw executemany",
        at_most=3,
        group="append",
    ),
    Pair(
        work="import",
        title="import, a blob per row",
        baseline="append",
        against="bare append",
        at_most=3,
        group="import",
    ),
    Pair(
        work="import-run",
        title="import a run, a blob per record",
        baseline="import",
        against="import of releases",
        at_most=2,
        group="import",
    ),
    Pair(
        work="import-run-again",
        title="import it again, nothing new",
        baseline="import-run",
        against="import of a run",
        at_most=0.5,
        group="import",
    ),
    Pair(
        work="single",
        title="single durable appends",
        baseline="raw-single",
        against="raw single commits",
        at_most=1 / 0.75,
        group="append",
        at="least",
        wall=True,
    ),
    Pair(
        work="chain",
        title="verify chain and tree",
        baseline="scan",
        against=_SCAN,
        at_most=3.5,
        group="verify",
    ),
    Pair(
        work="strict",
        title="the same, and strict bytes",
        baseline="scan",
        against=_SCAN,
        at_most=10,
        group="verify",
    ),
    Pair(
        work="replay",
        title="replay into state",
        baseline="scan",
        against=_SCAN,
        at_most=5,
        group="replay",
    ),
    Pair(
        work="verify",
        title="verify bundle, no blobs in it",
        baseline="scan",
        against=_SCAN,
        at_most=30,
        group="bundle",
    ),
    Pair(
        work="verify-blobs",
        title="verify bundle, all blobs in it",
        baseline="scan-blobs",
        against="SELECT scan with blobs",
        at_most=30,
        group="bundle",
    ),
    Pair(
        work="verify-blobs-jobs",
        title="verify bundle, all blobs, --jobs 2",
        baseline="scan-blobs",
        against="SELECT scan with blobs",
        at_most=16,
        group="bundle",
        at="most",
        wall=True,
    ),
    Pair(
        work="hashlib",
        title="hashlib alone, no chain",
        baseline="scan",
        against=_SCAN,
        at_most=None,
        group="verify",
        limits_memory=False,
    ),
    Pair(
        work="start-version",
        title="start, --version",
        baseline="python",
        against="python -c pass",
        at_most=5,
        group="start",
        at="warm",
        limits_memory=False,
    ),
    Pair(
        work="start-verify",
        title="start, verify a few events",
        baseline="python",
        against="python -c pass",
        at_most=5,
        group="start",
        at="warm",
        limits_memory=False,
    ),
    Pair(
        work="start-help",
        title="start, --help",
        baseline="python",
        against="python -c pass",
        at_most=14,
        group="start",
        at="warm",
        limits_memory=False,
    ),
)

PEERS = tuple(
    Pair(
        work=ours,
        title=f"{ours} against {peer} {theirs}",
        baseline=f"{peer}-{theirs}",
        against=f"{peer} {theirs}",
        at_most=None,
        group="peers",
        once=True,
    )
    for ours, peer, theirs in (
        ("append", "JSONL", "append"),
        ("append", "pymerkle", "append"),
        ("append", "eventsourcing", "append"),
        ("append", "git", "append"),
        ("strict", "JSONL", "verify"),
        ("strict", "pymerkle", "recheck"),
        ("strict", "git", "fsck"),
        ("replay", "eventsourcing", "replay"),
    )
    if not peers.missing(peer)
)

GROUPS = tuple(dict.fromkeys(pair.group for pair in (*PAIRS, *PEERS)))

MEMORY_BYTES = 64 * 2**20
MEMORY_BYTES_PER_ATTEMPT = 400


def memory_limit(attempts: int) -> int:
    """Return how much memory any work on so many attempts may take, bytes."""
    return MEMORY_BYTES + MEMORY_BYTES_PER_ATTEMPT * attempts
