"""One surface under atheris, in a process of its own: libFuzzer ends the process that it runs in.

Coverage is taken of the packages that read; judges and mutators are not what is looked at.
"""

import sys
from pathlib import Path
from random import Random

import atheris

# The parser of TOML is Python's own, and is looked at for its paths alone.
_PACKAGES = ["canon", "signing", "ledger", "tomllib"]
SECONDS_FOR_ONE = 5.0
"""Processor time for one input; instrumented code takes several times what the plain one takes."""
MEMORY_MIB = 1_024
_TIMEOUT_SECONDS = 30


def main(name: str, seconds: int, corpus: Path, findings: Path) -> None:
    """Fuzz the surface *name*; what it finds is written to *findings*. Does not return.

    Args:
        name: Of the surface.
        seconds: How long.
        corpus: Folder that grows, and is begun with the seeds where it is empty.
        findings: Folder of inputs that broke something.
    """
    with atheris.instrument_imports(include=_PACKAGES):
        import tomllib  # noqa: F401 - the reader of conditions imports it when it first runs

        from .surfaces import SURFACES
    surface = SURFACES[name]
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(surface.seeds()):
        if len(seed) <= surface.longest:
            (corpus / f"seed-{number:04}").write_bytes(seed)

    def one(data: bytes) -> None:
        surface.check(data, SECONDS_FOR_ONE)

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.2:
            return bytes(atheris.Mutate(data, max_size))
        for _ in range(rng.choice((1, 1, 2, 3))):
            data = surface.mutate(data, rng)
        return data[:max_size]

    options = [
        f"-max_total_time={seconds}",
        f"-max_len={surface.longest}",
        f"-rss_limit_mb={MEMORY_MIB}",
        f"-timeout={_TIMEOUT_SECONDS}",
        f"-artifact_prefix={findings}/{name}-",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
