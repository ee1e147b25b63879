"""Edits to a ledger file on disk: each is found, and named by the first number that is wrong."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from bundle_world import AT, FAILED, LOST, ORIGIN, World, release, root, row, world
from forge import Draft, Row, draft_of
from made_rows import identity_of

from canon import Frontier, commitment, decode, encode, leaf_hash, root_of
from canon.digest import sha256
from ledger.check import FileVerdict, check_ledger
from ledger.decide import catch_up, replay_of
from ledger.identities import attempt_key
from ledger.store import Ledger
from ledger.tables import rebuild
from signing.checkpoint import Checkpoint

KEYS = ("ada", "ben")
SIZE = 12
"""0 root, 1 and 2 policies, 3 source, 4 release, 5 to 7 attempts, 8 correction, 9 exclusion, 10
redaction, 11 freeze."""

Edit = Callable[[sqlite3.Connection], object]


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Return a ledger with something of every kind in it, which is never changed."""
    with world("check") as here:
        here.imports(release([row(1), row(2, **FAILED), row(3, **LOST)]))
        here.corrects(here.attempt(1), failure_category="flooded")
        here.excludes(here.attempt(2))
        here.redacts((5, "record"))
        here.freezes()
        assert here.ledger.size == SIZE
        yield here


@pytest.fixture
def copy(made: World, tmp_path: Path) -> Path:
    """Return a copy of the ledger."""
    path = tmp_path / "copy.db"
    made.ledger.backup(path)
    return path


def edited(path: Path, *edits: Edit) -> None:
    """Edit a ledger as its owner can: the triggers are dropped first."""
    with closing(sqlite3.connect(path)) as database, database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        for edit in edits:
            edit(database)


def sql(text: str, *values: object) -> Edit:
    """Return an edit by one statement."""
    return lambda database: database.execute(text, values)


def checked(path: Path, since: Checkpoint | None = None) -> FileVerdict:
    """Check the ledger at *path*."""
    with Ledger.open(path) as ledger:
        return check_ledger(ledger, since=since)


def found(path: Path, since: Checkpoint | None = None) -> tuple[str, str, int | None]:
    """Return code, step and number of the fault that checking finds."""
    verdict = checked(path, since)
    assert not verdict.ok
    assert verdict.error is not None
    assert verdict.error.message
    return verdict.error.code, verdict.error.step, verdict.error.seq


def entry(database: sqlite3.Connection, seq: int) -> bytes:
    """Return an entry's bytes."""
    data = database.execute("SELECT entry FROM events WHERE seq = ?", (seq,)).fetchone()[0]
    assert isinstance(data, bytes)
    return data


def put(database: sqlite3.Connection, seq: int, data: bytes) -> None:
    """Replace an entry."""
    database.execute("UPDATE events SET entry = ? WHERE seq = ?", (data, seq))


def head_of(database: sqlite3.Connection) -> None:
    """Make the head row fit the entries again."""
    entries = [data for (data,) in database.execute("SELECT entry FROM events ORDER BY seq")]
    frontier = Frontier()
    frontier.extend([leaf_hash(data) for data in entries])
    database.execute(
        "UPDATE head SET size = ?, leaf = ?, frontier = ?",
        (len(entries), leaf_hash(entries[-1]), b"".join(frontier.hashes)),
    )


def kept(made: World, size: int) -> Checkpoint:
    """Return the true checkpoint of a size."""
    leaves = [leaf_hash(data) for _, data in made.ledger.entries(0, size)]
    return Checkpoint(ORIGIN, size, root_of(leaves))


def test_an_untouched_ledger_holds(made: World, copy: Path) -> None:
    """All is recomputed: entries, blobs, documents, editions, tables (STORE-13 to STORE-17)."""
    verdict = checked(copy, kept(made, 8))
    assert verdict.error is None
    document = verdict.document()
    assert (document["ok"], document["size"], document["editions"]) == (True, SIZE, ["2026.1"])
    assert document["root"] == made.ledger.root().hex()
    assert document["extraction"] == {"checked": 3, "of": 4}
    assert document["withheld"] == 0


