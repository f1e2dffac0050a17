"""The games of an author's versions: searched, and compared."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.forms.bot_games import BotGamesForm, ComparisonForm
from tournaments.queries.bots import bot_games, comparison
from tournaments.views import access


@login_required
@require_safe
def search(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a page of the games that match the query, or 400 with the reasons if the query is invalid."""
    bot = access.get_version_for(access.signed_in(request), pk)
    form = BotGamesForm(request.GET, bot=bot)
    context: dict[str, object] = {"form": form, "bot": bot}
    status = 400
    if form.is_valid():
        page = bot_games.search_games(bot, form.search(), before=form.cleaned_data["before"])
        query = request.GET.copy()
        query.pop("before", None)
        if form.cleaned_data["before"] is not None:
            context["latest"] = query.urlencode()
        if page.older is not None:
            query["before"] = str(page.older)
            context["older"] = query.urlencode()
        context["games"] = page.games
        status = 200
    return render(request, "bots/games.html", context, status=status)


@login_required
@require_safe
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Two versions of a line by the games that both have played."""
    line = access.get_line_for(access.signed_in(request), pk)
    form = ComparisonForm(request.GET or None, line_id=line.pk)
    context: dict[str, object] = {"form": form, "line": line}
    if form.is_valid():
        one, other = form.cleaned_data["one"], form.cleaned_data["other"]
        context |= {"one": one, "other": other, "comparison": comparison.compare(one, other)}
    status = 400 if form.is_bound and not form.is_valid() else 200
    return render(request, "bots/compare.html", context, status=status)
