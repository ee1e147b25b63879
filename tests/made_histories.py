"""Random histories for laws about figures: releases, some of them replaced, and decisions."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st
from made_rows import KEY, Made, row

from ledger.events import AttemptReported
from ledger.projections import Attempts, empty, fold
from ledger.projections.sources import reinstatable

CATEGORIES = (None, "agent_timeout", "<null>", "provider_unavailable")
SCENARIOS = ("s", "t@*")
ROW_FLAGS = ("duration_over_timeout", "unavailable_after_progress")


def made_row(random: Random, number: int) -> AttemptReported:
    """Return a row with everything left to chance but its number."""

    def amount() -> str | None:
        digits = f"{random.randrange(10**6)}.{random.randrange(10**18):018d}"
        return random.choice([None, "0", digits.rstrip("0").rstrip("."), "0.1", "0.2"])

    return row(
        number,
        model=random.choice(["m", "n/%+"]),
        effort=random.choice([None, "high"]),
        scenario=random.choice(SCENARIOS),
        status=random.choice(["evaluated", "evaluated", "unavailable"]),
        reward=random.randrange(2),
        category=random.choice(CATEGORIES),
        cost=amount(),
        subscription=amount(),
        tokens=random.choice([None, 0, 7, 2**63 - 1]),
        usage=random.random() < 0.8,
        duration=random.choice([None, "0", "91", "125.5", str(random.randrange(1000))]),
        late=random.choice([None, False, True]),
        flags=random.sample(ROW_FLAGS, random.randrange(3)),
    )


# Drawing a row field by field is slow, so a test draws from many that chance has made.
POOL = [made_row(Random(seed), seed % 5 + 1) for seed in range(400)]
some_rows = st.lists(st.sampled_from(POOL), max_size=6, unique_by=lambda one: one.attempt)
one_more = st.sampled_from([made_row(Random(seed), 9) for seed in range(50)])


@st.composite
def histories(draw: Callable[[Any], Any], keys: tuple[bytes, ...] = (KEY,)) -> Made:
    """Return a random history: releases, some of them replaced, and decisions between them."""
    made = Made()
    sources: dict[str, int] = {}
    reported: list[str] = []
    for _ in range(draw(st.integers(0, 4))):
        name = draw(st.sampled_from(["v", "w", "x"]))
        some = draw(some_rows)
        sources[name] = made.imported(
            name, some, key=draw(st.sampled_from(keys)), supersedes=sources.get(name)
        )
        reported.extend(one.attempt for one in some)
        for _ in range(draw(st.integers(0, 3)) if reported else 0):
            attempt = draw(st.sampled_from(reported))
            match draw(st.integers(0, 6)):
                case 0:
                    made.excluded(attempt)
                case 1:
                    made.corrected(attempt, reward=draw(st.integers(0, 1)))
                case 2:
                    made.corrected(attempt, failure_category=draw(st.sampled_from(CATEGORIES)))
                case 3:
                    made.corrected(attempt, status=draw(st.sampled_from(["evaluated", "lost"])))
                case 4:
                    made.invalidated(draw(st.sampled_from(SCENARIOS)))
                case 5:
                    source = draw(st.sampled_from(sorted(sources.values())))
                    possible = reinstatable(state_of(made), source)
                    made.withdrawn(source, draw(st.sampled_from([None, possible])))
                case _:
                    made.reported_correction(name, attempt)
    return made


def state_of(made: Made) -> Attempts:
    """Return the state after a history."""
    return fold(empty(), made.events)


def groups_of(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the prefix of each group to its figures by name."""
    result: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        prefix, _, name = path.rpartition("/")
        result.setdefault(prefix, {})[name] = value
    return result
