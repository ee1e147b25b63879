"""Texts of a run as a verdict may hold them: canonical, and no longer than a person reads.

A run may hold any text: lone surrogates, characters that are not assigned, another normal form.
The exact bytes are named by the digests beside it (AUDIT-72).
"""

from collections.abc import Iterable, Sequence
from unicodedata import normalize

from canon.text import is_canonical_text
from canon.unicode14 import first_unassigned

LONGEST = 2_048
MOST = 1_000
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def plain(text: str) -> str:
    """Return a text in NFC, at most 2,048 characters, with U+FFFD for what is no character."""
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    if is_canonical_text(cut):
        return cut
    parts, rest = [], cut
    while (index := first_unassigned(rest)) is not None:
        parts += [rest[:index], _REPLACEMENT]
        rest = rest[index + 1 :]
    return normalize("NFC", "".join([*parts, rest]))


def plain_or_none(text: object) -> str | None:
    """Return a text as a verdict may hold it; None for anything else."""
    return plain(text) if isinstance(text, str) else None


def plain_list(texts: Iterable[str]) -> list[str]:
    """Return at most a thousand texts; the last says how many more there are."""
    listed: Sequence[str] = list(texts)
    if len(listed) <= MOST:
        return [plain(one) for one in listed]
    kept = [plain(one) for one in listed[: MOST - 1]]
    return [*kept, f"{len(listed) - len(kept)} more"]
