"""What a value is in canonical bytes, counted without them."""

from typing import Any


def items_of(value: Any) -> int:
    """Return how many items a value is: itself, and all that is inside, keys too."""
    if isinstance(value, dict):
        return 1 + sum(1 + items_of(item) for item in value.values())
    if isinstance(value, list):
        return 1 + sum(map(items_of, value))
    return 1
