"""A made-up world: machines, drills, agents and prices that exist nowhere.

Every trial of the sample releases is an untroubled repair, except for the mishaps listed here.
"""

from decimal import Decimal
from enum import Enum
from typing import NamedTuple


class Drill(NamedTuple):
    """A task: something is broken on a machine, and an agent is asked to repair it.

    Attributes:
        id: Its name in the releases.
        version: Of the drill; trials of two versions are never one task.
        label: Its name for people.
        seconds: How long a repair takes, least and most.

    """

    id: str
    version: int
    label: str
    seconds: tuple[int, int]


class System(NamedTuple):
    """A model under an agent, with its reasoning effort.

    Attributes:
        model: Its name in the releases.
        label: Its name for people.
        effort: Null in releases of the first era, which have no such field.
        prices: USD per million tokens of input, cached input and output.
        subscription: Whether it is paid by subscription, so that no trial has a cost of its own.

    """

    model: str
    label: str
    effort: str | None
    prices: tuple[Decimal, Decimal, Decimal]
    subscription: bool = False


class Fate(Enum):
    """How a trial that is no untroubled repair came to its end."""

    FAILED = "failed"
    TIMED_OUT = "timed out"
    REPAIRED_LATE = "timed out, and repaired after that"
    UNAVAILABLE = "unavailable"
    COST_UNKNOWN = "repaired, at a cost that nobody reported"


class Mishap(NamedTuple):
    """A trial that went another way than a repair.

    Attributes:
        fate: How it ended.
        category: The word that the release has for it.
        failure: What the release says about it in prose.

    """

    fate: Fate
    category: str | None = None
    failure: str | None = None


AGENT = "lantern"
TIMEOUT_SECONDS = 900

QUEUE = Drill("d01-stuck-mail-queue", 1, "Stuck mail queue", (150, 420))
VOLUME_1 = Drill("d02-full-log-volume", 1, "Full log volume", (80, 260))
VOLUME = Drill("d02-full-log-volume", 2, "Full log volume", (95, 300))
CERTIFICATE = Drill("d03-expired-inner-certificate", 1, "Expired inner certificate", (110, 360))


def _usd(*texts: str) -> tuple[Decimal, Decimal, Decimal]:
    first, cached, output = map(Decimal, texts)
    return first, cached, output


OLD_FERN = System("northlight/fern-1", "Fern 1", None, _usd("0.5", "0.05", "2"))
OLD_BASALT = System("quarry/basalt-40b", "Basalt 40B", None, _usd("0.2", "0.02", "0.6"))
FERN_HIGH = System("northlight/fern-2", "Fern 2", "high", _usd("1.25", "0.12", "5"))
FERN_LOW = System("northlight/fern-2", "Fern 2", "low", _usd("1.25", "0.12", "5"))
BASALT = System("quarry/basalt-70b", "Basalt 70B", "high", _usd("0.4", "0.04", "1.2"))
GANNET = System("harbour/gannet-1", "Gannet 1", "high", _usd("0.9", "0.09", "3.5"), True)

Plan = dict[tuple[System, Drill, int], Mishap]
"""The mishaps of a release, by system, drill and attempt number."""

_LATE = "the time was over before the repair held"

MARCH: Plan = {
    (OLD_BASALT, QUEUE, 2): Mishap(
        Fate.FAILED, "queue_not_drained", "212 of 240 messages were still waiting after the reboot"
    ),
    (OLD_BASALT, VOLUME_1, 3): Mishap(Fate.TIMED_OUT, "agent_timeout", _LATE),
}
APRIL: Plan = {
    (FERN_HIGH, VOLUME, 3): Mishap(
        Fate.UNAVAILABLE, "provider_unavailable", "the provider answered 503 to the first request"
    ),
    (FERN_LOW, QUEUE, 3): Mishap(Fate.COST_UNKNOWN),
    (FERN_LOW, CERTIFICATE, 2): Mishap(
        Fate.FAILED, "service_not_restored", "the inner service refused connections after a restart"
    ),
    (BASALT, QUEUE, 2): Mishap(
        Fate.FAILED, "queue_not_drained", "96 of 240 messages were still waiting after the reboot"
    ),
    (BASALT, VOLUME, 1): Mishap(Fate.REPAIRED_LATE, "agent_timeout", _LATE),
    (BASALT, VOLUME, 3): Mishap(Fate.TIMED_OUT, "agent_timeout", _LATE),
    (BASALT, CERTIFICATE, 1): Mishap(
        Fate.FAILED, "agent_runtime_error", "the machine stopped answering in the second minute"
    ),
}
MAY: Plan = {
    (GANNET, QUEUE, 1): Mishap(
        Fate.FAILED, "provider_interrupted", "the provider went away after the agent had begun"
    ),
    (GANNET, CERTIFICATE, 3): Mishap(
        Fate.FAILED, "certificate_not_renewed", "the inner service still showed the old certificate"
    ),
}