@pytest.mark.parametrize("seq", range(SIZE))
def test_a_changed_byte_of_any_entry_is_found(copy: Path, seq: int) -> None:
    """Its last byte: whichever entry it is, that entry is named (STORE-13)."""

    def flip(database: sqlite3.Connection) -> None:
        data = entry(database, seq)
        put(database, seq, data[:-1] + bytes([data[-1] ^ 1]))

    edited(copy, flip)
    assert found(copy)[2] == seq


@pytest.mark.parametrize("seq", range(SIZE))
def test_a_changed_byte_anywhere_in_an_entry_is_found(copy: Path, seq: int) -> None:
    """Be it canonical bytes, shape, link or authority that is damaged (STORE-13)."""
    for place in (1, 40, 90, 200):

        def flip(database: sqlite3.Connection, place: int = place) -> None:
            data = entry(database, seq)
            at = place % len(data)
            put(database, seq, data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])

        edited(copy, flip)
        assert found(copy)[2] == seq
        edited(copy, flip)
    assert checked(copy).ok


@pytest.mark.parametrize("seq", [0, 5, 8, SIZE - 1])
def test_a_changed_time_is_found(copy: Path, seq: int) -> None:
    """The claimed time is signed by nobody, and still cannot be changed (STORE-13)."""

    def later(database: sqlite3.Connection) -> None:
        data = entry(database, seq)
        put(database, seq, data.replace(b"2026-01-02T03:04:05", b"2026-01-02T03:04:06"))

    edited(copy, later)
    code = "E_LEDGER_CORRUPT" if seq == SIZE - 1 else "E_CHAIN"
    assert found(copy)[::2] == (code, seq)


@pytest.mark.parametrize("seq", [0, 2, 5, 8, 10])
def test_two_swapped_entries_are_found(copy: Path, seq: int) -> None:
    """The first of the two is named (STORE-13)."""

    def swap(database: sqlite3.Connection) -> None:
        one, two = entry(database, seq), entry(database, seq + 1)
        put(database, seq, two)
        put(database, seq + 1, one)

    edited(copy, swap)
    code, _, named = found(copy)
    assert named == seq
    assert code == ("E_CHAIN" if seq else "E_LEDGER_CORRUPT")


@pytest.mark.parametrize("seq", [1, 5, 10])
@pytest.mark.parametrize("closed_up", [False, True])
def test_an_entry_deleted_in_the_middle_is_found(copy: Path, seq: int, closed_up: bool) -> None:
    """Whether the rows after it are moved up or not (STORE-13)."""
    edits = [sql("DELETE FROM events WHERE seq = ?", seq)]
    if closed_up:
        edits += [
            sql("UPDATE events SET seq = ? WHERE seq = ?", later - 1, later)
            for later in range(seq + 1, SIZE)
        ]
    edited(copy, *edits, head_of)
    assert found(copy) == ("E_CHAIN", "chain", seq)


def test_entry_0_deleted_is_found(copy: Path) -> None:
    """A ledger that does not begin is none (STORE-13)."""
    edited(copy, sql("DELETE FROM events WHERE seq = 0"))
    assert found(copy)[2] == 0


@pytest.mark.parametrize("size", [3, 9, 11])
@pytest.mark.parametrize("careful", [False, True])
def test_a_cut_tail_is_found(made: World, copy: Path, size: int, careful: bool) -> None:
    """By what was left behind, and by a kept checkpoint in any case (STORE-16, STORE-18)."""
    edited(copy, sql("DELETE FROM events WHERE seq >= ?", size))
    if not careful:
        assert found(copy)[::2] in (("E_LEDGER_CORRUPT", size), ("E_DISCLOSURE", size))
        return
    edited(
        copy,
        sql("DELETE FROM blobs WHERE seq >= ?", size),
        sql("DELETE FROM identities WHERE seq >= ?", size),
        head_of,
    )
    assert checked(copy).ok
    assert found(copy, kept(made, SIZE)) == ("E_ROLLBACK", "consistency", size)


