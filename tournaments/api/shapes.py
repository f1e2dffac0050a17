"""Shapes that several subjects answer with."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema
from pydantic_core import core_schema

from tournaments.api.operations import Body
from tournaments.models import ChatLine, Event, Introduction, Player, User
from tournaments.models.chat import LINE_LENGTH
from tournaments.models.timing import Timed
from tournaments.queries.clocks import game_clocks
from tournaments.services.bots import suites

# The range of row numbers.
Id = Annotated[int, Field(ge=1, lt=2**63)]


def one_of(words: Iterable[str]) -> GetPydanticSchema:
    """Return the limit of a text to these words: an annotation with the meaning of `Literal`."""
    schema = core_schema.literal_schema(list(words))
    return GetPydanticSchema(lambda _source, _handler: schema)


EventFormat = Annotated[str, one_of(Event.Format.values)]


class Shape(BaseModel):
    """The base of answers whose members are attributes of a row."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, row: object, **others: object) -> Self:
        """Return the shape of `row`, with `others` for members that are no attributes of it.

        Members that are shapes themselves are made of their attributes. Raises AttributeError for a
        missing attribute, and ValidationError for one of another type.
        """
        values = {
            name: others[name] if name in others else getattr(row, name)
            for name in cls.model_fields
        }
        assert others.keys() <= values.keys(), f"{cls.__name__} lacks some of {[*others]}"
        return cls.model_validate(values)


class PlayerName(Shape):
    """A player as others are shown. A bot has the number of its player."""

    id: Annotated[int, Field(description="As requests and addresses name players and bots.")]
    name: str
    kind: Annotated[str, Field(description="person, guest, listed, bot or remote")]


class Clock(Shape):
    """A time control, in milliseconds."""

    kind: Annotated[str, Field(description="fischer, bank, move or unlimited")]
    initial_ms: int
    increment_ms: int
    cap_ms: int | None
    text: Annotated[str, Field(description="As it is asked for: `300+5`.")]


class Estimate(Shape):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


class Interval(Protocol):
    """An Elo difference of the services, with the ends of its interval."""

    @property
    def elo(self) -> float:
        """Return the interval in points, infinite if all games were won."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


class Difference(BaseModel):
    """A difference in Elo points, with its 95 % interval. Null is infinite."""

    elo: float | None
    lower_elo: float | None
    upper_elo: float | None
    superiority: Annotated[float | None, Field(description="The probability of being stronger.")]


def difference(elo: Interval | None, superiority: float | None) -> Difference | None:
    """Return the difference by the results, or None before the first result."""
    if elo is None:
        return None
    ends = [each if math.isfinite(each) else None for each in (elo.elo, elo.low, elo.high)]
    return Difference(elo=ends[0], lower_elo=ends[1], upper_elo=ends[2], superiority=superiority)


def player_name(player: Player) -> PlayerName:
    """The player as others are shown."""
    return PlayerName.model_validate(player)


def player_of(account: User | None) -> PlayerName | None:
    """Return the player of an account, None without an account or for one that does not play."""
    player = getattr(account, "player", None)
    return player_name(player) if player else None


class ChatLineShape(Shape):
    """A line of a chat. A deleted one has no text."""

    id: int
    player: PlayerName
    text: str
    is_deleted: bool
    made_at: datetime


class NewLine(Body):
    """The text of a new line."""

    text: Annotated[str, Field(min_length=1, max_length=LINE_LENGTH)]


def chat_line(line: ChatLine) -> ChatLineShape:
    """Return the line as its readers see it."""
    text = "" if line.is_hidden else line.text
    return ChatLineShape.of(line, player=line.author, text=text, is_deleted=line.is_hidden)


def introduction_of(player: Player) -> Introduction | None:
    """Return what the player says about themselves, or None."""
    introduction: Introduction | None = getattr(player, "introduction", None)
    return introduction


def clock(row: Timed) -> Clock:
    """The clock that a game or a challenge is played with."""
    return clock_shape(game_clocks.clock_of(row))


def clock_shape(clock: game_clocks.Clock) -> Clock:
    """Return a time control with its text."""
    return Clock.of(clock, text=clock.text())


class EvaluationShape(Shape):
    """A bot's evaluation before its move. Values that it did not send are null."""

    score_cp: Annotated[
        int | None,
        Field(
            description="In hundredths of whatever the bot counts in; above 0 the side that moved stands better."
        ),
    ]
    depth: int | None
    nodes: int | None
    time_ms: int | None
    line: Annotated[
        list[str],
        Field(description="The moves that it expected, its own first; they are not checked."),
    ]
    text: str


# The clocks of SPRT tests and gauntlets, and the fuel for each ply that can take their place.
LabClock = Literal["1+0.05", "5+0.1", "10+0.1", "60+0.6", "10Mfuel", "100Mfuel", "1Gfuel"]
VolunteerPriority = Annotated[
    Literal[1, 2, 3] | None,
    Field(
        description="With it, volunteers may play the pairs: those of 3 before those of 1. The authors of both modules must allow it."
    ),
]


class StartChoice(Body):
    """The starts of the pairs of two bots, in a request."""

    start: Annotated[
        Literal["drawn", "openings"],
        Field(
            description="Pairs begin from set-ups that are drawn, or from openings of the site: positions after random plies. If the rules have one start, `drawn` is openings too."
        ),
    ] = "drawn"
    suite: Annotated[
        Id | None,
        Field(description="Pairs begin from this suite of yours, whatever `start` says."),
    ] = None

    def chosen_start(self) -> str:
        """The start positions as `suites.chosen` takes them."""
        if self.suite is not None:
            return str(self.suite)
        return suites.OPENINGS if self.start == "openings" else suites.DRAWN
