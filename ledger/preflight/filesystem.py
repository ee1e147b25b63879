"""``filesystem``: what is written comes back byte for byte (PRE-22)."""

import os

from canon import sha256

from .bench import Bench, Outcome

_RANDOM_BYTES = 4_096
_AWKWARD = b"\r\n\n\r\x00\x1a\xff\xfe\xef\xbb\xbf"
"""What a system that takes files for text would change: line ends, NUL, Ctrl-Z, byte marks."""


def filesystem(bench: Bench) -> Outcome:
    """Write bytes that nobody can guess, read them back, and compare."""
    data = bench.random(_RANDOM_BYTES) + _AWKWARD
    path = bench.folder / "nonce.bin"
    with open(path, "xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    back = path.read_bytes()
    bench.note(
        "file",
        path=bench.path_of(path),
        size_bytes=len(data),
        written_sha256=sha256(data).hex(),
        read_sha256=sha256(back).hex(),
    )
    if back != data:
        return Outcome("FAIL", f"{len(data)} bytes were written, other bytes were read")
    return Outcome("PASS", f"{len(data)} bytes written and read back")
