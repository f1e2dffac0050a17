"""Signing up and in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.shortcuts import redirect, render

from tournaments.forms import SignInForm, SignUpForm
from tournaments.models import Player
from tournaments.services.accounts import players
from tournaments.services.errors import RefusedError
from tournaments.services.lobby import guest_games
from tournaments.text import refusals as refusal_text
from tournaments.views import guest_cookie, refusals

if TYPE_CHECKING:
    from django.contrib.auth.forms import AuthenticationForm
    from django.http import HttpRequest, HttpResponse

_FIELDS = {"name-taken": "name", "name-bad": "name", "password-weak": "password"}


class SignIn(LoginView):
    """Django's sign-in; what a guest has under way goes over to the account."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        guest = guest_cookie.of_cookie(self.request)
        response = super().form_valid(form)
        player = Player.objects.filter(user=form.get_user()).first()
        if guest is not None and player is not None:
            guest_games.bring_along(guest=guest, player=player)
            guest_cookie.forget(response)
        return response


def sign_up(request: HttpRequest) -> HttpResponse:
    """A new account; a guest who signs up takes all games along."""
    guest = guest_cookie.of(request)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = players.sign_up(**form.cleaned_data, guest=guest)
        except RefusedError as refusal:
            form.add_error(_FIELDS[refusal.code], refusal_text.sentence(refusal))
            if refusal.code != "name-taken":
                form.add_error(_FIELDS[refusal.code], refusal_text.particulars(refusal))
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            response = redirect(refusals.return_path(request))
            if guest is not None:
                guest_cookie.forget(response)
            return response
    next_path = request.POST.get("next") or request.GET.get("next", "")
    return render(request, "accounts/sign_up.html", {"form": form, "next": next_path})
