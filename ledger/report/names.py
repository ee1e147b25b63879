"""What a leaderboard calls a figure, where that is not the figure's own name."""

PRICE = "price_per_durable_repair_usd"
"""The figure that is rounded for people, and whose every state has a word."""

SHOWN_AS = {"passed": "verified_repairs"}
"""Name of a figure to the field that shows it."""

FIGURE_OF = {
    "verified_repairs": "passed",
    "price_per_durable_repair_exact": PRICE,
    "price_is_rounded": PRICE,
    "price_status": PRICE,
    "unavailable_cost_status": "unavailable_spend_usd",
    "excluded_cost_status": "excluded_spend_usd",
}
"""Field of a leaderboard to the figure that it is made from, for fields of another name."""
