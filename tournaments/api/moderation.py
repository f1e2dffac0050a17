"""Reports as moderators read them, and their decisions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.errors import NotAllowedError
from tournaments.models import ChatReport, PlayerReport, PuzzleReport
from tournaments.queries.games import reports
from tournaments.services import clubs
from tournaments.services.accounts import introductions
from tournaments.services.games import chat, player_reports
from tournaments.services.puzzles import reports as puzzle_reports

operations = Operations("Moderation")


class ReportedLine(shapes.Shape):
    """A report about a line of a game or an event, or about a private message."""

    id: int
    line: int
    author: shapes.PlayerName
    text: str
    room: Annotated[str, Field(description="players, spectators, event or private")]
    game: int | None
    event: str | None
    reporter: shapes.PlayerName
    made_at: datetime
    verdict: Annotated[str | None, Field(description="null while the report is open.")]
    resolved_at: datetime | None


class ReportedPlayer(shapes.Shape):
    """A report about a player."""

    id: int
    player: shapes.PlayerName
    text: str
    reporter: shapes.PlayerName
    made_at: datetime
    resolved_at: datetime | None


class ReportedPuzzle(shapes.Shape):
    """A report about a puzzle."""

    id: int
    puzzle: int
    text: str
    reporter: shapes.PlayerName
    made_at: datetime


class ReportedLineQuery(PageQuery):
    """A filter of the reports about lines."""

    resolved: Annotated[bool, Field(description="Reports with a verdict, not the open ones.")] = (
        False
    )


class Verdict(Body):
    """A decision about a line: keep it, hide it, or silence its author for a week as well."""

    verdict: Annotated[str, shapes.one_of(ChatReport.Verdict.values)]


class Withdrawal(Body):
    """The reason for which a puzzle is withdrawn. An empty reason keeps the puzzle."""

    reason: Annotated[str, Field(max_length=200)] = ""


class PuzzleDecision(BaseModel):
    """A puzzle after the decision."""

    puzzle: int
    is_withdrawn: bool


@operations.get("/moderation/lines", "reported-lines", routes.MODERATION, answer=Page[ReportedLine])
def lines(request: ApiRequest, query: Query[ReportedLineQuery]) -> HttpResponseBase:
    """Return the open reports about lines, the oldest first."""
    _require_moderator(request)
    rows = reports.of_lines(is_open=not query.resolved)
    return paging.answer(request, rows, ["pk"], query, _line)


@operations.post(
    "/moderation/lines/{int:report_id}/verdict",
    "line-decide",
    routes.MODERATION_ACT,
    status=200,
    body='{"verdict": "hidden"}',
)
def decide_line(request: ApiRequest, report_id: int, body: Verdict) -> ReportedLine:
    """Decide about a reported line. All its open reports get the verdict."""
    row = get_object_or_404(ChatReport, pk=report_id)
    chat.resolve_report(report_id=row.pk, actor=request.caller.account, verdict=body.verdict)
    return _line(reports.of_lines(is_open=False).get(pk=row.pk))


@operations.get(
    "/moderation/players", "reported-players", routes.MODERATION, answer=Page[ReportedPlayer]
)
def players(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the open reports about players, the oldest first."""
    _require_moderator(request)
    return paging.answer(request, reports.of_players(), ["pk"], query, _player)


@operations.post(
    "/moderation/players/{int:report_id}/resolve",
    "player-report-resolve",
    routes.MODERATION_ACT,
    status=200,
)
def resolve_player(request: ApiRequest, report_id: int) -> ReportedPlayer:
    """Note that you have dealt with a report about a player."""
    row = get_object_or_404(
        PlayerReport.objects.select_related("reported", "reporter"), pk=report_id
    )
    player_reports.resolve(report_id=row.pk, actor=request.caller.account)
    row.refresh_from_db(fields=["resolved_at"])
    return _player(row)


@operations.get(
    "/moderation/puzzles", "reported-puzzles", routes.MODERATION, answer=Page[ReportedPuzzle]
)
def puzzles(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the open reports about puzzles, the oldest first."""
    _require_moderator(request)
    return paging.answer(request, reports.of_puzzles(), ["pk"], query, _puzzle)


@operations.post(
    "/moderation/puzzles/{int:puzzle_id}/decision",
    "puzzle-decide",
    routes.MODERATION_ACT,
    status=200,
    body='{"reason": "Two moves win."}',
)
def decide_puzzle(request: ApiRequest, puzzle_id: int, body: Withdrawal) -> PuzzleDecision:
    """Withdraw a puzzle with a reason, or keep it. Both close its reports."""
    puzzle, actor = access.get_puzzle(puzzle_id), request.caller.account
    if body.reason:
        puzzle_reports.withdraw(puzzle_id=puzzle.pk, actor=actor, reason=body.reason)
    else:
        puzzle_reports.keep(puzzle_id=puzzle.pk, actor=actor)
    puzzle.refresh_from_db()
    return PuzzleDecision(puzzle=puzzle.pk, is_withdrawn=puzzle.withdrawn_at is not None)


@operations.delete(
    "/moderation/introductions/{int:player_id}", "introduction-hide", routes.MODERATION_ACT
)
def hide_introduction(request: ApiRequest, player_id: int) -> None:
    """Hide the line of a player about themselves."""
    introductions.hide(player=access.get_player(player_id), actor=request.caller.account)


@operations.delete("/moderation/clubs/{slug:club}", "club-hide", routes.MODERATION_ACT)
def hide_club(request: ApiRequest, club: str) -> None:
    """Hide the introduction of a club. The club remains."""
    clubs.hide_introduction(club_id=access.get_club(club).pk, actor=request.caller.account)


def _require_moderator(request: ApiRequest) -> None:
    if not request.caller.account.has_perm("tournaments.moderate"):
        raise NotAllowedError("not-moderator")


def _line(row: ChatReport) -> ReportedLine:
    line = row.line
    return ReportedLine.of(
        row,
        line=line.pk,
        author=line.author,
        text=line.text,
        room=line.room,
        game=line.game_id,
        event=line.event.slug if line.event else None,
    )


def _player(row: PlayerReport) -> ReportedPlayer:
    return ReportedPlayer.of(row, player=row.reported)


def _puzzle(row: PuzzleReport) -> ReportedPuzzle:
    return ReportedPuzzle.of(row, puzzle=row.puzzle_id)
