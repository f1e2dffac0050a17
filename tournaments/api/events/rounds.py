"""Rounds of events in public: pairings, results, byes, and their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.shapes import Shape
from tournaments.edges.files import attachment
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Event, Game, Pairing, Round, Seat
from tournaments.queries.arbiter import round_verification
from tournaments.queries.results import result_corrections
from tournaments.queries.results.board_lines import BoardLine, board_lines
from tournaments.services.arbiter import board_evidence, results
from tournaments.services.archives import event_files
from tournaments.services.results import round_scores
from tournaments.services.rounds import typed_results

operations = Operations("Rounds", shared.ROUTER)


class RoundRow(Shape):
    """A round of an event. Only the staff sees drafts."""

    number: int
    state: Annotated[str, Field(description="draft, published or closed")]
    is_continuous: bool
    first_board: Annotated[
        int,
        Field(description="The number of board 1 on pages and sheets, as a section of a festival."),
    ]
    starts_at: datetime | None
    published_at: datetime | None
    started_at: datetime | None
    closed_at: datetime | None
    deadline_at: Annotated[
        datetime | None, Field(description="The end of the time for its games, by `round_days`.")
    ]


class BoardGame(BaseModel):
    """A game of a board. Over the board it has a result before it has an `id`."""

    number: int
    id: int | None
    first: Annotated[
        int | None,
        Field(description="The entry that has the first side. null at an empty board of a team."),
    ]
    second: Annotated[int | None, Field(description="The entry that has the second side.")]
    result: Annotated[
        str | None, Field(description="null while it is in progress, or is not entered")
    ]
    ending: str | None
    is_corrected: bool


class Side(shared.EntryName):
    """One player of a board. `float` tells if the opponent had less or more, by the pairing scores."""

    points_halves: Annotated[int, Field(description="Before the round.")]
    float: Annotated[str, Field(description="down, up or empty")]


class Board(BaseModel):
    """Two players at a board. `games` are those that decide it."""

    board: int
    first: Side
    second: Side
    games: list[BoardGame]
    is_by_hand: Annotated[bool, Field(description="True if the staff has changed it.")]


class Bye(shared.EntryName):
    """A player without an opponent."""

    kind: Annotated[str, Field(description="pairing-bye, half-bye, zero-bye, full-bye, free, ...")]
    points_halves: Annotated[int, Field(description="Before the round.")]


class TypedResult(BaseModel):
    """Results that were typed before the round became a draft again, or null without results.

    Publishing the draft returns them to `board`. If `board` is null they are lost, because the
    draft has no board with these players on these sides.
    """

    first: shared.EntryName
    second: shared.EntryName
    result: str | None
    second_result: Annotated[
        str | None, Field(description="Result of the second game of a mini-match.")
    ]
    later_results: Annotated[
        list[str | None],
        Field(description="Results of the games of a tie of a knock-out after the first."),
    ]
    board: int | None


class RoundState(RoundRow):
    """A round with its boards and byes. `typed_results` are those of a draft."""

    engine: Annotated[str, Field(description="Which version of the pairing system.")]
    setup: Annotated[str, Field(description="The set-up that was drawn for all boards.")]
    edits: Annotated[int, Field(description="Changes by hand since it was drafted.")]
    missing: Annotated[int, Field(description="Games that go on, or results not entered.")]
    boards: list[Board]
    byes: list[Bye]
    typed_results: list[TypedResult]


class Explanation(BaseModel):
    """The reasons for a board, in the terms of the pairing system.

    `evidence` is the system's own record. `players` are the facts about both, with the reasons why
    they did not meet others (`why_not`). `bracket` is the bracket's value in each criterion, with
    bounds and proofs. `objections` are those to a board that was made by hand. Pairing numbers are
    those with which the round was paired.
    """

    round: int
    board: int
    engine: str
    is_by_hand: bool
    evidence: dict[str, Any] | None
    players: list[dict[str, Any]]
    bracket: dict[str, Any] | None
    objections: list[dict[str, Any]]
    answer: Annotated[dict[str, Any] | None, Field(description="To `who` and `other`.")]


class Verification(Shape):
    """A round paired once more. Pairs are of pairing numbers, null for the bye."""

    engine_then: str
    engine_now: str
    is_confirmed: bool
    only_then: list[list[int | None]]
    only_now: list[list[int | None]]
    faults: Annotated[list[str], Field(description="Against the basic rules (C.04.1).")]
    failure: Annotated[str, Field(description="Reason why there is no answer now, or empty.")]
    is_seed_committed: bool


class Question(BaseModel):
    """A question why a player of the board did not meet another player. `other` 0 is the bye."""

    who: Annotated[int | None, Field(ge=1, le=5_000)] = None
    other: Annotated[int | None, Field(ge=0, le=5_000)] = None


@operations.get("/events/{slug:event}/rounds", "event-rounds", routes.OPEN, answer=Page[RoundRow])
def rounds(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the rounds of an event."""
    row = shared.event_of(request, event)
    visible = row.rounds.defer("problem", "evidence", "report")
    if not shared.is_staff(request, row):
        visible = visible.exclude(state=Round.State.DRAFT)
    return paging.answer(request, visible, ["number"], query, RoundRow.of)


