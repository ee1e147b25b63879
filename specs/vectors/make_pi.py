"""Write the vectors of ``specs/runs-pi.md`` to ``specs/vectors/pi``, the same each time.

Nothing of the implementation is used: what must come out is spelled out. In a vector ``records``
are ``[kind, call_id, line, tool or status]``, ``problems`` are ``[line, code]``, ``whole`` are
records with all their fields, ``fields`` some fields of the first record, and ``report`` is a part
of the report. They are imported with phase and actor ``agent`` at ``NOW``.
"""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from pi_sessions import Made, call, text, thought, usage

FOLDER = Path(__file__).resolve().parent / "pi"
NOW = "2026-04-01T00:00:00.000000Z"

Vector = dict[str, Any]


def vectors() -> list[Vector]:
    """Return every vector."""
    return [*_files(), *_branches(), *_broken(), *_records(), *_odd(), *_sums()]


def main() -> None:
    """Write the file."""
    FOLDER.mkdir(exist_ok=True)
    content = {"about": "sessions of pi, and the records they become", "now": NOW}
    written = json.dumps({**content, "vectors": vectors()}, indent=1, ensure_ascii=True) + "\n"
    (FOLDER / "sessions.json").write_text(written, encoding="utf-8")


def _accept(clause: int, name: str, comment: str, session: Made | bytes, **expected: Any) -> Vector:
    """Return a vector of a session that is read; with one problem its code is the vector's."""
    codes = {code for _, code in expected.get("problems", [])}
    given = session.data() if isinstance(session, Made) else session
    try:
        shown = {"session": given.decode()}
    except UnicodeDecodeError:
        shown = {"session_hex": given.hex()}
    return {
        "name": name,
        "comment": comment,
        "clause": f"PI-{clause}",
        "expect": "accept",
        "code": codes.pop() if len(codes) == 1 else None,
        **shown,
        **({"problems": []} | expected),
    }


def _refuse(clause: int, name: str, comment: str, code: str, session: str) -> Vector:
    return {
        "name": name,
        "comment": comment,
        "clause": f"PI-{clause}",
        "expect": "refuse",
        "code": code,
        "session": session,
    }


def _pair(line: int, call_id: str = "c1", status: str = "ok") -> list[list[Any]]:
    return [["call", call_id, line, "bash"], ["result", call_id, line + 1, status]]


def _files() -> list[Vector]:
    made = Made().calls("c1").result("c1")
    header = made.lines[0]
    return [
        _accept(1, "version-1", "No version, no names: one line after the other.",
                Made(1).user().calls("c1").result("c1"), records=_pair(3),
                report={"version": 1, "session": "s1", "lines": 4}),
        _accept(1, "version-2", "A tree.", Made(2).user().calls("c1").result("c1"),
                records=_pair(3), report={"version": 2}),
        _accept(1, "version-3", "A tree; the header says so.",
                Made(3).user().calls("c1").result("c1"), records=_pair(3),
                report={"version": 3}),
        _accept(1, "byte-order-mark", "A mark in front of the header.",
                b"\xef\xbb\xbf" + made.data(), records=_pair(2)),
        _accept(1, "blank-first", "Blank lines, which count as lines, and CR LF.",
                b"\n \n" + made.data().replace(b"\n", b"\r\n"), records=_pair(4),
                report={"lines": 5, "unread": 0}),
        _accept(1, "header-only", "Nothing was said.", Made(), records=[],
                report={"calls": 0, "usage": _spent()}),
        _refuse(1, "empty", "No line at all.", "E_PI_SESSION", ""),
        _refuse(1, "cut-header", "Only the beginning of a header.", "E_PI_SESSION", header[:40]),
        _accept(1, "no-header", "It begins with a message.", _lines(made.lines[1:]),
                records=_pair(1), problems=[[1, "E_PI_HEADER"]], fields=_unnamed(made.lines[1]),
                report={"version": None}),
        _accept(1, "lost-header", "Its first line is lost.", _lines(["\x00\x00", *made.lines[1:]]),
                records=_pair(2), problems=[[1, "E_JSON"], [2, "E_PI_HEADER"]]),
        _accept(1, "late-header", "Fifteen lines that cannot be read, and then the header.",
                _lines([*["?"] * 15, *made.lines]), records=_pair(17),
                problems=[[line, "E_JSON"] for line in range(1, 16)],
                report={"session": "s1", "unread": 15}),
        _accept(1, "no-id", "A header without a name.",
                _lines(['{"type":"session","version":3}', *made.lines[1:]]),
                records=_pair(2), problems=[[1, "E_PI_HEADER"]], report={"version": 3}),
        _refuse(1, "too-late-header", "Sixteen lines that cannot be read.", "E_PI_SESSION",
                _lines([*["?"] * 16, *made.lines]).decode()),
        _refuse(1, "other-entry", "It begins with an entry that is no message.", "E_PI_SESSION",
                _lines(Made().entry("label").calls("c1").lines[1:]).decode()),
        _refuse(1, "other-message", "A message of another program.", "E_PI_SESSION",
                '{"type":"message","role":"user","content":"hello"}\n'),
        _refuse(1, "text-file", "Not JSON.", "E_PI_SESSION", "Dear diary\n"),
        _refuse(1, "array-file", "JSON, but no session.", "E_PI_SESSION", "[1,2]\n"),
        _refuse(1, "version-4", "A version that nobody knows yet.", "E_PI_VERSION",
                header.replace('"version":3', '"version":4') + "\n"),
        _refuse(1, "version-text", "A version that is text.", "E_PI_VERSION",
                header.replace('"version":3', '"version":"3"') + "\n"),
        _refuse(1, "version-true", "A version that is no number.", "E_PI_VERSION",
                header.replace('"version":3', '"version":true') + "\n"),
    ]  # fmt: skip


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _unnamed(line: str) -> dict[str, Any]:
    """Return the origin of a record on the first line of a session without a header."""
    name = f"unnamed-{hashlib.sha256(line.encode()).hexdigest()[:16]}"
    return {"origin": {"session": name, "line": 1, "entry": "a1"}}


