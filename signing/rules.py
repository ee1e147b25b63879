"""What must hold of a trust root's document beside its shape, in the order of the spec.

Each rule is a clause of ``specs/trust-root.md``; none needs a signature or a position.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any

from canon.errors import Limit
from canon.excerpt import excerpt
from canon.instant import parse_instant
from signing.errors import (
    KeyAmbiguous,
    KeyTwice,
    LogKeySpan,
    PolicyUnsound,
    RootName,
    RootOrder,
    RootSpan,
    RootVersion,
)
from signing.keys import check_public, kid_of
from signing.names import is_key_name, is_name, is_origin
from signing.note import COSIGNATURE, ED25519, key_id
from signing.root import RootDocument, Span

ROOT_ROLE = "root"
"""The role that signs the next trust root."""
THRESHOLD_LIMIT = 64
PARTS_LIMIT = 256
"""Most keys of a kind, roles, and names in one list: each is checked, some against each other."""


def check_document(document: RootDocument) -> None:
    """Refuse a document that breaks a rule; the first in the order of the spec is named."""
    _check_counts(document)
    _check_version(document)
    if document.expires is not None:
        parse_instant(document.expires)  # ROOT-4
    _check_names(document)
    _check_public_keys(document)
    _check_spans(document)
    _check_order(document)
    _check_key_ids(document)
    _check_roles(document)
    _check_reach(document)


def _check_counts(document: RootDocument) -> None:
    """Refuse lists that are longer than anybody needs (ROOT-31)."""
    lists: list[tuple[str, Collection[object]]] = [
        ("/keys", document.keys),
        ("/roles", document.roles),
        ("/edition", document.edition),
        ("/log_keys", document.log_keys),
        ("/witnesses", document.witnesses),
        *((f"/keys/{index}/roles", key.roles) for index, key in enumerate(document.keys)),
        *(
            (f"/roles/{excerpt(name)}/decides", role.decides)
            for name, role in document.roles.items()
        ),
    ]
    for place, listed in lists:
        if len(listed) > PARTS_LIMIT:
            raise Limit(place, f"{len(listed)}", f"at most {PARTS_LIMIT}")


def _check_version(document: RootDocument) -> None:
    """Refuse versions that do not count from 1, each naming the one before (ROOT-3)."""
    if document.version < 1:
        raise RootVersion("/version", f"{document.version}", "1 or more")
    if (document.prev is None) != (document.version == 1):
        got = "no digest" if document.prev is None else "a digest"
        wanted = "none" if document.version == 1 else "the digest of the version before"
        raise RootVersion(f"/prev of version {document.version}", got, wanted)


def _check_names(document: RootDocument) -> None:
    """Refuse names that are long, or do not show what they are (ROOT-5)."""
    if not is_origin(document.log):
        raise RootName("/log", excerpt(document.log), "an origin")
    for index, witness in enumerate(document.witnesses):
        if not is_key_name(witness.name):
            raise RootName(f"/witnesses/{index}/name", excerpt(witness.name), "a key name")
    for place, name in _names(document):
        if not is_name(name):
            raise RootName(place, excerpt(name), "1 to 256 bytes without controls")


def _names(document: RootDocument) -> Iterable[tuple[str, str]]:
    """Yield every name that is neither an origin nor a key name, with its place."""
    for index, key in enumerate(document.keys):
        yield f"/keys/{index}/controller", key.controller
        for role in key.roles:
            yield f"/keys/{index}/roles", role
    for name, policy in document.roles.items():
        yield "/roles", name
        for wire in policy.decides:
            yield f"/roles/{excerpt(name)}/decides", wire
    for name in document.edition:
        yield "/edition", name
    for index, witness in enumerate(document.witnesses):
        yield f"/witnesses/{index}/operator", witness.operator


def _check_public_keys(document: RootDocument) -> None:
    """Refuse unsound keys (ROOT-6), and one that stands twice, in whatever part (ROOT-7)."""
    seen: dict[bytes, str] = {}
    for place, _, public in _public_keys(document):
        check_public(public, f"{place}/key")
    for place, _, public in _public_keys(document):
        if public in seen:
            raise KeyTwice(f"{place}/key", f"the key of {seen[public]}", "a key of its own")
        seen[public] = place


def _check_spans(document: RootDocument) -> None:
    """Refuse a span without a position (ROOT-8), and log keys that overlap (ROOT-9)."""
    for place, span, _ in _public_keys(document):
        if span.end is not None and span.end <= span.start:
            raise RootSpan(place, span.span, "`to` greater than `from`")
    turns = sorted(document.log_keys, key=lambda key: key.start)
    for one, two in pairwise(turns):
        if one.covers(two.start):
            raise LogKeySpan("/log_keys", f"two keys at position {two.start}", "one")


def _public_keys(document: RootDocument) -> Iterable[tuple[str, Span, bytes]]:
    """Yield every key of the document: its place, its span, its 32 bytes."""
    for index, key in enumerate(document.keys):
        yield f"/keys/{index}", key, key.key
    for index, log_key in enumerate(document.log_keys):
        yield f"/log_keys/{index}", log_key, log_key.key
    for index, witness in enumerate(document.witnesses):
        yield f"/witnesses/{index}", witness, witness.key


def _check_order(document: RootDocument) -> None:
    """Refuse lists that do not ascend: one trust root has one encoding (ROOT-10)."""
    _check_ascending("/keys", [kid_of(key.key) for key in document.keys], "key id")
    for index, key in enumerate(document.keys):
        _check_ascending(f"/keys/{index}/roles", key.roles, "name")
    for name, policy in document.roles.items():
        _check_ascending(f"/roles/{excerpt(name)}/decides", policy.decides, "name")
    _check_ascending("/edition", document.edition, "name")
    _check_ascending("/log_keys", [key.start for key in document.log_keys], "`from`")
    _check_ascending(
        "/witnesses", [(witness.name, witness.key) for witness in document.witnesses], "name, key"
    )


def _check_ascending(place: str, ranks: Sequence[Any], by: str) -> None:
    for index, (one, two) in enumerate(pairwise(ranks)):
        if one >= two:
            raise RootOrder(f"{place}/{index + 1}", "out of order", f"strictly ascending by {by}")


def _check_key_ids(document: RootDocument) -> None:
    """Refuse two keys with one name and one key id in notes (ROOT-11)."""
    seen: dict[tuple[str, bytes], str] = {}
    for place, name, kind, public in (
        *(
            (f"/log_keys/{n}", document.log, ED25519, k.key)
            for n, k in enumerate(document.log_keys)
        ),
        *(
            (f"/witnesses/{n}", w.name, COSIGNATURE, w.key)
            for n, w in enumerate(document.witnesses)
        ),
    ):
        named = (name, key_id(name, kind, public))
        if named in seen:
            got = f"{name}+{named[1].hex()} as at {seen[named]}"
            raise KeyAmbiguous(place, got, "a key id of its own")
        seen[named] = place


def _check_roles(document: RootDocument) -> None:
    """Refuse roles that are named but not there, or mean nothing (ROOT-12 to ROOT-15)."""
    if ROOT_ROLE not in document.roles:
        raise PolicyUnsound("/roles", "no role 'root'", "a role that signs the next trust root")
    for name, policy in document.roles.items():
        if not 1 <= policy.threshold <= THRESHOLD_LIMIT:
            raise PolicyUnsound(
                f"/roles/{excerpt(name)}/threshold",
                f"{policy.threshold}",
                f"1 to {THRESHOLD_LIMIT}",
            )
    named = [(f"/keys/{index}/roles", key.roles) for index, key in enumerate(document.keys)]
    for place, names in (*named, ("/edition", document.edition)):
        for name in names:
            if name not in document.roles:
                raise PolicyUnsound(place, excerpt(name), "a role of /roles")
    decided: dict[str, str] = {}
    for name, policy in document.roles.items():
        for wire in policy.decides:
            if wire in decided:
                got = f"{excerpt(wire)}, which {excerpt(decided[wire])} decides"
                raise PolicyUnsound(f"/roles/{excerpt(name)}/decides", got, "one role per type")
            decided[wire] = name


def _check_reach(document: RootDocument) -> None:
    """Refuse thresholds (ROOT-16) and a quorum (ROOT-17) that no position can meet.

    A key has one controller, so distinct controllers are never more than distinct keys.
    """
    holders: dict[str, list[tuple[str, Span]]] = {name: [] for name in document.roles}
    for key in document.keys:
        for name in key.roles:
            holders[name].append((key.controller, key))
    for name, policy in document.roles.items():
        most = _most_at_once(holders[name])
        if most < policy.threshold:
            place = f"/roles/{excerpt(name)}/threshold"
            raise PolicyUnsound(place, f"{policy.threshold}", f"at most {most}, its controllers")
    most = _most_at_once([(witness.operator, witness) for witness in document.witnesses])
    if most < document.quorum:
        raise PolicyUnsound("/quorum", f"{document.quorum}", f"at most {most}, its operators")


def _most_at_once(spans: Iterable[tuple[str, Span]]) -> int:
    """Return how many distinct names are in force at one position, at most."""
    steps = []
    for name, span in spans:
        steps.append((span.start, 1, name))
        if span.end is not None:
            steps.append((span.end, -1, name))
    steps.sort()  # at one position, what ends goes before what begins
    most, now = 0, Counter[str]()
    for _, change, name in steps:
        now[name] += change
        if now[name] == 0:
            del now[name]
        most = max(most, len(now))
    return most
