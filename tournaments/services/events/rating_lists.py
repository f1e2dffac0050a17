"""Uploads of rating lists by administrators."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, RatedPlayer, RatingList, RatingSource, User
from tournaments.models.rating_lists import LIST_NAME_LENGTH
from tournaments.queries.events import rating_comparison, rating_lists
from tournaments.queries.events.player_lists import ListedPlayer, rating_files
from tournaments.queries.events.player_lists.rating_files import RatedRow
from tournaments.services import audit

_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Upload:
    """The lists of a file, the main one first. `faults` counts the lines that were left out."""

    lists: Sequence[RatingList]
    faults: int

    @property
    def rating_list(self) -> RatingList:
        """The main list."""
        return self.lists[0]


@dataclass(frozen=True, slots=True)
class _Rated:
    """A player with the rating of a list."""

    player: ListedPlayer
    elo: int | None


def replace(
    *,
    name: str,
    stream: BinaryIO,
    kind: str = RatingList.Kind.STANDARD,
    actor: User | None = None,
    source: RatingSource | None = None,
) -> Upload:
    """Store the players of a file as the list of that name, in place of its earlier players.

    The file is read in one transaction, line by line. A line that cannot be a player is left out.
    Rapid and blitz ratings of a standard list are lists of their own: `FIDE rapid` beside `FIDE`.

    Raises RefusedError `rating-list-name`, `rating-list-kind`, `rating-list-bad` also without a
    player, `rating-list-large`.
    """
    check_kind(kind)
    with transaction.atomic():
        lists = {kind: _emptied(name, kind, source)}
        faults = 0
        rows = rating_files.read(stream)
        while batch := list(islice(rows, _BATCH)):
            faults += sum(each.row.player is None for each in batch)
            for each_kind, rated in _by_kind(batch, kind).items():
                if each_kind not in lists:
                    lists[each_kind] = _emptied(
                        f"{lists[kind].name} {each_kind}", each_kind, source
                    )
                rating_list = lists[each_kind]
                RatedPlayer.objects.bulk_create(_rows(rating_list, rated))
                rating_list.count += len(rated)
        if not lists[kind].count:
            raise RefusedError("rating-list-bad", "no player")
        for each in lists.values():
            each.save(update_fields=["count"])
            audit.note("rating-list", actor=actor, name=each.name, players=each.count)
    return Upload(list(lists.values()), faults)


def check_kind(kind: str) -> None:
    """Raise RefusedError `rating-list-kind` for an unknown time control."""
    if kind not in RatingList.Kind.values:
        raise RefusedError("rating-list-kind", kind[:20])


def checked_name(name: str) -> str:
    """Return the name with single spaces. Raises RefusedError `rating-list-name`."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LIST_NAME_LENGTH or not name.isprintable():
        raise RefusedError("rating-list-name", name[:LIST_NAME_LENGTH])
    return name


def _emptied(name: str, kind: str, source: RatingSource | None) -> RatingList:
    """Return the list of that name without players, new if there is none."""
    columns = {"uploaded_at": database_time.now(), "count": 0, "kind": kind, "source": source}
    rating_list, _is_new = RatingList.objects.update_or_create(
        name=checked_name(name), defaults=columns
    )
    rating_list.players.all().delete()
    return rating_list


def _by_kind(batch: Iterable[RatedRow], kind: str) -> Mapping[str, list[_Rated]]:
    """Return the players of the list, and those with ratings of other time controls, if the list is a standard one."""
    by_kind: dict[str, list[_Rated]] = defaultdict(list)
    for each in batch:
        player = each.row.player
        if player is not None:
            by_kind[kind].append(_Rated(player, player.rating_elo))
            for other, elo in each.others.items() if kind == RatingList.Kind.STANDARD else ():
                by_kind[other].append(_Rated(player, elo))
    return by_kind


def _rows(rating_list: RatingList, rated: Iterable[_Rated]) -> Iterator[RatedPlayer]:
    for each in rated:
        player = each.player
        yield RatedPlayer(
            list=rating_list,
            name=player.name,
            search=rating_lists.words_of(player.name)[: 2 * len(player.name)],
            federation=player.federation,
            club=player.club,
            fide_id=player.fide_id,
            title=player.title,
            sex=player.sex,
            birth_year=player.birth[:4],
            rating_elo=each.elo,
            national_elo=player.national_elo,
            national_id=player.national_id,
        )


def note_start(event: Event, entries: Sequence[Entry]) -> None:
    """Store the ratings that the lists have for these entries when the event starts, or when they enter later.

    In the caller's transaction.
    """
    if not event.is_over_the_board:
        return
    ratings = rating_comparison.listed_ratings(event, entries)
    rated = [entry for entry in entries if entry.pk in ratings]
    for entry in rated:
        entry.start_list = ratings[entry.pk].source
        entry.start_centielo = ratings[entry.pk].centielo
    Entry.objects.bulk_update(rated, ["start_list", "start_centielo"], batch_size=_BATCH)


def remove(*, list_id: int, actor: User) -> None:
    """Delete a list with its players, and the address of its name. A list that is gone already is no error."""
    with transaction.atomic():
        rating_list = RatingList.objects.filter(pk=list_id).first()
        if rating_list is None:
            return
        audit.note("rating-list-remove", actor=actor, name=rating_list.name)
        RatingSource.objects.filter(name=rating_list.name).delete()
        rating_list.delete()
