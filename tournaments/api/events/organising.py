"""Actions of the organiser on a whole event: create, change, start, pause, end, import."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpResponse
from ninja import Query
from pydantic import AwareDatetime, BaseModel, Field

from tournaments.api import dry_runs, etags, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import desk, overview, shared
from tournaments.api.events import settings as shapes
from tournaments.api.events.desk import NewEntries
from tournaments.api.events.overview import EventState
from tournaments.api.events.settings import Effect, Settings
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.api.shapes import one_of
from tournaments.edges import access
from tournaments.models import Event
from tournaments.models.events import MAX_ROUNDS_OF_TABLES
from tournaments.queries.events import plans
from tournaments.services.arbiter.steps import EVENT_STEPS, StepArguments
from tournaments.services.events import registration
from tournaments.services.events import settings as services
from tournaments.text import setting_effects

operations = Operations("Organising events", shared.ROUTER)


class NewEvent(Settings, Body):
    """An event: name and game, and the settings that differ from the usual ones."""

    like: Annotated[
        str, Field(max_length=80, description="An event whose prize fund it gets, too.")
    ] = ""
    entries: Annotated[
        NewEntries | None,
        Field(description="Its first entries: with a fault in one no event is made."),
    ] = None


class SettingsChange(Settings, Body):
    """Settings that change. Settings that are left out remain."""

    name: shapes.Name = "-"
    ruleset: shapes.Rules = ""


class Changed(BaseModel):
    """An event with its changes, or the changes of a dry run."""

    event: EventState
    changes: list[Effect]
    effects: Annotated[list[str], Field(description="These effects in sentences for people.")]


class RoundTimes(Body):
    """Times by round, from the first, in ascending order."""

    times: Annotated[list[AwareDatetime | None], Field(max_length=MAX_ROUNDS_OF_TABLES)]


class EventStep(Body):
    """A step of an event. A pause, new pairing numbers, an order of a tie, a cancellation and a deletion need a reason."""

    step: Annotated[str, one_of(EVENT_STEPS.by_code), Field(description=EVENT_STEPS.warnings())]
    reason: shared.Reason = ""
    name: Annotated[
        str, Field(max_length=80, description="For a deletion: the name of the event.")
    ] = ""
    order: Annotated[
        list[shared.PairingNumber],
        Field(max_length=100, description="The pairing numbers of a shared place, the best first."),
    ] = []


@operations.post(
    "/events",
    "event-create",
    routes.NEW_EVENT,
    body='{"name": "Club evening", "ruleset": "morlox", "is_over_the_board": true}',
)
def create(
    request: ApiRequest, response: HttpResponse, query: Query[DryRunQuery], body: NewEvent
) -> EventState:
    """Create an event, whose registration is open then. You are its organiser."""
    user = request.caller.account
    like = access.get_event_for(user, body.like) if body.like else None
    named = body.model_dump(exclude={"like", "entries"}, exclude_unset=True)

    def act() -> EventState:
        with shapes.pointing():
            event = registration.create_event(
                organiser=user, plan=shapes.plan_of(named), prizes_of=like
            )
        if body.entries is not None:
            desk.enter(event, user, body.entries, skips_faults=False)
        return overview.state_of(request, event)

    state = dry_runs.run_whole(act, is_dry=query.dry_run)
    if not query.dry_run:
        response["Location"] = f"/api/v1/events/{state.slug}"
    return state


@operations.patch(
    "/events/{slug:event}", "event-change", routes.DESK, body='{"description": "In room 2."}'
)
def change(
    request: ApiRequest, event: str, query: Query[DryRunQuery], body: SettingsChange
) -> Changed:
    """Change settings of an event, each until it has taken effect.

    The answer of a dry run lists the changes and their effects. Pages ask once, and twice for rounds or
    tie-breaks after the start.
    """
    row = shared.event_of(request, event)
    etags.require(request, overview.state_of(request, row))

    def act() -> Changed:
        with shapes.pointing():
            plan = shapes.plan_of(body.model_dump(exclude_unset=True), plans.plan_of(row))
            services.change(event_id=row.pk, actor=request.caller.account, plan=plan)
        # The row in memory is that before the change.
        changes = shapes.effects(row, plan)
        sentences = setting_effects.sentences(row, services.differences(row, plan))
        return Changed(event=overview.state_of(request, row), changes=changes, effects=sentences)

    return dry_runs.run(act, is_dry=query.dry_run)


@operations.get("/events/{slug:event}/round-times", "round-times", routes.OPEN)
def round_times(request: ApiRequest, event: str) -> RoundTimes:
    """Return the start of the games of each round, from round 1, or null for a round without a set time."""
    return _times(shared.event_of(request, event))


@operations.put(
    "/events/{slug:event}/round-times",
    "round-times-set",
    routes.DESK,
    body='{"times": [null, null, "2126-11-27T19:00:00Z"]}',
)
def set_round_times(request: ApiRequest, event: str, body: RoundTimes) -> RoundTimes:
    """Say when the games of each round are to begin. Rounds that are published stay as they are."""
    row = shared.event_of(request, event)
    services.plan_rounds(event_id=row.pk, actor=request.caller.account, times=body.times)
    return _times(row)


@operations.post(
    "/events/{slug:event}/steps",
    "event-step",
    routes.DEAR_AT_DESK,
    status=200,
    body='{"step": "start"}',
    repeats=Repeats.APART,
)
def step(request: ApiRequest, event: str, query: Query[DryRunQuery], body: EventStep) -> EventState:
    """Start an event, pause it, resume it, number its players again, end it after its last closed round, cancel it, or delete one made by mistake."""
    row = shared.event_of(request, event)

    def act() -> EventState:
        arguments = StepArguments(reason=body.reason, name=body.name, order=body.order)
        EVENT_STEPS.run(body.step, row.pk, request.caller.account, arguments)
        return overview.state_of(request, row)

    return dry_runs.run(act, is_dry=query.dry_run)


def _times(event: Event) -> RoundTimes:
    times = dict(event.round_times.values_list("number", "starts_at"))
    last = max(times, default=0)
    return RoundTimes(times=[times.get(number) for number in range(1, last + 1)])
