"""The parts of a row: usage, verification phases, recording (IMPORT-26, IMPORT-33, IMPORT-34)."""

from canon.errors import NumberRange
from ledger.errors import CostNegative, CostNotFinite, CostRange, FieldInvalid
from ledger.events import AfterTimeout, Phases, Recording, Usage
from ledger.importers.reading import count_or_null, quantity, quantity_or_null, record, truth, word
from ledger.importers.source_json import Json, NonFinite, Number, kind_of

from .notes import Notes


def read_usage(value: Json, notes: Notes) -> Usage | None:
    """Read tokens and money, as the source wrote them."""
    if value is None:
        return None
    get = record(value, "/usage").get
    return Usage(
        cost_usd=_money(get("cost_usd"), "/usage/cost_usd", notes),
        input_tokens=count_or_null(get("input_tokens"), "/usage/input_tokens"),
        output_tokens=count_or_null(get("output_tokens"), "/usage/output_tokens"),
        reasoning_tokens=count_or_null(get("reasoning_tokens"), "/usage/reasoning_tokens"),
        cache_read_tokens=count_or_null(get("cache_read_tokens"), "/usage/cache_read_tokens"),
        cache_creation_tokens=count_or_null(
            get("cache_creation_tokens"), "/usage/cache_creation_tokens"
        ),
        subscription_usage_usd=_money(
            get("subscription_usage_usd"), "/usage/subscription_usage_usd", notes
        ),
    )


def read_phases(value: Json, notes: Notes) -> Phases | None:
    """Read whether the repair held at once, after a restart and after a reboot."""
    if value is None:
        return None
    get = record(value, "/verification").get
    return Phases(
        host_reboot=truth(get("host_reboot"), "/verification/host_reboot"),
        immediate_http=truth(get("immediate_http"), "/verification/immediate_http"),
        service_restart=truth(get("service_restart"), "/verification/service_restart"),
        after_agent_timeout=_read_after(get("after_agent_timeout"), notes),
    )


def read_recording(value: Json) -> Recording | None:
    """Read counts and seconds of rounds and tool calls."""
    if value is None:
        return None
    get = record(value, "/recording").get

    return Recording(
        tool_calls=count_or_null(get("tool_calls"), "/recording/tool_calls"),
        model_rounds=count_or_null(get("model_rounds"), "/recording/model_rounds"),
        tool_duration_seconds=quantity_or_null(
            get("tool_duration_seconds"), "/recording/tool_duration_seconds"
        ),
        model_duration_seconds=quantity_or_null(
            get("model_duration_seconds"), "/recording/model_duration_seconds"
        ),
        total_duration_seconds=quantity_or_null(
            get("total_duration_seconds"), "/recording/total_duration_seconds"
        ),
        first_non_read_only_tool_seconds=quantity_or_null(
            get("first_non_read_only_tool_seconds"), "/recording/first_non_read_only_tool_seconds"
        ),
        post_first_non_read_only_seconds=quantity_or_null(
            get("post_first_non_read_only_seconds"), "/recording/post_first_non_read_only_seconds"
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


def _read_after(value: Json, notes: Notes) -> AfterTimeout | None:
    if value is None:
        return None
    place = "/verification/after_agent_timeout"
    get = record(value, place).get
    return AfterTimeout(
        durable_repair=truth(get("durable_repair"), f"{place}/durable_repair"),
        failure_category=read_category(get("failure_category"), f"{place}/failure_category", notes),
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
