"""Changes to bytes and to lines of text: for readers whose input is not a value."""

from random import Random

_WORDS = (
    b"", b"\0", b"\n", b"\r\n", b" ", b'"', b"\\", b'\\"' * 40, b"[" * 70, b"{" * 70, b'{"":' * 66,
    b"[[],", b",", b":", b"}", b"]", b"-", b"--", b"+", b"=", b"==", b"\xff", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"\xe2\x80\x94 ", b"\xf0\x9f\xab\xa0", b"1e400", b"1e-999999999", b"NaN",
    b"-Infinity", b"9" * 50, b"9" * 5_000, b"0x10", b"1_000", b"inf", b"nan", b"a." * 300,
    b"[a." * 30, b"'''", b'"""', b"2026-13-01", b"9999-12-31T23:59:59Z", b"null", b"true",
    b"\x5f", b"\x7f", b"\x9f", b"\xbf", b"\xc2\x49", b"\xd8\x1c", b"\xd2", b"\xf7", b"\xf9\x3c\0",
    b"\x9b" + b"\xff" * 8, b"\xbb" + b"\xff" * 8, b"\x5b\x7f" + b"\xff" * 7, b"\x81" * 20,
)  # fmt: skip


def changed(data: bytes, rng: Random, words: tuple[bytes, ...] = _WORDS) -> bytes:
    """Return *data* with one place changed, or pieces of it moved."""
    at = rng.randrange(len(data) + 1)
    to = min(len(data), at + rng.choice((0, 1, 2, 4, 8, 32, 256)))
    match rng.randrange(8):
        case 0 if at < len(data):
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + rng.choice(words) + data[to:]
        case 2:
            return data[:at] + rng.randbytes(rng.randrange(1, 9)) + data[at:]
        case 3:
            return data[:at] + data[to:]
        case 4:
            return data[:at] + data[at:to] * rng.choice((2, 3, 60)) + data[to:]
        case 5:
            return data[:at]
        case 6:
            return _lines_changed(data, rng)
        case _:
            other = rng.randrange(len(data) + 1)
            return data[:other] + data[at:to] + data[other:]


def _lines_changed(data: bytes, rng: Random) -> bytes:
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            lines.insert(one, lines[two])
        case _:
            del lines[one]
    return b"\n".join(lines)
