"""What a run consists of, wherever it is kept: its files, their bytes, and their lines.

A run directory and the ledger that took it in are two of these, and whatever judges a run reads
nothing else; so both give the same verdict.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from .layout import Role

State: TypeAlias = Literal["present", "absent", "withheld", "refused"]
"""``absent``: named, and not there. ``withheld``: there is one, and it is not shown here.
``refused``: its path is not followed, or it cannot be read."""


class File(Struct, frozen=True):
    """A file of a run, as it stood.

    Attributes:
        role: What it is for.
        path: As the run names it, relative to its directory.
        state: Whether its bytes are at hand.
        why: A sentence, where they are not.
        size_bytes: Of the whole file; None where it is not at hand.
        sha256: Of its bytes, 32 bytes; None where they are not at hand and nobody says.
        canonical: SHA-256 with every CR LF read as LF, 32 bytes, or None.
        seq: The event that says so, in a ledger.
    """

    role: Role
    path: str
    state: State
    why: str | None = None
    size_bytes: int | None = None
    sha256: bytes | None = None
    canonical: bytes | None = None
    seq: int | None = None


class Contents(Protocol):
    """The files of one run."""

    def files(self) -> Sequence[File]:
        """Return them in the order of ``layout.ROLES``, and of the run within a role.

        A file that every run has, or that this one names, is listed where it is missing too.
        """

    def data(self, file: File) -> bytes:
        """Return the bytes of a file that is present."""

    def lines(self, file: File) -> Iterator[bytes]:
        """Yield the lines of a file that is present, each with its end, as often as one asks."""


def of_role(files: Sequence[File], role: Role) -> Sequence[File]:
    """Return the files of a role."""
    return [file for file in files if file.role == role]
