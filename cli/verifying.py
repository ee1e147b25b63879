"""``verify``, which starts without typer, rich or SQLite: auditors run it often, and alone.

It reads its own arguments with argparse for that; everything else about it is as in any command.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

SUMMARY = "Verify a bundle offline against a pinned trust root."
_WIDTH = 88
EXAMPLE = "coldledger verify spring.bundle --trust keys/trust-root.cbor"


class _Parser(argparse.ArgumentParser):
    """Leaves misuse to the boundary, which gives it the exit code 64."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        from .errors import UsageInvalid

        raise UsageInvalid(message[:1].upper() + message[1:])


class _Help(argparse.RawDescriptionHelpFormatter):
    """Has a fixed width: to ask the terminal would import what verifying does not need."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_WIDTH)


def verify(argv: Sequence[str]) -> int:
    """Verify a bundle and print the verdict; 0 when every step holds, else 1."""
    parser = _parser()
    if "--help" in argv:
        sys.stdout.write(parser.format_help())
        return 0
    given = parser.parse_args(argv)

    from ledger.verify.bundle import verify_bundle

    from .edge import Progress, opened
    from .questions import question
    from .text import emit
    from .verdicts import print_verdict

    asked = question(
        given.trust, trust_sha256=given.trust_sha256, since=given.since, policy=given.policy
    )
    with opened(given.bundle, "a bundle") as stream, Progress("verifying") as progress:
        verdict, _ = verify_bundle(stream, asked, progress=progress.report)
    if given.json:
        emit(verdict.document())
    else:
        print_verdict(verdict, str(given.bundle))
    return 0 if verdict.ok else 1


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="coldledger verify",
        usage="coldledger verify [OPTIONS] BUNDLE",
        description=(
            f"{SUMMARY}\n\n"
            "Every step is taken and every figure recomputed. Nothing in the bundle is believed\n"
            "before the step that proves it, and trust comes from the trust root that you got\n"
            "another way. Exit 0 when everything holds, 1 when not."
        ),
        epilog=f"Example:\n  {EXAMPLE}",
        formatter_class=_Help,
        add_help=False,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("bundle", metavar="BUNDLE", type=Path, help="a bundle of an edition")
    add(
        "--trust",
        metavar="ROOT",
        type=Path,
        action="append",
        required=True,
        help="trust root to believe; repeat for several versions",
    )
    add("--trust-sha256", metavar="HEX", help="digest that the newest trust root must have")
    add(
        "--since",
        metavar="CHECKPOINT",
        type=Path,
        help="a checkpoint that you kept; the log must continue it",
    )
    add("--policy", metavar="FILE", type=Path, help="conditions of your own, in TOML")
    add("--json", action="store_true", help="print one JSON document on stdout")
    add("--help", action="store_true", help="show this message and exit")
    return parser
