"""Clubs: lists, members with their ratings, teams and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.errors import RefusedError
from tournaments.models import Club, ClubMember, Entry, Event, Player, Rating, User
from tournaments.models.clubs import LEADERS
from tournaments.models.events import EventQuerySet
from tournaments.models.players import canonical_name
from tournaments.queries.events import conditions

_LATEST = 20
_APPLICANT = ClubMember.Role.APPLICANT.value


@dataclass(frozen=True, slots=True)
class ClubEvents:
    """The events of a club that a visitor may see, and its teams with their events, the latest first."""

    coming: Sequence[Event]
    past: Sequence[Event]
    teams: Sequence[Entry]


def listing(words: str = "") -> QuerySet[Club]:
    """Return the clubs whose name, short name or place contains the words, with the numbers of their members."""
    clubs = Club.objects.annotate(
        member_count=Count("members", filter=~Q(members__role=_APPLICANT))
    )
    folded = canonical_name(words)
    if folded:
        named = Q(canonical__contains=folded) | Q(short_name__iexact=words.strip())
        clubs = clubs.filter(named | Q(place__icontains=words.strip()))
    return clubs.order_by("canonical")


def named(name: str) -> Club | None:
    """Return the club of this name, folded, or None."""
    if not name:
        return None
    return Club.objects.filter(canonical=canonical_name(name)).first()


def by_names(names: Iterable[str]) -> Mapping[str, Club]:
    """Return the clubs that the texts name, by the texts."""
    folded = {name: canonical_name(name) for name in names if name}
    rows = {each.canonical: each for each in Club.objects.filter(canonical__in=folded.values())}
    return {name: rows[key] for name, key in folded.items() if key in rows}


def members_of(club: Club) -> Sequence[ClubMember]:
    """Return the members with their most played ratings: the owner, the officers, the others by name."""
    ratings = Rating.objects.select_related("pool").order_by("-games")
    rows = club.members.exclude(role=_APPLICANT).select_related("player__bot")
    rows = rows.prefetch_related(Prefetch("player__ratings", ratings, to_attr="most_played"))
    order = [role.value for role in ClubMember.Role]
    return sorted(rows, key=lambda row: (order.index(row.role), row.player.canonical))


def players_of(club: Club, player_ids: Sequence[int]) -> Sequence[Player]:
    """Return these members in their order. Raises RefusedError `club-members` for another player, or one named twice."""
    rows = club.members.exclude(role=_APPLICANT).filter(player__in=player_ids)
    players = {row.player_id: row.player for row in rows.select_related("player")}
    if len(players) < len(player_ids) or not player_ids:
        raise RefusedError("club-members", club.name)
    return [players[pk] for pk in player_ids]


def applicants_of(club: Club) -> QuerySet[ClubMember]:
    """Return the players who ask to join, the first one first."""
    return club.members.filter(role=_APPLICANT).select_related("player").order_by("asked_at")


def of_player(player: Player) -> QuerySet[ClubMember]:
    """Return the memberships of a player, the first club first."""
    rows = player.clubs.exclude(role=_APPLICANT)
    return rows.select_related("club").order_by("joined_at", "pk")


def name_for_entry(player: Player, chosen: str | None = None) -> str:
    """Return the club of a new entry: the chosen one of the player's, or with None the first; empty without one.

    Raises RefusedError `club-other` for a club to which the player does not belong.
    """
    if player.is_bot or chosen == "":
        return ""
    names = [row.club.name for row in of_player(player)]
    if chosen is None:
        return names[0] if names else ""
    if chosen not in names:
        raise RefusedError("club-other", chosen[:60])
    return chosen


def led_by(user: User | None) -> QuerySet[Club]:
    """Return the clubs of which the account is the owner or an officer."""
    led = ClubMember.objects.filter(player__user=user, player__user__isnull=False, role__in=LEADERS)
    return Club.objects.filter(pk__in=led.values("club")).order_by("canonical")


def organiser_named(name: str, user: User) -> str:
    """Return the name of a club as it writes it, if the account may name it as the organiser of an event.

    Raises RefusedError `club-unknown`, `club-officer`.
    """
    club = named(name)
    if club is None:
        raise RefusedError("club-unknown", name[:60])
    if not (user.is_superuser or led_by(user).filter(pk=club.pk).exists()):
        raise RefusedError("club-officer", club.name)
    return club.name


def events_of(club: Club, user: User | None) -> ClubEvents:
    """Return the events that the club organises and its teams in events, as far as `user` may see them."""
    own = visible_events(club, user)
    of_teams = Q(player__canonical=club.canonical) | Q(club__iexact=club.name)
    teams = Entry.objects.filter(of_teams, player__kind=Player.Kind.TEAM)
    teams = teams.filter(event__in=conditions.visible(Event.objects.listed(), user))
    return ClubEvents(
        list(own.open().order_by("starts_at", "-pk")[:_LATEST]),
        list(own.filter(state=Event.State.FINISHED).order_by("-finished_at", "-pk")[:_LATEST]),
        list(teams.select_related("event", "player").order_by("-event", "tpn", "pk")[:_LATEST]),
    )


def visible_events(club: Club, user: User | None) -> EventQuerySet:
    """Return the listed events that name the club as their organiser."""
    return conditions.visible(Event.objects.listed(), user).filter(organising_club=club.name)
