"""Remote bots of an author: creation, games, and connections of their programs."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tournaments import database_time
from tournaments.edges.access import get_remote_bot_for
from tournaments.errors import RefusedError
from tournaments.forms.bots import RemoteBotForm, RemoteGamesForm
from tournaments.queries.bots import bot_catalogue, bot_games, ladder_offers
from tournaments.queries.bots.bot_games import BotSearch
from tournaments.services.accounts import bot_consents, remote_presence
from tournaments.services.bots import programs
from tournaments.services.bots import remote_bots as services
from tournaments.text import refusals as refusal_text
from tournaments.views import access, refusals

_GAMES_A_PAGE = 40
_FIELDS = {"name-bad": "name", "name-taken": "name", "families-bad": "families"}


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A form, and from it a remote bot."""
    form = RemoteBotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            bot = services.create(
                owner=access.signed_in(request),
                name=form.cleaned_data["name"],
                description=form.cleaned_data["description"],
                families=form.cleaned_data["families"],
            )
        except RefusedError as refusal:
            _blame(form, refusal)
        else:
            messages.success(request, _("Now make it a token, and start its program."))
            return redirect("bot-remote", bot.pk)
    status = 422 if form.is_bound else 200
    return render(request, "bots/remote_new.html", {"form": form}, status=status)


@login_required
@require_GET
def remote(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the page of the bot: its connection, the permissions of its author, its games."""
    user = access.signed_in(request)
    bot = get_remote_bot_for(user, pk)
    played = Paginator(
        bot_games.games_of(bot, BotSearch()).order_by("-created_at", "-pk"), _GAMES_A_PAGE
    )
    context = {
        "bot": bot,
        "is_own": True,
        "consent": bot_consents.of_line(bot.line_id or 0),
        "games_form": RemoteGamesForm(initial={"families": bot.families}),
        "is_present": remote_presence.is_present(bot.remote, database_time.now()),
        "site": f"{request.scheme}://{request.get_host()}",
        "games": played.get_page(request.GET.get("page")),
        "entered": bot_catalogue.open_entries(bot),
        "joinable": bot_catalogue.joinable(bot),
        "ladders": ladder_offers.for_bot(bot),
    }
    return render(request, "bots/remote.html", context)


@access.members_only
@refusals.refusal_as_message
def module(request: HttpRequest, pk: int) -> HttpResponse:
    """The module by which the bot plays in events by fuel."""
    user = access.signed_in(request)
    bot = get_remote_bot_for(user, pk)
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > programs.MAX_UPLOAD_BYTES:
        raise RefusedError("form-bad")
    services.deposit(bot_id=bot.pk, actor=user, data=file.read(), filename=file.name or "")
    messages.success(request, _("The module was deposited."))
    return redirect("bot-remote", bot.pk)


@access.members_only
@refusals.refusal_as_message
def games(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the games that the bot will play."""
    user = access.signed_in(request)
    bot = get_remote_bot_for(user, pk)
    form = RemoteGamesForm(request.POST)
    if not form.is_valid():
        raise RefusedError("families-bad")
    services.change_families(bot_id=bot.pk, actor=user, families=form.cleaned_data["families"])
    messages.success(request, _("Saved."))
    return redirect("bot-remote", bot.pk)


def _blame(form: RemoteBotForm, refusal: RefusedError) -> None:
    form.add_error(_FIELDS.get(refusal.code), refusal_text.sentence(refusal))
