"""``verify``, which starts without typer, rich or SQLite: auditors run it often, and alone.

It reads its own arguments for that, as typer would; even argparse would be a twentieth of what a
small bundle takes. Everything else about it is as in any command.
"""

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from .errors import UsageInvalid, wrong_number

SUMMARY = "Verify a bundle offline against a pinned trust root."
EXAMPLE = "coldledger verify spring.bundle --trust keys/trust-root.cbor"
CONDITIONS = """\
id = "mine"
version = 1
rules = [
  { kind = "root-pinned" },
  { kind = "signed-by", role = "publisher" },
  { kind = "records-checked" },
  { kind = "max-withheld", count = 9 },
  { kind = "min-events", count = 20 },
]
"""
_HELP = f"""\
Usage: coldledger verify [OPTIONS] BUNDLE

  {SUMMARY}

  Every step is taken and every figure recomputed. Nothing in the bundle is
  believed before the step that proves it, and trust comes from the trust
  root that you got another way. Exit 0 when everything holds, 1 when not.

Arguments:
  BUNDLE <path>  A bundle of an edition.  [required]

Options:
  --trust ROOT        Trust root to believe; repeat for versions.  [required]
  --trust-sha256 HEX  Digest that the newest trust root must have.
  --since CHECKPOINT  A checkpoint that you kept; the log must continue it.
  --policy FILE       Conditions of your own, in TOML.
  --jobs N            Read ahead with N processes, 0 for one on each core.
                      [default: 1; 0<=x<=256]
  --json              Print one JSON document on stdout.
  --help              Show this message and exit.

  Example:
    {EXAMPLE}

  Conditions are all that must hold beside the steps; specs/verify.md has
  every kind. A file for --policy:
"""
_TRUST = "--trust"
_WITH_VALUE = (_TRUST, "--trust-sha256", "--since", "--policy", "--jobs")
_FLAGS = ("--json", "--help")


def help_text() -> str:
    """Return what ``--help`` prints."""
    return _HELP + "".join(f"    {row}\n" for row in CONDITIONS.splitlines())


def verify(argv: Sequence[str]) -> int:
    """Verify a bundle and print the verdict; 0 when every step holds, else 1."""
    names, given = _parsed(argv)
    if "--help" in given:
        sys.stdout.write(help_text())
        return 0
    bundle = Path(_bundle(names))
    if _TRUST not in given:
        raise UsageInvalid("Missing option '--trust'")
    jobs = _jobs(given)

    from ledger.verify.bundle import verify_bundle

    from .edge import Progress, opened, readers
    from .questions import question
    from .reading import head_of, tell_reader
    from .text import emit
    from .verdicts import continued, print_verdict

    gc.freeze()
    gc.enable()  # see `cli.main.run`
    asked = question(
        [Path(value) for value in given[_TRUST]],
        trust_sha256=given.get("--trust-sha256", [None])[-1],
        since=_path(given, "--since"),
        policy=_path(given, "--policy"),
    )
    with (
        opened(bundle, "a bundle") as stream,
        Progress("verifying") as progress,
        readers(jobs) as ahead,
    ):
        head = head_of(stream)
        verdict, _ = verify_bundle(stream, asked, progress=progress.report, readers=ahead)
    tell_reader(verdict, str(bundle), head)
    if "--json" in given:
        kept = asked.since
        found = None if kept is None else continued(kept, verdict.error, ok=verdict.ok)
        emit({**verdict.document(), "since": found})
    else:
        print_verdict(verdict, str(bundle), asked)
    return 0 if verdict.ok else 1


def _parsed(argv: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return the arguments, and the values of each option that is given.

    Raises:
        UsageInvalid: An option is none of the command's, or lacks its value.
    """
    names: list[str] = []
    given: dict[str, list[str]] = {}
    words = iter(argv)
    for word in words:
        if word == "--":
            names.extend(words)
        elif not word.startswith("-") or word == "-":
            names.append(word)
        else:
            option, equals, value = word.partition("=")
            if option in _FLAGS and not equals:
                given[option] = []
            elif option in _WITH_VALUE:
                if not equals:
                    value = next(words, "--")
                    if value == "--":
                        raise UsageInvalid(f"Option '{option}' requires an argument")
                given.setdefault(option, []).append(value)
            else:
                raise UsageInvalid(f"No such option: {option}")
    return names, given


def _bundle(names: Sequence[str]) -> str:
    """Return the one argument.

    Raises:
        UsageInvalid: There is none, or there are several.
    """
    if not names:
        raise UsageInvalid("Missing argument 'BUNDLE'")
    if len(names) > 1:
        raise UsageInvalid(f"Got unexpected extra argument ({' '.join(names[1:])})")
    return names[0]


def _jobs(given: dict[str, list[str]]) -> int:
    """Return how many processes are to read ahead.

    Raises:
        UsageInvalid: It is no number from 0 to 256.
    """
    from .edge import MOST_JOBS

    text = given.get("--jobs", ["1"])[-1]
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) <= MOST_JOBS):
        raise UsageInvalid(wrong_number("--jobs", text, 0, MOST_JOBS, 1))
    return int(text)


def _path(given: dict[str, list[str]], option: str) -> Path | None:
    """Return the last value of an option as a path."""
    return Path(given[option][-1]) if option in given else None
