"""Write ``errors.md``: every code that a refusal can have, from the classes themselves."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import canon
import cli
import ledger
import signing
from canon.refusal import Refusal

PAGE = Path(__file__).with_name("errors.md")
PACKAGES = (canon, signing, ledger, cli)
_HEAD = """\
# Errors

Made from the classes by `make docs`; do not edit. One fault has one class and one code. When a
code is raised is in the clauses that name it. What to do may be said more closely where a fault is
met.
"""


def page() -> str:
    """Return the page."""
    parts = [_HEAD]
    for package in PACKAGES:
        rows = sorted(refusals(package.__name__), key=lambda kind: kind.code)
        parts.append(f"## {package.__name__}\n\n| code | means | what to do |\n|---|---|---|")
        parts.append("\n".join(map(_row, rows)) + "\n")
    return "\n".join(parts)


def refusals(package: str) -> Iterator[type[Refusal]]:
    """Yield every class of refusal that a package defines."""
    top = importlib.import_module(package)
    for module in pkgutil.walk_packages(top.__path__, f"{package}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for kind in _below(Refusal):
        if kind.__module__.partition(".")[0] == package:
            yield kind


def _below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for sub in kind.__subclasses__():
        yield sub
        yield from _below(sub)


def _row(kind: type[Refusal]) -> str:
    meaning = (kind.__doc__ or "").strip().splitlines()[0]
    return f"| `{kind.code}` | {_cell(meaning)} | {_cell(kind.remedy)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
