"""Every vector of ``specs/vectors/policies``, and that every MUST of policies has one."""

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pycddl
import pytest

from canon import Refusal, encode, sha256
from canon.cbor import decode
from ledger.projections import empty, figures
from ledger.rules import (
    Policy,
    disclosure_rules,
    document,
    parse_policy,
    shipped,
    status_rules,
)

SPECS = Path(__file__).resolve().parents[3] / "specs"
FOLDER = SPECS / "vectors" / "policies"
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
BY_PATTERN = {
    "audit-flag-in-capitals",
    "audit-question-empty",
    "audit-word-in-capitals",
    "name-of-three-parts",
    "name-with-newline",
    "reason-empty",
    "slot-in-capitals",
    "word-control",
    "word-empty",
    "word-long",
}
NOT_CANONICAL = {"empty", "trailing", "unsorted"}
CDDL = (SPECS / "cddl" / "policy.cddl").read_text()


def cases(name: str, part: str = "name") -> list[Any]:
    """Return the vectors of one file that have *part*, as parameters."""
    vectors = FILES[name]["vectors"]
    return [pytest.param(vector, id=vector["name"]) for vector in vectors if part in vector]


def changed(changes: dict[str, Any]) -> Policy:
    """Return the shipped status policy with some rules changed."""
    made: Any = decode(shipped()["status/replaybook"])
    for path, value in changes.items():
        part, key = path.split(".")
        made["rules"][part][key] = value
    return parse_policy(encode(made))


@pytest.mark.parametrize("vector", cases("documents"))
def test_document(vector: dict[str, Any]) -> None:
    """A document is read, and has that digest; or is refused with the code of its clause."""

    def read() -> bytes:
        data = document(vector["toml"]) if "toml" in vector else bytes.fromhex(vector["input_hex"])
        parse_policy(data)
        return data

    if vector["expect"] == "refuse":
        with pytest.raises(Refusal) as caught:
            read()
        assert caught.value.code == vector["code"]
        return
    data = read()
    assert data.hex() == vector["input_hex"]
    assert sha256(data).hex() == vector["digest"]
    assert parse_policy(data).digest.hex() == vector["digest"]
    pycddl.Schema(CDDL).validate_cbor(data)


@pytest.mark.parametrize(
    "vector",
    # What is not canonical is no question of shape; lengths and patterns stand in the clauses.
    [case for case in cases("documents", "input_hex") if case.id not in BY_PATTERN | NOT_CANONICAL],
)
def test_cddl_agrees(vector: dict[str, Any]) -> None:
    """The CDDL allows what only contradicts itself, and no other shape than the clauses allow."""
    schema, data = pycddl.Schema(CDDL), bytes.fromhex(vector["input_hex"])
    if vector["code"] in {None, "E_POLICY_RULE"}:
        schema.validate_cbor(data)
    else:
        with pytest.raises(pycddl.ValidationError):
            schema.validate_cbor(data)


@pytest.mark.parametrize("vector", cases("judgements", "attempt"))
def test_judgement(vector: dict[str, Any]) -> None:
    """An attempt counts as what the rules say, and the reason names the word."""
    judged = status_rules(changed(vector["policy"])).judge(**vector["attempt"])
    assert {"standing": judged.standing, "passed": judged.passed} == vector["judgement"]
    assert repr(vector["attempt"]["status"]) in judged.reason


@pytest.mark.parametrize("vector", cases("judgements", "slot"))
def test_treatment(vector: dict[str, Any]) -> None:
    """A slot is treated by its own rule, else by the one for all others."""
    rules = disclosure_rules(parse_policy(shipped()["disclosure/default"]))
    rule = rules.treatment(vector["slot"])
    assert {"class": rule.class_, "inspect": list(rule.inspect)} == vector["treatment"]
    assert rule.slot == vector["slot"]


@pytest.mark.parametrize("vector", cases("judgements", "figures_under"))
def test_family(vector: dict[str, Any]) -> None:
    """Figures are made under a status policy, and under no other."""
    policy = parse_policy(shipped()[vector["figures_under"]])
    if vector["expect"] == "accept":
        assert figures(empty(), (), policy)
        return
    with pytest.raises(Refusal) as caught:
        figures(empty(), (), policy)
    assert caught.value.code == vector["code"]


def test_every_clause_has_a_vector() -> None:
    """No MUST of the specification is without a vector."""
    text = (SPECS / "policies.md").read_text()
    clauses = re.findall(r"^\*\*(POLICY-\d+)\*\*", text, re.MULTILINE)
    vectors = [vector for content in FILES.values() for vector in content["vectors"]]
    assert clauses
    assert set(clauses) == {vector["clause"] for vector in vectors}


def test_example_of_the_specification() -> None:
    """The example of the specification is its own vector."""
    text = (SPECS / "policies.md").read_text()
    toml = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
    vector = next(one for one in FILES["documents"]["vectors"] if one["name"] == "example")
    assert document(toml).hex() == vector["input_hex"]
    assert f"it is {len(document(toml))} bytes" in text


def test_vectors_are_what_their_generator_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files in the tree are those that the generator makes."""
    monkeypatch.syspath_prepend(str(FOLDER.parent))
    assert importlib.import_module("make_policies").files() == FILES
