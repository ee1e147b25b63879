"""Inputs that would cost more than they weigh: refused soon, or read in bounded memory."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bombs import BOMBS

from canon import decode, head
from canon.refusal import Refusal
from signing.cose import TAG, parse_edition
from signing.note import parse_note
from signing.trust import parse_root

BOMB = Path(__file__).resolve().parents[1] / "bombs.py"
MEMORY_MIB = 256
SECONDS = 10
"""For 16 MiB on a machine that does other things; what the quadratic ones took was minutes."""
SOON = 0.1

LONG = {"maps-and-a-fault", "maps-within", "wide-text", "bundle-full"}
"""Those that take seconds even where nothing is wrong: `make fuzz` tries them."""

WITHIN = {"maps-within", "wide-text", "figures", "bundle-full"}


def keyed(keys: list[bytes]) -> bytes:
    """Return a map from *keys* to 0."""
    return head(5, len(keys)) + b"".join(key + b"\0" for key in keys)


SMALL = {
    "depth": b"\x81" * 60_000,
    "maps": b"\xa1\x00" * 30_000,
    "tags": b"\xd8\x1c" * 30_000,
    "count": head(4, 2**63) + bytes(60_000),
    "length": head(2, 2**63 - 1) + bytes(60_000),
    "keys": keyed([head(0, number << 40) for number in range(1, 6_501)]),
    "floats": keyed([b"\xfb" + (number << 40).to_bytes(8, "big") for number in range(6_500)]),
    "arrays": keyed(
        [b"\x90" + bytes(0x20 | n >> bit & 1 for bit in range(16)) for n in range(3_600)]
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_stays_within_time_and_memory(name: str) -> None:
    """At most 256 MiB for any input within the limits, and the others are refused (BUNDLE-2)."""
    if name in LONG and not os.environ.get("FUZZ"):
        pytest.skip("takes long: `make fuzz` tries it")
    command = [sys.executable, str(BOMB), name]
    out = subprocess.run(command, capture_output=True, check=True, text=True, cwd=BOMB.parents[1])
    told = json.loads(out.stdout)
    assert (told["code"] is None) == (name in WITHIN), told
    assert told["mib"] < MEMORY_MIB, told
    assert told["seconds"] < SECONDS, told


@pytest.mark.parametrize("name", SMALL)
def test_a_small_bomb_is_refused_at_once(name: str) -> None:
    """Depth, counts, lengths and keys that collide, in 64 KiB (CANON-6, CANON-8, CANON-42)."""
    data = SMALL[name]
    for read in (decode, parse_root, lambda data: parse_edition(TAG + data), parse_note):
        begun = time.process_time()
        with pytest.raises(Refusal):
            read(data)
        assert time.process_time() - begun < SOON
