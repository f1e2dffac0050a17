"""Shapes that several subjects answer with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from tournaments.services.clocks import game_clocks

if TYPE_CHECKING:
    from tournaments.models import Player
    from tournaments.models.timing import Timed

# As rows are numbered.
Id = Annotated[int, Field(ge=1, lt=2**63)]


class PlayerName(BaseModel):
    """A player as others are shown."""

    id: int
    name: str
    kind: Annotated[str, Field(description="person, guest, listed, bot or remote")]


class Clock(BaseModel):
    """A time control, in milliseconds."""

    kind: Annotated[str, Field(description="fischer, bank, move or unlimited")]
    initial_ms: int
    increment_ms: int
    cap_ms: int | None
    text: Annotated[str, Field(description="As it is asked for: `300+5`.")]


def player_name(player: Player) -> PlayerName:
    """The player as others are shown."""
    return PlayerName(id=player.pk, name=player.name, kind=player.kind)


def clock(row: Timed) -> Clock:
    """The clock that a game or a challenge is played with."""
    return Clock(
        kind=row.clock_kind,
        initial_ms=row.clock_initial_ms,
        increment_ms=row.clock_increment_ms,
        cap_ms=row.clock_cap_ms,
        text=game_clocks.clock_of(row).text(),
    )
