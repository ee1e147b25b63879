"""Sessions as pi writes them, of versions 1 to 3, line by line; nothing of them is real."""

import json
from typing import Any, Self


class Made:
    """A session that is being written.

    Attributes:
        lines: What was written so far, without line ends.
        leaf: The name of the entry that the next one follows; None for none.
    """

    def __init__(self, version: int = 3, session: str = "s1") -> None:
        """Begin a session with its header."""
        self.version = version
        self.leaf: str | None = None
        self._count = 0
        header: dict[str, Any] = {"type": "session", "version": version, "id": session}
        if version == 1:
            del header["version"]
        header |= {"timestamp": self.time(0), "cwd": "/lab"}
        if version == 1:
            header |= {"provider": "maker", "modelId": "first", "thinkingLevel": "off"}
        self.lines = [_text(header)]

    @staticmethod
    def time(second: int) -> str:
        """Return the time of a second of the session's first hour, as pi writes it."""
        return f"2026-03-01T10:{second // 60:02}:{second % 60:02}.000Z"

    def entry(self, kind: str, **fields: Any) -> Self:
        """Write an entry that follows the leaf, and make it the leaf."""
        self._count += 1
        said: dict[str, Any] = {"type": kind}
        if self.version > 1:
            name = f"a{self._count}"
            said |= {"id": name, "parentId": self.leaf}
            self.leaf = name
        said |= {"timestamp": self.time(self._count)}
        for field, value in fields.items():
            if value is ...:
                del said[field]
            else:
                said[field] = value
        self.lines.append(_text(said))
        return self

    def line(self, text: str) -> Self:
        """Write a line as it is."""
        self.lines.append(text)
        return self

    def back(self, name: str | None) -> Self:
        """Go back to an entry, so that the next one begins a branch."""
        self.leaf = name
        return self

    def message(self, entry: dict[str, Any] | None = None, /, **fields: Any) -> Self:
        """Write a message; *entry* replaces fields of the entry around it."""
        return self.entry("message", message=fields, **(entry or {}))

    def user(self, content: Any = "Look around.") -> Self:
        """Write what a person says."""
        return self.message(role="user", content=content)

    def turn(self, *parts: dict[str, Any], stop: str = "toolUse", **fields: Any) -> Self:
        """Write a turn of the assistant."""
        said = {"role": "assistant", "content": list(parts), "provider": "maker"}
        return self.message(**said, **({"model": "first", "stopReason": stop} | fields))

    def calls(self, *ids: str, **fields: Any) -> Self:
        """Write a turn that calls a tool once for each id."""
        return self.turn(*[call(name) for name in ids], **fields)

    def result(self, call_id: Any, content: Any = "done", **fields: Any) -> Self:
        """Write what a tool returned."""
        parts = [text(content)] if isinstance(content, str) else content
        said = {"role": "toolResult", "toolCallId": call_id, "toolName": "bash", "content": parts}
        return self.message(**(said | {"isError": False} | fields))

    def text(self) -> str:
        """Return the file."""
        return "".join(f"{one}\n" for one in self.lines)

    def data(self) -> bytes:
        """Return the file as bytes."""
        return self.text().encode()


def call(call_id: str | None, name: str | None = "bash", **arguments: Any) -> dict[str, Any]:
    """Return a call as a part of a turn."""
    said = {"type": "toolCall", "id": call_id, "name": name}
    said["arguments"] = arguments or {"command": f"echo {call_id}"}
    return {key: value for key, value in said.items() if value is not None}


def text(said: str) -> dict[str, Any]:
    """Return a text as a part of a message."""
    return {"type": "text", "text": said}


def thought(said: str) -> dict[str, Any]:
    """Return private reasoning as a part of a turn."""
    return {"type": "thinking", "thinking": said, "thinkingSignature": "c2ln"}


def usage(total: Any, **tokens: int) -> dict[str, Any]:
    """Return what a message used."""
    counts = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    return {**counts, **tokens, "cost": {"total": total}}


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
