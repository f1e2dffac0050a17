"""The account: password, e-mail, sessions, its data as a file, and its end."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forms.accounts import IntroductionForm, PasswordForm
from tournaments.models import Bot, Event, Game, Introduction, Player
from tournaments.services.account_data import deletion, export
from tournaments.services.accounts import introductions, passwords, second_factor
from tournaments.services.notifications import email, inbox
from tournaments.text import refusals as refusal_text
from tournaments.views import preferences
from tournaments.views.access import account_player_of, members_only, players_only, signed_in
from tournaments.views.accounts import sign_ins


@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    return _page(request, PasswordForm())


def _page(
    request: HttpRequest,
    form: PasswordForm,
    introduction_form: IntroductionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    user = signed_in(request)
    player = account_player_of(request)
    introduction = Introduction.objects.filter(player=player).first()
    context = {
        "form": form,
        "introduction": introduction,
        "introduction_form": introduction_form
        or IntroductionForm(initial=model_to_dict(introduction) if introduction else None),
        "has_factor": second_factor.is_on(user),
        "devices": sign_ins.devices(request),
        "player": player,
        "inbox": inbox.of_user(user),
        "is_possible": email.is_possible(),
        "is_shown_here": email.is_shown_here(),
    }
    return render(request, "accounts/account.html", context, status=status)


@players_only
def introduce(request: HttpRequest, player: Player) -> HttpResponse:
    """Store the player's line about themselves."""
    form = IntroductionForm(request.POST)
    if not form.is_valid():
        return _page(request, PasswordForm(), form, status=422)
    try:
        introductions.write(player=player, **form.cleaned_data)
    except RefusedError as refusal:
        form.add_error(None, refusal_text.sentence(refusal))
        return _page(request, PasswordForm(), form, status=422)
    messages.success(request, _("Your page has been changed."))
    return redirect(player)


@sensitive_post_parameters("password")
@members_only
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Sign out all devices but this one."""
    form = PasswordForm(request.POST)
    user = signed_in(request)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        passwords.end_other_sessions(user=user, password=form.cleaned_data["password"])
    except RefusedError as refusal:
        form.add_error("password", refusal_text.sentence(refusal))
        return _page(request, form, status=422)
    update_session_auth_hash(request, user)
    messages.success(request, _("All other devices were signed out."))
    response = redirect("account")
    sign_ins.remember(request, response, user)
    return response


@never_cache
@login_required
def data(request: HttpRequest) -> StreamingHttpResponse:
    """Everything that is stored about the account, as a file."""
    lines = export.lines(
        signed_in(request), database_time.now(), preferences=preferences.of(request).chosen
    )
    response = StreamingHttpResponse(lines, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="rayuela-account.json"'
    return response


@sensitive_post_parameters("password")
@never_cache
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Return the page about the effects of a deletion, with the form that deletes the account."""
    if request.method != "POST":
        return _deletion_page(request, PasswordForm())
    form = PasswordForm(request.POST)
    if not form.is_valid():
        return _deletion_page(request, form, status=422)
    try:
        deletion.delete_account(user=signed_in(request), password=form.cleaned_data["password"])
    except RefusedError as refusal:
        form.add_error("password", refusal_text.sentence(refusal))
        return _deletion_page(request, form, status=422)
    logout(request)
    messages.success(request, _("Your account was deleted."))
    return redirect("home")


def _deletion_page(request: HttpRequest, form: PasswordForm, status: int = 200) -> HttpResponse:
    user = signed_in(request)
    player = account_player_of(request)
    context: dict[str, object] = {
        "form": form,
        "events": Event.objects.open().filter(organiser=user),
        "bots": Bot.objects.of_authors().filter(owner=user).count(),
    }
    if player is not None:
        entries = player.entries.active().filter(event__in=Event.objects.open())
        context["games"] = Game.objects.ongoing().of(player).count()
        context["entries"] = entries.count()
        context["name"] = deletion.name_after(player)
    return render(request, "accounts/delete.html", context, status=status)