@operations.get_later("/events/{slug:event}/rounds/{int:number}", "event-round", routes.OPEN)
def round_(request: ApiRequest, event: str, number: int) -> RoundState:
    """Return a round: its boards with scores before it, results and games, and players without an opponent."""
    row = shared.event_of(request, event)
    visible_round = shared.round_of(request, row, number)
    return state_of(row, visible_round, round_scores.stored_points_before(row, visible_round))


@operations.get_later(
    "/events/{slug:event}/rounds/{int:number}/boards/{int:board}/explanation",
    "board-explanation",
    routes.COMPUTED,
)
def explanation(
    request: ApiRequest, event: str, number: int, board: int, query: Query[Question]
) -> Explanation:
    """Return the reasons for a pair, and against others: the evidence of the pairing system as data."""
    row = shared.event_of(request, event)
    visible_round = shared.round_of(request, row, number)
    pairing = pairing_of(visible_round, board)
    document = board_evidence.of_board.of(row, number, board)
    answer = None
    if query.who is not None and query.other is not None:
        if query.who not in {pairing.first.tpn, pairing.second.tpn}:
            raise RefusedError("form-bad", "who is not at this board")
        answer = board_evidence.of_question.of(row, number, query.who, query.other or None)
    return Explanation(
        round=visible_round.number,
        board=pairing.board,
        engine=visible_round.engine,
        is_by_hand=document["board"] is None and bool(visible_round.edits),
        evidence=document["board"],
        players=document["players"],
        bracket=document["bracket"],
        objections=document["objections"],
        answer=answer,
    )


@operations.get(
    "/events/{slug:event}/rounds/{int:number}/input", "round-input", routes.OPEN, answer=dict
)
def round_input(request: ApiRequest, event: str, number: int) -> HttpResponse:
    """Return the data from which a round was paired: a FIDE report with the pairings in comments, or JSON."""
    row = shared.event_of(request, event)
    file = event_files.input_of(row, shared.round_of(request, row, number))
    return attachment(file.content, file.media_type, file.name)


@operations.get(
    "/events/{slug:event}/rounds/{int:number}/verification", "round-verification", routes.COMPUTED
)
def verification(request: ApiRequest, event: str, number: int) -> Verification:
    """Pair a round again from its stored data, and compare. In large fields only the staff may ask."""
    row = shared.event_of(request, event)
    visible_round = shared.round_of(request, row, number)
    is_staff = shared.is_staff(request, row)
    if not round_verification.may_verify(visible_round, is_staff=is_staff):
        raise NotAllowedError("not-organiser", row.slug)
    check = round_verification.verify(visible_round)
    return Verification.of(
        check,
        only_then=[[each.first, each.second] for each in check.only_then],
        only_now=[[each.first, each.second] for each in check.only_now],
    )


