"""The answer to a refused service call: a message on the page of the form, or JSON for the page's script."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from tournaments.edges.answers import rule_url, status
from tournaments.errors import NotAllowedError, RefusedError, TournamentError
from tournaments.text import help_pages
from tournaments.text.refusal_help import HELP
from tournaments.text.refusals import particulars, sentence

P = ParamSpec("P")

# Forms on the page of a game need not contain the page's address.
_OF_A_GAME = {
    "game-move",
    "game-resign",
    "game-abort",
    "game-claim",
    "game-agree",
    "game-decline",
    "game-time",
    "game-takeback",
    "game-rematch",
    "game-correct",
    "game-arbiter",
    "game-record-add",
    "game-note",
    "game-conditionals-drop",
}


def context(refusal: TournamentError | None) -> dict[str, object]:
    """Return the context of `_refusal.html`."""
    rule = refusal.rule if isinstance(refusal, RefusedError) else ""
    return {
        "refusal": refusal,
        "refusal_sentence": sentence(refusal) if refusal else "",
        "refusal_particulars": particulars(refusal) if refusal else "",
        "rule_url": rule_url(rule),
        "help_target": HELP.get(refusal.code) if refusal else None,
    }


def as_json(refusal: TournamentError) -> JsonResponse:
    """The refusal for the page's script."""
    return JsonResponse(as_dict(refusal), status=status(refusal))


def as_dict(refusal: TournamentError) -> dict[str, str]:
    """A refusal for scripts: code, sentence, and the paragraph of the rules when there is one."""
    rule = refusal.rule if isinstance(refusal, RefusedError) else ""
    return {
        "code": refusal.code,
        "sentence": sentence(refusal),
        "detail": particulars(refusal),
        "rule": rule,
        "paragraph": refusal.paragraph if isinstance(refusal, RefusedError) else "",
        "rule_url": rule_url(rule),
    }


def refusal_as_message(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Turn a refusal in a form's `view` into a message on the page of the form."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except TournamentError as refusal:
            messages.error(request, _message(refusal))
            return redirect(return_path(request))

    return wrapped


def _message(refusal: TournamentError) -> str:
    """Return the sentence of a refusal, with a link to the help that explains it."""
    words = " ".join(filter(None, (sentence(refusal), particulars(refusal))))
    target = HELP.get(refusal.code)
    if target is None:
        return words
    return format_html('{} <a href="{}">{}</a>', words, help_pages.address(target), _("Help"))


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """The sign-in page, which leads back to the page of the form."""
    if is_script(request):
        return as_json(NotAllowedError("signed-out"))
    return redirect_to_login(return_path(request))


def is_script(request: HttpRequest) -> bool:
    """Return whether the page's script asks, which wants data, and not a form, which wants a page."""
    return request.headers.get("Accept", "").startswith("application/json")


def return_path(request: HttpRequest) -> str:
    """The form's page: the field `next` when it is a local path, else the game or the home page."""
    path = request.POST.get("next", "")
    match = request.resolver_match
    if not path and match is not None and match.url_name in _OF_A_GAME:
        return reverse("game", kwargs=match.kwargs)
    if path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        return path
    return "/"
