"""Reports to the moderators: of players, of lines, and of puzzles."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from tournaments.api import callers, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.shapes import Shape
from tournaments.edges import access
from tournaments.models.chat import REPORT_LENGTH
from tournaments.services.games import chat, player_reports
from tournaments.services.puzzles import reports as puzzle_reports

operations = Operations("Reports")


class ReportReceipt(Shape):
    """A report that waits for a moderator."""

    id: int
    made_at: datetime


class ReportReason(Body):
    """The reason of a report, for the moderators."""

    text: Annotated[str, Field(min_length=1, max_length=REPORT_LENGTH)]


@operations.post(
    "/players/{int:player_id}/report",
    "player-report",
    routes.REPORT,
    body='{"text": "Their moves are those of a program."}',
    example="/players/$OPPONENT/report",
)
def report_player(request: ApiRequest, player_id: int, body: ReportReason) -> ReportReceipt:
    """Report a person to the moderators."""
    row = player_reports.report(
        player=request.caller.seat, reported=access.get_player(player_id), text=body.text
    )
    return ReportReceipt.of(row)


@operations.post("/chat/{int:message_id}/report", "line-report", routes.REPORT)
def report_line(request: ApiRequest, message_id: int) -> ReportReceipt:
    """Report a line of a game or an event, or a private message to you.

    A second report of one line answers the first one.
    """
    seat = request.caller.seat
    line = access.get_chat_line_for(seat, message_id, lambda _slug: callers.code_of(request))
    return ReportReceipt.of(chat.report(line_id=line.pk, player=seat))


@operations.post(
    "/puzzles/{int:puzzle_id}/report",
    "puzzle-report",
    routes.REPORT,
    body='{"text": "Two moves win."}',
)
def report_puzzle(request: ApiRequest, puzzle_id: int, body: ReportReason) -> ReportReceipt:
    """Report a wrong puzzle, after your first try at it."""
    row = puzzle_reports.report(
        puzzle_id=access.get_puzzle(puzzle_id).pk, player=request.caller.seat, text=body.text
    )
    return ReportReceipt.of(row)
