"""The editor of bots in JavaScript, TypeScript and Python, which play in the visitor's browser before they are uploaded."""

from __future__ import annotations

import gzip

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from tournaments.edges import answers
from tournaments.errors import RefusedError
from tournaments.forms.bots import BotForm, VersionForm
from tournaments.models import Bot
from tournaments.models.programs import Script
from tournaments.queries.bots import practice
from tournaments.services.bots import programs
from tournaments.text import rulesets
from tournaments.views import access, csp, preferences, refusals
from tournaments.views.games import boards

# The beginnings of the names under which a browser stores programs that are no version.
_DRAFTS = {Script.JAVASCRIPT: "", Script.TYPESCRIPT: "ts-", Script.PYTHON: "py-"}


@require_GET
def new(request: HttpRequest) -> HttpResponse:
    """Return the editor with the sample of a game in the chosen language."""
    chosen = request.GET.get("language", Script.JAVASCRIPT)
    if chosen not in practice.languages():
        raise Http404
    return _page(request, Script(chosen))


@login_required
@require_GET
def version(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the editor with the script of an own version, to make the next one. Other programs are not found."""
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    if bot.owner_id != user.pk or bot.is_remote:
        raise Http404
    program = programs.of(bot)
    if program.script is None or not practice.is_editable(program):
        raise Http404
    return _page(request, program.script, bot)


@require_GET
def python(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """Return a file of Python for browsers. Its address has the version `key`, so that it never changes."""
    file = practice.python_file(key, name)
    if file is None:
        raise Http404
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    content = file.packed if is_packed else gzip.decompress(file.packed)
    response = HttpResponse(content, content_type=file.content_type)
    if is_packed:
        response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _page(request: HttpRequest, language: Script, bot: Bot | None = None) -> HttpResponse:
    refusal: RefusedError | None = None
    languages = practice.languages()
    choices = rulesets.ruleset_choices()
    keys = (key for _game, rules in choices for key, _name in rules)
    default = next(key for key in keys if bot is None or bot.plays(key))
    try:
        game = practice.begin(request.GET.get("rules", default))
    except RefusedError as error:
        refusal, game = error, practice.begin(default)
    initial = {"families": bot.families if bot else [game.family]}
    context = {
        "bot": bot,
        "form": BotForm(initial=initial) if bot is None else VersionForm(initial=initial),
        "game": game,
        "choices": choices,
        "board": boards.draw(game.start, look=preferences.of(request).look),
        "code": bytes(programs.of(bot).upload).decode(errors="replace")
        if bot
        else practice.sample(game.family, language),
        "language": language,
        "languages": [(each.value, each.label) for each in languages],
        "has_python": Script.PYTHON in languages,
        "python_module": reverse(
            "bot-editor-python", args=[practice.python_version(), practice.PYTHON_MODULE]
        ),
        "name": f"version-{bot.pk}" if bot else _DRAFTS[language] + game.family,
        **refusals.context(refusal),
    }
    status = answers.status(refusal) if refusal else 200
    return csp.allow_engine(render(request, "bots/editor.html", context, status=status))
