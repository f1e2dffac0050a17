"""The editor of bots in JavaScript, which play in the visitor's browser before they are uploaded."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

import games
from engine import referee, sdk
from engine.kernel import LEVELS
from tournaments.edges import answers
from tournaments.errors import RefusedError
from tournaments.forms import BotForm, VersionForm
from tournaments.models import Bot
from tournaments.services.bots import programs
from tournaments.text import rulesets
from tournaments.views import access, csp, preferences, refusals
from tournaments.views.games import boards

_SAMPLES = Path(sdk.__file__).parent / "samples" / "javascript"
_SUFFIX = ".js"
_DEFAULT_RULESET = "morlox(size=7)"


@require_GET
def new(request: HttpRequest) -> HttpResponse:
    """Return the editor with the sample of a game."""
    return _page(request)


@login_required
@require_GET
def version(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the editor with the script of an own version, to make the next one. Other programs are not found."""
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    if bot.owner_id != user.pk or bot.is_remote or not programs.of(bot).is_script:
        raise Http404
    return _page(request, bot)


def _page(request: HttpRequest, bot: Bot | None = None) -> HttpResponse:
    refusal = None
    default = f"{bot.families[0]}()" if bot and bot.families else _DEFAULT_RULESET
    try:
        ruleset = games.load(request.GET.get("rules", default))
    except games.RulesError as error:
        refusal = RefusedError("ruleset-bad", str(error))
        ruleset = games.load(default)
    start = ruleset.initial(seed=secrets.randbelow(1 << 32))
    initial = {"families": bot.families if bot else [ruleset.family]}
    context = {
        "bot": bot,
        "form": BotForm(initial=initial) if bot is None else VersionForm(initial=initial),
        "ruleset": ruleset.key,
        "choices": rulesets.ruleset_choices(),
        "start": start.text(),
        "position": referee.position_line(ruleset, start),
        "board": boards.draw(start, look=preferences.of(request).look),
        "levels": LEVELS,
        "code": bytes(programs.of(bot).upload).decode() if bot else _sample(ruleset.family),
        "name": f"version-{bot.pk}" if bot else ruleset.family,
        **refusals.context(refusal),
    }
    status = answers.status(refusal) if refusal else 200
    return csp.allow_engine(render(request, "bots/editor.html", context, status=status))


def _sample(family: str) -> str:
    """Return the sample of a game, or one that only speaks the protocol."""
    own = _SAMPLES / f"{family}{_SUFFIX}"
    return (own if own.exists() else _SAMPLES / f"empty{_SUFFIX}").read_text()
