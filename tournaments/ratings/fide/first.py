"""The first rating of an unrated player (FIDE B.02 7.1.4 and 8.2), with its steps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from tournaments.ratings.errors import InputError
from tournaments.ratings.fide.rules import FirstRule
from tournaments.ratings.fide.tables import half_up, rating_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.ratings.fide.period import RatedGame
    from tournaments.ratings.fide.rules import RuleSet

_FEWEST_GAMES = 5
_HYPOTHETICAL_ELO = 1800
_HYPOTHETICAL_GAMES = 2
_HALF_POINT_ELO = 20


@dataclass(frozen=True, slots=True)
class FirstRating:
    """A first rating and its steps.

    Attributes:
        version: the rule set.
        games: games against rated opponents that counted.
        score_halves: the half points scored in them.
        average_elo: Ra, exact, with the two hypothetical opponents if the edition has them.
        percent: p in hundredths, half up, with the two hypothetical draws.
        difference_elo: the addition to Ra: dp, or 20 points a half point.
        computed_elo: Ru, rounded half up and lowered to the highest first rating.
        listed_elo: `computed_elo`, or None while it may not be published: fewer than 5 games, or
            below the floor.
    """

    version: str
    games: int
    score_halves: int
    average_elo: Fraction
    percent: int
    difference_elo: int
    computed_elo: int
    listed_elo: int | None


def first_rating(rules: RuleSet, *, events: Sequence[Sequence[RatedGame]]) -> FirstRating | None:
    """Return the first rating of a newcomer from the games of `events`, in order of time.

    Each event has the games against rated opponents, of at most 26 months.

    None as long as no game counts: a zero score in the first event is disregarded (8.2.1).

    Raises:
        InputError: a score that is not 0, 1 or 2 halves.
    """
    games = _counting(events)
    if not games:
        return None
    halves = sum(game.score_halves for game in games)
    total = sum(game.opponent_elo for game in games)
    match rules.first:
        case FirstRule.TWO_DRAWS:  # 8.2.2
            number = len(games) + _HYPOTHETICAL_GAMES
            total += _HYPOTHETICAL_GAMES * _HYPOTHETICAL_ELO
            percent = half_up(50 * (halves + _HYPOTHETICAL_GAMES), number)
            difference = rating_difference(percent)
        case FirstRule.TWENTY_A_HALF_POINT:
            number = len(games)
            percent = half_up(50 * halves, number)
            surplus = halves - number
            difference = _HALF_POINT_ELO * surplus if surplus >= 0 else rating_difference(percent)
        case _:  # pragma: no cover
            assert_never(rules.first)
    elo = half_up(total + difference * number, number)
    if rules.highest_first_elo is not None:
        elo = min(elo, rules.highest_first_elo)
    is_listed = len(games) >= _FEWEST_GAMES and elo >= rules.floor_elo
    return FirstRating(
        version=rules.version,
        games=len(games),
        score_halves=halves,
        average_elo=Fraction(total, number),
        percent=percent,
        difference_elo=difference,
        computed_elo=elo,
        listed_elo=elo if is_listed else None,
    )


def _counting(events: Sequence[Sequence[RatedGame]]) -> list[RatedGame]:
    """Return all games but those of a first event without half a point.

    The next event is then the first.
    """
    for event in events:
        for game in event:
            if game.score_halves not in (0, 1, 2):
                raise InputError(f"a game scored with {game.score_halves} half points")
    with_games = [event for event in events if event]
    while with_games and not any(game.score_halves for game in with_games[0]):
        with_games = with_games[1:]
    return [game for event in with_games for game in event]
