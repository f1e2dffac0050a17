"""Terms of SPRT tests and gauntlets: clocks, or fuel, under which volunteers may play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from engine.clock import Fuel, parse_time_control
from tournaments.errors import RefusedError
from tournaments.models import Bot, Player, Regression
from tournaments.models.volunteers import Priority
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events.plans import FUELS

# The clocks of games under fuel do not run. Their columns have a value.
_STILL = Clock(60_000, 0)


@dataclass(frozen=True, slots=True)
class Terms:
    """A clock, or fuel for each ply instead."""

    clock: Clock
    fuel: int | None = None

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the terms of a text that was checked, such as `5+0.1` or `100Mfuel`."""
        control = parse_time_control(text)
        if isinstance(control, Fuel):
            return cls(_STILL, control.units)
        return cls(Clock.read(text))

    @classmethod
    def of(cls, row: Regression) -> Self:
        """Return the terms of a row."""
        return cls(Clock(row.clock_initial_ms, row.clock_increment_ms), row.fuel)

    def text(self) -> str:
        """Return the text that `read` takes."""
        return self.clock.text() if self.fuel is None else str(Fuel(self.fuel))


def require(fuel: int | None, priority: int | None, bots: Collection[Bot]) -> None:
    """Raise RefusedError unless bots can be compared under these terms.

    By `fuel-bad` for another amount than events have, `lab-modules` if one of the bots is no module,
    `volunteers-fuel` for volunteers without fuel, or `volunteers-consent` if volunteers may not get
    one of the modules.
    """
    if fuel is None:
        if priority is not None:
            raise RefusedError("volunteers-fuel")
        return
    if fuel not in FUELS:
        raise RefusedError("fuel-bad", str(fuel))
    for bot in bots:
        if bot.is_remote or not Player.objects.metered().filter(bot=bot).exists():
            raise RefusedError("lab-modules", bot.player.name)
    if priority is None:
        return
    if priority not in Priority.values:
        raise RefusedError("volunteers-fuel", str(priority))
    for bot in bots:
        if bot.line is None or not bot.line.consent.lends_modules:
            raise RefusedError("volunteers-consent", bot.player.name)