def _branches() -> list[Vector]:
    example = Made()
    example.user()
    example.calls("c1").back("a1").turn(call("c2", "read", path="notes"))
    example.result("c2", "empty", toolName="read")
    left = Made().calls("c1").result("c1").calls("c2", usage=usage(0.5)).result("c2").back("a2")
    return [
        _accept(2, "example", "A question that was asked again.", example,
                records=[["call", "c2", 4, "read"], ["result", "c2", 5, "ok"]],
                whole=_example_records(),
                report={"left_out": {"thinking": 0, "prose": 1, "other_parts": {},
                                     "other_branches": {"entries": 1, "calls": 1, "results": 0,
                                                        **_spent()}}}),
        _accept(2, "left-branch", "What was left is counted, with what it cost.",
                left.calls("c3").result("c3"), records=[*_pair(2), *_pair(6, "c3")],
                report={"left_out": {"thinking": 0, "prose": 0, "other_parts": {},
                                     "other_branches": {"entries": 2, "calls": 1, "results": 1,
                                                        **_spent(1, 0, "0.5")}},
                        "usage": _spent()}),
        _accept(2, "label-is-leaf", "The newest entry is no message; the way goes through it.",
                Made().calls("c1").result("c1").entry("label", targetId="a1", label="here"),
                records=_pair(2)),
        _accept(2, "new-root", "A session that began anew.",
                Made().calls("c1").result("c1").back(None).calls("c2").result("c2"),
                records=_pair(4, "c2")),
        _accept(2, "parent-unknown", "An entry follows one that there is not.",
                Made().calls("c1").result("c1").back("zz").calls("c2").result("c2"),
                records=[*_pair(2), *_pair(4, "c2")], problems=[[4, "E_PI_PLACE"]]),
        _accept(2, "parent-later", "An entry follows one that stands behind it.",
                Made().calls("c1").result("c1").back("a4").calls("c2").result("c2"),
                records=[*_pair(2), *_pair(4, "c2")], problems=[[4, "E_PI_PLACE"]]),
        _accept(2, "parent-itself", "An entry follows itself.",
                Made().calls("c1").result("c1").back("a3").calls("c2").result("c2"),
                records=[*_pair(2), *_pair(4, "c2")], problems=[[4, "E_PI_PLACE"]]),
        _accept(2, "id-twice", "A name that stands twice means the nearest entry before.",
                Made().calls("c1").result("c1").back(None)
                .entry("label", id="a1", label="again").back("a1").calls("c2").result("c2"),
                records=_pair(5, "c2"), problems=[[4, "E_PI_PLACE"]]),
        _accept(2, "no-parent", "A name, and nothing about what it follows.",
                Made().calls("c1").entry("label", parentId=...).result("c1"),
                records=[["call", "c1", 2, "bash"], ["result", "c1", 4, "ok"]],
                problems=[[3, "E_PI_PLACE"]]),
        _accept(2, "no-name", "An entry without a name, in a tree, ends nothing.",
                Made().calls("c1").line('{"type":"ephemeral","messages":[]}').result("c1"),
                records=[["call", "c1", 2, "bash"], ["result", "c1", 4, "ok"]]),
        _accept(2, "compacted", "What a summary replaces is imported all the same.",
                Made().calls("c1").result("c1")
                .entry("compaction", summary="It ran.", firstKeptEntryId="a2", tokensBefore=9)
                .entry("branch_summary", fromId="a1", summary="It ran elsewhere.")
                .calls("c2").result("c2"),
                records=[*_pair(2), *_pair(6, "c2")],
                report={"entries": {"session": 1, "message": 4, "compaction": 1,
                                    "branch_summary": 1}}),
    ]  # fmt: skip


