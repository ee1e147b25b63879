"""Where a run happened: its configuration, who vouches for its context, who read the task."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from judged_runs import TASK, Draft, Json, at, judged, sha

CONFIG = b'{\n "name": "pi"\n}\n'
REPORT = "evidence/preflight.json"


def mark(name: str, **data: Any) -> Callable[[Draft], object]:
    """Add a mark."""
    said = {"record": "mark", "name": name, "actor": "operator", "at": at(1), "data": data}
    return lambda draft: draft.marks.append(said)


def late_mark(name: str, **data: Any) -> Callable[[Draft], object]:
    """Add a mark behind the calls of the agent."""
    said = {"record": "mark", "name": name, "actor": "operator", "at": at(50), "data": data}
    return lambda draft: draft.calls.append(said)


def report(**fields: Any) -> Callable[[Draft], object]:
    """Declare a preflight that passed, with further fields."""

    def declare(draft: Draft) -> None:
        lab = {"id": "lab_management", "status": "PASS",
               "versions": {"serverPort": 1, "rconPort": 2}}  # fmt: skip
        checks = [{"id": "ports", "status": "PASS"}, lab]
        draft.preflight = {"overall": "PASS", "harness": draft.run["harness"], "checks": checks,
                           **fields}  # fmt: skip

    return declare


def stored(data: bytes) -> Callable[[Draft], object]:
    """Keep a copy of the configuration."""
    return lambda draft: draft.files.update({"preflight/config.json": data})


def preflight_of(*changes: Callable[[Draft], object]) -> Json:
    """Return what the verdict says of the environment."""
    said: Json = judged(*changes).body["context"]["preflight"]
    return said


def test_one_configuration_everywhere() -> None:
    """Report, copy and mark say the same, and the verdict shows which it was (AUDIT-65)."""
    changes = [
        report(config_sha256=sha(CONFIG), effective_sha256="e" * 64),
        stored(CONFIG),
        mark("harness_preflight", config_sha256=sha(CONFIG), effective_sha256="e" * 64),
    ]
    verdict = judged(*changes)
    assert (verdict.overall, verdict.body["infra_errors"]) == ("PASS", [])
    said = preflight_of(*changes)
    assert (said["config_sha256"], said["effective_sha256"]) == (sha(CONFIG), "e" * 64)
    assert [one["equal"] for one in said["stored"]] == ["raw"]


@pytest.mark.parametrize(
    ("changes", "mentions"),
    [
        ([report(config_sha256=sha(CONFIG)), stored(CONFIG + b" ")], "preflight/config.json"),
        ([report(config_sha256=sha(CONFIG)), mark("harness_preflight", config_sha256="f" * 64)],
         "a harness_preflight mark"),
        ([report(effective_sha256="e" * 64), mark("harness_preflight", effective_sha256="f" * 64)],
         "effective_sha256"),
        ([mark("harness_preflight", config_sha256="e" * 64),
          late_mark("harness_preflight", config_sha256="f" * 64)], "config_sha256"),
        ([late_mark("harness_preflight", config_sha256="e" * 64),
          late_mark("harness_preflight", config_sha256="f" * 64)], "config_sha256"),
        ([mark("clean_context", by="nobody")] * 65, "1 more marks"),
        ([mark("harness_preflight", config_sha256="e" * 64), stored(CONFIG)], "config.json"),
    ],
)  # fmt: skip
def test_a_configuration_that_changed(
    changes: list[Callable[[Draft], object]], mentions: str
) -> None:
    """What the agent ran under is not what was checked (AUDIT-65)."""
    verdict = judged(*changes)
    assert verdict.failure_class == "INFRA_ERROR"
    assert any(mentions in one for one in verdict.body["infra_errors"])


def test_a_configuration_is_mended_before_the_agent_begins() -> None:
    """The last preflight before the first call is the one that counts (AUDIT-65)."""
    before = [mark("harness_preflight", config_sha256=one * 64) for one in "ef"]
    last = mark("harness_preflight", config_sha256=sha(CONFIG))
    again = late_mark("harness_preflight", config_sha256=sha(CONFIG))
    verdict = judged(*before, last, again, stored(CONFIG), report(config_sha256=sha(CONFIG)))
    assert verdict.body["infra_errors"] == []
    said = judged(*before, last).body["context"]["preflight"]
    assert said["config_sha256"] == sha(CONFIG)
    stale = judged(*before, last, report(config_sha256="f" * 64))
    assert stale.failure_class == "INFRA_ERROR"


def test_line_ends_of_a_configuration() -> None:
    """A copy that differs in line ends alone is the same, and the verdict says how (AUDIT-65)."""
    changes = [report(config_sha256=sha(CONFIG.replace(b"\n", b"\r\n"))), stored(CONFIG)]
    assert judged(*changes).body["infra_errors"] == []
    assert [one["equal"] for one in preflight_of(*changes)["stored"]] == ["canonical"]


def test_nothing_was_stated() -> None:
    """A run without a preflight is judged all the same."""
    said = preflight_of()
    assert said == {"config_sha256": None, "effective_sha256": None, "marks": [], "stored": [],
                    "withheld": None}  # fmt: skip


def test_marks_name_the_report() -> None:
    """Which mark is of the report that is declared is computed."""
    changes = [
        report(),
        lambda d: mark("harness_preflight", overall="PASS",
                       report_sha256=sha(d.written()[REPORT]))(d),
        mark("harness_preflight", overall="FAIL", report_sha256="a" * 64),
    ]  # fmt: skip
    assert [(one["overall"], one["equal"]) for one in preflight_of(*changes)["marks"]] == [
        ("PASS", "raw"),
        ("FAIL", "different"),
    ]


def test_a_clean_context_is_vouched_for() -> None:
    """Who says so, and what; where nobody does the list is empty (AUDIT-66)."""
    assert judged().body["context"]["clean_context"] == []
    verdict = judged(mark("clean_context", by="ada", statements=["no_standard_answer", 7, ""]))
    (said,) = verdict.body["context"]["clean_context"]
    assert (said["by"], said["actor"], said["statements"]) == (
        "ada",
        "operator",
        ["no_standard_answer"],
    )
    assert len(said["sha256"]) == 2 * hashlib.sha256().digest_size


@pytest.mark.parametrize(
    ("result", "equal"),
    [
        ({"text": TASK.decode()}, "raw"),
        ({"text": TASK.decode().replace("\n", "\r\n")}, "canonical"),
        ({"text": "cut", "sha256": sha(TASK)}, "raw"),
        ({"text": "cut", "sha256": sha(TASK.replace(b"\n", b"\r\n"))}, "canonical"),
        (TASK.decode(), "raw"),
        ({"text": TASK.decode() + "\n"}, None),
        ({"text": "cut", "sha256": "0" * 64}, None),
    ],
)
def test_where_the_task_was_read(result: Any, equal: str | None) -> None:
    """By its digest, stated or computed, as it is or but for line ends (AUDIT-67)."""

    def read(draft: Draft) -> None:
        draft.call("c0", "read", {"path": "task.md"}, 3, "")
        draft.record("c0", "result")["result"] = result

    found = judged(read).body["context"]["task_read"]
    assert found == ([] if equal is None else [{"ref": "trajectory:c0", "equal": equal}])


def test_a_call_that_cannot_read_read_no_task() -> None:
    """Only reading tools are asked (AUDIT-67)."""

    def write(draft: Draft) -> None:
        draft.call("c0", "write", {"path": "x"}, 3, TASK.decode())

    assert judged(write).body["context"]["task_read"] == []
