"""Games as small boards in lists, and the stream that keeps them as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

import games
from games import svg
from tournaments.models import Game
from tournaments.services.notifications import news
from tournaments.text import rulesets
from tournaments.views.games import boards

_PLAIN = svg.Look()


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A game as a small board with its names, for lists."""

    game: Game
    title: str
    board: SafeString


def card(game: Game, look: svg.Look = _PLAIN) -> BoardCard:
    """Return a small card of the game's current position."""
    position = games.load(game.ruleset).parse(game.position)
    board = boards.draw(position, look=look, id_prefix=f"game-{game.pk}")
    return BoardCard(game, rulesets.ruleset_name(game.ruleset), board)


def stream(games_on_page: Sequence[Game]) -> str:
    """Return the address of the stream with the moves of these games after those on the page."""
    topics = [news.of_game(game.pk) for game in games_on_page]
    return news.stream_query(news.last_seqs(topics))
