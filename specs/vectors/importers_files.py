"""Vectors of whole files: what is recognised, refused, kept, and never imported twice."""

import hashlib
import json

from importers_made import Vector, aside, refused, release, row, taken, text_of, three

FEW = ["fewer_than_3_attempts", 1, "/runs/0"]


def files() -> list[Vector]:
    """Return vectors of IMPORT-1 to IMPORT-13."""
    return [*_refused(), *_kept(), *_again(), *_hidden()]


def _refused() -> list[Vector]:
    deep = "[" * 65 + "]" * 65
    return [
        refused("missing", 1, "No such file.", "E_SOURCE_MISSING", "", kind="missing"),
        refused("folder", 1, "A folder.", "E_SOURCE_DIRECTORY", "", kind="folder"),
        refused("pipe", 1, "A pipe that nobody writes to.", "E_SOURCE_UNREADABLE", "", kind="pipe"),
        refused(
            "too-many-matrices",
            1,
            "More names than an entry can hold.",
            "E_SOURCE_LIMIT",
            "#/sources",
            release(sources=[{"source": f"m-{number:0240d}"} for number in range(250)]),
        ),
        refused(
            "too-many-sources",
            43,
            "Every row would be held against each.",
            "E_SOURCE_LIMIT",
            "#/sources",
            release(sources=[{}] * 257),
        ),
        refused(
            "too-many-members",
            43,
            "At the top.",
            "E_SOURCE_LIMIT",
            "",
            release(**{f"member-{number}": 0 for number in range(1_025)}),
        ),
        refused("other-json", 2, "A known file of no format.", "E_FORMAT_UNKNOWN", "", '{"a": 1}'),
        refused("array", 2, "JSON, but no object.", "E_FORMAT_UNKNOWN", "", "[]"),
        refused(
            "other-name", 2, "A format by name.", "E_FORMAT_NAME", "", release(), format="harbor"
        ),
        refused(
            "named-format",
            2,
            "With the name the schema is asked, not the content.",
            "E_SCHEMA",
            "#/runs",
            '{"a": 1}',
            format="replaybook-release/1",
        ),
        refused("empty", 3, "No bytes.", "E_JSON_TRUNCATED", ", line 1 column 1", b""),
        refused(
            "cut-short",
            3,
            "Without the last brace.",
            "E_JSON_TRUNCATED",
            f", line 1 column {len(text_of(release()))}",
            text_of(release())[:-1],
        ),
        refused("no-json", 3, "Text.", "E_JSON", ", line 1 column 1", "hello"),
        refused(
            "trailing-comma",
            3,
            "JSON of another kind.",
            "E_JSON",
            "#/runs/1, line 2 column 14",
            '{"version": "x",\n "runs": [{},]}',
        ),
        refused("utf-16", 3, "Another encoding.", "E_JSON", ", line 1", "{}".encode("utf-16")),
        refused(
            "key-twice",
            4,
            "In the envelope.",
            "E_JSON_DUPLICATE_KEY",
            "#/compatibility",
            text_of(release(compatibility="@c"), c='{"suite": "a", "suite": "b"}'),
        ),
        refused(
            "member-twice",
            4,
            "At the top.",
            "E_JSON_DUPLICATE_KEY",
            "",
            text_of(release(title="@t"), t='"a", "title": "b"'),
        ),
        refused(
            "too-deep",
            4,
            "In the envelope.",
            "E_JSON_DEPTH",
            "#/title",
            text_of(release(title="@t"), t=deep),
        ),
        aside(
            "row-key-twice",
            4,
            "In a row.",
            "E_JSON_DUPLICATE_KEY",
            "",
            row(reward="@r"),
            r='0, "reward": 1',
        ),
        aside("row-too-deep", 4, "In a row.", "E_JSON_DEPTH", "", row(extra="@x"), x=deep),
    ]


def _kept() -> list[Vector]:
    spellings = {
        "0.1": "0.1",
        "0.30000000000000004": "0.30000000000000004",
        "2.50e-3": "0.0025",
        "12E2": "1200",
        "-0": "0",
        "0.1234567890123456789012345678901234567": "0.1234567890123456789012345678901234567",
    }
    return [
        taken(
            "example",
            1,
            "The example of the specification.",
            text_of(release(row(usage={"cost_usd": "@cost"})), cost="0.0125"),
            reports=[{"rows": 1, "events": 3, "new": 1, "known": 0, "quarantined": 0}],
            events=[
                [
                    "source.imported/1",
                    {
                        "name": "20260301.0.0",
                        "rows": 1,
                        "format": "replaybook-release/1",
                        "sha256": None,
                        "importer": "replaybook/1",
                        "supersedes": None,
                    },
                ],
                ["release.reported/1", {"matrices": ["matrix-a"], "flags": [FEW]}],
                [
                    "attempt.reported/1",
                    {
                        "flags": [],
                        "index": 0,
                        "source": 0,
                        "started_at": "2026-02-28T10:03:00.000000Z",
                    },
                ],
            ],
        ),
        *(
            taken(
                f"amount-{literal[:12]}",
                5,
                "Exactly as it is written.",
                text_of(
                    release(row(usage={"cost_usd": "@cost", "output_tokens": 1})), cost=literal
                ),
                events=[None, None, ["attempt.reported/1", {"usage": _usage(text)}]],
            )
            for literal, text in spellings.items()
        ),
        taken(
            "odd-bytes",
            3,
            "A byte order mark, and what nobody reads: no UTF-8, a surrogate, NaN.",
            b"\xef\xbb\xbf"
            + text_of(release(title="@t"), t="NaN").encode()[:-1]
            + b', "notes": ["\xff", "\\ud800"]}',
            reports=[{"new": 1, "quarantined": 0}],
        ),
        aside("not-an-object", 13, "A row that is a number.", "E_FIELD", "", 5),
        taken(
            "unknown-members",
            12,
            "Each of the envelope; of rows the first place.",
            release(*three(mood="good"), weather="fair"),
            unmapped=["/weather", "/runs/0/mood"],
        ),
    ]


