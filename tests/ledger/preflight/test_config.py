"""Configurations as people write them, and what is set beside them."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pycddl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon import Limit, Refusal, encode, sha256
from ledger.errors import (
    ConfigKey,
    ConfigMissing,
    ConfigSyntax,
    ConfigValue,
    OverrideInvalid,
)
from ledger.preflight import Configured, read_config
from ledger.preflight.config import words_of

REPO = Path(__file__).resolve().parents[3]
SAMPLE = REPO / "samples" / "preflight" / "plain.toml"
CDDL = (REPO / "specs" / "cddl" / "preflight.cddl").read_text("utf-8")
DIGEST = "3ab3b1ad194eae821c939d8efeac1c1edbe73103d2db4cc004a5017681c897a9"
"""Of the least configuration, every default filled in."""
LEAST = {"name": "pi", "command": "pi"}


def read(document: Any, *overrides: str) -> Configured:
    """Read a configuration of JSON."""
    return read_config(json.dumps(document).encode(), "harness.json", overrides)


def test_what_is_left_out_has_its_default() -> None:
    """PRE-5: the effective configuration says all that the checks use."""
    effective = read(LEAST).effective
    assert effective["version_args"] == ["--version"]
    assert effective["ports"] == {"api": 27190, "mod": 27191, "range": [27190, 27199]}
    assert effective["build"] == {"java": "", "min_java": 25, "pip_packages": []}
    assert effective["lab"]["enabled"] is False


def test_the_digests_are_of_the_bytes_and_of_what_is_used() -> None:
    """PRE-5: of the file as it stands, and of the canonical encoding with every default."""
    data = json.dumps(LEAST).encode()
    configured = read_config(data, "harness.json")
    assert configured.config_sha256 == sha256(data)
    assert configured.effective_sha256 == sha256(encode(configured.effective))


def test_the_effective_digest_of_the_page_is_the_one_that_is_computed() -> None:
    """PRE-5: it is the same with every version that reads this form."""
    assert read(LEAST).effective_sha256.hex() == DIGEST
    assert DIGEST in (REPO / "specs" / "preflight.md").read_text("utf-8")


def test_one_configuration_has_one_effective_digest_however_it_is_written() -> None:
    """PRE-5: in JSON, in TOML, in another order, with a default spelt out, or set beside it."""
    toml = b'command = "pi"\nname = "pi"\nbuild.min_java = 17\n'
    written = [
        read(LEAST | {"build": {"min_java": 17}}),
        read_config(toml, "harness.TOML"),
        read(LEAST | {"model": "", "build": {"min_java": 17}}),
        read(LEAST, "build.min_java=17"),
    ]
    assert len({configured.effective_sha256 for configured in written}) == 1
    assert len({configured.config_sha256 for configured in written}) == 4


@pytest.mark.parametrize(
    "change",
    ["model=another", "build.min_java=17", "lab.rcon_password=correct horse", "ports.api=1"],
)
def test_a_changed_value_changes_the_effective_digest(change: str) -> None:
    """PRE-5: also that of a secret, which the report does not show."""
    assert read(LEAST, change).effective_sha256 != read(LEAST).effective_sha256


def test_a_mark_of_an_editor_is_no_fault() -> None:
    """PRE-1: some editors put a byte order mark in front of UTF-8."""
    assert read_config(b"\xef\xbb\xbf" + json.dumps(LEAST).encode(), "x.json").config.name == "pi"


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"{", "x.json", "line 1 column 2"),
        (b"", "x.json", "line 1 column 1"),
        (b'{"name": NaN}', "x.json", "NaN is no JSON number"),
        (b'{"name": "a", "name": "b"}', "x.json", "stands twice in one object"),
        (b"\xff", "x.json", "byte 0 is not UTF-8"),
        (b"[" * 60_000, "x.json", "nested too deep"),
        (b"name = ", "x.toml", "invalid value (at end"),
        (b'name = "a"\nname = "b"', "x.toml", "cannot overwrite a value"),
        (b'{"name": ' + b"1" * 5_000 + b"}", "x.json", "limit"),
    ],
)
def test_what_is_no_json_or_toml_is_refused(data: bytes, name: str, said: str) -> None:
    """PRE-1: the message says where."""
    with pytest.raises(ConfigSyntax) as refused:
        read_config(data, name)
    assert (refused.value.place, refused.value.code) == (name, "E_PREFLIGHT_SYNTAX")
    assert said in refused.value.got


def test_a_configuration_that_is_too_long_is_refused() -> None:
    """PRE-1: 64 KiB are enough for anybody's harness."""
    with pytest.raises(Limit):
        read_config(b" " * 65_537, "x.json")


@pytest.mark.parametrize(
    ("document", "place", "key"),
    [
        (LEAST | {"comand": "pi"}, "harness.json", "'comand'"),
        (LEAST | {"build": {"jvaa": "x"}}, "harness.json, build", "'jvaa'"),
        (LEAST | {"lab": {"ports": {"api": 1}}}, "harness.json, lab, ports", "'api'"),
    ],
)
def test_a_key_that_there_is_not_is_refused(document: Any, place: str, key: str) -> None:
    """PRE-2: the message lists those that there are."""
    with pytest.raises(ConfigKey) as refused:
        read(document)
    assert (refused.value.place, refused.value.got) == (place, f"key {key}")
    assert refused.value.expected.startswith("one of ")


