"""Whether a file is a session, and which: its header, or what is left where that is lost (PI-1)."""

from hashlib import sha256

from msgspec import Struct

from canon.refusal import Refusal
from ledger.errors import PiHeaderMissing, PiSessionInvalid, PiText, PiVersion
from ledger.importers.source_json import kind_of

from .lines import Line, Object, Reader
from .report import Problems
from .texts import Values

VERSIONS = (1, 2, 3)
"""Versions of the format that are read; a header without one is of the first."""

_PATIENCE = 16
_EXPECTED = "the header of a session"


class Opening(Struct, frozen=True):
    """What a session begins with.

    Attributes:
        header: The header; empty where there is none.
        line: Its line, 0 where there is none.
        session: Its name; one made of the first line that can be read, where it has none.
        version: Of the format, None where nothing says it.
    """

    header: Object
    line: int
    session: str
    version: int | None


class Openings:
    """Looks at the first lines of a file until one of them can be read."""

    def __init__(self, reader: Reader, problems: Problems) -> None:
        self._reader, self._problems = reader, problems
        self._fault: Refusal | None = None
        self._tries = 0

    def look(self, line: Line) -> Opening | None:
        """Return what a session begins with, None where this line does not tell.

        Raises:
            PiSessionInvalid: This is no session.
            PiVersion: It is of a version that is not read.
        """
        try:
            said = self._reader.read(line)
        except Refusal as fault:
            self._fault = self._fault or fault
            self._tries += 1
            if self._tries >= _PATIENCE:
                raise self.refusal() from None
            return None
        place = self._reader.place(line)
        is_header = said.get("type") == "session"
        if not is_header and not _is_message(said):
            got = f"an entry of type {kind_of(said.get('type'))}"
            raise PiSessionInvalid(place, got, _EXPECTED)
        name = said.get("id") if is_header else None
        if type(name) is not str:
            got = "a header without an id" if is_header else "a message"
            self._problems.add(line.number, PiHeaderMissing(place, got, _EXPECTED))
            name = f"unnamed-{sha256(line.data.strip()).hexdigest()[:16]}"
        values = Values()
        name = values.text(name)
        if values.replaced:
            got = "an id with what is no Unicode"
            self._problems.add(line.number, PiText(place, got, "Unicode text"))
        if not is_header:
            return Opening({}, 0, name, None)
        return Opening(said, line.number, name, _version(said, place))

    def refusal(self) -> PiSessionInvalid:
        """Return why a file is none, of which no line told."""
        if self._fault is None:
            return PiSessionInvalid(self._reader.place(Line(1, b"", 0)), "nothing", _EXPECTED)
        return PiSessionInvalid(self._fault.place, self._fault.got, _EXPECTED)


def _is_message(said: Object) -> bool:
    message = said.get("message")
    return (
        said.get("type") == "message" and type(message) is dict and type(message.get("role")) is str
    )


def _version(header: Object, place: str) -> int:
    version = header.get("version", 1)
    if type(version) is int and version in VERSIONS:
        return version
    raise PiVersion(f"{place}, version", kind_of(version), "1, 2 or 3")
