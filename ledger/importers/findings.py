"""What an import has to say besides its events: problems and flags, bounded in number."""

from msgspec import Struct

from canon.refusal import Refusal

MAX_PROBLEMS = 1_000


class Problem(Struct, frozen=True, kw_only=True):
    """What is wrong with a record, or with a field of one that is kept.

    Attributes:
        code: Stable name of the fault.
        place: The file, and the JSON pointer behind ``#``.
        pointer: The JSON pointer alone.
        message: Place, got, expected.
        hint: What a person does about it.
    """

    code: str
    place: str
    pointer: str
    message: str
    hint: str


class Flagged(Struct, frozen=True, kw_only=True):
    """A flag that an import raised.

    Attributes:
        flag: Its name.
        count: How often.
        pointer: JSON pointer to the first place.
    """

    flag: str
    count: int
    pointer: str


class Findings:
    """Gathers problems and flags in the order of the file.

    Attributes:
        problems: The first thousand problems.
        left_out: Problems after those.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.left_out = 0
        self._flags: dict[str, tuple[int, str]] = {}

    def add_problem(self, problem: Problem) -> None:
        """Note a problem."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        else:
            self.left_out += 1

    def add_flag(self, flag: str, pointer: str, count: int = 1) -> None:
        """Note that *flag* was raised at *pointer*, *count* times from there on."""
        before, first = self._flags.get(flag, (0, pointer))
        self._flags[flag] = before + count, first

    def flags(self) -> list[Flagged]:
        """Return the flags, sorted by name."""
        return [
            Flagged(flag=flag, count=count, pointer=pointer)
            for flag, (count, pointer) in sorted(self._flags.items())
        ]


def problem_of(refusal: Refusal, file: str, pointer: str) -> Problem:
    """Return *refusal* as a problem of *file*.

    Args:
        refusal: Its place is a JSON pointer relative to *pointer*.
        file: Names the file.
        pointer: Where the record stands in it.
    """
    whole = pointer + refusal.place
    place = f"{file}#{whole}"
    return Problem(
        code=refusal.code,
        place=place,
        pointer=whole,
        message=f"{place}: got {refusal.got}, expected {refusal.expected}",
        hint=refusal.remedy,
    )
