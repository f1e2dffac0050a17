"""Facts on pages of an event that are equal for all visitors, members too.

A process keeps them for one state of the event (`computations.recall`). Facts without news, such as the new
name of a player, are at most half a minute old, as on the pages of visitors without an account.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments import database_time
from tournaments.models import (
    Entry,
    Event,
    Game,
    Player,
    Prohibition,
    Round,
    Series,
    StaffMember,
    statements,
)
from tournaments.queries import formats
from tournaments.queries.events import prizes, series
from tournaments.queries.ratings import certainty
from tournaments.queries.results import fide_rules
from tournaments.services.arbiter import results
from tournaments.services.events import registration
from tournaments.services.results import computations
from tournaments.services.rounds import continuous
from tournaments.views.events import entry_choices


def tables(
    request: HttpRequest,
    context: dict[str, Any],
    template: str,
    add: Callable[[], None],
    *words: object,
) -> SafeString | None:
    """Return the template of the tables of a page for readers without a part in the event, which a process keeps.

    `add` adds the tables to the context of the tab. For a reader with an entry or a task, in a large event and
    at an address with parameters it only does that, and the page draws them: None. Kept tables are drawn without
    the request, and their templates use nothing of a reader. `words` are the other values that they depend on.
    """

    def drawn(_event: Event, *_words: object) -> SafeString:
        add()
        return render_to_string(template, context)

    event, state = context["event"], context["state"]
    has_part = context["entry"] is not None or bool(context["may"])
    if has_part or request.GET or computations.recall(computations.is_large, event, state):
        add()
        return None
    return computations.recall(drawn, event, state, template, get_language(), *words)


def progress(event: Event) -> dict[str, Any]:
    """Return a part of the context of every tab: the rounds and games, and the parts that the event has."""
    # A draft is the last round, and there is one at most.
    latest = list(slim_rounds(event).annotate(boards=Count("pairings")).order_by("-number")[:2])
    current = next((each for each in latest if each.state != Round.State.DRAFT), None)
    left = missing_games(event, current)
    total = current.boards * event.games_per_pairing if current else 0
    figures = _figures_of(event)
    is_continuous = formats.of(event).is_continuous
    return {
        "waiting": len(continuous.waiting(event)) if is_continuous else 0,
        "do_bots_wait": continuous.keeps_bots_apart(event) and not _has_people(event),
        "guests_missing": registration.guests_missing(event),
        "playing": figures.playing,
        "departures": fide_rules.departures(event),
        "prizes": prizes.summary(event),
        "announcements": list(event.announcements.all()[:3]),
        "current_round": current,
        "draft": next((each for each in latest if each.state == Round.State.DRAFT), None),
        "games_left": left,
        "games_total": total,
        "games_over": total - left,
        "has_staff": figures.has_staff,
    }


def _has_people(event: Event) -> bool:
    bots = (Player.Kind.BOT, Player.Kind.REMOTE)
    return event.entries.active().exclude(player__kind__in=bots).exists()


@dataclass(frozen=True, slots=True)
class Overview:
    """Parts of the overview.

    Attributes:
        entered: the number of entries on its list.
        claimable: the options of a form for players of the organiser's list.
        has_games: whether games are in progress. An event that ended early may have postponed ones.
    """

    entered: int
    claimable: SafeString
    in_series: list[Series]
    prohibitions: list[Prohibition]
    has_games: bool


def overview(event: Event) -> Overview:
    """Return the parts of the overview."""
    figures = _figures_of(event)
    listed = event.entries.filter(player__kind=Player.Kind.LISTED)
    prohibitions = event.prohibitions.prefetch_related("entries__player")
    return Overview(
        figures.contestants,
        entry_choices.options(listed) if figures.has_listed else SafeString(),
        list(series.of_event(event)),
        list(prohibitions) if figures.has_prohibitions else [],
        event.is_open or figures.has_games,
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """Figures of an event that one statement reads."""

    contestants: int
    playing: int
    has_staff: bool
    has_listed: bool
    has_prohibitions: bool
    has_games: bool


def _figures_of(event: Event) -> _Figures:
    [row] = _figures.all(event=event.pk)
    return _Figures(*row)


@statements.query
def _figures(event: int) -> QuerySet[Event, tuple[int, int, bool, bool, bool, bool]]:
    entries = Entry.objects.filter(event=OuterRef("pk")).order_by()
    counts = (entries.contestants(), entries.active().contestants())
    related = (
        StaffMember.objects.filter(event=OuterRef("pk")),
        entries.filter(player__kind=Player.Kind.LISTED),
        Prohibition.objects.filter(event=OuterRef("pk")),
        Game.objects.ongoing().filter(pairing__event=OuterRef("pk")),
    )
    return Event.objects.filter(pk=event).values_list(
        *(Coalesce(Subquery(_count(each)), 0) for each in counts), *map(Exists, related)
    )


def _count(entries: QuerySet[Entry]) -> QuerySet[Entry, int]:
    """Return the number of the entries of an event as a row."""
    return entries.values("event").annotate(number=Count("pk")).values_list("number", flat=True)


@dataclass(frozen=True, slots=True)
class Entered:
    """Some entries, and the players among them whose rating is provisional."""

    rows: list[Entry]
    newcomers: Collection[int]


def entered(event: Event, start: int, end: int) -> Entered:
    """Return the entries between these places of the list."""
    rows = list(event.entries.contestants().select_related("player")[start:end])
    return Entered(rows, certainty.newcomers(event, rows, database_time.now()))


def missing_games(event: Event, current: Round | None) -> int:
    """Return the number of games of the round that are not over, or of all rounds of a continuous format.

    A round does not wait for its postponed games. A closed one has no others.
    """
    is_continuous = formats.of(event).is_continuous
    if not is_continuous and current is not None and current.state == Round.State.CLOSED:
        return 0
    if event.is_over_the_board and current and current.state == Round.State.PUBLISHED:
        return results.missing_count(current)
    ongoing = Game.objects.ongoing().filter(pairing__event=event)
    if not is_continuous:
        ongoing = ongoing.filter(pairing__round=current).exclude(pairing__is_postponed=True)
    count = ongoing.count()
    is_double = event.games_per_pairing > 1 and not event.is_of_teams
    if is_double and current and current.state == Round.State.PUBLISHED:
        count += current.pairings.without_second_game().count()
    return count


def slim_rounds(event: Event) -> QuerySet[Round]:
    """Return the rounds without the data they were paired from, which is large."""
    return event.rounds.defer("problem", "evidence", "report")
