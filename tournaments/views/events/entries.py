"""The organiser's page of entries: players by name, by list or by file, and actions on them."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import database_time
from tournaments.edges.files import attachment
from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.entries import (
    ConfirmedListForm,
    ListedPlayerForm,
    NewPlayerForm,
    PlayerListForm,
)
from tournaments.models import (
    ByeRequest,
    EntryClaim,
    Event,
    RatedPlayer,
    RatingList,
    Round,
    User,
)
from tournaments.queries import formats
from tournaments.queries.events import (
    admission,
    duplicates,
    festivals,
    player_lists,
    rating_lists,
    staff,
)
from tournaments.queries.events.duplicates import SameBy
from tournaments.queries.events.player_lists import PlayerList, Row
from tournaments.queries.events.staff import Task
from tournaments.queries.results import reports
from tournaments.services.events import check_in, listed_players
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events import entry_rows

_MOST_LETTERS = 80
# Headings of a list's columns that not every list fills.
_HEADINGS = {
    "national_elo": ListedPlayerForm.base_fields["national_rating"].label,
    **{name: ListedPlayerForm.base_fields[name].label for name in player_lists.TEXTS},
}


def desk_user(request: HttpRequest, event: Event) -> User:
    """Return the staff of an event over the board. Raise Http404 for all other users and events."""
    user = signed_in(request)
    if not event.is_over_the_board or Task.ENTRIES not in staff.tasks_of(event, user):
        raise Http404
    return user


@login_required
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """All entries, and the forms by which more come."""
    desk_user(request, event)
    chosen = request.GET.get("rated", "")
    form = NewPlayerForm()
    if re.fullmatch(r"[0-9]{1,18}", chosen):
        rated = RatedPlayer.objects.filter(pk=int(chosen)).first()
        form = NewPlayerForm.of_player(rated) if rated else form
    return _page(request, event, form, PlayerListForm())


@login_required
def rated(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the players of the rating lists whose name begins with `name`, for the form of one player."""
    desk_user(request, event)
    context = {"event": event, **_matches(request, event)}
    return render(request, "events/_rated_players.html", context)


def _matches(request: HttpRequest, event: Event) -> dict[str, object]:
    """Return the search of the rating lists on the page, in the order of the event."""
    text = request.GET.get("name", "")[:_MOST_LETTERS]
    rows = rating_lists.matches(text, rating_lists.order_of(event)) if text else []
    return {"search": text, "matches": rows}


