"""Adopting a trust root: it is read once those have signed it who may, and not before."""

import io

import pytest
from bundle_types import adopting

from canon import encode
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question


def verdict_on(data: bytes, *signers: str) -> tuple[str, str]:
    """Return code and step of the fault in a bundle that adopts *data*, signed by *signers*."""
    draft = adopting(data, *signers)
    verdict, _ = verify_bundle(io.BytesIO(draft.made().data), Question([draft.root]))
    assert verdict.error is not None
    return verdict.error.code, verdict.error.step


@pytest.mark.parametrize(
    ("signers", "code"),
    [(("ada", "ben"), "E_ROOT_SHAPE"), (("ada",), "E_ROOT_SHAPE"), (("eve",), "E_TRUST_CHAIN")],
)
def test_a_root_is_read_once_it_is_signed(signers: tuple[str, ...], code: str) -> None:
    """What is no root at all is called so only where the root in force signed for it (EVENT-32)."""
    assert verdict_on(encode({"no": "root"}), *signers) == (code, "authority")


def test_a_large_document_of_strangers_is_not_read() -> None:
    """A mebibyte of a stranger's costs the look at one signature (EVENT-32, ROOT-30)."""
    assert verdict_on(bytes(2**20 + 1), "eve") == ("E_TRUST_CHAIN", "authority")
    assert verdict_on(bytes(2**20 + 1), "ada") == ("E_LIMIT", "limits")
