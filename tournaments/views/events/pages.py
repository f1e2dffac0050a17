"""Event pages for all visitors, and a player's actions in an event."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import games
from tournaments import database_time
from tournaments.forms.entries import BotEntryForm, ByeForm
from tournaments.models import ByeRequest, Entry, Event, Game, Player, Round, Sanction, User
from tournaments.queries import formats
from tournaments.queries.events import (
    admission,
    clubs,
    conditions,
    festivals,
    open_events,
    prizes,
    series,
    staff,
)
from tournaments.queries.events.staff import Task
from tournaments.queries.forecasts import courses
from tournaments.queries.matches import queue
from tournaments.queries.ratings import bradley_terry_table, certainty
from tournaments.queries.results import (
    awards,
    categories,
    club_tables,
    fide_rules,
    report_links,
    result_corrections,
    tables,
)
from tournaments.queries.results.standings import EventRow, EventTable
from tournaments.services.arbiter import entry_acts
from tournaments.services.events import check_in, entries, half_byes
from tournaments.services.notifications import news
from tournaments.services.results import computations, stored_table
from tournaments.services.results.computations import computable
from tournaments.services.rounds import deadlines, pairing_lease
from tournaments.text import house, setting_effects
from tournaments.text import refusals as refusal_text
from tournaments.views import common_lists, questions, refusals
from tournaments.views.access import (
    access_code,
    account_player_of,
    players_only,
    signed_in,
    user_of,
)
from tournaments.views.events import (
    chat,
    crosstables,
    for_all,
    live_boards,
    standings_parts,
    tie_break,
    windows,
)
from tournaments.views.ratings import strength_tables

LISTED = 50
TOP = 5
BRACKETS = {
    "winners": gettext_lazy("Winners' bracket"),
    "third": gettext_lazy("Third place"),
    "losers": gettext_lazy("Losers' bracket"),
    "final": gettext_lazy("Final"),
}


def index(request: HttpRequest) -> HttpResponse:
    reader = conditions.reader_of_lists(user_of(request))
    lists = common_lists.drawn("events/_lists.html", reader, lambda: _lists(reader))
    return render(request, "events/index.html", {"lists": lists})


def _lists(reader: User | None) -> dict[str, Any]:
    """Return the events, festivals and series that lists show to the reader."""
    events = open_events.with_playing(conditions.visible(Event.objects.listed(), reader))
    # Events of schedules are in the calendar.
    alone = events.filter(section=None, occurrence=None)
    return {
        "open_events": open_events.rows(alone, database_time.now())[:LISTED],
        "past_events": alone.filter(state=Event.State.FINISHED)[:LISTED],
        "open_festivals": festivals.current(reader)[:LISTED],
        "past_festivals": festivals.past(reader)[:LISTED],
        "series": series.listing().annotate(count=Count("events"))[:LISTED],
    }


def tab_context(request: HttpRequest, event: Event, tab: str) -> dict[str, Any]:
    """Return the context of every tab of an event: the visitor, the permitted actions, and the event's progress."""
    now = database_time.now()
    topic = news.of_event(event.pk)
    # Read before the rounds and games: the page gets changes between the two reads twice, and never
    # misses one.
    mark = computations.mark_of(event)
    player = account_player_of(request)
    entry = event.entries.filter(player=player).first() if player else None
    public = computations.recall(for_all.progress, event, mark.state)
    current, draft = public["current_round"], public["draft"]
    paired = current.number if current else 0
    may = _tasks(request, event, has_staff=public["has_staff"])
    has_place = admission.accepts_entries(event, draft.number if draft else paired) and (
        event.has_waiting_list or public["playing"] < event.max_entries
    )
    return public | {
        "event": event,
        "tab": tab,
        "state": mark.state,
        "player": player,
        "entry": entry,
        "has_place": has_place,
        "may_enter": has_place and event.admits != Event.Admits.BOTS,
        "may": may,
        "is_organiser": bool(may),
        "traits": formats.of(event),
        "points": formats.points(event),
        "has_draw": tables.has_draw(event),
        "has_clubs": club_tables.has_table(event),
        "has_forecast": courses.has_forecast(event),
        "my_clubs": clubs.of_player(player) if player else [],
        "is_pairing_stopped": event.ends_at is not None and event.ends_at <= now,
        "pairing_percent": event.pairing_percent
        if pairing_lease.is_being_paired(event, now)
        else None,
        "hold_sentence": refusal_text.sentence_of(event.hold_reason) if event.hold_reason else "",
        "may_draft": draft is None and paired < event.rounds_total,
        "links_corrections": event.is_over_the_board and Task.RESULTS in may,
        "may_draft_after": current is not None
        and current.number < event.rounds_total
        and not event.is_automatic
        and Task.PAIRINGS in may,
        "may_move_deadline": current is not None
        and current.state == Round.State.PUBLISHED
        and current.started_at is not None
        and deadlines.may_have(event),
        "my_game": _game_of(event, player) if player and entry else None,
        "report_path": report_links.own_path(event, current, entry),
        "colours": colours_of(event),
        "has_code": bool(access_code(request, event.slug)),
        "is_check_in_open": check_in.is_open(event, now),
        "siblings": festivals.siblings(event, user_of(request)),
        "stream": f"?t={topic}&after={topic}={mark.reached}",
    }