@pytest.mark.parametrize("renumbered", [False, True])
def test_an_inserted_entry_is_found(made: World, copy: Path, renumbered: bool) -> None:
    """A sound next entry put between two others: the link after it is broken (STORE-13)."""
    seq = 6

    def insert(database: sqlite3.Connection) -> None:
        for later in reversed(range(seq, SIZE)):
            data: Any = decode(entry(database, later))
            if renumbered:
                data["seq"] += 1
            put(database, later, encode(data))
            for table in ("events", "blobs"):
                database.execute(
                    f"UPDATE {table} SET seq = ? WHERE seq = ?",  # noqa: S608 - two fixed names
                    (later + 1, later),
                )
        new: Any = decode(entry(database, seq - 1))
        new |= {"seq": seq, "prev": leaf_hash(entry(database, seq - 1))}
        new["body"]["blobs"] = {"record": bytes(32)}
        new["body"] |= {"index": 1, "number": 9}
        new["body"]["attempt"] = named = identity_of(new["body"])
        key = attempt_key(named, new["body"]["started_at"])
        database.execute("INSERT INTO identities VALUES (?, ?)", (key, seq))
        database.execute("INSERT INTO events VALUES (?, ?)", (seq, encode(new)))

    edited(copy, insert, head_of)
    code, step, named = found(copy)
    assert (code, step) == ("E_CHAIN", "chain")
    assert named == (seq if renumbered else seq + 1)


def test_a_changed_blob_is_found(copy: Path) -> None:
    """Its bytes or its salt (STORE-14)."""
    edited(copy, sql("UPDATE blobs SET bytes = x'7b7d' WHERE seq = 6 AND slot = 'record'"))
    assert found(copy) == ("E_COMMITMENT", "disclosures", 6)


def test_a_changed_salt_is_found(copy: Path) -> None:
    """The salt is under the commitment as well (STORE-14)."""
    edited(copy, sql("UPDATE blobs SET salt = zeroblob(32) WHERE seq = 8 AND slot = 'reason'"))
    assert found(copy) == ("E_COMMITMENT", "disclosures", 8)


def test_exchanged_blobs_are_found(copy: Path) -> None:
    """Two records in each other's place, with their salts (STORE-14)."""
    edited(
        copy,
        sql("UPDATE blobs SET seq = 99 WHERE seq = 6"),
        sql("UPDATE blobs SET seq = 6 WHERE seq = 7"),
        sql("UPDATE blobs SET seq = 7 WHERE seq = 99"),
    )
    assert found(copy) == ("E_COMMITMENT", "disclosures", 6)


def test_a_blob_that_nothing_commits_to_is_found(copy: Path) -> None:
    """In a slot that the entry has not, or of an entry that there is not (STORE-14)."""
    stray = "INSERT INTO blobs VALUES (?, 'notes', zeroblob(32), x'')"
    edited(copy, sql(stray, 6))
    assert found(copy) == ("E_DISCLOSURE", "disclosures", 6)
    edited(copy, sql("DELETE FROM blobs WHERE slot = 'notes'"), sql(stray, SIZE + 4))
    assert found(copy)[::2] == ("E_DISCLOSURE", SIZE + 4)


def test_a_redacted_slot_that_was_refilled_is_found(made: World, copy: Path) -> None:
    """The very bytes that the entry committed to, brought back from elsewhere (STORE-14)."""
    with world("check") as again:
        again.imports(release([row(1), row(2, **FAILED), row(3, **LOST)]))
        blob = again.ledger.blob(5, "record")
    assert blob is not None
    promised: Any = decode(next(data for seq, data in made.ledger.entries() if seq == 5))
    assert commitment(blob.salt, blob.data) == promised["body"]["blobs"]["record"]
    edited(copy, sql("INSERT INTO blobs VALUES (?, ?, ?, ?)", *blob))
    assert found(copy) == ("E_REDACTION", "disclosures", 5)


def test_a_withheld_blob_is_no_fault(copy: Path) -> None:
    """Bytes may be missing: they are counted (STORE-14)."""
    edited(copy, sql("DELETE FROM blobs WHERE slot = 'path'"))
    verdict = checked(copy)
    assert (verdict.ok, verdict.withheld) == (True, 1)


