"""Glicko-2 after each game: people's games outside of events, and their games with bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.ratings import glicko2
from tournaments.ratings.systems.core import Line, RatingStanding, both_sides, standing_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from tournaments.ratings.systems.core import RatedGame

FORMULA = glicko2.FORMULA


class Glicko2System:
    """Glicko-2 ratings, which change with every game."""

    def __init__(self, standings: dict[int, RatingStanding]) -> None:
        self.standings = standings

    def order(self, _game: RatedGame) -> int:
        return 0

    def enter(self, game: RatedGame) -> Sequence[Line]:
        first = self.standings.setdefault(game.first, RatingStanding())
        second = self.standings.setdefault(game.second, RatingStanding())
        result = glicko2.rate_game(
            _glicko2_standing(first),
            _glicko2_standing(second),
            score_halves=game.first_halves,
            first_idle_s=_idle_s(first, game.ended_at),
            second_idle_s=_idle_s(second, game.ended_at),
            advantage_centielo=game.advantage_centielo,
        )
        lines = []
        changes = (result.first, result.second)
        for (side, player, _, _), change in zip(both_sides(game), changes, strict=True):
            line = _line(game.game, side, player, change)
            standing = self.standings[player]
            standing.count(line, at=game.ended_at)
            standing.deviation_centielo = change.after.deviation_centielo
            standing.volatility_billionths = change.after.volatility_billionths
            lines.append(line)
        return lines

    def close(self, _until: date) -> Sequence[Line]:
        return ()

    def restore(self, player: int, lines: Sequence[Line]) -> None:
        pass

    def expected_millionths(self, game: RatedGame) -> int:
        first, second = (
            read(standing_of(self.standings, player), game.ended_at)
            for player in (game.first, game.second)
        )
        return glicko2.expected_millionths(
            first, second, advantage_centielo=game.advantage_centielo
        )

    def formula_of(self, _game: RatedGame) -> str:
        return FORMULA


def read(standing: RatingStanding, at: datetime) -> glicko2.Standing:
    """Return the estimate of a player at a moment: the deviation has grown since the last game."""
    return glicko2.standing_at(_glicko2_standing(standing), idle_s=_idle_s(standing, at))


def _glicko2_standing(standing: RatingStanding) -> glicko2.Standing:
    if standing.deviation_centielo is None or standing.volatility_billionths is None:
        return glicko2.Standing()
    return glicko2.Standing(
        standing.centielo, standing.deviation_centielo, standing.volatility_billionths
    )


def _idle_s(standing: RatingStanding, at: datetime) -> int:
    """Seconds since the last game. Two games may end in one order and be entered in the other."""
    return 0 if standing.last_at is None else max(0, int((at - standing.last_at).total_seconds()))


def _line(game: int, side: str, player: int, change: glicko2.Change) -> Line:
    return Line(
        player=player,
        game=game,
        side=side,
        before_centielo=change.before.rating_centielo,
        delta_centielo=change.delta_centielo,
        opponent_centielo=change.opponent.rating_centielo,
        k_factor=0,
        expected_millionths=change.expected_millionths,
        score_halves=change.score_halves,
        formula=FORMULA,
        inputs={
            "deviation": change.deviation_centielo,
            "deviation_after": change.after.deviation_centielo,
            "volatility": change.before.volatility_billionths,
            "volatility_after": change.after.volatility_billionths,
            "opponent_deviation": change.opponent.deviation_centielo,
            "advantage": change.advantage_centielo,
        },
    )
