"""The scheduler of a ladder under many bots and workers, simulated: `python -m tests.bench.league [BOTS WORKERS]...`

The draws are those of `tournaments.pairing.ladder`, one after the other in one process. Results
come from known strengths, and matches of two games take a minute on average, with a long tail.
Simulated are the workers and their time: rounds are drawn as soon as the one before is stored, at
most one a second, for all workers that are free. Each size is drawn twice, among all bots that wait
and among the 200 most urgent ones.

The table has the duration of a draw (CPU), the share of busy workers, and the size of a stored
round as JSON. It also has the agreement of the order by Elo with the true one (Kendall's tau over a
sample).
"""

from __future__ import annotations

import heapq
import json
import math
import random
import sys
import time
from dataclasses import dataclass, field

from tournaments.pairing import Contestant, PairingProblem, RoundKind, RoundRecord, system

_SIZES = ((100, 4), (1_000, 50), (10_000, 500))
_SIMULATED_S = 180.0
_MATCH_S = 60.0
_LATEST = 120
_SPREAD_ELO = 300.0
_START_CENTIELO = 150_000
# The games of each bot before the first simulated second, against any opponent.
_EARLIER = 40
_K = 24.0
_AMONG = 200


@dataclass
class _Bot:
    tpn: int
    strength: float
    elo: float
    records: list[RoundRecord] = field(default_factory=list)
    free_since: float = 0.0

    def deviation_centielo(self) -> int:
        return round(35_000 / math.sqrt(1 + len(self.records)))


def main() -> None:
    """Print the table."""
    numbers = [int(text) for text in sys.argv[1:]]
    sizes = list(zip(numbers[::2], numbers[1::2], strict=True)) or list(_SIZES)
    print(
        "  bots  workers   among  draw (CPU)  boards a draw  workers that play  a round as JSON   tau"
    )
    for bots, workers in sizes:
        for among in sorted({bots, min(bots, _AMONG)}, reverse=True):
            print(_row(bots, workers, among), flush=True)


def _row(count: int, workers: int, among: int) -> str:
    lots = random.Random(count)
    bots = _bots(count, lots)
    playing: list[tuple[float, int, int]] = []
    now, draws, boards, draw_s, busy_s, stored = 0.0, 0, 0, 0.0, 0.0, 0
    ladder = system("ladder")
    while now < _SIMULATED_S:
        while playing and playing[0][0] <= now:
            ended_at, one, two = heapq.heappop(playing)
            _score(bots[one], bots[two], ended_at, lots)
        room = workers - len(playing)
        if room:
            start = time.process_time()
            problem = _problem(bots, playing, draws, room, now, among)
            solution = ladder.pair(problem)
            took = time.process_time() - start
            draws, boards, draw_s = draws + 1, boards + len(solution.boards), draw_s + took
            if not stored:
                stored = len(json.dumps(problem.to_json()))
            for board in solution.boards:
                length = lots.lognormvariate(0.0, 0.8) * _MATCH_S / 1.377  # its mean is a minute
                busy_s += max(0.0, min(_SIMULATED_S, now + took + length) - now - took)
                heapq.heappush(playing, (now + took + length, board.first, board.second))
            now += max(1.0, took)
        else:
            now = max(now + 1.0, playing[0][0])
    return (
        f"{count:6}  {workers:7}  {among:6}  {1e3 * draw_s / draws:7.0f} ms  {boards / draws:13.1f}"
        f"  {busy_s / workers / _SIMULATED_S:16.0%}  {stored / 1e6:12.2f} MB  {_tau(bots, lots):5.2f}"
    )


def _bots(count: int, lots: random.Random) -> dict[int, _Bot]:
    bots = [
        _Bot(tpn, lots.gauss(0.0, _SPREAD_ELO), _START_CENTIELO / 100)
        for tpn in range(1, count + 1)
    ]
    for _ in range(_EARLIER):
        for bot in bots:
            other = lots.choice(bots)
            if other is not bot:
                _score(bot, other, 0.0, lots)
    return {bot.tpn: bot for bot in bots}


def _score(one: _Bot, two: _Bot, now: float, lots: random.Random) -> None:
    """A game that is over: both get a record and another rating."""
    truth = 1 / (1 + 10 ** ((two.strength - one.strength) / 400))
    expected = 1 / (1 + 10 ** ((two.elo - one.elo) / 400))
    won = lots.random() < truth
    one.elo += _K * (won - expected)
    two.elo -= _K * (won - expected)
    for bot, other, kind, halves in (
        (one, two, RoundKind.FIRST, 2 * won),
        (two, one, RoundKind.SECOND, 2 * (not won)),
    ):
        bot.records.append(RoundRecord(kind, other.tpn, halves))
        del bot.records[:-_LATEST]
        bot.free_since = now


def _problem(
    bots: dict[int, _Bot],
    playing: list[tuple[float, int, int]],
    draws: int,
    room: int,
    now: float,
    among: int,
) -> PairingProblem:
    busy = {tpn for _, one, two in playing for tpn in (one, two)}
    waiting = [bot for bot in bots.values() if bot.tpn not in busy]
    waiting.sort(key=lambda bot: bot.deviation_centielo() * (bot.free_since - now - 1))
    contestants = [
        Contestant(
            bot.tpn,
            tuple(bot.records),
            rating_centielo=round(100 * bot.elo),
            deviation_centielo=bot.deviation_centielo(),
            waited_s=int(now - bot.free_since),
        )
        for bot in sorted(waiting[: max(among, 2 * room)], key=lambda bot: bot.tpn)
    ]
    return PairingProblem(
        round_number=draws + 1,
        rounds_total=draws + 1,
        contestants=tuple(contestants),
        most_meetings=0,
        is_continuous=True,
        seed=7,
        most_boards=room,
    )


def _tau(bots: dict[int, _Bot], lots: random.Random) -> float:
    rows = list(bots.values())
    pairs = [lots.sample(rows, 2) for _ in range(20_000)]
    right = sum((a.elo > b.elo) == (a.strength > b.strength) for a, b in pairs)
    return 2 * right / len(pairs) - 1


if __name__ == "__main__":
    main()