def test_a_changed_or_missing_document_is_found(made: World, copy: Path) -> None:
    """Trust roots, policies and manifests, by their digests (STORE-15)."""
    documents = list(made.ledger.documents())
    assert len(documents) == 4
    for digest, data in documents:
        edited(copy, sql("UPDATE documents SET bytes = ? WHERE digest = ?", data + b"\0", digest))
        assert found(copy)[0] == "E_DOCUMENT"
        edited(copy, sql("DELETE FROM documents WHERE digest = ?", digest))
        assert found(copy)[0] == "E_DOCUMENT"
        edited(copy, sql("INSERT INTO documents VALUES (?, ?)", digest, data))
    assert checked(copy).ok


def test_a_changed_index_row_is_found(copy: Path) -> None:
    """An identity that points elsewhere, is missing, or is one too many (STORE-17)."""
    rows = "SELECT key, seq FROM identities ORDER BY key"
    with closing(sqlite3.connect(copy)) as database:
        keys = database.execute(rows).fetchall()
    assert len(keys) == 6
    for name, seq in keys:
        edited(copy, sql("UPDATE identities SET seq = 4 WHERE key = ?", name))
        assert found(copy) == ("E_INDEX_TABLE", "index", seq)
        edited(copy, sql("DELETE FROM identities WHERE key = ?", name))
        assert found(copy)[:2] == ("E_INDEX_TABLE", "index")
        edited(copy, sql("INSERT INTO identities VALUES (?, ?)", name, seq))
    edited(copy, sql("INSERT INTO identities VALUES ('attempt:none', 4)"))
    assert found(copy)[:2] == ("E_INDEX_TABLE", "index")


def test_a_changed_head_is_found(copy: Path) -> None:
    """The next event would be appended in the wrong place (STORE-16)."""
    edited(copy, sql("UPDATE head SET leaf = zeroblob(32)"))
    assert found(copy) == ("E_LEDGER_CORRUPT", "root", SIZE - 1)


def rewritten(draft: Draft, path: Path) -> None:
    """Write a draft's entries over those of a ledger, with every table that follows from them."""
    made = draft.made()

    def write(database: sqlite3.Connection) -> None:
        database.execute("DELETE FROM events")
        database.execute("DELETE FROM blobs")
        database.executemany("INSERT INTO events VALUES (?, ?)", enumerate(made.entries))
        for seq, row_ in enumerate(draft.rows):
            for slot, salted in row_.blobs.items():
                database.execute("INSERT INTO blobs VALUES (?, ?, ?, ?)", (seq, slot, *salted))
        database.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?)", (sha256(made.manifest), made.manifest)
        )

    edited(path, write, head_of)


def test_a_history_rewritten_by_its_key_holders_is_found(made: World, copy: Path) -> None:
    """Consistently, with every signature: only a kept checkpoint shows it (STORE-18)."""
    draft = draft_of(made.ledger, KEYS)
    draft.rows[9].at = "2026-01-02T03:04:06.000000Z"
    rewritten(draft, copy)
    assert checked(copy).error is None
    for size in (1, 8, 9):
        assert checked(copy, kept(made, size)).ok
    assert found(copy, kept(made, 10)) == ("E_CONSISTENCY", "consistency", None)
    assert found(copy, kept(made, 11)) == ("E_CONSISTENCY", "consistency", None)
    assert found(copy, kept(made, SIZE)) == ("E_SPLIT_VIEW", "consistency", None)


def test_rewritten_observations_do_not_bear_out_an_edition(made: World, copy: Path) -> None:
    """A result changed behind an edition does not give its figures (STORE-15)."""
    draft = draft_of(made.ledger, KEYS)
    old = draft.made()
    draft.rows[6].says |= {"reward": 1, "failure_category": None}
    draft.rows[6].gone = {"record": commitment(*draft.rows[6].blobs.pop("record"))}
    draft.rows[8].says["changes"] = [["failure_category", None, "flooded"]]
    honest: Any = decode(old.manifest)

    def as_before(manifest: dict[str, Any]) -> None:
        manifest.update(figures=honest["figures"], figures_sha256=honest["figures_sha256"])

    draft.freeze = as_before
    rewritten(draft, copy)
    code, step, seq = found(copy)
    assert (code, step, seq) == ("E_FIGURE", "figures", SIZE - 1)


