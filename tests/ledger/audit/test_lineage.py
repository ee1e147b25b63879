"""Who made what from what: by digest, with the ends of lines told apart, and never by a label."""

import json
from collections.abc import Callable

import pytest
from judged_runs import FLAGS, TASK, Draft, Json, at, flag, judged, sha, statuses

CORRECT = FLAGS[4]
ANSWER, ORACLE, MOD, LOG = (
    "evidence/answer.json",
    "evidence/oracle.json",
    "test/mod.jsonl",
    "out/captures.jsonl",
)


def made(output: str, *inputs: str, producer: str = "operator", crlf: bool = False,
         named: str | None = None) -> Callable[[Draft], None]:  # fmt: skip
    """Record that a file was made from others, as they are when the run is judged.

    Args:
        output: Path of what was made.
        inputs: Paths of what it was made from.
        producer: Who had it made.
        crlf: Whether inputs are named by the digest that they have with CR LF.
        named: A digest that takes the place of the inputs' own.
    """

    def change(draft: Draft) -> None:
        def later(files: dict[str, bytes]) -> None:
            def pin(path: str, *, ended: bool) -> Json:
                data = files.get(path, b"elsewhere")
                data = data.replace(b"\n", b"\r\n") if ended else data
                stated = named if named is not None and path != output else sha(data)
                return {"path": path, "sha256": stated}

            said = {
                "output": pin(output, ended=False),
                "inputs": [pin(path, ended=crlf) for path in inputs],
                "tool": "make.py",
                "producer": producer,
                "at": at(52),
            }
            files["derivations.jsonl"] = (
                files.get("derivations.jsonl", b"") + json.dumps(said).encode() + b"\n"
            )

        draft.later.append(later)

    return change


def pretty(draft: Draft) -> None:
    """Let answer and oracle have lines, so that these can end in two ways."""
    draft.answer = json.dumps(draft.answer, indent=1).encode()
    draft.oracle = json.dumps(draft.oracle, indent=1).encode()


def test_an_independent_oracle() -> None:
    """An oracle made from the test mod's events stands, and its making is shown (AUDIT-60)."""
    verdict = judged(made(ORACLE, MOD, producer="operator"))
    assert verdict.overall == "PASS"
    lineage = verdict.body["lineage"]
    (step,) = lineage["oracle"]
    assert (step["tool"], step["producer"], step["by"]) == ("make.py", "operator", "derivation")
    assert [(one["role"], one["equal"]) for one in step["inputs"]] == [("test_mod", "raw")]
    assert (lineage["from_answer"], lineage["by_agent"]) == (None, [])


def test_an_oracle_made_from_the_answer_fails() -> None:
    """A copy of the answer proves nothing about it (AUDIT-61)."""
    verdict = judged(made(ORACLE, ANSWER))
    assert flag(verdict, CORRECT)["status"] == "FAIL"
    assert "made from the agent's answer" in flag(verdict, CORRECT)["summary"]
    assert verdict.body["lineage"]["from_answer"] == ANSWER


def test_an_oracle_made_from_the_answer_by_detours_fails() -> None:
    """However many files lie between (AUDIT-61)."""
    middle = made("work/middle.json", ANSWER)
    verdict = judged(middle, made(ORACLE, "work/middle.json", MOD))
    assert statuses(verdict)[CORRECT] == "FAIL"
    assert len(verdict.body["lineage"]["oracle"]) == 2


def test_an_oracle_made_from_another_form_of_the_answer_fails() -> None:
    """Line ends hide nothing; what is equal is computed and said (AUDIT-60, AUDIT-61)."""
    verdict = judged(pretty, made(ORACLE, ANSWER, crlf=True))
    assert statuses(verdict)[CORRECT] == "FAIL"
    (step,) = verdict.body["lineage"]["oracle"]
    assert [(one["role"], one["equal"]) for one in step["inputs"]] == [("answer", "canonical")]


def test_an_oracle_made_from_an_earlier_answer_fails() -> None:
    """The answer's own path with other bytes is an earlier answer (AUDIT-60, AUDIT-61)."""
    verdict = judged(made(ORACLE, ANSWER, named="ab" * 32))
    assert statuses(verdict)[CORRECT] == "FAIL"
    (step,) = verdict.body["lineage"]["oracle"]
    assert [one["equal"] for one in step["inputs"]] == ["different"]


