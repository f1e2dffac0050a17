"""Games as small boards in lists, and the stream that keeps them as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

import games
from games import svg
from tournaments import database_time
from tournaments.models import Game
from tournaments.queries.ratings import seat_ratings
from tournaments.queries.ratings.seat_ratings import SeatRating
from tournaments.services.notifications import news
from tournaments.text import rulesets
from tournaments.views.games import boards

_PLAIN = svg.Look()


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A game as a small board with its names, for lists.

    Attributes:
        ratings: those beside the names of the first and the second player, if they have any.
    """

    game: Game
    title: str
    board: SafeString
    ratings: tuple[SeatRating | None, SeatRating | None]


def cards(rows: Sequence[Game], look: svg.Look = _PLAIN) -> list[BoardCard]:
    """Return small cards of the current positions of the games."""
    ratings = seat_ratings.of_games(rows, database_time.now())
    return [
        BoardCard(
            game,
            rulesets.ruleset_name(game.ruleset),
            boards.draw(
                games.load(game.ruleset).parse(game.position),
                look=look,
                id_prefix=f"game-{game.pk}",
            ),
            (ratings.get((game.pk, game.first_id)), ratings.get((game.pk, game.second_id))),
        )
        for game in rows
    ]


def stream(games_on_page: Sequence[Game]) -> str:
    """Return the address of the stream with the moves of these games after those on the page."""
    topics = [news.of_game(game.pk) for game in games_on_page]
    return news.stream_query(news.last_seqs(topics))
