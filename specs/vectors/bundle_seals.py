"""Forged bundles whose checkpoint, seal or trust is wrong (steps 9 to 16, VERIFY-19)."""

from collections.abc import Callable
from typing import Any

from bundle_vector import Asked, Vector, lean, note
from bundle_world import ADA, ADA_TOO, BEA, BEN, CLEO, DORA, WITNESSES, roles, root, witness
from forge import Draft, Map, key

from canon import decode, encode
from canon.digest import sha256
from signing.checkpoint import Checkpoint, cosign
from signing.cose import sign_decision, sign_edition
from signing.note import ED25519, key_id
from signing.root import LogKey

_N = 5
"""Size of a lean edition."""
_NOON = 1_767_355_200
_SUBJECT = "log.example/drills#2026.1"


def seals() -> list[Vector]:
    """Return the vectors."""
    return [
        *_checkpoints(),
        *_log_signatures(),
        *_witnesses(),
        *_signatures(),
        *_thresholds(),
        *_conditions(),
        *_trust(),
    ]


def under(first: bytes) -> Draft:
    """Return a lean draft under another first trust root."""
    draft = lean()
    draft.replace_root(first)
    return draft


def _checkpoints() -> list[Vector]:
    def body(change: Callable[[bytes], bytes]) -> Draft:
        draft = lean()
        draft.body = change
        return draft

    origin, number, rooted, _ = lean().made().body.split(b"\n")
    lines = [origin, number, rooted, b""]

    def with_line(index: int, line: bytes) -> Draft:
        changed = [*lines[:index], line, *lines[index + 1 :]]
        return body(lambda _: b"\n".join(changed))

    loose = rooted[:-2] + bytes([rooted[-2] + 1]) + b"="
    rows = [
        ("checkpoint-of-other-root", "CHAIN-6", "It states another root, and is signed.",
         body(lambda _: Checkpoint("log.example/drills", 6, bytes(32)).body()), "E_ROOT"),
        ("checkpoint-of-other-size", "CHAIN-6", "It states one entry more, and is signed.",
         with_line(1, b"7"), "E_ROOT"),
        ("checkpoint-with-loose-base64", "BUNDLE-18", "The same root in another spelling.",
         with_line(2, loose), "E_NOTE"),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, draft, code, "root")
        for name, clause, comment, draft, code in rows
    ]


def _log_signatures() -> list[Vector]:
    def signed(change: Callable[[bytes], bytes]) -> Draft:
        draft = lean()
        draft.seal = lambda parts: parts.update(log=change(parts["log"]))
        return draft

    elsewhere = lean()
    elsewhere.body = lambda body: body.replace(b"drills", b"others")
    stranger = lean()
    stranger.sealed_by = "stranger"
    log = key("log")
    other = key_id("log.example/drills", ED25519, log.public) + log.sign(b"another body")
    ended = under(root(log_keys=[LogKey(key=log.public, start=0, end=_N)]).data)
    rows = [
        ("checkpoint-of-other-log", "The body has another origin, and is signed.", elsewhere,
         "E_ORIGIN"),
        ("sealed-by-a-stranger", "The key is not the log's.", stranger, "E_KEY_UNKNOWN"),
        ("seal-of-other-body", "The log's signature, of another body.", signed(lambda _: other),
         "E_SIG"),
        ("log-key-ended", "The log's key was in force below 5.", ended, "E_LOG_KEY"),
    ]  # fmt: skip
    # A head that nobody has answered for proves nothing against the log.
    kept = Asked(since=note(_N + 1, bytes(32)))
    return [
        *(
            Vector(name, "VERIFY-10", comment, draft, code, "checkpoint")
            for name, comment, draft, code in rows
        ),
        Vector("unsigned-head-of-another-view", "VERIFY-10",
               "The kept checkpoint has another root, and the log has not signed this one.",
               signed(lambda _: other), "E_SIG", "checkpoint", asked=kept),
    ]  # fmt: skip


