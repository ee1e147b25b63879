"""The policies that come with the program: TOML files, read as canonical documents."""

from pathlib import Path

from ledger.errors import PolicySource

from .policy import document, parse_policy

# An installed wheel carries the files beside this module; a source tree keeps them in specs.
_FOLDERS = (
    Path(__file__).with_name("policies"),
    Path(__file__).parents[2] / "specs" / "policies",
)


SHIPPED = {
    "audit/cold-start-v1": "4d0a3647cf2b093c8cc338b6738f1d7deef9f85d95ca51afd008704bcc530a88",
    "disclosure/default": "9ec3cec3c14a0d344521b50ca649f5dee384cf327b7f46596c378c900da21472",
    "status/replaybook": "6a2ea101826d2e06ca5581d538802809208d5ffac61cdc5e02d3041e7653d7d9",
}
"""Name to SHA-256 of each shipped document, hexadecimal: to verify needs no more of them."""


def shipped() -> dict[str, bytes]:
    """Return name to canonical document of every shipped policy, by name.

    Raises:
        PolicySource: No file is found, or one has another name than its policy.
    """
    folder = next((folder for folder in _FOLDERS if folder.is_dir()), None)
    if folder is None:
        raise PolicySource("shipped policies", "no folder", str(_FOLDERS[0]))
    documents: dict[str, bytes] = {}
    for path in sorted(folder.glob("*/*.toml")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        data = document(path.read_text(encoding="utf-8"))
        policy = parse_policy(data)
        if policy.name != name:
            raise PolicySource(str(path), f"policy {policy.name!r}", repr(name))
        documents[name] = data
    if not documents:
        raise PolicySource("shipped policies", "an empty folder", "a file for each policy")
    return documents
