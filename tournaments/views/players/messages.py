"""Private messages: the conversations of an account, and the messages with one player."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.edges.access import get_player
from tournaments.errors import RefusedError
from tournaments.models import Inbox, Player
from tournaments.models.chat import MESSAGE_LENGTH
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.accounts import private_messages
from tournaments.queries.records import archive
from tournaments.services.games import private_messages as services
from tournaments.services.notifications import inbox
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import account_player_of, players_only, signed_in
from tournaments.views.games import chat


@never_cache
@login_required
def conversations(request: HttpRequest) -> HttpResponse:
    """Return the conversations of the visitor. With `to` in the address lead to the one with that player."""
    player = _player(request)
    name = request.GET.get("to", "").strip()[:NAME_LENGTH]
    if name:
        other = archive.player_named(name)
        if other is not None:
            return redirect("conversation", other.pk)
        messages.error(request, _("No player is called %(name)s.") % {"name": name})
    context = {
        "page": private_messages.conversations(player, before=_before(request)),
        "writers": Inbox.Writers.choices,
        "chosen": inbox.of_user(signed_in(request)).writers,
    }
    return render(request, "messages/conversations.html", context)


@never_cache
@login_required
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the messages with a player, which count as read afterwards."""
    context = _panel(request, pk)
    return render(request, "messages/conversation.html", context)


@never_cache
@login_required
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the current messages with a player, which count as read afterwards."""
    return render(request, "messages/_lines.html", _panel(request, pk))


def _panel(request: HttpRequest, pk: int) -> dict[str, Any]:
    player, other = _player(request), get_player(pk)
    services.mark_read(player=player, other=other)
    lines = private_messages.messages(player, other, before=_before(request))
    if (not lines and other.is_bot) or other == player:
        raise Http404
    return {
        "player": player,
        "other": other,
        "lines": lines,
        "before": private_messages.earlier(player, other, lines[0]) if lines else None,
        "is_latest": "before" not in request.GET,
        "refused": _refused(player, other),
        "is_muted": player.mutes.filter(muted=other).exists(),
        "most": MESSAGE_LENGTH,
    }


def _refused(player: Player, other: Player) -> str:
    """Return the reason for which `player` cannot write to `other`, or an empty text."""
    try:
        services.require_reader(player, other)
    except RefusedError as refusal:
        return refusal_text.sentence(refusal)
    return ""


@players_only
def write(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    other = get_player(pk)
    text = request.POST.get("text", "")
    return chat.answer_line(
        request,
        lambda: services.write(author=player, recipient=other, text=text),
        f"{reverse('conversation', args=[other.pk])}#chat",
    )


@players_only
def delete(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Delete the messages with a player for the visitor."""
    other = get_player(pk)
    services.delete(player=player, other=other)
    sentence = _("The conversation with %(name)s was deleted for you.")
    messages.success(request, sentence % {"name": other.name})
    return redirect("conversations")


@players_only
@refusals.refusal_as_message
def choose(request: HttpRequest, player: Player) -> HttpResponse:
    """Store the players who may begin to write to the visitor."""
    services.choose_writers(signed_in(request), request.POST.get("writers", ""))
    messages.success(request, _("Saved."))
    return redirect("conversations")


def _player(request: HttpRequest) -> Player:
    player = account_player_of(request)
    if player is None:
        raise Http404
    return player


def _before(request: HttpRequest) -> int | None:
    """Return the number in the address before which messages are listed, or None."""
    text = request.GET.get("before", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None
