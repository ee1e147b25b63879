"""Names that may be one name in two spellings: pointed out, and never taken for each other.

Whether they are one thing nobody here can know: the same model behind another provider is another
system. So nothing is merged, and who reads a table is told (``specs/figures.md``, Reports).
"""

import re
from collections.abc import Iterable

_SEPARATORS = re.compile(r"[\s\-_.:]+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)-(?=\d)")
MODEL = "model"


def skeleton(name: str, kind: str) -> str:
    """Return what is left of a name without case, separators, and the provider of a model.

    Separators are white space and ``- _ . :``. Between digits they stay as one, since 4.1 is not
    41. The provider is what stands before the last ``/``.

    Args:
        name: As its source writes it.
        kind: What it names: ``model``, or anything else.
    """
    if kind == MODEL:
        name = name.rpartition("/")[2] or name
    joined = _SEPARATORS.sub("-", name.casefold())
    return _BETWEEN_DIGITS.sub("\0", joined).replace("-", "")


def alike(names: Iterable[str], kind: str) -> list[list[str]]:
    """Return the names that share a skeleton with another one, together, each group ascending."""
    groups: dict[str, set[str]] = {}
    for name in names:
        groups.setdefault(skeleton(name, kind), set()).add(name)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)
