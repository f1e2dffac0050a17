"""Talk beside the board, and the moderators' page about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.edges.access import get_chat_line_for
from tournaments.errors import TournamentError
from tournaments.models import ChatLine, ChatReport, Game, Player
from tournaments.queries.games import reports
from tournaments.services.games import chat
from tournaments.text import refusals as refusal_text
from tournaments.views import once, refusals
from tournaments.views.access import (
    access_code,
    get_game,
    members_only,
    player_of,
    players_only,
    signed_in,
)

_LIST_LENGTH = 100


@never_cache
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the current lines of the visitor's chat."""
    return render(request, "games/_chat_lines.html", panel(request, get_game(request, pk)))


def panel(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return the context of the chat beside the board of `game` for the visitor."""
    player = player_of(request)
    room = chat.room_of(game, player)
    is_open = chat.is_open(game, room, database_time.now())
    lines = chat.lines(game, player)
    return {
        "game": game,
        "chat": {
            "room": room,
            "lines": lines,
            "is_shown": is_open or bool(lines),
            "may_write": is_open and player is not None and not player.is_guest,
            "is_open": is_open,
            "player": player,
            **addresses("game", game.pk, game.get_absolute_url()),
        },
    }


def addresses(place: str, key: object, page: str) -> dict[str, str]:
    """Return the addresses of the chat of a game or an event, for its template."""
    return {
        "live_url": reverse(f"{place}-chat", args=[key]),
        "say_url": reverse(f"{place}-say", args=[key]),
        "page": page,
    }


@players_only
def say(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    game = get_game(request, pk)
    return answer_line(
        request,
        lambda: chat.say(game_id=game.pk, player=player, text=request.POST.get("text", "")),
        f"{game.get_absolute_url()}#chat",
    )


def answer_line(request: HttpRequest, write: Callable[[], ChatLine], page: str) -> HttpResponse:
    """Write a line, and return to the page. A script gets no page, or the refusal."""
    try:
        return _write(request, write, page)
    except TournamentError as refusal:
        if refusals.is_script(request):
            return refusals.as_json(refusal)
        messages.error(request, refusal_text.sentence(refusal))
    return redirect(page)


@once.once
def _write(request: HttpRequest, write: Callable[[], ChatLine], page: str) -> HttpResponse:
    write()
    if refusals.is_script(request):
        return HttpResponse(status=204)
    return redirect(page)


@players_only
@refusals.refusal_as_message
def report(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    line = get_chat_line_for(player, pk, lambda slug: access_code(request, slug))
    chat.report(line_id=line.pk, player=player)
    messages.success(request, _("Thank you. A moderator will look at this message."))
    if line.recipient_id is not None:
        return redirect("conversation", line.author_id)
    return redirect(f"{line.place.get_absolute_url()}#chat")


@players_only
@refusals.refusal_as_message
def mute(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Mute a player, or with `again` undo that."""
    other = get_object_or_404(Player, pk=pk)
    if "again" in request.POST:
        chat.unmute(player=player, muted=other)
        sentence = _("%(name)s is no longer muted.")
    else:
        chat.mute(player=player, muted=other)
        sentence = _("%(name)s is muted. You can unmute on the player's page.")
    messages.success(request, sentence % {"name": other.name})
    return redirect(refusals.return_path(request))


@never_cache
def moderation(request: HttpRequest) -> HttpResponse:
    """The lines and players that wait for a verdict, and the latest lines that have one."""
    if not request.user.has_perm("tournaments.moderate"):
        raise Http404
    resolved = reports.of_lines(is_open=False).order_by("-resolved_at")
    context = {
        "player_reports": reports.of_players()[:_LIST_LENGTH],
        "puzzle_reports": reports.of_puzzles()[:_LIST_LENGTH],
        "open_reports": reports.of_lines(is_open=True)[:_LIST_LENGTH],
        "resolved": resolved[:_LIST_LENGTH],
    }
    return render(request, "games/chat_moderation.html", context)


@members_only
@refusals.refusal_as_message
def resolve_report(request: HttpRequest, pk: int) -> HttpResponse:
    report = get_object_or_404(ChatReport, pk=pk)
    chat.resolve_report(
        report_id=report.pk, actor=signed_in(request), verdict=request.POST.get("verdict", "")
    )
    return redirect("moderation-chat")
