"""Players: names, their ratings, and how each came about."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import LedgerEntry, Player, Rating
from tournaments.queries.ratings import head_to_head
from tournaments.queries.records import archive

operations = Operations("Players")


class Profile(shapes.PlayerName):
    """A player with a page."""

    created_at: datetime
    about: Annotated[str, Field(description="A person's line about themselves, or empty.")]
    federation: Annotated[str, Field(description="A code of three letters, or empty.")]
    url: str


class RatingShape(BaseModel):
    """The state of a player's ledger in a pool, in Elo points."""

    pool: str
    rating_elo: float
    games: int


class Entry(shapes.Shape):
    """A line of a ledger: the change of a rating by one game, with the values it was computed from."""

    seq: int
    kind: Annotated[str, Field(description="game, period, reversal or re-entry")]
    game: int | None
    side: str
    before_elo: float
    after_elo: float
    opponent_elo: float
    score: Annotated[float, Field(description="In points: 1, 0.5 or 0.")]
    expected: Annotated[float, Field(description="In points, from 0 to 1.")]
    k_factor: int
    formula: str
    entered_at: datetime


class Tally(shapes.Shape):
    """Results from the view of the first of the two."""

    games: int
    wins: int
    draws: int
    losses: int


class Encounters(shapes.Shape):
    """Results in one game: all, and by the side that the first of the two had."""

    game: str
    total: Tally
    as_first: Tally
    as_second: Tally


class Versus(shapes.Shape):
    """Two players against each other, together and by game, the most played first."""

    player: shapes.PlayerName
    opponent: shapes.PlayerName
    together: Tally
    by_game: list[Encounters]


class PlayerSearch(PageQuery):
    """A search for players."""

    q: Annotated[str, Field(max_length=40, description="Part of the name.")] = ""


class LedgerQuery(PageQuery):
    """The player and the pool of the lines."""

    pool: Annotated[str, Field(max_length=60)]


@operations.get(
    "/players", "players", routes.OPEN, answer=Page[Profile], example="/players?q=a&limit=2"
)
def players(request: ApiRequest, query: Query[PlayerSearch]) -> HttpResponseBase:
    """Return players by name."""
    rows = archive.players_named_like(query.q).select_related("introduction")
    return paging.answer(request, rows, ["canonical"], query, _profile)


@operations.get("/players/{int:player_id}", "player", routes.OPEN)
def player(request: ApiRequest, player_id: int) -> Profile:
    """Return a player."""
    return _profile(access.get_player(player_id))


@operations.get(
    "/players/{int:player_id}/ratings", "player-ratings", routes.OPEN, answer=Page[RatingShape]
)
def ratings(request: ApiRequest, player_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the ratings of a player, by pool."""
    rows = Rating.objects.filter(player=access.get_player(player_id)).select_related("pool")
    return paging.answer(request, rows, ["pool_id"], query, _rating)


@operations.get(
    "/players/{int:player_id}/ledger",
    "player-ledger",
    routes.OPEN,
    answer=Page[Entry],
    example="/players/$PLAYER/ledger?pool=$POOL",
)
def ledger(request: ApiRequest, player_id: int, query: Query[LedgerQuery]) -> HttpResponseBase:
    """Return every line of a player's ledger in a pool, from the first: its history point by point."""
    player, pool = access.get_player(player_id), access.get_pool(query.pool)
    rows = LedgerEntry.objects.filter(player=player, pool=pool)
    return paging.answer(request, rows, ["seq"], query, _entry)


@operations.get("/players/{int:player_id}/versus/{int:opponent_id}", "players-versus", routes.OPEN)
def versus(request: ApiRequest, player_id: int, opponent_id: int) -> Versus:
    """Return the results of two players against each other."""
    if player_id == opponent_id:
        raise Http404
    one, other = access.get_player(player_id), access.get_player(opponent_id)
    results = head_to_head.head_to_head(one, other)
    return Versus.of(results, player=one, opponent=other, together=results.together.total)


def _profile(player: Player) -> Profile:
    introduction = shapes.introduction_of(player)
    return Profile.of(
        player,
        about=introduction.visible_text if introduction else "",
        federation=introduction.federation if introduction else "",
        url=player.get_absolute_url(),
    )


def _rating(rating: Rating) -> RatingShape:
    return RatingShape(pool=rating.pool.key, rating_elo=rating.centielo / 100, games=rating.games)


def _entry(entry: LedgerEntry) -> Entry:
    return Entry.of(
        entry,
        game=entry.game_id,
        before_elo=entry.before_centielo / 100,
        after_elo=entry.after_centielo / 100,
        opponent_elo=entry.opponent_centielo / 100,
        score=entry.score_halves / 2,
        expected=entry.expected_millionths / 1_000_000,
    )
