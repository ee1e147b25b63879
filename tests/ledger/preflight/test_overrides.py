"""What is set beside a configuration."""

import json
from typing import Any

import pytest

from ledger.errors import ConfigValue, OverrideInvalid
from ledger.preflight import Configured, read_config

LEAST = {"name": "pi", "command": "pi"}


def read(document: Any, *overrides: str) -> Configured:
    """Read a configuration of JSON."""
    return read_config(json.dumps(document).encode(), "harness.json", overrides)


@pytest.mark.parametrize(
    ("override", "table", "key", "value"),
    [
        ("build.java=C:\\path\\to\\jdk-25\\bin\\java.exe", "build", "java",
         "C:\\path\\to\\jdk-25\\bin\\java.exe"),
        ("bridge.command=C:\\a b\\mc-bridge.exe", "bridge", "command", "C:\\a b\\mc-bridge.exe"),
        ('bridge.command=["mc-bridge", "x"]', "bridge", "command", ["mc-bridge", "x"]),
        ("build.min_java=17", "build", "min_java", 17),
        ("lab.enabled=true", "lab", "enabled", True),
        ("lab.enabled=false", "lab", "enabled", False),
        ('lab.rcon_password="12345"', "lab", "rcon_password", "12345"),
        ('lab.name="C:\\\\new"', "lab", "name", "C:\\new"),
        ("lab.name=C:\\new", "lab", "name", "C:\\new"),
        ("lab.name=null", "lab", "name", "null"),
        ("lab.name=NaN", "lab", "name", "NaN"),
        ("lab.name=", "lab", "name", ""),
        ("lab.name=a=b", "lab", "name", "a=b"),
        ("lab.name= spaces ", "lab", "name", " spaces "),
        ("lab.name=[1, 2", "lab", "name", "[1, 2"),
        ("ports.range=[1, 2]", "ports", "range", [1, 2]),
        ('lab.ports={"game": 5, "rcon": 6}', "lab", "ports", {"game": 5, "rcon": 6}),
        ('lab.ports={"game": 5}', "lab", "ports", {"game": 5, "rcon": 27193}),
        ("lab.ports.rcon=7", "lab", "ports", {"game": 27192, "rcon": 7}),
        ("env.BRIDGE_HOME=/opt", "env", "BRIDGE_HOME", "/opt"),
    ],
)  # fmt: skip
def test_a_value_beside_the_file_is_what_it_looks_like(
    override: str, table: str, key: str, value: Any
) -> None:
    """PRE-7: JSON where it is, else text as it stands, and PRE-6: nothing else changes."""
    before, after = read(LEAST).effective, read(LEAST, override).effective
    assert after[table][key] == value
    assert type(after[table][key]) is type(value)
    before[table][key] = value
    assert after == before


def test_a_value_beside_the_file_replaces_the_one_in_it() -> None:
    """PRE-6: and leaves its neighbours."""
    document = LEAST | {"lab": {"name": "old", "wait": 5}}
    lab = read(document, "lab.name=new").config.lab
    assert (lab.name, lab.wait) == ("new", 5)
    assert read(document, "lab.name=new").written["lab"]["name"] == "old"


@pytest.mark.parametrize(
    ("override", "place", "got"),
    [
        ("build.java", "--set", "'build.java'"),
        ("=x", "--set", "key ''"),
        ("build.jvaa=x", "--set", "key 'build.jvaa'"),
        ("jvaa=x", "--set", "key 'jvaa'"),
        ("name.x=1", "--set", "key 'name.x'"),
        ("shell.0=sh", "--set", "key 'shell.0'"),
        ("env.=x", "--set", "key 'env.'"),
        ("env.A.B=x", "--set", "key 'env.A.B'"),
        ("build.min_java=new", "--set build.min_java", "text"),
        ("build.min_java=1.5", "--set build.min_java", "a number with a fraction"),
        ("build=17", "--set build", "a whole number"),
        ("model=4.5", "--set model", "a number with a fraction"),
        ("shell=sh", "--set shell", "text"),
        ("shell=[1]", "--set shell, [0]", "a whole number"),
        ('build={"jvaa": 1}', "--set build", "Object contains unknown field `jvaa`"),
        ('build={"java": "a", "java": "b"}', "--set build", "text"),
    ],
)
def test_an_override_that_does_not_fit_is_wrong_usage(override: str, place: str, got: str) -> None:
    """PRE-6: place and got; the file is not blamed."""
    with pytest.raises(OverrideInvalid) as refused:
        read(LEAST, override)
    assert (refused.value.place, refused.value.got) == (place, got)


@pytest.mark.parametrize("text", ["e\u0301", "\udcff", "abc"])
def test_an_override_of_another_form_is_wrong_usage(text: str) -> None:
    """PRE-6: as it would be in the file, and no message shows it (PRE-41)."""
    with pytest.raises(OverrideInvalid) as refused:
        read(LEAST, f"lab.rcon_password={text}")
    assert refused.value.place == "--set lab.rcon_password"
    assert text not in refused.value.got


def test_an_override_without_a_sign_does_not_show_what_may_be_its_value() -> None:
    """PRE-41: a colon is easily typed for the sign of equality."""
    with pytest.raises(OverrideInvalid) as refused:
        read(LEAST, "lab.rcon_password: correct horse")
    assert refused.value.got == "'lab.rcon_password'"


def test_an_override_says_how_to_give_text_that_looks_like_a_number() -> None:
    """PRE-7: it is quoted once more."""
    with pytest.raises(OverrideInvalid) as refused:
        read(LEAST, "model=4")
    assert "quoted" in refused.value.remedy
    assert read(LEAST, 'model="4"').config.model == "4"


def test_an_override_is_given_once() -> None:
    """PRE-6: of two values for one key nobody could say which is meant."""
    with pytest.raises(OverrideInvalid) as refused:
        read(LEAST, "model=a", "model=b")
    assert refused.value.place == "--set model"


def test_a_file_that_has_no_table_where_one_is_set_is_refused() -> None:
    """PRE-4: it is the file that is wrong."""
    with pytest.raises(ConfigValue) as refused:
        read(LEAST | {"build": 3}, "build.java=x")
    assert (refused.value.place, refused.value.got) == ("harness.json, build", "a whole number")
