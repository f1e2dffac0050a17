"""Bots: the public list, and for authors their lines, versions, uploads and transcripts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tournaments import database_time, limits
from tournaments.edges import answers
from tournaments.edges.files import attachment
from tournaments.errors import RefusedError
from tournaments.forms.bots import BotForm, VersionForm
from tournaments.models import Bot, Rating
from tournaments.queries.bots import (
    bot_catalogue,
    bot_games,
    check_queue,
    ladder_offers,
    practice,
    reliability,
    sandboxes,
)
from tournaments.queries.bots.bot_games import BotSearch
from tournaments.queries.lobby import bot_levels
from tournaments.queries.matches import transcripts
from tournaments.queries.ratings import certainty
from tournaments.queues import Queue
from tournaments.services import regressions
from tournaments.services.accounts import bot_consents, remote_presence
from tournaments.services.arbiter import annulment
from tournaments.services.bots import programs, versions
from tournaments.services.events import bot_requests, entries
from tournaments.text import refusals as refusal_text
from tournaments.text.house import event_name
from tournaments.views import access, refusals
from tournaments.views.bots import regressions as regression_pages
from tournaments.views.ratings.charts import pool as pool_charts

_GAMES_A_PAGE = 40
# Field of the form that causes each refusal. All other refusals concern the program.
_FIELDS = {"name-bad": "name", "name-taken": "name", "families-bad": "families"}
_LIMITS = {"too-many-lines", "too-many-checks"}


@dataclass(frozen=True, slots=True)
class BotCard:
    """A public bot with its level, its rating of most games, and the bar of that rating."""

    bot: Bot
    level: int | None
    rating: Rating | None
    bar: pool_charts.ErrorBar | None


def _cards(bots: Sequence[Bot], now: datetime) -> list[BotCard]:
    """Return the bots by level, then by rating. Bars have one scale."""
    ratings = {bot.pk: next(iter(bot.player.ratings.all()), None) for bot in bots}
    spans = {
        pk: (rating.centielo, _error_centielo(rating, now))
        for pk, rating in ratings.items()
        if rating is not None
    }
    bars = dict(zip(spans, pool_charts.error_bars(list(spans.values())), strict=True))
    rows = [
        BotCard(bot, bot_levels.level_of(bot), ratings[bot.pk], bars.get(bot.pk)) for bot in bots
    ]
    return sorted(rows, key=_place)


def _error_centielo(rating: Rating, now: datetime) -> int:
    """Return half of the rating's 95 % interval, by the number of games if its system gives none."""
    known = certainty.of_rating(rating, now).error_centielo
    return known or certainty.of_games(rating.games).error_centielo or 0


def _place(row: BotCard) -> tuple[bool, float, int]:
    """Return the key that sorts bots: those that play, by level, by rating, then those without."""
    centielo = row.rating.centielo if row.rating else 0
    return not row.bot.is_active, row.level or math.inf, -centielo


def index(request: HttpRequest) -> HttpResponse:
    now = database_time.now()
    bots = list(bot_catalogue.public_bots())
    uses = Counter(bot.program_id for bot in bots if bot.program_id is not None)
    context = {
        "cards": _cards(bots, now),
        "copied_programs": {program for program, count in uses.items() if count > 1},
        "kernel_digest": programs.kernel_digest(),
        "has_no_sandbox": bool(sandboxes.reports_without()),
        "present": remote_presence.present_bots(now),
    }
    return render(request, "bots/index.html", context)


def guide(request: HttpRequest) -> HttpResponse:
    """Return the page that shows a whole bot, for people who write one."""
    context = {"boxes": sandboxes.boxes(database_time.now())}
    return render(request, "bots/guide.html", context)


@login_required
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    context = {
        "lines": bot_catalogue.lines_of(access.signed_in(request)),
        "most": versions.MAX_LINES,
        "requests": bot_requests.of_author(access.signed_in(request)),
    }
    return render(request, "bots/mine.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    form = BotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            bot = versions.create_line(
                owner=access.signed_in(request),
                name=data["name"],
                description=data["description"],
                upload=form.upload,
            )
        except RefusedError as refusal:
            _blame(form, refusal)
        else:
            return _uploaded(request, bot)
    return _form(request, form)


