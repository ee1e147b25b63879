"""A short piece of an input for a message: a refusal never repeats megabytes."""

LENGTH = 48


def excerpt(text: str) -> str:
    """Return *text* quoted and escaped, cut after 48 characters."""
    if len(text) <= LENGTH:
        return ascii(text)
    return f"{text[:LENGTH]!a}… ({len(text)} characters)"