def _tasks(request: HttpRequest, event: Event, *, has_staff: bool) -> frozenset[Task]:
    """Return the tasks of the visitor. An event without staff has its organiser and administrators only."""
    user = user_of(request)
    if user is None:
        return frozenset()
    is_in_charge = event.organiser_id == user.pk or user.is_superuser
    return staff.tasks_of(event, user) if has_staff or is_in_charge else frozenset()


def _game_of(event: Event, player: Player) -> Game | None:
    """Return the game of the event that the player is playing, or None."""
    games_of_event = Game.objects.ongoing().filter(pairing__event=event)
    return games_of_event.of(player).select_related("first", "second").first()


def colours_of(event: Event) -> tuple[str, str]:
    """The colours the first and the second side of the event's games begin with."""
    # Some set-ups have no start without a seed. All seeds give equal colours.
    position = games.load(event.ruleset).initial(seed=0)
    return position.colour_of(games.Side.FIRST), position.colour_of(games.Side.SECOND)


def _is_setup_drawn(event: Event) -> bool:
    """Return whether a round begins with a drawn position, and not as the rules have it for every game."""
    ruleset = games.load(event.ruleset)
    return ruleset.setup_text(ruleset.initial(seed=0)) != ""


def overview(request: HttpRequest, event: Event) -> HttpResponse:
    context = tab_context(request, event, "overview")
    public = computations.recall(for_all.overview, event, context["state"])
    context |= _entries_part(request, event, context["state"], public.entered)
    context["prohibitions"] = public.prohibitions
    my_entry = context["entry"]
    context["my_byes"] = my_entry.bye_requests.order_by("round_number") if my_entry else []
    if context["player"] and not context["entry"]:
        context["claimable"] = public.claimable
    context["is_setup_drawn"] = _is_setup_drawn(event)
    context["about"] = formats.of(event).about
    # An access code lets visitors look, but lets no address be sent the news of a private event.
    context["has_webhooks"] = conditions.may_see(event, user_of(request), "")
    context["in_series"] = public.in_series
    context["is_long"] = fide_rules.is_long(event, database_time.now().date())
    context["facts"] = list(setting_effects.facts(event))
    context["organising_club"] = clubs.named(event.organising_club)
    table = _table(event, context)
    lowest = table.ranks[:TOP][-1] if table.ranks else 0
    leaders = bisect_right(table.ranks, lowest)
    context["top"] = table.rows[: leaders if leaders <= 2 * TOP else TOP]
    context["top_more"] = leaders - len(context["top"])
    context["top_by"] = table.tie_breaks[0].name if table.tie_breaks else ""
    next_round = context["current_round"].number + 1 if context["current_round"] else 1
    if my_entry:
        context["bye_form"] = ByeForm(initial={"round_number": next_round})
    if context["is_organiser"] and not event.is_of_teams:
        context["bot_form"] = BotEntryForm(event=event, user=signed_in(request))
    context |= live_boards.of_event(request, event, has_games=public.has_games)
    context |= chat.panel(request, event, context["may"])
    return render(request, "events/event.html", context)


def _table(event: Event, context: dict[str, Any]) -> EventTable:
    """Return the event's table. `as_of` is in `context` if the table is a moment old."""
    answer = stored_table.answer(event, context["state"])
    if answer.lag_s:
        context["as_of"] = database_time.now() - timedelta(seconds=answer.lag_s)
    return answer.value


def _entries_part(request: HttpRequest, event: Event, state: str, total: int) -> dict[str, Any]:
    """Return a window of a hundred entries, and the newcomers among them."""
    context: dict[str, Any] = {}

    def cut(start: int, end: int) -> list[Entry]:
        part = computations.recall(for_all.entered, event, state, start, end)
        context["newcomers"] = part.newcomers
        return part.rows

    index = None
    if find := windows.find_of(request.GET):
        names = event.entries.contestants().values_list("player__name", flat=True)
        index = windows.first_index(names, find)
    context["window"] = windows.window_at(total, request.GET, index=index, cut=cut)
    return context


