"""Foreign text on a page of Markdown: it stays in its line and marks nothing up (AUDIT-83)."""

import re

_MARKUP = re.compile(r"[\\`*<>\[\]|#!~&]|(?<![^\W_])_|_(?![^\W_])|:(?=//)")
"""What marks up Markdown; an underscore inside of a word does not."""


def foreign(text: str) -> str:
    """Return a text as one line that no reader of Markdown takes for anything else."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    return _MARKUP.sub(r"\\\g<0>", plain)
