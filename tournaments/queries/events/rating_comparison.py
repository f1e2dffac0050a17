"""Entries of an event compared with a rating list: ratings, titles and names that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from tournaments.models import Entry, Event, RatedPlayer, RatingList
from tournaments.queries.events import player_lists
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.events.rating_lists import order_of, words_of

# The values that are compared, as `ListedPlayer` and `RatedPlayer` name them.
COLUMNS = ("rating_elo", "national_elo", "title", "name")


@dataclass(frozen=True, slots=True)
class Difference:
    """A value of an entry, and another value of the same player in the list.

    A choice of differences names them by `code`, which changes with the value of the list.
    """

    entry: Entry
    column: str
    own: str | int | None
    listed: str | int

    @property
    def code(self) -> str:
        """The name of the difference in forms."""
        return f"{self.entry.pk}:{self.column}:{self.listed}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The entries of an event beside a list.

    Attributes:
        differences: entry by entry, each in the order of `COLUMNS`.
        unknown: entries without an id, or with an id that the list does not have.
    """

    differences: Sequence[Difference]
    unknown: Sequence[Entry]


def compared(event: Event, rating_list: RatingList) -> Comparison:
    """Compare the entries with the players of the list who have their FIDE id, or else their national id.

    A value that the list does not have, such as the rating of an unrated player, is no difference.
    Names differ by their words without accents. People with accounts keep their names.
    """
    rows = event.entries.exclude(state=Entry.State.WITHDRAWN).select_related("player")
    if event.is_of_teams:
        rows = rows.exclude(team=None)
    entries = list(rows.order_by("tpn", "pk"))
    rated = _players(rating_list, entries)
    pairs = [(entry, rated[entry.pk]) for entry in entries if entry.pk in rated]
    return Comparison(
        differences=[each for entry, player in pairs for each in _differences(entry, player)],
        unknown=[entry for entry in entries if entry.pk not in rated],
    )


@dataclass(frozen=True, slots=True)
class ListRating:
    """A rating of a list, and the list with the day of its upload."""

    source: str
    centielo: int


def listed_ratings(event: Event, entries: Sequence[Entry]) -> Mapping[int, ListRating]:
    """Return the rating of the first list of the event that has one, by the entry's id."""
    ratings: dict[int, ListRating] = {}
    for rating_list in order_of(event).lists:
        for pk, player in _players(rating_list, entries).items():
            if player.rating_elo and pk not in ratings:
                ratings[pk] = ListRating(rating_list.dated_name, 100 * player.rating_elo)
    return ratings


def compared_with_start(event: Event) -> Comparison:
    """Compare the ratings of the entries with those that the lists had at the start of the event."""
    rows = event.entries.exclude(state=Entry.State.WITHDRAWN).select_related("player")
    entries = list(rows.order_by("tpn", "pk"))
    differences = [
        Difference(entry, "rating_elo", own, listed)
        for entry in entries
        if (listed := _elo(entry.start_centielo)) and (own := _rating_elo(entry)) != listed
    ]
    return Comparison(differences, [entry for entry in entries if not entry.start_list])


@dataclass(frozen=True, slots=True)
class DueComparison:
    """A list that was uploaded after the start of the event, and the number of its other ratings."""

    rating_list: RatingList
    count: int


def due(event: Event) -> list[DueComparison]:
    """Return the lists that the event uses and that have other ratings since they were uploaded again."""
    if not event.is_over_the_board or not event.tells_new_lists:
        return []
    sources = event.entries.values_list("source_list", "start_list")
    names = {source.rpartition(", ")[0] for both in sources for source in both}
    begin = event.started_at or event.created_at
    lists = RatingList.objects.filter(name__in=names - {""}, uploaded_at__gt=begin)
    counts = [
        DueComparison(
            each, sum(d.column == "rating_elo" for d in compared(event, each).differences)
        )
        for each in lists
    ]
    return [each for each in counts if each.count]


def player_of(entry: Entry) -> ListedPlayer:
    """Return the present data of an entry as a player of a list."""
    return ListedPlayer(
        name=entry.player.name,
        rating_elo=_elo(entry.listed_centielo),
        national_elo=_elo(entry.national_centielo),
        **{name: getattr(entry, name) for name in player_lists.TEXTS},
    )


def _players(rating_list: RatingList, entries: Sequence[Entry]) -> Mapping[int, RatedPlayer]:
    """Return the player of the list for each entry that has one, by the entry's id."""
    # Some files write ids with zeros before them.
    fide_ids = {form for each in entries for form in (each.fide_id, each.fide_id.lstrip("0"))}
    national_ids = {each.national_id for each in entries}
    has_id = Q(fide_id__in=fide_ids - {""}) | Q(national_id__in=national_ids - {""})
    players = list(rating_list.players.filter(has_id))
    by_fide_id = {each.fide_id.lstrip("0"): each for each in players if each.fide_id}
    players_of = {}
    for entry in entries:
        player = by_fide_id.get(entry.fide_id.lstrip("0")) if entry.fide_id else None
        player = player or _by_national_id(entry, players)
        if player is not None:
            players_of[entry.pk] = player
    return players_of


def _by_national_id(entry: Entry, players: Iterable[RatedPlayer]) -> RatedPlayer | None:
    """Return the player with the national id of the entry. Another federation has other ids."""
    if not entry.national_id:
        return None
    for player in players:
        federations = {entry.federation, player.federation} - {""}
        if player.national_id == entry.national_id and len(federations) < 2:
            return player
    return None


def _differences(entry: Entry, player: RatedPlayer) -> Iterator[Difference]:
    present = player_of(entry)
    for column in COLUMNS:
        own, listed = getattr(present, column), getattr(player, column)
        if column == "rating_elo":
            own = _rating_elo(entry)
        if not listed or own == listed:
            continue
        if column == "name" and (not entry.player.is_listed or _is_one_name(own, listed)):
            continue
        yield Difference(entry, column, own, listed)


def _rating_elo(entry: Entry) -> int | None:
    """Return the rating of the latest round."""
    later = entry.ratings_by_round
    return _elo(later[-1].centielo if later else entry.listed_centielo)


def _is_one_name(one: str, other: str) -> bool:
    return sorted(words_of(one).split()) == sorted(words_of(other).split())


def _elo(centielo: int | None) -> int | None:
    return None if centielo is None else centielo // 100