def standings(request: HttpRequest, event: Event) -> HttpResponse:
    context = tab_context(request, event, "standings")
    add = partial(_add_standings, request, event, context)
    context["tables"] = for_all.tables(request, context, "events/_standings.html", add)
    status = HTTPStatus.BAD_REQUEST if "filter_refusal" in context else HTTPStatus.OK
    return render(request, "events/standings.html", context, status=status)


def _add_standings(request: HttpRequest, event: Event, context: dict[str, Any]) -> None:
    """Add the table and its parts to the context."""
    context["table"] = table = _table(event, context)
    filtered = standings_parts.filter_context(request, event, table)
    if "window" not in filtered:
        context["window"] = _rows_window(request, event, table)
    context |= filtered
    context["sections"] = tables.sections(event)
    context["rounds_over"] = event.rounds.filter(state=Round.State.CLOSED).count()
    if formats.of(event).is_table:  # in which alone games are annulled
        context["annulled"] = [row.entry.player.name for row in table.rows if row.is_annulled]
    context |= standings_parts.tie_context(event, table, context["may"])
    deductions = Sanction.objects.of_event(event.pk).filter(halves__gt=0)
    context["deductions"] = list(deductions.select_related("entry__player"))
    context["deducted_entries"] = {each.entry_id for each in context["deductions"]}
    context["corrected_entries"] = {
        entry.pk for each in result_corrections.of_event(event) for entry in each.entries
    }
    rows = [getattr(row, "row", row) for row in context["window"].rows]
    context["newcomers"] = certainty.newcomers(
        event, [row.entry for row in rows], database_time.now()
    )
    has_awards = context["prizes"] is not None and context["prizes"].is_awarded
    confirmed = prizes.standing_awards(event) if has_awards else None
    if confirmed is not None:
        context["awards"] = awards.by_entry(awards.confirmed_rows(confirmed))
        context["currency"] = confirmed.currency
    tpn_text, name = request.GET.get("of", ""), request.GET.get("by", "")
    if re.fullmatch(r"[0-9]{1,4}", tpn_text):
        context["opened"] = tie_break.opened(event, int(tpn_text), name)


def category_tables(request: HttpRequest, event: Event) -> HttpResponse:
    """The table of each category for which the event has prizes."""
    if not categories.declared(event):
        raise Http404
    context = tab_context(request, event, "standings")
    context["table"] = table = _table(event, context)
    context["categories"] = standings_parts.named_tables(
        event, table, listed=standings_parts.LISTED
    )
    return render(request, "events/categories.html", context)


def club_table(request: HttpRequest, event: Event) -> HttpResponse:
    """The table of clubs."""
    if not club_tables.has_table(event):
        raise Http404
    context = tab_context(request, event, "clubs")
    rows = club_tables.of_rows(_table(event, context).rows, event.club_players)
    known = clubs.by_names(row.club for row in rows)
    context["clubs"] = [(row, known.get(row.club)) for row in rows]
    return render(request, "events/club_table.html", context)


def _rows_window(request: HttpRequest, event: Event, table: EventTable) -> windows.Window[EventRow]:
    """Return a window of a hundred rows of the table.

    A window by name, too, does not build the other rows.
    """
    index = None
    if find := windows.find_of(request.GET):
        names = dict(event.entries.values_list("pk", "player__name"))
        index = windows.first_index((names.get(pk, "") for pk in table.entry_ids), find)
    return windows.window_at(
        len(table.rows), request.GET, index=index, cut=lambda start, end: table.rows[start:end]
    )


def strength(request: HttpRequest, event: Event) -> HttpResponse:
    context = tab_context(request, event, "strengths")
    if event.admits == Event.Admits.BOTS and event.state == Event.State.RUNNING:
        context["queue"] = queue.length(database_time.now())
    context["strengths"] = mark_safe(_strengths.of(event, translation.get_language()))  # noqa: S308 - a template drew it
    return render(request, "events/strengths.html", context)


@computable(may_lag=True)
def _strengths(event: Event, language: str | None) -> str:
    """Return the tables of strengths, equal for all visitors with one language, or an empty text before a game has ended."""
    strengths = bradley_terry_table.of_event(event)
    if strengths is None:
        return ""
    repetitions = bradley_terry_table.repetitions_in_event(event)
    with translation.override(language):
        context = strength_tables.context(strengths, repetitions=repetitions)
        return render_to_string("events/_strengths.html", context)