def _broken() -> list[Vector]:
    made = Made().calls("c1").result("c1")
    cut = Made().calls("c1").result("c1").calls("c2").lines[-1][:-30]
    lost = Made().calls("c1").result("c1").calls("c2")
    lost.lines[-1] = lost.lines[-1][:-30]
    nowhere = Made().calls("c1").result("c1").calls("c2")
    nowhere.lines[-1] = "\x00\x00\x00"
    twice = Made().calls("c1").line('{"type":"label","type":"label"}').result("c1")
    deep = f'{{"type":"label","x":{"[" * 70}{"]" * 70}}}'
    binary = Made(1).calls("c1").data() + b"\xff\xfe\x00\n" + Made(1).calls("c1").result("c1") \
        .lines[-1].encode() + b"\n"  # fmt: skip
    around = [["call", "c1", 2, "bash"], ["result", "c1", 4, "ok"]]
    return [
        _accept(5, "cut-at-the-end", "The last line ends too early.",
                made.data() + cut.encode(), records=_pair(2),
                problems=[[4, "E_JSON_TRUNCATED"]], report={"unread": 1}),
        _accept(5, "no-line-end", "The last line is whole and has no line end.",
                made.data().rstrip(b"\n"), records=_pair(2)),
        _accept(5, "cut-in-the-middle", "A line that was cut off still says where it stands.",
                lost.result("c2"), records=[*_pair(2), ["result", "c2", 5, "ok"]],
                problems=[[4, "E_JSON_TRUNCATED"], [5, "E_PI_RESULT_UNCALLED"]]),
        _accept(5, "lost-line", "Nothing is left of a line; what follows it goes on before it.",
                nowhere.result("c2"), records=[*_pair(2), ["result", "c2", 5, "ok"]],
                problems=[[4, "E_JSON"], [5, "E_PI_PLACE"], [5, "E_PI_RESULT_UNCALLED"]]),
        _accept(5, "binary-line", "Bytes that are no text.", binary, records=around,
                problems=[[3, "E_JSON"]]),
        _accept(5, "key-twice", "Readers would differ about it.", twice, records=around,
                problems=[[3, "E_JSON_DUPLICATE_KEY"]]),
        _accept(5, "deep", "Seventy arrays in each other.",
                Made(1).calls("c1").line(deep).result("c1"), records=around,
                problems=[[3, "E_JSON_DEPTH"]]),
        _accept(5, "array-line", "JSON, but no object.",
                Made(1).calls("c1").line("[]").result("c1"), records=around,
                problems=[[3, "E_PI_ENTRY"]]),
        _accept(5, "two-on-a-line", "Two objects on a line.",
                Made(1).calls("c1").line('{"type":"label"} {"type":"label"}').result("c1"),
                records=around, problems=[[3, "E_PI_ENTRY"]]),
        _accept(5, "nan", "NaN is no JSON.",
                Made(1).calls("c1").line('{"type":"label","x":NaN}').result("c1"),
                records=around, problems=[[3, "E_JSON"]]),
        _accept(6, "unknown-type", "A type that nobody knows.",
                Made().calls("c1").entry("dream").result("c1"), records=around,
                problems=[[3, "E_PI_ENTRY_UNKNOWN"]],
                report={"entries": {"session": 1, "message": 2, "dream": 1}}),
        _accept(6, "no-type", "No type.", Made().calls("c1").entry("x", type=...).result("c1"),
                records=around, problems=[[3, "E_PI_ENTRY_UNKNOWN"]]),
        _accept(6, "second-header", "Another header, in the middle.",
                Made().calls("c1").line(Made().lines[0]).result("c1"), records=around,
                problems=[[3, "E_PI_ENTRY"]]),
        _accept(6, "message-text", "A message that is text.",
                Made().calls("c1").entry("message", message="hello").result("c1"),
                records=around, problems=[[3, "E_PI_ENTRY"]]),
        _accept(6, "content-number", "A content that is a number.",
                Made().calls("c1").message(role="assistant", content=7).result("c1"),
                records=around, problems=[[3, "E_PI_ENTRY"]]),
        _accept(6, "call-without-name", "A call that does not say what it calls.",
                Made().turn(call("c1", None)).result("c1"),
                records=[["call", "c1", 2, ""], ["result", "c1", 3, "ok"]],
                problems=[[2, "E_PI_ENTRY"]]),
        _accept(6, "settings", "Everything that is counted only.",
                Made().entry("model_change", provider="maker", modelId="first")
                .entry("thinking_level_change", thinkingLevel="high")
                .entry("session_info", name="a name").entry("custom", customType="x", data={})
                .entry("custom_message", customType="x", content="hi", display=True)
                .entry("label", targetId="a1", label="l").entry("context_edit")
                .entry("context_transform").entry("ephemeral", messages=[]).entry("usage"),
                records=[],
                report={"entries": dict.fromkeys(
                    ("session", "model_change", "thinking_level_change", "session_info", "custom",
                     "custom_message", "label", "context_edit", "context_transform", "ephemeral",
                     "usage"), 1)}),
    ]  # fmt: skip