def _witnesses() -> list[Vector]:
    two = root(quorum=2, witnesses=list(map(witness, WITNESSES))).data
    north, north_too, south = WITNESSES

    def cosigned(*names: str, first: bytes = two, seal: Any = None) -> Draft:
        draft = under(first)
        draft.cosigned_by = [(name, _NOON) for name in names]
        if seal is not None:
            draft.seal = seal
        return draft

    def unknown(parts: Map) -> None:
        body = lean_body(two)
        parts["cosignatures"].append(
            ("west.example/w", cosign(key("w"), "west.example/w", body, 0))
        )

    def flipped(parts: Map) -> None:
        name, data = parts["cosignatures"][0]
        parts["cosignatures"][0] = (name, data[:-1] + bytes([data[-1] ^ 1]))

    retired = root(quorum=1, witnesses=[witness(north), witness(south, _N)]).data
    rows: list[tuple[str, str, Draft, str, Asked]] = [
        ("cosigned-by-nobody", "Nobody cosigned, two operators are needed.", cosigned(), "E_QUORUM",
         Asked()),
        ("cosigned-by-one-operator", "Two witnesses of one operator, two operators are needed.",
         cosigned(north, north_too), "E_QUORUM", Asked()),
        ("cosignatures-unsorted", "The names do not ascend.", cosigned(south, north),
         "E_SIG_ORDER", Asked()),
        ("cosigned-by-a-stranger", "A witness that the trust root does not name.",
         cosigned(north, south, seal=unknown), "E_KEY_UNKNOWN", Asked()),
        ("cosigned-after-retiring", "The witness was in force below 5.",
         cosigned(north, south, first=retired), "E_KEY_SPAN", Asked()),
        ("cosignature-flipped", "A bit of a cosignature is another.",
         cosigned(north, south, seal=flipped), "E_SIG", Asked()),
        ("cosigned-in-the-future", "A second after the verifier's clock.", cosigned(north, south),
         "E_TIMESTAMP", Asked(now=_NOON - 1)),
    ]  # fmt: skip
    return [
        Vector(name, "VERIFY-12", comment, draft, code, "witnesses", asked=asked)
        for name, comment, draft, code, asked in rows
    ]


def lean_body(first: bytes) -> bytes:
    """Return the checkpoint's body of a lean bundle under another trust root."""
    return under(first).made().body


def _signatures() -> list[Vector]:
    manifest = lean().made().manifest

    def envelope(
        name: str = "ada",
        *,
        alg: int = -19,
        of: bytes = manifest,
        controller: str = "Ada",
        subject: str = _SUBJECT,
        role: str = "publisher",
    ) -> bytes:
        return sign_edition(key(name), alg, of, controller=controller, subject=subject, role=role)

    def sealed(*envelopes: bytes, first: bytes | None = None) -> Draft:
        draft = lean() if first is None else under(first)
        draft.seal = lambda parts: parts.update(editions=list(envelopes))
        return draft

    honest = envelope()
    auditor = envelope("cleo", alg=-8, controller="Cleo", role="auditor")
    pair = sorted([honest, auditor], key=lambda one: key("ada").kid if one == honest
                  else key("cleo").kid)  # fmt: skip
    rows = [
        ("signature-of-other-manifest", "Valid, and of another manifest.",
         sealed(envelope(of=encode({}))), "E_ENTRY"),
        ("signature-under-other-name", "It names another controller than the trust root.",
         sealed(envelope(controller="Bea")), "E_CLAIM"),
        ("signature-of-other-edition", "It names another edition.",
         sealed(envelope(subject="log.example/drills#2025.1")), "E_CLAIM"),
        ("publisher-as-auditor", "A publisher's key signs as auditor.",
         sealed(envelope(role="auditor")), "E_ROLE"),
        ("edition-signed-by-a-stranger", "The trust root does not know the key.",
         sealed(envelope("stranger", controller="Ada")), "E_KEY_UNKNOWN"),
        ("edition-signed-after-revocation", "The key was in force below 3.",
         sealed(envelope("dora", controller="Dora", role="maintainer"),
                first=root(keys=[ADA, BEN, CLEO, DORA]).data), "E_KEY_SPAN"),
        ("edition-signed-with-other-alg", "The key is for -19, the envelope says -8.",
         sealed(envelope(alg=-8)), "E_ALG_KEY"),
        ("edition-signature-flipped", "A bit of the signature is another.",
         sealed(honest[:-1] + bytes([honest[-1] ^ 1])), "E_SIG"),
        ("decision-signature-in-seal", "The signature of a decision in place of an edition's.",
         sealed(sign_decision(key("ada"), -19, manifest)), "E_TYPE"),
        ("edition-signatures-unsorted", "They do not ascend by key id.", sealed(*pair[::-1]),
         "E_SIG_ORDER"),
    ]  # fmt: skip
    return [
        Vector(name, "VERIFY-15", comment, draft, code, "signatures")
        for name, comment, draft, code in rows
    ]


