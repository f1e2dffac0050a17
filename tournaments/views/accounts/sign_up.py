"""Signing up and in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.shortcuts import redirect, render

from tournaments.forms import SignInForm, SignUpForm
from tournaments.services.accounts import players
from tournaments.services.errors import RefusedError
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_FIELDS = {"name-taken": "name", "name-bad": "name", "password-weak": "password"}


class SignIn(LoginView):
    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = players.sign_up(**form.cleaned_data)
        except RefusedError as refusal:
            form.add_error(_FIELDS[refusal.code], refusal_text.sentence(refusal))
            if refusal.code != "name-taken":
                form.add_error(_FIELDS[refusal.code], refusal.detail)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect(refusals.return_path(request))
    next_path = request.POST.get("next") or request.GET.get("next", "")
    return render(request, "accounts/sign_up.html", {"form": form, "next": next_path})
