"""Write the vectors of ``specs/figures.md`` to ``specs/vectors/figures``, the same at every run.

Nothing of the implementation is used, and nothing is computed: every value is spelled out. A file
holds ``{about, vectors}``.
"""

import json
from pathlib import Path
from typing import Any

from figures_formulas import formulas
from figures_invalidations import invalidations
from figures_judgements import judgements
from figures_reasons import reasons
from figures_selection import selection

FOLDER = Path(__file__).resolve().parent / "figures"


def files() -> dict[str, dict[str, Any]]:
    """Return the content of every file by its name."""
    content = {
        "formulas": ("the value of each figure", formulas()),
        "invalidations": ("tasks that are invalid, sources that are withdrawn", invalidations()),
        "judgements": ("what an attempt counts as", judgements()),
        "selection": ("which attempts count, and in which group", selection()),
        "reasons": ("explanations, causes of a change, refusals", reasons()),
    }
    return {name: {"about": about, "vectors": made} for name, (about, made) in content.items()}


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        (FOLDER / f"{name}.json").write_text(text_of(content), encoding="utf-8")


def text_of(content: dict[str, Any]) -> str:
    """Return the JSON of a file, with a line for each event and for each other part of a vector."""
    vectors = []
    for one in content["vectors"]:
        parts = []
        for key, value in one.items():
            text = json.dumps(value, ensure_ascii=False)
            if key == "events" and value:
                lines = (json.dumps(event, ensure_ascii=False) for event in value)
                text = "[\n    " + ",\n    ".join(lines) + "\n   ]"
            parts.append(f'   "{key}": {text}')
        vectors.append("  {\n" + ",\n".join(parts) + "\n  }")
    about = json.dumps(content["about"])
    return f'{{\n "about": {about},\n "vectors": [\n' + ",\n".join(vectors) + "\n ]\n}\n"


if __name__ == "__main__":
    main()
