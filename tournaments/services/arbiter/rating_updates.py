"""Values of a rating list that the organiser takes over into entries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from django.db import transaction

from tournaments.errors import StaleError
from tournaments.models import Entry, Event, RatingList, User
from tournaments.models.entries import LaterRating
from tournaments.queries.events import rating_comparison
from tournaments.queries.events.rating_comparison import Difference
from tournaments.queries.events.staff import Task
from tournaments.services.arbiter import entry_acts, later_ratings
from tournaments.services.events import acts, listed_players

_RATING = "rating_elo"


def take_over(
    *, event_id: int, actor: User, list_id: int, chosen: Collection[str], from_round: int = 1
) -> int:
    """Store the values of the differences with these codes, all or none. Return their number.

    Before the start entries are edited. Later a rating is set as the desk sets it, with the list as
    the reason. If `from_round` is a later round, ratings hold from it on.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `rating-list-changed` if the list or the entries no longer have a difference.
        RefusedError: as `listed_players.edit`, `entry_acts.set_rating` and
            `later_ratings.set_rating_from`.
    """
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.ENTRIES)
        rating_list = RatingList.objects.filter(pk=list_id).first()
        if rating_list is None:
            raise StaleError("rating-list-changed", str(list_id))
        comparison = rating_comparison.compared(event, rating_list)
        differences = [each for each in comparison.differences if each.code in chosen]
        if len(differences) != len(set(chosen)):
            raise StaleError("rating-list-changed", rating_list.name)
        for entry, rows in groupby(differences, attrgetter("entry")):
            _store(event, actor, entry, list(rows), rating_list.dated_name, from_round)
        if from_round == 1 and any(each.column == _RATING for each in differences):
            entry_acts.follow_ratings(event)
    return len(differences)


def _store(
    event: Event,
    actor: User,
    entry: Entry,
    rows: Sequence[Difference],
    source: str,
    from_round: int,
) -> None:
    values = {each.column: each.listed for each in rows}
    rating = values.get(_RATING)
    is_later = from_round != 1
    is_late = rating is not None and (is_later or event.state != Event.State.REGISTRATION)
    if is_late:
        del values[_RATING]
    if values:
        player = replace(rating_comparison.player_of(entry), **values)  # type: ignore[arg-type]  # as the columns have them
        listed_players.edit(event_id=event.pk, actor=actor, entry_id=entry.pk, player=player)
    if rating is None:
        return
    centielo = 100 * int(rating)
    if is_later:
        later = LaterRating(from_round, centielo, source)
        later_ratings.hold(
            event, actor, entry_id=entry.pk, from_round=from_round, later=later, reason=source
        )
        return
    if is_late:
        entry_acts.store_rating(event, actor, entry_id=entry.pk, centielo=centielo, reason=source)
    Entry.objects.filter(pk=entry.pk).update(source_list=source, source_centielo=centielo)
