"""Signing up and in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.accounts import SignInForm, SignUpForm
from tournaments.models import User
from tournaments.services.accounts import guests, players, second_factor
from tournaments.services.events import entries
from tournaments.text import house
from tournaments.text import refusals as refusal_text
from tournaments.views import guest_cookie, refusals
from tournaments.views.access import get_event
from tournaments.views.accounts import second_factor as second_step
from tournaments.views.accounts import sign_ins, taking_along

_FIELDS = {
    "name-taken": "name",
    "name-alike": "name",
    "name-bad": "name",
    "password-weak": "password",
}
# These codes already say everything about the name.
_WITHOUT_PARTICULARS = {"name-taken", "name-alike"}


class SignIn(LoginView):
    """Django's sign-in. The account takes over the current games of a guest."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if second_factor.is_on(user):
            return second_step.ask_for_code(self.request, user, self.get_success_url())
        guest = guests.of_cookie(self.request)
        response = super().form_valid(form)
        sign_ins.note(self.request, user)
        sign_ins.remember(self.request, response, user)
        taking_along.bring_along(guest, user, response)
        return response


def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account. A guest who signs up takes all games along."""
    guest = guest_cookie.of(request)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = players.sign_up(**form.cleaned_data, guest=guest)
        except RefusedError as refusal:
            form.add_error(_FIELDS[refusal.code], refusal_text.sentence(refusal))
            if refusal.code not in _WITHOUT_PARTICULARS:
                form.add_error(_FIELDS[refusal.code], refusal_text.particulars(refusal))
        else:
            sign_ins.sign_in(request, user)
            _join(request, user)
            response = redirect(refusals.return_path(request))
            sign_ins.remember(request, response, user)
            if guest is not None:
                guest_cookie.forget(response)
            return response
    next_path = request.POST.get("next") or request.GET.get("next", "")
    join = request.POST.get("join") or request.GET.get("join", "")
    context = {"form": form, "next": next_path, "join": join}
    return render(request, "accounts/sign_up.html", context)


def _join(request: HttpRequest, user: User) -> None:
    """Enter the new player in the event whose page had the button "Sign up and join"."""
    slug = request.POST.get("join", "")
    if not slug:
        return
    event = get_event(slug)
    try:
        entries.enter(event_id=event.pk, player=user.player, actor=user)
    except TournamentError as refusal:
        messages.error(request, refusal_text.sentence(refusal))
    else:
        messages.success(
            request, _("You have entered %(event)s.") % {"event": house.event_name(event)}
        )
