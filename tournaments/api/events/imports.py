"""Taking over events from FIDE reports."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from ninja import Query
from pydantic import BaseModel, Field

from tournaments import limits
from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import overview
from tournaments.api.events import settings as shapes
from tournaments.api.events.overview import EventState
from tournaments.api.operations import Body, Operations
from tournaments.api.problems import PointedError
from tournaments.api.shapes import Shape
from tournaments.errors import RefusedError
from tournaments.models.events import MAX_ROUNDS
from tournaments.queries.arbiter import foreign_reports, rule_comparison
from tournaments.queries.arbiter.foreign_reports import ForeignEvent
from tournaments.queries.arbiter.rule_comparison import Comparison
from tournaments.services.accounts import throttles
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.text import over_board, refusals

# A separate router: its address is looked up before that of an event called "import".
operations = Operations("Organising events")

_LONGEST_REPORT = 1_000_000


class Report(Body):
    """A FIDE report (TRF), its game, and the choice to continue the event on this site."""

    text: Annotated[str, Field(max_length=_LONGEST_REPORT)]
    ruleset: shapes.Rules
    name: Annotated[str, Field(max_length=80, description="Empty: as the report has it.")] = ""
    rounds_total: Annotated[
        int | None, Field(ge=1, le=MAX_ROUNDS, description="For a report that does not say it.")
    ] = None
    goes_on: Annotated[bool, Field(description="Or is over, and kept with its results.")] = True


class Fault(Shape):
    """The reason why a report cannot be imported. `line` is 0 for the whole file."""

    line: int
    code: str
    title: str
    detail: str


class Imported(BaseModel):
    """The contents of a report, and the event created from it."""

    event: EventState | None
    name: str
    format: str
    players: int
    teams: Annotated[int, Field(description="0 in an event of individuals.")]
    rounds: int
    faults: list[Fault]
    obstacle: Annotated[
        str, Field(description="Reason why its next round cannot be paired, or empty.")
    ]
    not_kept: Annotated[list[str], Field(description="Records and columns that no field has.")]
    doubts: Annotated[
        list[str], Field(description="Doubts that the report leaves open, in a sentence each.")
    ]
    adjustments: Annotated[
        list[str], Field(description="Changes of an older file (TRF06), in a sentence each.")
    ]
    warnings: Annotated[
        list[str],
        Field(description="Rounds that differ from the pairing rules, in a sentence each."),
    ]


@operations.post(
    "/events/import",
    "event-import",
    routes.IMPORT,
    example="/events/import?dry_run=true",
    body='{"text": "012 Open", "ruleset": "morlox"}',
)
def import_report(request: ApiRequest, query: Query[DryRunQuery], body: Report) -> Imported:
    """Import an event from a FIDE report.

    A dry run answers with the contents of the report, with every fault and its line. A report with
    faults is not imported, and the problem lists them.
    """
    foreign = foreign_reports.read(body.text, rounds_total=body.rounds_total)
    faults = [Fault.of(each, title=refusals.sentence_of(each.code)) for each in foreign.problems]
    comparison = Comparison() if faults else rule_comparison.of_report(foreign)
    if query.dry_run:
        return _imported(foreign, faults, comparison, None)
    choice = ImportChoice(
        name=body.name or foreign.name,
        ruleset=body.ruleset,
        goes_on=body.goes_on,
        rounds_total=body.rounds_total,
    )
    try:
        with transaction.atomic(), shapes.pointing():
            throttles.count(request.caller.visitor, limits.EVENTS, limits.EVENTS_OF_PLACE)
            event = report_import.import_report(
                organiser=request.caller.account,
                text=body.text,
                choice=choice,
                comparison=comparison,
            )
    except RefusedError as refusal:
        errors = [
            {"pointer": "#/text", "detail": f"{each.line}: {each.title} {each.detail}".strip()}
            for each in faults
        ]
        raise PointedError(refusal, errors) from refusal
    return _imported(foreign, faults, comparison, overview.state_of(request, event))


def _imported(
    foreign: ForeignEvent, faults: list[Fault], comparison: Comparison, event: EventState | None
) -> Imported:
    return Imported(
        event=event,
        name=foreign.name,
        format=foreign.format,
        players=len(foreign.players),
        teams=len(foreign.teams),
        rounds=len(foreign.rounds),
        faults=faults,
        obstacle=foreign.obstacle,
        not_kept=list(foreign.not_kept),
        doubts=[refusals.sentence_of(f"report-{each}") for each in foreign.doubts],
        adjustments=over_board.adjustments(foreign.adjustments),
        warnings=list(over_board.compared_rounds(comparison.differing, comparison.not_compared)),
    )
