"""Refusals of the command line itself: one class, one code each (``specs/errors.md``)."""

from canon.refusal import Refusal


class UsageInvalid(Refusal):
    """The command cannot be understood as it was given; exit code 64."""

    code = "E_USAGE"
    remedy = "run the command with --help to see what it takes"

    def __init__(self, sentence: str, *, remedy: str | None = None) -> None:
        """Take what the parser says, which is a sentence already."""
        super().__init__("command line", sentence, "what --help describes", remedy=remedy)

    @property
    def message(self) -> str:
        """The fault in one line."""
        return self.got


class FileUnreadable(Refusal):
    """A file that the command names cannot be read."""

    code = "E_UNREADABLE"
    remedy = "give the path of a file that exists and that you may read"


class SystemRefused(Refusal):
    """The operating system refused what the command needs."""

    code = "E_SYSTEM"
    remedy = "give the program the files, the rights and the room that it needs, then try again"


class PassphraseMissing(Refusal):
    """A passphrase is needed, none was given, and nobody can be asked."""

    code = "E_PASSPHRASE_MISSING"
    remedy = "set COLDLEDGER_PASSPHRASE, or give --passphrase-file"


class TrustRootMissing(Refusal):
    """A ledger does not say which trust root is in force."""

    code = "E_NO_TRUST_ROOT"
    remedy = "give the file of a trust root"


class SlotNotHeld(Refusal):
    """An event has that slot, and this file does not hold its bytes: redacted or withheld."""

    code = "E_NOT_HELD"
    remedy = "look for the bytes in a backup of the ledger, or ask whoever has them"


class Internal(Refusal):
    """The program failed; exit code 70."""

    code = "E_INTERNAL"
    remedy = "set COLDLEDGER_DEBUG=1 to see where, and report it"

    def __init__(self, fault: BaseException) -> None:
        """Name the *fault* by its class and its first line."""
        lines = str(fault).splitlines() or ["no message"]
        super().__init__("program", f"{type(fault).__name__}: {lines[0]}", "no fault of its own")

    @property
    def message(self) -> str:
        """The fault in one line."""
        return self.got


class TypeNameUnknown(Refusal):
    """No type of event has that name, and no family of types; exit code 64."""

    code = "E_TYPE_NAME"
    remedy = "give one of the names that the message lists"


class SizeUnknown(Refusal):
    """The ledger never had that many events."""

    code = "E_SIZE"
    remedy = "see the size with `coldledger status`"


def wrong_number(
    option: str, given: str, least: int, most: int | None, default: object = None
) -> str:
    """Say that the value of an option is not the number that it takes.

    Args:
        option: As it is written.
        given: What was given.
        least: The smallest number.
        most: The largest, or None.
        default: What stands where the option is left out, or None.
    """
    from canon.excerpt import excerpt

    numbers = f"{least} or more" if most is None else f"from {least} to {most}"
    otherwise = "" if default is None else f"; {default} where it is left out"
    return (
        f"Invalid value for '{option}': {excerpt(given)} is no whole number, {numbers}{otherwise}"
    )


def check_word(text: str, option: str, most: int) -> None:
    """Refuse what can be no name in an entry: 1 to *most* bytes on one line.

    Raises:
        UsageInvalid: It is none.
    """
    if not text or len(text.encode("utf-8", "surrogateescape")) > most or not text.isprintable():
        raise UsageInvalid(
            f"Invalid value for '{option}': {text!r} is not 1 to {most} bytes on one line"
        )


def check_text(text: str, option: str) -> None:
    """Refuse what is no Unicode text, as the command line may hand it over.

    Raises:
        UsageInvalid: It cannot be kept as UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageInvalid(f"Invalid value for '{option}': {text!r} is not UTF-8") from None
