"""The report: ``preflight.json`` for programs, ``preflight.md`` for people (PRE-50 to PRE-53)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from canon import sha256
from ledger.markdown import foreign

from .bench import Status
from .checks import Made, overall
from .config import Configured
from .redaction import Redactor

SCHEMA = "mc-agent-harness-preflight/1"


class Report(Struct, frozen=True, kw_only=True):
    """What a preflight found.

    Attributes:
        document: The report as plain values, without secrets.
        data: Its bytes, ``preflight.json``.
        text: The same for people, ``preflight.md``.
        overall: Whether the contract holds.
    """

    document: dict[str, Any]
    data: bytes
    text: str
    overall: Status

    @property
    def sha256(self) -> bytes:
        """Digest of the report's bytes, 32 bytes."""
        return sha256(self.data)

    @property
    def statuses(self) -> dict[str, str]:
        """Name of each check to what it came to."""
        return {check["id"]: check["status"] for check in self.document["checks"]}


def report_of(
    configured: Configured,
    checks: Sequence[Made],
    redactor: Redactor,
    environment: Mapping[str, Any],
    started_at: str,
    ended_at: str,
) -> Report:
    """Return the report on checks that were made.

    Args:
        configured: What they were made with.
        checks: What they came to, in their order.
        redactor: Takes secrets out.
        environment: Of the program: python, executable, platform, cwd, repo, run_dir.
        started_at: When the first one began, canonical text.
        ended_at: When the last one ended.
    """
    config, status = configured.config, overall(checks)
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "harness": redactor.value(
            {"name": config.name, "model": config.model, "provider": config.provider}
        ),
        "config": redactor.value(configured.effective),
        "config_sha256": configured.config_sha256.hex(),
        "effective_sha256": configured.effective_sha256.hex(),
        "started_at": started_at,
        "ended_at": ended_at,
        "overall": status,
        "checks": [check_document(check) for check in checks],
        "environment": redactor.value(_plain(environment)),
    }
    data = json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n"
    return Report(document=document, data=data, text=_text(document), overall=status)


def check_document(check: Made) -> dict[str, Any]:
    """Return a check as the report has it."""
    return {
        "id": check.id,
        "status": check.status,
        "detail": _plain(check.detail),
        "evidence": _plain(check.evidence),
        "versions": _plain(check.versions),
    }


def _plain(value: Any) -> Any:
    """Return a value in which every text is Unicode; a path may hold other bytes."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, Mapping):
        return {_plain(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


def _text(document: Mapping[str, Any]) -> str:
    harness, environment = document["harness"], document["environment"]
    lines = [
        f"# Preflight: {document['overall']}",
        "",
        f"- harness: {foreign(harness['name'])}",
        f"- model: {foreign(harness['model'] or '—')}",
        f"- provider: {foreign(harness['provider'] or '—')}",
        f"- from {document['started_at']} to {document['ended_at']}",
        "",
        "| check | status | detail |",
        "|---|---|---|",
        *(
            f"| {check['id']} | {check['status']} | {foreign(check['detail'])} |"
            for check in document["checks"]
        ),
        "",
        "SKIP proves nothing. A check that is not listed was not asked for.",
        "",
        f"- configuration: SHA-256 {document['config_sha256']}",
        f"- as it was used: SHA-256 {document['effective_sha256']}",
        f"- folder: {foreign(environment['cwd'])}",
        f"- repository: commit {foreign((environment['repo'] or {}).get('commit') or '—')}",
        f"- Python {foreign(environment['python'])} on {foreign(environment['platform'])}",
        "",
        "Transcripts are in `probes/`; their digests are in `preflight.json`.",
    ]
    return "\n".join(lines) + "\n"
