"""One edition, one core: exported twice, after growth, after a redaction, restored (BUNDLE-12)."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bundle_world import AT, FAILED, KEYS, LOST, Entropy, World, release, root, row, world
from forge import draft_of, key

from canon import encode, labelled
from canon.digest import FIGURES, sha256
from ledger.bundle import read_items
from ledger.bundle.items import Document, ManifestItem
from ledger.bundle.reader import Core
from ledger.decide import catch_up, replay_of
from ledger.edition.export import Exported, export
from ledger.edition.freeze import LIMITS
from ledger.edition.manifest import parse_manifest
from ledger.errors import EditionExists, EditionUnknown, NothingToFreeze, ReleaseUnknown
from ledger.restore import restore
from ledger.store import Ledger
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from ledger.version import __version__

ROWS = [row(1), row(2, **FAILED), row(3, **LOST)]


@pytest.fixture
def made() -> Iterator[World]:
    """Return a ledger with one frozen edition of three attempts."""
    with world("core") as here:
        here.imports(release(ROWS))
        here.freezes()
        yield here


def exported(
    ledger: Ledger, edition: str = "2026.1", disclose: Callable[[str], bool] = lambda _: True
) -> tuple[bytes, Exported]:
    """Export an edition and return the file and what was written."""
    replay, out = replay_of(ledger), io.BytesIO()
    catch_up(replay, ledger)
    done = export(
        ledger,
        replay,
        edition,
        out,
        log_key=key("log"),
        signer=key("ada"),
        role="publisher",
        disclose=disclose,
    )
    return out.getvalue(), done


def verdict_on(data: bytes) -> dict[str, object]:
    """Verify a bundle that must hold."""
    verdict, _ = verify_bundle(io.BytesIO(data), Question([root().data]))
    assert verdict.error is None
    return verdict.document()


def test_an_edition_exported_twice_is_one_file(made: World) -> None:
    """All of it is determined: even the signatures are the same."""
    first, second = exported(made.ledger), exported(made.ledger)
    assert first == second
    assert verdict_on(first[0])["core_sha256"] == first[1].core_sha256.hex()


def test_public_and_private_files_have_one_core(made: World) -> None:
    """What is disclosed is outside the core."""
    private, whole = exported(made.ledger)
    public, shown = exported(made.ledger, disclose=lambda slot: slot == "record")
    closed, nothing = exported(made.ledger, disclose=lambda _: False)
    assert whole.core_sha256 == shown.core_sha256 == nothing.core_sha256
    assert [whole.disclosed, shown.disclosed, nothing.disclosed] == [6, 4, 0]
    assert len({private, public, closed}) == 3
    assert [verdict_on(data)["withheld"] for data in (private, public, closed)] == [0, 2, 6]


def test_growth_does_not_change_an_edition(made: World) -> None:
    """Corrections, exclusions and another edition come later, and change none of it."""
    before, _ = exported(made.ledger)
    two = made.attempt(1)
    made.corrects(two, failure_category="flooded")
    made.excludes(two)
    made.freezes("2026.2")
    assert exported(made.ledger)[0] == before
    later = verdict_on(exported(made.ledger, "2026.2")[0])
    assert (later["edition"], later["ok"]) == ("2026.2", True)


def test_a_redaction_only_withholds(made: World) -> None:
    """The redacted bytes leave the file; core, figures and verdict stand."""
    before, old = exported(made.ledger)
    made.redacts((5, "record"))
    after, new = exported(made.ledger)
    assert new.core_sha256 == old.core_sha256
    assert (old.disclosed, new.disclosed) == (6, 5)
    record = made.ledger.blob(6, "record")
    assert record is not None
    assert record.data in after
    assert b'"run_id": "w-q-1"' in before
    assert b'"run_id": "w-q-1"' not in after
    assert verdict_on(after)["withheld"] == 1


def test_a_restored_ledger_exports_the_same_core(made: World, tmp_path: Path) -> None:
    """From a public file: the same core, and the same file where as much is disclosed."""
    made.freezes("2026.2")
    public, done = exported(made.ledger, "2026.2", disclose=lambda slot: slot == "record")
    path = tmp_path / "restored.db"
    verdict = restore(
        io.BytesIO(public), Question([root().data]), path, at=AT, entropy=Entropy("restore")
    )
    assert verdict.ok
    with Ledger.open(path) as ledger:
        again, same = exported(ledger, "2026.2")
        earlier, _ = exported(ledger, "2026.1", disclose=lambda slot: slot == "record")
    assert same.core_sha256 == done.core_sha256
    assert again == public
    assert earlier == exported(made.ledger, disclose=lambda slot: slot == "record")[0]


def test_an_independent_import_gives_the_same_figures(made: World) -> None:
    """Another ledger, with other salts: another root, and one digest of figures (BUNDLE-8)."""
    _, one = exported(made.ledger)
    with world("independent") as other:
        other.imports(release(ROWS))
        other.freezes()
        _, two = exported(other.ledger)
    assert one.manifest.root != two.manifest.root
    assert one.manifest.figures_sha256 == two.manifest.figures_sha256
    assert one.manifest.figures_sha256 == labelled(FIGURES, encode(two.manifest.figures))


def test_a_draft_without_a_fault_is_the_exported_file(made: World) -> None:
    """The forger of the vectors changes nothing that it is not told to change."""
    made.corrects(made.attempt(1), failure_category="flooded")
    made.freezes("2026.2")
    data, _ = exported(made.ledger, "2026.2")
    draft = draft_of(made.ledger, KEYS)
    draft.software, draft.limits = f"coldledger {__version__}", LIMITS
    draft.disclose = lambda _: True
    assert draft.made().data == data


def test_the_core_is_the_digest_of_its_items(made: World) -> None:
    """Header, manifest, documents, chunks and checkpoint, byte for byte (BUNDLE-3)."""
    data, done = exported(made.ledger, disclose=lambda _: False)
    seal = [item.offset for item in read_items(io.BytesIO(data), Core())][-1]
    assert sha256(data[:seal]) == done.core_sha256


def test_earlier_manifests_are_documents_and_its_own_is_not(made: World) -> None:
    """A later edition carries the manifests of the earlier ones (BUNDLE-5)."""
    made.freezes("2026.2")
    data, _ = exported(made.ledger, "2026.2")
    _, first = exported(made.ledger)
    found = list(read_items(io.BytesIO(data), Core()))
    documents = [item.digest for item in found if isinstance(item, Document)]
    own = next(item.data for item in found if isinstance(item, ManifestItem))
    assert first.manifest_sha256 in documents
    assert sha256(own) not in documents
    assert parse_manifest(own).docs == documents == sorted(documents)


def test_what_cannot_be_frozen_or_exported_is_refused(made: World) -> None:
    """A taken name, an unknown release, an unknown edition, and nothing to count."""
    size = made.ledger.size
    with pytest.raises(EditionExists):
        made.freezes()
    with pytest.raises((EditionUnknown, ReleaseUnknown)):
        made.freezes("2026.3", ["20990101.0.0"])
    with pytest.raises(EditionUnknown):
        exported(made.ledger, "2099.1")
    assert made.ledger.size == size
    with world("empty") as other, pytest.raises(NothingToFreeze):
        other.freezes()
