"""What a verdict says beside its steps: whether its root is fresh, and by which rules."""

import io
from pathlib import Path

import pytest
from bundle_seals import under
from bundle_world import root

from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question

BUNDLES = Path(__file__).resolve().parents[3] / "specs/vectors/bundles"
EXPIRES = "2026-06-01T00:00:00.000000Z"
SECONDS = 1_780_272_000


@pytest.mark.parametrize(
    ("now", "expired"), [(None, None), (SECONDS - 1, False), (SECONDS, True), (2**33, True)]
)
def test_a_root_that_is_not_fresh_still_verifies(now: int | None, expired: bool | None) -> None:
    """The verdict names the time, and whether it is past where a clock was given (ROOT-4)."""
    trusted = root(expires=EXPIRES)
    bundle = under(trusted.data).made().data
    verdict, _ = verify_bundle(io.BytesIO(bundle), Question([trusted.data], now=now))
    assert verdict.ok
    assert (verdict.root_expires, verdict.root_expired) == (EXPIRES, expired)
    assert verdict.document()["root_expired"] is expired


def test_a_verdict_says_which_rules_were_in_force() -> None:
    """Those that the program ships, and those that a log has under the same name (EVENT-58)."""
    for name, version, shipped in (
        ("lean.bundle", 1, True),
        ("policy-of-next-version.bundle", 2, False),
    ):
        data = (BUNDLES / name).read_bytes()
        verdict, _ = verify_bundle(io.BytesIO(data), Question([root().data]))
        assert verdict.ok
        (rules,) = [one for one in verdict.policies if one.name == "status/replaybook"]
        assert (rules.version, rules.shipped) == (version, shipped)
        assert verdict.document()["policies"][0]["digest"] == rules.digest
