"""Which evidence of a run may be judged, and why the rest may not (AUDIT-10 to AUDIT-13)."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from ledger.runs.contents import Contents, File, of_role
from ledger.runs.discovery import document_of, object_of, path_in
from ledger.runs.fields import digest
from ledger.runs.layout import SLOTS, Role

Standing: TypeAlias = Literal["good", "undeclared", "bad", "withheld"]
"""``bad``: missing, not followed, not what was declared, or not to be read."""

Equality: TypeAlias = Literal["raw", "canonical", "different", "unknown"]
"""How bytes at hand stand to a digest: the same; the same but for line ends; others."""


class Hidden(Exception):
    """What a question needs is withheld, so that it cannot be answered yet."""

    def __init__(self, role: str, path: str, why: str | None) -> None:
        """Remember what is withheld, and why."""
        super().__init__(path)
        self.role, self.path, self.why = role, path, why


class Slot(Struct, frozen=True):
    """A piece of evidence as far as it may be judged.

    Attributes:
        role: What it is for.
        standing: Whether it may be.
        file: Where it stands, if anything names it.
        declared: The digest that names it, 32 bytes, or None.
        why: A sentence without its end, where it may not be judged.
    """

    role: Role
    standing: Standing
    file: File | None = None
    declared: bytes | None = None
    why: str | None = None

    @property
    def sha256(self) -> bytes | None:
        """Digest of the bytes: as they are, or as somebody says they are."""
        at_hand = None if self.file is None else self.file.sha256
        return at_hand or self.declared


class Slots:
    """The files of a run by what they are for, and what its documents say."""

    def __init__(self, contents: Contents) -> None:
        """Look at what *contents* lists, and read its two documents."""
        self.contents = contents
        self.files: Sequence[File] = contents.files()
        self.manifest: Mapping[str, Any] = self._fixed("manifest")
        self.evidence: Mapping[str, Any] = self._fixed("evidence")
        self.visible = dict(_copies(self._fixed("visibility")))
        self._slots: dict[Role, Slot] = {role: self._slot(role) for role in SLOTS}
        self._slots["normalized"] = self._normalized()
        plain: tuple[Role, ...] = ("reviews", "trajectory", "task", "derivations")
        self._slots |= {role: self._plain(role) for role in plain}

    def __getitem__(self, role: Role) -> Slot:
        """Return the slot of *role*."""
        return self._slots[role]

    def known(self, role: Role) -> Slot | None:
        """Return the slot of a role, None where it has none."""
        return self._slots.get(role)

    def hidden(self) -> list[File]:
        """Return the files that are withheld."""
        return [file for file in self.files if file.state == "withheld"]

    def events(self) -> Role:
        """Return the role of the file that the logger's events are read from."""
        return "agent_logger" if self["normalized"].standing == "undeclared" else "normalized"

    def shown(self, role: Role) -> Slot:
        """Return a slot, unless it is withheld.

        Raises:
            Hidden: It is.
        """
        slot = self[role]
        if slot.standing == "withheld":
            path = role if slot.file is None else slot.file.path
            raise Hidden(role, path, slot.why)
        return slot

    def bad(self, role: Role, why: str) -> None:
        """Let a slot count as absent: it was read, and is not what it should be."""
        slot = self[role]
        self._slots[role] = Slot(role, "bad", slot.file, slot.declared, why)

    def document(self, role: Role) -> Any:
        """Return what a document says; None where it may not be judged or is no object."""
        slot = self.shown(role)
        if slot.standing != "good" or slot.file is None:
            return None
        said = object_of(slot.file, self.contents.data)
        if said is None:
            self.bad(role, "it cannot be read")
        return said

    def equality(self, file: File, wanted: bytes) -> Equality:
        """Say how the bytes of a file stand to a digest, computed and never taken on trust."""
        if file.sha256 == wanted:
            return "raw"
        if file.state != "present":
            return "unknown"
        return "canonical" if wanted in self.forms(file) else "different"

    def forms(self, file: File) -> Mapping[bytes, int]:
        """Return the digests that a file has by its line ends, and how many bytes each is of.

        As it is; with LF alone; with CR LF. Of a file that is not at hand, what is said of it.
        """
        if file.state != "present" or file.sha256 is None:
            return {} if file.sha256 is None else {file.sha256: 0}
        lines = carriage = 0
        for line in self.contents.lines(file):
            lines += line.endswith(b"\n")
            carriage += line.endswith(b"\r\n")
        size = file.size_bytes or 0
        found = {self.with_crlf(file): size + lines - carriage, file.sha256: size}
        return found if file.canonical is None else {file.canonical: size - carriage, **found}

    def with_crlf(self, file: File) -> bytes:
        """Return the digest that a file has where every line ends with CR LF, 32 bytes."""
        state = hashlib.sha256()
        for line in self.contents.lines(file):
            if line.endswith(b"\n"):
                line = line.removesuffix(b"\n").removesuffix(b"\r") + b"\r\n"
            state.update(line)
        return state.digest()

    def _fixed(self, role: Role) -> Mapping[str, Any]:
        files = of_role(self.files, role)
        return document_of(files[0], self.contents.data) if files else {}

    def _slot(self, role: Role) -> Slot:
        declared = self.evidence.get(role)
        path = path_in(declared, "path")
        if path is None:
            return self._unnamed(role)
        said = declared.get("sha256") if isinstance(declared, Mapping) else None
        return self._stands(role, path, said)

    def _normalized(self) -> Slot:
        declared = self.evidence.get("agent_logger")
        if not isinstance(declared, Mapping) or declared.get("normalized") is None:
            return Slot("normalized", "undeclared")
        path = path_in(declared, "normalized")
        if path is None:
            return Slot("normalized", "bad", why="evidence.json gives no path for it")
        if declared.get("normalized_sha256") is None:
            return Slot("normalized", "bad", why="it is declared without normalized_sha256")
        return self._stands("normalized", path, declared["normalized_sha256"])

    def _plain(self, role: Role) -> Slot:
        files = of_role(self.files, role)
        if not files:
            return self._unnamed(role)
        if role == "reviews":
            named = self.evidence.get("review")
            said = named.get("sha256") if isinstance(named, Mapping) else None
            return self._stands(role, files[0].path, said)
        return self._stands(role, files[0].path, None)

    def _unnamed(self, role: Role) -> Slot:
        """Where evidence.json itself is withheld, nobody can say what it does not declare."""
        hidden = [one for one in of_role(self.files, "evidence") if one.state == "withheld"]
        if hidden and role not in ("trajectory", "task", "derivations"):
            return Slot(role, "withheld", hidden[0], why=hidden[0].why)
        return Slot(role, "undeclared")

    def _stands(self, role: Role, path: str, said: Any) -> Slot:
        declared = digest(said)
        file = next((one for one in of_role(self.files, role) if one.path == path), None)
        if file is None or file.state in ("absent", "refused"):
            why = "nothing lists it" if file is None else file.why
            return Slot(role, "bad", file, declared, why)
        if said is not None and declared is None:
            return Slot(role, "bad", file, None, "its declared digest is none")
        if file.state == "withheld":
            return Slot(role, "withheld", file, declared, file.why)
        if declared is not None and file.sha256 != declared:
            return Slot(role, "bad", file, declared, "its digest is another than declared")
        return Slot(role, "good", file, declared)


def _copies(visibility: Mapping[str, Any]) -> Iterator[tuple[str, bytes | None]]:
    """Yield path and stated digest of each copy of what the agent could read."""
    listed = visibility.get("files")
    for item in listed if isinstance(listed, list) else ():
        path = path_in(item, "copy")
        if path is not None:
            yield path, digest(item.get("sha256"))
