"""Views whose form, sent twice, acts once: the form has `{% form_key %}` beside its `{% csrf_token %}`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.utils.crypto import salted_hmac

from tournaments.services.accounts import form_keys
from tournaments.views import guest_cookie

P = ParamSpec("P")

FIELD = "form_key"
_MAX_KEY = 40
_SALT = "tournaments.form_keys"
_IS_UNDER_A_KEY = "_is_under_a_key"
_OF_THE_FORM = {FIELD, "csrfmiddlewaretoken"}


def once(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Answer a form that is sent again like the first time, without further changes.

    A redirect, and an answer without content, mean that the form was carried out. Any other answer,
    and an exception, leave the key unused. Apply this under the decorator that turns refusals into
    redirects.

    Raises StaleError `form-sent` when the content of the form differs from the first time.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        key = request.POST.get(FIELD, "")[:_MAX_KEY]
        if not key or hasattr(request, _IS_UNDER_A_KEY):
            return view(request, *args, **kwargs)
        setattr(request, _IS_UNDER_A_KEY, True)
        answers: list[HttpResponse] = []

        def act() -> str | None:
            answers.append(view(request, *args, **kwargs))
            return _location(answers[0])

        location = form_keys.once(owner=_owner(request), key=key, digest=_digest(request), act=act)
        return answers[0] if location is None else _again(request, location)

    return wrapped


def _owner(request: HttpRequest) -> str:
    """Return the owner of the key: the account or, without one, the browser's secret behind its forms."""
    if request.user.is_authenticated:
        return str(request.user.pk)
    get_token(request)
    secret = request.META["CSRF_COOKIE"]
    return salted_hmac(_SALT, secret, algorithm="sha256").hexdigest()


def _digest(request: HttpRequest) -> str:
    """Return a hash of the form's content and address. Files count by name and size."""
    fields = [(name, values) for name, values in request.POST.lists() if name not in _OF_THE_FORM]
    files = [
        (name, file.name, file.size)
        for name in request.FILES
        for file in request.FILES.getlist(name)
    ]
    return hashlib.sha256(
        json.dumps([request.path, sorted(fields), sorted(files)]).encode()
    ).hexdigest()


def _location(response: HttpResponse) -> str | None:
    if isinstance(response, HttpResponseRedirect):
        return response.url
    return "" if response.status_code == 204 else None


def _again(request: HttpRequest, location: str) -> HttpResponse:
    response = HttpResponseRedirect(location) if location else HttpResponse(status=204)
    # A visitor whose first answer was lost has not received this secret either.
    if not request.user.is_authenticated:
        guest = guest_cookie.returning(request)
        if guest is not None:
            guest_cookie.remember(response, guest)
    return response