def _records() -> list[Vector]:
    two = Made().user().calls("c1", "c2").result("c1").result("c2", "no", isError=True)
    numbers = Made().lines[0] + (
        '\n{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z",'
        '"message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash",'
        '"arguments":{"a":1.50,"b":0.1,"c":12345678901234567890123,"d":-0.0,"e":1e21}}]}}\n'
    )
    image = b"\x89PNG\r\n"
    parts = [
        text("one"),
        thought("secret"),
        {"type": "image", "data": base64.b64encode(image).decode(), "mimeType": "image/png"},
        {"type": "table", "rows": [1, 2.50]},
        text("two"),
    ]
    joined = 'one\n[image]\n{"type": "table", "rows": [1, 2.5]}\ntwo'
    # json.dumps writes 2.50 as 2.5, so that is what the session says.
    return [
        _accept(7, "two-calls", "A turn with two calls, of which the second fails.", two,
                records=[["call", "c1", 3, "bash"], ["call", "c2", 3, "bash"],
                         ["result", "c1", 4, "ok"], ["result", "c2", 5, "error"]],
                report={"calls": 2, "results": 2, "errors": 1}),
        _accept(7, "exact-numbers", "Numbers stay what they are.", numbers.encode(),
                records=[["call", "c1", 2, "bash"]], problems=[[2, "E_PI_UNANSWERED"]],
                arguments='{"a": 1.50, "b": 0.1, "c": 12345678901234567890123, "d": -0.0,'
                          ' "e": 1E+21}'),
        _accept(7, "call-without-id", "A call that has no name gets one from its line.",
                Made().turn(text("x"), call(None), call(None)),
                records=[["call", "import-2-1", 2, "bash"], ["call", "import-2-2", 2, "bash"]],
                problems=[[2, "E_PI_UNANSWERED"], [2, "E_PI_UNANSWERED"]]),
        _accept(7, "first-call-without-id", "The first part of its turn.",
                Made().turn(call(None)), records=[["call", "import-2", 2, "bash"]],
                problems=[[2, "E_PI_UNANSWERED"]]),
        _accept(7, "aborted", "A turn that a person ended: its call may not have run.",
                Made().calls("c1", stop="aborted"), records=[["call", "c1", 2, "bash"]],
                problems=[[2, "E_PI_UNANSWERED"]],
                fields={"note": "the turn ended with aborted"},
                report={"stop_reasons": {"aborted": 1},
                        "unanswered": [{"line": 2, "call_id": "c1", "tool": "bash",
                                        "stop_reason": "aborted"}]}),
        _accept(8, "role-tool", "The role that a result had at first.",
                Made(1).calls("c1").result("c1", role="tool"), records=_pair(2)),
        _accept(8, "error-number", "Whether it failed is no truth value; it counts as failed.",
                Made().calls("c1").result("c1", isError=1), records=_pair(2, "c1", "error"),
                problems=[[3, "E_PI_ENTRY"]]),
        _accept(9, "thinking", "Reasoning and prose are counted and left out.",
                Made().user().turn(thought("I wonder"), text("Let me see."), call("c1"))
                .result("c1", [thought("t"), text("out")]),
                records=_pair(3),
                report={"left_out": {"thinking": 2, "prose": 2, "other_parts": {},
                                     "other_branches": {"entries": 0, "calls": 0, "results": 0,
                                                        **_spent()}}},
                texts=["out"], nowhere=["I wonder", "Let me see.", "Look around."]),
        _accept(10, "parts", "Parts of every kind.", Made().calls("c1").result("c1", parts),
                records=_pair(2), texts=[joined], nowhere=["secret"], report={"images": 1},
                images=[{"media_type": "image/png", "size_bytes": len(image),
                         "sha256": hashlib.sha256(image).hexdigest()}]),
        _accept(10, "image-not-base64", "What is no base64 has a digest of its text.",
                Made().calls("c1").result("c1", [{"type": "image", "data": "!!"}]),
                records=_pair(2), texts=["[image]"],
                images=[{"media_type": None, "not_base64": True, "size_bytes": 2,
                         "sha256": hashlib.sha256(b"!!").hexdigest()}]),
        _accept(10, "content-text", "A content that is text, as the user's often is.",
                Made().calls("c1").message(role="toolResult", toolCallId="c1", content="plain"),
                records=_pair(2), texts=["plain"]),
        _accept(10, "content-none", "No content at all.",
                Made().calls("c1").message(role="toolResult", toolCallId="c1"),
                records=_pair(2), texts=[""]),
        *_cut_texts(),
        _accept(14, "half-a-character", "Half of a pair of surrogates.",
                Made().calls("c1").result("c1", "x~y").data().replace(b"~", b"\\ud83d"),
                records=_pair(2), texts=["x\ufffdy"], problems=[[3, "E_PI_TEXT"]]),
        _accept(14, "bytes", "Bytes that are not UTF-8, and a whole pair of surrogates.",
                Made().calls("c1").result("c1", "x~y").data()
                .replace(b"~", b"\xff\xfe\\ud83d\\ude00"),
                records=_pair(2), texts=["x\ufffd\ufffd\U0001f600y"],
                problems=[[3, "E_PI_TEXT"]]),
    ]  # fmt: skip


