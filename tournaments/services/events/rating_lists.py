"""Uploads of rating lists by administrators."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import BinaryIO

from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, RatedPlayer, RatingList, RatingSource, User
from tournaments.models.rating_lists import LIST_NAME_LENGTH
from tournaments.queries.events import rating_comparison, rating_lists
from tournaments.queries.events.player_lists import ListedPlayer, rating_files
from tournaments.queries.events.player_lists.rating_files import RatedRow
from tournaments.services import audit

_BATCH = 2_000
# A list that is not current after this time belongs to a process that has died: longer than the limit of a task.
_UNFINISHED = timedelta(hours=2)


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


class Intake:
    """The lists of a file while their players are stored, in parts. `make_current` puts them in place of the former ones."""

    def __init__(self, name: str, kind: str, source: RatingSource | None) -> None:
        self._name, self._kind, self._source = name, kind, source
        self._lists: dict[str, RatingList] = {}
        self.faults = 0

    @property
    def count(self) -> int:
        """The number of players of the main list."""
        return self._lists[self._kind].count if self._lists else 0

    def read(self, stream: BinaryIO, progress: Callable[[int], object] = lambda _: None) -> None:
        """Store the players of a file, and call `progress` with their number after each part.

        Raises RefusedError `rating-list-bad` also without a player, `rating-list-large`.
        """
        self._list_of(self._kind)
        rows = rating_files.read(stream)
        while batch := list(islice(rows, _BATCH)):
            self.faults += sum(each.row.player is None for each in batch)
            with transaction.atomic():
                for kind, rated in _by_kind(batch, self._kind).items():
                    rating_list = self._list_of(kind)
                    RatedPlayer.objects.bulk_create(_rows(rating_list, rated))
                    rating_list.count += len(rated)
            progress(self.count)
        if not self.count:
            raise RefusedError("rating-list-bad", "no player")

    def require_share(self, share: float) -> None:
        """Raise RefusedError `rating-source-smaller` if a list has fewer players than this share of the former one."""
        former = dict(RatingList.objects.values_list("name", "count"))
        for each in self._lists.values():
            if each.count < share * former.get(each.name, 0):
                players = f"{each.name}: {each.count} players, before {former[each.name]}"
                raise RefusedError("rating-source-smaller", players)

    def make_current(self, actor: User | None) -> Upload:
        """Put the lists in place of those with their names. In the caller's transaction."""
        for each in self._lists.values():
            RatingList.objects.filter(name=each.name).update(is_current=False)
            each.is_current = True
            each.save(update_fields=["is_current", "count"])
            audit.note("rating-list", actor=actor, name=each.name, players=each.count)
        return Upload(list(self._lists.values()), self.faults)

    def _list_of(self, kind: str) -> RatingList:
        if kind not in self._lists:
            name = self._name if kind == self._kind else f"{self._name} {kind}"
            self._lists[kind] = RatingList.every.create(
                name=checked_name(name),
                kind=kind,
                source=self._source,
                is_current=False,
                uploaded_at=database_time.now(),
                count=0,
            )
        return self._lists[kind]

    def delete_unused(self) -> None:
        """Delete the lists of this file that did not become current, and those that they replaced."""
        now = database_time.now()
        own = [each.pk for each in self._lists.values()]
        unused = RatingList.every.filter(is_current=False)
        replaced = Q(name__in=[each.name for each in self._lists.values() if each.is_current])
        _delete(unused.filter(Q(pk__in=own) | replaced | Q(uploaded_at__lt=now - _UNFINISHED)))


@contextmanager
def intake(*, name: str, kind: str, source: RatingSource | None = None) -> Iterator[Intake]:
    """Yield the intake of a file, and delete afterwards the players that are not in use.

    Raises RefusedError `rating-list-name`, `rating-list-kind`.
    """
    check_kind(kind)
    own = Intake(checked_name(name), kind, source)
    try:
        yield own
    finally:
        own.delete_unused()


def replace(
    *,
    name: str,
    stream: BinaryIO,
    kind: str = RatingList.Kind.STANDARD,
    actor: User | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Upload:
    """Store the players of a file as the list of that name, in place of its earlier players.

    A line that cannot be a player is left out. Rapid and blitz ratings of a standard list are lists of their own:
    `FIDE rapid` beside `FIDE`. Each part is a transaction, and the former list is in use until the last one is stored.

    Raises RefusedError `rating-list-name`, `rating-list-kind`, `rating-list-bad` also without a
    player, `rating-list-large`.
    """
    with intake(name=name, kind=kind) as lists:
        lists.read(stream, progress)
        with transaction.atomic():
            return lists.make_current(actor)


def _delete(lists: QuerySet[RatingList]) -> None:
    """Delete lists with their players, in parts."""
    for rating_list in lists:
        players = RatedPlayer.objects.filter(list=rating_list).order_by()
        while ids := list(players.values_list("pk", flat=True)[:_BATCH]):
            RatedPlayer.objects.filter(pk__in=ids).delete()
        rating_list.delete()


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
        RatingList.objects.filter(pk=list_id).update(is_current=False)
    _delete(RatingList.every.filter(pk=list_id, is_current=False))
