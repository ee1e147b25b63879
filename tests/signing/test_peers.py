"""Agreement with other people's vectors: Wycheproof, Go, C2SP and the COSE working group."""

import json
import re
from pathlib import Path
from typing import Any

import cbor2
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PublicKey

import signing
from canon.refusal import Refusal
from signing.cose import parse_decision
from signing.errors import KeyWeak, NoteMalformed, SignatureInvalid, VerifierKeyMalformed


@pytest.fixture
def vectors(shared: Path) -> Path:
    """Return the folder of peers' vectors."""
    return shared / "vectors"


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_wycheproof_agrees_on_all_signatures(vectors: Path) -> None:
    """All 151 Ed25519 cases: 88 verify, 63 are refused."""
    verdicts = []
    for group in _load(vectors / "wycheproof" / "ed25519_test.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            message, signature = bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"])
            try:
                signing.verify(public, message, signature)
                verdicts.append(("valid", case["result"], case["tcId"]))
            except (SignatureInvalid, KeyWeak):
                verdicts.append(("invalid", case["result"], case["tcId"]))
    assert [v for v in verdicts if v[0] != v[1]] == []
    assert [v[0] for v in verdicts].count("valid") == 88
    assert len(verdicts) == 151


def _go_message(case: dict[str, Any], go: dict[str, Any]) -> bytes:
    """Fill a case's template; slices are of UTF-8 bytes, as in Go."""

    def fill(match: re.Match[bytes]) -> bytes:
        name, start, stop, times = match.groups()
        if name == b"text":
            data = str(go["text"]).encode()
        else:
            data = str(go["sigs"][name.decode()]).encode()
        if times:
            return data * int(times)
        return data[int(start) if start else None : int(stop) if stop else None]

    pattern = rb"\{(\w+)(?:\[(-?\d*):(-?\d*)\])?(?:\*(\d+))?\}"
    message = re.sub(pattern, fill, str(case["msg"]).encode())
    return bytes.fromhex(case.get("msg_prefix_hex", "")) + message


GO_CODES = {
    "malformed note": "E_NOTE",
    "note has no verifiable signatures": "E_NO_CHECKPOINT",
    "ambiguous key EnochRoot+af0cfe78": "E_KEY_AMBIGUOUS",
    "invalid signature for key PeterNeumann+c74f20a3": "E_SIG",
}


def test_go_agrees_on_opening_notes(vectors: Path) -> None:
    """All 14 open cases of golang.org/x/mod: signers, or the code for Go's error."""
    go = _load(vectors / "go-sumdb-note" / "note_vectors.json")
    names = {"peter": "PeterNeumann", "enoch": "EnochRoot"}
    for case in go["open_cases"]:
        known = [signing.parse_vkey(go["vkeys"][name]) for name in case["known"]]
        message = _go_message(case, go)
        if "error" in case:
            with pytest.raises(Refusal) as refused:
                signing.open_note(message, known)
            assert refused.value.code == GO_CODES[case["error"]], case["id"]
            continue
        opened = signing.open_note(message, known)
        assert opened.text == go["text"].encode()
        assert [line.name for line in opened.verified] == [names[n] for n in case["verified"]]
        if "unverified" in case:
            left = [names[n] for n in case["unverified"]]
            assert [line.name for line in opened.unverified] == left, case["id"]
    assert len(go["open_cases"]) == 14


def test_go_agrees_on_keys_and_tree_heads(vectors: Path) -> None:
    """Good vkeys read back, bad ones and bad tree heads are refused."""
    go = _load(vectors / "go-sumdb-note" / "note_vectors.json")
    for text in go["vkeys"].values():
        assert signing.parse_vkey(text).text() == text
    for text in go["bad_vkeys"]:
        with pytest.raises(VerifierKeyMalformed):
            signing.parse_vkey(text)
    # Go's tree has a fixed first line with spaces, which is no origin here; the rest is the same.
    ours = [
        head.replace("go.sum database tree", "go.sum/database/tree").encode()
        for head in (*go["tree_parse"]["ok"], *go["tree_parse"]["bad"][1:])
    ]
    assert signing.parse_checkpoint(ours[0]).size == 123456789012
    for head in (*ours[1:], go["tree_parse"]["bad"][0].encode()):
        with pytest.raises(NoteMalformed):
            signing.parse_checkpoint(head)
    assert len(ours) == 3


def test_the_examples_of_c2sp_read_and_verify(vectors: Path) -> None:
    """The note with a published key verifies, and every whole example is a note of its shape."""
    text = (vectors / "c2sp" / "signed-note.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    vkey = next(
        line.strip() for line in text.splitlines() if line.startswith("    example.com/foo+")
    )
    opened = signing.open_note(second.encode(), [signing.parse_vkey(vkey)])
    assert opened.text == b"This is an example message.\n"
    assert signing.parse_note(first.encode()).signatures[0].name == "quasimodo.example/salvatore"

    for name, sizes in (("tlog-checkpoint", [68]), ("tlog-cosignature", [68, 76])):
        text = (vectors / "c2sp" / f"{name}.md").read_text(encoding="utf-8")
        example = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[0]
        note = signing.parse_note(example.encode())
        assert signing.parse_checkpoint(note.text).size == 20852163
        assert [len(line.data) for line in note.signatures] == sizes
        assert signing.render_note(note.text, note.signatures) == example.encode()


