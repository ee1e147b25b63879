"""The form of a vector of bundles, and short ways to say what is asked and what is expected."""

from dataclasses import dataclass, field

from bundle_world import ORIGIN, plain
from forge import Draft, key

from signing.checkpoint import Checkpoint, render_checkpoint, sign_checkpoint

POLICY, SOURCE, RELEASE, ROW, FREEZE = range(1, 6)
"""Numbers of the entries of a lean draft after the first."""


@dataclass
class Asked:
    """What the verifier brings along.

    Attributes:
        trust: Trust roots; None for the one that the draft begins with.
        trust_sha256: Digest in hex.
        since: A checkpoint as a note.
        now: Seconds since 1970.
        conditions: TOML.
    """

    trust: list[bytes] | None = None
    trust_sha256: str | None = None
    since: str | None = None
    now: int | None = None
    conditions: str | None = None


@dataclass
class Vector:
    """A bundle, what is asked of it, and the verdict.

    Attributes:
        name: Unique.
        clause: What it proves.
        comment: What was done.
        draft: The bundle in parts.
        code, step, seq: The error, None where there is none.
        asked: The question.
        data: The file, where it is not what the draft makes.
        names: Text that the error's message must contain.
    """

    name: str
    clause: str
    comment: str
    draft: Draft
    code: str | None = None
    step: str | None = None
    seq: int | None = None
    asked: Asked = field(default_factory=Asked)
    data: bytes | None = None
    names: str | None = None


_PLAIN: list[Draft] = []


def lean() -> Draft:
    """Return the draft that most forgeries start from, of few bytes: one policy, one attempt."""
    if not _PLAIN:
        _PLAIN.append(thin(plain()))
    return _PLAIN[0].copy()


def thin(draft: Draft) -> Draft:
    """Take the policy of disclosure out of an edition."""
    number = next(
        seq for seq, row in enumerate(draft.rows) if row.says.get("policy") == "disclosure/default"
    )
    del draft.documents[draft.rows.pop(number).says["doc"]]
    for row in draft.rows:
        for name in ("source", "supersedes"):
            if isinstance(row.says.get(name), int):
                row.says[name] -= 1
    return draft


def note(size: int, root: bytes, *, origin: str = ORIGIN, signer: str = "log") -> str:
    """Return a checkpoint as a signed note."""
    body = Checkpoint(origin, size, root).body()
    return render_checkpoint(body, sign_checkpoint(key(signer), origin, body)).decode()
