"""Secrets are known by their keys, and are nowhere in what is written."""

import json
from typing import Any

import pytest

from ledger.preflight import REDACTED, Redactor, redacted, secrets_of


def test_nested_secrets_are_replaced_and_paths_are_kept() -> None:
    """PRE-40: case H5."""
    config = {
        "build": {"java": "/opt/jdk-25/bin/java"},
        "provider": {"api_key": "sk-123", "list": [{"Token": "t-456"}], "PASSWORD": ["a", "b"]},
        "client_secret_id": 7,
        "lab": {"rcon_password": ""},
    }
    assert redacted(config) == {
        "build": {"java": "/opt/jdk-25/bin/java"},
        "provider": {"api_key": REDACTED, "list": [{"Token": REDACTED}], "PASSWORD": REDACTED},
        "client_secret_id": REDACTED,
        "lab": {"rcon_password": ""},
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (["tool", "--api-key", "sk-123", "go"], ["tool", "--api-key", REDACTED, "go"]),
        (["tool", "--token=t-456"], ["tool", f"--token={REDACTED}"]),
        (["tool", "BRIDGE_TOKEN=t-456"], ["tool", f"BRIDGE_TOKEN={REDACTED}"]),
        (["tool", "--token", "--verbose"], ["tool", "--token", "--verbose"]),
        (["tool", "--out", "keys"], ["tool", "--out", "keys"]),
        ("https://me:pass-word@h.example/x", f"https://me:{REDACTED}@h.example/x"),
        (["https://h.example/x?a=1&access_token=t-456#end"],
         [f"https://h.example/x?a=1&access_token={REDACTED}#end"]),
        ("https://h.example:8080/x?a=1", "https://h.example:8080/x?a=1"),
        ([1, True, None], [1, True, None]),
    ],
)  # fmt: skip
def test_secrets_in_commands_and_addresses_are_replaced(value: Any, shown: Any) -> None:
    """PRE-40: behind an option, as a parameter, and before the name of a host."""
    assert redacted(value) == shown


def test_every_secret_is_found_to_be_looked_for_elsewhere() -> None:
    """PRE-41: those of keys, commands and addresses, but for what is too short to be told."""
    config = {
        "env": {"BRIDGE_TOKEN": "t-456", "PLAIN": "value", "MY_KEY": "abc"},
        "deep": [{"password": ["one!", {"x": "two!"}]}],
        "shell": ["tool", "--secret", "sec-ret", "--key=k-789", "--token", "--verbose"],
        "fetch_urls": ["https://me:pass-word@h.example/?api_key=q-111"],
        "flag_token": True,
    }
    assert secrets_of(config) == {
        "t-456", "one!", "two!", "sec-ret", "k-789", "pass-word", "q-111",
    }  # fmt: skip


@pytest.mark.parametrize(
    "form",
    [
        lambda secret: secret,
        lambda secret: json.dumps({"it is": secret}),
        lambda secret: json.dumps(secret, ensure_ascii=False),
        lambda secret: f"before{secret}after{secret}",
    ],
)
@pytest.mark.parametrize("secret", ['with "quotes" \\ and é', "plain-secret", "a.b*c[d"])
def test_a_secret_is_found_however_it_is_written(form: Any, secret: str) -> None:
    """PRE-41: in text and in bytes, plainly and as JSON writes it."""
    redactor, text = Redactor([secret]), form(secret)
    for shown in (redactor.text(text), redactor.data(text.encode()).decode()):
        assert REDACTED in shown
        assert secret not in shown
        assert json.dumps(secret)[1:-1] not in shown


def test_a_secret_is_found_in_an_address() -> None:
    """PRE-41: as an address writes it, and as it is meant."""
    assert Redactor(["a b/c"]).text("x?y=a%20b%2Fc") == f"x?y={REDACTED}"
    assert Redactor(["a%20b%2Fc"]).text("it is a b/c") == f"it is {REDACTED}"


def test_a_longer_secret_is_replaced_as_a_whole() -> None:
    """PRE-41: nothing is left of one that begins like another."""
    redactor = Redactor(["pass", "password-2", "ass-word"])
    assert redactor.text("password-2 pass") == f"{REDACTED} {REDACTED}"


def test_without_secrets_everything_stays() -> None:
    """PRE-40: an empty pattern would match everywhere."""
    redactor = Redactor([])
    assert redactor.text("text") == "text"
    assert redactor.data(b"\xff\x00") == b"\xff\x00"
    assert redactor.value({"a": [1, None, "b"]}) == {"a": [1, None, "b"]}


def test_a_digest_is_not_broken_by_a_secret_in_it() -> None:
    """PRE-15: four digits that stand in a digest by chance are none of the secret."""
    digest, secret = "0123" + "a" * 60, "0123"
    shown = Redactor([secret]).value({"stdout_sha256": digest, "text": digest, "0123": "x"})
    assert shown == {"stdout_sha256": digest, "text": REDACTED + "a" * 60, REDACTED: "x"}
    assert Redactor([digest]).value({"x_sha256": digest}) == {"x_sha256": REDACTED}


def test_one_more_secret_can_be_hidden() -> None:
    """PRE-41: such as a password that was made up on the way."""
    redactor = Redactor([])
    redactor.add("made-up")
    assert redactor.text("it is made-up") == f"it is {REDACTED}"
