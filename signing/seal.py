"""A checkpoint judged by a trust root: signed by its log key, cosigned by a quorum.

A seal holds bare signatures, not a note. Only witnesses that the trust root names may stand in it,
because nothing in it is ignored.
"""

from collections.abc import Sequence

from canon.excerpt import excerpt
from signing.checkpoint import Checkpoint, verify_checkpoint, verify_cosignature
from signing.errors import KeyOutOfSpan, KeyUnknown, QuorumUnmet, SignatureOrder
from signing.note import COSIGNATURE, key_id
from signing.root import Witness
from signing.trust import TrustRoot


def verify_log_signature(
    root: TrustRoot, body: bytes, signature: bytes, position: int
) -> Checkpoint:
    """Return the checkpoint that the log key in force at *position* signed (ROOT-24)."""
    return verify_checkpoint(signature, body, root.log, root.log_key_at(position))


def verify_cosignatures(
    root: TrustRoot,
    body: bytes,
    cosignatures: Sequence[tuple[str, bytes]],
    position: int,
    *,
    now: int | None = None,
) -> tuple[Witness, ...]:
    """Return the witnesses that cosigned: all named by the root, all valid, a quorum of operators.

    Steps: 1 names ascend (ROOT-25), 2 witness of the root, in force (ROOT-26), 3 cosignature
    (SIGN-42), 4 quorum (ROOT-27).

    Args:
        root: Names the witnesses and the quorum.
        body: Body of the checkpoint.
        cosignatures: Key names, each with 76 bytes.
        position: The edition's size, at which the seal is judged.
        now: Seconds since 1970; when given, cosignatures from the future are refused.

    """
    witnesses = []
    previous = None
    for name, data in cosignatures:
        if previous is not None and name <= previous:
            raise SignatureOrder(
                f"cosignature of {excerpt(name)}", "out of order", "names ascending"
            )
        previous = name
        witness = _witness(root, name, data, position)
        verify_cosignature(data, body, name, witness.key, now=now)
        witnesses.append(witness)
    operators = {witness.operator for witness in witnesses}
    if len(operators) < root.document.quorum:
        raise QuorumUnmet(
            "cosignatures", f"{len(operators)} operators", f"{root.document.quorum} operators"
        )
    return tuple(witnesses)


def _witness(root: TrustRoot, name: str, data: bytes, position: int) -> Witness:
    """Return the witness of that name and key id, which must be in force."""
    for witness in root.document.witnesses:
        if witness.name == name and key_id(name, COSIGNATURE, witness.key) == data[:4]:
            if not witness.covers(position):
                raise KeyOutOfSpan(
                    f"cosignature of {name} at position {position}", "its key", witness.span
                )
            return witness
    raise KeyUnknown(
        f"cosignature of {excerpt(name)}", f"key id {data[:4].hex()}", "a witness of the trust root"
    )
