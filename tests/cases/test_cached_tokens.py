"""Cached tokens that are counted twice, or not at all.

Some reports count tokens from the cache as input and some beside it, and the same adapter changed
from one to the other. Tools that added the two up charged several times what was paid, or a small
part of it. Here tokens stay as they were written and are never made into money: cost is what was
reported as cost. They are summed within one release, and over several they are unknown.
"""

from cases.desk import Desk
from cases.releases import release, row, three


def test_tokens_are_summed_within_a_release_and_never_over_two(desk: Desk) -> None:
    """One counts the cache as input, the other beside it: the sum of both is no number."""
    inside = {"input_tokens": 1000, "cache_read_tokens": 900, "cost_usd": 0.25}
    beside = {"input_tokens": 100, "cache_read_tokens": 900, "cost_usd": 0.25}
    desk.take(
        release("20260302.0.0", three("repaired", "failed", "failed", usage=inside)),
        release("20260303.0.0", [row(n, usage=beside, begins=30 + n) for n in (1, 2, 3)]),
    )
    for version, tokens in (("20260302.0.0", 3000), ("20260303.0.0", 300)):
        totals = desk.totals("--edition", version)
        assert (totals["input_tokens"], totals["cache_read_tokens"]) == (tokens, 2700)
        assert totals["evaluated_spend_usd"] == "0.75"
    totals = desk.totals()
    assert (totals["input_tokens"], totals["cache_read_tokens"]) == (None, None)
    assert (totals["usage_reported"], totals["evaluated_spend_usd"]) == (6, "1.5")
    assert desk.explain("input_tokens")["state"] == "unknown"
    desk.stands()