def _cut_texts() -> list[Vector]:
    """Return vectors around the limit of a text, with a limit of ten characters."""
    found = []
    for length, odd in ((9, "shorter"), (10, "as-long"), (11, "longer"), (100, "much-longer")):
        whole = "äb0123456789"[:length].ljust(length, ".")
        digest = hashlib.sha256(whole.encode()).hexdigest()
        left, full = length - 10, f"imports/results/{digest}.txt"
        shown = whole
        if left > 0:
            said = f"[{left} characters left out; all of them: {full}]"
            shown = f"{whole[:5]}\n{said}\n{whole[-5:]}"
        found.append(
            _accept(
                11,
                f"text-{odd}",
                f"A text of {length} characters, where the limit is 10.",
                Made().calls("c1").result("c1", whole),
                records=_pair(2),
                max_text=10,
                texts=[shown],
                truncated=[length >= 10],
                attachments=[[full, whole]] if length >= 10 else [],
            )
        )
    return found


def _odd() -> list[Vector]:
    one = [["call", "c1", 2, "bash"]]
    return [
        _accept(13, "unanswered", "The session ends before the result.", Made().calls("c1"),
                records=one, problems=[[2, "E_PI_UNANSWERED"]],
                report={"unanswered_count": 1}),
        _accept(13, "call-twice", "Two calls of one id.",
                Made().calls("c1").calls("c1").result("c1"),
                records=[*one, ["call", "c1", 3, "bash"], ["result", "c1", 4, "ok"]],
                problems=[[3, "E_PI_CALL_TWICE"]]),
        _accept(13, "result-twice", "Two results of one call.",
                Made().calls("c1").result("c1").result("c1", isError=True),
                records=[*_pair(2), ["result", "c1", 4, "error"]],
                problems=[[4, "E_PI_RESULT_TWICE"]]),
        _accept(13, "uncalled", "A result of a call that is nowhere.",
                Made().calls("c1").result("c1").result("c9"),
                records=[*_pair(2), ["result", "c9", 4, "ok"]],
                problems=[[4, "E_PI_RESULT_UNCALLED"]]),
        _accept(13, "called-elsewhere", "A result of a call on another branch.",
                Made().user().calls("c1").back("a1").result("c1"),
                records=[["result", "c1", 4, "ok"]], problems=[[4, "E_PI_RESULT_UNCALLED"]]),
        _accept(13, "unnamed", "A result that names no call.",
                Made().calls("c1").result("c1").result(""),
                records=_pair(2), problems=[[4, "E_PI_RESULT_UNNAMED"]],
                report={"results": 1}),
        _accept(13, "unnamed-null", "Null for a name.",
                Made().calls("c1").result("c1").result(None),
                records=_pair(2), problems=[[4, "E_PI_RESULT_UNNAMED"]]),
        *(_time(*row) for row in (
            ("text", "2026-03-01T11:00:01+01:00", "2026-03-01T10:00:01.000000Z"),
            ("naive", "2026-03-01T10:00:01", "2026-03-01T10:00:01.000000Z"),
            ("microseconds", "2026-03-01T10:00:01.123456Z", "2026-03-01T10:00:01.123456Z"),
            ("finer", "2026-03-01T10:00:01.1234569Z", "2026-03-01T10:00:01.123456Z"),
            ("milliseconds", 1_772_359_201_001, "2026-03-01T10:00:01.001000Z"),
            ("digits", "1772359201001", "2026-03-01T10:00:01.001000Z"),
            ("part-of-millisecond", 1772359201001.5, "2026-03-01T10:00:01.001500Z"),
            ("before-1970", -1, "1969-12-31T23:59:59.999000Z"),
            ("of-the-message", ..., "2026-03-01T10:00:05.000000Z"),
            ("no-day", "2026-02-30T10:00:01Z", "2026-03-01T10:00:05.000000Z"),
            ("leap-second", "2026-03-01T23:59:60Z", "2026-03-01T10:00:05.000000Z"),
            ("too-far", 10**17, "2026-03-01T10:00:05.000000Z"),
            ("truth", True, "2026-03-01T10:00:05.000000Z"),
            ("object", {}, "2026-03-01T10:00:05.000000Z"),
        )),
        _accept(15, "time-none", "No time anywhere: that of the import.",
                Made().message({"timestamp": ...}, role="assistant", content=[call("c1")],
                               provider="maker").result("c1"),
                records=_pair(2), fields={"at": NOW}, problems=[[2, "E_PI_TIME"]]),
        _accept(15, "clock", "A clock that was set back.",
                Made().calls("c1").message({"timestamp": "2026-03-01T09:59:59Z"},
                                           role="toolResult", toolCallId="c1", content="x"),
                records=_pair(2), problems=[[3, "E_PI_CLOCK"]]),
        _accept(15, "clock-of-prose", "Between messages that make no record.",
                Made().user().message({"timestamp": 5}, role="user", content="x").calls("c1")
                .result("c1"), records=_pair(4), problems=[[3, "E_PI_CLOCK"]]),
        _accept(15, "clock-elsewhere", "On a branch that was left: no problem.",
                Made().calls("c1").message({"timestamp": 5}, role="user", content="x")
                .back("a1").result("c1"),
                records=[["call", "c1", 2, "bash"], ["result", "c1", 4, "ok"]]),
        _accept(17, "user-command", "A person ran a command.",
                Made().calls("c1").result("c1").message(role="bashExecution", command="ls",
                                                        output="x", exitCode=0),
                records=_pair(2), problems=[[4, "E_PI_USER_COMMAND"]],
                report={"messages": {"assistant": 1, "toolResult": 1, "bashExecution": 1}}),
        _accept(18, "origin", "Where a record stands; entries of version 1 have no name.",
                Made(1, "s9").calls("c1").result("c1"), records=_pair(2),
                fields={"origin": {"session": "s9", "line": 2}}),
    ]  # fmt: skip


