"""Structured changes to sound and faulty inputs, for every reader that hostile bytes reach.

The same surfaces, judges and mutators as ``python -m fuzz`` has, without feedback by coverage. Each
input has a second of processor time, whatever it is.
"""

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from fuzz.surfaces import SURFACES, Surface, TooSlow

FOUND = Path(__file__).resolve().parent / "found"
SECONDS_FOR_ONE = 1.0
# So many inputs for each example of hypothesis: the readers differ in speed by a factor of fifty.
ROUNDS = {"bundle": 3, "forged": 2, "source": 6, "root": 12, "run": 4}
OTHERS = 25
EXAMPLES = 60


@cache
def seeds(name: str) -> list[bytes]:
    """Return the examples of a surface that are not too long for it."""
    surface = SURFACES[name]
    return [seed for seed in surface.seeds() if len(seed) <= surface.longest]


def drawn(surface: Surface, rng: Random) -> bytes:
    """Return an example changed in one to three places."""
    data = rng.choice(seeds(surface.name))
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = surface.mutate(data, rng)
    return data[: surface.longest]


def checked(surface: Surface, data: bytes) -> None:
    """Judge *data*; a slow answer counts where it is slow again, since others may be at work."""
    try:
        surface.check(data, SECONDS_FOR_ONE)
    except TooSlow:
        surface.check(data, SECONDS_FOR_ONE)


@pytest.mark.parametrize("name", SURFACES)
def test_every_example_is_judged(name: str) -> None:
    """Examples are there, and hold as they stand."""
    assert len(seeds(name)) > 10
    # Of the many bundles some will do: each is a vector, whose verdict another test compares.
    for data in seeds(name)[:: len(seeds(name)) // EXAMPLES + 1]:
        checked(SURFACES[name], data)


@pytest.mark.parametrize("name", SURFACES)
@given(st.integers(0, 2**64 - 1))
def test_changed_inputs_are_read_or_refused(name: str, number: int) -> None:
    """Only refusals are raised, and what is believed is what was signed."""
    surface, rng = SURFACES[name], Random(number)
    for _ in range(ROUNDS.get(name, OTHERS)):
        data = drawn(surface, rng)
        note(f"{len(data)} bytes: {data[:2_000].hex()}")
        checked(surface, data)


@pytest.mark.parametrize("name", SURFACES)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    """Bytes that are like nothing."""
    checked(SURFACES[name], data)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*/*")), ids=lambda path: path.name)
def test_what_was_found_once_is_mended(path: Path) -> None:
    """Inputs that broke a reader, each in the folder of its surface."""
    checked(SURFACES[path.parent.name], path.read_bytes())
