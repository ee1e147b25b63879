"""An unknown cost that is summed as zero.

Models that were missing from a table of prices cost 0 in the totals, so the one model that had a
price looked expensive, and the others free. Here a cost that nobody reported is null, with a word
beside it that says so; a sum that lacks some is a lower bound and marked as one; and a reported
zero where nothing ran is flagged, since zero often means missing.
"""

from cases.desk import Desk, flags_of
from cases.releases import release, three


def test_an_unknown_cost_is_null_and_never_zero(desk: Desk) -> None:
    """The source's own total says 0; the ledger says that nobody knows."""
    rows = [*three("repaired", "repaired", "failed"), *three("repaired", "repaired", "repaired")]
    for other, usage in zip(rows[3:], (None, {"cost_usd": None}, {}), strict=True):
        other |= {"model": "maker/second", "usage": usage}
    made = release("20260302.0.0", rows)
    made["by_model"] = [{"model": "maker/second", "trials": 3, "known_cost_usd": 0.0}]
    report = desk.take(made)[0]
    assert flags_of(report) == {}
    second, first = desk.board()["by_model"]
    assert (second["model"], second["evaluated_spend_usd"]) == ("maker/second", None)
    assert (second["cost_status"], second["price_status"]) == ("unknown", "unknown_cost")
    assert (second["price_per_durable_repair_usd"], second["price_is_lower_bound"]) == (None, None)
    assert second["flags"] == ["cost_unknown"]
    assert (first["price_per_durable_repair_usd"], first["price_status"]) == ("0.375", "exact")
    costs = [attempt["cost"] for attempt in desk.attempts()]
    assert costs[3:] == [{"state": "unknown", "usd": None}] * 3
    desk.stands()


def test_a_sum_that_lacks_some_is_a_lower_bound(desk: Desk) -> None:
    """One of three is not reported: what is known is said to be at least that."""
    rows = three("repaired", "failed", "repaired")
    rows[1]["usage"]["cost_usd"] = None
    desk.take(release("20260302.0.0", rows))
    totals = desk.totals()
    assert (totals["evaluated_spend_usd"], totals["cost_status"]) == ("0.5", "lower_bound")
    assert (totals["evaluated_cost_reported"], totals["evaluated_cost_missing"]) == (2, 1)
    assert (totals["price_per_durable_repair_usd"], totals["price_is_lower_bound"]) == (
        "0.25",
        True,
    )
    assert desk.explain("price_per_durable_repair_usd")["shown"] == "≥ 0.25"
    assert "≥ 0.2500" in desk.run("leaderboard").out


def test_a_reported_zero_is_zero_and_odd_where_nothing_ran(desk: Desk) -> None:
    """A free model is free; a zero beside no token at all may be a gap, and is flagged."""
    rows = three("repaired", "repaired", "repaired", cost=0)
    rows[2]["usage"] |= {"input_tokens": 0, "output_tokens": 0}
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"zero_cost_nothing_ran": 1}
    totals = desk.totals()
    assert (totals["evaluated_spend_usd"], totals["cost_status"]) == ("0", "zero")
    assert totals["price_per_durable_repair_usd"] == "0"
    assert desk.attempts()[2]["flags"] == ["zero_cost_nothing_ran"]


def test_a_price_without_a_repair_is_none(desk: Desk) -> None:
    """Money divided by no repair is no price, and not an endless or a free one."""
    desk.take(release("20260302.0.0", three("failed", "failed", "failed")))
    totals = desk.totals()
    assert (totals["price_per_durable_repair_usd"], totals["price_status"]) == (None, "no_repair")
    assert totals["evaluated_spend_usd"] == "0.75"
