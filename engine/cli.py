"""Plays a match (`python -m engine match`): live table, record files, Elo difference, SPRT."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass, field
from itertools import cycle
from typing import IO, TYPE_CHECKING

import games
from engine import local, records, referee, suites
from engine.idle import IdleBots
from engine.match import Ending, MatchSpec
from engine.stats.elo import Tally, elo_difference, likelihood_of_superiority
from engine.stats.outcomes import Outcomes
from engine.stats.sprt import Sprt, SprtVerdict, log_likelihood_ratio
from engine.transcript import escape
from games.core import Outcome, Side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.clock import TimeControl
    from engine.local import BotSource
    from engine.match import BotLog, GameReport, MatchReport, PlyEvent

_POINTS = {Outcome.FIRST: 1.0, Outcome.SECOND: 0.0, Outcome.DRAW: 0.5}
_RESULTS = {Outcome.FIRST: "1-0", Outcome.SECOND: "0-1", Outcome.DRAW: "1/2", None: "void"}
_STDERR_LINES = 12


@dataclass(frozen=True, slots=True)
class Contest:
    """A match of the command line: `games` games in pairs, each pair with its own seeds.

    `bots` are texts that `LocalSource.bot` takes. With `sprt` the match ends as soon as the test of
    the former is decided. `records` is a file to append to, and `transcripts` a directory for one
    file a game and side. `setups` are the set-ups that pairs begin from, repeated in an order that
    the seed draws. Without any, each pair has a drawn set-up.
    """

    ruleset: str
    bots: tuple[str, str]
    games: int
    control: TimeControl
    seed: int
    records: str | None = None
    transcripts: str | None = None
    is_sandboxed: bool = False
    sprt: Sprt | None = None
    setups: tuple[str, ...] = ()


def run_match(contest: Contest, *, out: IO[str]) -> int:
    """Play `contest`, write a line for each game, and return the exit code, 1 if a bot had a fault.

    Raises:
        LaunchError: there is no such bot, or no sandbox for it.
        OSError: a file cannot be written.
    """
    table = ScoreTable(contest, out)
    with (
        local.open_local_source(is_sandboxed=contest.is_sandboxed) as source,
        records.writer(contest.records) as write,
        closing(IdleBots()) as idle,
    ):
        keep = records.transcript_writer(contest.transcripts)
        for spec in pairs(contest, source):
            before = table.game_count
            report = referee.play_match(spec, observer=table, launcher=source.launcher, idle=idle)
            for game in report.games:
                write(game)
                keep(game, before + game.index + 1)
            table.add_logs(report)
            table.add_pair(report)
            if table.verdict is not SprtVerdict.GOING_ON:
                break
    table.finish()
    return 1 if table.faults else 0


def pairs(contest: Contest, source: BotSource) -> Iterator[MatchSpec]:
    """Yield the pairs of `contest`: one set-up each, by its seed, the same in both games."""
    ruleset = games.load(contest.ruleset)
    rng = random.Random(contest.seed)
    suite = cycle(suites.in_order(contest.setups, contest.seed))
    for first_game in range(0, contest.games, 2):
        drawn = ruleset.setup_text(ruleset.initial(seed=rng.getrandbits(32)))
        setup = next(suite, drawn)
        former, latter = (source.bot(text, seed=rng.getrandbits(32)) for text in contest.bots)
        yield MatchSpec(
            contest.ruleset,
            setup,
            (former, latter),
            contest.control,
            games=min(2, contest.games - first_game),
        )


@dataclass
class ScoreTable:
    """The running score, written line by line. An `Observer`."""

    contest: Contest
    out: IO[str]
    tally: Tally = field(default_factory=Tally)
    faults: list[str] = field(default_factory=list)
    game_count: int = 0
    logs: dict[str, BotLog] = field(default_factory=dict)
    pairs: Outcomes = field(default_factory=Outcomes.no_pairs)

    def game_started(self, game: int) -> None:
        pass

    def ply_played(self, event: PlyEvent) -> None:
        pass

    def waiting(self) -> None:
        pass

    def game_ended(self, report: GameReport) -> None:
        """Count the game for the former bot and write its line."""
        self.game_count += 1
        if report.outcome is not None:
            self.tally = self.tally.plus(points=_former_points(report))
        if report.ending.is_fault or report.ending is Ending.VOID:
            self.faults.append(self._fault(report))
        tally = self.tally
        self.out.write(
            f"{self.game_count:4}/{self.contest.games}  {report.first} - {report.second}"
            f"  {_RESULTS[report.outcome]:4} {report.ending.value:12} {len(report.plies):4} plies"
            f"   +{tally.wins} ={tally.draws} -{tally.losses}"
            f"  Elo {elo_difference(tally)}\n"
        )
        self.out.flush()

    def add_logs(self, report: MatchReport) -> None:
        """Store the lines that the bots have written beside their moves, for the end."""
        for log in report.logs:
            if log.lines or log.stderr:
                self.logs[log.name] = log

    def add_pair(self, report: MatchReport) -> None:
        """Count a pair of games for the test, unless one of them is void or missing."""
        if len(report.games) == 2 and all(game.outcome is not None for game in report.games):
            points = sum(_former_points(game) for game in report.games)
            self.pairs = self.pairs.plus(halves=round(2 * points))

    @property
    def verdict(self) -> SprtVerdict:
        """Return the state of the test. The match continues without a verdict."""
        return self.contest.sprt.verdict(self.pairs) if self.contest.sprt else SprtVerdict.GOING_ON

    def finish(self) -> None:
        """Write the result of the former bot, then every fault and the last logs."""
        tally, (former, latter) = self.tally, self.contest.bots
        self.out.write(
            f"\n{former} against {latter}, {self.contest.ruleset}, {self.contest.control}:"
            f" +{tally.wins} ={tally.draws} -{tally.losses},"
            f" Elo at 95 %: {elo_difference(tally)},"
            f" LOS {likelihood_of_superiority(tally):.1%}\n"
        )
        self._write_test()
        self._write_faults()

    def _write_faults(self) -> None:
        """Write every fault, and the last lines that each bot wrote."""
        for fault in self.faults:
            self.out.write(f"  {fault}\n")
        for log in self.logs.values() if self.faults else ():
            for line in [*log.lines, *log.stderr.splitlines()[-_STDERR_LINES:]]:
                self.out.write(f"    {log.name}: {escape(line)}\n")

    def _write_test(self) -> None:
        test = self.contest.sprt
        if test is None:
            return
        ratio = log_likelihood_ratio(test, self.pairs)
        counts = ", ".join(map(str, self.pairs.counts))
        self.out.write(
            f"SPRT [{test.elo0:g}, {test.elo1:g}]: {self.verdict.value},"
            f" LLR {ratio:.2f} ({test.lower:.2f}, {test.upper:.2f}), pairs [{counts}]\n"
        )

    def _fault(self, report: GameReport) -> str:
        name = report.second if report.loser is Side.SECOND else report.first
        culprit = "nobody" if report.loser is None else name
        return (
            f"game {self.game_count}, ply {len(report.plies) + 1}:"
            f" {report.ending.value} by {culprit}: {escape(report.detail)}"
        )


def _former_points(report: GameReport) -> float:
    """Points in a finished game of the former bot, which is first in the even games."""
    assert report.outcome is not None  # void games are nobody's points
    points = _POINTS[report.outcome]
    return 1 - points if report.index else points