def pairing_of(round_: Round, board: int) -> Pairing:
    """The board with its players. Raises Http404."""
    pairings = round_.pairings.select_related("first__player", "second__player")
    pairing = pairings.filter(board=board).first()
    if pairing is None:
        raise Http404
    return pairing


def state_of(event: Event, round_: Round, points: Mapping[int, int] | None = None) -> RoundState:
    """Return the round with its boards. `points` are those before it, if the caller has them."""
    if points is None:
        points = round_scores.points_before(event, round_)
    seats = round_.seats.filter(pairing=None).exclude(kind=Seat.Kind.OUT)
    return RoundState.of(
        round_,
        edits=len(round_.edits),
        missing=_missing(event, round_),
        boards=_boards(event, round_, points),
        byes=[
            Bye(
                **shared.entry_name(seat.entry).model_dump(),
                kind=seat.kind,
                points_halves=points.get(seat.entry_id, 0),
            )
            for seat in seats.select_related("entry__player").order_by("entry__tpn")
        ],
        typed_results=_typed_results(event, round_),
    )


def _typed_results(event: Event, round_: Round) -> list[TypedResult]:
    if round_.state != Round.State.DRAFT:
        return []
    return [
        TypedResult(
            first=shared.entry_name(each.first),
            second=shared.entry_name(each.second),
            result=each.result or None,
            second_result=each.second_result or None,
            later_results=[result or None for result in each.later_results],
            board=each.pairing.board if each.pairing is not None else None,
        )
        for each in typed_results.of_draft(event, round_)
    ]


def _missing(event: Event, round_: Round) -> int:
    if event.is_over_the_board and round_.state == Round.State.PUBLISHED:
        return results.missing_count(round_)
    return Game.objects.ongoing().filter(pairing__round=round_).count()


def _boards(event: Event, round_: Round, points: Mapping[int, int]) -> list[Board]:
    games = Prefetch("games", queryset=Game.objects.order_by("number"))
    pairings = round_.pairings.with_lines(event)
    rows = list(pairings.prefetch_related(games).order_by("board"))
    lines: dict[int, list[BoardLine]] = {}
    for line in board_lines(event, rows):
        lines.setdefault(line.pairing.pk, []).append(line)
    corrected = result_corrections.game_ids(event)
    evidence = round_.evidence_by_pair
    return [
        _board(pairing, lines.get(pairing.pk, []), points, corrected, evidence) for pairing in rows
    ]


def _board(
    pairing: Pairing,
    lines: list[BoardLine],
    points: Mapping[int, int],
    corrected: frozenset[int],
    evidence: Mapping[tuple[int, int], Mapping[str, Any]],
) -> Board:
    board = evidence.get((pairing.first.tpn or 0, pairing.second.tpn or 0))
    before = points.get(pairing.first_id, 0), points.get(pairing.second_id, 0)
    scores = (int(board["first_halves"]), int(board["second_halves"])) if board else before
    both = [
        Side(
            **shared.entry_name(entry).model_dump(),
            points_halves=halves,
            float=_float(scores[index], scores[1 - index]),
        )
        for index, (entry, halves) in enumerate(
            zip((pairing.first, pairing.second), before, strict=True)
        )
    ]
    games = [
        BoardGame(
            number=line.game_number,
            id=line.game.pk if line.game else None,
            first=line.first.pk if line.first else None,
            second=line.second.pk if line.second else None,
            result=line.result or None,
            ending=line.game.ending if line.game else None,
            is_corrected=line.game is not None and line.game.pk in corrected,
        )
        for line in lines
    ]
    return Board(
        board=pairing.board,
        first=both[0],
        second=both[1],
        games=games,
        is_by_hand=board is None and bool(evidence),
    )


def _float(own: int, other: int) -> str:
    return "" if own == other else "down" if own > other else "up"
