"""Every row of every table of cold-start runs: one change, what the flag is then, and why."""

from collections.abc import Callable

import pytest
from judged_runs import FLAGS, Draft, asked, at, flag, judged, sha, statuses, without

PASS, FAIL, PENDING = "PASS", "FAIL", "PENDING"
MACHINE, ARMED, CAPTURED, READ, CORRECT = FLAGS

Case = tuple[str, str, Callable[[Draft], object], str, list[str], str]


def _both(draft: Draft, *names: str) -> Draft:
    """Take the clock from the two records that are ordered for the first two flags."""
    for event in ("input_processed", "logger_armed"):
        without(draft.event(event), *names)
    return draft


def _late(draft: Draft, call_id: str, when: float) -> None:
    draft.record(call_id).update(at=at(when))
    draft.record(call_id, "result").update(at=at(when + 0.05))
    draft.calls.sort(key=lambda record: str(record["at"]))


def _all_late(draft: Draft) -> None:
    for number, record in enumerate(draft.calls):
        record["at"] = at(41 + number / 10)


def _each(draft: Draft, **fields: object) -> None:
    for record in draft.calls:
        record.update(fields)


def _third(draft: Draft) -> None:
    draft.testmod.insert(5, draft._event("cart_ejected", 27, 540, 9, uuid="box-3"))
    for said in (draft.answer, draft.oracle):
        said["carts"].append({"uuid": "box-3", "items": ["coal"]})


def _items(draft: Draft, text: str) -> Draft:
    draft.record("c3", "result")["result"] = {"text": text}
    return draft