@login_required
def report(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the report file with birth dates, which public files do not have."""
    desk_user(request, event)
    name = f"{event.slug}-full.trf"
    return attachment(reports.full_trf_of(event), "text/plain; charset=utf-8", name)


def _page(
    request: HttpRequest, event: Event, one: NewPlayerForm, many: PlayerListForm
) -> HttpResponse:
    rows = entry_rows.of_event(event)
    published = event.rounds.exclude(state=Round.State.DRAFT)
    open_claims = EntryClaim.objects.filter(entry__event=event, state=EntryClaim.State.OPEN)
    context = {
        "event": event,
        "duplicates": duplicates.pairs(event) if rows and not event.is_of_teams else [],
        "open_claims": open_claims.select_related("player", "listed"),
        "entries": rows,
        "filled": {
            name
            for name in (*player_lists.TEXTS, "national_centielo")
            if any(getattr(row, name) for row in rows)
        },
        "form": one,
        "has_rating_lists": RatingList.objects.exists(),
        **_matches(request, event),
        "list_form": many,
        "may": staff.tasks_of(event, signed_in(request)),
        "is_check_in_open": check_in.is_open(event, database_time.now()),
        "last_published": published.aggregate(last=Max("number"))["last"] or 0,
        "bye_kinds": ByeRequest.Kind.choices,
        "takes_entries": admission.accepts_entries(event),
        "has_late_rounds": event.state == Event.State.RUNNING
        and formats.of(event).late is formats.Late.FIRST_HALF,
        "traits": formats.of(event),
        "other_sections": festivals.open_siblings(event, signed_in(request)),
        "is_open": event.state in {event.State.REGISTRATION, event.State.RUNNING},
    }
    return render(request, "events/entries.html", context)


@members_only
def add(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter one player by name."""
    user = desk_user(request, event)
    form = NewPlayerForm(request.POST)
    if form.is_valid() and not _ask_about_duplicates(event, form):
        try:
            listed_players.enter_all(event_id=event.pk, actor=user, players=[form.player()])
        except TournamentError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(
                request, _("%(name)s was entered.") % {"name": form.cleaned_data["name"]}
            )
            return redirect("event-entries", slug=event.slug)
    return _page(request, event, form, PlayerListForm())


def _ask_about_duplicates(event: Event, form: NewPlayerForm) -> bool:
    """Return whether the form must first say that this is another player than those of the event."""
    if form.cleaned_data["is_another"]:
        return False
    same = duplicates.of_player(event, player_lists.keys_of_player(form.player()))
    for entry in same:
        words = _("%(name)s (FIDE id %(fide_id)s) has entered already.")
        if not entry.fide_id:
            words = _("%(name)s has entered already.")
        form.add_error(None, words % {"name": entry.player.name, "fide_id": entry.fide_id})
    if same:
        form.ask_about_duplicates()
    return bool(same)


@members_only
def preview(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the lines of a list as they were read. No player is entered."""
    user = desk_user(request, event)
    form = PlayerListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            text = form.list_text()
            player_list = listed_players.preview(event_id=event.pk, actor=user, text=text)
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            return _preview_page(request, event, player_list, text)
    return _page(request, event, NewPlayerForm(), form)


def _preview_page(
    request: HttpRequest, event: Event, player_list: PlayerList, text: str
) -> HttpResponse:
    names = [
        name
        for name in (*player_lists.TEXTS, "national_elo")
        if any(getattr(row.player, name, "") for row in player_list.rows)
    ]
    context = {
        "event": event,
        "text": text,
        "player_list": player_list,
        "headings": [_HEADINGS[name] for name in names],
        "rows": [
            (
                row,
                [getattr(row.player, name) or "" for name in names] if row.player else [],
                refusal_text.sentence_of(f"listed-{row.problem.value}") if row.problem else "",
                _same_text(row),
            )
            for row in player_list.rows
        ],
        "problems": len(player_list.problems),
        "readable": len(player_list.players),
    }
    return render(request, "events/entries_preview.html", context)


def _same_text(row: Row) -> str:
    """Return the words for a row that may be a player of the event, or of another row; empty otherwise."""
    if row.same_by is None:
        return ""
    if row.same_as == 0:
        words = {
            SameBy.NAME: _("has entered already"),
            SameBy.FIDE_ID: _("FIDE id has entered already"),
            SameBy.NATIONAL_ID: _("national id has entered already"),
        }
        return words[row.same_by]
    words = {
        SameBy.NAME: _("same name as line %(line)s"),
        SameBy.FIDE_ID: _("FIDE id of line %(line)s"),
        SameBy.NATIONAL_ID: _("national id of line %(line)s"),
    }
    return words[row.same_by] % {"line": row.same_as}


@members_only
@refusals.refusal_as_message
def confirm(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter the lines of a preview that were left ticked."""
    user = desk_user(request, event)
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
        ngettext("%(count)d player was entered.", "%(count)d players are entered.", len(rows))
        % {"count": len(rows)},
    )
    return redirect("event-entries", slug=event.slug)


@login_required
def edit(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Change the list's data about one entry."""
    user = desk_user(request, event)
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
                messages.success(request, listed_players.edit.done)
                return redirect("event-entries", slug=event.slug)
    context = {"event": event, "entry": entry, "form": form}
    return render(request, "events/entry_edit.html", context)


@members_only
@refusals.refusal_as_message
def remove(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Delete one entry before the start."""
    user = desk_user(request, event)
    listed_players.remove(event_id=event.pk, actor=user, entry_id=pk)
    messages.success(request, listed_players.remove.done)
    return redirect("event-entries", slug=event.slug)