def _thresholds() -> list[Vector]:
    audited = root(edition=["auditor", "publisher"]).data
    two = root(roles=roles(publisher=2), keys=[ADA, ADA_TOO, BEA, CLEO]).data

    def published(first: bytes, *by: tuple[str, str], twice: bool = False) -> Draft:
        draft = under(first)
        # A freeze takes the threshold as well.
        if first == two:
            draft.row("edition.frozen/1")[1].signers = ["ada", "bea"]
        draft.published_by = list(by)
        if twice:
            draft.seal = lambda parts: parts.update(editions=parts["editions"] * 2)
        return draft

    ada, ada_too, bea = (("ada", "publisher"), ("ada two", "publisher"), ("bea", "publisher"))
    code = "E_THRESHOLD"
    rows = [
        ("edition-unsigned", "Nobody signed.", published(root().data), code),
        ("auditor-missing", "The trust root wants an auditor's signature too.",
         published(audited, ada), code),
        ("edition-one-of-two", "One publisher signed, two are needed.", published(two, ada), code),
        ("edition-one-key-twice", "One key signed twice, two are needed.",
         published(two, ada, twice=True), code),
        ("edition-one-person-twice", "Two keys of one controller signed, two are needed.",
         published(two, ada, ada_too), code),
        ("edition-two-of-two", "Two publishers signed, two are needed.", published(two, ada, bea),
         None),
        ("audited", "The trust root wants an auditor's signature, and there is one.",
         published(audited, ada, ("cleo", "auditor")), None),
    ]  # fmt: skip
    return [
        Vector(name, "VERIFY-15", comment, draft, code, None if code is None else "signatures")
        for name, comment, draft, code in rows
    ]


def _conditions() -> list[Vector]:
    def asked(rule: str) -> Asked:
        return Asked(conditions=f'id = "gate"\nversion = 1\nrules = [{{ {rule} }}]\n')

    rows = [
        ("condition-auditor", 'kind = "signed-by", role = "auditor"'),
        ("condition-controller", 'kind = "signed-by", role = "publisher", controller = "Bea"'),
        ("condition-events", 'kind = "min-events", count = 6'),
        ("condition-witnesses", 'kind = "witnessed", count = 1'),
        ("condition-withheld", 'kind = "max-withheld", count = 3'),
        ("condition-records", 'kind = "records-checked"'),
        ("condition-pinned", 'kind = "root-pinned"'),
    ]
    vectors = [
        Vector(name, "VERIFY-16", "A valid bundle that does not keep the condition.", lean(),
               "E_CONDITION", "policy", asked=asked(rule))
        for name, rule in rows
    ]  # fmt: skip
    kept = asked('kind = "min-events", count = 5')
    comment = "A valid bundle that keeps the condition."
    empty = Asked(conditions='id = "gate"\nversion = 1\nrules = []\n')
    other = asked('kind = "signed-by-nobody"')
    code = "E_CONDITIONS"
    return [
        *vectors,
        Vector("condition-kept", "VERIFY-16", comment, lean(), asked=kept),
        Vector("conditions-empty", "VERIFY-21", "No rule at all.", lean(), code, asked=empty),
        Vector("conditions-unknown", "VERIFY-21", "A rule of no known kind.", lean(), code,
               asked=other),
    ]  # fmt: skip


def _trust() -> list[Vector]:
    plain = root()
    second = root(version=2, prev=plain.digest)
    other = root(expires="2027-01-01T00:00:00.000000Z")
    lost = lean()
    lost.freeze = lambda manifest: manifest["docs"].remove(plain.digest)
    return [
        Vector("no-trust-root", "VERIFY-19", "No trust root is given; the file has one.", lean(),
               "E_TRUST_SOURCE", "documents", asked=Asked([])),
        Vector("other-digest", "VERIFY-19", "The trust root has another digest than was given.",
               lean(), "E_TRUST_SOURCE", "documents", asked=Asked(trust_sha256="00" * 32)),
        Vector("pinned", "VERIFY-19", "The trust root has the digest that was given.", lean(),
               asked=Asked(trust_sha256=sha256(plain.data).hex())),
        Vector("pinned-successor", "VERIFY-19",
               "Version 2 is given, which the log has not adopted; version 1 is in the file.",
               lean(), asked=Asked([second.data])),
        Vector("predecessor-missing", "VERIFY-5", "Version 2 is given, and version 1 is nowhere.",
               lost, "E_DOCUMENT", "documents", asked=Asked([second.data])),
        Vector("two-first-roots", "VERIFY-5", "Two trust roots of one version are given.", lean(),
               "E_TRUST_CHAIN", "documents", asked=Asked([plain.data, other.data])),
        Vector("threshold-of-0", "VERIFY-5", "The trust root wants no publisher at all.", lean(),
               "E_POLICY", "documents", asked=Asked([_with_threshold(0)])),
        Vector("threshold-below-0", "VERIFY-5", "A threshold of -1.", lean(), "E_POLICY",
               "documents", asked=Asked([_with_threshold(-1)])),
    ]  # fmt: skip


def _with_threshold(threshold: int) -> bytes:
    """Return the trust root with a threshold that `new_root` would refuse."""
    value: Any = decode(root().data)
    value["roles"]["publisher"]["threshold"] = threshold
    return encode(value)
