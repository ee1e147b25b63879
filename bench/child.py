"""One measurement in a fresh interpreter: ``python -m bench.child WORK FOLDER SIZE WARM``."""

import gc
import sys
from pathlib import Path

import msgspec

from .inputs import Inputs
from .plan import ALL
from .watch import Watch

MAKE = "make"


def main(work: str, folder: str, size: str, warm: str) -> None:
    """Do the work on a few events, so that nothing is done for the first time; then measure it."""
    inputs, few = Inputs(Path(folder), int(size)), Inputs(Path(folder), int(warm))
    if work == MAKE:
        inputs.make()
        return
    if few.size != inputs.size:
        ALL[work](few, Watch())
        gc.collect()
    watch = Watch()
    things = ALL[work](inputs, watch)
    sys.stdout.write(msgspec.json.encode(watch.measured(things)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
