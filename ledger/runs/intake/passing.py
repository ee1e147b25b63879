"""A run in a ledger that nobody keeps: a directory is judged as a log would be (KEEP-15)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from ledger.entry import genesis
from ledger.founding import fill, first_root
from ledger.runs.contents import Contents
from ledger.store import PassingLedger
from signing.keys import PrivateKey

from .naming import name_of
from .observing import observe

_SEED_BYTES = 32
_ORIGIN = "local/not-kept"
_CONTROLLER = "nobody"


@contextmanager
def in_memory_ledger(
    *,
    at: str,
    entropy: Callable[[int], bytes],
    policies: Mapping[str, bytes] | None = None,
) -> Iterator[PassingLedger]:
    """Found a ledger that is gone when the block ends, with a key that is too.

    Args:
        at: Time to claim, canonical.
        entropy: Returns that many random bytes.
        policies: What to freeze, by name; every shipped one, if not given.
    """
    key, log_key = (PrivateKey.generate(entropy(_SEED_BYTES)) for _ in range(2))
    root = first_root(_ORIGIN, key, log_key, _CONTROLLER)
    with PassingLedger.make(root.log, genesis(root.log, root.digest)) as ledger:
        fill(ledger, root, key, at=at, entropy=entropy, policies=policies)
        yield ledger


@contextmanager
def taken_in(
    contents: Contents,
    run_hint: str,
    *,
    at: str,
    entropy: Callable[[int], bytes],
    policies: Mapping[str, bytes] | None = None,
) -> Iterator[tuple[PassingLedger, str]]:
    """Take a run into a ledger that is gone when the block ends; gives it and the run's name.

    Args:
        contents: The run, whole or not.
        run_hint: What to call it where it does not say its name.
        at: Time to claim, canonical.
        entropy: Returns that many random bytes.
        policies: What to freeze, by name; every shipped one, if not given.

    Raises:
        RunChanged: A file changed meanwhile.
        RunLine: A line is too long to be kept.
    """
    with in_memory_ledger(at=at, entropy=entropy, policies=policies) as ledger:
        run = name_of(contents, run_hint)
        observe(ledger, contents, at=at, entropy=entropy, run=run)
        yield ledger, run
