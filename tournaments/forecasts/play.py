"""One event played to its end by chance, round by round, with the real pairing system."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from tournaments.forecasts.course import Course, TeamMatches
from tournaments.forecasts.results import ResultModel
from tournaments.pairing import (
    Board,
    Contestant,
    EventDecidedError,
    NoPairingError,
    PairingProblem,
    PairingSystem,
    RoundKind,
    RoundRecord,
    Solution,
    system,
)
from tournaments.pairing.colours import Strength, preference
from tournaments.pairing.knockout import TIES
from tournaments.pairing.tie_games import TieGameKind, deciding_game
from tournaments.round_kinds import Kind

# Formats that end automatically end long before. A system that never ends must not run endlessly.
_MOST_ROUNDS = 500
_SIDES = (RoundKind.FIRST, RoundKind.SECOND)


@dataclass(slots=True)
class Faults:
    """The defects of a pairing, counted over a whole event, once for each player concerned.

    Attributes:
        absolute: an absolute colour preference that was not granted (C.04.3 1.7.1).
        third: one side for three games in a row.
        idle: a round without an opponent that was not asked for.
        rematches: a game against an earlier opponent.
    """

    absolute: int = 0
    third: int = 0
    idle: int = 0
    rematches: int = 0


@dataclass(slots=True)
class Played:
    """A simulated event.

    Attributes:
        problem: the round after its last one, so that its records are those of the whole event.
        games: how many games each simulated round took, one after the other at one board: 1, or
            more if ties were played again.
        boards: how many boards each of these rounds had.
        faults: the defects of its pairings.
        is_stuck: whether it ended because no legal pairing was left (C.04.3 1.9.3).
    """

    problem: PairingProblem
    games: list[int] = field(default_factory=list)
    boards: list[int] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    is_stuck: bool = False


def play(course: Course, strengths: Mapping[int, float], rng: random.Random) -> Played:
    """Play the event of `course` from its current state to its end.

    The true strengths are by TPN (Elo points).
    """
    played = Played(course.problem)
    pairing_system = system(course.system)
    if course.open_round is not None:
        records = dict(course.open_round.records)
        _play_boards(
            course,
            played,
            course.open_round.boards,
            set(course.open_round.ties),
            strengths,
            rng,
            records,
        )
        played.problem = course.following(played.problem, records)
    while _goes_on(course, played):
        solution = _paired(pairing_system, played)
        if solution is None:
            break
        records = _records_without_board(course, played, solution)
        ties = {e.first for e in solution.evidence if e.meeting in TIES}
        _play_boards(course, played, solution.boards, ties, strengths, rng, records)
        played.problem = course.following(played.problem, records)
    return played


def _goes_on(course: Course, played: Played) -> bool:
    last = course.problem.rounds_total if course.is_swiss else _MOST_ROUNDS
    return played.problem.round_number <= last and len(played.problem.contestants) > 1


def _paired(pairing_system: PairingSystem, played: Played) -> Solution | None:
    """Return the next round, or None if the event is over, or cannot be paired any more."""
    try:
        return pairing_system.pair(played.problem)
    except EventDecidedError:
        return None
    except NoPairingError:
        played.is_stuck = True
        return None


def _records_without_board(
    course: Course, played: Played, solution: Solution
) -> dict[int, RoundRecord]:
    """Return the records of players without a board in the round, by TPN, as the event would note them."""
    problem = played.problem
    records: dict[int, RoundRecord] = {}
    for contestant in problem.absent:
        kind = course.bye_of(contestant.tpn, problem.round_number)
        records[contestant.tpn] = _without_board(course, kind, None)
    for idle in solution.idle:
        records[idle.tpn] = _without_board(course, idle.kind, idle.opponent)
        played.faults.idle += idle.kind is RoundKind.FREE
    if solution.bye is not None:
        records[solution.bye] = _without_board(course, RoundKind.PAIRING_BYE, None)
        played.faults.idle += 1
    return records


def _without_board(course: Course, kind: RoundKind, opponent: int | None) -> RoundRecord:
    games = [worth.worth(Kind(kind)) for worth in course.worths]
    halves, matches = sum(games), course.matches
    if matches is None:
        return RoundRecord(kind, opponent, halves, second_halves=sum(games[1:]))
    boards = max(len(of_team) for _, of_team in matches.line_ups)
    second = matches.second_halves(halves, boards)
    return RoundRecord(kind, opponent, halves, second_halves=second)


def _play_boards(
    course: Course,
    played: Played,
    boards: tuple[Board, ...],
    ties: set[int],
    strengths: Mapping[int, float],
    rng: random.Random,
    records: dict[int, RoundRecord],
) -> None:
    """Play the round's games and add their results to `records`."""
    # A player who has left since an open round was published is still at its board.
    everybody = (*played.problem.contestants, *played.problem.absent)
    by_tpn = {c.tpn: c for c in everybody}
    longest = len(course.worths)
    scores = (course.worth.loss, course.worth.draw, course.worth.win)
    for board in boards:
        _count_faults(course, played.faults, by_tpn[board.first], by_tpn[board.second])
        if course.matches is not None:
            records |= play_match(course.matches, course.model, board, strengths, rng)
            continue
        if board.first in ties:
            halves, games = _result_of_tie(course, board, strengths, rng)
            results = [halves]
            longest = max(longest, games)
        else:
            results = _results(course, board, strengths, rng)
        mine = [scores[halves] for halves in results]
        theirs = [scores[2 - halves] for halves in results]
        records[board.first] = RoundRecord(
            RoundKind.FIRST, board.second, sum(mine), second_halves=sum(mine[1:])
        )
        records[board.second] = RoundRecord(
            RoundKind.SECOND, board.first, sum(theirs), second_halves=sum(theirs[1:])
        )
    played.games.append(longest)
    played.boards.append(len(boards))


