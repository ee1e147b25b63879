"""Which texts of a release are paths, and so stay in the blob (IMPORT-11)."""

import re

_PATH = re.compile(r"[/\\]|^~")


def is_path(text: str) -> bool:
    """Tell whether *text* is a path: it has a separator, or starts in somebody's home.

    Only for fields whose values are plain words otherwise; models and packs have slashes.
    """
    return _PATH.search(text) is not None
