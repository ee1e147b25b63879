"""A ledger from a bundle, written while the bundle is verified (BUNDLE-20)."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from canon.digest import sha256

from .bundle import Chunk, Disclosure, Document, Item, ManifestItem
from .files import whole_file
from .replay import Entered
from .store import Batch, Entropy, Ledger
from .verify.bundle import verify_bundle
from .verify.question import Question
from .verify.verdict import Verdict

Progress = Callable[[int], None]


class _Refused(Exception):
    """Unwinds the transaction; never leaves this module."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict


def restore(
    stream: BinaryIO,
    question: Question,
    path: Path,
    *,
    at: str,
    entropy: Entropy,
    progress: Progress | None = None,
) -> Verdict:
    """Verify a bundle and make the ledger at *path* that it came from.

    The file gets its name only when every step of verifying held, and holds only bytes that were
    verified. Withheld blobs stay withheld; all else is byte for byte what the bundle has.

    Args:
        stream: The bundle.
        question: What to verify it against.
        path: Where nothing is yet.
        at: A claimed time, which restored entries do not take on.
        entropy: Returns that many random bytes.
        progress: Called with the number of entries taken.

    Raises:
        LedgerExists: Something is at *path*.
    """
    try:
        with whole_file(path, entropy) as beside, ExitStack() as stack:
            writer = _Writer(beside, stack, at, entropy)
            verdict, verified = verify_bundle(stream, question, sink=writer.take, progress=progress)
            if verified is None:
                raise _Refused(verdict)
    except _Refused as refused:
        return refused.verdict
    return verdict


class _Writer:
    """Takes verified parts of a bundle into one transaction of a new ledger."""

    def __init__(self, path: Path, stack: ExitStack, at: str, entropy: Entropy) -> None:
        self._path, self._stack = path, stack
        self._at, self._entropy = at, entropy
        self._documents: list[bytes] = []
        self._batch: Batch | None = None
        self._entered: dict[int, Entered] = {}

    def take(self, item: Item, entered: Sequence[Entered]) -> None:
        """Write what one item brings."""
        match item:
            case ManifestItem(data=data) | Document(data=data):
                self._documents.append(data)
            case Chunk(entries=entries):
                batch = self._batch or self._start(entered[0])
                self._entered = {one.entry.seq: one for one in entered}
                for data, one in zip(entries, entered, strict=True):
                    batch.restore(data, one.event)
            case Disclosure(seq=seq, slot=slot, salt=salt, data=data) if self._batch is not None:
                self._batch.restore_blob(seq, slot, salt, data, self._entered[seq].event)

    def _start(self, first: Entered) -> Batch:
        """Found the ledger on what entry 0 says, once the documents are there."""
        entry = first.entry
        ledger = self._stack.enter_context(Ledger.create(self._path, entry.log, entry.prev))
        batch = self._stack.enter_context(ledger.batch(at=self._at, entropy=self._entropy))
        for data in self._documents:
            batch.put_document(sha256(data), data)
        self._batch = batch
        return batch
