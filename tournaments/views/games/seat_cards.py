"""The cards of the two players of a game: a short introduction beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournaments.models import Game, Introduction, Player, Rating, statements
from tournaments.models.games import Side
from tournaments.queries.ratings import head_to_head, pools
from tournaments.queries.ratings.head_to_head import Tally


@dataclass(frozen=True, slots=True)
class SeatCard:
    """The card of a player with a page.

    Attributes:
        rating: in the pool of such games, with the number of games; None before the first one.
        met: results of the reader against the player; None without an account and for the reader.
    """

    side: Side
    player: Player
    reader: Player | None
    rating: Rating | None
    introduction: Introduction | None
    met: Tally | None


def of_game(game: Game, reader: Player | None) -> Sequence[SeatCard]:
    """Return the cards of the players of `game` who have pages."""
    seats = ((Side.FIRST, game.first), (Side.SECOND, game.second))
    players = [(side, player) for side, player in seats if _has_page(player)]
    rows = _ratings.all(key=pools.key_of_game(game), first=game.first_id, second=game.second_id)
    ratings = {row.player_id: row for row in rows}
    people = [player.pk for _, player in players if not player.is_bot]
    introductions = Introduction.objects.in_bulk(people)
    return [
        SeatCard(
            side=side,
            player=player,
            reader=reader,
            rating=ratings.get(player.pk),
            introduction=introductions.get(player.pk),
            met=_met(reader, player),
        )
        for side, player in players
    ]


@statements.query
def _ratings(key: str, first: int, second: int) -> QuerySet[Rating]:
    rated = Rating.objects.filter(pool__key=key, games__gt=0).select_related("pool")
    return rated.filter(Q(player=first) | Q(player=second))


def _has_page(player: Player) -> bool:
    return not (player.is_guest or player.is_listed or player.is_team)


def _met(reader: Player | None, player: Player) -> Tally | None:
    if reader is None or reader == player or not _has_page(reader):
        return None
    return head_to_head.head_to_head(reader, player).together.total
