"""The trust root: who may decide what, from which position of the log on (``specs/trust-root.md``).

A `TrustRoot` is made by `parse_root` only, so whoever has one has a document whose shape and rules
hold. Authority is always judged at a position: a key is in force where ``from <= position < to``.
"""

from collections.abc import Callable, Iterable, Sequence

from canon.digest import sha256
from canon.excerpt import excerpt
from signing.errors import (
    KeyOutOfSpan,
    KeyUnknown,
    LogKeySpan,
    NoAuthority,
    RoleMissing,
    ThresholdUnmet,
    TrustChain,
)
from signing.keys import kid_of
from signing.root import (
    ROOT_TYPE,
    LogKey,
    Role,
    RootDocument,
    RootKey,
    Witness,
    document_bytes,
    read_shape,
)
from signing.rules import ROOT_ROLE, check_document


class TrustRoot:
    """A trust root whose shape and rules hold.

    Attributes:
        document: The document itself.
        data: Its canonical bytes, which is what stands in the file.
        digest: SHA-256 of those bytes, 32 bytes.

    """

    __slots__ = ("_by_kid", "_by_type", "data", "digest", "document")

    def __init__(self, document: RootDocument, data: bytes) -> None:
        """Index a checked document; see `parse_root`."""
        self.document = document
        self.data = data
        self.digest = sha256(data)
        self._by_kid = {kid_of(key.key): key for key in document.keys}
        self._by_type = {
            wire: name for name, role in document.roles.items() for wire in role.decides
        }

    def __repr__(self) -> str:
        return f"TrustRoot({self.log!r}, version={self.version}, {self.digest.hex()[:12]}…)"

    @property
    def log(self) -> str:
        """The log's origin."""
        return self.document.log

    @property
    def version(self) -> int:
        """1 for the first, then one more each time."""
        return self.document.version

    def key(self, kid: bytes) -> RootKey | None:
        """Return the key of that id, in force or not."""
        return self._by_kid.get(kid)

    def lookup(self, position: int) -> Callable[[bytes], RootKey | None]:
        """Return a lookup of keys by id for `signing.cose`, at a position (ROOT-20)."""

        def find(kid: bytes) -> RootKey | None:
            key = self._by_kid.get(kid)
            if key is not None and not key.covers(position):
                raise KeyOutOfSpan(
                    f"position {position}", f"key {kid.hex()[:12]}…", f"a key in force: {key.span}"
                )
            return key

        return find

    def role_of(self, wire: str) -> str | None:
        """Return the role that decides the event type *wire*, if one does."""
        return self._by_type.get(wire)

    def holders(self, role: str, position: int) -> tuple[RootKey, ...]:
        """Return the keys that hold *role* at a position, by key id."""
        return tuple(
            key for key in self.document.keys if role in key.roles and key.covers(position)
        )

    def authorise(self, wire: str, signers: Iterable[bytes], position: int) -> str:
        """Return the role by which *signers* decide the type *wire* (ROOT-18, then `require`)."""
        role = self.role_of(wire)
        if role is None:
            raise NoAuthority(
                f"position {position}", excerpt(wire), "a type that some role decides"
            )
        self.require(signers, role, position)
        return role

    def require(self, signers: Iterable[bytes], role: str, position: int) -> None:
        """Refuse unless *signers* suffice for *role* at a position.

        Every signer must be known (ROOT-19), in force (ROOT-20) and hold the role (ROOT-21);
        distinct keys and distinct controllers must both reach the threshold (ROOT-22).

        Args:
            signers: Key ids whose signatures were verified.
            role: A role of this root.
            position: Sequence number at which authority is judged.

        """
        policy = self.document.roles.get(role)
        if policy is None:
            raise NoAuthority(f"position {position}", f"role {role!r}", "a role of the trust root")
        keys: set[bytes] = set()
        controllers: set[str] = set()
        find = self.lookup(position)
        for kid in signers:
            key = find(kid)
            if key is None:
                raise KeyUnknown(f"position {position}", kid.hex(), "a key of the trust root")
            if role not in key.roles:
                raise RoleMissing(
                    f"position {position}", f"key {kid.hex()[:12]}…", f"a holder of {role!r}"
                )
            keys.add(kid)
            controllers.add(key.controller)
        if min(len(keys), len(controllers)) < policy.threshold:
            raise ThresholdUnmet(
                f"role {role!r} at position {position}",
                f"{len(keys)} keys of {len(controllers)} controllers",
                f"{policy.threshold} of each",
            )

    def require_edition(self, signed: Iterable[tuple[str, bytes]], position: int) -> None:
        """Refuse unless every role that the root's ``edition`` names has signed (ROOT-23).

        Args:
            signed: Role and key id of each verified edition signature.
            position: The edition's size, at which the seal is judged.

        """
        signed = tuple(signed)
        for role in self.document.edition:
            self.require([kid for claimed, kid in signed if claimed == role], role, position)

    def log_key_at(self, position: int) -> bytes:
        """Return the key by which the log signs checkpoints at a position, 32 bytes (ROOT-24)."""
        for key in self.document.log_keys:
            if key.covers(position):
                return key.key
        raise LogKeySpan(f"position {position}", "no log key in force", "one")

    def expired(self, now: str) -> bool:
        """Say whether the root is no longer fresh at *now*, a canonical time.

        Expiry bounds freshness only: an edition stays verifiable at its position.
        """
        return self.document.expires is not None and self.document.expires <= now


