"""Values out of a session, as records hold them: Unicode text, and numbers as they are written."""

import json
import re
from decimal import Decimal
from typing import Any

from ledger.importers.source_json import Json, NonFinite, Number

REPLACEMENT = "\ufffd"

# Doubles end at 10^308; a longer way from the point is no number that pi could have written.
_MAX_EXPONENT = 400
_EXPONENT_DIGITS = 9
_MAX_LITERAL = 1_000

_SURROGATE = re.compile("[\ud800-\udfff]")
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)\Z", re.ASCII)


class Values:
    """Turns JSON values into those of records, and counts what could not stay as it was.

    Attributes:
        replaced: How many characters, or numbers, have another form now.
    """

    def __init__(self) -> None:
        self.replaced = 0

    def text(self, text: str) -> str:
        """Return *text* with U+FFFD for each lone surrogate and each byte that is not UTF-8.

        Programs that cut text between the two halves of a character write such halves (PI-14).
        """
        if text.isascii():
            return text
        clean, times = _SURROGATE.subn(REPLACEMENT, text)
        self.replaced += times
        return clean

    def value(self, value: Json) -> Any:
        """Return *value* with clean texts, and decimals for numbers that are no integers."""
        match value:
            case str():
                return self.text(value)
            case Number(literal):
                return self._number(literal)
            case list():
                return [self.value(one) for one in value]
            case dict():
                return {self.text(key): self.value(one) for key, one in value.items()}
            case NonFinite(literal):
                return literal
            case _:
                return value

    def json(self, value: Json) -> str:
        """Return *value* as JSON text, with numbers as they are written."""
        match value:
            case Number(literal) | NonFinite(literal):
                return literal
            case str():
                return json.dumps(self.text(value), ensure_ascii=False)
            case list():
                return f"[{', '.join(map(self.json, value))}]"
            case dict():
                members = (f"{self.json(key)}: {self.json(one)}" for key, one in value.items())
                return f"{{{', '.join(members)}}}"
            case _:
                return json.dumps(value)

    def _number(self, literal: str) -> Decimal | str:
        exponent = _EXPONENT.search(literal)
        far = exponent is not None and (
            len(exponent[1]) > _EXPONENT_DIGITS or abs(int(exponent[1])) > _MAX_EXPONENT
        )
        if far or len(literal) > _MAX_LITERAL:
            self.replaced += 1
            return literal
        return Decimal(literal)
