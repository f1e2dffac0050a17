"""A few hundred simulated events, and the results of all players in them.

An equal seed gives an equal answer.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.forecasts import strengths as strength
from tournaments.forecasts.answers import Chance, EventForecast, Mean, PlanForecast, Range, Share
from tournaments.forecasts.planning import course_of
from tournaments.forecasts.play import play
from tournaments.forecasts.ranks import final_groups
from tournaments.pairing import RoundKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tournaments.forecasts.course import Course
    from tournaments.forecasts.planning import Plan, Timing
    from tournaments.forecasts.play import Played

    # Gets the number of events that are done.
    Progress = Callable[[int], None]

_PRIZES = 3
_MINUTE_MS = 60_000


def _ignore(_done: int) -> None:
    """Ignore the progress."""


def event_forecast(
    course: Course, *, seed: int, events: int, progress: Progress = _ignore
) -> EventForecast:
    """Return the chances of all players in the event of `course`, from a number of simulated ends of it.

    `progress` gets the number of finished ends after each.
    """
    rng = random.Random(seed)
    known = _strengths(course)
    tpns = [prior.tpn for prior in course.priors]
    wins: dict[int, float] = defaultdict(float)
    threes: dict[int, float] = defaultdict(float)
    points: dict[int, list[float]] = {tpn: [] for tpn in tpns}
    for number in range(1, events + 1):
        drawn = dict(zip(tpns, known.draw(rng), strict=True))
        played = play(course, drawn, rng)
        groups = final_groups(course, played.problem)
        _add(wins, _shares_of_places(groups, 1))
        _add(threes, _shares_of_places(groups, _PRIZES))
        for contestant in (*played.problem.contestants, *played.problem.absent):
            points[contestant.tpn].append(contestant.score_halves / 2)
        progress(number)
    chances = [
        Chance(
            tpn, Share.of(wins[tpn], events), Share.of(threes[tpn], events), Mean.of(points[tpn])
        )
        for tpn in tpns
    ]
    chances.sort(key=lambda c: (-c.win.value, -c.first_three.value, -c.points.value, c.tpn))
    return EventForecast(events, tuple(chances))


def _add(totals: dict[int, float], shares: Mapping[int, float]) -> None:
    for tpn, share in shares.items():
        totals[tpn] += share


def _shares_of_places(groups: Sequence[Sequence[int]], places: int) -> dict[int, float]:
    """Return each player's part of the first `places` places.

    Players who share a rank share its places.
    """
    shares: dict[int, float] = {}
    left = places
    for group in groups:
        if left <= 0:
            break
        part = min(1.0, left / len(group))
        shares |= dict.fromkeys(group, part)
        left -= len(group)
    return shares


def _strengths(course: Course) -> strength.Strengths:
    place = {prior.tpn: n for n, prior in enumerate(course.priors)}
    return strength.strengths(
        course.priors,
        list(_encounters(course, place)),
        advantage_elo=course.model.advantage_elo,
    )


def _encounters(course: Course, place: Mapping[int, int]) -> Iterable[strength.Encounter]:
    """Yield the games of the event so far, each once: from the record of its first side.

    A match of teams is like one game between their average members.
    """
    problem, worth = course.problem, course.worth
    scores = {worth.loss: 0.0, worth.draw: 0.5, worth.win: 1.0}
    for contestant in (*problem.contestants, *problem.absent):
        for record in contestant.records:
            for game in course.games_of(record):
                if game.kind is RoundKind.FIRST and game.opponent is not None:
                    # Points that the arbiter deducted may make a score that no result has.
                    score = scores.get(game.score_halves, 0.5)
                    yield strength.Encounter(place[contestant.tpn], place[game.opponent], score)


@dataclass(slots=True)
class _Tally:
    """The notes of each simulated event of a plan."""

    strongest_wins: float = 0.0
    strongest_in_three: float = 0.0
    favourite_wins: float = 0.0
    stuck: int = 0
    order: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)
    faults: dict[str, list[float]] = field(
        default_factory=lambda: {n: [] for n in ("absolute", "third", "idle", "rematches")}
    )


def plan_forecast(
    plan: Plan, *, seed: int, events: int, progress: Progress = _ignore
) -> PlanForecast:
    """Return the expected result of `plan`, from a number of simulated events.

    `progress` gets the number of finished events after each.

    Raises BadProblemError when the format's options make no sense for this number of players.
    """
    rng = random.Random(seed)
    course = course_of(plan)
    known = _strengths(course)
    tpns = [prior.tpn for prior in course.priors]
    tally = _Tally()
    for number in range(1, events + 1):
        drawn = dict(zip(tpns, known.draw(rng), strict=True))
        played = play(course, drawn, rng)
        groups = final_groups(course, played.problem)
        _note(tally, played, groups, drawn)
        if plan.timing is not None:
            tally.minutes.append(_minutes(played, plan.timing, rng))
        progress(number)
    return PlanForecast(
        events=events,
        strongest_wins=Share.of(tally.strongest_wins, events),
        strongest_in_three=Share.of(tally.strongest_in_three, events),
        favourite_wins=Share.of(tally.favourite_wins, events),
        order=Mean.of(tally.order),
        rounds=Range.of(tally.rounds),
        minutes=Range.of(tally.minutes) if tally.minutes else None,
        stuck=Share.of(tally.stuck, events),
        **{name: Mean.of(numbers) for name, numbers in tally.faults.items()},
    )


def _note(
    tally: _Tally, played: Played, groups: Sequence[Sequence[int]], drawn: Mapping[int, float]
) -> None:
    strongest = max(drawn, key=lambda tpn: (drawn[tpn], -tpn))
    first = _shares_of_places(groups, 1)
    tally.strongest_wins += first.get(strongest, 0.0)
    tally.favourite_wins += first.get(min(drawn), 0.0)
    tally.strongest_in_three += _shares_of_places(groups, _PRIZES).get(strongest, 0.0)
    tally.stuck += played.is_stuck
    tally.order.append(kendall_tau(groups, drawn))
    tally.rounds.append(len(played.games))
    for name, numbers in tally.faults.items():
        numbers.append(getattr(played.faults, name))


def kendall_tau(groups: Sequence[Sequence[int]], strengths: Mapping[int, float]) -> float:
    """Return Kendall's tau-a (1938) between ranks and strengths, -1 to 1.

    Pairs in the right order less pairs in the wrong one, over all pairs. Pairs that share a rank
    count as neither. 1 for a single player.
    """
    ranks = [(rank, strengths[tpn]) for rank, group in enumerate(groups) for tpn in group]
    pairs = len(ranks) * (len(ranks) - 1) // 2
    surplus = 0
    for (rank, mine), (other_rank, other) in combinations(ranks, 2):
        if rank != other_rank and mine != other:
            surplus += 1 if (rank < other_rank) == (mine > other) else -1
    return surplus / pairs if pairs else 1.0


def _minutes(played: Played, timing: Timing, rng: random.Random) -> float:
    """Return the duration of the event, in minutes: its rounds one after the other, with the pauses between them.

    A round lasts as long as its longest game, and longer by a game for every replay of a tie. The
    length of a game is drawn between half and one and a half times the typical one. Each side uses
    between half and all of the time that its clock allows for that number of plies.
    """
    total_ms = 0.0
    for games, boards in zip(played.games, played.boards, strict=True):
        for _ in range(games):
            total_ms += max((_game_ms(timing, rng) for _ in range(boards)), default=0.0)
    pauses_s = timing.pause_s * max(0, len(played.games) - 1)
    return (total_ms + 1000 * pauses_s) / _MINUTE_MS


def _game_ms(timing: Timing, rng: random.Random) -> float:
    turns = timing.plies * (0.5 + rng.random()) / 2
    allowed = timing.initial_ms + turns * timing.increment_ms
    return allowed * (0.5 + rng.random() / 2) + allowed * (0.5 + rng.random() / 2)
