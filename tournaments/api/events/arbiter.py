"""Actions of the arbiter in games of events: decisions, added time, stopped clocks, corrected results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ninja import Query
from pydantic import AwareDatetime, BaseModel, Field

from games.json_record import MAX_JSON
from tournaments.api import callers, games, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import shared
from tournaments.api.game_shapes import GameState
from tournaments.api.operations import Body, Operations
from tournaments.models import Award, Game, Scope
from tournaments.queries.results.standings import EventRow
from tournaments.services.arbiter import board_records, correction_preview, corrections
from tournaments.services.arbiter.correction_preview import AwardChange, CorrectionPreview
from tournaments.services.arbiter.game_acts import GAME_ACTS, MOST_ADDED_S, GameArguments
from tournaments.text import prizes as words

operations = Operations("Arbiters")

Result = Annotated[str, shapes.one_of(Game.Result.values)]


class GameAct(Body):
    """An action in a game in progress, or, for a replay and `rate-as`, in a finished game.

    `decide` takes `result`, `rate-as` the result for the rating report alone, `add-time` takes `side` and `seconds`, `stop` may take `resumes_at`.
    """

    act: Annotated[str, shapes.one_of(GAME_ACTS.by_code)]
    reason: shared.Reason = ""
    result: Result | None = None
    side: Literal["first", "second"] = "first"
    seconds: Annotated[int, Field(ge=0, le=MOST_ADDED_S)] = 0
    resumes_at: AwareDatetime | None = None

    def arguments(self) -> GameArguments:
        """Return them as the acts have them."""
        return GameArguments(
            reason=self.reason,
            result=self.result or "",
            side=self.side,
            added_s=self.seconds,
            resumes_at=self.resumes_at,
        )


class BoardRecord(Body):
    """The record of a game over the board.

    `text` is a record, as text or JSON, or its moves alone, a line each. Another record in place of
    one takes a reason.
    """

    text: Annotated[str, Field(min_length=1, max_length=MAX_JSON)]
    reason: shared.Reason = ""


class CorrectedResult(Body):
    """The right result, and why it was another.

    `exchange` records that a board was played with colours exchanged: the result keeps its winner.
    """

    result: Annotated[str, shapes.one_of([*Game.Result.values, corrections.EXCHANGE])]
    reason: shared.Reason


class Place(BaseModel):
    """A row of the standings."""

    rank: int
    points_halves: int
    tie_breaks: list[str]


class RowChange(shared.EntryName):
    """A row of the standings that changes."""

    before: Place
    after: Place


class DoubtfulRound(shapes.Shape):
    """A later round with other pairings under the new result. It is not changed (C.04.2 4.4).

    `boards` are those whose players would not have met, or all boards if that is unknown.
    """

    round: int
    boards: list[int]
    is_unknown: bool


class RatingChange(shapes.Shape):
    """A rating that changes."""

    player: shapes.PlayerName
    before_elo: float
    after_elo: float


class PrizeChange(shared.EntryName):
    """A player whose prizes would change."""

    before: list[str]
    after: list[str]


class Consequences(shapes.Shape):
    """The consequences of a correction."""

    standings: list[RowChange]
    doubtful_rounds: list[DoubtfulRound]
    ratings: list[RatingChange]
    are_ratings_later: Annotated[bool, Field(description="When a worker has computed the pool.")]
    recipients: list[shapes.PlayerName]
    discards_draft: bool
    prizes: list[PrizeChange]
    are_prizes_awarded: Annotated[bool, Field(description="And stay as they are.")]


class Corrected(BaseModel):
    """A correction: the game and its results, and, in a dry run, the consequences."""

    game: int
    before: str
    after: str
    consequences: Consequences | None


@operations.post(
    "/games/{int:game_id}/acts",
    "game-act",
    routes.DESK,
    status=200,
    body='{"act": "add-time", "seconds": 60, "reason": "The light went out."}',
)
def act(request: ApiRequest, game_id: int, body: GameAct) -> GameState:
    """Act in a game of an event as its arbiter. The players are notified.

    The answer of a replay is the new game.
    """
    game = callers.game_of(request, game_id)
    result = GAME_ACTS.run(body.act, game.pk, request.caller.account, body.arguments())
    return games.state_of(request, result.pk)


@operations.put(
    "/games/{int:game_id}/board-record",
    "game-record-add",
    routes.OF_GAME_OR_DESK,
    body='{"text": "a1\\nb2"}',
)
def add_record(request: ApiRequest, game_id: int, body: BoardRecord) -> GameState:
    """Add the record of a game over the board, as one of its players or as the staff.

    The staff alone replaces a record. It acts as the staff by the scope `events:write`.
    """
    game = callers.game_of(request, game_id)
    token = request.caller.token
    assert token is not None, "the operation has a scope"
    board_records.add(
        game_id=game.pk,
        actor=request.caller.account,
        text=body.text.replace("\x00", ""),
        reason=body.reason,
        may_be_staff=Scope.EVENTS_WRITE in token.scope_set,
    )
    return games.state_of(request, game.pk)


@operations.post(
    "/games/{int:game_id}/correction",
    "game-correct",
    routes.DEAR_AT_DESK,
    status=200,
    example="/games/$GAME/correction?dry_run=true",
    body='{"result": "draw", "reason": "The slip says so."}',
)
def correct(
    request: ApiRequest, game_id: int, query: Query[DryRunQuery], body: CorrectedResult
) -> Corrected:
    """Correct the result or the colours of a game that is over. Standings and ratings follow.

    The answer of a dry run lists the changes in the standings and the later rounds with other
    pairings. It also lists the changed ratings and prizes, and the players to notify.
    """
    game, user = callers.game_of(request, game_id), request.caller.account
    before = game.result or ""
    if query.dry_run:
        preview = correction_preview.preview(
            game_id=game.pk, actor=user, result=body.result, reason=body.reason
        )
        return Corrected(
            game=game.pk, before=before, after=preview.after, consequences=_consequences(preview)
        )
    correction = corrections.correct(
        game_id=game.pk, actor=user, result=body.result, reason=body.reason
    )
    return Corrected(
        game=game.pk, before=correction.before, after=correction.after, consequences=None
    )


def _consequences(preview: CorrectionPreview) -> Consequences:
    return Consequences.of(
        preview,
        standings=[
            RowChange(
                **shared.entry_name(each.entry).model_dump(),
                before=_place(each.before),
                after=_place(each.after),
            )
            for each in preview.rows
        ],
        doubtful_rounds=[
            DoubtfulRound.of(
                each, round=each.number, boards=[pairing.board for pairing in each.pairings]
            )
            for each in preview.doubtful
        ],
        ratings=[
            RatingChange.of(each, before_elo=each.before / 100, after_elo=each.after / 100)
            for each in preview.ratings
        ],
        are_ratings_later=preview.is_pool_large,
        prizes=[
            PrizeChange(
                **shared.entry_name(each.entry).model_dump(),
                before=_prizes(each, each.before),
                after=_prizes(each, each.after),
            )
            for each in preview.awards
        ],
        are_prizes_awarded=preview.is_awarded,
    )


def _place(row: EventRow) -> Place:
    return Place(rank=row.rank, points_halves=row.points_halves, tie_breaks=list(row.values))


def _prizes(change: AwardChange, awards: Sequence[Award]) -> list[str]:
    return [words.prize_text(each.amount, each.words, change.currency) for each in awards]
