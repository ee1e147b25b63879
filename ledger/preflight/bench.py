"""What a check works with: the configuration, a folder of its own, and the evidence it leaves.

Whatever a check runs or reads leaves a transcript in ``probes/<check>/`` and an entry that names it
by its SHA-256. Secrets are gone before anything is written (PRE-15, PRE-41).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from canon import sha256

from .config import Config
from .redaction import Redactor
from .running import Ended, run

Status: TypeAlias = Literal["PASS", "FAIL", "SKIP"]

EXCERPT_CHARACTERS = 2_000
"""Of a transcript, in the report; the rest is in the file."""

_HEAD = 1_500
_MARK = re.compile(r"\{(\w+)\}")


class Outcome(NamedTuple):
    """What a check came to.

    Attributes:
        status: Whether it holds; SKIP proves nothing.
        detail: Why, in a sentence.
        versions: What it found out about programs and ports, by name.
    """

    status: Status
    detail: str
    versions: Mapping[str, Any] = {}


class Setting(Struct, frozen=True, kw_only=True):
    """What all checks of a preflight share.

    Attributes:
        config: The configuration.
        out: The folder of the report.
        folder: Where commands run.
        environ: The environment of every command.
        python: The interpreter that the package index is asked with.
        redactor: Takes secrets out.
        entropy: Returns that many random bytes.
    """

    config: Config
    out: Path
    folder: Path
    environ: Mapping[str, str]
    python: str
    redactor: Redactor
    entropy: Callable[[int], bytes]


class Bench:
    """Where one check is made.

    Attributes:
        config: The configuration.
        folder: ``probes/<check>`` in the folder of the report, for what the check makes.
        evidence: What it left so far, as it stands in the report.
    """

    def __init__(self, check: str, setting: Setting) -> None:
        """Make the folder of the check."""
        self.config, self._setting = setting.config, setting
        self.folder = setting.out / "probes" / check
        self.folder.mkdir(parents=True)
        self.evidence: list[dict[str, Any]] = []

    @property
    def python(self) -> str:
        """The interpreter that the package index is asked with."""
        return self._setting.python

    @property
    def present_folder(self) -> Path:
        """Where commands run that have no folder of their own."""
        return self._setting.folder

    def environ(self, more: Mapping[str, str] = {}) -> dict[str, str]:
        """Return the environment of a command, with *more* in it."""
        return {**self._setting.environ, **self.config.env, **more}

    def hide(self, secret: str) -> None:
        """Keep one more secret out of all that is written from here on."""
        self._setting.redactor.add(secret)

    def random(self, count: int) -> bytes:
        """Return *count* random bytes."""
        return self._setting.entropy(count)

    def run(
        self,
        name: str,
        words: Sequence[str],
        seconds: int,
        *,
        folder: Path | None = None,
        more: Mapping[str, str] = {},
    ) -> Ended:
        """Run a command and keep what it said as ``<name>.txt``.

        Args:
            name: Of the transcript.
            words: The program and what it is called with.
            seconds: How long it may take.
            folder: Where it runs, if not in the present folder.
            more: Variables of the environment beside those that all commands have.
        """
        ended = run(words, seconds, folder or self.present_folder, self.environ(more), self.folder)
        self.keep_command(name, words, ended)
        return ended

    def keep_command(self, name: str, words: Sequence[str], ended: Ended) -> dict[str, Any]:
        """Keep what a command said, and return its entry (PRE-15)."""
        return self.note(
            "command",
            command=list(words),
            exit_code=ended.exit_code,
            seconds=seconds_text(ended.milliseconds),
            **self.keep(f"{name}.txt", ended.output),
            problem=ended.problem,
        )

    def keep(self, name: str, data: bytes) -> dict[str, str]:
        """Keep what was said, without secrets; return what an entry says of the transcript."""
        said = self._setting.redactor.data(data)
        path = self.folder / name
        path.write_bytes(said)
        return {
            "stdout_path": self.path_of(path),
            "stdout_sha256": sha256(said).hex(),
            "stdout_excerpt": shortened(said.decode("utf-8", "replace")),
        }

    def keep_document(self, name: str, document: Mapping[str, Any]) -> None:
        """Keep a document of the check's own, without secrets."""
        path = self.folder / name
        shown = self._setting.redactor.value(document)
        data = json.dumps(shown, indent=1).encode() + b"\n"
        path.write_bytes(data)
        self.note("file", path=self.path_of(path), size_bytes=len(data), sha256=sha256(data).hex())

    def path_of(self, path: Path) -> str:
        """Return a path as the report names it: from its folder, with slashes."""
        return path.relative_to(self._setting.out).as_posix()

    def note(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Leave an entry of evidence, without secrets."""
        entry: dict[str, Any] = self._setting.redactor.value({"kind": kind, **fields})
        self.evidence.append(entry)
        return entry


def filled(words: Sequence[str], values: Mapping[str, object]) -> list[str]:
    """Return *words* with ``{name}`` replaced where *values* has the name; other braces stay."""
    return [_MARK.sub(lambda mark: str(values.get(mark[1], mark[0])), word) for word in words]


def seconds_text(milliseconds: int) -> str:
    """Return a time in seconds as decimal text with three places (PRE-51)."""
    return f"{milliseconds // 1000}.{milliseconds % 1000:03}"


def shortened(text: str) -> str:
    """Return a text of at most 2,000 characters: its beginning and its end (PRE-15)."""
    if len(text) <= EXCERPT_CHARACTERS:
        return text
    left_out = len(text) - EXCERPT_CHARACTERS
    end = text[_HEAD - EXCERPT_CHARACTERS :]
    return f"{text[:_HEAD]}\n… {left_out} characters left out …\n{end}"


def first_line(text: str) -> str:
    """Return the first line of a text that is not empty, cut after 200 characters."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line), "")[:200]
