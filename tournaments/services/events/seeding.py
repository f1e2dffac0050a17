"""The ratings that entries are seeded by, and the pairing numbers that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.models import Entry, Event
from tournaments.models.events import NumberRating
from tournaments.services.ratings import pool_assignment, rating

_BATCH = 500


def seed(event: Event, entries: Sequence[Entry]) -> None:
    """Set the seeding rating of each entry: the organiser's, or the site's. No row is saved.

    A team has the average of its members. A player on a list without a rating has 0, below all rated players (C.04.2 2.2). In the caller's
    transaction.
    """
    if event.is_of_teams:
        _seed_teams(event, entries)
        return
    _seed(event, entries)


def preview(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of an event of teams, members included, with the ratings of a start now. No row is saved."""
    rows = list(entries)
    members = [each for each in rows if each.team_id is not None]
    _seed(event, members)
    playing = [each for each in members if each.state == Entry.State.ACTIVE]
    playing.sort(key=lambda each: (each.board_order or 0, each.pk))
    _average(event, [each for each in rows if each.team_id is None], playing)
    return rows


def _seed(event: Event, entries: Sequence[Entry]) -> None:
    given = {entry.pk: _given_rating(entry, event.number_rating) for entry in entries}
    players = [
        entry.player for entry in entries if given[entry.pk] is None and not entry.player.is_listed
    ]
    ratings = rating.seeds(players, pool_assignment.of_event(event)) if players else {}
    for entry in entries:
        own = given[entry.pk]
        entry.seed_centielo = ratings.get(entry.player_id, 0) if own is None else own


def _given_rating(entry: Entry, method: str) -> int | None:
    """Return the rating of the list, the national one, or none, as the event numbers its entries."""
    of_list, national = entry.listed_centielo, entry.national_centielo
    known = [each for each in (of_list, national) if each is not None]
    match NumberRating(method):
        case NumberRating.LIST:
            return of_list
        case NumberRating.NATIONAL:
            return national
        case NumberRating.NATIONAL_FIRST:
            return of_list if national is None else national
        case NumberRating.HIGHER:
            return max(known, default=None)
        case NumberRating.LOWER:
            return min(known, default=None)
        case NumberRating.SITE if not entry.player.is_listed:
            return None
        case NumberRating.LIST_FIRST | NumberRating.SITE:
            return national if of_list is None else of_list


def _seed_teams(event: Event, teams: Sequence[Entry]) -> None:
    """Seed the members, whose rows are saved, and each team."""
    members = list(
        Entry.objects.active()
        .filter(team__in=[team for team in teams if team.pk])
        .select_related("player")
        .order_by("board_order", "pk")
    )
    _seed(event, members)
    Entry.objects.bulk_update(members, ["seed_centielo"], batch_size=_BATCH)
    _average(event, teams, members)


def _average(event: Event, teams: Iterable[Entry], members: Sequence[Entry]) -> None:
    """Seed each team with the average of its members at the first boards.

    An empty board counts as 0, and so does an unrated player.
    """
    for team in teams:
        best = [each.seed_centielo or 0 for each in members if each.team_id == team.pk]
        average = round(sum(best[: event.boards]) / event.boards)
        team.seed_centielo = average if team.listed_centielo is None else team.listed_centielo


def number(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """Give the entries the pairing numbers 1, 2, … by rating, title and name (C.04.2 2.2).

    A player with a number of the organiser's gets that one, or the next free one. A number beyond
    the last is the last. Returns them in this order. In the caller's transaction, `event` locked.
    """
    ranked = order(sorted(entries, key=rank))
    # Two entries cannot have one number, not even on the way.
    event.entries.update(tpn=None)
    for tpn, entry in enumerate(ranked, start=1):
        entry.tpn = tpn
    Entry.objects.bulk_update(ranked, ["tpn", "seed_centielo"], batch_size=_BATCH)
    return ranked


def rank(entry: Entry) -> tuple[int, int, str, int]:
    """Return the sort key of an entry: rating, title, name (C.04.2 2.2), then the order of the entries."""
    return -(entry.seed_centielo or 0), entry.title_rank, entry.player.canonical, entry.pk or 0


def order(by_rating: Sequence[Entry]) -> list[Entry]:
    """The entries in the order of their numbers, of those in the order of their ratings."""
    ranked = [entry for entry in by_rating if entry.listed_seed is None]
    chosen = [entry for entry in by_rating if entry.listed_seed is not None]
    # The lower numbers first: each is then in its final place.
    for entry in sorted(chosen, key=lambda e: e.listed_seed or 0):
        ranked.insert(_free(ranked, entry.listed_seed or 1), entry)
    return ranked


def _free(ranked: Sequence[Entry], seed: int) -> int:
    """Return the place of an entry seeded `seed`: there, or after those with that number."""
    place = seed - 1
    while place < len(ranked) and ranked[place].listed_seed is not None:
        place += 1
    return place


def passed(event: Event, entry_id: int, number: int) -> list[Entry]:
    """Return the entries whose rating is not in order with an entry that gets this number. No row is saved."""
    rows = list(event.entries.active().contestants().select_related("player"))
    seed(event, rows)
    own = next((each for each in rows if each.pk == entry_id), None)
    if own is None:
        return []
    own.listed_seed = number
    ranked = order(sorted(rows, key=rank))
    place, rating_ = ranked.index(own), own.seed_centielo or 0
    lower = [each for each in ranked[:place] if (each.seed_centielo or 0) < rating_]
    return lower + [each for each in ranked[place:] if (each.seed_centielo or 0) > rating_]


def seed_again(event: Event, *, renumber: bool) -> None:
    """Seed the entries that have a number again. With `renumber` the numbers follow.

    In the caller's transaction, `event` locked.
    """
    entries = list(event.entries.exclude(tpn=None).select_related("player"))
    seed(event, entries)
    if renumber:
        number(event, entries)
    else:
        Entry.objects.bulk_update(entries, ["seed_centielo"], batch_size=_BATCH)
