"""Version 1 of the API: all its operations, under `/api/v1/`."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.renderers import BaseRenderer
from pydantic_core import to_json

from tournaments.api import (
    applications,
    authorizations,
    bot_games,
    bot_versions,
    bots,
    challenges,
    clubs,
    consents,
    forecasts,
    game_chat,
    game_plans,
    games,
    gauntlets,
    invitations,
    ladders,
    me,
    messages,
    moderation,
    notices,
    open_data,
    players,
    pools,
    positions,
    problems,
    puzzles,
    regressions,
    relations,
    remote_bots,
    reports,
    rulesets,
    seeks,
    sprt_tests,
    streams,
    studies,
    suites,
    tokens,
    tunings,
    vacations,
    webhooks,
    workers,
)
from tournaments.api.events import (
    arbiter,
    calendar,
    chat,
    claims,
    desk,
    desk_lists,
    desk_rounds,
    festival_prizes,
    festivals,
    files,
    imports,
    organising,
    overview,
    prizes,
    rating_comparison,
    rounds,
    series,
    tables,
    taking_part,
    teams,
)
from tournaments.api.problems import ProblemError

_EVENTS = (
    # Before the addresses with an event's name in the place of "import".
    imports,
    calendar,
    overview,
    organising,
    rounds,
    tables,
    files,
    prizes,
    taking_part,
    teams,
    chat,
    series,
    festival_prizes,
    festivals,
    claims,
    desk,
    desk_lists,
    rating_comparison,
    desk_rounds,
    arbiter,
)
SUBJECTS = (
    rulesets,
    positions,
    players,
    pools,
    games,
    game_chat,
    game_plans,
    studies,
    challenges,
    seeks,
    invitations,
    puzzles,
    bots,
    bot_versions,
    bot_games,
    ladders,
    sprt_tests,
    suites,
    gauntlets,
    tunings,
    regressions,
    consents,
    workers,
    clubs,
    *_EVENTS,
    open_data,
    remote_bots,
    me,
    messages,
    notices,
    relations,
    reports,
    vacations,
    moderation,
    tokens,
    applications,
    authorizations,
    webhooks,
    forecasts,
    streams,
)


class PydanticRenderer(BaseRenderer):
    """JSON as Pydantic writes it, so that a moment is one text in an answer and in its ETag."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: object, *, response_status: int) -> bytes:
        """The value as UTF-8."""
        return to_json(data)


v1 = NinjaAPI(
    title="Rayuela",
    version="1",
    urls_namespace="v1",
    openapi_url=None,
    docs_url=None,
    renderer=PydanticRenderer(),
)
for router in dict.fromkeys(subject.operations.router for subject in SUBJECTS):
    v1.add_router("", router)


@v1.exception_handler(Exception)
def answer_problem(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the problem of an exception in an operation. Raise a fault of the site again."""
    return problems.of_exception(request, error)


# Ninja has separate answers for these three.
@v1.exception_handler(Http404)
def answer_missing(request: HttpRequest, _error: Http404) -> HttpResponse:
    """Return the problem of an object that does not exist, or that the caller may not see."""
    return problems.of_code(request, "not-found")


@v1.exception_handler(HttpError)
def answer_unreadable(request: HttpRequest, _error: HttpError) -> HttpResponse:
    """The problem of a request that Ninja cannot read."""
    return problems.of_code(request, "malformed")


@v1.exception_handler(ValidationError)
def answer_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """The problem of values that do not fit the shape, each with its place."""
    errors = [_place(each) for each in error.errors]
    return problems.of_exception(request, ProblemError("invalid", errors=errors))


def _place(error: dict[str, Any]) -> dict[str, str]:
    """One value that does not fit: a JSON pointer into the body (RFC 6901), or a parameter."""
    source, *place = error["loc"]
    words = {"detail": str(error["msg"])}
    if source == "body":
        return {**words, "pointer": problems.pointer(place[1:])}
    return {**words, "parameter": str(place[-1]) if place else str(source)}
