"""What a verdict says, and that a bundle is read once (VERIFY-17 to VERIFY-22)."""

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from bundle_vector import FREEZE, ROW, lean
from bundle_world import ORIGIN, root
from forge import Draft

from canon.digest import sha256
from canon.refusal import Refusal
from ledger.bundle import Chunk, Item
from ledger.errors import ConditionsMalformed
from ledger.replay import Entered
from ledger.verify.bundle import verify_bundle
from ledger.verify.conditions import read_conditions
from ledger.verify.question import Question
from ledger.verify.steps import NOT_PROVED, ONE_HISTORY, Step
from ledger.verify.verdict import Verdict
from signing.checkpoint import Checkpoint

SPECS = Path(__file__).resolve().parents[3] / "specs"


def verdict_on(data: bytes, **asked: object) -> Verdict:
    """Verify *data* with the trust root of the vectors."""
    return verify_bundle(io.BytesIO(data), Question([root().data], **asked))[0]  # type: ignore[arg-type]


class Once:
    """A stream that can only be read forward; whoever reads again gets other bytes."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self.bytes = data, 0, 0

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, and spoil them for whoever comes again."""
        assert size > 0
        piece = self._data[self._at : self._at + size]
        self._at += len(piece)
        self.bytes += len(piece)
        return piece

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"a bundle is read forward, once; not by {name}")


def test_a_bundle_is_read_once_and_what_was_verified_is_what_is_used() -> None:
    """A file exchanged after verifying cannot matter: nobody reads it again (VERIFY-20).

    The entries that the caller gets are those whose leaves gave the root, and the manifest is the
    one whose digest the freeze names.
    """
    made = lean().made()
    stream = Once(made.data)
    got: list[bytes] = []

    def sink(item: Item, _: Sequence[Entered]) -> None:
        if isinstance(item, Chunk):
            got.extend(item.entries)

    verdict, verified = verify_bundle(stream, Question([root().data]), sink=sink)  # type: ignore[arg-type]
    assert verdict.ok
    assert stream.bytes == len(made.data)
    assert got == made.entries
    assert verified is not None
    assert sha256(verified.manifest_bytes) == verified.frozen.manifest
    assert verified.manifest_bytes == made.manifest
    assert verified.replay.size == len(made.entries)


def test_a_sink_sees_only_what_held_so_far() -> None:
    """An item reaches the caller after its own checks, never before (VERIFY-20)."""
    draft = lean()
    draft.rows[ROW].entry = lambda entry: entry.update(seq=9)
    kinds: list[str] = []

    def sink(item: Item, _: Sequence[Entered]) -> None:
        kinds.append(type(item).__name__)

    verdict, verified = verify_bundle(
        io.BytesIO(draft.made().data), Question([root().data]), sink=sink
    )
    assert not verdict.ok
    assert verified is None
    assert kinds == ["Header", "ManifestItem", "Document", "Document"]


def test_the_error_is_the_one_that_comes_first() -> None:
    """Faults together: the lowest offset wins, after the end the lowest step (VERIFY-17)."""
    steps = []

    def fault(draft: Draft, number: int) -> None:
        match number:
            case 0:
                draft.seal = lambda parts: parts.update(editions=[])
            case 1:
                draft.manifest = lambda manifest: manifest.update(status="draft")
            case 2:
                draft.seal = lambda parts: parts.update(log=bytes(68), editions=[])
            case 3:
                draft.body = lambda body: body.replace(b"\n6\n", b"\n9\n")
            case 4:
                draft.rows[ROW].entry = lambda entry: entry.update(actor="")
            case _:
                draft.attached = lambda docs: docs[::-1]

    draft = lean()
    for number in range(6):
        fault(draft, number)
        error = verdict_on(draft.made().data).error
        assert error is not None
        steps.append(error.step)
    assert steps == ["signatures", "manifest", "checkpoint", "root", "canonical", "documents"]


def test_an_offset_is_that_of_the_item_or_entry() -> None:
    """It points at the head of the entry at fault, inside its chunk (VERIFY-17)."""
    draft = lean()
    draft.rows[ROW].entry = lambda entry: entry.update(seq=9)
    made = draft.made()
    error = verdict_on(made.data).error
    assert error is not None
    assert error.offset is not None
    assert made.data.index(made.entries[ROW]) - error.offset == 3
    after = lean()
    after.seal = lambda parts: parts.update(editions=[])
    error = verdict_on(after.made().data).error
    assert error is not None
    assert error.offset is None


