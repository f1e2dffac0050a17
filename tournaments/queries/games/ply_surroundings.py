"""The surroundings of a ply outside the row of its game, read in one query while that row is locked."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Conditional, Game, Offer, Ply, statements


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Facts about a ply in other tables.

    Attributes:
        has_takeback: a side has asked for a takeback, and has no answer yet.
        has_replies: a side has given replies in advance.
        has_key: a ply came with the client's key before.
    """

    has_takeback: bool
    has_replies: bool
    has_key: bool


# Games between bots have no take-backs, and no replies in advance.
_OF_MATCH = Surroundings(has_takeback=False, has_replies=False, has_key=False)


def of(game: Game, client_key: str | None = None) -> Surroundings:
    """The surroundings of the next ply of `game`, whose row the caller has locked.

    A statement after that of the lock: PostgreSQL shows one that waited for a lock other tables as they were before.
    """
    if game.match_id is not None:
        return _OF_MATCH
    row = _surroundings.one(pk=game.pk, client_key=client_key or "")
    assert row is not None, "the row of the game is locked"
    return Surroundings(*row)


@statements.query
def _surroundings(pk: int, client_key: str) -> QuerySet[Game, tuple[bool, bool, bool]]:
    """One statement in place of three."""
    takebacks = Offer.objects.open().filter(game=OuterRef("pk"), kind=Offer.Kind.TAKEBACK)
    return (
        Game.objects.filter(pk=pk)
        .values_list(
            Exists(takebacks),
            Exists(Conditional.objects.filter(game=OuterRef("pk"))),
            Exists(Ply.objects.filter(game=OuterRef("pk"), client_key=client_key)),
        )
        .order_by()
    )
