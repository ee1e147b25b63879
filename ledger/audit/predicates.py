"""Predicates and checks by name: what rules may ask, each a small pure function (AUDIT-40).

A predicate that holds says what it rests on. One that needs what is withheld is told so by the
facts, and nobody answers for it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

import msgspec
from msgspec import Struct

from .facts import Facts


class Cited(Struct, frozen=True):
    """A record or a file that a finding rests on.

    Attributes:
        ref: How it is referred to.
        digest: Of its line without the end, or of the file, 32 bytes; None where it has none.
    """

    ref: str
    digest: bytes | None = None


class Finding(Struct, frozen=True):
    """What a predicate that holds found.

    Attributes:
        evidence: What it rests on.
        missing: What is not there and should be.
        notes: What somebody should look at; it decides nothing.
        said: Names to values, for the sentence of the flag.
    """

    evidence: tuple[Cited, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    said: Mapping[str, str | int] = msgspec.field(default_factory=dict)


Predicate: TypeAlias = Callable[[Facts], Finding | None]
"""Returns what it found, and None where it does not hold."""

Checking: TypeAlias = Callable[[Facts], Iterator[str]]
"""Yields a sentence for each thing that is wrong with the run as a whole."""

_PREDICATES: dict[str, Predicate] = {}
_CHECKS: dict[str, Checking] = {}


def predicate(name: str) -> Callable[[Predicate], Predicate]:
    """Register a function as the predicate *name*."""

    def register(function: Predicate) -> Predicate:
        if name in _PREDICATES:
            raise ValueError(f"two predicates {name}")
        _PREDICATES[name] = function
        return function

    return register


def check(name: str) -> Callable[[Checking], Checking]:
    """Register a function as the check *name*."""

    def register(function: Checking) -> Checking:
        if name in _CHECKS:
            raise ValueError(f"two checks {name}")
        _CHECKS[name] = function
        return function

    return register


def predicates() -> Mapping[str, Predicate]:
    """Return every predicate by its name."""
    return MappingProxyType(_PREDICATES)


def checks() -> Mapping[str, Checking]:
    """Return every check by its name."""
    return MappingProxyType(_CHECKS)


def together(findings: Iterable[Finding]) -> Finding:
    """Return what several predicates that hold found, as one."""
    evidence: dict[Cited, None] = {}
    missing: dict[str, None] = {}
    notes: dict[str, None] = {}
    said: dict[str, str | int] = {}
    for one in findings:
        evidence |= dict.fromkeys(one.evidence)
        missing |= dict.fromkeys(one.missing)
        notes |= dict.fromkeys(one.notes)
        said |= one.said
    return Finding(tuple(evidence), tuple(missing), tuple(notes), said)
