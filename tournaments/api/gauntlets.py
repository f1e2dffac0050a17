"""Gauntlets: a version against one bot or several, unrated."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Gauntlet, GauntletPair
from tournaments.queries.bots import gauntlet_tables
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import gauntlets as services
from tournaments.services.bots import suites

operations = Operations("Gauntlets")


class GauntletShape(shapes.Shape):
    """A gauntlet: a version against several bots, with a number of pairs for each."""

    id: int
    author: shapes.PlayerName | None
    candidate: Annotated[shapes.PlayerName, Field(description="The version's player.")]
    ruleset: str
    clock: str
    fuel: Annotated[int | None, Field(description="For each ply, in place of the clock.")]
    volunteer_priority: Annotated[
        int | None, Field(description="null if only the site plays it; 1 low, 2 normal, 3 high.")
    ]
    pairs_each: int
    iterations: Annotated[
        int | None, Field(description="In a tuning, with two pairs each; null for a gauntlet.")
    ]
    suite: Annotated[
        int | None, Field(description="Start positions of pairs; null if set-ups are drawn.")
    ]
    is_regression: Annotated[bool, Field(description="By night, against the first version.")]
    state: Annotated[str, Field(description="running, done or stopped")]
    stop_code: str
    created_at: datetime
    ended_at: datetime | None
    url: str


class GauntletScore(shapes.Shape):
    """The version against one opponent, or against all of them together."""

    pairs: Annotated[
        list[int], Field(description="Pairs by the version's score, from 0 to 2 points.")
    ]
    points: float
    difference: Annotated[
        shapes.Difference | None,
        Field(description="With a 95 % interval that holds for few pairs too."),
    ]


class GauntletRowShape(GauntletScore):
    """The version against one opponent."""

    opponent: shapes.PlayerName
    pairs_under_way: int
    repetitions: Annotated[
        int, Field(description="Pairs that repeat earlier ones move by move, and do not count.")
    ]
    stop_code: Annotated[
        str, Field(description="Reason why no further pair is played; mostly empty.")
    ]


class GauntletTable(GauntletShape):
    """A gauntlet with its table."""

    opponents: list[GauntletRowShape]
    total: GauntletScore


class GauntletPairShape(BaseModel):
    """A pair that counts."""

    opponent: shapes.PlayerName
    points: Annotated[float, Field(description="The version's, 0 to 2.")]
    games: Annotated[list[int], Field(description="The ids of both games.")]


class GauntletQuery(PageQuery):
    """A search for gauntlets."""

    state: Literal["", "running", "done", "stopped"] = ""
    kind: Literal["", "gauntlet", "tuning"] = ""
    family: Annotated[
        str, Field(max_length=20, description="The name of a game, such as `morlox`.")
    ] = ""
    version: Annotated[shapes.Id | None, Field(description="On either side.")] = None
    regressions_of: Annotated[
        shapes.Id | None, Field(description="Regressions of the line of this number.")
    ] = None


class NewGauntlet(shapes.StartChoice):
    """A gauntlet of a version of yours. With one opponent it is a match on demand."""

    opponents: Annotated[
        list[shapes.Id],
        Field(min_length=1, max_length=20, description="The numbers of bots."),
    ]
    ruleset: Annotated[str, Field(max_length=120)]
    clock: shapes.LabClock = "5+0.1"
    volunteer_priority: shapes.VolunteerPriority = None
    pairs_each: Annotated[int, Field(ge=1, le=100)] = 10


@operations.get("/gauntlets", "gauntlets", routes.OPEN, answer=Page[GauntletShape])
def listing(request: ApiRequest, query: Query[GauntletQuery]) -> HttpResponseBase:
    """Return all gauntlets, the latest first."""
    rows = gauntlet_tables.listing(
        state=query.state,
        kind=query.kind,
        family=query.family,
        bot_id=query.version,
        regressions_of=query.regressions_of,
    )
    return paging.answer(request, rows, ["-pk"], query, _shape)


@operations.get("/gauntlets/{int:gauntlet_id}", "gauntlet", routes.OPEN)
def gauntlet(request: ApiRequest, gauntlet_id: int) -> GauntletTable:
    """Return a gauntlet with its table."""
    return _table(access.get_gauntlet(gauntlet_id))


@operations.get(
    "/gauntlets/{int:gauntlet_id}/pairs",
    "gauntlet-pairs",
    routes.OPEN,
    answer=Page[GauntletPairShape],
)
def pairs(request: ApiRequest, gauntlet_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the pairs that count, the latest first, with their games."""
    rows = gauntlet_tables.pairs_of(access.get_gauntlet(gauntlet_id))
    return paging.answer(request, rows, ["-pk"], query, _pair)


@operations.post(
    "/bots/versions/{int:version_id}/gauntlets",
    "gauntlet-start",
    routes.NEW_TEST,
    body='{"opponents": [$OPPONENT], "ruleset": "morlox(size=5)", "pairs_each": 4}',
)
def start(
    request: ApiRequest, response: HttpResponse, version_id: int, body: NewGauntlet
) -> GauntletTable:
    """Start a match or a gauntlet of a version of yours, whose pairs are played immediately."""
    account = request.caller.account
    terms = Terms.read(body.clock)
    plan = services.Plan(
        candidate=access.get_version_for(account, version_id),
        opponents=[access.get_bot(number) for number in body.opponents],
        ruleset=body.ruleset,
        clock=terms.clock,
        fuel=terms.fuel,
        volunteer_priority=body.volunteer_priority,
        pairs_each=body.pairs_each,
        suite=suites.chosen(account, body.chosen_start(), body.ruleset),
    )
    row = services.start(account, plan)
    response["Location"] = f"/api/v1/gauntlets/{row.pk}"
    return _table(row)


@operations.post("/gauntlets/{int:gauntlet_id}/stop", "gauntlet-stop", routes.OWN_BOT, status=200)
def stop(request: ApiRequest, gauntlet_id: int) -> GauntletTable:
    """Stop a gauntlet of yours. Pairs in progress end uncounted."""
    row = access.get_gauntlet(gauntlet_id)
    return _table(services.stop(gauntlet_id=row.pk, actor=request.caller.account))


def _shape(row: Gauntlet) -> GauntletShape:
    return GauntletShape.of(
        row,
        author=shapes.player_of(row.owner),
        candidate=row.candidate.player,
        clock=Clock(row.clock_initial_ms, row.clock_increment_ms).text(),
        suite=row.suite_id,
        url=f"/gauntlets/{row.pk}/",
    )


def _table(row: Gauntlet) -> GauntletTable:
    table = gauntlet_tables.table(row)
    rows = [
        GauntletRowShape.of(
            each,
            **_score(each.score).model_dump(),
            opponent=each.opponent.bot.player,
            pairs_under_way=each.under_way,
            stop_code=each.opponent.stop_code,
        )
        for each in table.rows
    ]
    return GauntletTable(**_shape(row).model_dump(), opponents=rows, total=_score(table.total))


def _score(score: gauntlet_tables.Score) -> GauntletScore:
    return GauntletScore(
        pairs=list(score.counts),
        points=score.halves / 2,
        difference=shapes.difference(score.elo, None),
    )


def _pair(row: GauntletPair) -> GauntletPairShape:
    return GauntletPairShape(
        opponent=shapes.player_name(row.opponent.bot.player),
        points=(row.score_halves or 0) / 2,
        games=[game.pk for game in row.match.games.all()],
    )
