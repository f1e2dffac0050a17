"""The organiser's page of entries: players by name, by list or by file, and what happens to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.forms.entries import (
    ConfirmedListForm,
    EntryByeForm,
    ListedPlayerForm,
    PlayerListForm,
)
from tournaments.models import EntryClaim
from tournaments.services.errors import RefusedError, TournamentError
from tournaments.services.events import entries, formats, listed_players, staff
from tournaments.services.events.staff import Task
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import get_event, members_only, signed_in

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Event, User
    from tournaments.services.events.player_lists import PlayerList


def _desk_event(request: HttpRequest, slug: str) -> tuple[Event, User]:
    """The event over the board and its staff. Raises Http404 for everybody else."""
    event, user = get_event(slug), signed_in(request)
    if not event.is_over_the_board or Task.ENTRIES not in staff.tasks_of(event, user):
        raise Http404
    return event, user


@login_required
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """All entries, and the forms by which more come."""
    event, _user = _desk_event(request, slug)
    return _page(request, event, ListedPlayerForm(), PlayerListForm())


def _page(
    request: HttpRequest, event: Event, one: ListedPlayerForm, many: PlayerListForm
) -> HttpResponse:
    rows = event.entries.select_related("player").prefetch_related("bye_requests")
    open_claims = EntryClaim.objects.filter(entry__event=event, state=EntryClaim.State.OPEN)
    context = {
        "event": event,
        "open_claims": open_claims.select_related("player", "listed"),
        "entries": rows,
        "form": one,
        "list_form": many,
        "bye_form": EntryByeForm(
            auto_id=False, initial={"round_number": entries.rounds_drafted(event) + 1}
        ),
        "takes_entries": entries.accepts_entries(event),
        "traits": formats.traits(event),
        "is_open": event.state in {event.State.REGISTRATION, event.State.RUNNING},
    }
    return render(request, "events/entries.html", context)


@members_only
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter one player by name."""
    event, user = _desk_event(request, slug)
    form = ListedPlayerForm(request.POST)
    if form.is_valid():
        try:
            listed_players.enter_all(event_id=event.pk, actor=user, players=[form.player()])
        except TournamentError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(
                request, _("%(name)s is entered.") % {"name": form.cleaned_data["name"]}
            )
            return redirect("event-entries", slug=slug)
    return _page(request, event, form, PlayerListForm())


@members_only
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What a list says, line by line; nothing is entered."""
    event, user = _desk_event(request, slug)
    form = PlayerListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            text = form.list_text()
            player_list = listed_players.preview(event_id=event.pk, actor=user, text=text)
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            return _preview_page(request, event, player_list, text)
    return _page(request, event, ListedPlayerForm(), form)


def _preview_page(
    request: HttpRequest, event: Event, player_list: PlayerList, text: str
) -> HttpResponse:
    context = {
        "event": event,
        "text": text,
        "rows": [
            (row, refusal_text.sentence_of(f"listed-{row.problem.value}") if row.problem else "")
            for row in player_list.rows
        ],
        "problems": len(player_list.problems),
        "readable": len(player_list.players),
    }
    return render(request, "events/entries_preview.html", context)


@members_only
@refusals.refusal_as_message
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the lines of a preview that were left ticked."""
    event, user = _desk_event(request, slug)
    text = request.POST.get("text", "")
    player_list = listed_players.preview(event_id=event.pk, actor=user, text=text)
    players = player_list.players
    form = ConfirmedListForm(request.POST, lines=list(players))
    if not form.is_valid() or not form.cleaned_data["lines"]:
        messages.error(request, _("Please choose at least one line."))
        return _preview_page(request, event, player_list, text)
    chosen = [players[line] for line in sorted(set(form.cleaned_data["lines"]))]
    rows = listed_players.enter_all(event_id=event.pk, actor=user, players=chosen)
    messages.success(
        request,
        ngettext("%(count)d player is entered.", "%(count)d players are entered.", len(rows))
        % {"count": len(rows)},
    )
    return redirect("event-entries", slug=slug)


@login_required
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What the list says about one entry."""
    event, user = _desk_event(request, slug)
    entry = get_object_or_404(event.entries.select_related("player"), pk=pk)
    form = ListedPlayerForm.of_entry(entry)
    if request.method == "POST":
        form = ListedPlayerForm(request.POST)
        if form.is_valid():
            try:
                listed_players.edit(
                    event_id=event.pk, actor=user, entry_id=pk, player=form.player()
                )
            except TournamentError as refusal:
                form.add_error(None, refusal_text.sentence(refusal))
            else:
                messages.success(request, _("The entry is changed."))
                return redirect("event-entries", slug=slug)
    context = {"event": event, "entry": entry, "form": form}
    return render(request, "events/entry_edit.html", context)


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete, withdraw or return one entry, or note a bye for it: the button's name says which."""
    event, user = _desk_event(request, slug)
    words = {
        "remove": _("The entry is deleted."),
        "withdraw": _("The player is withdrawn from all further rounds."),
        "return": _("The player is back."),
        "bye": _("The bye is registered."),
    }
    action = request.POST.get("action", "")
    if action not in words:
        messages.error(request, _("There is no such step."))
        return redirect("event-entries", slug=slug)
    if action == "remove":
        listed_players.remove(event_id=event.pk, actor=user, entry_id=pk)
    elif action == "bye":
        form = EntryByeForm(request.POST)
        if not form.is_valid():
            messages.error(request, _("Please name a round and a kind of bye."))
            return redirect("event-entries", slug=slug)
        entry = get_object_or_404(event.entries.select_related("player"), pk=pk)
        entries.request_bye(event_id=event.pk, player=entry.player, actor=user, **form.cleaned_data)
    else:
        listed_players.set_presence(
            event_id=event.pk, actor=user, entry_id=pk, is_active=action == "return"
        )
    messages.success(request, words[action])
    return redirect("event-entries", slug=slug)
