"""One fault, one class, one code, named in a spec; and the package says what it exports."""

import inspect
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import signing
from canon import errors as canon_errors
from canon.refusal import Refusal
from signing import errors

SPECS = Path(__file__).resolve().parents[2] / "specs"
Getter = Callable[[str, str, str], bytes]

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, Refusal) and value is not Refusal
]


def test_codes_are_unique() -> None:
    """Within signing, and against those of canon."""
    codes = [one.code for one in CLASSES]
    others = [one.code for one in vars(canon_errors).values() if hasattr(one, "code")]
    assert len(set(codes)) == len(codes)
    assert set(codes).isdisjoint(others)


def test_each_code_is_in_a_spec_and_has_a_remedy() -> None:
    """The two specs name every code; a remedy is one sentence without a full stop."""
    text = "".join((SPECS / name).read_text("utf-8") for name in ("signing.md", "trust-root.md"))
    for one in CLASSES:
        assert f"`{one.code}`" in text, one
        assert one.remedy == one.remedy.strip(" .")
        assert inspect.getdoc(one)


def test_each_class_is_raised_somewhere() -> None:
    """No class is left that no code raises."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(signing.__file__).parent.glob("*.py")
        if path.name != "errors.py"
    )
    for one in CLASSES:
        assert f"raise {one.__name__}(" in source, one


def test_the_package_exports_what_it_imports() -> None:
    """`__all__` is every public name of the package but its modules."""
    names = {
        name
        for name, value in vars(signing).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert set(signing.__all__) == names
    assert len(signing.__all__) == len(names)


def test_the_examples_of_the_spec_are_its_vectors(vector: Getter) -> None:
    """The bytes and the note on the page are those of the vectors named there."""
    text = (SPECS / "signing.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[:2]
    lines = (re.match(r"\s*((?:[0-9a-f]{2,}\s?)+)(?:\s\s|$)", line) for line in first.splitlines())
    shown = "".join(line[1].replace(" ", "") for line in lines if line)
    assert shown == vector("decision", "one-signer", "signatures").hex()
    assert second.encode() == vector("checkpoint-note", "cosigned", "note")
    digest = sha256(vector("root", "one-person", "root")).hexdigest()
    assert digest in (SPECS / "trust-root.md").read_text(encoding="utf-8")
