"""Vectors of single rows: what is set aside, what is flagged, what is kept apart."""

from importers_made import Vector, aside, failed, flagged, lost, release, row, taken, text_of, three

_TOKENS = {"input_tokens": 9, "output_tokens": 0}


def rows() -> list[Vector]:
    """Return vectors of IMPORT-25 to IMPORT-35."""
    return [*_fields(), *_verdicts(), *_apart(), *_money(), *_categories(), *_flags()]


def _fields() -> list[Vector]:
    missing = row()
    del missing["scenario"]
    return [
        aside("no-scenario", 25, "Not to be counted.", "E_FIELD_MISSING", "/scenario", missing),
        aside("half-a-version", 26, "No whole number.", "E_FIELD", "/scenario_version",
              row(scenario_version=1.5)),
        aside("count-too-large", 26, "2^63.", "E_FIELD", "/attempt", row(attempt=2**63)),
        aside("negative-tokens", 26, "A count.", "E_FIELD", "/usage/input_tokens",
              row(usage={"input_tokens": -1})),
        aside("phase-as-number", 26, "Neither true nor false.", "E_FIELD",
              "/verification/host_reboot", row(verification={"host_reboot": 1})),
        aside("seconds-not-a-number", 26, "NaN is no quantity.", "E_NOT_FINITE",
              "/agent_duration_seconds", row(agent_duration_seconds="@n"), n="NaN"),
        aside("seconds-out-of-range", 26, "An exponent beyond 64.", "E_NUMBER_RANGE",
              "/agent_timeout_seconds", row(agent_timeout_seconds="@n"), n="1e99"),
        taken("whole-number-with-a-point", 26, "3.0 is 3.",
              text_of(release(row(scenario_version="@n")), n="3.0"),
              events=[None, None, ["attempt.reported/1", {"scenario_version": 3}]]),
        aside("two-lines", 27, "A control.", "E_IDENTIFIER", "/model", row(model="a\nb")),
        aside("line-with-its-end", 27, "A control at the end.", "E_IDENTIFIER", "/model",
              row(model="a\n")),
        aside("empty-name", 27, "No byte.", "E_IDENTIFIER", "/agent", row(agent="")),
        aside("long-name", 27, "257 bytes.", "E_IDENTIFIER", "/run_id", row(run_id="é" * 129)),
        aside("surrogate", 27, "No text of Unicode.", "E_IDENTIFIER", "/scenario",
              row(scenario="@s"), s='"a\\ud800"'),
        aside("not-nfc", 27, "e and an accent.", "E_IDENTIFIER", "/model",
              row(model="e\u0301")),
        aside("long-effort", 27, "65 bytes.", "E_IDENTIFIER", "/reasoning_effort",
              row(reasoning_effort="x" * 65)),
        aside("naive-time", 28, "No offset.", "E_INSTANT_NAIVE", "/started_at",
              row(started_at="2026-02-28T10:03:00")),
        aside("no-such-day", 28, "The 30th of February.", "E_INSTANT", "/finished_at",
              row(finished_at="2026-02-30T10:03:00Z")),
        aside("too-fine", 28, "Nanoseconds.", "E_INSTANT_PRECISION", "/finished_at",
              row(finished_at="2026-02-28T10:03:50.000000001Z")),
        taken("offset", 28, "The same instant in UTC.",
              release(row(started_at="2026-02-28T11:03:00.5+01:00")),
              events=[None, None, ["attempt.reported/1",
                                   {"started_at": "2026-02-28T10:03:00.500000Z"}]]),
    ]  # fmt: skip


def _verdicts() -> list[Vector]:
    return [
        aside("unknown-status", 29, "A word of another vocabulary.", "E_STATUS_UNKNOWN",
              "/trial_status", row(trial_status="skipped")),
        aside("half-a-reward", 30, "Neither 0 nor 1.", "E_REWARD", "/reward", row(reward=0.5)),
        aside("reward-in-words", 30, "True is no number.", "E_REWARD", "/reward",
              row(reward=True)),
        aside("reward-not-a-number", 30, "NaN.", "E_NOT_FINITE", "/reward", row(reward="@n"),
              n="NaN"),
        aside("same-trial-twice", 31, "Under another name, with another verdict.",
              "E_DUPLICATE_ROW", "", row(run_id="other", reward=0)),
    ]  # fmt: skip


def _apart() -> list[Vector]:
    parts = {"usage": {}, "verification": {"after_agent_timeout": None}, "recording": None}
    absent = [
        "agent_duration_seconds",
        "agent_timeout_seconds",
        "failure",
        "failure_category",
        "usage.cache_creation_tokens",
        "usage.cache_read_tokens",
        "usage.cost_usd",
        "usage.input_tokens",
        "usage.output_tokens",
        "usage.reasoning_tokens",
        "usage.subscription_usage_usd",
        "verification.host_reboot",
        "verification.immediate_http",
        "verification.service_restart",
    ]
    nothing = {
        "cost_usd": None,
        "input_tokens": None,
        "output_tokens": None,
        "reasoning_tokens": None,
        "cache_read_tokens": None,
        "cache_creation_tokens": None,
        "subscription_usage_usd": None,
    }
    full = dict.fromkeys(nothing)
    zero = full | {"cost_usd": 0, "output_tokens": 0, "input_tokens": 4}
    return [
        taken("absent", 32, "Null in the entry, and named.", release(row(**parts)),
              events=[None, None, ["attempt.reported/1",
                                   {"absent": absent, "usage": nothing, "recording": None}]]),
        taken("null", 32, "Null, and there.", release(row(usage=full)),
              events=[None, None, ["attempt.reported/1", {"usage": nothing}]],
              not_absent="usage.cost_usd"),
        taken("zero", 32, "Zero.", release(row(usage=zero)),
              events=[None, None, ["attempt.reported/1", {
                  "usage": nothing | {"cost_usd": "0", "output_tokens": 0, "input_tokens": 4}}]],
              not_absent="usage.cost_usd"),
        taken("effort-absent", 15, "The identity of a trial whose effort is null.",
              release(row(reasoning_effort=None)),
              release({k: v for k, v in row().items() if k != "reasoning_effort"}, version="two"),
              reports=[{"new": 1}, {"new": 0, "known": 1}]),
    ]  # fmt: skip


