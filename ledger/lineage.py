"""From the pinned trust root back to the log's first (``specs/trust-root.md``, Lineage).

Only the pinned root is trusted outright. What came before it is believed because the pinned root
names it by digest; what comes after, because the thresholds of both signed it.
"""

from collections.abc import Callable, Sequence

from signing.errors import TrustChain
from signing.trust import TrustRoot, parse_root

from .errors import DocumentMismatch, TrustUnpinned

Documents = Callable[[bytes], bytes | None]
"""From a digest, 32 bytes, to a document; None where there is none."""


class Lineage:
    """The roots that the pinned one vouches for.

    Attributes:
        pinned: The newest of the roots that the verifier was given.
        first: Digest of version 1, which the genesis must bind.
    """

    def __init__(self, pinned: Sequence[bytes], documents: Documents) -> None:
        """Follow ``prev`` from the newest pinned root to version 1.

        Raises:
            TrustUnpinned: No root was given.
            TrustChain: The given roots do not follow each other, or are of different logs.
            DocumentMismatch: A predecessor is in neither the given roots nor *documents*.
        """
        if not pinned:
            raise TrustUnpinned("trust roots", "none", "at least one, from outside the bundle")
        roots = sorted((parse_root(data) for data in pinned), key=lambda root: root.version)
        self.pinned = roots[-1]
        given = {root.digest: root.data for root in roots}
        self._roots = {self.pinned.digest: self.pinned}
        root = self.pinned
        while root.document.prev is not None:
            digest = root.document.prev
            data = given.get(digest) or documents(digest)
            if data is None:
                raise DocumentMismatch(
                    f"trust root {root.version - 1}", "no document", digest.hex()
                )
            older = parse_root(data)
            if (older.log, older.version) != (root.log, root.version - 1):
                raise TrustChain(
                    f"predecessor of trust root {root.version}",
                    f"version {older.version} of {older.log!r}",
                    f"version {root.version - 1} of {root.log!r}",
                )
            self._roots[older.digest] = root = older
        self.first = root.digest
        strangers = given.keys() - self._roots.keys()
        if strangers:
            raise TrustChain("trust roots", "one that is no predecessor", "one chain of versions")

    def known(self, digest: bytes) -> TrustRoot | None:
        """Return the root of that digest, if the pinned one vouches for it."""
        return self._roots.get(digest)
