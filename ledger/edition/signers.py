"""Who may sign an edition, and whose signatures it still lacks (ROOT-23)."""

from collections.abc import Iterable

from canon.refusal import Refusal
from ledger.decide import KID_HEX, keys_of
from signing.errors import KeyUnknown, RoleMissing
from signing.root import RootKey
from signing.trust import TrustRoot


def check_signer(root: TrustRoot | None, kid: bytes, role: str, position: int) -> RootKey:
    """Return the trust root's entry for the key that is to sign, where it may.

    Args:
        root: The trust root to sign by.
        kid: Of the key, 32 bytes.
        role: In which it is to sign.
        position: The edition's size, at which verifying asks.

    Raises:
        KeyUnknown: The trust root does not name the key.
        KeyOutOfSpan: It does, but not at that position.
        RoleMissing: The key does not hold the role.
    """
    known = None if root is None else root.lookup(position)(kid)
    if known is None:
        raise KeyUnknown("signing key", kid.hex()[:KID_HEX], keys_of(root))
    if role not in known.roles:
        roles = ", ".join(known.roles)
        raise RoleMissing(
            "--role",
            repr(role),
            f"a role that the key holds: {roles}",
            remedy=f"choose one of: {roles}",
        )
    return known


def missing_roles(root: TrustRoot, signed: Iterable[tuple[str, bytes]], position: int) -> list[str]:
    """Return the roles that must still sign before the edition verifies.

    Args:
        root: The trust root to verify by.
        signed: Role and key id of each signature that there is.
        position: The edition's size.
    """
    claims = tuple(signed)
    missing = []
    for role in root.document.edition:
        try:
            root.require([kid for claimed, kid in claims if claimed == role], role, position)
        except Refusal:
            missing.append(role)
    return missing
