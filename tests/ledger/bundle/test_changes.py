"""Whatever is changed in a bundle, it is refused by a typed error, and nothing crashes."""

import io
import os
import random
from functools import cache
from pathlib import Path

import pytest

from canon.refusal import Refusal
from ledger.bundle import read_items
from ledger.bundle.reader import Core
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from ledger.verify.steps import Step

FOLDER = Path(__file__).resolve().parents[3] / "specs" / "vectors" / "bundles"
FUZZ = bool(os.environ.get("FUZZ"))
SAMPLES = 100_000 if FUZZ else 300
STEPS = {step.value for step in Step}


@cache
def bundle(name: str) -> bytes:
    """Return a bundle of the vectors."""
    return (FOLDER / f"{name}.bundle").read_bytes()


@cache
def trust() -> bytes:
    """Return the trust root of most vectors."""
    return (FOLDER / "trust-root-1.cbor").read_bytes()


def refused(data: bytes) -> str:
    """Verify *data*, which must be refused, and return the code."""
    verdict, verified = verify_bundle(io.BytesIO(data), Question([trust()]))
    assert not verdict.ok
    assert verified is None
    assert verdict.error is not None
    assert verdict.error.step in STEPS
    assert verdict.document()["error"]["message"]
    return verdict.error.code


def test_every_flipped_byte_is_refused() -> None:
    """No byte of a file can be another: sampled here, all of them with FUZZ=1 (BUNDLE-1)."""
    original = bundle("public")
    size = len(original)
    positions = range(size) if FUZZ else sorted(random.Random(1).sample(range(size), SAMPLES))
    codes = set()
    for at in positions:
        flip = 1 << (at % 8)
        codes.add(refused(original[:at] + bytes([original[at] ^ flip]) + original[at + 1 :]))
    assert len(codes) > 10


def test_every_truncation_is_refused() -> None:
    """A file that ends early is refused wherever it ends (BUNDLE-4)."""
    original = bundle("public")
    step = 1 if FUZZ else 97
    for end in [*range(0, len(original), step), len(original) - 1]:
        refused(original[:end])


@pytest.mark.parametrize("seed", range(3))
def test_no_edit_crashes(seed: int) -> None:
    """Bytes put in, taken out and repeated: always a verdict, never an exception (VERIFY-2)."""
    original, chance = bundle("decided"), random.Random(seed)
    for _ in range(SAMPLES // 10):
        at, length = chance.randrange(len(original)), chance.randrange(1, 40)
        piece = chance.choice((b"", chance.randbytes(length), original[at : at + length] * 2))
        data = original[:at] + piece + original[at + length :]
        if data != original:
            refused(data)


def test_framing_reads_any_bytes() -> None:
    """Random bytes after a sound beginning are refused by the framing, or end."""
    chance, start = random.Random(2), bundle("lean")
    for _ in range(SAMPLES):
        cut = chance.randrange(40)
        data = start[:cut] + chance.randbytes(chance.randrange(60))
        with pytest.raises(Refusal):
            list(read_items(io.BytesIO(data), Core()))
