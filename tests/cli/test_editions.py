"""``edition``: freeze figures, export them as one file, sign it."""

from pathlib import Path

import pytest
from cli_place import KEY, LOG_KEY, RELEASE, TRUST, Run


def test_a_freeze_is_an_event_at_its_own_size(run: Run) -> None:
    """The document names edition, size and root; the name is taken from then on."""
    before = run("status", "--json").json
    ran = run("edition", "freeze", "third", "--status", "final", "--key", KEY, "--json")
    assert (ran.code, ran.json["size"], ran.json["root"]) == (0, before["size"], before["root"])
    assert run("status", "--json").json["edition_names"] == ["later", "spring", "third"]
    again = run("edition", "freeze", "third", "--key", KEY, "--json")
    assert again.json["error"]["code"] == "E_EDITION_NAME"


def test_an_edition_of_nothing_is_refused(run: Run) -> None:
    """A release that was not imported cannot be frozen."""
    ran = run("edition", "freeze", "x", "--from", "19990101.0.0", "--key", KEY, "--json")
    assert ran.code == 1
    assert "UNKNOWN" in ran.json["error"]["code"]


def test_every_export_has_the_same_core(place: Path, run: Run) -> None:
    """Also after the log grew, and whether bytes are disclosed or withheld."""
    core = run("verify", "spring.bundle", "--trust", TRUST, "--json").json["core_sha256"]
    withheld = {}
    for which in ("public", "all", "none"):
        out = f"{which}.bundle"
        ran = run(
            "edition", "export", "spring", "-o", out, "--key", KEY, "--disclose", which, "--json"
        )
        assert (ran.code, ran.json["core_sha256"]) == (0, core)
        verdict = run("verify", out, "--trust", TRUST, "--json").json
        assert verdict["ok"] is True
        withheld[which] = verdict["withheld"]
    assert withheld["all"] == 0 < withheld["public"] < withheld["none"]
    assert b"results.json" not in (place / "public.bundle").read_bytes()


def test_an_export_never_replaces_a_file(place: Path, run: Run) -> None:
    """The old file stays, and no half of a new one beside it."""
    before = sorted(path.name for path in place.iterdir())
    words = ("edition", "export", "spring", "-o", "later.bundle", "--key", KEY, "--json")
    assert run(*words).json["error"]["code"] == "E_EXISTS"
    assert run("edition", "export", "nothing", "-o", "x.bundle", "--key", KEY).code == 1
    assert sorted(path.name for path in place.iterdir()) == before


def test_the_log_key_is_found_in_three_places(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By option, by variable, or beside the key; and it must be the log's."""
    (place / LOG_KEY).rename(place / "moved.key")
    words = ("edition", "export", "spring", "--key", KEY, "--json")
    assert run(*words, "-o", "a").json["error"]["code"].startswith("E_KEY")
    assert run(*words, "-o", "b", "--log-key", "moved.key").code == 0
    assert run(*words, "-o", "c", "--log-key", KEY).json["error"]["code"] == "E_KEY_UNKNOWN"
    monkeypatch.setenv("COLDLEDGER_LOG_KEY", "moved.key")
    assert run(*words, "-o", "d").code == 0
    assert not (place / "a").exists()
    assert not (place / "c").exists()


def test_another_signature_disturbs_nobody(run: Run) -> None:
    """A later signer adds one; the core stays, and the same again is refused."""
    core = run("verify", "spring.bundle", "--trust", TRUST, "--json").json["core_sha256"]
    words = ("edition", "sign", "spring.bundle", "--key", KEY, "--role")
    assert run(*words, "auditor", "--json").json["signatures"] == 2
    verdict = run("verify", "spring.bundle", "--trust", TRUST, "--json").json
    assert (verdict["ok"], verdict["core_sha256"]) == (True, core)
    assert {one["role"] for one in verdict["signers"]} == {"auditor", "publisher"}
    assert run(*words, "auditor").code == 1
    assert run(*words, "stranger", "--json").json["error"]["code"] == "E_ROLE"
    assert run(*words, "reviewer", "--trust", TRUST, "--json").json["signatures"] == 3


def test_people_see_what_was_written(run: Run) -> None:
    """Each command says in a line what it did."""
    assert run("edition", "freeze", "x", "--from", RELEASE, "--key", KEY).out.startswith("froze x,")
    ran = run("edition", "export", "x", "-o", "x.bundle", "--key", KEY)
    assert ran.out.startswith("wrote x.bundle: x, as of size ")
    assert "slots (public)" in ran.out
