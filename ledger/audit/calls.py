"""What the agent did, as the trajectory has it (AUDIT-15): one small entry for each of its calls.

Arguments and results are looked at while they pass by and not kept.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from ledger.runs.contents import Contents, File
from ledger.runs.fields import digest as digest_of
from ledger.runs.layout import CONTEXT_MARK, PREFLIGHT_MARK
from ledger.runs.records import Recorded, line_digest, recorded

from .events import Cart
from .items import Item, Shown, as_json, words_of
from .order import Clock, Moment
from .refs import Sought

AGENT = "agent"
NOTHING, UUID, CONTENT = 0, 1, 2
"""What of a cart a result shows: nothing, its name alone, or what it held."""

_WORD = re.compile(r"[a-z0-9_]+")
_MARKS = (PREFLIGHT_MARK, CONTEXT_MARK)
_MOST_MARKS = 64
_MOST_TASK_READS = 16


class Call(Struct, gc=False):
    """A call of the agent.

    Attributes:
        call_id: Its name.
        digest: SHA-256 of its line without the end, 32 bytes.
        moment: When it was made.
        agent_phase: Whether it says that it is of the agent's phase; None where it says nothing.
        instance, dimension: Where, if it says so.
        arming: Whether its arguments are about writing, building or starting a logger.
        named: Whether they name the logger's output.
        reads: Whether its tool can read.
        status: Of its result; None before there is one.
        shows: What of the captures its result shows.
    """

    call_id: str
    digest: bytes
    moment: Moment
    agent_phase: bool | None
    instance: str | None
    dimension: str | None
    arming: bool
    named: bool
    reads: bool
    status: str | None = None
    shows: int = NOTHING

    @property
    def ref(self) -> str:
        """How it is referred to."""
        return f"trajectory:{self.call_id}"


class Mark(Struct, frozen=True):
    """A mark that says something about where the run happened.

    Attributes:
        name: Of the mark.
        digest: SHA-256 of its line without the end, 32 bytes.
        actor: Who made it.
        data: What it says.
        begun: Whether the agent had made a call before it.
    """

    name: str
    digest: bytes
    actor: str | None
    data: Mapping[str, Any]
    begun: bool


class Trajectory(Struct):
    """What is kept of a trajectory.

    Attributes:
        calls: Of the agent, in the order of the file.
        marks: About the environment and the context, the first 64.
        unread_marks: How many more there are, which an audit objects to.
        task_reads: References of calls that returned the task, with the digest that says so.
        records: How many lines it has.
        fault: The first line that cannot be read, from 1.
    """

    calls: list[Call] = msgspec.field(default_factory=list)
    marks: list[Mark] = msgspec.field(default_factory=list)
    unread_marks: int = 0
    task_reads: list[tuple[str, bytes]] = msgspec.field(default_factory=list)
    records: int = 0
    fault: int | None = None


class Wanted(Struct, frozen=True):
    """What is looked for in calls and results.

    Attributes:
        arming: Words that arm a logger.
        reading: Words of tools that read.
        names: Names of the logger's output, without folders.
        carts: What the logger captured.
        task: Digests of the task, each with the length of what has it, in bytes.
    """

    arming: Sequence[str]
    reading: Sequence[str]
    names: Sequence[str]
    carts: "Captured"
    task: Mapping[bytes, int]


class Captured:
    """What the captures say, ready to be looked for in long texts."""

    def __init__(self, carts: Mapping[str, Cart]) -> None:
        """Prepare what each of *carts* was seen to hold."""
        self._by_uuid: dict[str, list[str]] = {}
        self._by_item: dict[str, list[tuple[Item, ...]]] = {}
        self._contents = {uuid: tuple(cart.contents) for uuid, cart in carts.items()}
        names = {uuid: _WORD.findall(uuid.lower()) for uuid in carts}
        listed = (items for one in self._contents.values() for items in one)
        rarest = _Rarest(chain(names.values(), map(_words, listed)))
        for uuid, contents in self._contents.items():
            self._by_uuid.setdefault(rarest(names[uuid]), []).append(uuid)
            for items in filter(None, contents):
                self._by_item.setdefault(rarest(_words(items)), []).append(items)

    def shown_by(self, text: str) -> int:
        """Return what a text shows of the captures."""
        shown, best = Shown(text), NOTHING
        for word in shown.near(self._by_uuid.keys()):
            for uuid in self._by_uuid[word]:
                if shown.has(uuid):
                    if any(map(shown.has_all, self._contents[uuid])):
                        return CONTENT
                    best = UUID
        for word in shown.near(self._by_item.keys()):
            if any(map(shown.has_in_order, self._by_item[word])):
                return CONTENT
        return best


def trajectory(contents: Contents, file: File, wanted: Wanted, sought: Sought) -> Trajectory:
    """Read a trajectory."""
    read = Trajectory()
    clock, calls = Clock("trajectory"), dict[str, Call]()
    for number, line in enumerate(contents.lines(file), 1):
        record = recorded(line)
        if record.fault == "blank":
            continue
        if record.fault is not None:
            read.fault = number
            return read
        read.records += 1
        domain = clock.domain(record.tick)
        if record.record == "call" and record.call_id is not None:
            sought.met("trajectory", record.call_id)
            if record.actor == AGENT and record.call_id not in calls:
                moment = Moment(record.at, record.tick, record.seq, clock, domain)
                call = calls[record.call_id] = _call(record, line_digest(line), moment, wanted)
                read.calls.append(call)
        elif record.record == "result" and record.call_id in calls:
            call = calls[record.call_id]
            if call.status is None:
                _return(read, call, record, wanted)
        elif record.record == "mark" and record.name in _MARKS:
            if len(read.marks) == _MOST_MARKS:
                read.unread_marks += 1
                continue
            data, begun = record.data or {}, bool(read.calls)
            read.marks.append(Mark(record.name, line_digest(line), record.actor, data, begun))
    return read


def base_name(path: str) -> str:
    """Return a path's last part, in lower case; both kinds of slash divide it."""
    return path.replace("\\", "/").rpartition("/")[2].lower()