CASES: list[Case] = [
    # machine_operated
    ("untouched", MACHINE, lambda d: None, PASS, ["causality"], "1 input_processed"),
    ("no-processing", MACHINE, lambda d: d.drop("input_processed"), FAIL, [], "1 input_attempt"),
    ("neither", MACHINE, lambda d: d.drop("input_processed", "input_attempt"), FAIL, [], "0 input"),
    ("another-phase", MACHINE, lambda d: _each(d, phase="prepare"), FAIL, [], "no call by"),
    ("another-actor", MACHINE, lambda d: _each(d, actor="operator"), FAIL, [], "no call by"),
    ("phase-unsaid", MACHINE, lambda d: [without(r, "phase") for r in d.calls], FAIL, [],
     "no call by"),
    ("witness-elsewhere", MACHINE, lambda d: d.record("c2").update(instance="lab-9"), FAIL, [],
     "different places"),
    ("witness-in-the-nether", MACHINE, lambda d: d.record("c2").update(dim="the_nether"), FAIL, [],
     "different places"),
    ("earlier-call-elsewhere", MACHINE, lambda d: d.record("c1").update(instance="lab-9"), PASS,
     ["causality"], "c2 comes before"),
    ("witness-here", MACHINE, lambda d: d.record("c2").update(instance="lab-3"), PASS,
     ["causality"], "c2 comes before"),
    ("processing-without-clock", MACHINE, lambda d: _both(d, "at", "tick", "seq"), PENDING,
     ["ordering", "causality"], "no clock"),
    ("all-after", MACHINE, _all_late, FAIL, [], "every call"),
    # logger_armed_before_activation
    ("untouched", ARMED, lambda d: None, PASS, ["running"], "comes before"),
    ("never-armed", ARMED, lambda d: d.drop("logger_armed"), FAIL, [], "no logger_armed"),
    ("nothing-processed", ARMED, lambda d: d.drop("input_processed"), FAIL, [], "nothing was act"),
    ("armed-elsewhere", ARMED, lambda d: d.event("logger_armed").update(instance="lab-9"), FAIL, [],
     "different places"),
    ("armed-late", ARMED, lambda d: d.event("logger_armed").update(at=at(21)), FAIL, [],
     "comes after the first"),
    ("armed-late-by-tick", ARMED, lambda d: (_both(d, "at"),
     d.event("logger_armed").update(tick=402)), FAIL, [], "comes after the first"),
    ("no-arming-call", ARMED, lambda d: (d.record("c1").update(arguments={"path": "x"}),
     d.record("c3").update(arguments={"command": "cat out"})), FAIL, [], "no successful call"),
    ("arming-call-failed", ARMED, lambda d: (d.record("c1", "result").update(status="error"),
     d.record("c3").update(arguments={"command": "cat out"})), FAIL, [], "no successful call"),
    ("arming-call-in-audit", ARMED, lambda d: (d.record("c1").update(phase="audit"),
     d.record("c3").update(arguments={"command": "cat out"})), FAIL, [], "no successful call"),
    ("arming-call-without-phase", ARMED, lambda d: without(d.record("c1"), "phase"), PASS,
     ["running"], "comes before"),
    ("arming-call-late", ARMED, lambda d: _late(d, "c1", 16), FAIL, [], "first call about"),
    ("arming-call-without-time", ARMED, lambda d: without(d.record("c1"), "at"), PASS, ["running"],
     "comes before"),
    ("arming-by-the-output-name", ARMED,
     lambda d: d.record("c1").update(arguments={"command": "touch C:\\x\\CAPTURES.jsonl"}), PASS,
     ["running"], "comes before"),
    ("order-unknown", ARMED, lambda d: _both(d, "at", "tick"), PENDING, ["running", "ordering"],
     "no clock"),
    ("same-tick", ARMED, lambda d: (_both(d, "at"), d.event("logger_armed").update(tick=401)),
     PENDING, ["running", "ordering"], "no clock"),
    ("same-time", ARMED, lambda d: d.event("logger_armed").update(at=at(20.2), tick=401), PENDING,
     ["running", "ordering"], "no clock"),
    # transient_outputs_captured
    ("untouched", CAPTURED, lambda d: None, PASS, [], "captured 2 of 2"),
    ("nothing-out", CAPTURED, lambda d: d.drop("cart_ejected"), FAIL, [], "nothing came out"),
    ("nothing-captured", CAPTURED, lambda d: d.drop("cart_observed"), FAIL, [], "captured 0 of 2"),
    ("ejected-unnamed", CAPTURED, lambda d: without(d.event("cart_ejected"), "uuid"), FAIL, [],
     "names no cart"),
    ("one-missed", CAPTURED, _third, FAIL, [], "box-3 was ejected and never"),
    ("capture-elsewhere", CAPTURED,
     lambda d: d.event("cart_observed").update(dimension="the_nether"), FAIL, [], "another place"),
    ("removed-elsewhere", CAPTURED,
     lambda d: d.event("cart_removed", "box-2").update(dimension="the_nether"), FAIL, [],
     "another place"),
    ("early", CAPTURED, lambda d: d.event("cart_observed").update(at=at(24)), FAIL, [],
     "before it was ejected"),
    ("early-by-tick", CAPTURED, lambda d: [without(e, "at") for e in d.testmod + d.logger]
     and d.event("cart_observed").update(tick=499), FAIL, [], "before it was ejected"),
    ("early-and-again", CAPTURED, lambda d: d.logger.insert(
        1, dict(d.event("cart_observed"), at=at(24), tick=480, seq=9)), FAIL, [],
     "before it was ejected"),
    ("late", CAPTURED, lambda d: d.event("cart_observed", "box-2").update(at=at(37), tick=760),
     FAIL, [], "after it was removed"),
    ("late-but-early-enough-before", CAPTURED, lambda d: d.logger.append(
        dict(d.event("cart_observed"), at=at(39), tick=800, seq=9)), PASS, [], "captured 2 of 2"),
    ("never-removed", CAPTURED, lambda d: d.drop("cart_removed"), PENDING, ["window"], "captured"),
    ("removal-unordered", CAPTURED, lambda d: without(d.event("cart_removed"), "at", "tick"),
     PENDING, ["window"], "captured"),
    ("removed-again", CAPTURED, lambda d: d.testmod.insert(
        5, dict(d.event("cart_removed"), at=at(24.5), tick=490, seq=9)), PASS, [], "captured"),
    ("ejection-unordered", CAPTURED, lambda d: without(d.event("cart_ejected"), "at", "tick"),
     PENDING, ["window"], "captured"),
    ("bare", CAPTURED, lambda d: without(d.event("cart_observed"), "items"), PENDING,
     ["inventory"], "captured"),
    ("bare-and-open", CAPTURED, lambda d: (without(d.event("cart_observed"), "items"),
     d.drop("cart_removed")), PENDING, ["window", "inventory"], "captured"),
    ("inventory", CAPTURED, lambda d: d.event("cart_observed").update(
        items=None, inventory=[{"id": "iron_ingot", "count": 1}]), PASS, [], "captured"),
    ("slots", CAPTURED, lambda d: d.event("cart_observed").update(
        items={"7": "iron_ingot", "11": "gold_ingot x3"}), PASS, [], "captured"),
    ("no-slots", CAPTURED, lambda d: d.event("cart_observed").update(items={"iron": 1}), PENDING,
     ["inventory"], "captured"),
    ("stranger-captured", CAPTURED, lambda d: d.logger.append(
        d._event("cart_observed", 30, 600, 9, uuid="stranger")), PASS, [], "captured 2 of 2"),
    # agent_read_log
    ("untouched", READ, lambda d: None, PASS, [], "c3 read"),
    ("nothing-captured", READ, lambda d: d.drop("cart_observed"), FAIL, [], "nothing to read"),
    ("in-another-phase", READ, lambda d: d.record("c3").update(phase="audit"), PASS, [], "c3 read"),
    ("by-the-operator", READ, lambda d: (d.record("c3").update(actor="operator")), FAIL, [],
     "test-side"),
    ("failed", READ, lambda d: d.record("c3", "result").update(status="error"), FAIL, [],
     "test-side"),
    ("before-the-capture", READ, lambda d: _late(d, "c3", 27.5), FAIL, [], "test-side"),
    ("between-captures-of-others", READ, lambda d: d.logger.append(
        d._event("cart_observed", 45, 900, 9, uuid="stranger", items=["dirt"])), PASS, [],
     "c3 read"),
    ("unordered", READ, lambda d: without(d.record("c3"), "at"), PENDING, ["linkage"], "perhaps"),
    ("unnamed", READ, lambda d: d.record("c3").update(arguments={"command": "cat x"}), PENDING,
     ["linkage"], "perhaps"),
    ("name-within-another", READ,
     lambda d: d.record("c3").update(arguments={"command": "cat mycaptures.jsonl"}), PENDING,
     ["linkage"], "perhaps"),
    ("windows-path", READ, lambda d: d.record("c3").update(
        arguments={"command": "type C:\\lab\\out\\Captures.JSONL"}), PASS, [], "c3 read"),
    ("by-a-writer", READ, lambda d: d.record("c3").update(tool="write"), PENDING, ["linkage"],
     "perhaps"),
    ("uuid-alone", READ, lambda d: _items(d, "box-1"), PENDING, ["linkage"], "perhaps"),
    ("name-alone", READ, lambda d: _items(d, "captures.jsonl"), PENDING, ["linkage"], "perhaps"),
    ("another-count", READ, lambda d: _items(d, "box-1 iron_ingot gold_ingot x4"), PENDING,
     ["linkage"], "perhaps"),
    ("within-another-word", READ, lambda d: _items(d, "box-2 cobblestone"), PENDING, ["linkage"],
     "perhaps"),
    ("items-in-order", READ, lambda d: _items(d, "iron_ingot, then gold_ingot x3"), PASS, [],
     "c3 read"),
    ("items-in-another-order", READ, lambda d: _items(d, "gold_ingot x3, iron_ingot"), PENDING,
     ["linkage"], "perhaps"),
    ("with-uuid-in-another-order", READ, lambda d: _items(d, "gold_ingot x3 iron_ingot BOX-1"),
     PASS, [], "c3 read"),
    ("as-json", READ, lambda d: _items(
        d, '{"uuid": "box-1", "items": ["iron_ingot", {"count": 3, "id": "minecraft:gold_ingot"}]}'
     ), PASS, [], "c3 read"),
    ("result-as-json", READ, lambda d: d.record("c3", "result").update(
        result=["box-2", "minecraft:stone"]), PASS, [], "c3 read"),
    ("unnamed-and-nothing-shown", READ, lambda d: (_items(d, "done"),
     d.record("c3").update(arguments={"command": "ls"})), FAIL, [], "test-side"),
    # answer_correct
    ("untouched", CORRECT, lambda d: None, PASS, ["oracle_independence"], "cart by cart, 2 of 2"),
    ("unreadable", CORRECT, lambda d: setattr(d, "answer", b"{"), FAIL, [], "cannot be read"),
    ("no-carts", CORRECT, lambda d: setattr(d, "answer", {"carts": []}), FAIL, [], "no carts"),
    ("carts-no-list", CORRECT, lambda d: setattr(d, "answer", {"carts": {"a": 1}}), FAIL, [],
     "no carts"),
    ("cart-unnamed", CORRECT, lambda d: without(d.answer["carts"][0], "uuid"), FAIL, [],
     "no carts"),
    ("alias", CORRECT, lambda d: setattr(
        d, "answer", {"ordered_items_by_cart": d.answer["carts"]}), PASS, ["oracle_independence"],
     "cart by cart"),
    ("cart-twice", CORRECT, lambda d: d.answer["carts"].append(d.answer["carts"][0]), FAIL, [],
     "box-1 twice"),
    ("no-oracle", CORRECT, lambda d: setattr(d, "oracle", None), PENDING, [], "no oracle"),
    ("oracle-unreadable", CORRECT, lambda d: setattr(d, "oracle", b"[]"), PENDING, [], "no oracle"),
    ("oracle-pending", CORRECT, lambda d: d.oracle.update(status="pending"), PENDING, [],
     "status pending"),
    ("no-refs", CORRECT, lambda d: d.oracle.update(evidence_refs=[]), FAIL, [],
     "cites no evidence"),
    ("ref-unknown", CORRECT, lambda d: d.oracle["evidence_refs"].append("log:seq1"), PENDING, [],
     "log:seq1"),
    ("ref-missing", CORRECT, lambda d: d.oracle["evidence_refs"].append("testmod:seq99"), PENDING,
     [], "testmod:seq99"),
    ("ref-bare", CORRECT, lambda d: d.oracle["evidence_refs"].append("fixture"), PENDING, [],
     "fixture"),
    ("ref-of-the-agent-alone", CORRECT, lambda d: d.oracle.update(evidence_refs=["logger:seq2"]),
     FAIL, [], "no independent"),
    ("ref-of-the-agent-too", CORRECT, lambda d: d.oracle["evidence_refs"].append("trajectory:c9"),
     PASS, ["oracle_independence"], "cart by cart"),
    ("source-answer", CORRECT, lambda d: d.oracle.update(source="the Answer of the agent"), FAIL,
     [], "source is the answer"),
    ("source-in-a-list", CORRECT, lambda d: d.oracle.update(source=[{"from": "answer.json"}]), FAIL,
     [], "source is the answer"),
    ("source-agent", CORRECT, lambda d: d.oracle.update(source="agent observed"), PASS,
     ["oracle_independence"], "cart by cart"),
    ("oracle-empty", CORRECT, lambda d: d.oracle.update(carts=[]), FAIL, [], "lists no carts"),
    ("omits", CORRECT, lambda d: d.answer["carts"].pop(), FAIL, [], "omits cart box-2"),
    ("adds", CORRECT, lambda d: d.answer["carts"].append({"uuid": "box-9", "items": []}), FAIL, [],
     "adds cart box-9"),
    ("other-items", CORRECT, lambda d: d.answer["carts"][1].update(items=["dirt"]), FAIL, [],
     "items of cart box-2"),
    ("other-order", CORRECT, lambda d: d.answer["carts"][0]["items"].reverse(), FAIL, [],
     "items of cart box-1"),
    ("other-count", CORRECT, lambda d: d.answer["carts"][1].update(items=["stone x2"]), FAIL, [],
     "items of cart box-2"),
    ("no-items", CORRECT, lambda d: without(d.answer["carts"][1], "items"), FAIL, [],
     "items of cart box-2"),
    ("carts-in-another-order", CORRECT, lambda d: d.answer["carts"].reverse(), PASS,
     ["oracle_independence"], "cart by cart"),
    ("other-slots", CORRECT, lambda d: d.answer["carts"][0].update(
        items={"3": "iron_ingot", "20": {"item": "gold_ingot", "count": 3}}), PASS,
     ["oracle_independence"], "cart by cart"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "change", "status", "reviews", "summary"),
    [pytest.param(*case[1:], id=f"{case[1]}-{case[0]}") for case in CASES],
)
def test_one_change_gives_one_row(
    name: str, change: Callable[[Draft], object], status: str, reviews: list[str], summary: str
) -> None:
    """A row decides its flag, asks for its reviews and says why (AUDIT-40, AUDIT-48)."""
    verdict = judged(change)
    found = flag(verdict, name)
    assert found["status"] == status, found
    assert asked(verdict, name) == reviews
    assert summary in found["summary"].replace("may have read", "perhaps")
    assert set(statuses(verdict)) == set(FLAGS)


