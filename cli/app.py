"""The commands, in the order in which a ledger meets them; typer is imported from here on."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_command

from . import (
    deciding,
    demo,
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


class Listed(NamedTuple):
    """A command as it is registered.

    Attributes:
        group: The program, or a group of it.
        name: Its name there.
        function: What runs.
        examples: Command lines, which a test runs word by word; ATTEMPT stands for an attempt.
    """

    group: typer.Typer
    name: str
    function: Callable[..., int]
    examples: tuple[str, ...]


START, RECORD, LOOK = "Start", "Record", "Look"
DECIDE, PUBLISH, CHECK = "Decide", "Publish", "Check"

SECTIONS: dict[str, tuple[Listed, ...]] = {
    START: (
        Listed(
            app,
            "init",
            founding.init,
            ("init --ledger new.db --origin example.org/bench --keys new-keys",),
        ),
        Listed(app, "demo", demo.demo, ("demo --out story",)),
        Listed(app, "backup", founding.backup, ("backup copy.db",)),
        Listed(
            app,
            "restore",
            founding.restore,
            ("restore spring.bundle --trust keys/trust-root.cbor --ledger restored.db",),
        ),
        Listed(key_group, "new", keys.new, ("key new keys/auditor.key",)),
        Listed(key_group, "list", keys.list_, ("key list keys --trust keys/trust-root.cbor",)),
        Listed(
            key_group,
            "show",
            keys.show,
            (
                "key show keys/root.key --trust keys/trust-root.cbor",
                "key show keys/log.key --name example.org/bench",
            ),
        ),
        Listed(trust_group, "show", keys.show_trust, ("trust show",)),
    ),
    RECORD: (
        Listed(
            app,
            "import",
            importing.import_,
            ("import --dry-run results.json", "import results.json"),
        ),
    ),
    LOOK: (
        Listed(app, "status", looking.status, ("status",)),
        Listed(app, "log", looking.log, ("log --limit 5", "log --type attempt --all")),
        Listed(
            app,
            "show",
            showing.show,
            ("show 5", "show 5 --slot record", "show spring.bundle"),
        ),
        Listed(
            app,
            "leaderboard",
            figures.leaderboard,
            ("leaderboard --edition 20260101.0.0 --tasks",),
        ),
        Listed(app, "attempts", figures.attempts, ("attempts --state valid",)),
        Listed(
            app,
            "explain",
            figures.explain,
            ("explain 'system/*/task/*/passed'", "explain 'spring:system/*/task/*/passed'"),
        ),
    ),
    DECIDE: (
        Listed(
            app,
            "correct",
            deciding.correct,
            (
                "correct --target ATTEMPT --set failure_category=verification_failed"
                " --reason 'the log shows another cause' --key keys/root.key",
            ),
        ),
        Listed(
            app,
            "exclude",
            deciding.exclude,
            (
                "exclude --target ATTEMPT --class infrastructure --reason 'the host was rebooted'"
                " --evidence ATTEMPT --key keys/root.key",
            ),
        ),
        Listed(
            app,
            "redact",
            deciding.redact,
            (
                "redact --slot 5/record --ground privacy --reason 'it names a person'"
                " --key keys/root.key",
            ),
        ),
    ),
    PUBLISH: (
        Listed(
            edition_group,
            "freeze",
            editions.freeze,
            ("edition freeze summer --from 20260101.0.0 --key keys/root.key",),
        ),
        Listed(
            edition_group,
            "export",
            editions.export,
            ("edition export spring -o again.bundle --key keys/root.key",),
        ),
        Listed(
            edition_group,
            "sign",
            editions.sign,
            ("edition sign spring.bundle --key keys/root.key --role auditor",),
        ),
        Listed(
            app,
            "checkpoint",
            replaying.checkpoint,
            ("checkpoint -o head.note --log-key keys/log.key",),
        ),
    ),
    CHECK: (
        Listed(
            app,
            "diff",
            figures.diff,
            ("diff spring.bundle later.bundle --trust keys/trust-root.cbor",),
        ),
        Listed(app, "replay", replaying.replay, ("replay --check", "replay --as-of 5")),
    ),
}

_GROUPS = {
    START: {"key": key_group, "trust": trust_group},
    PUBLISH: {"edition": edition_group},
}


def _register(section: str, listed: Listed) -> None:
    lines = "\n".join(f"  {PROGRAM} {example}" for example in listed.examples)
    title = "Example" if len(listed.examples) == 1 else "Examples"
    epilog = f"\b\n{title}:\n{lines}"
    listed.group.command(listed.name, epilog=epilog, rich_help_panel=section)(listed.function)


for _section, _commands in SECTIONS.items():
    if _section == CHECK:
        # It reads its own arguments, before typer is imported; this is for the list of commands.
        app.command(
            "verify",
            help=verifying.SUMMARY,
            rich_help_panel=CHECK,
            add_help_option=False,
            context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
        )(_verify)
    for _listed in _commands:
        _register(_section, _listed)
    for _name, _group in _GROUPS.get(_section, {}).items():
        app.add_typer(_group, name=_name, rich_help_panel=_section)


def invoke(argv: Sequence[str]) -> int:
    """Run the command that *argv* names and return its exit code."""
    command = get_command(app)
    try:
        with command.make_context(PROGRAM, list(argv)) as context:
            result = command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.Abort:  # Ctrl-C or the end of the input where a question was asked
        raise KeyboardInterrupt from None
    return result if isinstance(result, int) else 0
