"""Series: their rules and events, and the key by which an entry belongs to a person."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from tournaments.models import Entry, Event, Game, Player, Series, SeriesEvent, StaffMember, User
from tournaments.models.players import canonical_name
from tournaments.queries import formats
from tournaments.standings.series import Method, Rules, Shared, Signature


def listing() -> QuerySet[Series]:
    """Return all series with their organisers, the latest first."""
    return Series.objects.select_related("organiser__player")


def may_change(series: Series, user: User | None) -> bool:
    """Return whether the user is the organiser, or an administrator."""
    return user is not None and (series.organiser_id == user.pk or user.is_superuser)


def rules_of(series: Series) -> Rules:
    """Return the rules of the series."""
    points = tuple(int(each) for each in series.place_points.split())
    return Rules(Method(series.method), points, Shared(series.shared), series.best)


def events_of(series: Series) -> list[Event]:
    """Return the events in their order. An event that has become private is left out."""
    rows = series.events.filter(event__is_private=False)
    return [row.event for row in rows.select_related("event")]


def addable(series: Series) -> QuerySet[Event]:
    """Return the public events of the organiser that can be added to the series, the latest first.

    Events of teams and of players do not mix.
    """
    events = Event.objects.filter(organiser=series.organiser, is_private=False)
    others = events.exclude(state=Event.State.CANCELLED).exclude(in_series__series=series)
    first = series.events.select_related("event").first()
    if first is not None:
        kind = [each for each in Event.Format if each.is_of_teams == first.event.is_of_teams]
        others = others.filter(format__in=kind)
    return others.order_by("-pk")


def of_event(event: Event) -> QuerySet[Series]:
    """Return the series of the organiser and the staff of the event.

    Other users may refer to a public event in their series. The page of the event does not link to these.
    """
    staff = StaffMember.objects.filter(event=event, user=OuterRef("series__organiser"))
    own = Q(series__organiser=F("event__organiser")) | Exists(staff)
    rows = SeriesEvent.objects.filter(own, event=event, event__is_private=False)
    return Series.objects.filter(pk__in=rows.values("series"))


def signature(entry: Entry) -> Signature:
    """Return the keys of an entry with its player: a player of a list has a FIDE id, or a name with a club."""
    return Signature(f"entry:{entry.pk}", _person(entry))


def _person(entry: Entry) -> str:
    player = entry.player
    match player.kind:
        case Player.Kind.TEAM:
            return f"team:{player.canonical}"
        case Player.Kind.LISTED if entry.fide_id:
            return f"fide:{entry.fide_id}"
        case Player.Kind.LISTED:
            return f"name:{player.canonical}|{canonical_name(entry.club)}"
        case _:
            return f"player:{player.pk}"


def with_games(event: Event) -> set[int]:
    """Return the entries (ids) that have played a game of the event. Teams have if a member has.

    Others have no result in a series.
    """
    played = Game.objects.filter(pairing__event=event, result__isnull=False)
    sides = played.exclude(result__in=Game.UNPLAYED).values_list(
        "pairing__first", "pairing__second"
    )
    return {pk for pair in sides.distinct() for pk in pair}


def possible_halves(event: Event, contestants: int) -> int:
    """Return the half points of a contestant who wins every game. 0 in formats without a common maximum."""
    format_ = formats.of(event)
    if not has_maximum(event):
        return 0
    rounds = event.cycles * (contestants - 1) if format_.is_table else event.rounds_total
    if event.is_of_teams:
        return rounds * formats.match_points(event).win
    return rounds * event.games_per_pairing * event.win_halves


def has_maximum(event: Event) -> bool:
    """Return whether the points of all contestants have one maximum, as percentages require."""
    return not (formats.of(event).is_continuous or formats.of(event).has_groups)