def parse_root(data: bytes) -> TrustRoot:
    """Read a trust root: canonical bytes, shape, rules (ROOT-1 to ROOT-17, ROOT-30, ROOT-31)."""
    document = read_shape(data)
    check_document(document)
    return TrustRoot(document, data)


def root_bytes(root: TrustRoot) -> bytes:
    """Return the canonical bytes of a trust root; `sha256sum` of the file is its digest."""
    return root.data


def new_root(
    *,
    log: str,
    keys: Iterable[RootKey],
    roles: dict[str, Role],
    edition: Iterable[str],
    log_keys: Iterable[LogKey],
    witnesses: Iterable[Witness] = (),
    quorum: int = 0,
    expires: str | None = None,
    version: int = 1,
    prev: bytes | None = None,
) -> TrustRoot:
    """Make a trust root: sort every list, encode, and read it back under all rules."""
    document = RootDocument(
        type=ROOT_TYPE,
        log=log,
        version=version,
        prev=prev,
        expires=expires,
        keys=tuple(sorted(keys, key=lambda key: kid_of(key.key))),
        roles=roles,
        edition=tuple(sorted(edition)),
        log_keys=tuple(sorted(log_keys, key=lambda key: key.start)),
        witnesses=tuple(sorted(witnesses, key=lambda witness: (witness.name, witness.key))),
        quorum=quorum,
    )
    return parse_root(document_bytes(document))


def parse_successor(current: TrustRoot, data: bytes) -> TrustRoot:
    """Read the root that comes next after *current* (ROOT-28): its signers are not asked yet."""
    root = parse_root(data)
    place = f"trust root {root.version}"
    if root.log != current.log:
        raise TrustChain(place, f"log {excerpt(root.log)}", repr(current.log))
    if root.version != current.version + 1:
        raise TrustChain(place, f"version {root.version}", f"{current.version + 1}")
    prev = root.document.prev
    assert prev is not None, "only version 1 has none (ROOT-3)"  # noqa: S101
    if prev != current.digest:
        raise TrustChain(f"{place}, prev", prev.hex(), current.digest.hex())
    return root


def successor_lookup(
    current: TrustRoot, successor: TrustRoot, position: int
) -> Callable[[bytes], RootKey | None]:
    """Return a lookup of the keys that may sign the adoption of *successor*.

    Args:
        current: In force at the position.
        successor: In force from the next.
        position: Sequence number of the adoption.

    """

    def find(kid: bytes) -> RootKey | None:
        for root, at in ((current, position), (successor, position + 1)):
            key = root.key(kid)
            if key is not None and key.covers(at):
                return key
        return None

    return find


def accept_successor(
    current: TrustRoot, data: bytes, signers: Sequence[bytes], position: int
) -> TrustRoot:
    """Return the next trust root, signed by role ``root`` of both (ROOT-28, ROOT-29).

    Args:
        current: The root in force at *position*.
        data: The next root's bytes.
        signers: Key ids whose signatures of the adoption were verified.
        position: Sequence number of the adoption; the next root is in force from the one after.

    """
    successor = parse_successor(current, data)
    old = _holding(current, signers, position)
    new = _holding(successor, signers, position + 1)
    place = f"trust root {successor.version} at position {position}"
    for kid in signers:
        if kid not in old and kid not in new:
            raise TrustChain(place, f"key {kid.hex()[:12]}…", "holders of role 'root'")
    _require_root(current, old, position, place)
    _require_root(successor, new, position + 1, place)
    return successor


def require_adopters(current: TrustRoot, signers: Iterable[bytes], position: int) -> None:
    """Refuse unless role ``root`` of the root in force signed, whatever it adopts (EVENT-32).

    Args:
        current: The root in force at *position*.
        signers: Key ids whose signatures of the adoption were verified.
        position: Sequence number of the adoption.

    """
    place = f"trust root {current.version + 1} at position {position}"
    _require_root(current, _holding(current, signers, position), position, place)


def _require_root(root: TrustRoot, held: Iterable[bytes], position: int, place: str) -> None:
    """Refuse unless *held* suffice for role ``root`` of *root* at a position (ROOT-29)."""
    try:
        root.require(held, ROOT_ROLE, position)
    except ThresholdUnmet as refusal:
        raise TrustChain(
            f"{place}, by version {root.version}", refusal.got, refusal.expected
        ) from refusal


def _holding(root: TrustRoot, signers: Iterable[bytes], position: int) -> list[bytes]:
    """Return the signers that hold role ``root`` at a position."""
    held = {kid_of(key.key) for key in root.holders(ROOT_ROLE, position)}
    return [kid for kid in signers if kid in held]
