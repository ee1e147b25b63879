"""``key`` and ``trust``: private keys, and the root that says what they may do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import entropy
from .errors import FileUnreadable
from .options import DEFAULT_LEDGER, Encrypt, Json, LedgerPath, PassphraseFile
from .text import NOTHING, emit, line, note, pairs, safe

if TYPE_CHECKING:
    from signing.keys import PrivateKey
    from signing.trust import TrustRoot

TrustFile = Annotated[
    Path | None,
    typer.Option("--trust", metavar="ROOT", help="Trust root that says what the key may do."),
]


def new(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Where the new key goes.")],
    encrypt: Encrypt = False,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Make a private key, readable by you alone; an existing file is never overwritten."""
    from signing.keys import PrivateKey

    from .keyring import new_passphrase

    passphrase = new_passphrase(passphrase_file, encrypt=encrypt)
    key = PrivateKey.generate(entropy(32))
    key.save(path, passphrase)
    if json:
        emit({"key": str(path), **_public(key), "encrypted": passphrase is not None})
    else:
        line(f"made {safe(path)}")
        pairs([("kid", key.kid.hex()), ("public", key.public.hex())])
    if passphrase is None:
        note("The key is not encrypted: keep the file to yourself.")
    return 0


def list_(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder with key files, named *.key.")
    ] = Path(),
    trust: TrustFile = None,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """List the keys of a folder, and with a trust root what each may do."""
    root = None if trust is None else _read_root(trust)
    if not folder.is_dir():
        got = "a file" if folder.exists() else "no such folder"
        remedy = "give a folder; `coldledger key show` shows a single key"
        raise FileUnreadable(str(folder), got, "a folder with key files", remedy=remedy)
    found = [_describe(path, root, passphrase_file) for path in sorted(folder.glob("*.key"))]
    if json:
        emit({"keys": found})
        return 0
    if not found:
        line(f"no key files, named *.key, in {safe(folder)}")
        return 0
    from .tables import Column, table

    table(
        [Column("file"), Column("kid"), Column("roles"), Column("state")],
        [
            [
                one["key"],
                (one["kid"] or NOTHING)[:16],
                ", ".join(one["roles"]) or NOTHING,
                one["state"],
            ]
            for one in found
        ],
    )
    return 0