def _time(name: str, given: Any, at: str) -> Vector:
    """Return a call of which the entry says *given*, and the message ten seconds past ten."""
    entry = {"timestamp": given}
    fallback = at == "2026-03-01T10:00:05.000000Z"
    return _accept(
        15,
        f"time-{name}",
        "A time as entries may write it.",
        Made().message(
            entry,
            role="assistant",
            content=[call("c1")],
            timestamp=1_772_359_205_000,
        ),
        records=[["call", "c1", 2, "bash"]],
        problems=[
            *([[2, "E_PI_TIME"]] if fallback and given is not ... else []),
            [2, "E_PI_UNANSWERED"],
        ],
        fields={"at": at},
    )


def _sums() -> list[Vector]:
    def spending(*totals: Any) -> Made:
        made = Made()
        for total in totals:
            made.turn(text("x"), stop="stop", usage=usage(total, input=3, cacheRead=5))
        return made

    def tokens(turns: int) -> dict[str, int]:
        return {"input": 3 * turns, "cache_read": 5 * turns}

    huge = spending(1).data().replace(b'"total":1}', b'"total":1e999}')
    return [
        _accept(16, "sum", "A tenth and two tenths are three tenths.", spending(0.1, 0.2),
                records=[], report={"usage": _spent(2, 0, "0.3", **tokens(2)),
                                    "models": {"maker/first": _spent(2, 0, "0.3", **tokens(2))},
                                    "providers": {"maker": 2}, "stop_reasons": {"stop": 2}}),
        _accept(16, "small", "One part in 10^18 is not lost beside a million.",
                spending(1_000_000, 1e-18), records=[],
                report={"usage": _spent(2, 0, "1000000.000000000000000001", **tokens(2))}),
        _accept(16, "zero", "Zero is a sum.", spending(0), records=[],
                report={"usage": _spent(1, 0, "0", **tokens(1))}),
        _accept(16, "unknown", "Unknown is none.", spending(None), records=[],
                report={"usage": _spent(1, 1, None, **tokens(1))}),
        _accept(16, "partly-unknown", "A lower bound.", spending(0.25, None), records=[],
                report={"usage": _spent(2, 1, "0.25", **tokens(2))}),
        _accept(16, "negative", "Nobody is paid for calls.", spending(0.25, -1), records=[],
                problems=[[3, "E_PI_COST"]],
                report={"usage": _spent(2, 1, "0.25", **tokens(2))}),
        _accept(16, "cost-text", "A cost that is text.", spending("1"), records=[],
                problems=[[2, "E_PI_COST"]],
                report={"usage": _spent(1, 1, None, **tokens(1))}),
        _accept(16, "cost-huge", "A cost beyond all money.", huge, records=[],
                problems=[[2, "E_PI_COST"]],
                report={"usage": _spent(1, 1, None, **tokens(1))}),
        _accept(16, "tokens-negative", "Tokens below zero.",
                Made().turn(text("x"), stop="stop", usage=usage(1, input=-1, output=4)),
                records=[], problems=[[2, "E_PI_COST"]],
                report={"usage": _spent(1, 0, "1", output=4)}),
        _accept(16, "outside-of-messages", "Usage of an entry that is no message, and of a tool.",
                Made().calls("c1").result("c1", usage=usage(0.5))
                .entry("usage", usage=usage(0.25)),
                records=_pair(2), report={"usage": _spent(2, 0, "0.75")}),
    ]  # fmt: skip


def _spent(
    turns: int = 0, unpriced: int = 0, cost: str | None = None, **tokens: int
) -> dict[str, Any]:
    said = {"turns": turns, "unpriced": unpriced, "cost_usd": cost}
    kinds = ("input", "output", "cache_read", "cache_write")
    return {**said, **dict.fromkeys(kinds, 0), **tokens}


def _example_records() -> list[dict[str, Any]]:
    base = {"phase": "agent", "actor": "agent", "source": "import:pi"}
    return [
        {"record": "call", "call_id": "c2", "tool": "read", "arguments": {"path": "notes"},
         "at": "2026-03-01T10:00:03.000000Z", "model": "first", "provider": "maker",
         "origin": {"session": "s1", "line": 4, "entry": "a3"}, **base},
        {"record": "result", "call_id": "c2", "status": "ok", "tool_name": "read",
         "result": {"text": "empty", "sha256": hashlib.sha256(b"empty").hexdigest(),
                    "truncated": False},
         "at": "2026-03-01T10:00:04.000000Z",
         "origin": {"session": "s1", "line": 5, "entry": "a4"}, **base},
    ]  # fmt: skip


if __name__ == "__main__":
    main()
