"""Elo after each game: the running ratings of bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.ratings import elo
from tournaments.ratings.systems.core import Line, RatingStanding, both_sides, standing_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from tournaments.ratings.systems.core import RatedGame


class EloSystem:
    """Elo ratings, which change with every game."""

    def __init__(self, standings: dict[int, RatingStanding]) -> None:
        self.standings = standings

    def order(self, _game: RatedGame) -> int:
        return 0

    def enter(self, game: RatedGame) -> Sequence[Line]:
        before = {
            player: self.standings.setdefault(player, RatingStanding())
            for player in (game.first, game.second)
        }
        edition = _edition(game)
        lines = [
            _line(edition, game.game, side, player, before[player], before[opponent], halves)
            for side, player, opponent, halves in both_sides(game)
        ]
        for line in lines:
            self.standings[line.player].count(line, at=game.ended_at)
        return lines

    def close(self, _until: date) -> Sequence[Line]:
        return ()

    def restore(self, player: int, lines: Sequence[Line]) -> None:
        pass

    def expected_millionths(self, game: RatedGame) -> int:
        return _edition(game).expected_millionths(
            standing_of(self.standings, game.first).centielo,
            standing_of(self.standings, game.second).centielo,
        )

    def formula_of(self, game: RatedGame) -> str:
        return _edition(game).formula


def _edition(game: RatedGame) -> elo.Edition:
    """Return the edition in force on the day on which the game ended."""
    return elo.edition_on(game.ended_at.date())


def _line(
    edition: elo.Edition,
    game: int,
    side: str,
    player: int,
    mine: RatingStanding,
    theirs: RatingStanding,
    score_halves: int,
) -> Line:
    change = edition.change(
        rating_centielo=mine.centielo,
        opponent_centielo=theirs.centielo,
        score_halves=score_halves,
        k=edition.k_factor(games=mine.games, peak_centielo=mine.peak_centielo),
    )
    return Line(
        player=player,
        game=game,
        side=side,
        before_centielo=mine.centielo,
        delta_centielo=change.delta_centielo,
        opponent_centielo=theirs.centielo,
        k_factor=change.k_factor,
        expected_millionths=change.expected_millionths,
        score_halves=score_halves,
        formula=edition.formula,
    )