def _call(record: Recorded, digest: bytes, moment: Moment, wanted: Wanted) -> Call:
    given = record.arguments
    said = (given if isinstance(given, str) else as_json(given)).lower()
    tool = (record.tool or "").lower()
    phase = record.raw.get("phase")
    names = [json.dumps(name, ensure_ascii=False)[1:-1] for name in wanted.names]
    named = any(name in said and Shown(said).has(name) for name in names)
    return Call(
        call_id=record.call_id or "",
        digest=digest,
        moment=moment,
        agent_phase=None if phase is None else phase == AGENT,
        instance=record.instance,
        dimension=record.dimension,
        arming=any(word in said for word in (*wanted.arming, *names)),
        named=named,
        reads=any(word in tool for word in wanted.reading),
    )


def _return(read: Trajectory, call: Call, record: Recorded, wanted: Wanted) -> None:
    call.status = record.status or ""
    if call.status != "ok":
        return
    text = _text(record.result)
    call.shows = wanted.carts.shown_by(text)
    if call.reads and len(read.task_reads) < _MOST_TASK_READS:
        found = _task_in(record.result, text, wanted.task)
        if found is not None:
            read.task_reads.append((call.ref, found))


def _text(result: Any) -> str:
    """Return what a call showed: its text, else what it returned as JSON."""
    if isinstance(result, Mapping) and isinstance(result.get("text"), str):
        return str(result["text"])
    return result if isinstance(result, str) else as_json(result)


def _task_in(result: Any, text: str, task: Mapping[bytes, int]) -> bytes | None:
    """Return the digest of the task that a result says, or that its text has."""
    said = digest_of(result.get("sha256")) if isinstance(result, Mapping) else None
    if said in task:
        return said
    lengths = set(task.values())
    if not any(len(text) <= length <= 4 * len(text) for length in lengths):
        return None
    data = text.encode(errors="surrogatepass")
    found = hashlib.sha256(data).digest() if len(data) in lengths else None
    return found if found in task else None


def _words(items: Iterable[Item]) -> set[str]:
    """Return the words that a text has to have if it shows these items."""
    return {word for item in items for word in words_of(item)}


class _Rarest:
    """Knows by which of its words a name is found soonest: by the one that fewest others have."""

    def __init__(self, names: Iterable[Iterable[str]]) -> None:
        self._times = Counter(word for words in names for word in set(words))

    def __call__(self, words: Iterable[str]) -> str:
        return min(words, key=lambda word: (self._times[word], -len(word), word), default="")
