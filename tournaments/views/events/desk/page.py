"""The organiser's desk: the next steps, the games and the entries, and actions on them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forms.desk import AnnouncementForm, EntryActForm, NameForm, StaffForm
from tournaments.forms.entries import ProhibitionForm
from tournaments.models import ByeRequest, Entry, Event, Game, Pairing, Round, Sanction
from tournaments.queries.accounts import ownership
from tournaments.queries.events import festivals, rating_comparison, staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results import tables, ties
from tournaments.services.accounts import players
from tournaments.services.arbiter.entry_acts import ENTRY_ACTS
from tournaments.services.events import (
    announcements,
    check_in,
    entries,
    numbering,
    staff_members,
)
from tournaments.services.rounds import deletion, typed_results
from tournaments.views import qr_code, questions, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events import entry_choices, entry_rows
from tournaments.views.events.pages import tab_context

_MOST_GAMES = 200


def context_of(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the context of each page of the desk. Raise PermissionDenied for all but the staff."""
    context = tab_context(request, event, "desk")
    if not context["may"]:
        raise PermissionDenied
    return context


@login_required
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    context = context_of(request, event)
    ongoing = Game.objects.ongoing().filter(pairing__event=event).with_players()
    published = event.rounds.exclude(state=Round.State.DRAFT)
    byes = ByeRequest.objects.filter(entry__event=event).order_by("round_number")
    rows = sorted(entry_rows.of_event(event), key=_order)
    context |= {
        "rows": entry_rows.by_team(rows) if event.is_of_teams else rows,
        "ongoing": [
            (game, _board_name(event, game))
            for game in ongoing.order_by("pairing__board", "number")[:_MOST_GAMES]
        ],
        "typed_count": typed_count(context["current_round"]),
        "open_ties": _open_ties(event, context["current_round"]),
        "same_programs": _same_programs(event),
        "byes": byes.select_related("entry__player"),
        "last_published": published.order_by("number").values_list("number", flat=True).last() or 0,
        "bye_kinds": ByeRequest.Kind.choices,
        "staff": event.staff.select_related("user__player"),
        "staff_form": StaffForm(),
        "name_form": NameForm(prefix="enter"),
        "announcement_form": AnnouncementForm(),
        "may_delete": Task.SETTINGS in context["may"] and not deletion.obstacle(event),
        "sanctions": Sanction.objects.of_event(event.pk).select_related("entry__player"),
        "sanction_kinds": Sanction.Kind.choices,
        "prohibitions": event.prohibitions.prefetch_related("entries__player"),
        "prohibition_form": ProhibitionForm(event=event),
        "prohibition_entries": entry_choices.boxes(event.entries.active().contestants()),
        "due_comparisons": rating_comparison.due(event) if Task.ENTRIES in context["may"] else [],
        "number_changes": numbering.changes(event),
        "other_sections": festivals.open_siblings(event, signed_in(request)),
        "is_check_in_open": check_in.is_open(event, database_time.now()),
        "invitation": (invitation := _invitation(request, event, context)),
        "code": qr_code.svg(invitation),
    }
    return render(request, "events/desk/desk.html", context)


def _board_name(event: Event, game: Game) -> str:
    """Return the number of the board on pages, with the game if a pairing has several."""
    assert game.pairing is not None, "of an event"
    board, count = str(game.pairing.board_number), event.games_per_pairing
    return board if count == 1 else f"{board}.{1 + (game.number - 1) % count}"


def _open_ties(event: Event, current: Round | None) -> list[tuple[Pairing, bool]]:
    """The level ties of the last published round that ask for the arbiter's decision.

    Return with each whether neither has played it.
    """
    if current is None or not event.is_open or not tables.has_draw(event):
        return []
    return [(tie, ties.is_lost_by_both(event, tie)) for tie in ties.open_ties(event, current)]


def typed_count(current: Round | None) -> int:
    """The number of boards of the open round with a typed result."""
    if current is None or current.state != Round.State.PUBLISHED:
        return 0
    return len(typed_results.of_round(current))


def _same_programs(event: Event) -> list[str]:
    """The names of the entries of each uploaded program that has several."""
    rows = event.entries.active().select_related("player")
    return [
        "; ".join(entry.player.name for entry in same)
        for same in ownership.entries_of_one_program(rows)
    ]


def _invitation(request: HttpRequest, event: Event, context: dict[str, Any]) -> str:
    """Return the address to pass on, with the access code for users who may see the settings."""
    address = request.build_absolute_uri(event.get_absolute_url())
    if event.access_code and Task.SETTINGS in context["may"]:
        return f"{address}?{urlencode({'code': event.access_code})}"
    return address


def _order(entry: Entry) -> tuple[int, int, str]:
    """Return the sort key: entries without an answer first, then players by number, then those who left."""
    states = [Entry.State.REQUESTED, Entry.State.WAITING, Entry.State.ACTIVE, Entry.State.WITHDRAWN]
    return states.index(Entry.State(entry.state)), entry.tpn or 0, entry.player.canonical


@members_only
@refusals.refusal_as_message
def entry_act(request: HttpRequest, event: Event) -> HttpResponse:
    """One act on an entry: the button's name says which."""
    user = signed_in(request)
    form = EntryActForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    code = request.POST.get("act", "")
    own = ENTRY_ACTS.own(code, form.arguments())
    if (question := questions.ask(request, event, ENTRY_ACTS.by_code[code], own)) is not None:
        return question
    ENTRY_ACTS.run(code, event.pk, user, form.arguments())
    messages.success(request, ENTRY_ACTS.by_code[code].done)
    return redirect(refusals.return_path(request))


@members_only
@refusals.refusal_as_message
def enter(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter a player with an account, by name."""
    user = signed_in(request)
    staff.require(event, user, Task.ENTRIES)
    form = NameForm(request.POST, prefix="enter")
    if not form.is_valid():
        raise RefusedError("form-bad")
    entry = entries.enter(
        event_id=event.pk, player=players.named(form.cleaned_data["name"]), actor=user
    )
    messages.success(request, _("%(name)s was entered.") % {"name": entry.player.name})
    return redirect("event-desk", slug=event.slug)


@members_only
@refusals.refusal_as_message
def announce(request: HttpRequest, event: Event) -> HttpResponse:
    announcements.announce(
        event_id=event.pk, actor=signed_in(request), text=request.POST.get("text", "")
    )
    messages.success(request, announcements.announce.done)
    return redirect("event-desk", slug=event.slug)


@members_only
@refusals.refusal_as_message
def add_staff(request: HttpRequest, event: Event) -> HttpResponse:
    user = signed_in(request)
    staff.require(event, user, Task.SETTINGS)
    form = StaffForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    staff_members.add(
        event_id=event.pk,
        actor=user,
        player=players.named(form.cleaned_data["name"]),
        role=form.cleaned_data["role"],
    )
    messages.success(request, staff_members.add.done)
    return redirect("event-desk", slug=event.slug)


@members_only
@refusals.refusal_as_message
def remove_staff(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    staff_members.remove(event_id=event.pk, actor=signed_in(request), member_id=pk)
    messages.success(request, staff_members.remove.done)
    return redirect("event-desk", slug=event.slug)
