"""All that rules may ask about a run, read once and only when it is asked for (AUDIT-10).

The files are read in an order that lets one pass over each do: documents first, what they cite
second, streams last.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from ledger.rules.audit import AuditRules
from ledger.runs.contents import Contents, File, of_role
from ledger.runs.entries import faults_of_review
from ledger.runs.fields import text
from ledger.runs.layout import Role
from ledger.runs.records import Reviewed, reviewed

from .calls import Captured, Trajectory, Wanted, base_name, trajectory
from .carts import Listed, Oracle, listed, oracle
from .events import LoggerSide, TestSide, logger_side, test_side
from .lineage import Lineage, lineage
from .refs import Ref, Side, Sought, holds
from .slots import Hidden, Slots

_Kind = TypeVar("_Kind")


class Reported(Struct, frozen=True):
    """The reviews that a run itself holds; nobody signed them.

    Attributes:
        latest: The last entry that is well formed for each question.
        cited: Every reference in them.
    """

    latest: Mapping[str, Reviewed]
    cited: Sequence[str]


class Facts:
    """What is known about a run.

    Whoever asks for evidence that is withheld is told so by :class:`slots.Hidden`. Evidence that
    is missing or is not what was declared reads as if it were empty.
    """

    def __init__(self, contents: Contents, rules: AuditRules, cited: Sequence[str] = ()) -> None:
        """Look at a run.

        Args:
            contents: The run.
            rules: Words to look for.
            cited: What signed reviews cite.
        """
        self.contents, self.rules = contents, rules
        self.slots = Slots(contents)
        self._cited = cited
        self._kept: dict[Any, Any] = {}

    def of(self, kind: Callable[["Facts"], _Kind]) -> _Kind:
        """Return what *kind* makes of these facts, made once."""
        if kind not in self._kept:
            self._kept[kind] = kind(self)
        made: _Kind = self._kept[kind]
        return made

    @property
    def run_id(self) -> str | None:
        """The run's own name for itself."""
        return text(self.slots.manifest.get("run_id"))

    def document(self, role: Role) -> Mapping[str, Any] | None:
        """Return a document of the evidence; None where there is none that may be judged."""
        key = ("document", role)
        self.slots.shown(role)
        if key not in self._kept:
            self._kept[key] = self.slots.document(role)
        said: Mapping[str, Any] | None = self._kept[key]
        return said

    @property
    def test(self) -> TestSide:
        """What the test mod saw."""
        self.slots.shown("test_mod")
        return self._test

    @property
    def logger(self) -> LoggerSide:
        """What the agent's logger wrote."""
        role = self.slots.events()
        self.slots.shown(role)
        if role == "normalized" and self.slots["agent_logger"].sha256 is None:
            self.slots.shown("agent_logger")  # nothing says what the view must be made from
        return self._logger

    @property
    def trajectory(self) -> Trajectory:
        """What the agent did."""
        self.slots.shown("trajectory")
        return self._trajectory

    @cached_property
    def answer(self) -> Listed | None:
        """What the agent answers; None where that cannot be read."""
        said = self.document("answer")
        return None if said is None else listed(said)

    @cached_property
    def oracle(self) -> Oracle | None:
        """What the answer is compared with; None where there is none that can be read."""
        said = self.document("oracle")
        return None if said is None else oracle(said)

    @cached_property
    def reported(self) -> Reported:
        """The reviews that the run holds; those of a file that was changed do not count."""
        slot = self.slots["reviews"]
        latest: dict[str, Reviewed] = {}
        cited: list[str] = []
        if slot.standing == "good" and slot.file is not None:
            for line in self.contents.lines(slot.file):
                entry = reviewed(line)
                if (
                    entry.fault is None
                    and entry.id is not None
                    and not any(faults_of_review(entry))
                ):
                    latest[entry.id] = entry
        for entry in latest.values():
            cited += entry.evidence or ()
        return Reported(latest, cited)

    @property
    def lineage(self) -> Lineage:
        """Who made which file of the run from what."""
        self.slots.shown("derivations")
        return self._lineage

    def resolves(self, ref: Ref) -> bool:
        """Tell whether the run has what a reference cites (AUDIT-36).

        Raises:
            Hidden: It would be in something that is withheld.
        """
        match ref.side:
            case "testmod" | "logger" | "trajectory":
                self._pass(ref.side)
                return self._sought.has(ref)
            case "fixture" | "restore" | "preflight":
                return holds(self.document(ref.side), ref.name)
            case "answer" | None:
                return False

    def _pass(self, side: Side) -> None:
        """Read a stream, so that what is cited of it is found."""
        match side:
            case "testmod":
                _ = self.test
            case "logger":
                _ = self.logger
            case _:
                _ = self.trajectory

    @cached_property
    def _lineage(self) -> Lineage:
        return lineage(self.slots)

    @cached_property
    def _sought(self) -> Sought:
        return Sought([*self._cited, *self.reported.cited, *self._of_oracle()])

    def _of_oracle(self) -> Sequence[str]:
        try:
            said = self.oracle
        except Hidden:
            return ()
        return () if said is None else said.refs

    @cached_property
    def _test(self) -> TestSide:
        file = self._good("test_mod")
        if file is None:
            return TestSide()
        side = test_side(self.contents, file, self.run_id, self._sought)
        return self._unless(side.fault, "test_mod", "testmod", side, TestSide())

    @cached_property
    def _logger(self) -> LoggerSide:
        role = self.slots.events()
        file = self._good(role)
        if file is None:
            return LoggerSide()
        raw = None
        if role == "normalized":
            raw = self.slots["agent_logger"].sha256
            if self.slots["agent_logger"].standing == "bad" or raw is None:
                return LoggerSide()
        side = logger_side(self.contents, file, self.run_id, self._sought, raw)
        empty = LoggerSide(sources=side.sources)
        if side.sources:
            self.slots.bad(role, "its records do not name the raw log that they were made from")
            return empty
        return self._unless(side.fault, role, "logger", side, empty)

    @cached_property
    def _trajectory(self) -> Trajectory:
        file = self._good("trajectory")
        if file is None:
            return Trajectory()
        read = trajectory(self.contents, file, self._wanted(), self._sought)
        empty = Trajectory(records=read.records)
        return self._unless(read.fault, "trajectory", "trajectory", read, empty)

    def _wanted(self) -> Wanted:
        """Say what to look for in calls; what cannot be known now is not looked for."""
        try:
            carts = self.logger.carts
        except Hidden:
            carts = {}
        files = [self.slots[role].file for role in ("agent_logger", "normalized")]
        task: dict[bytes, int] = {}
        for file in of_role(self.slots.files, "task"):
            task |= self.slots.forms(file)
        names = (base_name(file.path) for file in files if file is not None)
        words = self.rules.words
        return Wanted(
            arming=words.arming,
            reading=words.reading,
            names=[name for name in names if name],
            carts=Captured(carts),
            task=task,
        )

    def _good(self, role: Role) -> File | None:
        slot = self.slots[role]
        return slot.file if slot.standing == "good" else None

    def _unless(
        self, fault: int | None, role: Role, stream: Side, read: _Kind, empty: _Kind
    ) -> _Kind:
        """Return what was read; as if it were empty where a line cannot be read."""
        if fault is None:
            return read
        self.slots.bad(role, f"line {fault} cannot be read")
        self._sought.forget(stream)
        return empty
