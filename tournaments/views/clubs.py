"""The pages of clubs: the list, a club with its members and events, and the forms of officers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.edges.access import get_club
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.forms.clubs import ClubActForm, ClubForm, NewClubForm
from tournaments.models import Club, ClubMember, Player
from tournaments.models.clubs import CLUB_NAME_LENGTH
from tournaments.queries.events import clubs as queries
from tournaments.services import clubs
from tournaments.text import refusals as refusal_text
from tournaments.views import once, refusals
from tournaments.views.access import (
    account_player_of,
    members_only,
    players_only,
    signed_in,
    user_of,
)

LISTED = 100


def index(request: HttpRequest) -> HttpResponse:
    """The clubs with the words in their names or places."""
    words = request.GET.get("q", "").strip()[:CLUB_NAME_LENGTH]
    rows = queries.listing(words)
    context = {
        "words": words,
        "length": CLUB_NAME_LENGTH,
        "clubs": rows[:LISTED],
        "has_more": rows.count() > LISTED,
    }
    return render(request, "clubs/clubs.html", context)


def page(request: HttpRequest, club: str) -> HttpResponse:
    """A club: its members with their ratings, its teams and events."""
    row, player = get_club(club), account_player_of(request)
    own = row.members.filter(player=player).first() if player else None
    leads = own is not None and own.is_leader
    context = {
        "club": row,
        "own": own,
        "leads": leads,
        "owns": own is not None and own.role == ClubMember.Role.OWNER,
        "members": queries.members_of(row),
        "applicants": queries.applicants_of(row) if leads else [],
        "events": queries.events_of(row, user_of(request)),
        "may_hide": request.user.has_perm("tournaments.moderate"),
    }
    return render(request, "clubs/club.html", context)


@refusals.refusal_as_message
@login_required
@once.once
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new club."""
    form = NewClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            founder = account_player_of(request)
            if founder is None:
                raise NotAllowedError("account-needed")
            club = clubs.create(founder=founder, name=form.cleaned_data["name"], about=form.about())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The club was founded. You are its owner."))
            return redirect(club)
    return _form(request, form, None)


@login_required
@refusals.refusal_as_message
def change(request: HttpRequest, club: str) -> HttpResponse:
    """The form of the words of a club."""
    row, player = get_club(club), account_player_of(request)
    if player is None or not _leads(row, player):
        raise PermissionDenied
    form = ClubForm(request.POST) if request.method == "POST" else ClubForm.of_club(row)
    if form.is_bound and form.is_valid():
        try:
            clubs.change(club_id=row.pk, player=player, about=form.about())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The club was changed."))
            return redirect(row)
    return _form(request, form, row)


def _leads(club: Club, player: Player) -> bool:
    own = club.members.filter(player=player).first()
    return own is not None and own.is_leader


def _form(request: HttpRequest, form: ClubForm, club: Club | None) -> HttpResponse:
    context = {"form": form, "club": club}
    return render(request, "clubs/form.html", context, status=422 if form.is_bound else 200)


@players_only
@refusals.refusal_as_message
def act(request: HttpRequest, player: Player, club: str) -> HttpResponse:
    """One act on a member, or on the visitor: the button's name says which."""
    row = get_club(club)
    form = ClubActForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    code = request.POST.get("act", "")
    clubs.run(code=code, club_id=row.pk, player=player, member_id=form.cleaned_data["player"])
    messages.success(request, clubs.ACTS[code].done)
    is_left = code == "remove" and not Club.objects.filter(pk=row.pk).exists()
    return redirect("clubs") if is_left else redirect(row)


@members_only
@refusals.refusal_as_message
def hide(request: HttpRequest, club: str) -> HttpResponse:
    """Hide the introduction of a club."""
    row = get_club(club)
    clubs.hide_introduction(club_id=row.pk, actor=signed_in(request))
    messages.success(request, _("The introduction of %(name)s is hidden.") % {"name": row.name})
    return redirect(row)