@pytest.mark.parametrize("crlf", [False, True])
def test_an_oracle_with_the_bytes_of_the_answer_fails(crlf: bool) -> None:
    """Also where the copy got other line ends on its way (AUDIT-61)."""

    def copy(draft: Draft) -> None:
        said = {**draft.oracle, "carts": draft.oracle["carts"]}
        draft.oracle = json.dumps(said, indent=1).encode()
        draft.answer = draft.oracle.replace(b"\n", b"\r\n") if crlf else draft.oracle

    verdict = judged(copy)
    assert statuses(verdict)[CORRECT] == "FAIL"
    assert verdict.body["lineage"]["from_answer"] == ANSWER


@pytest.mark.parametrize(
    ("steps", "by_agent"),
    [
        ([made(MOD, "raw.log", producer="agent")], ["test_mod"]),
        ([made("half.jsonl", "raw.log", producer="agent"), made(MOD, "half.jsonl")], ["test_mod"]),
        ([made(MOD, LOG)], ["test_mod"]),
        ([made(MOD, "raw.log", producer="operator")], []),
        ([made(ORACLE, MOD, producer="agent")], ["oracle"]),
        ([made("evidence/fixture.json", "raw.log", producer="agent")], ["fixture"]),
    ],
)
def test_evidence_that_the_agent_had_a_hand_in(
    steps: list[Callable[[Draft], None]], by_agent: list[str]
) -> None:
    """It is listed, and is no independent evidence (AUDIT-38, AUDIT-62)."""

    def cite(draft: Draft) -> None:
        draft.oracle["evidence_refs"] = ["testmod:seq4"]

    verdict = judged(cite, *steps)
    assert verdict.body["lineage"]["by_agent"] == by_agent
    expected = "FAIL" if by_agent == ["test_mod"] else "PASS"
    assert statuses(verdict)[CORRECT] == expected
    if expected == "FAIL":
        assert flag(verdict, CORRECT)["needs_review"] == ["the agent had a hand in test_mod"]


@pytest.mark.parametrize("slot", ["agent_logger", "answer"])
def test_a_file_of_the_agent_is_no_independent_evidence(slot: str) -> None:
    """Whatever else a file is declared as, its bytes are still the agent's (AUDIT-62)."""

    def declare(draft: Draft) -> None:
        draft.oracle["evidence_refs"] = ["fixture:box-1"]
        draft.derivations = None

        def later(files: dict[str, bytes]) -> None:
            said = json.loads(files["evidence.json"])
            said["fixture"] = said["answer"]
            if slot == "agent_logger":
                said["test_mod"] = said["agent_logger"]
            files["evidence.json"] = json.dumps(said).encode()

        draft.later.append(later)

    verdict = judged(declare)
    expected = ["fixture"] if slot == "answer" else ["fixture", "test_mod"]
    assert verdict.body["lineage"]["by_agent"] == expected
    assert statuses(verdict)[CORRECT] == "FAIL"


def test_one_independent_reference_is_enough() -> None:
    """The fixture is nobody's but the test's (AUDIT-38)."""
    assert statuses(judged(made(MOD, "raw.log", producer="agent")))[CORRECT] == "PASS"


def test_views_and_imports_are_in_the_lineage() -> None:
    """What was made otherwise is shown too, without folders of where it came from (AUDIT-63)."""

    def change(draft: Draft) -> None:
        raw = draft.written()[LOG]
        draft.normalized = [{**one, "source_sha256": sha(raw)} for one in draft.logger]
        draft.files["imports/session.jsonl"] = b"{}\n"
        draft.run["imports"] = [{"path": "imports/session.jsonl", "sha256": sha(b"{}\n"),
                                 "source": "C:\\Users\\me\\session.jsonl"}]  # fmt: skip

    view, copied = judged(change).body["lineage"]["made"]
    assert (view["by"], view["output"]["role"], view["inputs"][0]["role"]) == (
        "source_sha256",
        "normalized",
        "agent_logger",
    )
    assert (copied["by"], copied["inputs"][0]["path"]) == ("import", "session.jsonl")