def test_a_second_ledger_under_the_same_origin_is_found(made: World, tmp_path: Path) -> None:
    """Whole in itself, under the same trust root; a kept checkpoint tells (STORE-18)."""
    with world("another") as other:
        other.imports(release([row(1), row(2, **FAILED), row(3, **LOST)]))
        other.freezes()
        other.ledger.backup(tmp_path / "other.db")
    path = tmp_path / "other.db"
    assert checked(path).ok
    assert found(path, kept(made, 1)) == ("E_CONSISTENCY", "consistency", None)
    assert found(path, kept(made, SIZE))[0] == "E_ROLLBACK"


def test_a_kept_checkpoint_that_says_nothing_is_refused(made: World, copy: Path) -> None:
    """Of another log, or of no entries (STORE-18)."""
    other = Checkpoint("log.example/other", 3, bytes(32))
    assert found(copy, other) == ("E_ORIGIN", "consistency", None)
    assert found(copy, Checkpoint(ORIGIN, 0, sha256(b"")))[0] == "E_PROOF_SIZE"


@pytest.mark.parametrize("size", [7, SIZE])
def test_an_edited_view_is_found(copy: Path, size: int) -> None:
    """A row for people with SQL that says else than the events (STORE-17)."""
    with Ledger.open(copy, write=True) as ledger:
        replay = replay_of(ledger)
        catch_up(replay, ledger, size)
        rebuild(ledger, replay)
    assert checked(copy).ok
    edited(copy, sql("UPDATE attempts SET outcome = 'passed' WHERE report_seq = 6"))
    assert found(copy) == ("E_INDEX_TABLE", "view", 6)
    edited(copy, sql("DELETE FROM attempts WHERE report_seq = 6"))
    assert found(copy) == ("E_INDEX_TABLE", "view", 6)
    edited(copy, sql("UPDATE views SET size = 99"))
    assert found(copy)[:2] == ("E_INDEX_TABLE", "view")
    edited(copy, sql("DROP TABLE attempts"), sql("DELETE FROM views"))
    assert checked(copy).ok


def test_an_unauthorised_entry_is_found(made: World, copy: Path) -> None:
    """An exclusion by somebody without the role, linked and hashed as it must be (STORE-13)."""
    draft = draft_of(made.ledger, KEYS)
    says = {**draft.rows[9].says, "nonce": bytes(16)}
    draft.add(Row("attempt.excluded/1", says, signers=["cleo"], actor="maintainer", at=AT))
    rewritten(draft, copy)
    assert found(copy) == ("E_ROLE", "authority", SIZE - 1)


@pytest.mark.parametrize("seq", [-1, 2**63 - 1])
def test_a_row_at_a_number_that_no_event_has_is_found(copy: Path, seq: int) -> None:
    """Reading from 0 on would pass it over."""
    edited(copy, sql("INSERT INTO events SELECT ?, entry FROM events WHERE seq = 5", seq))
    assert found(copy)[0] in ("E_CHAIN", "E_LEDGER_CORRUPT")


def test_a_head_of_another_log_is_found(copy: Path) -> None:
    """Events appended after it would never be read again."""
    edited(copy, sql("UPDATE head SET origin = 'log.example/other'"))
    assert found(copy)[:2] == ("E_LEDGER_CORRUPT", "root")


@pytest.mark.parametrize(
    "edit", ["DELETE FROM views", "UPDATE views SET version = 99"], ids=["without", "of-another"]
)
def test_an_edited_view_cannot_hide_behind_its_position(copy: Path, edit: str) -> None:
    """A table of attempts that nobody could check is refused."""
    with Ledger.open(copy, write=True) as ledger:
        replay = replay_of(ledger)
        catch_up(replay, ledger)
        rebuild(ledger, replay)
    edited(copy, sql("UPDATE attempts SET outcome = 'repaired'"), sql(edit))
    assert found(copy)[:2] == ("E_INDEX_TABLE", "view")


def test_a_root_from_outside_must_be_that_of_the_file(copy: Path, made: World) -> None:
    """A second ledger under the same origin has another first root."""
    other = root(expires="2031-01-01T00:00:00.000000Z")
    with Ledger.open(copy) as ledger:
        assert check_ledger(ledger, trust=[made.root.data]).ok
        verdict = check_ledger(ledger, trust=[other.data])
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.seq) == ("E_CHAIN", 0)
