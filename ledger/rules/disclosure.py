"""The family ``disclosure``: which blobs are handed over (``specs/policies.md``, Format)."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ledger.events.fields import Identifier, Slot

Treatment: TypeAlias = Literal["public", "restricted"]

_Reason: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1_024)]


class SlotRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the bytes of one kind of slot are treated.

    Attributes:
        slot: Its name.
        class_: public, or restricted.
        reason: Why, in a sentence.
        inspect: Roles that may see restricted bytes.
    """

    slot: Slot
    class_: Treatment = msgspec.field(name="class")
    reason: _Reason
    inspect: tuple[Identifier, ...]


class Unlisted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the bytes of any other slot are treated; the fields are those of :class:`SlotRule`."""

    class_: Treatment = msgspec.field(name="class")
    reason: _Reason
    inspect: tuple[Identifier, ...]


class DisclosureRules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a public bundle hands over, and who may ask for the rest.

    Attributes:
        slots: Ascending by name, each once.
        unlisted: For a slot that has no rule of its own.
    """

    slots: Annotated[tuple[SlotRule, ...], Meta(min_length=1)]
    unlisted: Unlisted

    def contradiction(self) -> tuple[str, str] | None:
        """Return (got, expected) of the first rule that contradicts another; None if none does."""
        names = [rule.slot for rule in self.slots]
        if names != sorted(set(names)):
            return "slots in another order", "ascending by name, each once"
        treatments = [(rule.class_, rule.inspect) for rule in self.slots]
        if ("restricted", ()) in [*treatments, (self.unlisted.class_, self.unlisted.inspect)]:
            return "a restricted slot that nobody may inspect", "at least one role"
        return None

    def treatment(self, slot: str) -> SlotRule:
        """Return how the bytes of *slot* are treated (POLICY-20)."""
        for rule in self.slots:
            if rule.slot == slot:
                return rule
        other = self.unlisted
        return SlotRule(slot=slot, class_=other.class_, reason=other.reason, inspect=other.inspect)
