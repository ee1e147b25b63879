"""Who made which file of a run from what, joined by digest (AUDIT-60 to AUDIT-64).

A label that says that two files are the same proves nothing. What is joined here has the same
bytes, or the same bytes but for the ends of its lines, and the verdict says which.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.runs.contents import File, of_role
from ledger.runs.fields import digest, text
from ledger.runs.layout import Role
from ledger.runs.records import Derived, Pinned, derived

from .slots import Equality, Slots

By: TypeAlias = Literal["derivation", "source_sha256", "import"]

AGENT = "agent"
_AGENT_FILES: tuple[Role, ...] = ("answer", "agent_logger", "normalized")
_EVIDENCE: tuple[Role, ...] = ("test_mod", "oracle", "fixture", "restore", "preflight")
MOST_FOLLOWED = 10_000


class Source(Struct, frozen=True):
    """A file that another was made from.

    Attributes:
        path: As whoever made it says.
        sha256: The same, 32 bytes.
        role: What the file with these bytes is for in this run; None where there is none.
        equal: How that file's bytes stand to the digest.
    """

    path: str
    sha256: bytes
    role: Role | None
    equal: Equality


class Made(Struct, frozen=True):
    """A file was made from others.

    Attributes:
        output: What was made.
        by: Where that is said.
        tool: What made it, if that is said.
        producer: Who had it made, if that is said.
        inputs: What it was made from.
    """

    output: Source
    by: By
    tool: str | None
    producer: str | None
    inputs: Sequence[Source]


class Lineage(Struct, frozen=True):
    """What is known of where the evidence comes from.

    Attributes:
        made: Everything that is said to have been made, in the order in which it is said.
        oracle: How the oracle came about, from itself back.
        from_answer: The file in that line which is the agent's answer.
        by_agent: Evidence of the game's side that the agent had a hand in.
        cut: Whether there are more derivations than are followed.
    """

    made: Sequence[Made]
    oracle: Sequence[Made]
    from_answer: str | None
    by_agent: frozenset[Role]
    cut: bool = False


def lineage(slots: Slots) -> Lineage:
    """Join what a run says about the making of its files."""
    index = _Index(slots)
    made = [*index.derivations(), *index.views(), *index.imports()]
    by_output: dict[bytes, list[Made]] = {}
    for one in made:
        by_output.setdefault(index.identity(one.output.sha256), []).append(one)
    mine = (slots[role].sha256 for role in _AGENT_FILES)
    agents = {index.identity(one) for one in mine if one is not None}
    by_agent = set()
    for role in _EVIDENCE:
        file = slots[role].file
        if file is not None and file.sha256 is not None:
            steps = list(_back(file.sha256, by_output, index))
            sources = {source.role for step in steps for source in step.inputs}
            own = index.identity(file.sha256) in agents
            if own or sources & set(_AGENT_FILES) or any(one.producer == AGENT for one in steps):
                by_agent.add(role)
    oracle, copied = _of_oracle(slots, by_output, index)
    return Lineage(made, oracle, copied, frozenset(by_agent), index.cut)


def _of_oracle(
    slots: Slots, by_output: Mapping[bytes, list[Made]], index: "_Index"
) -> tuple[Sequence[Made], str | None]:
    file, answer = slots["oracle"].file, slots["answer"].file
    if file is None or file.sha256 is None:
        return (), None
    steps = list(_back(file.sha256, by_output, index))
    if answer is None:
        return steps, None
    if answer.sha256 is not None and index.identity(answer.sha256) == index.identity(file.sha256):
        return steps, answer.path
    for step in steps:
        for source in step.inputs:
            if source.role == "answer" or source.path == answer.path:
                return steps, source.path
    return steps, None


def _back(start: bytes, by_output: Mapping[bytes, list[Made]], index: "_Index") -> Iterator[Made]:
    """Yield how a file came about: its making, then that of what it was made from, and so on."""
    waiting, seen = [index.identity(start)], {index.identity(start)}
    while waiting:
        for step in by_output.get(waiting.pop(0), ()):
            yield step
            for source in step.inputs:
                identity = index.identity(source.sha256)
                if identity not in seen:
                    seen.add(identity)
                    waiting.append(identity)


class _Index:
    """The files of a run by every digest that their bytes have, whatever their line ends."""

    def __init__(self, slots: Slots) -> None:
        self._slots, self.cut = slots, False
        self._derived = list(self._read())
        self._files: dict[bytes, tuple[File, Equality]] = {}
        present = [file for file in slots.files if file.sha256 is not None]
        self._held = {file.path for file in present}
        for file in present:
            self._files.setdefault(file.sha256 or b"", (file, "raw"))
        for file in present:
            if file.canonical is not None:
                self._files.setdefault(file.canonical, (file, "canonical"))
        asked = [pin.sha256 for one in self._derived for pin in _pins(one)]
        answers = [*of_role(slots.files, "answer"), *of_role(slots.files, "oracle")]
        unknown = any(one not in self._files for one in asked)
        for file in present if unknown else answers:
            if file.state == "present":
                self._files.setdefault(slots.with_crlf(file), (file, "canonical"))

    def identity(self, sha256: bytes) -> bytes:
        """Return one digest for all files that differ in their line ends alone."""
        known = self._files.get(sha256)
        return sha256 if known is None else known[0].canonical or sha256

    def derivations(self) -> Iterator[Made]:
        """Yield what the run's derivations say."""
        for one in self._derived:
            if one.output is not None and one.inputs is not None:
                inputs = [self._source(pin) for pin in one.inputs]
                made = self._source(one.output)
                yield Made(made, "derivation", one.tool, one.producer, inputs)

    def views(self) -> Iterator[Made]:
        """Yield that the normalized view was made from the raw log, where both have digests."""
        view, raw = self._slots["normalized"], self._slots["agent_logger"]
        if view.standing != "good" or view.file is None or raw.file is None:
            return
        if view.file.sha256 is not None and raw.sha256 is not None:
            made = self._source(Pinned(view.file.path, view.file.sha256))
            source = self._source(Pinned(raw.file.path, raw.sha256))
            yield Made(made, "source_sha256", None, None, [source])

    def imports(self) -> Iterator[Made]:
        """Yield which files were copied in, and what they were called where they came from."""
        stored = self._slots.manifest.get("imports")
        for item in (stored if isinstance(stored, list) else ())[:MOST_FOLLOWED]:
            said = item if isinstance(item, Mapping) else {}
            path, sha256 = text(said.get("path")), digest(said.get("sha256"))
            if path is not None and sha256 is not None:
                name = (text(said.get("source")) or path).replace("\\", "/").rpartition("/")[2]
                source = Source(name, sha256, None, "unknown")
                made = self._source(Pinned(path, sha256))
                yield Made(made, "import", None, None, [source])

    def _source(self, pin: Pinned) -> Source:
        known = self._files.get(pin.sha256)
        if known is not None:
            return Source(pin.path, pin.sha256, known[0].role, known[1])
        held = pin.path in self._held
        return Source(pin.path, pin.sha256, None, "different" if held else "unknown")

    def _read(self) -> Iterator[Derived]:
        slot = self._slots["derivations"]
        if slot.standing == "good" and slot.file is not None:
            for number, line in enumerate(self._slots.contents.lines(slot.file)):
                if number == MOST_FOLLOWED:
                    self.cut = True
                    return
                yield derived(line)


def _pins(one: Derived) -> Iterator[Pinned]:
    yield from one.inputs or ()
    if one.output is not None:
        yield one.output