def test_withheld_derivations_leave_the_oracle_open() -> None:
    """Nobody knows then where it comes from (AUDIT-64)."""
    verdict = judged(
        made(ORACLE, MOD), lambda d: d.withheld.update({"derivations.jsonl": {"reason": "names"}})
    )
    assert statuses(verdict)[CORRECT] == "PENDING"
    assert verdict.body["lineage"]["withheld"] == "derivations.jsonl"


def test_more_derivations_than_are_followed() -> None:
    """The one that nobody reads may be the one that names the answer (AUDIT-61)."""

    def flood(more: int) -> Callable[[Draft], None]:
        def change(draft: Draft) -> None:
            pin = {"path": "elsewhere", "sha256": sha(b"elsewhere")}
            one = {"output": pin, "inputs": [pin], "tool": "t", "producer": "test", "at": at(50)}
            draft.derivations = [one] * (9_999 + more)

        return change

    honest, hidden = judged(flood(1)), judged(flood(1), made(ORACLE, ANSWER))
    assert (honest.overall, honest.body["infra_errors"]) == ("PASS", [])
    assert (hidden.overall, hidden.failure_class) == ("FAIL", "INFRA_ERROR")
    assert "too many to follow" in hidden.body["infra_errors"][0]
    assert statuses(judged(flood(0), made(ORACLE, ANSWER)))[CORRECT] == "FAIL"


def test_a_circle_of_derivations_ends() -> None:
    """Records can say anything; what was walked is not walked again."""
    verdict = judged(made(ORACLE, MOD), made(MOD, ORACLE))
    assert len(verdict.body["lineage"]["oracle"]) == 2
    assert verdict.overall == "PASS"


def test_declared_digests_are_compared() -> None:
    """Every input says how it stands to what named it, computed each time (AUDIT-60)."""

    def change(draft: Draft) -> None:
        pretty(draft)
        draft.later.append(
            lambda files: files.update({ANSWER: files[ANSWER].replace(b"\n", b"\r\n")})
        )
        draft.later.append(lambda files: files.update({"task.md": TASK + b"more"}))

    verdict = judged(change)
    equal = {one["role"]: one["equal"] for one in verdict.body["inputs"]}
    assert (equal["answer"], equal["oracle"], equal["task"]) == ("canonical", "raw", "different")
    assert (equal["manifest"], verdict.failure_class) == (None, "INFRA_ERROR")
    assert any("line ends alone" in one for one in verdict.body["infra_errors"])
    assert statuses(verdict)[CORRECT] == "FAIL"


def test_copies_of_what_was_visible_are_compared() -> None:
    """Each with the digest that visibility.json gives (AUDIT-60)."""

    def change(draft: Draft) -> None:
        seen = {"path": "docs/a.md", "sha256": sha(b"a\n"), "copy": "visibility/files/a.md"}
        draft.files["visibility/files/a.md"] = b"a\r\n"
        draft.files["visibility.json"] = json.dumps(
            {"schema": "mc-agent-coldstart-visibility/1", "file_count": 1, "files": [seen]}
        ).encode()

    (copy,) = [one for one in judged(change).body["inputs"] if one["role"] == "visible"]
    assert (copy["declared"], copy["equal"]) == (sha(b"a\n"), "canonical")


@pytest.mark.parametrize("name", ["fixture", "restore", "preflight"])
def test_documents_that_the_agent_had_a_hand_in(name: str) -> None:
    """Nothing that the agent made bears out the oracle, whatever it is called (AUDIT-38)."""

    def cite(draft: Draft) -> None:
        draft.preflight = {"overall": "PASS", "harness": draft.run["harness"], "checks": [
            {"id": "ports", "status": "PASS"},
            {"id": "lab_management", "status": "PASS",
             "versions": {"serverPort": 1, "rconPort": 2}}]}  # fmt: skip
        word = {"fixture": "ready", "restore": "ok", "preflight": "PASS"}[name]
        draft.oracle["evidence_refs"] = [f"{name}:{word}"]

    path = f"evidence/{name}.json"
    assert statuses(judged(cite))[CORRECT] == "PASS"
    assert statuses(judged(cite, made(path, "raw.log", producer="agent")))[CORRECT] == "FAIL"
    assert statuses(judged(cite, made(path, "raw.log", producer="test")))[CORRECT] == "PASS"
