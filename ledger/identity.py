"""What a system, a task and a trial are called (``specs/importers.md``, Identities).

A name is made of what a source says about a trial, never of where the source stands, so that the
same trial in two releases has one name.
"""

import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from canon import array_head, encode, head, labelled, uint_item
from canon.excerpt import excerpt

from .errors import PathComponentInvalid

ATTEMPT = b"coldledger/attempt/1"
_ATTEMPT_HEX = 32
_BEGINNING = 12
_PARTS = 8
_CELLS = 4_096
# The head of a canonical time: all of them have the same length.
_TIME = head(3, len("YYYY-MM-DDTHH:MM:SS.ffffffZ"))

# `%` must be escaped because it escapes; `/` divides a path, `*` stands for a total, `:` ends an
# edition's name; controls and spaces would not survive a terminal or a copy.
_ESCAPED = re.compile(r"[%/*: \x00-\x1f\x7f-\x9f]")
_ESCAPES = re.compile(r"(?:[^%]|%[0-9A-F]{2})*")


def system_id(agent: str, model: str, effort: str | None) -> str:
    """Return the name of a system: ``agent+model`` or ``agent+model+effort``.

    ``%`` and ``+`` inside a component are percent-encoded, so no two systems share a name.
    """
    parts = (agent, model) if effort is None else (agent, model, effort)
    return "+".join(part.replace("%", "%25").replace("+", "%2B") for part in parts)


def task_id(scenario: str, version: int) -> str:
    """Return the name of a task: ``scenario@version``, with ``%`` and ``@`` percent-encoded."""
    return f"{scenario.replace('%', '%25').replace('@', '%40')}@{version}"


def attempt_id(
    *,
    agent: str,
    model: str,
    effort: str | None,
    scenario: str,
    version: int,
    number: int,
    started_at: str,
    finished_at: str,
) -> str:
    """Return the name of a trial: ``att-`` and 32 hexadecimal digits (IMPORT-15).

    The digits are the head of a labelled digest over the canonical CBOR of the array of arguments,
    in their order.

    Args:
        agent: The agent's name.
        model: The model's name.
        effort: The reasoning effort; a source that has no such field says null.
        scenario: The scenario's name.
        version: The scenario's version.
        number: Attempt number within its cell.
        started_at: Canonical time.
        finished_at: Canonical time.
    """
    cell = _cell(agent, model, effort, scenario, version)
    times = _TIME + started_at.encode() + _TIME + finished_at.encode()
    return "att-" + labelled(ATTEMPT, cell + _number(number) + times).hex()[:_ATTEMPT_HEX]


_number = lru_cache(_CELLS)(uint_item)


@lru_cache(_CELLS)
def _cell(agent: str, model: str, effort: str | None, scenario: str, version: int) -> bytes:
    """Return the bytes of the identity's array up to the attempt number: many rows share them."""
    return array_head(_PARTS) + encode([agent, model, effort, scenario, version])[1:]


def attempt_start(attempt: str) -> str:
    """Return enough of an attempt's identity to name it in a table and in a command."""
    return attempt[:_BEGINNING]


def path_component(text: str) -> str:
    """Return *text* as one component of a figure's path.

    ``%``, ``/``, ``*``, ``:``, controls and spaces become the upper-case percent-encoding of
    their UTF-8 bytes.
    """
    return _ESCAPED.sub(_escape, text)


def component_text(component: str) -> str:
    """Return the text that *component* stands for; the inverse of :func:`path_component`.

    Raises:
        PathComponentInvalid: It is not what ``path_component`` makes of any text.
    """
    text: str | None = None
    if _ESCAPES.fullmatch(component):
        try:
            text = unquote_to_bytes(component).decode()
        except UnicodeError:
            text = None
    if text is None or path_component(text) != component:
        raise PathComponentInvalid(
            "component of a figure's path", excerpt(component), "percent-encoding as IMPORT-16 says"
        )
    return text


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
