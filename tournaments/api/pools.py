"""Rating pools with their leaderboards."""

from __future__ import annotations

from typing import Annotated

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Pool
from tournaments.queries.ratings import distribution, leaderboard
from tournaments.queries.ratings.leaderboard import Published

operations = Operations("Ratings")

# The number of rows on the page of a pool.
_RANKED = 1_000


class PoolShape(shapes.Shape):
    """Games whose results are rated together."""

    key: str
    name: str
    family: str
    edition: str
    size_class: str
    time_class: str
    kind: str
    system: Annotated[str, Field(description="lists, glicko2 or running")]


class Ranked(shapes.Shape):
    """A published rating, in Elo points."""

    rank: Annotated[int | None, Field(description="null while it is provisional")]
    player: shapes.PlayerName
    rating_elo: float
    error_elo: Annotated[float | None, Field(description="Half of the 95 % interval.")]
    is_provisional: bool
    games: int


class RatingStep(BaseModel):
    """The number of players with a rating from `from_elo`, within the width of a step."""

    from_elo: int
    players: int


class Spread(BaseModel):
    """Players of a pool by rating."""

    players: int
    step_elo: int
    steps: list[RatingStep]


@operations.get("/pools", "pools", routes.OPEN, answer=Page[PoolShape])
def pools(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the rating pools."""
    return paging.answer(request, Pool.objects.all(), ["key"], query, _pool)


@operations.get(
    "/pools/{slug:pool}/leaderboard", "pool-leaderboard", routes.OPEN, answer=Page[Ranked]
)
def pool_leaderboard(request: ApiRequest, pool: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the published ratings of a pool: the ranked, the best first, then provisional ones."""
    rows = leaderboard.published(access.get_pool(pool), database_time.now(), _RANKED)
    return paging.answer_all(request, [_ranked(row) for row in rows], query)


@operations.get("/pools/{slug:pool}/distribution", "pool-distribution", routes.OPEN)
def pool_distribution(request: ApiRequest, pool: str) -> Spread:
    """Return the number of players of a pool by rating."""
    spread = distribution.distribution(access.get_pool(pool), None, database_time.now())
    return Spread(
        players=spread.players,
        step_elo=distribution.STEP_ELO,
        steps=[RatingStep(from_elo=elo, players=n) for elo, n in sorted(spread.steps.items())],
    )


def _pool(pool: Pool) -> PoolShape:
    return PoolShape.of(pool, name=str(pool))


def _ranked(row: Published) -> Ranked:
    error = row.error_centielo
    return Ranked.of(
        row,
        player=row.rating.player,
        rating_elo=row.centielo / 100,
        error_elo=None if error is None else error / 100,
        games=row.rating.games,
    )
