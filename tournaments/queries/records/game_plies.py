"""The plies of a game, as its page reads them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet

from tournaments.models import Game, Ply, statements


class PlyRow(NamedTuple):
    """The columns of a ply that the page of its game shows.

    The longest games have 480 plies. Instances of the model with all columns took 4 ms of a page.
    """

    number: int
    side: str
    move: str
    spent_ms: int


def of_game(game: Game) -> list[PlyRow]:
    """Return the plies of the present attempt in their order."""
    return [PlyRow(*row) for row in _plies.all(game=game.pk, attempt=game.attempt)]


@statements.query
def _plies(game: int, attempt: int) -> QuerySet[Ply, tuple[int, str, str, int]]:
    plies = Ply.objects.filter(game=game, attempt=attempt).order_by("number")
    return plies.values_list(*PlyRow._fields)
