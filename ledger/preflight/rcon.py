"""One remote command to a server, by the RCON protocol."""

from contextlib import suppress
from importlib.util import find_spec
from typing import Any

EXTRA = "coldledger[lab]"
"""What brings the client library; only this check needs one."""

_LIBRARY = "aiomcrcon"
_CLOSE_SECONDS = 1.0


class Refused(Exception):
    """The server does not take the password."""


def is_there() -> bool:
    """Tell whether the client library is installed; it is an extra."""
    return find_spec(_LIBRARY) is not None


def ask(port: int, password: str, command: str, seconds: float) -> str | None:
    """Return what the server of this machine answers; None where nobody answers yet.

    Args:
        port: Where it listens.
        password: What it lets in.
        command: What it is asked.
        seconds: How long each of connecting, logging in and answering may take.

    Raises:
        Refused: It takes another password.
    """
    import asyncio  # slow to load, and few preflights start a server

    return asyncio.run(_ask(port, password, command, seconds))


async def _ask(port: int, password: str, command: str, seconds: float) -> str | None:
    import aiomcrcon  # type: ignore[import-untyped]

    client = aiomcrcon.Client("127.0.0.1", port, password)
    try:
        await client.connect(seconds)
        answer, _ = await client.send_cmd(command, seconds)
    except aiomcrcon.IncorrectPasswordError:
        raise Refused from None
    except Exception:
        # Nobody listens, or what listens speaks another language, or not the whole of this one:
        # a server that starts does all of that, and who asks again learns whether it ends.
        return None
    finally:
        await _close(client)
    return str(answer)


async def _close(client: Any) -> None:
    import asyncio

    # Whoever is told to stop may be gone before he says goodbye.
    with suppress(OSError, TimeoutError):
        await asyncio.wait_for(client.close(), _CLOSE_SECONDS)
