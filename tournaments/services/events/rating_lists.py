"""Uploads of rating lists by administrators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import RatedPlayer, RatingList, User
from tournaments.models.rating_lists import LIST_NAME_LENGTH
from tournaments.queries.events import rating_lists
from tournaments.queries.events.player_lists import ListedPlayer, rating_files
from tournaments.services import audit

_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Upload:
    """A list that was stored. `faults` counts the lines that were left out."""

    rating_list: RatingList
    faults: int


def replace(*, name: str, stream: BinaryIO, actor: User | None = None) -> Upload:
    """Store the players of a file as the list of that name, in place of its earlier players.

    The file is read in one transaction, line by line. A line that cannot be a player is left out.

    Raises RefusedError `rating-list-name`, `rating-list-bad` also without a player,
    `rating-list-large`.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= LIST_NAME_LENGTH or not name.isprintable():
        raise RefusedError("rating-list-name", name[:LIST_NAME_LENGTH])
    with transaction.atomic():
        rating_list, _is_new = RatingList.objects.update_or_create(
            name=name, defaults={"uploaded_at": database_time.now(), "count": 0}
        )
        rating_list.players.all().delete()
        faults = count = 0
        rows = rating_files.read(stream)
        while batch := list(islice(rows, _BATCH)):
            players = [row.player for row in batch if row.player is not None]
            RatedPlayer.objects.bulk_create(_rows(rating_list, players))
            count += len(players)
            faults += len(batch) - len(players)
        if not count:
            raise RefusedError("rating-list-bad", "no player")
        rating_list.count = count
        rating_list.save(update_fields=["count"])
        audit.note("rating-list", actor=actor, name=name, players=count)
    return Upload(rating_list, faults)


def _rows(rating_list: RatingList, players: list[ListedPlayer]) -> Iterator[RatedPlayer]:
    for player in players:
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
            rating_elo=player.rating_elo,
            national_elo=player.national_elo,
            national_id=player.national_id,
        )


def remove(*, list_id: int, actor: User) -> None:
    """Delete a list with its players. A list that is gone already is no error."""
    with transaction.atomic():
        rating_list = RatingList.objects.filter(pk=list_id).first()
        if rating_list is None:
            return
        audit.note("rating-list-remove", actor=actor, name=rating_list.name)
        rating_list.delete()
