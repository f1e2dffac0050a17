"""Signing up and in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.shortcuts import redirect, render

from tournaments.forms import SignUpForm
from tournaments.models.players import canonical_name
from tournaments.services.accounts import players
from tournaments.services.errors import RefusedError
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals

if TYPE_CHECKING:
    from django.contrib.auth.forms import AuthenticationForm
    from django.http import HttpRequest, HttpResponse

_FIELDS = {"name-taken": "name", "name-bad": "name", "password-weak": "password"}


class SignIn(LoginView):
    """Sign in by the name others see, however it is capitalised."""

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True

    def get_form(self, form_class: type[AuthenticationForm] | None = None) -> AuthenticationForm:
        form = super().get_form(form_class)
        if form.is_bound:
            form.data = form.data.copy()  # type: ignore[attr-defined]  # a QueryDict here
            form.data["username"] = canonical_name(str(form.data.get("username", "")))  # type: ignore[index]
        return form


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