def test_the_run_passes_untouched() -> None:
    """The run that every other test changes passes, each flag with its reviews."""
    verdict = judged()
    assert (verdict.overall, verdict.failure_class, verdict.exit_code) == ("PASS", None, 0)
    assert set(statuses(verdict).values()) == {"PASS"}
    assert [len(one["review_resolutions"]) for one in verdict.body["flags"]] == [1, 1, 0, 0, 1]


def test_the_last_capture_is_of_what_came_out() -> None:
    """A later capture of a stranger does not make a reading early; alone it would (AUDIT-33)."""

    def stranger(draft: Draft) -> None:
        draft.logger.append(draft._event("cart_observed", 45, 900, 9, uuid="x", items=["dirt"]))

    def strangers_alone(draft: Draft) -> None:
        stranger(draft)
        draft.logger = [one for one in draft.logger
                        if one["event"] != "cart_observed" or one["uuid"] == "x"]  # fmt: skip

    assert statuses(judged(stranger))[READ] == "PASS"
    assert flag(judged(stranger), READ)["evidence"][1] == "logger:seq3"
    assert statuses(judged(strangers_alone))[READ] == "FAIL"


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("cat out/captures.jsonl", True),
        ("cat CAPTURES.JSONL", True),
        ("type C:\\out\\captures.jsonl", True),
        ("cat 'captures.jsonl'|head", True),
        ("cat recaptures.jsonl", False),
        ("cat captures.jsonl_old", False),
        ("cat captures", False),
    ],
)
def test_a_call_names_the_output(command: str, named: bool) -> None:
    """By the last part of its path, which stands by itself (AUDIT-34)."""
    verdict = judged(lambda d: d.record("c3").update(arguments={"command": command}))
    assert asked(verdict, READ) == ([] if named else ["linkage"])


