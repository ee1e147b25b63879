"""The readers that hostile bytes reach, each with its judge, its examples and its mutator."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from canon import decode, encode
from canon.refusal import Refusal
from signing.cose import TAG

from . import forged, judges, runs, seeds, texts, values

Mutator = Callable[[bytes, Random], bytes]

_AS_BYTES = 0.3
"""How often bytes are changed where a value could be: faults of the encoding are wanted too."""


class TooSlow(AssertionError):
    """A judge took longer than one input may take."""


@dataclass(frozen=True)
class Surface:
    """One reader.

    Attributes:
        name: As on the command line.
        judge: Asserts what must hold of the reader for any bytes.
        seeds: Yields examples.
        mutate: Changes one of them, or what became of it.
        longest: Bytes of the longest input.
    """

    name: str
    judge: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]
    mutate: Mutator
    longest: int = 65_536

    def check(self, data: bytes, seconds: float) -> None:
        """Judge *data* in at most *seconds* of processor time.

        Raises:
            TooSlow: It took longer.
        """
        begun = time.process_time()
        self.judge(data)
        taken = time.process_time() - begun
        if taken > seconds:
            raise TooSlow(f"{self.name}: {taken:.1f} s for {len(data)} bytes")


def _canonical(data: bytes, rng: Random) -> bytes:
    """Change the value of a canonical item, or its bytes."""
    if rng.random() > _AS_BYTES:
        try:
            return encode(values.changed(decode(data), rng))
        except Refusal:
            pass
    return texts.changed(data, rng)


def _numbered(mutate: Mutator) -> Mutator:
    """Change what stands behind the first byte, and that byte now and then."""

    def change(data: bytes, rng: Random) -> bytes:
        first = rng.randbytes(1) if not data or rng.random() < 0.05 else data[:1]
        return first + mutate(data[1:], rng)

    return change


def _some(mutate: Mutator) -> Mutator:
    """Change bytes or, more often, parts."""
    return lambda data, rng: (texts.changed if rng.random() < _AS_BYTES else mutate)(data, rng)


def _signed(data: bytes, rng: Random) -> bytes:
    """Change an envelope behind its tag, or the headers inside it."""
    if data[:1] != TAG or rng.random() < _AS_BYTES:
        return texts.changed(data, rng)
    try:
        parts = decode(data[1:])
        if isinstance(parts, list) and parts and rng.random() < 0.7:
            inner = parts[0]
            if isinstance(inner, bytes):
                return TAG + encode([_canonical(inner, rng), *parts[1:]])
        return TAG + encode(values.changed(parts, rng))
    except Refusal:
        return texts.changed(data, rng)


SURFACES = {
    surface.name: surface
    for surface in (
        Surface("canon", judges.canon, seeds.items, _canonical),
        Surface("bundle", judges.bundle, seeds.bundles, _numbered(texts.changed)),
        Surface("forged", judges.forged, seeds.bundles, _numbered(_some(forged.changed))),
        Surface("entry", judges.entry, seeds.entries, _canonical),
        Surface("note", judges.notes, seeds.notes, texts.changed),
        Surface("root", judges.roots, seeds.roots, _canonical),
        Surface("cose", judges.envelope, seeds.envelopes, _signed, 8_192),
        Surface("proof", judges.proof, seeds.proofs, _canonical, 8_192),
        Surface("source", judges.source, seeds.sources, texts.changed),
        Surface("run", runs.run_file, runs.seeds, _numbered(texts.changed), 20_000),
        Surface("policy", judges.policy, seeds.policies, _canonical),
        Surface("conditions", judges.conditions, seeds.conditions, texts.changed, 20_000),
        Surface("numbers", judges.numbers, seeds.numbers, texts.changed, 8_192),
    )
}