def draw(request: HttpRequest, event: Event) -> HttpResponse:
    """The bracket of a knock-out."""
    if not tables.has_draw(event):
        raise Http404
    context = tab_context(request, event, "draw")
    bracket_ties = tables.draw(event)
    context["brackets"] = [
        (BRACKETS[name], [each for each in bracket_ties if each.bracket in names])
        for name, names in (
            ("winners", ("winners",)),
            ("third", ("third",)),
            ("losers", ("losers",)),
            ("final", ("final", "reset")),
        )
        if any(each.bracket in names for each in bracket_ties)
    ]
    return render(request, "events/draw.html", context)


def crosstable(request: HttpRequest, event: Event) -> HttpResponse:
    require_rounds(event)
    context = tab_context(request, event, "crosstable")
    add = partial(_add_crosstable, request, event, context)
    context["tables"] = for_all.tables(request, context, "events/_crosstable.html", add)
    return render(request, "events/crosstable.html", context)


def _add_crosstable(request: HttpRequest, event: Event, context: dict[str, Any]) -> None:
    """Add the table and its cells to the context."""
    context["table"] = table = _table(event, context)
    context["window"] = part = _rows_window(request, event, table)
    context["crosstable"] = crosstables.rows(
        event, table, colours=context["colours"], part=part.rows
    )
    context["round_numbers"] = range(1, table.rounds + 1)
    context["has_corrections"] = any(
        cell.is_corrected for row in context["crosstable"] for cell in row.cells
    )


def require_rounds(event: Event) -> None:
    """Raise Http404 unless all players play equal rounds, as tables and report files require."""
    if formats.of(event).is_continuous:
        raise Http404


def live(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the part of the event's pages that changes while the visitor looks."""
    tab = request.GET.get("tab", "overview")
    return render(request, "events/_status.html", tab_context(request, event, tab))


@players_only
@refusals.refusal_as_message
def enter(request: HttpRequest, player: Player, event: Event) -> HttpResponse:
    code = request.POST.get("code", "") or access_code(request, event.slug)
    entry = entries.enter(
        event_id=event.pk,
        player=player,
        actor=signed_in(request),
        code=code[:80],
        club=request.POST.get("club"),
    )
    words = {
        Entry.State.REQUESTED: _("You have asked to enter %(event)s. The organiser will decide."),
        Entry.State.WAITING: _("You are on the waiting list of %(event)s."),
    }.get(Entry.State(entry.state), _("You have entered %(event)s."))
    messages.success(request, words % {"event": house.event_name(event)})
    return redirect(event)


@players_only
@refusals.refusal_as_message
def withdraw(request: HttpRequest, player: Player, event: Event) -> HttpResponse:
    entries.withdraw(event_id=event.pk, player=player, actor=signed_in(request))
    messages.success(request, _("You have left %(event)s.") % {"event": house.event_name(event)})
    return redirect(event)


@players_only
@refusals.refusal_as_message
def request_bye(request: HttpRequest, player: Player, event: Event) -> HttpResponse:
    form = ByeForm(request.POST)
    if form.is_valid():
        if (question := _question_before_bye(request, event, player, form)) is not None:
            return question
        entries.request_bye(
            event_id=event.pk, player=player, actor=signed_in(request), **form.cleaned_data
        )
        messages.success(request, _("Your bye was registered."))
    else:
        messages.error(request, _("Please name a round and a kind of bye."))
    return redirect(event)


def _question_before_bye(
    request: HttpRequest, event: Event, player: Player, form: ByeForm
) -> HttpResponse | None:
    """Return the question before a second half-point bye. Raises RefusedError if the event does not give it."""
    entry = event.entries.active().contestants().filter(player=player).first()
    if entry is None or form.cleaned_data["kind"] != ByeRequest.Kind.HALF:
        return None
    entries.require_half_bye(event, entry, form.cleaned_data["round_number"])
    further = half_byes.warnings(event, entry_id=entry.pk, **form.cleaned_data)
    return questions.page(request, event, list(further), back=event.get_absolute_url())


@players_only
@refusals.refusal_as_message
def cancel_bye(request: HttpRequest, player: Player, event: Event, number: int) -> HttpResponse:
    entry = event.entries.filter(player=player).first()
    entry_acts.cancel_bye(
        event_id=event.pk,
        actor=signed_in(request),
        entry_id=entry.pk if entry else 0,
        round_number=number,
    )
    messages.success(request, _("Your bye was cancelled."))
    return redirect(event)


@players_only
@refusals.refusal_as_message
def check_in_self(request: HttpRequest, player: Player, event: Event) -> HttpResponse:
    entry = event.entries.filter(player=player).first()
    check_in.check_in(
        event_id=event.pk, entry_id=entry.pk if entry else 0, actor=signed_in(request)
    )
    messages.success(request, _("You have checked in."))
    return redirect(event)
