"""Lists of the desk, for the staff alone: fees, penalties, reports of players, numbers that would change."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import Http404, HttpResponse
from ninja import Query
from pydantic import AwareDatetime, BaseModel, Field

from tournaments.api import dry_runs, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import files, shared
from tournaments.api.events.files import LogEntry
from tournaments.api.events.shared import EntryName
from tournaments.api.operations import Body, Operations
from tournaments.api.shapes import Shape
from tournaments.models import Event, Sanction
from tournaments.queries.events import fees, staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results import player_reports, report_links
from tournaments.queries.results import reports as report_files
from tournaments.services.events import fees as fee_states
from tournaments.services.events import numbering

operations = Operations("Lists of the desk", shared.ROUTER)


class FeeRow(BaseModel):
    """An entry with its fee. `amount` has decimals, and is 0.00 if the fee is waived."""

    entry: EntryName
    state: Annotated[str, Field(description="owed, paid or waived.")]
    amount: str


class FeeList(BaseModel):
    """The fees of an event. Without an entry fee `fee` is null and there are no rows."""

    fee: str | None
    paid: Annotated[str | None, Field(description="The sum of the paid fees with the currency.")]
    owed: str | None
    rows: list[FeeRow]


class NewFeeState(Body):
    """The new state of the fee of an entry."""

    state: Literal["owed", "paid", "waived"]


class SanctionRow(Shape):
    """A warning or a penalty that is not lifted. `halves` are the deducted half points."""

    id: int
    entry: EntryName
    round: int
    kind: Annotated[str, Field(description="warning, time, points, loss or exclusion.")]
    halves: int
    reason: str
    given_at: AwareDatetime


class ReportedGame(BaseModel):
    """A game of the open round with the reports of its players.

    `address` is the path of the page on which the players of the board report. It is a secret of the
    hall. `result` is null until the result is entered. Results are those of the first side.
    """

    board: int
    game: int
    first: EntryName
    second: EntryName
    first_report: str | None
    second_report: str | None
    result: str | None
    is_agreed: Annotated[
        bool, Field(description="True if both report one result that the staff confirms.")
    ]
    is_disputed: Annotated[bool, Field(description="True if the reports differ.")]
    address: str


class NumberChange(BaseModel):
    """An entry whose pairing number would change."""

    entry: EntryName
    after: int


class NumberPreview(BaseModel):
    """The changes that the step `renumber` would make.

    `may_change` is false for events other than a running Swiss, and once round 4 is published.
    """

    may_change: bool
    changes: list[NumberChange]


@operations.get(
    "/events/{slug:event}/rating-report", "event-rating-report", routes.PRIVATE, answer=str
)
def rating_report(request: ApiRequest, event: str) -> HttpResponse:
    """Return the report for the federation, as text: TRF-2026 with birth dates, for the staff."""
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, Task.ENTRIES)
    return HttpResponse(report_files.full_trf_of(row), content_type="text/plain; charset=utf-8")


@operations.get("/events/{slug:event}/fees", "event-fees", routes.PRIVATE)
def fee_list(request: ApiRequest, event: str) -> FeeList:
    """Return the entries that pay the fee of an event, with the sums that are paid and owed."""
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, Task.ENTRIES)
    return _fees(row)


@operations.put(
    "/events/{slug:event}/entries/{int:entry_id}/fee",
    "entry-fee",
    routes.DESK,
    body='{"state": "paid"}',
)
def set_fee(request: ApiRequest, event: str, entry_id: int, body: NewFeeState) -> FeeList:
    """Note whether an entry has paid. The answer has the fees of all entries."""
    row = shared.event_of(request, event)
    fee_states.set_state(
        event_id=row.pk, actor=request.caller.account, entry_id=entry_id, state=body.state
    )
    return _fees(row)


@operations.get("/events/{slug:event}/sanctions", "event-sanctions", routes.PRIVATE)
def sanctions(request: ApiRequest, event: str) -> list[SanctionRow]:
    """Return the warnings and penalties of an event, by round.

    To add one, take the act `sanction` of the entry.
    """
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, Task.RESULTS)
    return [
        SanctionRow.of(each, entry=shared.entry_name(each.entry), round=each.round_number)
        for each in Sanction.objects.of_event(row.pk).select_related("entry__player")
    ]


@operations.post(
    "/events/{slug:event}/sanctions/{int:sanction_id}/lift",
    "sanction-lift",
    routes.DEAR_AT_DESK,
    example="/events/$EVENT/sanctions/$SANCTION/lift",
    body='{"reason": "It was another player."}',
)
def lift(
    request: ApiRequest,
    event: str,
    sanction_id: int,
    query: Query[DryRunQuery],
    body: shared.Because,
) -> LogEntry:
    """Withdraw a warning or a penalty. The log keeps both acts."""
    row, user = shared.event_of(request, event), request.caller.account
    given = row.audit.filter(action="sanction", detail__sanction=sanction_id).first()
    if given is None:
        raise Http404
    return dry_runs.run(
        lambda: files.undone(row, user, given.pk, body.reason), is_dry=query.dry_run
    )


@operations.get("/events/{slug:event}/rounds/{int:number}/reports", "round-reports", routes.PRIVATE)
def reports(request: ApiRequest, event: str, number: int) -> list[ReportedGame]:
    """Return the games of a round over the board with the results that players have reported.

    Two equal reports of accounts enter the result. The list is empty if players do not report.
    """
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, Task.RESULTS)
    round_ = shared.round_of(request, row, number)
    if not row.has_player_reports:
        return []
    pairings = round_.pairings.select_related("round")
    games = []
    for each in player_reports.reported_lines(row, pairings):
        line = each.line
        assert line.first is not None, "reported lines have both players"
        assert line.second is not None, "reported lines have both players"
        games.append(
            ReportedGame(
                board=line.pairing.board,
                game=line.game_number,
                first=shared.entry_name(line.first),
                second=shared.entry_name(line.second),
                first_report=each.first or None,
                second_report=each.second or None,
                result=line.result or None,
                is_agreed=each.is_agreed,
                is_disputed=each.is_disputed,
                address=report_links.path_of(line.pairing),
            )
        )
    return games


@operations.get("/events/{slug:event}/number-changes", "event-number-changes", routes.PRIVATE)
def number_changes(request: ApiRequest, event: str) -> NumberPreview:
    """Return the pairing numbers that the step `renumber` would change."""
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, Task.PAIRINGS)
    return NumberPreview(
        may_change=numbering.may_change(row),
        changes=[
            NumberChange(entry=shared.entry_name(each.entry), after=each.after)
            for each in numbering.changes(row)
        ],
    )


def _fees(event: Event) -> FeeList:
    table = fees.table_of(event)
    if table is None:
        return FeeList(fee=None, paid=None, owed=None, rows=[])
    return FeeList(
        fee=table.fee.text(),
        paid=table.paid_sum,
        owed=table.owed_sum,
        rows=[
            FeeRow(
                entry=shared.entry_name(each),
                state=each.fee_state,
                amount=f"{table.amount_of(each):.2f}",
            )
            for each in table.entries
        ],
    )
