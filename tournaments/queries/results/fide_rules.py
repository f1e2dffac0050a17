"""Departures of an event from FIDE's rules: its settings, and acts that those rules do not know.

An event without departures follows FIDE's General Handling Rules (C.04.2), its pairing system and C.07. The state is
derived: it cannot be chosen. A departure that an act has made stays when the act is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import (
    AuditEntry,
    ByeRequest,
    Correction,
    Event,
    Prohibition,
    Round,
    statements,
)
from tournaments.queries import formats
from tournaments.queries.results import hand_pairings, standings
from tournaments.standings import edition_at, tie_break
from tournaments.standings.field import Edition


class Departure(models.TextChoices):
    """A reason why an event does not follow FIDE's rules. The value is the text in report files."""

    SYSTEM = "a pairing system of its own", _("a pairing system that FIDE does not have")
    EDITION = "the Dutch system of 2017", _("the Dutch system of 2017")
    MINI_MATCHES = "mini-matches", _("mini-matches")
    POINTS = (
        "two draws worth more than a win and a loss",
        _("two draws are worth more than a win and a loss"),
    )
    TIE_BREAKS = "tie-breaks of its own", _("tie-breaks that C.07 does not have")
    FULL_BYES = "full-point byes", _("full-point byes")
    BY_HAND = "pairings changed by hand", _("pairings changed by hand")
    LATE_PAIRS = "pairs forbidden after round 1", _("pairs forbidden after round 1")
    LATE_CORRECTIONS = (
        "corrected results of rounds before the last but one",
        _("corrected results of rounds before the last but one"),
    )
    OTHER_PAIRINGS = (
        "rounds that the pairing rules pair otherwise",
        _("rounds that the pairing rules pair otherwise"),
    )
    NOT_COMPARED = (
        "rounds not compared with the pairing rules",
        _("rounds that were not compared with the pairing rules"),
    )


# FIDE advises against tie-breaks by ratings in events of more days than these.
LONG_DAYS = 30
_FIDE_CODES = ("FIDE_", "BERGER_")
# The limit for exchanges of the Lim system: none, or that of a Maxi-tournament (C.04.4.3 3.2.3, 3.8, 5.7).
_MAXI_ELO = (0, 100)
# Lots decide ties that C.07 leaves.
_LOTS_CODE = "LOT"


def departures(event: Event) -> list[Departure]:
    """Return the departures of an event with a report file, in the order of `Departure`.

    Formats without a record 192, such as arenas, claim no rules of FIDE and have none.
    """
    if formats.of(event).report_code is None:
        return []
    known = {Departure[name] for name in event.departures}
    known.update(_of_settings(event), _of_acts(event, known))
    return [each for each in Departure if each in known]


def is_long(event: Event, today: date) -> bool:
    """Return whether the event has more than `LONG_DAYS` days, as planned or until today.

    Arenas and ladders, which have no tie-breaks of C.07, are never long.
    """
    if formats.of(event).is_continuous:
        return False
    begin, end = event.started_at or event.starts_at, event.finished_at
    first = event.first_day or (begin.date() if begin else today)
    last = event.last_day or (end.date() if end else today)
    return (last - first).days >= LONG_DAYS


def rating_tie_breaks(event: Event) -> list[str]:
    """Return the names of the event's tie-breaks by ratings, in their order."""
    chosen = [
        tie_break(name, of_teams=event.is_of_teams) for name in standings.tie_break_names(event)
    ]
    return [each.name for each in chosen if each.entry.needs_ratings]


def _of_settings(event: Event) -> Iterator[Departure]:
    format_ = formats.of(event)
    has_own_limit = "maxi_elo" in format_.fields and event.maxi_elo not in _MAXI_ELO
    if has_own_limit or not (format_.report_code or "").startswith(_FIDE_CODES):
        yield Departure.SYSTEM
    if format_.is_out_of_force:
        yield Departure.EDITION
    if event.games_per_pairing > 1 and not (format_.has_matches or format_.is_of_teams):
        yield Departure.MINI_MATCHES
    if 2 * event.draw_halves > event.win_halves + event.loss_halves:
        yield Departure.POINTS
    start = (event.started_at or event.created_at).date()
    is_march_2026 = edition_at(start) is Edition.MARCH_2026
    names = standings.tie_break_names(event)
    chosen = [
        tie_break(name, of_teams=event.is_of_teams).entry for name in names if name != _LOTS_CODE
    ]
    if any(
        not each.article or (each.since is Edition.MARCH_2026 and not is_march_2026)
        for each in chosen
    ):
        yield Departure.TIE_BREAKS


def _of_acts(event: Event, known: set[Departure]) -> Iterator[Departure]:
    """Yield the departures by byes, changed pairings, forbidden pairs, corrections and compared rounds.

    Rounds are not compared again if their departure is known.
    """
    (
        has_full_byes,
        has_edits,
        has_late_pairs,
        has_late_clubs,
        has_corrections,
        has_others,
        has_unknown,
    ) = _facts_of_acts.all(pk=event.pk)[0]
    if has_full_byes:
        yield Departure.FULL_BYES
    if has_edits and Departure.BY_HAND not in known and _has_changed_pairings(event):
        yield Departure.BY_HAND
    if has_late_pairs or has_late_clubs:
        yield Departure.LATE_PAIRS
    if has_corrections and formats.of(event).is_swiss:
        yield Departure.LATE_CORRECTIONS
    if has_others:
        yield Departure.OTHER_PAIRINGS
    if has_unknown:
        yield Departure.NOT_COMPARED


@statements.query
def _facts_of_acts(pk: int) -> models.QuerySet[Event, Sequence[bool]]:
    """Return one row: whether the event has each cause of a departure, in the order of `_of_acts`.

    An act reads it twice. Django took 7 ms of CPU to write it.
    """
    byes = ByeRequest.objects.filter(entry__event=OuterRef("pk"), kind=ByeRequest.Kind.FULL)
    first = Round.objects.filter(event=OuterRef("event"), number=1)
    late = Prohibition.objects.filter(event=OuterRef("pk")).filter(
        Q(first_round__gt=1) | Exists(first.filter(published_at__lt=OuterRef("created_at")))
    )
    published = Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAFT)
    changed = published.exclude(edits=[])
    log = AuditEntry.objects.filter(event=OuterRef("pk"))
    other = log.filter(detail__has_key="differing")
    unknown = log.filter(detail__has_key="not_compared")
    late_clubs = log.filter(
        Exists(first.filter(published_at__lt=OuterRef("done_at"))),
        action="settings",
        detail__changes__keeps_clubs_apart__1=True,
    )
    facts = (byes, changed, late, late_clubs, _late_corrections(), other, unknown)
    return Event.objects.filter(pk=pk).values_list(*map(Exists, facts))


def _late_corrections() -> models.QuerySet[Correction]:
    """Return the corrections of an event that were made when two later rounds were published (C.04.2 4.4).

    The result of an adjourned game comes at any time.
    """
    rows = Correction.objects.filter(
        game__pairing__event=OuterRef("pk"), game__pairing__is_postponed=False
    )
    second_next = Round.objects.filter(
        event=OuterRef("game__pairing__event"),
        number=OuterRef("game__pairing__round__number") + 2,
        published_at__lt=OuterRef("made_at"),
    )
    return rows.filter(Exists(second_next))


def _has_changed_pairings(event: Event) -> bool:
    """Return whether a published round differs from the answer of the pairing system."""
    rounds = event.rounds.exclude(edits=[]).exclude(state=Round.State.DRAFT)
    return any(hand_pairings.is_changed(each) for each in rounds)
