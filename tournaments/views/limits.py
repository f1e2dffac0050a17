"""Which address of the site is under which limit, and the answer beyond it.

Every POST is in `LIMITS` or `EXEMPT`. One that is in neither is answered by 405, so that no form can be added without
a thought of how often it may be sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render

from tournaments.services import limits
from tournaments.services.accounts import throttles
from tournaments.text import limits as words
from tournaments.views import refusals
from tournaments.views.access import visitor_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest

    from tournaments.services.errors import TooManyError
    from tournaments.services.limits import Limit

_GAMES = (limits.GAMES, limits.GAMES_OF_PLACE)
_OFFERS = (limits.OFFERS, limits.OFFERS_OF_PLACE)
_EVENTS = (limits.EVENTS, limits.EVENTS_OF_PLACE)
_ENTRIES = (limits.ENTRIES, limits.ENTRIES_OF_PLACE)
_DESK = (limits.DESK, limits.DESK_OF_PLACE)
_ANALYSES = (limits.ANALYSES, limits.ANALYSES_OF_PLACE)
_CHANGES = (limits.CHANGES, limits.CHANGES_OF_PLACE)
_FORECASTS = (limits.FORECASTS, limits.FORECASTS_OF_PLACE)
_COMPUTATIONS = (limits.COMPUTATIONS, limits.COMPUTATIONS_OF_PLACE)

# Forms, by what they are limited as. What a service counts besides stands in `BY_SERVICES`.
LIMITS: Mapping[str, Sequence[Limit]] = {
    "sign-up": (limits.SIGN_UPS, limits.SIGN_UPS_OF_ALL),
    "password-reset": (limits.RESETS,),
    "password-reset-confirm": (limits.CHANGES_OF_PLACE,),
    **dict.fromkeys(
        [
            "password-change",
            "second-factor-on",
            "second-factor-off",
            "second-factor-renew",
            "sessions-end",
            "session-end",
            "token-create",
            "token-revoke",
            "account-delete",
            "vacation-start",
            "vacation-end",
            "email-set",
            "email-digest",
            "email-remove",
            "email-confirm",
            "player-mute",
            "chat-resolve",
            "player-report-resolve",
        ],
        _CHANGES,
    ),
    **dict.fromkeys(
        [
            "challenge",
            "challenge-accept",
            "challenge-decline",
            "seek-create",
            "seek-cancel",
            "invite",
            "invitation-join",
            "invitation-withdraw",
            "game-rematch",
        ],
        _GAMES,
    ),
    **dict.fromkeys(
        [
            "game-agree",
            "game-time",
            "game-takeback",
            "game-decline",
            "game-note",
            "game-conditionals-drop",
        ],
        _OFFERS,
    ),
    "game-say": _OFFERS,
    "chat-report": (limits.REPORTS,),
    "player-report": (limits.REPORTS,),
    "event-new": _EVENTS,
    # An import is counted as an event by its view; most posts only look at the file.
    "event-import": (limits.EVENT_LOOKS, limits.EVENT_LOOKS_OF_PLACE),
    **dict.fromkeys(
        ["event-enter", "event-withdraw", "event-bye", "event-bye-cancel", "event-check-in"],
        _ENTRIES,
    ),
    "event-claim": _ENTRIES,
    **dict.fromkeys(
        [
            "event-desk-entry",
            "event-enter-player",
            "event-announce",
            "event-staff-add",
            "event-staff-remove",
            "event-settings",
            "event-round-times",
            "event-prizes-act",
            "event-entry-add",
            "event-entries-preview",
            "event-entries-confirm",
            "event-entry-edit",
            "event-entry-remove",
            "event-claim-answer",
            "event-result-enter",
            "event-forbid",
            "event-allow",
            "game-arbiter",
            "game-record-add",
        ],
        _DESK,
    ),
    **dict.fromkeys(
        ["event-act", "event-draft", "round-close", "event-undo", "game-correct", "bot-annul"],
        (limits.CORRECTIONS,),
    ),
    **dict.fromkeys(
        [
            *("bot-new", "bot-enter", "bot-leave", "bot-activate", "bot-retire", "bot-recheck"),
            *("bot-remote-new", "bot-remote-games", "bot-ladder-enter"),
            *("bot-consent", "bot-request-answer", "gauntlet-stop"),
        ],
        (limits.BOTS,),
    ),
    "bot-remote-module": (limits.BOTS, limits.UPLOADS_OF_PLACE),
    "bot-upload": (limits.BOTS, limits.UPLOADS_OF_PLACE),
    "gauntlet-new": (limits.SPRT_TESTS,),
    "sprt-test-new": (limits.SPRT_TESTS,),
    "sprt-test-stop": (limits.BOTS,),
    "suite-new": (limits.SUITES,),
    "suite-delete": (limits.BOTS,),
    "analysis": _ANALYSES,
    "analysis-load": _ANALYSES,
}

# Forms without a limit of this kind, each with the reason.
EXEMPT: Mapping[str, str] = {
    "sign-in": "counted by its form, which knows the name and forgives what was right",
    "sign-in-code": "counted by its service, which forgives what was right",
    "sign-out": "ends a session, once",
    "settings": "sets cookies, and asks the database for nothing",
    "set_language": "sets a cookie, and asks the database for nothing",
    "game-move": "a move is taken once for each ply, and only from the side to move",
    "game-resign": "ends the game, once",
    "game-abort": "ends the game, once",
}

# Pages that compute for whoever asks; those of forms only with something to compute.
READ: Mapping[str, Sequence[Limit]] = {
    "event-plan": _FORECASTS,
    **dict.fromkeys(
        [
            "round-verify",
            "round-problem",
            "event-board",
            "event-bye-why",
            "event-archive",
            "event-report",
            "event-report-2025",
            "event-report-16",
            "download-games",
            "download-transcripts",
        ],
        _COMPUTATIONS,
    ),
    "rating-calculator": _COMPUTATIONS,
}
_WITH_A_QUERY = {"event-plan", "rating-calculator"}

# What services count, inside the transaction that makes it.
BY_SERVICES: Sequence[Limit] = (
    limits.SIGN_INS_OF_ONE,
    limits.SIGN_INS_OF_NAME,
    limits.SIGN_INS_OF_PLACE,
    limits.PASSWORDS,
    limits.GUESTS,
    limits.GUESTS_OF_ALL,
    limits.GUEST_GAMES,
    limits.BOT_GAMES,
    limits.CHAT,
    limits.UPLOADS,
    limits.RECHECKS,
    limits.STUDIES,
    limits.STUDIES_OF_PLACE,
    limits.COMPUTATIONS_OF_EVENT,
)


def count(request: HttpRequest) -> HttpResponse | None:
    """Count the request where it is limited; 405 for a form that nobody has listed.

    Raises TooManyError.
    """
    match = request.resolver_match
    # Django's admin is for staff that has given a second factor; the API counts by its own table.
    if match is None or {"admin", "v1"} & set(match.namespaces):
        return None
    name = match.url_name or ""
    if request.method == "POST":
        if name in EXEMPT:
            return None
        if name not in LIMITS:
            return HttpResponseNotAllowed(["GET", "HEAD", "OPTIONS"])
        throttles.count(visitor_of(request), *LIMITS[name])
    elif name in READ and (request.GET or name not in _WITH_A_QUERY):
        throttles.count(visitor_of(request), *READ[name])
    return None


# Long forms. The answer contains the entries, to be sent again.
_LONG_FORMS = {"event-new", "event-import", "event-settings"}
_OF_THE_BROWSER = "csrfmiddlewaretoken"


def _entries(request: HttpRequest) -> list[tuple[str, str]]:
    match = request.resolver_match
    if request.method != "POST" or match is None or match.url_name not in _LONG_FORMS:
        return []
    lists = request.POST.lists()
    return [
        (name, str(value)) for name, values in lists for value in values if name != _OF_THE_BROWSER
    ]


def too_many(request: HttpRequest, error: TooManyError) -> HttpResponse:
    """429 with `Retry-After`: a page, or JSON for the page's script."""
    limit = error.limit
    response: HttpResponse
    if refusals.is_script(request):
        body = {
            "code": "too-many",
            "limit": limit.name,
            "sentence": words.sentence(limit.subject, error.retry_after_s),
        }
        response = JsonResponse(body, status=429)
    else:
        context = {
            "sentence": words.sentence(limit.subject, error.retry_after_s),
            "entries": _entries(request),
            "most": throttles.most_of(limit) or limit.most,
            "span": words.span(int(limit.window.total_seconds())),
        }
        response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(error.retry_after_s)
    response["Cache-Control"] = "no-store"
    return response