def _results(
    course: Course, board: Board, strengths: Mapping[int, float], rng: random.Random
) -> list[int]:
    """Return the half points of the board's first side in each game. Sides alternate."""
    first, second = strengths[board.first], strengths[board.second]
    results = [course.model.first_halves(first, second, rng)]
    if course.game_points is not None:
        results.append(2 - course.model.first_halves(second, first, rng))
    return results


def _result_of_tie(
    course: Course, board: Board, strengths: Mapping[int, float], rng: random.Random
) -> tuple[int, int]:
    """Return the half points of the board's first side in a tie, as of one game, and the number of games.

    Sides alternate. A drawn armageddon game is won by its second side.
    """
    first, second = strengths[board.first], strengths[board.second]
    rules = course.tie_rules
    margins: list[int] = []
    while kind := rules.kind_of(len(margins) + 1):
        margin = course.model.first_halves(first, second, rng) - 1
        is_armageddon = kind is TieGameKind.ARMAGEDDON
        if is_armageddon and margin == 0:
            margin = -1
        margins.append(margin if len(margins) % 2 == 0 else -margin)
        if is_armageddon or deciding_game(margins, rules.games, in_pairs=rules.in_pairs):
            break
        first, second = second, first
    lead = sum(margins)
    return 1 + (lead > 0) - (lead < 0), len(margins)


def _count_faults(course: Course, faults: Faults, first: Contestant, second: Contestant) -> None:
    for one, other, side in ((first, second, _SIDES[0]), (second, first, _SIDES[1])):
        faults.rematches += other.tpn in one.met
        if course.game_points is not None:
            continue  # both have both sides in a match of two games
        due = preference(one)
        faults.absolute += due.strength is Strength.ABSOLUTE and due.side is not side
        faults.third += one.colours[-2:] == (side, side)


def play_match(
    matches: TeamMatches,
    model: ResultModel,
    match: Board,
    strengths: Mapping[int, float],
    rng: random.Random,
) -> dict[int, RoundRecord]:
    """Return the records of both teams, whose true strengths are by TPN (Elo points).

    A level match goes to the team with the better board count, then the better top boards (C.07 12).
    If all boards are level, chance decides in the organiser's place.
    """
    line_ups = dict(matches.line_ups)
    mine, theirs = [], []
    for number, both in enumerate(
        zip(line_ups[match.first], line_ups[match.second], strict=True), start=1
    ):
        one, two = (
            None if above is None else strengths[team] + above
            for team, above in zip((match.first, match.second), both, strict=True)
        )
        is_first = number % 2 == 1 or not matches.alternates_boards
        halves = _team_board(model, one, two, rng, is_first=is_first)
        scores = (matches.game_points.loss, matches.game_points.draw, matches.game_points.win)
        mine.append(scores[halves[0]])
        theirs.append(scores[halves[1]])
    worth = matches.match_points
    by_difference = (sum(mine) > sum(theirs)) - (sum(mine) < sum(theirs))
    points = (worth.draw, worth.win, worth.loss)  # the last for -1
    is_level = by_difference == 0
    is_ahead = is_level and _is_ahead(mine, theirs, rng)
    return {
        match.first: RoundRecord(
            RoundKind.FIRST, match.second, points[by_difference], is_ahead, sum(mine)
        ),
        match.second: RoundRecord(
            RoundKind.SECOND,
            match.first,
            points[-by_difference],
            is_level and not is_ahead,
            sum(theirs),
        ),
    }


def _team_board(
    model: ResultModel, one: float | None, two: float | None, rng: random.Random, *, is_first: bool
) -> tuple[int, int]:
    """Return the results of both: 2 won, 1 drawn, 0 lost. An empty side loses."""
    if one is None or two is None:
        return 2 * (one is not None), 2 * (two is not None)
    if is_first:
        halves = model.first_halves(one, two, rng)
    else:
        halves = 2 - model.first_halves(two, one, rng)
    return halves, 2 - halves


def _is_ahead(mine: list[int], theirs: list[int], rng: random.Random) -> bool:
    counts = [sum(n * halves for n, halves in enumerate(each, 1)) for each in (mine, theirs)]
    if counts[0] != counts[1]:
        return counts[0] < counts[1]
    return mine > theirs if mine != theirs else rng.random() < 0.5
