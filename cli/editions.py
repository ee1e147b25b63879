"""``edition``: freeze figures, export them as one file, sign it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .edge import Progress, entropy, now, opened
from .errors import UsageInvalid, check_word
from .options import (
    DEFAULT_LEDGER,
    Json,
    LedgerPath,
    LogKey,
    PassphraseFile,
    SigningKey,
    SigningKeys,
)
from .text import count, emit, line, pairs, safe, warn

if TYPE_CHECKING:
    from ledger.edition.export import Disclose
    from ledger.edition.manifest import Manifest

DISCLOSE = ("public", "all", "none")


def freeze(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the edition, unique.")],
    key: SigningKeys,
    releases: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="IMPORTED", help="Count this release only; repeat for several."
        ),
    ] = None,
    status: Annotated[
        str,
        typer.Option(
            "--status", metavar="S", help="How far to rely on it: draft, provisional or final."
        ),
    ] = "provisional",
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Freeze an edition: its figures are fixed over every event there is.

    Later corrections enter later editions only. Where NAME is an imported release too, --edition
    NAME means the frozen one from then on, and --edition release:NAME the release as it stands.
    """
    from ledger.edition.freeze import freeze as decide
    from ledger.edition.manifest import STATUSES
    from ledger.events.fields import MAX_IDENTIFIER_BYTES

    from .keyring import load_keys
    from .ledgers import replayed

    check_word(name, "NAME", MAX_IDENTIFIER_BYTES)
    if status not in STATUSES:
        known = " or ".join(STATUSES)
        raise UsageInvalid(f"Invalid value for '--status': {status!r} is not {known}")
    signers = load_keys(key, passphrase_file)
    with replayed(ledger, write=True) as (opened, replay):
        frozen = decide(
            opened,
            replay,
            name,
            releases or [],
            signers,
            status=status,
            at=now(),
            entropy=entropy,
        )
        warnings = []
        if name in replay.attempts.releases:
            warnings.append(
                f"{name} is an imported release too: --edition {name} means the frozen edition from"
                f" now on, and --edition release:{name} the release as it stands"
            )
    for warning in warnings:
        warn(warning)
    if json:
        emit(
            {
                "edition": frozen.edition,
                "size": frozen.size,
                "seq": frozen.size,
                "root": frozen.root.hex(),
                "manifest_sha256": frozen.manifest_sha256.hex(),
                "status": status,
                "warnings": warnings,
            }
        )
    else:
        line(f"froze {safe(frozen.edition)}, as of size {frozen.size:,}, by event {frozen.size}")
        pairs([("root", frozen.root.hex()), ("manifest", frozen.manifest_sha256.hex())])
    return 0


