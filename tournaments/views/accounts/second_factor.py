"""The second factor: set up, used at sign-in, and turned off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django_otp import login as otp_login

from tournaments import database_time
from tournaments.edges import answers
from tournaments.errors import RefusedError
from tournaments.forms.accounts import CodeForm, FactorForm
from tournaments.models import User
from tournaments.services.accounts import guests, second_factor
from tournaments.text import refusals as refusal_text
from tournaments.views import qr_code
from tournaments.views.access import members_only, signed_in
from tournaments.views.accounts import sign_ins, taking_along

_KEY = "second-factor"
# Time for which a password counts while the user looks for the code.
_PATIENCE_S = 600


def ask_for_code(request: HttpRequest, user: User, next_path: str) -> HttpResponse:
    """Redirect to the page of the code: the password was right, and the user is not signed in yet."""
    request.session[_KEY] = {"user": user.pk, "next": next_path, "at": _now_s()}
    return redirect("sign-in-code")


def _now_s() -> float:
    """Return the moment, which another host may compare."""
    return database_time.now().timestamp()


@sensitive_post_parameters("code")
@never_cache
def code(request: HttpRequest) -> HttpResponse:
    """The second step of signing in."""
    waiting: dict[str, Any] = request.session.get(_KEY) or {}
    user = User.objects.filter(pk=waiting.get("user", 0), is_active=True).first()
    if user is None or _now_s() - waiting["at"] > _PATIENCE_S:
        return redirect("sign-in")
    form = CodeForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/sign_in_code.html", {"form": form})
    try:
        device = second_factor.verify(user, form.cleaned_data["code"])
    except RefusedError as refusal:
        form.add_error("code", refusal_text.sentence(refusal))
        return render(request, "accounts/sign_in_code.html", {"form": form})
    guest = guests.of_cookie(request)
    sign_ins.sign_in(request, user)
    request.session.pop(_KEY, None)
    otp_login(request, device)
    response = redirect(waiting["next"])
    sign_ins.remember(request, response, user)
    taking_along.bring_along(guest, user, response)
    return response


@never_cache
@login_required
def factor(request: HttpRequest) -> HttpResponse:
    """Return whether there is a second factor, and how to turn it on or off."""
    return _page(request, FactorForm())


def _page(request: HttpRequest, form: FactorForm, status: int = 200) -> HttpResponse:
    user = signed_in(request)
    context: dict[str, object] = {"form": form, "is_on": second_factor.is_on(user)}
    if not context["is_on"]:
        device = second_factor.propose(user)
        context["qr"] = qr_code.svg(device.config_url)
        context["key"] = second_factor.key_of(device)
    return render(request, "accounts/second_factor.html", context, status=status)


@sensitive_post_parameters("password", "code")
@members_only
def turn_on(request: HttpRequest) -> HttpResponse:
    """Confirm the app. The next page shows the recovery codes once."""
    return _with_codes(request, second_factor.turn_on)


@sensitive_post_parameters("password", "code")
@members_only
def renew(request: HttpRequest) -> HttpResponse:
    """New recovery codes, shown once."""
    return _with_codes(request, second_factor.renew_recovery_codes)


def _with_codes(request: HttpRequest, act: Callable[..., Sequence[str]]) -> HttpResponse:
    form, user = FactorForm(request.POST), signed_in(request)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        codes = act(user=user, **form.cleaned_data)
    except RefusedError as refusal:
        return _refused(request, form, refusal)
    update_session_auth_hash(request, user)
    otp_login(request, second_factor.app_of(user))
    response = render(request, "accounts/recovery_codes.html", {"codes": codes})
    sign_ins.remember(request, response, user)
    return response


@sensitive_post_parameters("password", "code")
@members_only
def turn_off(request: HttpRequest) -> HttpResponse:
    """Sign in by password alone again."""
    form, user = FactorForm(request.POST), signed_in(request)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        second_factor.turn_off(user=user, **form.cleaned_data)
    except RefusedError as refusal:
        return _refused(request, form, refusal)
    messages.success(request, _("You sign in by password alone again."))
    return redirect("account")


def _refused(request: HttpRequest, form: FactorForm, refusal: RefusedError) -> HttpResponse:
    if refusal.code == "factor-on":
        messages.error(request, refusal_text.sentence(refusal))
        return redirect("second-factor")
    field = "code" if refusal.code == "factor-code-wrong" else "password"
    form.add_error(field, refusal_text.sentence(refusal))
    return _page(request, form, status=answers.status(refusal))
