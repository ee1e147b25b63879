"""The root of every typed error: place, got, expected, what to do.

One fault has one class and one code (``specs/errors.md`` lists them all). A refusal is a verdict
about an input, so it carries where the fault stands in a form that a program can read.
"""

from typing import ClassVar

LONGEST = 1_024
"""Most characters of a part of a message: whoever chose the input must not fill a screen."""


class Refusal(Exception):
    """An input, a command or a state was refused.

    Attributes:
        code: Stable name of the fault, ``E_…``; one per class.
        remedy: What a person does about it, one sentence in the imperative.
        place: Where: a file, an offset, an event, a JSON pointer.
        got: What stood there.
        expected: What should have.
        seq: Sequence number of the event at fault, where there is one.
        offset: Byte offset of the fault in its input, where there is one.

    """

    code: ClassVar[str]
    remedy: str

    def __init__(
        self,
        place: str,
        got: str,
        expected: str,
        *,
        seq: int | None = None,
        offset: int | None = None,
        remedy: str | None = None,
    ) -> None:
        place, got, expected = _cut(place), _cut(got), _cut(expected)
        super().__init__(f"{place}: got {got}, expected {expected}")
        self.place, self.got, self.expected = place, got, expected
        self.seq, self.offset = seq, offset
        if remedy is not None:
            self.remedy = remedy

    @property
    def message(self) -> str:
        """The fault in one line, without code and remedy."""
        return str(self)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
