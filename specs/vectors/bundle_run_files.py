"""Forged bundles in which files of runs do not stand as they have to (EVENT-70 to EVENT-76)."""

from bundle_decisions import why
from bundle_run import (
    AGAIN,
    ANSWER,
    ARTIFACT,
    BROKEN,
    CALL,
    CHAIN,
    CUT,
    GROWN,
    JAR,
    LOGGER,
    LOGGER_LINES,
    MANIFEST,
    OTHER,
    RESULT,
    RUN,
    TRAJECTORY,
    VERDICT,
    WHOLE,
    changed,
    file,
    record,
    run_draft,
    shown,
    sums,
    with_slot,
    without_slot,
)
from bundle_vector import Vector
from forge import Draft, Row, decision


def run_files() -> list[Vector]:
    """Return the vectors."""
    return [*_accepted(), *_shapes(), *_states(), *_orders(), *_replaced()]


def _accepted() -> list[Vector]:
    return [
        Vector("run", "EVENT-73", "A run with its files, records, verdicts and a signed review.",
               run_draft()),
        Vector("run-shown", "VERIFY-25", "The same, with every slot disclosed.",
               shown(run_draft())),
        Vector("run-records-shown", "VERIFY-26", "The same, with records alone.",
               shown(run_draft(), lambda slot: slot == "line")),
    ]  # fmt: skip


def _shapes() -> list[Vector]:
    cases = [
        ("file-without-path", MANIFEST, "path", "A file of which nobody knows the name."),
        ("file-without-digest", TRAJECTORY, "digest", "A stream without its digest."),
        ("file-without-canonical", MANIFEST, "canonical", "A document without the other digest."),
        ("document-without-content", MANIFEST, "content", "A document without its bytes."),
        ("absent-without-why", ANSWER, "why", "An absent file without a sentence."),
        ("verdict-without-verdict", VERDICT, "verdict", "A verdict that is not there in full."),
    ]
    rows = [("line-of-a-run-without-line", CALL, "line", "A line without its bytes.")]
    return [
        *(
            Vector(name, "EVENT-70", comment, without_slot(seq, slot), "E_SHAPE", "canonical", seq)
            for name, seq, slot, comment in cases
        ),
        *(
            Vector(name, "EVENT-11", comment, without_slot(seq, slot), "E_SHAPE", "canonical", seq)
            for name, seq, slot, comment in rows
        ),
    ]


def _states() -> list[Vector]:
    cases = [
        ("present-without-size", "EVENT-71", "What is present has no size.",
         changed(ARTIFACT, size_bytes=None), ARTIFACT),
        ("present-with-why", "EVENT-71", "What is present says why it is not.",
         with_slot(ARTIFACT, "why"), ARTIFACT),
        ("stream-with-content", "EVENT-71", "A stream has its bytes twice.",
         with_slot(TRAJECTORY, "content"), TRAJECTORY),
        ("absent-with-records", "EVENT-71", "What is absent has records.",
         changed(ANSWER, records=1), ANSWER),
        ("absent-with-content", "EVENT-71", "What is absent has bytes.",
         with_slot(ANSWER, "content"), ANSWER),
        ("withheld-with-canonical", "EVENT-71", "Nobody can make the bytes canonical.",
         with_slot(ANSWER, "canonical", state="withheld"), ANSWER),
        ("absent-with-digest", "EVENT-71", "What is absent has a digest.",
         with_slot(ANSWER, "digest"), ANSWER),
        ("withheld-with-size", "EVENT-71", "Nobody looked at it, and it has a size.",
         changed(ANSWER, state="withheld", size_bytes=3), ANSWER),
        ("records-of-no-role", "EVENT-72", "A file of a role without records has some.",
         changed(ARTIFACT, records=1), ARTIFACT),
        ("kept-of-a-document", "EVENT-72", "A document keeps items.",
         changed(MANIFEST, kept=1), MANIFEST),
        ("lines-kept-of-nothing", "EVENT-72", "A stream keeps lines of no version.",
         changed(TRAJECTORY, kept=1), TRAJECTORY),
        ("kept-over-before", "EVENT-72", "More lines are kept than the version before had.",
         changed(GROWN, kept=4), GROWN),
        ("records-of-no-bytes", "EVENT-72", "A stream without bytes has records.",
         changed(TRAJECTORY, size_bytes=0), TRAJECTORY),
        ("kept-over-records", "EVENT-72", "More lines are kept than there are.",
         changed(GROWN, kept=3, records=2), GROWN),
    ]  # fmt: skip
    held = with_slot(ANSWER, "digest", state="refused", size_bytes=2**40)
    known = with_slot(ANSWER, "digest", state="withheld")
    return [
        Vector("refused-with-size-and-digest", "EVENT-71", "A file too large to keep.", held),
        Vector("withheld-with-digest", "EVENT-71", "Who withholds it says its digest.", known),
        *(
            Vector(name, clause, comment, draft, "E_FILE_STATE", CHAIN, seq)
            for name, clause, comment, draft, seq in cases
        ),
    ]


