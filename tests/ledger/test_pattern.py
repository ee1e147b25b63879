"""The quick way of reading an entry gives what the other way gives, or nothing (EVENT-1 to 9)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from canon import decode, encode
from canon.refusal import Refusal
from ledger.entry import Entry, read_entry, read_event
from ledger.events import (
    AfterTimeout,
    AttemptReported,
    Observation,
    Phases,
    Recording,
    RecordQuarantined,
    Usage,
)
from ledger.events.fields import MAX_IDENTIFIER_BYTES
from ledger.pattern import AttemptPattern

PLAIN_LETTERS = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
plain_text = st.text(PLAIN_LETTERS, min_size=1, max_size=60)
plain_word = st.text(PLAIN_LETTERS, min_size=1, max_size=64)
text = plain_text | st.text(min_size=1, max_size=300)
word = plain_word | st.text(min_size=1, max_size=64)
count = st.sampled_from((0, 23, 24, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**63 - 1))
amount = st.decimals(0, 10**6, places=3).map(lambda value: f"{value:f}".rstrip("0").rstrip("."))
any_amount = amount | st.sampled_from(("-1", "0.000000000000000000000001", "1" * 40))
truth = st.none() | st.booleans()
instant = st.just("2026-01-05T06:00:00.000000Z") | st.just("9999-99-99T99:99:99.999999Z")
digest = st.binary(min_size=32, max_size=32)


def attempts(
    texts: st.SearchStrategy[str],
    words: st.SearchStrategy[str],
    amounts: st.SearchStrategy[str],
    names: st.SearchStrategy[str],
    blobs: st.SearchStrategy[Any],
) -> st.SearchStrategy[AttemptReported]:
    """Return reported attempts of such values."""
    usage = st.builds(
        Usage,
        **dict.fromkeys(Usage.__struct_fields__, st.none() | count)
        | {name: st.none() | amounts for name in ("cost_usd", "subscription_usage_usd")},
    )
    recording = st.builds(
        Recording,
        **dict.fromkeys(Recording.__struct_fields__, st.none() | amounts)
        | {name: st.none() | count for name in ("tool_calls", "model_rounds")},
    )
    after = st.builds(AfterTimeout, durable_repair=truth, failure_category=st.none() | words)
    phases = st.builds(
        Phases,
        host_reboot=truth,
        immediate_http=truth,
        service_restart=truth,
        after_agent_timeout=st.none() | after,
    )
    return st.builds(
        AttemptReported,
        agent=texts,
        blobs=blobs,
        flags=st.lists(st.sampled_from(("cost_negative", "source_ambiguous")), max_size=9),
        index=count,
        model=texts,
        usage=st.none() | usage,
        absent=st.lists(st.sampled_from(("failure", "usage.subscription_usage_usd")), max_size=9),
        matrix=st.none() | texts,
        number=count,
        phases=st.none() | phases,
        reward=st.sampled_from((0, 1)),
        run_id=texts,
        source=count,
        status=st.sampled_from(("evaluated", "unavailable")),
        attempt=names,
        release=texts,
        scenario=texts,
        recording=st.none() | recording,
        started_at=instant,
        failed_text=st.booleans(),
        finished_at=instant,
        agent_timeout_s=st.none() | amounts,
        agent_duration_s=st.none() | amounts,
        failure_category=st.none() | words,
        reasoning_effort=st.none() | words,
        scenario_version=count,
    )


one_record = st.fixed_dictionaries({"record": digest})
plain_names = st.integers(0, 2**128 - 1).map(lambda number: f"att-{number:032x}")
plain_attempts = attempts(plain_text, plain_word, amount, plain_names, one_record)
any_attempts = attempts(
    text,
    word,
    any_amount,
    plain_names | text,
    one_record | st.just(UNSET) | st.fixed_dictionaries({"record": digest, "extra": digest}),
)


def entry_of(event: Observation, **fields: Any) -> bytes:
    """Return the entry of an event."""
    body = msgspec.to_builtins(event, builtin_types=(bytes,))
    entry = {
        "v": 1,
        "at": "2026-02-01T00:00:00.000000Z",
        "log": "example.org/log",
        "seq": 7,
        "body": body,
        "prev": b"\x07" * 32,
        "type": event.wire,
        "actor": "recorder",
    }
    return encode(entry | fields)


def read_other_way(data: bytes) -> tuple[Entry, Any]:
    """Read an entry item by item, and hold its texts to their limit."""
    entry = read_entry(data)
    event = read_event(entry)
    for value in (event.agent, event.model, event.run_id, event.attempt, event.release):
        assert len(value.encode()) <= MAX_IDENTIFIER_BYTES
    return entry, event


def check(data: bytes) -> bool:
    """Hold what the pattern says to what the other way says; tell whether it says anything."""
    found = AttemptPattern(after=0).read(data)
    if found is None:
        return False
    entry, event = read_other_way(data)
    assert found == (entry, event)
    assert repr(found[1]) == repr(event)
    assert dict(found[0].body) == entry.body
    assert list(found[0].body) == list(entry.body)
    return True


@given(plain_attempts)
def test_plain_attempts_are_read_alike(event: AttemptReported) -> None:
    """ASCII, one record, no amount below zero: what rows are in practice."""
    assert check(entry_of(event))


@given(any_attempts)
def test_other_attempts_are_read_alike_or_left(event: AttemptReported) -> None:
    """Whatever is not plain is left to the other way, which may refuse it."""
    try:
        data = entry_of(event)
    except Refusal:
        return
    check(data)


@pytest.fixture(scope="module")
def plain() -> bytes:
    """Return an entry with every part."""
    usage = Usage(
        cost_usd="0.25",
        input_tokens=70_000,
        output_tokens=300,
        reasoning_tokens=None,
        cache_read_tokens=2**33,
        cache_creation_tokens=0,
        subscription_usage_usd=None,
    )
    recording = Recording(
        tool_calls=24,
        model_rounds=9,
        tool_duration_seconds="0.5",
        model_duration_seconds="100",
        total_duration_seconds="0",
        first_non_read_only_tool_seconds="2.519",
        post_first_non_read_only_seconds=None,
    )
    after = AfterTimeout(durable_repair=True, failure_category="late")
    event = AttemptReported(
        agent="claux",
        blobs={"record": bytes(range(32))},
        flags=["duration_over_timeout", "source_ambiguous"],
        index=11,
        model="maker/a-model-with-a-long-name",
        usage=usage,
        absent=["failure", "usage.subscription_usage_usd"],
        matrix="matrix",
        number=1,
        phases=Phases(
            host_reboot=True,
            immediate_http=False,
            service_restart=None,
            after_agent_timeout=after,
        ),
        reward=1,
        run_id="001-nginx-502-host-maker-a-model-with-a-long-name-1",
        source=3,
        status="evaluated",
        attempt="att-" + "0123456789abcdef" * 2,
        release="20260101.0.0",
        scenario="001-nginx-502-host",
        recording=recording,
        started_at="2026-01-05T06:00:00.000000Z",
        failed_text=False,
        finished_at="2026-01-05T06:10:00.000000Z",
        agent_timeout_s="900",
        agent_duration_s="605.5",
        failure_category="word",
        reasoning_effort="high",
        scenario_version=1,
    )
    return entry_of(event)


@pytest.mark.parametrize("flip", [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF])
def test_no_changed_byte_is_read_otherwise(plain: bytes, flip: int) -> None:
    """What the other way refuses, the pattern does not read."""
    assert check(plain)
    read = 0
    for place, byte in enumerate(plain):
        read += check(plain[:place] + bytes([byte ^ flip]) + plain[place + 1 :])
    assert read < len(plain)


def test_no_lost_or_added_byte_is_read_otherwise(plain: bytes) -> None:
    """A byte less or more can be another canonical entry, and then both ways say so."""
    for place in range(len(plain)):
        check(plain[:place] + plain[place + 1 :])
        check(plain[:place] + plain[place : place + 1] + plain[place:])
    assert not check(plain + b"\0")
    assert not check(plain[:-1])


@given(st.data())
def test_no_moved_boundary_is_read_otherwise(data: st.DataObject) -> None:
    """Texts that look like keys and heads shift nothing."""
    keys = st.sampled_from(("eindex", "emodel", "fmatrix", "\x80", "x", "eusage", " ", "~"))
    tricky = st.lists(keys, min_size=1, max_size=9).map("".join)
    event = data.draw(attempts(tricky, tricky, amount, plain_names, one_record))
    check(entry_of(event))


def test_every_field_of_a_plain_attempt_can_be_null(plain: bytes) -> None:
    """Null and absent values are plain too."""
    body: Any = decode(plain)
    body = body["body"]
    for name in ("usage", "phases", "recording", "matrix", "failure_category", "agent_timeout_s"):
        changed = msgspec.convert({**body, name: None}, AttemptReported, builtin_types=(bytes,))
        assert check(entry_of(changed))


def test_other_types_are_left() -> None:
    """The pattern is for one type."""
    event = RecordQuarantined(code="E_X", source=3, pointer="/runs/1", blobs={"record": b"\0" * 32})
    assert not check(entry_of(event))


def test_the_first_entries_are_left(plain: bytes) -> None:
    """Compiling pays only where many entries follow."""
    pattern = AttemptPattern(after=2)
    assert [pattern.read(plain) is not None for _ in range(4)] == [False, False, True, True]
