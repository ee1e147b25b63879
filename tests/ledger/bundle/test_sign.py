"""Adding a signature disturbs nobody (BUNDLE-19)."""

import io
import os
import stat
import threading
from pathlib import Path

import pytest
from bundle_vector import lean
from bundle_world import ADA, BEN, CLEO, WITNESSES, holder, root, witness
from forge import key

from canon.errors import Limit
from canon.refusal import Refusal
from ledger.bundle import Seal, read_items
from ledger.bundle.reader import Core
from ledger.edition import sign
from ledger.edition.sign import add_signature, roles_missing
from ledger.errors import SignedAlready
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from ledger.verify.verdict import Verdict
from signing.errors import KeyOutOfSpan, KeyUnknown, OtherOrigin, RoleMissing

_NOON = 1_767_355_200


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a bundle on disk that one publisher signed and two witnesses cosigned."""
    draft = lean()
    draft.replace_root(root(witnesses=list(map(witness, WITNESSES))).data)
    draft.cosigned_by = [(name, _NOON) for name in sorted(WITNESSES)]
    file = tmp_path / "edition.bundle"
    file.write_bytes(draft.made().data)
    return file


def verdict_on(path: Path) -> Verdict:
    """Verify the file."""
    pinned = root(witnesses=list(map(witness, WITNESSES))).data
    return verify_bundle(io.BytesIO(path.read_bytes()), Question([pinned]))[0]


def seal_of(path: Path) -> Seal:
    """Return the last item of the file."""
    last = list(read_items(io.BytesIO(path.read_bytes()), Core()))[-1]
    assert isinstance(last, Seal)
    return last


def test_an_auditor_adds_a_signature(path: Path) -> None:
    """All before the seal stays byte for byte, and so do the other signatures (BUNDLE-19)."""
    before, old = path.read_bytes(), seal_of(path)
    assert add_signature(path, key("cleo"), "auditor") == 2
    after, new = path.read_bytes(), seal_of(path)
    assert after[: new.offset] == before[: old.offset]
    assert new.log_signature == old.log_signature
    assert new.cosignatures == old.cosignatures
    assert set(old.editions) < set(new.editions)
    verdict = verdict_on(path)
    assert verdict.ok
    assert {(one.controller, one.role) for one in verdict.signers} == {
        ("Ada", "publisher"),
        ("Cleo", "auditor"),
    }
    assert verdict.witnesses == sorted(WITNESSES)


def test_signatures_stand_in_one_order_whoever_signs_first(path: Path) -> None:
    """By key id, then role: a key may sign in each of its roles (SIGN-26)."""
    other = path.with_name("other.bundle")
    other.write_bytes(path.read_bytes())
    for name, role in (("cleo", "auditor"), ("ada", "maintainer"), ("ben", "maintainer")):
        add_signature(path, key(name), role)
    for name, role in (("ben", "maintainer"), ("ada", "maintainer"), ("cleo", "auditor")):
        add_signature(other, key(name), role)
    assert path.read_bytes() == other.read_bytes()
    assert verdict_on(path).ok


def test_two_who_sign_at_once_both_have_signed(path: Path) -> None:
    """The second begins from what the first wrote (BUNDLE-19, STORE-24)."""
    signers = [("cleo", "auditor"), ("ada", "maintainer"), ("ben", "maintainer")]
    threads = [
        threading.Thread(target=add_signature, args=(path, key(name), role))
        for name, role in signers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seal_of(path).editions) == 1 + len(signers)
    assert verdict_on(path).ok
    assert os.listdir(path.parent) == [path.name]


def test_a_link_to_a_bundle_stays_one(path: Path) -> None:
    """And the bundle keeps its mode (STORE-24)."""
    path.chmod(0o604)
    link = path.with_name("link.bundle")
    link.symlink_to(path)
    assert add_signature(link, key("cleo"), "auditor") == 2
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert verdict_on(path).ok


def test_a_trust_root_of_another_log_signs_nothing(path: Path) -> None:
    """Its keys may be the same ones."""
    before = path.read_bytes()
    with pytest.raises(OtherOrigin):
        add_signature(path, key("cleo"), "auditor", root(log="log.example/other"))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "role", "refusal"),
    [
        ("ada", "publisher", SignedAlready),
        ("ada", "auditor", RoleMissing),
        ("stranger", "auditor", KeyUnknown),
    ],
)
def test_a_signature_that_says_nothing_new_is_refused(
    path: Path, name: str, role: str, refusal: type[Refusal]
) -> None:
    """The file stays as it is, and no other file is left beside it."""
    before = path.read_bytes()
    with pytest.raises(refusal):
        add_signature(path, key(name), role)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_seal_that_is_full_takes_no_more(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more would make a file that nobody accepts (BUNDLE-2)."""
    monkeypatch.setattr(sign, "MAX_SIGNATURES", 1)
    before = path.read_bytes()
    with pytest.raises(Limit):
        add_signature(path, key("cleo"), "auditor")
    assert path.read_bytes() == before


def test_a_bundle_without_a_trust_root_is_not_signed_by_guess(path: Path) -> None:
    """Where no document is a trust root, no key is known; one can be given (VERIFY-19)."""
    draft = lean()
    draft.attached = lambda docs: docs[1:]
    path.write_bytes(draft.made().data)
    with pytest.raises(KeyUnknown):
        add_signature(path, key("cleo"), "auditor")
    assert add_signature(path, key("cleo"), "auditor", root()) == 2


def test_a_file_that_is_no_bundle_is_refused(path: Path) -> None:
    """Half a bundle is none."""
    path.write_bytes(path.read_bytes()[:5_000])
    with pytest.raises(Refusal):
        add_signature(path, key("cleo"), "auditor")


def test_roles_that_have_not_signed_are_missing(path: Path) -> None:
    """As the trust root demands them; without one that is known, nothing is demanded."""
    assert roles_missing(path) == []
    both = root(edition=["auditor", "publisher"])
    assert roles_missing(path, both) == ["auditor"]
    add_signature(path, key("cleo"), "auditor", both)
    assert roles_missing(path, both) == []
    draft = lean()
    draft.attached = lambda docs: docs[1:]
    path.write_bytes(draft.made().data)
    assert roles_missing(path) == []


def test_a_signer_must_be_in_force_where_the_edition_stands(path: Path) -> None:
    """A key that was revoked before would sign for nobody."""
    gone = root(keys=[ADA, BEN, CLEO, holder("dora", "Dora", ["publisher"], span=(0, 3))])
    with pytest.raises(KeyOutOfSpan):
        add_signature(path, key("dora"), "publisher", gone)
