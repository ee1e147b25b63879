"""What the pages show is what the vectors hold."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from bundle_decisions import exclusion, with_decision
from bundle_vector import FREEZE
from bundle_world import world

from canon import decode

SPECS = Path(__file__).resolve().parents[2] / "specs"


def example(page: str) -> str:
    """Return the example of a page."""
    text = (SPECS / page).read_text(encoding="utf-8")
    return text.partition("## Example\n")[2].partition("\n## Conventions")[0]


def test_the_entry_of_the_events_page() -> None:
    """Its length, the decision in it, and the leaf that it targets."""
    text, data = example("events.md"), with_decision(exclusion()).made().entries[FREEZE]
    entry: Any = decode(data)
    says: Any = decode(entry["body"]["decision"])
    assert f"{len(data)} bytes" in text
    assert f"{len(entry['body']['decision'])} bytes" in text
    assert f"{len(entry['body']['signatures'][0])} bytes" in text
    assert f"h'{entry['prev'].hex()[:16]}…'" in text
    assert f'"attempt": "{says["attempt"]}"' in text
    assert f"[[4, h'{says['target'][0][1].hex()[:16]}…']]" in text
    assert f"h'{says['nonce'].hex()[:8]}…'" in text


@pytest.mark.parametrize("name", ["bundle.md", "chain.md", "verify.md"])
def test_an_example_is_up_to_date(name: str) -> None:
    """`make docs` changes nothing: the numbers on the page are those of the vectors."""
    made = runpy.run_path(str(SPECS / "make_examples.py"))
    assert (SPECS / name).read_text("utf-8") == made["page"](name, made["examples"]()[name])


def test_the_ledger_of_the_store_page() -> None:
    """The lengths of the first entries after `init`."""
    text = example("store.md")
    with world() as made:
        rows = [f"{seq}|{len(data)}" for seq, data in made.ledger.entries()]
    assert "\n".join(rows) in text