def test_a_kept_checkpoint_of_another_log_is_refused() -> None:
    """Whoever keeps checkpoints of two logs gives the right one (CHAIN-7)."""
    kept = Checkpoint("log.example/other", 3, bytes(32))
    error = verdict_on(lean().made().data, since=kept).error
    assert error is not None
    assert (error.code, error.step) == ("E_ORIGIN", "consistency")
    with pytest.raises(Refusal):
        Checkpoint(f"{ORIGIN} x", 3, bytes(32)).body()


def test_a_verdict_is_a_document_of_all_its_fields() -> None:
    """Refused at once or accepted: the same fields, each a JSON value (VERIFY-22)."""
    good, bad = verdict_on(lean().made().data).document(), verdict_on(b"").document()
    assert good.keys() == bad.keys()
    assert json.loads(json.dumps(good)) == good
    assert [one["name"] for one in good["steps"]] == [step.value for step in Step]
    assert good["does_not_prove"] == bad["does_not_prove"] == [*NOT_PROVED, ONE_HISTORY]
    assert bad["error"].keys() == {"code", "message", "hint", "step", "seq", "offset"}
    assert (bad["ok"], bad["size"], bad["withheld"]) == (False, None, None)
    page = (SPECS / "verify.md").read_text("utf-8")
    for name in good:
        assert f"`{name}`" in page, name


def test_the_page_has_the_steps_by_number_and_name() -> None:
    """VERIFY-n is the nth step of the code."""
    page = (SPECS / "verify.md").read_text("utf-8")
    for number, step in enumerate(Step, 1):
        assert f"**VERIFY-{number}** *{step.value}*" in page


def test_the_page_says_what_is_not_proved() -> None:
    """The list in the code is the list on the page, each by its first words (VERIFY-22)."""
    page = " ".join((SPECS / "verify.md").read_text("utf-8").split())
    for text in NOT_PROVED:
        assert text.partition(":")[0].replace("this size", "N").replace("this program", "the") in (
            page.replace("the verifying program", "the")
        ), text


def test_the_example_of_conditions_is_read_and_judged() -> None:
    """The TOML on the page has every kind of rule (VERIFY-21)."""
    page = (SPECS / "verify.md").read_text("utf-8")
    text = page.partition("```toml\n")[2].partition("```")[0]
    conditions = read_conditions(text, "verify.md")
    assert len(conditions.rules) == 6
    error = verdict_on(lean().made().data, conditions=conditions).error
    assert error is not None
    assert error.code == "E_CONDITION"
    assert error.message.startswith("release-gate, rule 0 (signed-by)")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rules = [",
        'id = "x"\nversion = 1\nrules = []',
        'id = "x"\nrules = [{ kind = "root-pinned" }]',
        'id = "x"\nversion = 1\nrules = [{ kind = "min-events" }]',
        'id = "x"\nversion = 1\nrules = [{ kind = "min-events", count = 0 }]',
        'id = "x"\nversion = 1\nrules = [{ kind = "root-pinned", extra = 1 }]',
        'id = "x"\nversion = 1\nrules = [{ kind = "unheard" }]',
    ],
)
def test_conditions_that_mean_nothing_are_refused(text: str) -> None:
    """No rule, an unknown one, or one that cannot fail (VERIFY-21)."""
    with pytest.raises(ConditionsMalformed):
        read_conditions(text, "conditions.toml")


def test_verifying_loads_neither_database_nor_command_line() -> None:
    """An auditor needs no SQLite and no typer (VERIFY-20)."""
    code = (
        "import sys, ledger.verify.bundle;"
        "sys.exit(bool({'sqlite3', 'sqlite_utils', 'typer', 'rich'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_accepted_entry_is_the_one_of_the_file() -> None:
    """What a replay accepts carries its leaf and commitments for whoever reads on."""
    made = lean().made()
    seen: list[Entered] = []

    def sink(_: Item, entered: Sequence[Entered]) -> None:
        seen.extend(entered)

    verify_bundle(io.BytesIO(made.data), Question([root().data]), sink=sink)
    assert [one.entry.seq for one in seen] == list(range(FREEZE + 1))
    assert set(seen[ROW].commitments) == {"record"}