def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A frozen edition.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Where it goes.")],
    key: SigningKey,
    log_key: LogKey = None,
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="The role to sign in.")
    ] = "publisher",
    disclose: Annotated[
        str,
        typer.Option(
            "--disclose",
            metavar="WHICH",
            help="Bytes to hand over: public (as the edition says), all or none.",
        ),
    ] = "public",
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Write a frozen edition as one signed file that anybody can verify offline.

    Its core is the same at every export; withholding bytes changes nothing that verifies. The file
    carries the whole log up to the edition, also what the edition does not count.
    """
    from ledger.edition.export import export as write_bundle
    from ledger.edition.export import frozen_edition
    from ledger.edition.manifest import parse_manifest
    from ledger.files import whole_file
    from ledger.membership import uncounted

    from .keyring import load_key, load_log_key
    from .ledgers import replayed

    if disclose not in DISCLOSE:
        known = " or ".join(DISCLOSE)
        raise UsageInvalid(f"Invalid value for '--disclose': {disclose!r} is not {known}")
    signer = load_key(key, passphrase_file)
    with replayed(ledger) as (opened, replay):
        log_signer = load_log_key(log_key, key, passphrase_file, replay.authority.root)
        frozen, data = frozen_edition(opened, replay, name)
        with (
            whole_file(out, entropy) as beside,
            beside.open("xb") as stream,
            Progress("exporting", frozen.size + 1) as progress,
        ):
            exported = write_bundle(
                opened,
                replay,
                name,
                stream,
                log_key=log_signer,
                signer=signer,
                role=role,
                disclose=_choice(disclose, parse_manifest(data)),
                progress=progress.report,
            )
        beside_it = uncounted(replay.attempts, frozen)
    manifest = exported.manifest
    _warn_of_missing(exported.missing_roles, out)
    if json:
        emit(
            {
                "bundle": str(out),
                "edition": manifest.edition,
                "core_sha256": exported.core_sha256.hex(),
                "manifest_sha256": exported.manifest_sha256.hex(),
                "size": manifest.size,
                "root": manifest.root.hex(),
                "disclosed": exported.disclosed,
                "missing_roles": exported.missing_roles,
                "uncounted": beside_it._asdict(),
            }
        )
        return 0
    line(f"wrote {safe(out)}: {safe(manifest.edition)}, as of size {manifest.size:,}")
    rows = [
        ("core", exported.core_sha256.hex()),
        ("manifest", exported.manifest_sha256.hex()),
        ("disclosed", f"{count(exported.disclosed, 'slot')} ({disclose})"),
    ]
    if beside_it.releases or beside_it.attempts:
        names = ", ".join(map(safe, beside_it.releases)) or "none"
        carried = f"{count(beside_it.attempts, 'attempt')}; releases: {names}"
        rows.append(("not counted", f"but in the file: {carried}"))
    pairs(rows)
    return 0


def sign(
    bundle: Annotated[Path, typer.Argument(metavar="FILE", help="A bundle.")],
    key: SigningKey,
    role: Annotated[str, typer.Option("--role", metavar="ROLE", help="The role to sign in.")],
    trust: Annotated[
        Path | None,
        typer.Option(
            "--trust", metavar="ROOT", help="Trust root to sign by, if not the bundle's newest."
        ),
    ] = None,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Add a signature to a bundle; those of others stay as they are.

    Signing is no verifying: verify the bundle before you sign it.
    """
    from canon.refusal import Refusal
    from ledger.edition.sign import add_signature, roles_missing
    from signing.trust import parse_root

    from .keyring import load_key
    from .reading import head_of, other_kind, root_bytes

    signer = load_key(key, passphrase_file)
    root = None if trust is None else parse_root(root_bytes(trust))
    with opened(bundle, "a bundle") as stream:
        head = head_of(stream)
    try:
        number = add_signature(bundle, signer, role, root)
    except Refusal as refusal:
        raise other_kind(refusal, bundle, head) from None
    missing = roles_missing(bundle, root)
    if root is None:
        warn(
            "the trust root was taken from the bundle itself and nobody vouches for it: to sign by"
            " one that you have from elsewhere, give --trust"
        )
    _warn_of_missing(missing, bundle)
    if json:
        emit(
            {
                "bundle": str(bundle),
                "signatures": number,
                "role": role,
                "kid": signer.kid.hex(),
                "missing_roles": missing,
                "trust": "bundle" if root is None else "given",
            }
        )
    else:
        line(f"signed {safe(bundle)} as {safe(role)}: {count(number, 'signature')}")
    return 0


def _warn_of_missing(roles: list[str], bundle: Path) -> None:
    """Say that a bundle does not verify yet, for want of signatures."""
    if roles:
        warn(
            f"the trust root demands more signatures before {bundle} verifies, as"
            f" {' and '.join(roles)}; `coldledger edition sign` adds them"
        )


def _choice(which: str, manifest: "Manifest") -> "Disclose":
    """Return which slots' bytes go into the file."""
    if which == "public":
        public = {one.slot for one in manifest.disclosure if one.class_ == "public"}
        return public.__contains__
    return lambda _: which == "all"
