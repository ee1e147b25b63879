"""A correction that a release reports: an observation, no decision of this ledger (IMPORT-36)."""

from typing import NamedTuple

from canon.excerpt import excerpt
from ledger.errors import CorrectionField, FieldInvalid, FieldMissing
from ledger.importers.reading import identifier, optional, record, word
from ledger.importers.source_json import Json, kind_of

_CHANGEABLE = ("failure", "failure_category")


class Correction(NamedTuple):
    """What a correction says by itself; its reason stays in the blob.

    Attributes:
        run_id: The row that it names.
        fields: Names of the changed fields, sorted.
        category: Category before and now, null where it has none or none that is a word.
    """

    run_id: str
    fields: list[str]
    category: tuple[str | None, str | None]


def read_correction(value: Json) -> Correction:
    """Read a correction; a refusal names its place relative to the correction.

    Raises:
        FieldMissing: It names no row or no changes.
        FieldInvalid, IdentifierInvalid: A field is not of its kind.
        CorrectionField: It changes more than a failure and its category.
    """
    given = record(value, "")
    for name in ("run_id", "changes"):
        if name not in given:
            raise FieldMissing(f"/{name}", "no such field", "a value")
    changes = record(given["changes"], "/changes")
    original = optional(record, given.get("original"), "/original") or {}
    for name in changes:
        if name not in _CHANGEABLE:
            raise CorrectionField("/changes", f"field {excerpt(name)}", " or ".join(_CHANGEABLE))
    failure = changes.get("failure")
    if failure is not None and type(failure) is not str:
        raise FieldInvalid("/changes/failure", kind_of(failure), "text or null")
    return Correction(
        run_id=identifier(given["run_id"], "/run_id"),
        fields=sorted(changes),
        category=(
            optional(word, original.get("failure_category"), "/original/failure_category"),
            optional(word, changes.get("failure_category"), "/changes/failure_category"),
        ),
    )