def _moved(number: int, to: int) -> Draft:
    draft = run_draft()
    draft.rows.insert(to, draft.rows.pop(number))
    return draft


def _without(number: int) -> Draft:
    draft = run_draft()
    del draft.rows[number]
    return draft


def _between() -> Draft:
    draft = run_draft()
    draft.add(decision("task.invalidated/1",
                       {"evidence": [], "scenario": "w", "scenario_version": 1}, ["ben"],
                       blobs=why("reason")), RESULT)  # fmt: skip
    return draft


def _retyped() -> Draft:
    draft = run_draft()
    draft.rows[BROKEN] = record("trajectory", 1, LOGGER_LINES[1], LOGGER)
    return draft


def _source_between() -> Draft:
    draft = run_draft()
    source = draft.copy().rows[2]
    source.says |= {"name": "20260102.0.0"}
    draft.add(source, RESULT)
    return draft


def _orders() -> list[Vector]:
    cases = [
        ("line-left-out", "The result of a call is left out.", _without(RESULT), RESULT),
        ("last-line-left-out", "The last line of a trajectory is left out.", _without(CUT), CUT),
        ("lines-in-other-order", "Two lines have changed places.", _moved(CALL, RESULT), CALL),
        ("line-of-another-file", "A line names another file.", changed(CALL, source=LOGGER), CALL),
        ("line-of-another-number", "A line has the number of another.", changed(CALL, line=1),
         CALL),
        ("line-of-another-type", "A line of evidence is told as one of a trajectory.", _retyped(),
         BROKEN),
        ("line-too-many", "A file has a line more than it states.",
         changed(LOGGER, records=1), BROKEN),
        ("line-kept-and-told", "A line is told that is kept.", changed(GROWN, kept=3), WHOLE),
        ("item-too-many", "A document names a file more than it states.",
         changed(MANIFEST, records=0), JAR),
        ("decision-between-lines", "A decision stands between two lines.", _between(), RESULT),
        ("source-between-lines", "An imported file begins between two lines.", _source_between(),
         RESULT),
        ("line-outside-of-its-file", "A line stands behind other events.",
         _moved(CUT, VERDICT), CUT),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-73", comment, draft, "E_FILE_ORDER", CHAIN, seq)
        for name, comment, draft, seq in cases
    ]


def _more(role: str, *, supersedes: int | None, run: str = RUN, also: Row | None = None) -> Draft:
    """Return a draft in which another file of a role stands before the freeze."""
    draft = run_draft()
    slots = {"content": b"x", **sums(b"x")}
    if also is not None:
        draft.add(also)
    row = file(role, "more", 99, slots, size_bytes=1, supersedes=supersedes, run=run)
    draft.add(row)
    return draft


def _replaced() -> list[Vector]:
    last = AGAIN + 1
    newer = file("artifact", "build/logger.jar", 98, {"content": b"y", **sums(b"y")},
                  size_bytes=1, supersedes=ARTIFACT)  # fmt: skip
    bad = [
        ("artifact-replaces-another-role", "EVENT-74", "An artifact replaces a manifest.",
         _more("artifact", supersedes=MANIFEST), last),
        ("artifact-of-another-run", "EVENT-74", "An artifact of another run replaces one.",
         _more("artifact", supersedes=ARTIFACT, run=OTHER), last),
        ("artifact-replaced-twice", "EVENT-74", "Two files replace one.",
         _more("artifact", supersedes=ARTIFACT, also=newer), last + 1),
        ("artifact-replaces-a-record", "EVENT-74", "It replaces what is no file.",
         _more("artifact", supersedes=CALL), last),
        ("second-answer", "EVENT-75", "A second answer hides that it replaces the first.",
         _more("answer", supersedes=None), last),
        ("trajectory-replaces-another", "EVENT-75", "A trajectory replaces a file of another role.",
         changed(GROWN, supersedes=LOGGER), GROWN),
        ("first-oracle-replaces", "EVENT-75", "The first of a role replaces something.",
         _more("oracle", supersedes=ANSWER), last),
        ("verdict-replaces-nothing", "EVENT-76", "A second verdict hides the first.",
         changed(AGAIN, supersedes=None), AGAIN),
        ("verdict-replaces-a-file", "EVENT-76", "A verdict replaces what is none.",
         changed(AGAIN, supersedes=GROWN), AGAIN),
    ]  # fmt: skip
    good = [
        ("artifact-replaced", "EVENT-74", "A newer version of an artifact.",
         _more("artifact", supersedes=ARTIFACT)),
        ("second-artifact", "EVENT-74", "A second artifact.", _more("artifact", supersedes=None)),
        ("answer-replaced", "EVENT-75", "An answer that was absent is there.",
         _more("answer", supersedes=ANSWER)),
        ("answer-of-another-run", "EVENT-75", "Another run has an answer of its own.",
         _more("answer", supersedes=None, run=OTHER)),
    ]  # fmt: skip
    return [
        *(Vector(name, clause, comment, draft) for name, clause, comment, draft in good),
        *(
            Vector(name, clause, comment, draft, "E_SUPERSEDES", CHAIN, seq)
            for name, clause, comment, draft, seq in bad
        ),
    ]