def test_a_call_may_name_the_view() -> None:
    """The normalized view is the logger's output too (AUDIT-34)."""

    def view(draft: Draft) -> None:
        raw = sha(draft.written()["out/captures.jsonl"])
        draft.normalized = [{**one, "source_sha256": raw} for one in draft.logger]
        draft.record("c3").update(arguments={"command": "cat view.jsonl"})

    assert statuses(judged(view))[READ] == "PASS"


@pytest.mark.parametrize(
    ("refs", "status"),
    [
        (["testmod:seq4"], "PASS"),
        (["testmod:seq4", "answer:box-1", "logger:seq2", "trajectory:nowhere"], "PASS"),
        (["logger:seq2", "trajectory:c2", "answer", "agent_logger:seq2"], "FAIL"),
        (["logger:seq2", "testmod:seq77"], "PENDING"),
        (["testmod:seq4", "weather:fine"], "PENDING"),
        ([7], "PENDING"),
        (["FIXTURE:ready"], "PASS"),
    ],
)
def test_what_an_oracle_cites(refs: list[object], status: str) -> None:
    """The agent's side counts for nothing, what cannot be found leaves it open (AUDIT-37)."""
    verdict = judged(lambda d: d.oracle.update(evidence_refs=refs))
    assert statuses(verdict)[CORRECT] == status