@login_required
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    line = access.get_line_for(user, pk)
    if line.owner_id != user.pk:
        raise Http404
    latest = line.versions.order_by("-version").first()
    if latest is not None and latest.is_remote:
        raise Http404
    initial = {"families": latest.families} if latest else {}
    form = VersionForm(request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            bot = versions.add_version(line_id=line.pk, actor=user, upload=form.upload)
        except RefusedError as refusal:
            _blame(form, refusal)
        else:
            return _uploaded(request, bot)
    return _form(request, form, line=line)


@login_required
@require_GET
def line(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    card = bot_catalogue.line_card(access.get_line_for(user, pk))
    if card.latest.bot.is_remote:
        return redirect("bot-remote", card.latest.bot.pk)
    return render(
        request,
        "bots/line.html",
        {
            "card": card,
            "is_own": card.line.owner_id == user.pk,
            "consent": bot_consents.of_line(card.line.pk),
            "regression": regressions.of_line(card.line.pk),
            "regressions": regression_pages.rows_of(card.line.pk),
        },
    )


@login_required
@require_GET
def version(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    if bot.is_remote:
        return redirect("bot-remote", bot.pk)
    games = Paginator(
        bot_games.games_of(bot, BotSearch()).order_by("-created_at", "-pk"), _GAMES_A_PAGE
    )
    program = programs.of(bot)
    context = {
        "bot": bot,
        "program": program,
        "is_editable": practice.is_editable(program),
        "verdict": answers.verdict_on(bot),
        "machines": sandboxes.reports_of(Queue.CHECKS) if bot.state == Bot.State.CHECKING else (),
        "has_no_sandbox": bool(sandboxes.reports_without()),
        "games": games.get_page(request.GET.get("page")),
        "is_own": bot.owner_id == user.pk,
        "entered": bot_catalogue.open_entries(bot),
        "joinable": bot_catalogue.joinable(bot) if bot.owner_id == user.pk else (),
        "ladders": ladder_offers.for_bot(bot) if bot.owner_id == user.pk else (),
        "annulment": annulment.progress_of(bot),
        "place": check_queue.place_of(bot, database_time.now()),
        "record": reliability.record_of(bot, is_rated=True),
        "looks": bot_games.first_looks(bot) if "page" not in request.GET else (),
        "may_be_rechecked": versions.may_be_rechecked(bot),
    }
    return render(request, "bots/version.html", context)


@login_required
@require_GET
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The upload as it came, as a file that no browser runs."""
    bot = access.get_version_for(access.signed_in(request), pk)
    if bot.is_remote:
        raise Http404
    program = programs.of(bot)
    name = programs.name_of(bot, program)
    return attachment(bytes(program.upload), "application/octet-stream", name)


@login_required
@require_GET
def transcript(request: HttpRequest, pk: int, game_pk: int) -> HttpResponse:
    """Return the messages of this version in a game, without those of its opponent."""
    bot = access.get_version_for(access.signed_in(request), pk)
    game = access.get_game(request, game_pk)
    side = game.side_of(bot.player)
    if side is None:
        raise Http404
    attempts = transcripts.attempts(game, side)
    attempt_text = request.GET.get("attempt", "")
    attempt = next((each for each in attempts if str(each) == attempt_text), game.attempt)
    context = {
        "bot": bot,
        "game": game,
        "attempt": attempt,
        "attempts": attempts,
        "turns": transcripts.turns(game, side, attempt),
    }
    return render(request, "bots/transcript.html", context)


@access.members_only
@refusals.refusal_as_message
def activate(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    versions.activate(bot_id=bot.pk, actor=user, passes_on="passes_on" in request.POST)
    messages.success(request, _("%(name)s is now the active version.") % {"name": bot.player.name})
    return redirect("bot-line", bot.line_id)


@access.members_only
@refusals.refusal_as_message
def retire(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    versions.retire(bot_id=bot.pk, actor=user)
    messages.success(request, _("%(name)s no longer plays.") % {"name": bot.player.name})
    return redirect("bot-line", bot.line_id)


@access.members_only
@refusals.refusal_as_message
def recheck(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    versions.recheck(bot_id=bot.pk, actor=user)
    return redirect("bot-version", bot.pk)


@access.members_only
@refusals.refusal_as_message
def enter(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    event = access.get_event(request.POST.get("event", ""))
    entries.enter(event_id=event.pk, player=bot.player, actor=user)
    messages.success(
        request,
        _("%(name)s has entered %(event)s.")
        % {"name": bot.player.name, "event": event_name(event)},
    )
    return redirect("bot-version", bot.pk)


@access.members_only
@refusals.refusal_as_message
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    event = access.get_event(request.POST.get("event", ""))
    entries.withdraw(event_id=event.pk, player=bot.player, actor=user)
    messages.success(
        request,
        _("%(name)s has left %(event)s.") % {"name": bot.player.name, "event": event_name(event)},
    )
    return redirect("bot-version", bot.pk)


def _form(request: HttpRequest, form: VersionForm, **context: object) -> HttpResponse:
    context |= {
        "form": form,
        "most_uploads": limits.UPLOADS.most,
        "most_checks": versions.MAX_IN_CHECK,
        "boxes": sandboxes.boxes(database_time.now()),
        "built_languages": sandboxes.built_languages(),
    }
    return render(request, "bots/upload.html", context, status=422 if form.is_bound else 200)


def _blame(form: VersionForm, refusal: RefusedError) -> None:
    """Show the refusal at its field. A refusal of the program is shown with the particulars."""
    field = None if refusal.code in _LIMITS else _FIELDS.get(refusal.code, "file")
    form.add_error(field, refusal_text.sentence(refusal))
    if refusal.code.startswith("program-") and refusal.code != "program-empty":
        form.add_error(field, refusal_text.particulars(refusal))


def _uploaded(request: HttpRequest, bot: Bot) -> HttpResponse:
    messages.success(
        request, _("%(name)s was uploaded and will be checked.") % {"name": bot.player.name}
    )
    return redirect("bot-version", bot.pk)
