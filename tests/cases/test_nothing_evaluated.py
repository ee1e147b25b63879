"""Nothing was evaluated, and a number is printed for it.

A run of which every trial died was drawn as 0 %, and a suite without cases passed with 100 %: an
empty set was taken for evidence, once against the system and once for it. Here a rate over nothing
is no rate: it is null, it has no rank, and a flag says why.
"""

from cases.desk import Desk, counts, flags_of
from cases.releases import release, three
from cli_place import KEY


def test_a_release_without_rows_proves_nothing(desk: Desk) -> None:
    """No attempt, no rate, no median, no price, and no edition."""
    desk.take(release("20260302.0.0", []))
    totals = desk.totals()
    assert counts(totals) == (0, 0, 0, 0, 0)
    for name in ("pass_rate", "price_per_durable_repair_usd", "median_evaluated_duration_s"):
        assert totals[name] is None
        assert desk.explain(name)["state"] == "none"
    assert totals["flags"] == ["fewer_than_3_attempts", "nothing_evaluated"]
    assert desk.run("replay", "--check").code == 0
    refused = desk.run("edition", "freeze", "nothing", "--key", KEY, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "E_EMPTY")


def test_a_system_of_which_all_was_lost_has_no_rate_and_no_rank(desk: Desk) -> None:
    """It is neither 0 of 3 nor last by merit: it comes after the one that failed each time."""
    rows = [
        *three("unavailable", "unavailable", "unavailable", model="maker/lost", usage=None),
        *three("failed", "failed", "failed", model="maker/never"),
    ]
    assert flags_of(desk.take(release("20260302.0.0", rows))[0]) == {}
    never, lost = desk.board()["by_model"]
    assert (never["model"], never["pass_rate"]) == ("maker/never", "0/3")
    assert (lost["model"], lost["pass_rate"], lost["unavailable"]) == ("maker/lost", None, 3)
    assert lost["flags"] == ["fewer_than_3_evaluated", "nothing_evaluated"]
    assert "— of 0" in desk.run("leaderboard").out
    desk.stands()
