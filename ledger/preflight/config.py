"""What a harness is, as its configuration says: read, checked, with every default filled in.

A JSON or TOML file (PRE-1 to PRE-5). What the checks use is one frozen value, and its digest is
taken of that value, so that a configuration that changes after the start is found.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

SCHEMA: Literal["mc-agent-harness-config/1"] = "mc-agent-harness-config/1"

Seconds: TypeAlias = Annotated[int, Meta(ge=1, le=86_400)]
Words: TypeAlias = tuple[str, ...]
Command: TypeAlias = str | tuple[str, ...]
"""A program alone, spaces and backslashes and all, or a program and what it is called with."""


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a configuration; a key that it has not is refused (PRE-2)."""


class Build(Table, frozen=True, kw_only=True):
    """What building takes.

    Attributes:
        java: Path of the ``java`` of a JDK; empty for that of PATH.
        min_java: Its least version.
        pip_packages: Packages that must be there to fetch.
    """

    java: str = ""
    min_java: Annotated[int, Meta(ge=1, le=999)] = 25
    pip_packages: Words = ()


class Bridge(Table, frozen=True, kw_only=True):
    """The program through which the agent reaches the world.

    Attributes:
        command: What it is called by.
        cli_args: What is put behind it to ask for help.
        mcp_args: The same for its MCP side.
        smoke: Whether a smoke test belongs to the contract.
        smoke_command: The smoke test.
        siblings_root: The folder that it runs in; empty for the present one.
    """

    command: Command = ""
    cli_args: Words = ("--help",)
    mcp_args: Words = ("mcp", "--help")
    smoke: bool = True
    smoke_command: Words = ()
    siblings_root: str = ""


class Ports(Table, frozen=True, kw_only=True):
    """Reserved ports of TCP.

    Attributes:
        api: Of the bridge.
        mod: Of the mod in the game.
        range: The first and the last that may be reserved.
    """

    api: int = 27190
    mod: int = 27191
    range: tuple[int, int] = (27190, 27199)


class LabPorts(Table, frozen=True, kw_only=True):
    """Ports of the laboratory's server.

    Attributes:
        game: For players.
        rcon: For remote commands.
    """

    game: int = 27192
    rcon: int = 27193


class Lab(Table, frozen=True, kw_only=True):
    """A server that is made, started, asked and stopped.

    Attributes:
        enabled: Whether there is one.
        start: Whether it is started; without that nothing is proved.
        provision: Whether it is made first.
        name: What it is called.
        dir: The folder that it is in; empty for a new one.
        list_command, provision_command, start_command: What lists the servers that there are,
            makes this one, and is this one until it stops.
        rcon_password: For remote commands; empty for a new one that nobody learns.
        question: The remote command that it must answer.
        stop: The remote command that ends it.
        ports: Where it listens.
        wait: How long until it answers.
    """

    enabled: bool = False
    start: bool = True
    provision: bool = True
    name: str = "preflight"
    dir: str = ""
    list_command: Words = ()
    provision_command: Words = ()
    start_command: Words = ()
    rcon_password: str = ""
    question: str = "list"
    stop: str = "stop"
    ports: LabPorts = LabPorts()
    wait: Seconds = 300


class Timeouts(Table, frozen=True, kw_only=True):
    """How long each thing may take.

    Attributes:
        command: A command that no other of these is about.
        fetch: An answer of an endpoint, or of a package index.
        build: A step of building.
        provision: Making the laboratory's server.
        lab_start: From its start to its end.
        lab_stop: From the command to stop to its end.
        smoke: What a smoke test may wait for one thing; stands for ``{wait}`` in its command.
        smoke_total: The whole smoke test.
    """

    command: Seconds = 60
    fetch: Seconds = 20
    build: Seconds = 120
    provision: Seconds = 600
    lab_start: Seconds = 900
    lab_stop: Seconds = 60
    smoke: Seconds = 60
    smoke_total: Seconds = 300


class Config(Table, frozen=True, kw_only=True):
    """The configuration of a harness.

    Attributes:
        schema: The name of this form.
        name: What the harness is called.
        command: What it is called by.
        version_args: What is put behind it to ask for its version.
        model, provider: For the record.
        session_env: The variable of the environment that names its session file; for the record.
        shell: A command that a shell runs.
        fetch_urls: Endpoints that sources and dependencies come from.
        env: Variables of the environment that are added for every command.
    """

    schema: Literal["mc-agent-harness-config/1"] = SCHEMA
    name: str
    command: Command
    version_args: Words = ("--version",)
    model: str = ""
    provider: str = ""
    session_env: str = ""
    shell: Words = ()
    fetch_urls: Words = ()
    env: dict[str, str] = {}
    build: Build = Build()
    bridge: Bridge = Bridge()
    ports: Ports = Ports()
    lab: Lab = Lab()
    timeouts: Timeouts = Timeouts()


class Configured(Struct, frozen=True, kw_only=True):
    """A configuration that was read, and what names it.

    Attributes:
        config: What the checks use.
        data: The bytes of the file.
        name: The name of the file.
        written: What the file says, before anything was set beside it.
        effective: What the checks use, as plain values.
        config_sha256: Of the file's bytes, 32 bytes.
        effective_sha256: Of the canonical encoding of *effective*, 32 bytes (PRE-5).
    """

    config: Config
    data: bytes
    name: str
    written: dict[str, Any]
    effective: dict[str, Any]
    config_sha256: bytes
    effective_sha256: bytes

    @property
    def suffix(self) -> str:
        """How the file's name ends: ``.toml`` or ``.json``."""
        return suffix_of(self.name)


def as_plain(value: Any) -> Any:
    """Return a value with lists where it has tuples."""
    if isinstance(value, dict):
        return {key: as_plain(one) for key, one in value.items()}
    return [as_plain(one) for one in value] if isinstance(value, list | tuple) else value


def suffix_of(name: str) -> str:
    """Return ``.toml`` for the name of a TOML file, else ``.json``."""
    return ".toml" if Path(name).suffix.lower() == ".toml" else ".json"


def words_of(command: Command) -> Words:
    """Return a command as words; none where it is not configured."""
    if isinstance(command, str):
        return (command,) if command else ()
    return command
