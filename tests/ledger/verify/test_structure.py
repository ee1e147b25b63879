"""Any canonical value in any field of what is signed: a verdict, never an exception (VERIFY-3)."""

import io
from typing import Any

from bundle_claims import decided
from bundle_vector import FREEZE, lean
from bundle_world import root
from forge import Map
from hypothesis import given
from hypothesis import strategies as st

from canon import decode, encode
from canon.refusal import Refusal
from ledger.edition.manifest import parse_manifest
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from ledger.verify.verdict import Verdict

MANIFEST: Any = decode(lean().made().manifest)
DECIDED = decided().made()
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.binary(max_size=40)
    | st.just(bytes(32))
    | st.text("abé/01-.", max_size=40),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
PARTS = ("docs", "figures", "policies", "redacted", "disclosure", "targets", "limits")


def verdict_on(data: bytes) -> Verdict:
    """Verify *data* under the trust root of the vectors."""
    return verify_bundle(io.BytesIO(data), Question([root().data]))[0]


@given(st.sampled_from(sorted(MANIFEST)), VALUES)
def test_no_value_in_a_manifest_crashes_its_reader(name: str, value: object) -> None:
    """Read, or refused."""
    changed = {**MANIFEST, name: value}
    try:
        manifest = parse_manifest(encode(changed))
    except Refusal:
        return
    assert manifest.log is not None


@given(st.sampled_from(PARTS), st.data())
def test_no_part_of_a_manifest_crashes_its_reader(name: str, data: st.DataObject) -> None:
    """A value in place of one element of a list or map."""
    part = MANIFEST[name]
    value = data.draw(VALUES)
    if isinstance(part, dict):
        changed: object = {**part, data.draw(st.sampled_from(sorted(part))): value}
    else:
        changed = [*part, value]
    code = None
    try:
        parse_manifest(encode({**MANIFEST, name: changed}))
    except Refusal as refusal:
        code = refusal.code
    assert code in (None, "E_SHAPE", "E_CBOR_DEPTH")


@given(st.sampled_from(sorted(set(MANIFEST) - {"docs", "figures"})), VALUES)
def test_a_frozen_and_signed_manifest_of_anything_gets_a_verdict(name: str, value: object) -> None:
    """A dishonest publisher may sign whatever it likes: refused, unless it is only a claim."""
    draft = lean()
    honest: Map = {}

    def change(manifest: Map) -> None:
        honest.update(manifest)
        manifest[name] = value

    draft.freeze = change
    verdict = verdict_on(draft.made().data)
    claims = ("status", "software", "limits")
    assert verdict.ok is (honest[name] == value and type(honest[name]) is type(value)) or (
        name in claims and verdict.ok
    )


@given(st.integers(FREEZE, FREEZE + 3), st.data())
def test_a_signed_decision_of_anything_gets_a_verdict(seq: int, data: st.DataObject) -> None:
    """Any field of a correction, an exclusion, a redaction or the freeze."""
    draft = decided()
    entry: Any = decode(DECIDED.entries[seq])
    says: Any = decode(entry["body"]["decision"])
    name, value = data.draw(st.sampled_from(sorted(says))), data.draw(VALUES)
    draft.rows[seq].decision = lambda said: said.update({name: value})
    verdict = verdict_on(draft.made().data)
    assert verdict.error is None or verdict.error.code.startswith("E_")
    assert verdict.ok is (verdict.error is None)