def show(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A private key.")],
    trust: TrustFile = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Print the verifier key for notes too."),
    ] = None,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Show the public half of a key: what others need to know it by."""
    from signing.note import ED25519, VerifierKey

    from .keyring import load_key

    key = load_key(path, passphrase_file)
    root = None if trust is None else _read_root(trust)
    vkey = None if name is None else VerifierKey(name, ED25519, key.public).text()
    held = _held(key, root)
    if json:
        emit({"key": str(path), **_public(key), "vkey": vkey, **held})
        return 0
    rows = [("kid", key.kid.hex()), ("public", key.public.hex())]
    if vkey is not None:
        rows.append(("verifier key", safe(vkey)))
    if root is not None:
        rows.append(("controller", safe(held["controller"] or NOTHING)))
        rows.append(("roles", safe(", ".join(held["roles"]) or "none in this trust root")))
    pairs(rows)
    return 0


def show_trust(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="ROOT", help="A trust root; by default the ledger's own."),
    ] = None,
    ledger: LedgerPath = DEFAULT_LEDGER,
    json: Json = False,
) -> int:
    """Show who may decide what, from which size of the log on."""
    root = _of_ledger(ledger) if path is None else _read_root(path)
    if json:
        emit(_root_document(root))
    else:
        _print_root(root)
    return 0


def _read_root(path: Path) -> "TrustRoot":
    from signing.trust import parse_root

    from .reading import root_bytes

    return parse_root(root_bytes(path))


def _of_ledger(path: Path) -> "TrustRoot":
    from .errors import TrustRootMissing
    from .ledgers import replayed

    with replayed(path) as (_, replay):
        root = replay.authority.root
    if root is None:
        raise TrustRootMissing(str(path), "no trust root", "one adopted by event 0")
    return root


def _public(key: "PrivateKey") -> dict[str, str]:
    return {"kid": key.kid.hex(), "public": key.public.hex()}


def _held(key: "PrivateKey", root: "TrustRoot | None") -> dict[str, Any]:
    """Return what a trust root says of a key."""
    known = None if root is None else root.key(key.kid)
    if root is not None and key.public in {one.key for one in root.document.log_keys}:
        return {"controller": root.log, "roles": ["the log's own"]}
    if known is None:
        return {"controller": None, "roles": []}
    return {"controller": known.controller, "roles": list(known.roles)}


def _describe(path: Path, root: "TrustRoot | None", passphrase_file: Path | None) -> dict[str, Any]:
    """Describe one key file; a list of keys does not end at one that cannot be read."""
    from canon.refusal import Refusal
    from signing.errors import KeyPassphrase
    from signing.keys import PrivateKey

    from .keyring import given_passphrase

    nothing: dict[str, Any] = {"kid": None, "public": None, "controller": None, "roles": []}
    try:
        key, state = PrivateKey.load(path), "not encrypted"
    except KeyPassphrase:
        passphrase = given_passphrase(passphrase_file)
        if passphrase is None:
            return {"key": str(path), **nothing, "state": "encrypted"}
        try:
            key, state = PrivateKey.load(path, passphrase), "encrypted"
        except KeyPassphrase:
            return {"key": str(path), **nothing, "state": "encrypted, with another passphrase"}
    except Refusal as refusal:
        return {"key": str(path), **nothing, "state": refusal.code}
    return {"key": str(path), **_public(key), **_held(key, root), "state": state}


def _root_document(root: "TrustRoot") -> dict[str, Any]:
    from signing.keys import kid_of

    document = root.document
    return {
        "log": root.log,
        "version": root.version,
        "sha256": root.digest.hex(),
        "prev": None if document.prev is None else document.prev.hex(),
        "expires": document.expires,
        "edition": list(document.edition),
        "roles": {
            name: {"threshold": role.threshold, "decides": list(role.decides)}
            for name, role in document.roles.items()
        },
        "keys": [
            {
                "kid": kid_of(key.key).hex(),
                "public": key.key.hex(),
                "alg": key.alg,
                "controller": key.controller,
                "roles": list(key.roles),
                "from": key.start,
                "to": key.end,
            }
            for key in document.keys
        ],
        "log_keys": [
            {"public": key.key.hex(), "from": key.start, "to": key.end} for key in document.log_keys
        ],
        "witnesses": [
            {
                "name": one.name,
                "operator": one.operator,
                "public": one.key.hex(),
                "from": one.start,
                "to": one.end,
            }
            for one in document.witnesses
        ],
        "quorum": document.quorum,
    }


def _print_root(root: "TrustRoot") -> None:
    from signing.keys import kid_of

    from .tables import Column, table

    document = root.document
    pairs(
        [
            ("log", safe(root.log)),
            ("version", str(root.version)),
            ("sha256", root.digest.hex()),
            ("expires", safe(document.expires or "never")),
            ("editions need", safe(", ".join(document.edition))),
        ]
    )
    line()
    table(
        [Column("role"), Column("threshold", right=True), Column("decides")],
        [
            [name, str(role.threshold), ", ".join(role.decides) or NOTHING]
            for name, role in document.roles.items()
        ],
    )
    line()
    table(
        [Column("key"), Column("controller"), Column("roles"), Column("in force")],
        [
            [kid_of(key.key).hex()[:16], key.controller, ", ".join(key.roles), key.span]
            for key in document.keys
        ],
    )
    line()
    table(
        [Column("log key"), Column("in force")],
        [[kid_of(key.key).hex()[:16], key.span] for key in document.log_keys],
    )
    if document.witnesses:
        line()
        table(
            [Column("witness"), Column("operator"), Column("in force")],
            [[one.name, one.operator, one.span] for one in document.witnesses],
        )
        line()
        line(f"quorum: {document.quorum} operators")
