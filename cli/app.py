"""The commands, in the order in which a ledger meets them; typer is imported from here on."""

from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from . import (
    deciding,
    editions,
    figures,
    founding,
    importing,
    keys,
    looking,
    replaying,
    showing,
    verifying,
)

PROGRAM = "coldledger"
_CONTEXT = {"help_option_names": ["--help"], "max_content_width": 100}


class Sections(TyperGroup):
    """Lists commands under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands into the help, section by section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        width = max(map(len, self.commands)) + 6
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            panel = command.rich_help_panel or "Commands"
            summary = command.get_short_help_str(formatter.width - width)
            sections.setdefault(panel, []).append((name, summary))
        for panel, rows in sections.items():
            with formatter.section(panel):
                # One width for all sections, so that they line up.
                formatter.write_dl([(f"{name:<{width - 6}}", summary) for name, summary in rows])


def _typer(**settings: Any) -> typer.Typer:
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, context_settings=_CONTEXT, **settings
    )


app = _typer(cls=Sections, invoke_without_command=True)
key_group = _typer(help="Private keys: make, list and show them.")
trust_group = _typer(help="Trust roots: who may decide what.")
edition_group = _typer(help="Editions: freeze figures, export and sign them.")


@app.callback()
def _program(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> int:
    """An event-sourced audit ledger for agent recovery benchmarks."""
    if version:
        from ledger.version import __version__

        typer.echo(f"{PROGRAM} {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
    return 0


def _verify(context: typer.Context) -> int:
    return verifying.verify(context.args)


def _add(
    group: typer.Typer, name: str, command: Callable[..., int], *examples: str, section: str
) -> None:
    """Register *command* with its examples, which a test runs word by word."""
    lines = "\n".join(f"  {PROGRAM} {example}" for example in examples)
    title = "Example" if len(examples) == 1 else "Examples"
    group.command(name, epilog=f"\b\n{title}:\n{lines}", rich_help_panel=section)(command)


def _build() -> None:
    start, record, look = "Start", "Record", "Look"
    decide, publish, check = "Decide", "Publish", "Check"
    _add(
        app,
        "init",
        founding.init,
        "init --ledger new.db --origin example.org/bench --keys new-keys",
        section=start,
    )
    _add(app, "backup", founding.backup, "backup copy.db", section=start)
    _add(
        app,
        "restore",
        founding.restore,
        "restore spring.bundle --trust keys/trust-root.cbor --ledger restored.db",
        section=start,
    )
    _add(key_group, "new", keys.new, "key new keys/auditor.key", section=start)
    _add(key_group, "list", keys.list_, "key list keys --trust keys/trust-root.cbor", section=start)
    _add(
        key_group,
        "show",
        keys.show,
        "key show keys/root.key --trust keys/trust-root.cbor",
        "key show keys/log.key --name example.org/bench",
        section=start,
    )
    app.add_typer(key_group, name="key", rich_help_panel=start)
    _add(trust_group, "show", keys.show_trust, "trust show", section=start)
    app.add_typer(trust_group, name="trust", rich_help_panel=start)
    _add(
        app,
        "import",
        importing.import_,
        "import --dry-run results.json",
        "import results.json",
        section=record,
    )
    _add(app, "status", looking.status, "status", section=look)
    _add(app, "log", looking.log, "log --limit 5", "log --type attempt --all", section=look)
    _add(
        app,
        "show",
        showing.show,
        "show 5",
        "show 5 --slot record",
        "show spring.bundle",
        section=look,
    )
    _add(
        app,
        "leaderboard",
        figures.leaderboard,
        "leaderboard --edition 20260101.0.0 --tasks",
        section=look,
    )
    _add(app, "attempts", figures.attempts, "attempts --state valid", section=look)
    _add(
        app,
        "explain",
        figures.explain,
        "explain 'system/*/task/*/passed'",
        "explain 'spring:system/*/task/*/passed'",
        section=look,
    )
    _add(
        app,
        "correct",
        deciding.correct,
        "correct --target ATTEMPT --set failure_category=verification_failed"
        " --reason 'the log shows another cause' --key keys/root.key",
        section=decide,
    )
    _add(
        app,
        "exclude",
        deciding.exclude,
        "exclude --target ATTEMPT --class infrastructure --reason 'the host was rebooted'"
        " --evidence ATTEMPT --key keys/root.key",
        section=decide,
    )
    _add(
        app,
        "redact",
        deciding.redact,
        "redact --slot 5/record --ground privacy --reason 'it names a person' --key keys/root.key",
        section=decide,
    )
    _add(
        edition_group,
        "freeze",
        editions.freeze,
        "edition freeze summer --from 20260101.0.0 --key keys/root.key",
        section=publish,
    )
    _add(
        edition_group,
        "export",
        editions.export,
        "edition export spring -o again.bundle --key keys/root.key",
        section=publish,
    )
    _add(
        edition_group,
        "sign",
        editions.sign,
        "edition sign spring.bundle --key keys/root.key --role auditor",
        section=publish,
    )
    app.add_typer(edition_group, name="edition", rich_help_panel=publish)
    _add(
        app,
        "checkpoint",
        replaying.checkpoint,
        "checkpoint -o head.note --log-key keys/log.key",
        section=publish,
    )
    app.command(
        "verify",
        help=verifying.SUMMARY,
        rich_help_panel=check,
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(_verify)
    _add(
        app,
        "diff",
        figures.diff,
        "diff spring.bundle later.bundle --trust keys/trust-root.cbor",
        section=check,
    )
    _add(app, "replay", replaying.replay, "replay --check", "replay --as-of 5", section=check)


def invoke(argv: Sequence[str]) -> int:
    """Run the command that *argv* names and return its exit code."""
    command = get_command(app)
    try:
        with command.make_context(PROGRAM, list(argv)) as context:
            result = command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    return result if isinstance(result, int) else 0


_build()
