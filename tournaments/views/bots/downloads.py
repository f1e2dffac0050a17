"""Games in bulk."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render

from tournaments.models import Event, Player, Pool
from tournaments.queries.events import conditions
from tournaments.queries.records import exports
from tournaments.views.access import user_of

_SDK = settings.BASE_DIR / "engine" / "sdk"


def index(request: HttpRequest) -> HttpResponse:
    """Return the list of downloads with their contents."""
    events = (
        Event.objects.filter(is_private=False)
        .exclude(state=Event.State.REGISTRATION)
        .order_by("-created_at")
    )
    context = {"pools": Pool.objects.exclude(kind=""), "events": events[:50]}
    return render(request, "bots/downloads.html", context)


def program(request: HttpRequest, name: str) -> HttpResponse:
    """A program for authors of bots: one file, for any Python."""
    response = HttpResponse((_SDK / name).read_bytes(), content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def games(request: HttpRequest) -> StreamingHttpResponse:
    """The games of a pool, an event or a player, or all."""
    query = request.GET
    pool = get_object_or_404(Pool, key=query["pool"]) if query.get("pool") else None
    listed = Event.objects.filter(is_private=False)
    event = get_object_or_404(listed, slug=query["event"]) if query.get("event") else None
    player = _player(query["player"]) if query.get("player") else None
    selection = conditions.visible_games(
        exports.games_of(pool=pool, event=event, player=player), user_of(request)
    )
    lines = iter(()) if request.method == "HEAD" else exports.game_lines(selection)
    return _lines(lines, "rayuela-games.jsonl")


def transcripts(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Return all messages between a bot and the referee, in all its games, for its author."""
    bot = get_object_or_404(Player.objects.bots().select_related("bot__line"), pk=pk)
    line = bot.bot.line
    owner = line.owner_id if line else None
    if not request.user.is_authenticated or (
        request.user.pk != owner and not request.user.is_superuser
    ):
        raise Http404  # whether there are any is nobody else's business
    return _lines(exports.transcript_lines(bot), f"rayuela-transcripts-{pk}.jsonl")


def _player(number: str) -> Player:
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        raise Http404
    return get_object_or_404(Player, pk=int(number))


def _lines(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
