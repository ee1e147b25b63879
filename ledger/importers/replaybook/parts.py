"""The parts of a row: usage, verification phases, recording (IMPORT-26, IMPORT-33, IMPORT-34)."""

from canon.errors import NumberRange
from ledger.errors import CostNegative, CostNotFinite, CostRange, FieldInvalid
from ledger.importers.reading import count_or_null, quantity, quantity_or_null, record, truth, word
from ledger.importers.source_json import Json, NonFinite, Number, kind_of

from .notes import Notes
from .trial import OfAfter, OfPhases, OfRecording, OfUsage


def read_usage(value: Json, notes: Notes) -> OfUsage | None:
    """Read tokens and money, as the source wrote them."""
    if value is None:
        return None
    get = record(value, "/usage").get
    return (
        _money(get("cost_usd"), "/usage/cost_usd", notes),
        count_or_null(get("input_tokens"), "/usage/input_tokens"),
        count_or_null(get("output_tokens"), "/usage/output_tokens"),
        count_or_null(get("reasoning_tokens"), "/usage/reasoning_tokens"),
        count_or_null(get("cache_read_tokens"), "/usage/cache_read_tokens"),
        count_or_null(get("cache_creation_tokens"), "/usage/cache_creation_tokens"),
        _money(get("subscription_usage_usd"), "/usage/subscription_usage_usd", notes),
    )


def read_phases(value: Json, notes: Notes) -> tuple[OfPhases | None, OfAfter | None]:
    """Read whether the repair held at once, after a restart and after a reboot; and later."""
    if value is None:
        return None, None
    get = record(value, "/verification").get
    phases = (
        truth(get("host_reboot"), "/verification/host_reboot"),
        truth(get("immediate_http"), "/verification/immediate_http"),
        truth(get("service_restart"), "/verification/service_restart"),
    )
    return phases, _read_after(get("after_agent_timeout"), notes)


def read_recording(value: Json) -> OfRecording | None:
    """Read counts and seconds of rounds and tool calls."""
    if value is None:
        return None
    get, at = record(value, "/recording").get, "/recording"
    return (
        count_or_null(get("tool_calls"), f"{at}/tool_calls"),
        count_or_null(get("model_rounds"), f"{at}/model_rounds"),
        quantity_or_null(get("tool_duration_seconds"), f"{at}/tool_duration_seconds"),
        quantity_or_null(get("model_duration_seconds"), f"{at}/model_duration_seconds"),
        quantity_or_null(get("total_duration_seconds"), f"{at}/total_duration_seconds"),
        quantity_or_null(
            get("first_non_read_only_tool_seconds"), f"{at}/first_non_read_only_tool_seconds"
        ),
        quantity_or_null(
            get("post_first_non_read_only_seconds"), f"{at}/post_first_non_read_only_seconds"
        ),
    )


def read_category(value: Json, pointer: str, notes: Notes) -> str | None:
    """Read a word of the source's vocabulary; other text is noted and becomes null."""
    if value is None:
        return None
    found = word(value, pointer)
    if found is None:
        notes.add("category_not_a_word")
    return found


def _read_after(value: Json, notes: Notes) -> OfAfter | None:
    if value is None:
        return None
    place = "/verification/after_agent_timeout"
    get = record(value, place).get
    return (
        truth(get("durable_repair"), f"{place}/durable_repair"),
        read_category(get("failure_category"), f"{place}/failure_category", notes),
    )


def _money(value: Json, pointer: str, notes: Notes) -> str | None:
    """Read an amount; one that nobody can have paid becomes unknown, which is not zero."""
    if value is None:
        return None
    if type(value) is NonFinite:
        problem = CostNotFinite(pointer, value.literal, "an amount or null")
        notes.add("cost_not_finite", problem)
        return None
    if type(value) is not int and type(value) is not Number:
        raise FieldInvalid(pointer, kind_of(value), "an amount or null")
    try:
        amount = quantity(value, pointer)
    except NumberRange as fault:
        notes.add("cost_out_of_range", CostRange(pointer, fault.got, fault.expected))
        return None
    if amount[0] == "-":
        notes.add("cost_negative", CostNegative(pointer, kind_of(value), "an amount of 0 or more"))
        return None
    return amount