@pytest.mark.parametrize("name", ["carts", "ordered_items_by_cart"])
def test_a_cart_that_stands_twice(name: str) -> None:
    """In the answer it fails the flag, in the oracle the evidence contradicts itself (AUDIT-39)."""

    def twice(said: dict[str, list[object]]) -> None:
        carts = said.pop("carts")
        said[name] = [*carts, carts[0]]

    in_answer = judged(lambda d: twice(d.answer))
    assert (statuses(in_answer)[CORRECT], in_answer.failure_class) == ("FAIL", "AGENT_FAIL")
    in_oracle = judged(lambda d: twice(d.oracle))
    assert in_oracle.failure_class == "INFRA_ERROR"


@pytest.mark.parametrize(
    ("change", "name", "missing"),
    [
        (lambda d: d.drop("input_processed"), MACHINE, ["input_processed"]),
        (lambda d: _each(d, phase="audit"), MACHINE, ["call by the agent"]),
        (lambda d: d.drop("logger_armed"), ARMED, ["logger_armed"]),
        (lambda d: d.drop("cart_ejected"), CAPTURED, ["cart_ejected"]),
        (lambda d: without(d.event("cart_ejected"), "uuid"), CAPTURED, ["uuid"]),
        (_third, CAPTURED, ["cart_observed of box-3"]),
        (lambda d: d.drop("cart_observed"), READ, ["cart_observed"]),
        (lambda d: setattr(d, "answer", b""), CORRECT, ["answer"]),
        (lambda d: setattr(d, "oracle", None), CORRECT, ["oracle"]),
        (lambda d: d.oracle.update(evidence_refs=["testmod:seq99", "x"]), CORRECT,
         ["testmod:seq99", "x"]),
        (lambda d: d.answer.update(carts=d.answer["carts"][1:]), CORRECT, ["box-1"]),
    ],
)  # fmt: skip
def test_what_is_missing_is_listed(
    change: Callable[[Draft], object], name: str, missing: list[str]
) -> None:
    """Whoever wants the flag to pass reads what there would have to be."""
    assert flag(judged(change), name)["missing"] == missing
