"""Reviews: which counts, what it makes of a flag, and what it can never do."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from judged_runs import (
    CAUSALITY,
    FLAGS,
    INDEPENDENCE,
    RUNNING,
    Draft,
    flag,
    judged,
    lines_of,
    statuses,
)

from ledger.audit import Signed, Verdict
from ledger.audit.asked import flags_of
from ledger.audit.document import document, page

MACHINE = FLAGS[0]
AT = "2026-05-01T00:00:00.000000Z"


def mechanical_of(verdict: Verdict) -> bytes:
    """Return the digest that a signed review of the first flag binds, 32 bytes."""
    flags = flags_of(verdict.data)
    assert flags is not None
    return flags[MACHINE].mechanical


def add(*entries: Any) -> Callable[[Draft], object]:
    """Add entries behind those that there are."""
    return lambda draft: draft.reviews.extend(entries)


def none(draft: Draft) -> None:
    """Take every review away."""
    draft.reviews = []


def signed(verdict: Verdict, status: Any = "resolved", **fields: Any) -> Signed:
    """Return a signed review of the causality, made in view of *verdict*."""
    said: dict[str, Any] = {
        "id": CAUSALITY,
        "status": status,
        "by": "key 7",
        "at": AT,
        "note": "watched the replay",
        "refs": ("trajectory:c2",),
        "mechanical": mechanical_of(verdict),
        **fields,
    }
    return Signed(**said)


def test_without_reviews_a_pass_waits() -> None:
    """The mechanical pass is shown, and counts once its reviews are resolved (AUDIT-53)."""
    verdict = judged(none)
    assert verdict.overall == "PENDING"
    assert statuses(verdict) == dict(
        zip(FLAGS, ["PENDING", "PENDING", "PASS", "PASS", "PENDING"], strict=True)
    )
    found = flag(verdict, MACHINE)
    assert (found["mechanical"]["status"], found["missing"]) == ("PASS", [CAUSALITY])
    assert "waits for review" in found["summary"]
    assert found["review_resolutions"] == []


@pytest.mark.parametrize(
    ("entries", "status"),
    [
        ([("resolved", "trajectory:c2"), ("rejected", "trajectory:c2")], "FAIL"),
        ([("rejected", "trajectory:c2"), ("resolved", "trajectory:c2")], "PASS"),
        ([("resolved", "trajectory:c2"), ("pending", "trajectory:c2")], "PENDING"),
        ([("rejected", "nowhere:1")], "FAIL"),
        ([("pending", "nowhere:1")], "PENDING"),
    ],
)
def test_the_last_one_counts(entries: list[tuple[str, str]], status: str) -> None:
    """Of several entries for one question the last decides (AUDIT-50, AUDIT-53)."""

    def change(draft: Draft) -> None:
        draft.reviews = draft.reviews[1:]
        draft.reviews += [draft.review(CAUSALITY, [ref], said) for said, ref in entries]

    verdict = judged(change)
    assert flag(verdict, MACHINE)["status"] == status
    assert verdict.body["infra_errors"] == []


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("trajectory:c1", True),
        ("trajectory:c9", False),
        ("testmod:seq8", True),
        ("testmod:seq08", True),
        ("testmod:seq9", False),
        ("test_mod:seq1", True),
        ("auditmod:seq1", True),
        ("test:seq1", True),
        ("Testmod: seq1", True),
        ("testmod:8", False),
        ("testmod:seq", False),
        ("testmod", False),
        ("logger:seq4", True),
        ("agent_logger:seq4", True),
        ("logger:seq5", False),
        ("fixture:ready", True),
        ("fixture:true", True),
        ("fixture:status", True),
        ("fixture:deep", True),
        ("fixture:17.50", True),
        ("fixture:17.5", False),
        ("fixture:inside", True),
        ("fixture:null", True),
        ("fixture:", False),
        ("restore:ok", True),
        ("preflight:PASS", False),
        ("answer:box-1", False),
        ("oracle:status", False),
        ("nowhere:seq1", False),
        ("", False),
    ],
)
def test_a_reference_is_found_where_the_run_has_it(ref: str, found: bool) -> None:
    """A reference is found where the run has it alone (AUDIT-35, AUDIT-36, AUDIT-54)."""

    def change(draft: Draft) -> None:
        draft.fixture = (
            b'{"status": "ready", "ready": true, "n": 17.50,'
            b' "parts": [{"deep": null, "list": ["inside"]}]}'
        )
        draft.reviews[0] = draft.review(CAUSALITY, [ref or " x", "trajectory:c2"])

    verdict = judged(change)
    assert flag(verdict, MACHINE)["status"] == ("PASS" if found else "PENDING")
    assert bool(verdict.body["review_problems"]) is not found
    assert verdict.overall == ("PASS" if found else "PENDING")


def test_lines_are_found_by_their_digest() -> None:
    """A record without a number of its own is found by the digest of its line (AUDIT-35)."""
    draft = Draft()
    line = lines_of([draft.testmod[2]]).rstrip(b"\n")
    name = sha256(line).hexdigest()[:12]

    def change(one: Draft) -> None:
        one.reviews[0] = one.review(CAUSALITY, [f"testmod:{name}"])
        one.testmod[2] = line + b"\r\n"

    assert statuses(judged(change))[MACHINE] == "PASS"
    assert statuses(judged(change, lambda d: d.testmod.pop(2)))[MACHINE] == "FAIL"

    def another(one: Draft) -> None:
        one.reviews[0] = one.review(CAUSALITY, [f"testmod:{'0' * 12}"])

    assert statuses(judged(another))[MACHINE] == "PENDING"


def test_questions_that_nobody_asks_are_ignored() -> None:
    """A rejection of what is not asked changes nothing (AUDIT-51)."""
    entries = [Draft.review("machine_operated.ordering", [], "rejected"),
               Draft.review("weather.fine", ["x:y"])]  # fmt: skip
    verdict, before = judged(add(*entries)), judged()
    assert statuses(verdict) == statuses(before)
    assert verdict.body["reviews"] == before.body["reviews"]


@pytest.mark.parametrize("status", ["resolved", "pending", "rejected"])
def test_no_review_mends_a_mechanical_failure(status: str) -> None:
    """What failed by itself stays failed, whatever anybody resolves (AUDIT-52)."""
    entries = [Draft.review(one, ["trajectory:c2"], status)
               for one in (CAUSALITY, "machine_operated.ordering")]  # fmt: skip
    verdict = judged(lambda d: d.drop("input_processed"), add(*entries))
    assert flag(verdict, MACHINE)["status"] == "FAIL"
    assert flag(verdict, MACHINE)["required_review"] == []


def test_a_signed_review_counts() -> None:
    """Where nothing is reported the signed one decides, and is shown as such (AUDIT-55)."""
    waiting = judged(none)
    verdict = judged(none, signed=[signed(waiting)])
    found = flag(verdict, MACHINE)
    assert found["status"] == "PASS"
    assert [(one["kind"], one["by"]) for one in found["review_resolutions"]] == [
        ("signed", "key 7")
    ]


def test_a_signed_review_goes_before_a_reported_one() -> None:
    """What a key vouches for is worth more than a line in a file (AUDIT-55)."""
    verdict = judged(signed=[signed(judged(), "rejected")])
    assert flag(verdict, MACHINE)["status"] == "FAIL"
    weighed = [one for one in verdict.body["reviews"] if one["id"] == CAUSALITY]
    assert [(one["kind"], one["counts"]) for one in weighed] == [
        ("signed", True),
        ("reported", False),
    ]
    assert weighed[1]["why"] == "a signed review goes before it"


def test_the_last_signed_review_counts() -> None:
    """Of several signed reviews of one question the last one does (AUDIT-55)."""
    first, second = signed(judged(), "rejected"), signed(judged(), by="key 8")
    verdict = judged(none, signed=[first, second])
    assert flag(verdict, MACHINE)["status"] == "PASS"
    weighed = [one for one in verdict.body["reviews"] if one["id"] == CAUSALITY]
    assert [(one["by"], one["counts"]) for one in weighed] == [("key 7", False), ("key 8", True)]
    assert flag(judged(none, signed=[second, first]), MACHINE)["status"] == "FAIL"


def test_a_review_of_another_state_of_the_flag_does_not_count() -> None:
    """It binds what the flag was; evidence that changed makes it stale (AUDIT-56)."""
    old = signed(judged(none), "rejected")
    now = judged(lambda d: d.event("input_processed").update(pos=[1, 2, 3]), signed=[old])
    assert flag(now, MACHINE)["status"] == "PENDING"
    stale = next(one for one in now.body["reviews"] if one["kind"] == "signed")
    assert (stale["counts"], stale["why"]) == (
        False,
        "it answers another state of the flag than this one",
    )
    assert flag(judged(none, signed=[old]), MACHINE)["status"] == "FAIL"


def test_a_stale_review_does_not_count() -> None:
    """What its ledger calls stale is listed with why (AUDIT-57)."""
    stale = signed(judged(), "rejected", fresh=False, why="event 12 changed")
    verdict = judged(signed=[stale])
    assert flag(verdict, MACHINE)["status"] == "PENDING"
    assert [one["why"] for one in verdict.body["reviews"] if one["kind"] == "signed"] == [
        "event 12 changed"
    ]
    assert flag(judged(none, signed=[stale]), MACHINE)["status"] == "PENDING"
    unexplained = judged(none, signed=[signed(judged(), fresh=False)])
    assert [one["why"] for one in unexplained.body["reviews"]] == ["it is stale"]


@pytest.mark.parametrize("status", ["resolved", "rejected", "pending"])
def test_a_reported_review_does_not_answer_what_was_signed_once(status: str) -> None:
    """A signed review that lapsed leaves its question open, and is named with why (AUDIT-58)."""
    lapsed = signed(judged(), status, fresh=False, why="event 12 changed", event=30)
    verdict = judged(signed=[lapsed])
    found = flag(verdict, MACHINE)
    sentence = f"the signed review in event 30 of {CAUSALITY} lapsed: event 12 changed"
    assert (found["status"], verdict.overall) == ("PENDING", "PENDING")
    assert sentence in found["summary"]
    assert [one["lapsed"] for one in found["required_review"]] == [sentence]
    assert found["review_resolutions"] == []
    assert CAUSALITY in found["missing"]
    assert sentence in page(document(verdict, AT)).replace("\\", "")
    (reported,) = [
        one
        for one in verdict.body["reviews"]
        if (one["id"], one["kind"]) == (CAUSALITY, "reported")
    ]
    assert (reported["counts"], reported["why"]) == (False, "a signed review goes before it")


def test_an_older_signed_review_does_not_count_instead_of_one_that_lapsed() -> None:
    """The newest says what the question is: it is open (AUDIT-58)."""
    good = signed(judged())
    lapsed = signed(judged(), "rejected", fresh=False, why="event 12 changed")
    verdict = judged(signed=[good, lapsed])
    assert flag(verdict, MACHINE)["status"] == "PENDING"
    assert flag(judged(signed=[lapsed, good]), MACHINE)["status"] == "PASS"


def test_a_signed_review_that_cites_nothing_real_stays_open() -> None:
    """A signature does not make a reference exist (AUDIT-54)."""
    verdict = judged(none, signed=[signed(judged(none), refs=("testmod:seq77",))])
    assert flag(verdict, MACHINE)["status"] == "PENDING"
    assert verdict.body["review_problems"] == [f"{CAUSALITY}: testmod:seq77 is not in the run"]


def test_reviews_do_not_change_what_they_bind() -> None:
    """The digest is of the flag before reviews: the next reviewer answers the same (AUDIT-56)."""
    digests = {
        mechanical_of(verdict)
        for verdict in (judged(), judged(none), judged(lambda d: d.reviews.pop(0)))
    }
    assert len(digests) == 1
    assert "weather" not in (flags_of(judged().data) or {})


def test_of_one_flag_every_review_must_be_resolved() -> None:
    """Two questions are two reviews (AUDIT-23, AUDIT-53)."""

    def unordered(draft: Draft) -> None:
        for one in ("input_processed", "logger_armed"):
            draft.event(one).update(at=None, tick=None)

    ordering = Draft.review("logger_armed_before_activation.ordering", ["logger:seq1"])
    causal = Draft.review("machine_operated.ordering", ["logger:seq1"])
    assert statuses(judged(unordered))[FLAGS[1]] == "PENDING"
    assert statuses(judged(unordered, add(ordering)))[FLAGS[1]] == "PASS"
    assert judged(unordered, add(ordering, causal)).overall == "PASS"


def test_when_is_shown_in_one_form() -> None:
    """A time is shown in UTC to the microsecond, however it was written."""
    verdict = judged(lambda d: d.reviews[0].update(at="2026-04-05T08:00:00.1234567+02:00"))
    (shown,) = flag(verdict, MACHINE)["review_resolutions"]
    assert shown["at"] == "2026-04-05T06:00:00.123456Z"


def test_every_review_that_was_weighed_is_listed() -> None:
    """Whoever reads the verdict sees which reviews there were, and that they counted."""
    listed = judged().body["reviews"]
    assert [one["id"] for one in listed] == [CAUSALITY, RUNNING, INDEPENDENCE]
    assert all(one["counts"] and one["why"] is None for one in listed)