def _usage(cost: str) -> dict[str, object]:
    names = (
        "input_tokens",
        "reasoning_tokens",
        "cache_read_tokens",
        "cache_creation_tokens",
        "subscription_usage_usd",
    )
    return dict.fromkeys(names) | {"cost_usd": cost, "output_tokens": 1}


def _again() -> list[Vector]:
    first, other = release(), release(notes=["edited"])
    before, after = (release(row(failure_category=word)) for word in ("one", "another"))
    return [
        taken(
            "twice",
            7,
            "The second time it adds nothing.",
            first,
            first,
            reports=[{"events": 3, "new": 1}, {"events": 0, "new": 0, "known": 1, "seq": 0}],
        ),
        taken(
            "edited-in-place",
            8,
            "Other bytes under the same name.",
            first,
            other,
            reports=[{"superseded": 0}, {"superseded": 1, "events": 3, "new": 0, "known": 1}],
            events=[None, None, None, ["source.imported/1", {"supersedes": 0}], None, None],
        ),
        taken(
            "another-category",
            39,
            "The report says what is otherwise, and which event said so before.",
            before,
            after,
            reports=[
                {"changed": [], "conditions": [], "dropped": []},
                {
                    "changed": [
                        {
                            "attempt": "att-efe86a957b996a493741a64633ce4f8d",
                            "was_event": 2,
                            "event": 5,
                            "fields": [
                                {"field": "failure_category", "old": "one", "new": "another"}
                            ],
                        }
                    ],
                    "editions": [],
                },
            ],
        ),
        taken(
            "back-to-the-first",
            7,
            "A superseded file is a known one.",
            first,
            other,
            first,
            reports=[{}, {}, {"events": 0, "superseded": 0, "known": 1}],
        ),
        taken(
            "in-two-releases",
            9,
            "One trial, two reports.",
            first,
            release(row(), row(attempt=2), version="20260302.0.0"),
            reports=[{"new": 1}, {"new": 1, "known": 1, "superseded": 0}],
        ),
    ]


def _hidden() -> list[Vector]:
    marked = release(
        row(
            failure="MARK",
            failure_category="MARK" * 17,
            MARK="MARK",
            verification={"after_agent_timeout": {"failure": "MARK"}},
        ),
        row(attempt=2, trial_status="MARK"),
        title="MARK",
        description="MARK",
        notes=["MARK"],
        observations=["MARK"],
        model_labels={"maker/first": "MARK"},
        scenario_labels={"MARK": "MARK"},
        reproduction_command="MARK",
        totals={"MARK": 1},
        corrections=[
            {"run_id": "x", "original": {"failure": "MARK"}, "changes": {"failure": "MARK"},
             "reason": "MARK"},
            {"run_id": "x", "changes": {"MARK": "MARK"}},
        ],
        MARK="MARK",
    )  # fmt: skip
    paths = release(
        compatibility={"agent": {"name": "walker", "adapter": "/MARK/a.sh", "payload": "C:\\MARK"}},
        sources=[{"source": "~MARK"}],
    )
    digest = hashlib.sha256(json.dumps(release()).encode()).hexdigest()
    return [
        taken("digest", 10, "Not in an entry.", release(), absent_hex=[digest]),
        taken(
            "public-digest",
            10,
            "In the entry of a public source.",
            release(),
            public=True,
            events=[["source.imported/1", {"sha256": {"hex": digest}}]],
        ),
        taken(
            "prose",
            11,
            "Wherever a source writes freely, and in names that nobody knows.",
            marked,
            reports=[{"quarantined": 2}],
            absent_hex=[b"MARK".hex()],
        ),
        taken(
            "paths",
            11,
            "Null in the entry, left out of the list, and listed as unmapped.",
            paths,
            events=[
                None,
                ["release.reported/1", {"agent": ["walker", None, None], "matrices": []}],
                ["attempt.reported/1", {"matrix": None, "flags": []}],
            ],
            absent_hex=[b"MARK".hex()],
            unmapped=[
                "/sources/0/source",
                "/compatibility/agent/adapter",
                "/compatibility/agent/payload",
            ],
        ),
    ]
