"""Options that several commands share, each described once."""

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_LEDGER = Path("coldledger.db")

LedgerPath = Annotated[
    Path,
    typer.Option("--ledger", envvar="COLDLEDGER", metavar="PATH", help="The ledger file."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
AsOf = Annotated[
    int | None,
    typer.Option("--as-of", metavar="N", min=0, help="As it was when it had N events."),
]
Edition = Annotated[
    str | None,
    typer.Option(
        "--edition",
        metavar="NAME",
        help="A frozen edition, or the present state of an imported release.",
    ),
]
Reason = Annotated[
    str,
    typer.Option("--reason", metavar="TEXT", help="Why: a sentence that others can contest."),
]
SigningKeys = Annotated[
    list[Path],
    typer.Option("--key", metavar="FILE", help="Private key to sign with; repeat for several."),
]
SigningKey = Annotated[
    Path, typer.Option("--key", metavar="FILE", help="Private key to sign with.")
]
LogKey = Annotated[
    Path | None,
    typer.Option(
        "--log-key",
        envvar="COLDLEDGER_LOG_KEY",
        metavar="FILE",
        help="The log's private key; by default log.key beside --key.",
    ),
]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help="Holds the passphrase of encrypted keys; else COLDLEDGER_PASSPHRASE.",
    ),
]
Encrypt = Annotated[
    bool,
    typer.Option("--encrypt", help="Encrypt new keys; asks for a passphrase if none is given."),
]
TrustFiles = Annotated[
    list[Path],
    typer.Option("--trust", metavar="ROOT", help="Trust root to believe; repeat for versions."),
]
TrustDigest = Annotated[
    str | None,
    typer.Option("--trust-sha256", metavar="HEX", help="Digest that the trust root must have."),
]