@pytest.mark.parametrize("key", ["name", "command"])
def test_a_key_that_must_be_given_is_missed(key: str) -> None:
    """PRE-3: and may be given beside the file."""
    document = {name: value for name, value in LEAST.items() if name != key}
    with pytest.raises(ConfigMissing) as refused:
        read(document)
    assert f"`{key}`" in refused.value.got
    assert read(document, f"{key}=pi").effective == read(LEAST).effective


@pytest.mark.parametrize(
    ("keys", "place", "got", "expected"),
    [
        ({"name": 3}, "name", "a whole number", "text"),
        ({"name": None}, "name", "null", "text"),
        ({"shell": "sh"}, "shell", "text", "a list"),
        ({"shell": ["sh", 1]}, "shell[1]", "a whole number", "text"),
        ({"command": 1}, "command", "a whole number", "text or a list"),
        ({"build": 3}, "build", "a whole number", "a table"),
        ({"build": {"min_java": 1.5}}, "build.min_java", "a number with a fraction",
         "a whole number"),
        ({"build": {"min_java": "17"}}, "build.min_java", "text", "a whole number"),
        ({"build": {"min_java": True}}, "build.min_java", "true or false", "a whole number"),
        ({"build": {"min_java": 0}}, "build.min_java", "another one", "a whole number >= 1"),
        ({"timeouts": {"fetch": 0}}, "timeouts.fetch", "another one", "a whole number >= 1"),
        ({"timeouts": {"fetch": 86_401}}, "timeouts.fetch", "another one",
         "a whole number <= 86400"),
        ({"lab": {"enabled": 1}}, "lab.enabled", "a whole number", "true or false"),
        ({"env": {"A": 1}}, "env[...]", "a whole number", "text"),
        ({"ports": {"range": [1]}}, "ports.range", "1", "a list of length 2"),
        ({"ports": {"api": 10**20}}, "ports.api", "a number of many digits", "one below 2^53"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_refused(
    keys: dict[str, Any], place: str, got: str, expected: str
) -> None:
    """PRE-4: place, got and expected, in words."""
    with pytest.raises(ConfigValue) as refused:
        read(LEAST | keys)
    assert refused.value.place == f"harness.json, {place}"
    assert (refused.value.got, refused.value.expected) == (got, expected)


@pytest.mark.parametrize("depth", [50, 500, 900])
def test_a_value_that_is_nested_deep_is_refused(depth: int) -> None:
    """PRE-4: however deep it is, nothing is followed to its end."""
    value = f"{'[' * depth}{']' * depth}"
    with pytest.raises((ConfigValue, ConfigSyntax)):
        read_config(f'{{"name": {value}, "command": "b"}}'.encode(), "x.json", ["model=m"])
    with pytest.raises((ConfigValue, ConfigSyntax)):
        read_config(f'name = {value}\ncommand = "b"'.encode(), "x.toml")
    with pytest.raises(OverrideInvalid):
        read(LEAST, f"shell={value}")


def test_a_name_of_another_form_is_refused() -> None:
    """PRE-4: a schema of another version is none that this program reads."""
    with pytest.raises(ConfigValue) as refused:
        read(LEAST | {"schema": "mc-agent-harness-config/2"})
    assert refused.value.place == "harness.json, schema"


@pytest.mark.parametrize("document", ["text", 3, None, [1], True])
def test_a_document_that_is_no_table_is_refused(document: Any) -> None:
    """PRE-4: a configuration has keys."""
    with pytest.raises(ConfigValue) as refused:
        read(document)
    assert refused.value.place == "harness.json"


@pytest.mark.parametrize("text", ["e\u0301", "\u0378", "\ud800"])
def test_text_without_a_canonical_form_is_refused(text: str) -> None:
    """PRE-4: one text would have several digests, or none; the message does not show it."""
    with pytest.raises(ConfigValue) as refused:
        read(LEAST | {"model": f"secret{text}"})
    assert refused.value.place == "harness.json, model"
    assert "secret" not in refused.value.message
    with pytest.raises(ConfigValue):
        read(LEAST | {"env": {text: "x"}})


@pytest.mark.parametrize("name", ["", "A=B", "A\0"])
def test_a_variable_that_no_system_takes_is_refused(name: str) -> None:
    """PRE-4: rather than that every command fails."""
    with pytest.raises(ConfigValue) as refused:
        read(LEAST | {"env": {name: "value"}})
    assert refused.value.place == "harness.json, env"


def test_no_message_shows_a_value() -> None:
    """PRE-41: it may be a secret that is no text, or stands at a key that there is not."""
    secret = "123456789"
    for text in (
        f'{{"name": "a", "command": "b", "lab": {{"rcon_password": {secret}}}}}',
        f'{{"name": "a", "command": "b", "password": {secret}}}',
        f'{{"name": "a", "command": "b", "lab": {{"rcon_password": "{secret}}}',
        f'{{"name": "a", "command": "b", "lab": {{"rcon_password": "{secret}\t"}}}}',
        f'{{"name": "a", "command": "b", "lab": {{"rcon_password": [{secret}]}}}}',
        f'{{"name": "a", "command": "b", "lab": {{"rcon_password": "{secret}e\u0301"}}}}',
    ):
        with pytest.raises(Refusal) as refused:
            read_config(text.encode(), "x.json")
        assert secret not in str(refused.value)
    with pytest.raises(OverrideInvalid) as wrong:
        read(LEAST, f"lab.rcon_password={secret}")
    assert secret not in str(wrong.value)


@pytest.mark.parametrize("secret", ["a", "abc"])
def test_a_secret_of_a_few_characters_is_refused(secret: str) -> None:
    """PRE-42: it could not be told from other text."""
    with pytest.raises(ConfigValue) as refused:
        read(LEAST | {"lab": {"rcon_password": secret}})
    assert refused.value.place == "harness.json, lab.rcon_password"
    assert repr(secret) not in refused.value.message
    assert read(LEAST | {"lab": {"rcon_password": "abcd"}}).config.lab.rcon_password == "abcd"


def test_a_program_is_not_split() -> None:
    """A path with spaces is one word, as systems write them."""
    assert words_of("C:\\Program Files\\pi.exe") == ("C:\\Program Files\\pi.exe",)
    assert words_of(("pi", "-x")) == ("pi", "-x")
    assert words_of("") == ()


def test_the_form_of_the_reference_harness_is_read() -> None:
    """PRE-2: with every key that such a file has; what is new here has a default."""
    document = {
        "schema": "mc-agent-harness-config/1",
        "name": "pi",
        "command": "pi",
        "version_args": ["--version"],
        "model": "some-model",
        "provider": "some-provider",
        "session_env": "PI_SESSION_FILE",
        "shell": ["bash", "--version"],
        "fetch_urls": ["https://meta.example/versions"],
        "build": {"java": "", "min_java": 25, "pip_packages": []},
        "bridge": {"command": "", "siblings_root": "", "smoke": True},
        "ports": {"api": 27190, "mod": 27191, "range": [27190, 27199]},
        "lab": {"enabled": True, "name": "some", "provision": True, "start": True,
                "ports": {"game": 27192, "rcon": 27193}, "wait": 300},
        "timeouts": {"fetch": 20, "provision": 600, "lab_start": 900, "smoke": 60,
                     "smoke_total": 300},
    }  # fmt: skip
    assert read(document).config.lab.enabled


@given(st.binary() | st.text().map(str.encode), st.sampled_from(["x.json", "x.toml"]))
def test_whatever_stands_in_a_file_is_read_or_refused(data: bytes, name: str) -> None:
    """PRE-1: never anything else; and what is read is named by the digest of its bytes."""
    with suppress(Refusal):
        assert read_config(data, name).config_sha256 == sha256(data)


_LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
_TREES = st.recursive(
    _LEAVES, lambda some: st.lists(some) | st.dictionaries(st.text(), some), max_leaves=6
)
_KEYS = st.sampled_from(
    ["name", "command", "shell", "env", "build", "bridge", "ports", "lab", "timeouts", "build.java",
     "env.A", "ports.range", "lab.ports", "lab.ports.game", "", ".", "lab.."]
)  # fmt: skip


@given(st.dictionaries(_KEYS, _TREES), _KEYS | st.text(), _TREES.map(json.dumps) | st.text())
def test_whatever_is_set_where_is_read_or_refused(document: Any, key: str, value: str) -> None:
    """PRE-4 and PRE-6: a value of any kind at any key, in the file and beside it."""
    for written in (LEAST | document, LEAST):
        with suppress(Refusal):
            made = read(written, f"{key}={value}")
            assert made.effective_sha256 == sha256(encode(made.effective))
            assert made.written == written


def test_the_sample_and_the_whole_effective_form_fit_the_cddl() -> None:
    """PRE-4: the page, the CDDL and the program mean the same form."""
    schema = pycddl.Schema(f"start = configuration\n{CDDL}")
    sample = read_config(SAMPLE.read_bytes(), SAMPLE.name)
    schema.validate_cbor(encode(sample.written))
    schema.validate_cbor(encode(sample.effective))
    with pytest.raises(pycddl.ValidationError):
        schema.validate_cbor(encode(sample.effective | {"comand": "x"}))


def test_the_page_names_every_key_and_its_default() -> None:
    """PRE-2: the table on the page is the whole form."""
    page = (REPO / "specs" / "preflight.md").read_text("utf-8")
    table = page.partition("### Configuration\n")[2].partition("### Report")[0]
    for key, value in read(LEAST).effective.items():
        below = value if isinstance(value, dict) else {}
        for name, inner in below.items():
            last = ".ports.game" if isinstance(inner, dict) else f".{name}"
            assert f"{last}`" in table, (key, name)
        assert f"`{key}" in table
