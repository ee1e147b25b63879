"""``ports``: the reserved ports are free, and inside their range (PRE-23)."""

import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack

from .bench import Bench, Outcome
from .config import Config
from .running import why

_HIGHEST = 65_535


def ports(bench: Bench) -> Outcome:
    """Listen at every reserved port for a moment, on every address of this machine."""
    config = bench.config
    first, last = config.ports.range
    reserved = reserved_ports(config)
    faults = list(_doubled(reserved))
    if not 0 < first <= last <= _HIGHEST:
        faults.append(f"{first}–{last} is no range of ports")
    for name, port in reserved.items():
        if first <= port <= last and 0 < port <= _HIGHEST:
            fault = taken(port)
        else:
            fault = f"outside {first}–{last}"
        bench.note("port", name=name, port=port, free=fault is None, problem=fault)
        if fault is not None:
            faults.append(f"{name} {port}: {fault}")
    if faults:
        return Outcome("FAIL", "; ".join(faults))
    listed = ", ".join(f"{name} {port}" for name, port in reserved.items())
    return Outcome("PASS", f"free: {listed}", dict(reserved))


def reserved_ports(config: Config) -> dict[str, int]:
    """Return every port that the run needs; those of the laboratory only where there is one."""
    found = {"api": config.ports.api, "mod": config.ports.mod}
    if config.lab.enabled:
        found |= {"game": config.lab.ports.game, "rcon": config.lab.ports.rcon}
    return found


def taken(port: int) -> str | None:
    """Return why nobody could listen at a port of this machine; None where it is free."""
    with ExitStack() as stack:
        for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):  # noqa: S104
            try:
                listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            except OSError:
                continue  # the system has no such addresses
            try:
                _claim(listener, family)
                listener.bind((address, port))
                listener.listen(1)
            except OSError as fault:
                if family == socket.AF_INET6 and fault.errno != errno.EADDRINUSE:
                    continue  # it knows such addresses, and has none
                return why(fault).lower()
    return None


def _claim(listener: socket.socket, family: int) -> None:
    """Ask for a port as a server does: one that was closed a moment ago is free."""
    exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    if exclusive is not None:  # where the other option would take a port from who has it
        listener.setsockopt(socket.SOL_SOCKET, exclusive, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)


def _doubled(reserved: dict[str, int]) -> Iterator[str]:
    seen: dict[int, str] = {}
    for name, port in reserved.items():
        if port in seen:
            yield f"{name} and {seen[port]} are both {port}"
        seen[port] = name
