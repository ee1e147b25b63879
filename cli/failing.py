"""What becomes of an exception: an exit code and an error that says what to do."""

import sys
from typing import Any

from canon.refusal import Refusal

from .errors import Internal, SystemRefused, UsageInvalid, wrong_number
from .main import BROKEN, MISUSED, REFUSED
from .text import complain, emit, fault_of

_MISUSES = frozenset(
    {
        "E_USAGE",
        "E_TYPE_NAME",
        "E_FORMAT_NAME",
        "E_PREFLIGHT_CHECK",
        "E_PREFLIGHT_SET",
        "E_RUN_WORD",
    }
)
"""Codes of wrong usage: no ledger could make right what the command line says."""


def failed(fault: Exception, *, as_json: bool) -> int:
    """Print *fault* and return the exit code it has."""
    refusal, code = _judge(fault)
    show(refusal, as_json=as_json)
    if code == BROKEN and _debugging():
        import traceback

        traceback.print_exception(fault, file=sys.stderr)
    return code


def show(refusal: Refusal, *, as_json: bool) -> None:
    """Print a refusal: as the one document with ``--json``, else for people on stderr."""
    if as_json:
        emit({"error": document(refusal)})
    else:
        complain(fault_of(refusal))


def document(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as JSON: what the contract has, and where."""
    return {
        **fault_of(refusal),
        "place": refusal.place,
        "got": refusal.got,
        "expected": refusal.expected,
        "seq": refusal.seq,
        "offset": refusal.offset,
    }


def _judge(fault: Exception) -> tuple[Refusal, int]:
    if isinstance(fault, Refusal):
        return fault, MISUSED if fault.code in _MISUSES else REFUSED
    if _is_usage(fault):
        return UsageInvalid(_sentence(fault)), MISUSED
    if isinstance(fault, OSError):
        place = str(fault.filename) if fault.filename else "operating system"
        got = fault.strerror or type(fault).__name__
        return SystemRefused(place, got, "what the command needs"), REFUSED
    return Internal(fault), BROKEN


def _is_usage(fault: Exception) -> bool:
    """Tell a fault that typer found in the command, without importing typer to ask."""
    typer = sys.modules.get("typer.exceptions")
    return typer is not None and isinstance(fault, typer.TyperException)


def _sentence(fault: Exception) -> str:
    """Return what typer found wrong as a sentence; of numbers it does not say what they may be."""
    number: Any = getattr(fault, "param", None)
    given = [one["input"] for one in getattr(fault.__cause__, "errors", list)()]
    if given and getattr(number, "min", None) is not None:
        return wrong_number(number.opts[0], given[0], number.min, number.max, number.default)
    format_message = getattr(fault, "format_message", None)
    text = format_message() if format_message is not None else str(fault)
    return " ".join(text.split()).rstrip(".") or "incomplete"


def _debugging() -> bool:
    from .edge import environment

    return environment("COLDLEDGER_DEBUG") is not None
