"""Conditions of the verifier's own, beside what every bundle must hold (``specs/verify.md``).

Data in a TOML file: ``rules = [{ kind = "signed-by", role = "auditor" }, …]``. An empty list is
refused: conditions that nothing can break prove nothing.
"""

from typing import Annotated, TypeAlias, assert_never

import msgspec
from msgspec import Meta, Struct

from canon.errors import Limit
from ledger.errors import ConditionsMalformed, PolicyUnmet

from .verdict import Verdict


class MinEvents(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="min-events"
):
    """The edition covers at least *count* events."""

    count: Annotated[int, Meta(ge=1)]


class SignedBy(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="signed-by"):
    """Somebody signed in this role; by this controller, when one is named."""

    role: str
    controller: str | None = None


class Witnessed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="witnessed"):
    """At least *count* witnesses cosigned the checkpoint."""

    count: Annotated[int, Meta(ge=1)]


class MaxWithheld(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="max-withheld"
):
    """At most *count* slots are withheld."""

    count: Annotated[int, Meta(ge=0)]


class RecordsChecked(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="records-checked"
):
    """Every raw record was disclosed and read again."""


class RootPinned(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="root-pinned"
):
    """The trust root was pinned by its digest."""


MAX_CONDITIONS_BYTES = 8_192
"""A file of conditions has some lines; tables in tables take the square of their depth."""

_MESSAGE_CHARACTERS = 200
_SHORTEN = "keep the conditions alone in the file"

Rule: TypeAlias = MinEvents | SignedBy | Witnessed | MaxWithheld | RecordsChecked | RootPinned


class Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    """All *rules* must hold."""

    id: str
    version: int
    rules: Annotated[tuple[Rule, ...], Meta(min_length=1)]


def read_conditions(text: str, place: str) -> Conditions:
    """Read conditions from TOML.

    Raises:
        ConditionsMalformed: It is not TOML, or not of this shape, or has no rules.
        Limit: It is longer than 8 KiB.
    """
    import tomllib  # few verifications bring conditions of their own

    if len(text) > MAX_CONDITIONS_BYTES or len(text.encode()) > MAX_CONDITIONS_BYTES:
        got = f"more than {MAX_CONDITIONS_BYTES} bytes"
        raise Limit(place, got, f"at most {MAX_CONDITIONS_BYTES}", remedy=_SHORTEN)
    try:
        return msgspec.convert(tomllib.loads(text), Conditions)
    except (ValueError, msgspec.ValidationError) as fault:
        # Of integers with thousands of digits Python says only ValueError.
        got = str(fault)[:_MESSAGE_CHARACTERS]
    except RecursionError:
        got = "arrays or tables nested too deep"
    raise ConditionsMalformed(place, got, "id, version and at least one rule of a known kind")


def failure(rule: Rule, verdict: Verdict) -> tuple[str, str] | None:
    """Say what *rule* found and what it wants; None when it holds."""
    match rule:
        case MinEvents(count):
            size = verdict.size or 0
            return None if size >= count else (f"{size} events", f"at least {count}")
        case SignedBy(role, controller):
            for one in verdict.signers:
                if one.role == role and controller in (None, one.controller):
                    return None
            wanted = f"a valid signature as {role!r}"
            return "none", wanted if controller is None else f"{wanted} by {controller!r}"
        case Witnessed(count):
            got = len(verdict.witnesses)
            return None if got >= count else (f"{got} witnesses", f"at least {count}")
        case MaxWithheld(count):
            withheld = verdict.withheld
            if withheld is not None and withheld <= count:
                return None
            return f"{withheld} slots withheld", f"at most {count}"
        case RecordsChecked():
            if verdict.extraction_of and verdict.extraction_checked == verdict.extraction_of:
                return None
            got_text = f"{verdict.extraction_checked} of {verdict.extraction_of} records checked"
            return got_text, "all of them, and at least one"
        case RootPinned():
            return None if verdict.pinned_by_digest else ("no digest", "--trust-sha256")
        case _:
            assert_never(rule)


def unmet(conditions: Conditions, verdict: Verdict) -> None:
    """Refuse at the first rule that does not hold.

    Raises:
        PolicyUnmet: It names the rule.
    """
    for number, rule in enumerate(conditions.rules):
        found = failure(rule, verdict)
        if found is not None:
            kind = msgspec.to_builtins(rule)["kind"]
            raise PolicyUnmet(f"{conditions.id}, rule {number} ({kind})", *found)