def _cose(vectors: Path, path: str) -> tuple[dict[str, Any], bytes]:
    case = _load(vectors / "cose-wg-examples" / path)
    return case, bytes.fromhex(case["output"]["cbor"])


@pytest.mark.parametrize("name", ["eddsa-01", "eddsa-02", "eddsa-sig-01", "eddsa-sig-02"])
def test_the_eddsa_examples_verify_below_the_profile(vectors: Path, name: str) -> None:
    """The signature over the Sig_structure holds; Ed25519 through `signing.verify`."""
    case, data = _cose(vectors, f"eddsa-examples/{name}.json")
    body, unprotected, payload, last = cbor2.loads(data).value
    if "sign0" in case["input"]:
        key, signed = case["input"]["sign0"]["key"], signing.sig_structure(body, payload)
        signature, said = last, case["intermediates"]["ToBeSign_hex"]
    else:
        signer, said = case["input"]["sign"]["signers"][0], case["intermediates"]["signers"][0]
        [[head, unprotected, signature]] = last
        key, said = signer["key"], said["ToBeSign_hex"]
        signed = cbor2.dumps(["Signature", body, head, b"", payload])
    assert 4 in unprotected
    assert signed == bytes.fromhex(said)
    public = bytes.fromhex(key["x_hex"])
    if key["crv"] == "Ed25519":
        signing.verify(public, signed, signature)
        with pytest.raises(SignatureInvalid):
            signing.verify(public, signed + b"\x00", signature)
    else:
        Ed448PublicKey.from_public_bytes(public).verify(signature, signed)
        with pytest.raises(InvalidSignature):
            Ed448PublicKey.from_public_bytes(public).verify(signature, signed + b"\x00")


# By which clause the profile refuses an example, good or bad. COSE_Sign has tag 98 (or none, or a
# wrong one): SIGN-5. Most COSE_Sign1 keep kid in the unprotected bucket: SIGN-10.
REFUSED = {
    "eddsa-examples/eddsa-sig-01": ("SIGN-10", "E_HEADER"),
    "eddsa-examples/eddsa-sig-02": ("SIGN-5", "E_COSE"),  # 114 bytes of Ed448 signature
    "sign1-tests/sign-fail-01": ("SIGN-5", "E_COSE"),  # tag 998
    "sign1-tests/sign-fail-02": ("SIGN-10", "E_HEADER"),
    "sign1-tests/sign-fail-03": ("SIGN-10", "E_HEADER"),
    "sign1-tests/sign-fail-04": ("SIGN-10", "E_HEADER"),
    "sign1-tests/sign-fail-06": ("SIGN-10", "E_HEADER"),
    "sign1-tests/sign-fail-07": ("SIGN-10", "E_HEADER"),
    "sign1-tests/sign-pass-01": ("SIGN-8", "E_ALG_UNPROTECTED"),  # "pass", by its authors
    "sign1-tests/sign-pass-02": ("SIGN-10", "E_HEADER"),
    "sign1-tests/sign-pass-03": ("SIGN-5", "E_COSE"),  # no tag
    "ecdsa-examples/ecdsa-sig-01": ("SIGN-10", "E_HEADER"),
    "ecdsa-examples/ecdsa-sig-02": ("SIGN-5", "E_COSE"),  # 96 bytes of signature
    "ecdsa-examples/ecdsa-sig-03": ("SIGN-5", "E_COSE"),  # 132 bytes of signature
    "ecdsa-examples/ecdsa-sig-04": ("SIGN-10", "E_HEADER"),
    "RFC8152/Appendix_C_2_1": ("SIGN-10", "E_HEADER"),
    "countersign/signed1-01": ("SIGN-6", "E_CBOR_KEY_ORDER"),  # labels 7, 4
    "countersign/signed1-02": ("SIGN-6", "E_CBOR_KEY_ORDER"),
}


def test_the_profile_refuses_each_cose_example_by_a_clause(vectors: Path) -> None:
    """COSE_Sign is another structure; each COSE_Sign1 breaks the clause that is named."""
    folder = vectors / "cose-wg-examples"
    specs = Path(__file__).resolve().parents[2] / "specs" / "signing.md"
    clauses = specs.read_text(encoding="utf-8").split("\n**")
    seen = set()
    for path in sorted(folder.glob("*/*.json")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        clause, code = REFUSED.get(name, ("SIGN-5", "E_COSE"))
        with pytest.raises(Refusal) as refused:
            parse_decision(bytes.fromhex(_load(path)["output"]["cbor"]))
        assert refused.value.code == code, name
        text = next(part for part in clauses if part.startswith(f"{clause}**"))
        assert ("E_CBOR_*" if code.startswith("E_CBOR") else code) in text
        seen.add(name)
    assert seen >= REFUSED.keys()
    assert len(seen) == 40