def _money() -> list[Vector]:
    made = []
    for name, literal, flag, code in (
        ("negative", "-0.01", "cost_negative", "E_COST_NEGATIVE"),
        ("not-a-number", "NaN", "cost_not_finite", "E_COST_NOT_FINITE"),
        ("infinite", "Infinity", "cost_not_finite", "E_COST_NOT_FINITE"),
        ("1e400", "1e400", "cost_out_of_range", "E_COST_RANGE"),
        ("41-digits", "0." + "1" * 41, "cost_out_of_range", "E_COST_RANGE"),
    ):
        first, second, third = three()
        document = release(first, second | {"usage": {"cost_usd": "@n"}}, third)
        problem = {"code": code, "pointer": "/runs/1/usage/cost_usd"}
        one = taken(
            f"cost-{name}",
            33,
            "Unknown, which is not zero.",
            text_of(document, n=literal),
            reports=[{"new": 3, "quarantined": 0, "problems": [problem]}],
            events=[None, None, None, ["attempt.reported/1", {"flags": [flag]}]],
        )
        made.append(one | {"expect": "refuse", "code": code, "refused": "amount"})
    return made


def _categories() -> list[Vector]:
    long = "x" * 65
    return [
        flagged("category-long", 34, "65 bytes.", ["category_not_a_word"],
                failed() | {"failure_category": long}),
        flagged("category-lines", 34, "Two lines.", ["category_not_a_word"],
                failed() | {"failure_category": "a\nb"}),
        flagged("category-open", 34, "Any word will do.", [],
                failed() | {"failure_category": "x" * 64}),
    ]  # fmt: skip


def _flags() -> list[Vector]:
    held = dict.fromkeys(("host_reboot", "immediate_http", "service_restart"), True)
    before = "2026-02-28T10:02:59Z"
    late = {"after_agent_timeout": {"durable_repair": True}}
    zero = {"cost_usd": 0}
    made = [
        flagged("sound", 35, "No flag.", [], row()),
        flagged("over-the-limit", 35, "601 of 600.", ["duration_over_timeout"],
                row(agent_duration_seconds=601, agent_timeout_seconds=600)),
        flagged("at-the-limit", 35, "600 of 600.", [],
                row(agent_duration_seconds=600.0, agent_timeout_seconds=600)),
        flagged("failed-nameless", 35, "No category.", ["failed_without_category"],
                failed() | {"failure_category": None}),
        flagged("negative-seconds", 35, "The end before the start.", ["finished_before_started"],
                row(agent_duration_seconds=-1)),
        flagged("passed-but-fell", 35, "One phase is false.", ["reward_contradicts_phases"],
                row(verification=held | {"host_reboot": False})),
        flagged("failed-but-held", 35, "All three are true.", ["reward_contradicts_phases"],
                failed(verification=held)),
        flagged("held-later", 35, "After the limit: recorded and never scored.", [],
                failed(verification=dict.fromkeys(held, False) | late)),
        flagged("paid-for-nothing", 35, "A cost above zero.", ["spend_on_unavailable"],
                lost(usage={"cost_usd": 0.2})),
        flagged("lost-after-rounds", 35, "Rounds and calls.", ["unavailable_after_progress"],
                lost(recording={"model_rounds": 1, "tool_calls": 1})),
        flagged("lost-after-a-round", 35, "A round without a call.", [],
                lost(recording={"model_rounds": 1, "tool_calls": 0})),
        flagged("lost-after-output", 35, "Output tokens.", ["unavailable_after_progress"],
                lost(usage={"output_tokens": 1})),
        flagged("lost-nameless", 35, "No category.", ["unavailable_without_category"],
                lost(failure_category=None)),
        flagged("zero-and-nothing", 35, "A zero that may mean missing.",
                ["zero_cost_nothing_ran"], row(usage=zero)),
        flagged("zero-and-tokens", 35, "A free preview.", [], row(usage=zero | _TOKENS)),
        flagged("many", 35, "Sorted, each once.",
                ["finished_before_started", "spend_on_unavailable", "unavailable_after_progress",
                 "unavailable_without_category"],
                lost(failure_category=None, finished_at=before, agent_duration_seconds=-4,
                     usage={"cost_usd": 1, "output_tokens": 2},
                     recording={"model_rounds": 3, "tool_calls": 4})),
    ]  # fmt: skip
    reversed_times = taken(
        "ended-before-it-began",
        35,
        "Flagged, and a problem of the report.",
        release(row(finished_at=before)),
        reports=[
            {
                "quarantined": 0,
                "problems": [
                    {"code": "E_FINISHED_BEFORE_STARTED", "pointer": "/runs/0/finished_at"}
                ],
            }
        ],
        events=[None, None, ["attempt.reported/1", {"flags": ["finished_before_started"]}]],
    )
    code = "E_FINISHED_BEFORE_STARTED"
    return [*made, reversed_times | {"expect": "refuse", "code": code, "refused": "times"}]
