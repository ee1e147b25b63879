"""Which events have which identities: how importing again adds nothing (``specs/store.md``).

    source:<hex SHA-256>    the file of that digest was imported
    release:<version>       the newest source that reports the release
    attempt:<identity>      the first report of the attempt
    edition:<name>          the freeze

The index is made from the events and the blobs beside them, so it can be dropped, checked and
made again.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, assert_never

from .entry import Signed
from .events import (
    DIGEST,
    AttemptReported,
    CorrectionReported,
    EditionFrozen,
    Observation,
    RecordQuarantined,
    ReleaseReported,
    SourceImported,
)


class Key(NamedTuple):
    """An identity that an event has.

    Attributes:
        text: As above.
        newest: Whether the newest event has it, rather than the first.
    """

    text: str
    newest: bool


def attempt_key(attempt: str) -> str:
    """Return the identity of the first report of *attempt*."""
    return f"attempt:{attempt}"


def keys_of(event: Observation | Signed, blob: Callable[[str], bytes | None]) -> Iterator[Key]:
    """Yield the identities of an event.

    Args:
        event: What was appended.
        blob: Finds the bytes of one of its slots; None where they are withheld.
    """
    match event:
        case AttemptReported(attempt=attempt):
            yield Key(attempt_key(attempt), newest=False)
        case SourceImported(sha256=digest, name=name):
            digest = digest or blob(DIGEST)
            if digest is not None:
                yield Key(f"source:{digest.hex()}", newest=False)
            yield Key(f"release:{name}", newest=True)
        case Signed(decision=EditionFrozen(edition=edition)):
            yield Key(f"edition:{edition}", newest=False)
        case ReleaseReported() | CorrectionReported() | RecordQuarantined() | Signed():
            pass  # known by its place alone
        case _:
            assert_never(event)
