"""The trust root and keys that the tests of signing share with its vectors."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import signing
from signing import LogKey, PrivateKey, Role, RootKey, TrustRoot, Witness

VECTORS = Path(__file__).resolve().parents[2] / "specs" / "vectors" / "signing"


@pytest.fixture(scope="session")
def key() -> Callable[[str], PrivateKey]:
    """Return the maker of test keys: a name is a key."""

    def make(name: str) -> PrivateKey:
        return PrivateKey.generate(hashlib.sha256(f"test key {name}".encode()).digest())

    return make


@pytest.fixture(scope="session")
def root(key: Callable[[str], PrivateKey]) -> TrustRoot:
    """Return a trust root in which Ann publishes and Ben audits."""
    return signing.new_root(
        log="log.example/t",
        keys=[
            RootKey(
                alg=-19,
                key=key("ann").public,
                controller="Ann",
                roles=("publisher", "root"),
                start=0,
                end=None,
            ),
            RootKey(
                alg=-8,
                key=key("ben").public,
                controller="Ben",
                roles=("auditor", "root"),
                start=0,
                end=50,
            ),
        ],
        roles={
            "root": Role(threshold=1, decides=("trust.adopted/1",)),
            "publisher": Role(threshold=1, decides=("edition.frozen/1",)),
            "auditor": Role(threshold=1, decides=()),
        },
        edition=["publisher", "auditor"],
        log_keys=[LogKey(key=key("log").public, start=0, end=None)],
        witnesses=[Witness(name="w.example", key=key("w").public, operator="W", start=0, end=None)],
        quorum=1,
    )


@pytest.fixture(scope="session")
def vector() -> Callable[[str, str, str], bytes]:
    """Return a getter of bytes from a vector: file, vector, input."""

    def get(file: str, name: str, field: str) -> bytes:
        content = json.loads((VECTORS / f"{file}.json").read_text(encoding="utf-8"))
        found = next(v for v in content["vectors"] if v["name"] == name)
        value = (content["common"] | found["inputs"])[f"{field}_hex"]
        return bytes.fromhex(value[0] if isinstance(value, list) else value)

    return get
