"""Games in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import zstandard
from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.utils.text import compress_sequence

from tournaments.edges.files import attachment
from tournaments.models import Event, Player, Pool
from tournaments.queries.events import conditions
from tournaments.queries.records import exports
from tournaments.views.access import user_of

_SDK = settings.BASE_DIR / "engine" / "sdk"
_PARAMETERS = {"pool", "event", "player", "since"}


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
    return attachment((_SDK / name).read_bytes(), "text/x-python; charset=utf-8", name)


def games(request: HttpRequest) -> HttpResponseBase:
    """The games of a pool, an event or a player, or all, or those of them that ended since a moment."""
    query = request.GET
    if unknown := query.keys() - _PARAMETERS:
        return _bad(
            f"Unknown parameter: {min(unknown)}. There are {', '.join(sorted(_PARAMETERS))}."
        )
    try:
        since = _moment(query["since"]) if query.get("since") else None
    except ValueError:
        return _bad("since is a day or a moment of ISO 8601, such as 2026-10-01T12:00:00Z.")
    pool = get_object_or_404(Pool, key=query["pool"]) if query.get("pool") else None
    listed = Event.objects.filter(is_private=False)
    event = get_object_or_404(listed, slug=query["event"]) if query.get("event") else None
    player = _player(query["player"]) if query.get("player") else None
    selection = conditions.visible_games(
        exports.games_of(pool=pool, event=event, player=player, since=since), user_of(request)
    )
    # Weak, because a compressed answer has other bytes.
    etag = f'W/"{exports.digest(selection)}"'
    lines = iter(()) if request.method == "HEAD" else exports.game_lines(selection)
    unchanged = get_conditional_response(request, etag=etag)
    answer = unchanged or _lines(request, lines, "rayuela-games.jsonl")
    answer["ETag"] = etag
    return answer


def transcripts(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Return all messages between a bot and the referee, in all its games, for its author."""
    bot = get_object_or_404(Player.objects.bots().select_related("bot__line"), pk=pk)
    line = bot.bot.line
    owner = line.owner_id if line else None
    if not request.user.is_authenticated or (
        request.user.pk != owner and not request.user.is_superuser
    ):
        raise Http404  # whether there are any is nobody else's business
    return _lines(request, exports.transcript_lines(bot), f"rayuela-transcripts-{pk}.jsonl")


def _player(number: str) -> Player:
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        raise Http404
    return get_object_or_404(Player, pk=int(number))


def _moment(text: str) -> datetime:
    """Return the moment, in UTC if the text names no zone. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _bad(words: str) -> HttpResponse:
    return HttpResponseBadRequest(words, content_type="text/plain; charset=utf-8")


def _lines(request: HttpRequest, lines: Iterator[str], name: str) -> StreamingHttpResponse:
    """Return the lines as they are made, compressed if the reader takes that."""
    encoding = _encoding(request.headers.get("Accept-Encoding", ""))
    content: Iterator[bytes] = (line.encode() for line in lines)
    if encoding == "zstd":
        content = _zstd(content)
    elif encoding == "gzip":
        content = compress_sequence(content)
    response = StreamingHttpResponse(content, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Vary"] = "Accept-Encoding"
    if encoding:
        response["Content-Encoding"] = encoding
    return response


def _encoding(accepted: str) -> str:
    """Return the best encoding of the header, or an empty text. One with the weight 0 is refused."""
    words = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        words[name] = weight.strip("0.") != "" or not weight
    return next((name for name in ("zstd", "gzip") if words.get(name)), "")


def _zstd(content: Iterator[bytes]) -> Iterator[bytes]:
    compressor = zstandard.ZstdCompressor().compressobj()
    for part in content:
        if compressed := compressor.compress(part):
            yield compressed
    yield compressor.flush()
