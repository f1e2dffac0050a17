"""The rating change of a rated player over a rating period (FIDE B.02 8.3), with its steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from tournaments.ratings.errors import InputError
from tournaments.ratings.fide.rules import Cap, limited_k
from tournaments.ratings.fide.tables import half_away, scoring_probability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.ratings.fide.rules import RuleSet

_MOST_DIFFERENCE_ELO = 400
_EXEMPT_FROM_ELO = 2650
_UNRATED_ABOVE_ELO = 2600
_HIGHEST_ELO = 5000


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game over the board: the opponent's listed rating and the own score in half points.

    `key` is the caller's name for the game and comes back in the step. Forfeits are not games
    (5.1).
    """

    opponent_elo: int
    score_halves: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A player's games of one event, and the own rating on the list in force when it began."""

    rating_elo: int
    games: tuple[RatedGame, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class GameStep:
    """The effect of one game.

    Attributes:
        game: the game of the input.
        difference_elo: D, the own rating minus the opponent's.
        counted_elo: D after the 400-point rule.
        probability_hundredths: PD of the counted difference (8.1.2).
        delta_hundredths: score minus PD, in hundredths of a point, or 0 of a game that is not
            rated.
        is_rated: False if the difference is too great for a rated game (rapid and blitz since 1
            December 2024).
    """

    game: RatedGame
    difference_elo: int
    counted_elo: int
    probability_hundredths: int
    delta_hundredths: int
    is_rated: bool = True

    @property
    def is_capped(self) -> bool:
        """Return whether the 400-point rule changed the difference."""
        return self.counted_elo != self.difference_elo


@dataclass(frozen=True, slots=True)
class EventSteps:
    """The steps of one event: its games in order, the sum of their deltas, and K times the sum."""

    event: Event
    games: tuple[GameStep, ...]
    sum_hundredths: int
    change_centielo: int


@dataclass(frozen=True, slots=True)
class PeriodChange:
    """The change of a rating by a period, and all it follows from.

    Attributes:
        version: the rule set.
        rating_elo: the rating on the list before.
        events: the steps.
        games: rated games of the period, the n of K x n.
        k: the player's K (8.3.3).
        k_used: K after the limit of 700.
        sum_hundredths: the sum of all deltas, in hundredths of a point.
        change_centielo: `k_used` times the sum, exact, in hundredths of an Elo point.
        change_elo: this sum rounded once, a half away from zero (8.3.4).
        new_elo: the rating after the period, whether or not it can be published.
        listed_elo: `new_elo`, or None below the floor: unrated on the next list (7.2.1).
    """

    version: str
    rating_elo: int
    events: tuple[EventSteps, ...]
    games: int
    k: int
    k_used: int
    sum_hundredths: int
    change_centielo: int
    change_elo: int
    new_elo: int
    listed_elo: int | None


def period_change(
    rules: RuleSet, *, rating_elo: int, k: int, events: Sequence[Event]
) -> PeriodChange:
    """Return the change of `rating_elo`, the rating on the last list, by all games of a period (8.3).

    Args:
        rules: the edition in force when the period began.
        rating_elo: in whole Elo points, as FIDE lists are.
        k: the coefficient published on the last list, before the limit of 700: see
            `rules.k_factor`.
        events: in order of time, each with the own rating when it began.

    Raises:
        InputError: a rating out of range, a score that is not 0, 1 or 2 halves, or a K below 1.
    """
    _check_elo(rating_elo)
    if k < 1:
        raise InputError(f"K = {k}")
    steps = [_event_steps(rules, event) for event in events]
    games = sum(step.is_rated for event in steps for step in event)
    k_used = limited_k(rules, k, games=games)
    results = tuple(
        EventSteps(event, event_steps, total := _sum(event_steps), k_used * total)
        for event, event_steps in zip(events, steps, strict=True)
    )
    total = sum(result.sum_hundredths for result in results)
    change_elo = half_away(k_used * total)
    new_elo = rating_elo + change_elo
    return PeriodChange(
        version=rules.version,
        rating_elo=rating_elo,
        events=results,
        games=games,
        k=k,
        k_used=k_used,
        sum_hundredths=total,
        change_centielo=k_used * total,
        change_elo=change_elo,
        new_elo=new_elo,
        listed_elo=new_elo if new_elo >= rules.floor_elo else None,
    )


def _sum(steps: tuple[GameStep, ...]) -> int:
    return sum(step.delta_hundredths for step in steps)


def _event_steps(rules: RuleSet, event: Event) -> tuple[GameStep, ...]:
    _check_elo(event.rating_elo)
    for game in event.games:
        _check_elo(game.opponent_elo)
        if game.score_halves not in (0, 1, 2):
            raise InputError(f"a game scored with {game.score_halves} half points")
    differences = [event.rating_elo - game.opponent_elo for game in event.games]
    counted_elos = _counted(rules, event.rating_elo, differences)
    return tuple(
        _step(rules, event.rating_elo, game, *pair)
        for game, *pair in zip(event.games, differences, counted_elos, strict=True)
    )


def _check_elo(rating_elo: int) -> None:
    if not 0 <= rating_elo <= _HIGHEST_ELO:
        raise InputError(f"a rating of {rating_elo}")


def _counted(rules: RuleSet, rating_elo: int, differences: list[int]) -> list[int]:
    """Return the differences of an event after the 400-point rule (8.3.1).

    It asks for the own rating only.
    """
    match rules.cap:
        case Cap.BELOW_2650:
            return differences if rating_elo >= _EXEMPT_FROM_ELO else _capped(differences)
        case Cap.EVERYBODY:
            return _capped(differences)
        case Cap.ONE_UPGRADE:
            return _capped_once(differences)
        case _:  # pragma: no cover
            assert_never(rules.cap)


def _capped(differences: list[int]) -> list[int]:
    return [max(-_MOST_DIFFERENCE_ELO, min(_MOST_DIFFERENCE_ELO, d)) for d in differences]


def _capped_once(differences: list[int]) -> list[int]:
    """Return the differences by the rule until February 2024.

    The higher-rated player profits once an event, in the game with the greatest difference.
    """
    greatest = max(range(len(differences)), key=lambda n: differences[n], default=0)
    capped_elos = _capped(differences)
    return [
        capped_elos[n] if n == greatest or difference < 0 else difference
        for n, difference in enumerate(differences)
    ]


def _step(
    rules: RuleSet, rating_elo: int, game: RatedGame, difference: int, counted_elo: int
) -> GameStep:
    probability = scoring_probability(counted_elo)
    highest = max(rating_elo, game.opponent_elo)
    is_rated = not (
        rules.unrated_gap_elo is not None
        and abs(difference) >= rules.unrated_gap_elo
        and highest > _UNRATED_ABOVE_ELO
    )
    delta = game.score_halves * 50 - probability if is_rated else 0
    return GameStep(game, difference, counted_elo, probability, delta, is_rated)
