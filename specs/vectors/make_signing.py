"""Write the vectors of signing: the same bytes at every run, one fault in each.

A file holds ``{about, common, vectors}``; a vector's inputs are `common` overlaid with its own.
"""

import json
from pathlib import Path
from typing import Any

import signing_cose
import signing_editions
import signing_keys
import signing_notes
import signing_roots
from signing_fixtures import DECISION, MANIFEST, ORIGIN, ROOT, SUBJECT, shown

from signing import COSIGNATURE

FOLDER = Path(__file__).resolve().parent / "signing"


def files() -> dict[str, dict[str, Any]]:
    """Return the content of every file by its name."""
    log = signing_notes.vkey(signing_notes.LOG)
    known = [log, signing_notes.vkey(signing_notes.WITNESS, signing_notes.NAME, COSIGNATURE)]
    judged = {"root": ROOT, "position": 5}
    body = {"body": signing_notes.BODY}
    return {
        "public-key": _file("check_public", {}, signing_keys.public_keys()),
        "signature": _file("verify", {}, signing_keys.signatures()),
        "decision": _file(
            "verify_decisions with the root's lookup at the position",
            {**judged, "decision": DECISION},
            signing_cose.decisions(),
        ),
        "edition": _file(
            "verify_editions with the root's lookup at the position",
            {**judged, "manifest": MANIFEST, "subject": SUBJECT},
            signing_editions.editions(),
        ),
        "note": _file("open_note", {"known": [log]}, signing_notes.notes()),
        "vkey": _file("parse_vkey", {}, signing_notes.vkeys()),
        "checkpoint": _file(
            "verify_checkpoint",
            {**body, "origin": ORIGIN, "public": signing_notes.LOG.public},
            signing_notes.checkpoints(),
        ),
        "checkpoint-note": _file(
            "open_checkpoint", {"known": known}, signing_notes.checkpoint_notes()
        ),
        "cosignature": _file(
            "verify_cosignature",
            {
                **body,
                "witness": signing_notes.NAME,
                "public": signing_notes.WITNESS.public,
                "now": None,
            },
            signing_notes.cosignatures(),
        ),
        "newer": _file("check_newer", {}, signing_notes.newer()),
        "root": _file("parse_root", {}, signing_roots.documents()),
        "authority": _file(
            "TrustRoot.authorise",
            {**judged, "type": signing_roots.CORRECTION},
            signing_roots.authority(),
        ),
        "edition-roles": _file("TrustRoot.require_edition", judged, signing_roots.edition_roles()),
        "seal": _file(
            "TrustRoot.log_key_at, then verify_cosignatures",
            {**judged, **body},
            signing_roots.seals(),
        ),
        "successor": _file(
            "accept_successor", {"current": ROOT, "position": 5}, signing_roots.successors()
        ),
    }


def _file(about: str, common: dict[str, object], vectors: list[dict[str, Any]]) -> dict[str, Any]:
    return {"about": about, "common": shown(common), "vectors": vectors}


def text(content: dict[str, Any]) -> str:
    """Return a file as it is written."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        (FOLDER / f"{name}.json").write_text(text(content), encoding="utf-8")


if __name__ == "__main__":
    main()
