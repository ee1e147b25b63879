"""Expiry bounds freshness only: a verdict says so, and nothing is refused (ROOT-4)."""

import io

import pytest
from bundle_seals import under
from bundle_world import root

from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question

EXPIRES = "2026-06-01T00:00:00.000000Z"
SECONDS = 1_780_272_000


@pytest.mark.parametrize(
    ("now", "expired"), [(None, None), (SECONDS - 1, False), (SECONDS, True), (2**33, True)]
)
def test_a_root_that_is_not_fresh_still_verifies(now: int | None, expired: bool | None) -> None:
    """The verdict names the time, and whether it is past where a clock was given."""
    trusted = root(expires=EXPIRES)
    bundle = under(trusted.data).made().data
    verdict, _ = verify_bundle(io.BytesIO(bundle), Question([trusted.data], now=now))
    assert verdict.ok
    assert (verdict.root_expires, verdict.root_expired) == (EXPIRES, expired)
    assert verdict.document()["root_expired"] is expired
