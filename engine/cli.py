"""The commands of `python -m engine` that play: a match with its live table, and the check of a bot."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

import games
from engine import players, records, referee
from engine.errors import LaunchError
from engine.match import BotSpec, Ending, MatchSpec
from engine.process import Launch
from engine.stats.elo import Tally, elo_difference, likelihood_of_superiority
from engine.stats.outcomes import Outcomes
from engine.stats.sprt import Sprt, Verdict, log_likelihood_ratio
from games.core import Outcome, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.clock import TimeControl
    from engine.match import BotLog, GameReport, MatchReport, PlyEvent

# One small board of each game: what a bot is checked on unless told otherwise.
CHECKED = ("morelli(size=7)", "morlox(size=5)", "perfect(limit=60)")
_POINTS = {Outcome.FIRST: 1.0, Outcome.SECOND: 0.0, Outcome.DRAW: 0.5}
_RESULTS = {Outcome.FIRST: "1-0", Outcome.SECOND: "0-1", Outcome.DRAW: "1/2", None: "void"}
_STDERR_LINES = 12


@dataclass(frozen=True, slots=True)
class Contest:
    """A match of the command line: `games` games in pairs, each pair with its own seeds.

    `bots` are texts that `bot` understands. With a `sprt` the match ends as soon as the test of the former is decided.
    """

    ruleset: str
    bots: tuple[str, str]
    games: int
    control: TimeControl
    seed: int
    records: str | None = None
    sprt: Sprt | None = None


def bot(text: str, *, seed: int) -> BotSpec:
    """The bot that `text` names: a built-in player, a Python file, or a command with its arguments.

    Raises:
        LaunchError: there is no such program.
    """
    if players.is_player(text):
        return players.spec(text, seed=seed)
    words = shlex.split(text)
    if not words:
        raise LaunchError("a bot without a name")
    if words[0].endswith(".py") and Path(words[0]).is_file():
        return BotSpec(Path(words[0]).stem, (sys.executable, *words))
    program = shutil.which(words[0])
    if program is None:
        names = ", ".join(card.name for card in players.available())
        raise LaunchError(f"no program, no file and no built-in player ({names}): {text[:200]!r}")
    return BotSpec(Path(words[0]).stem, (program, *words[1:]))


def run_match(contest: Contest, *, out: IO[str]) -> int:
    """Play `contest`, a line for each game as it ends; the exit code."""
    table = _Table(contest, out)
    with records.writer(contest.records) as write:
        for spec in _pairs(contest):
            report = referee.play_match(spec, observer=table, launcher=_here)
            for game in report.games:
                write(game)
            table.add_logs(report)
            table.add_pair(report)
            if table.verdict is not Verdict.GOING_ON:
                break
    table.finish()
    return 1 if table.faults else 0


def run_check(
    checked: str,
    *,
    rulesets: Sequence[str],
    games_each: int,
    control: TimeControl,
    seed: int,
    out: IO[str],
) -> int:
    """Let `checked` play `random` under each rule set and list what it did wrong; the exit code."""
    violations = 0
    for ruleset in rulesets:
        contest = Contest(ruleset, (checked, "random"), games_each, control, seed)
        out.write(f"{ruleset}\n")
        table = _Table(contest, out)
        for spec in _pairs(contest):
            table.add_logs(referee.play_match(spec, observer=table, launcher=_here))
        table.write_faults()
        violations += len(table.faults)
    out.write(f"{violations} violations\n" if violations else "no violations\n")
    return 1 if violations else 0


def _here(bot: BotSpec) -> Launch:
    """A bot as its author starts it: in the caller's directory, with the caller's PATH."""
    path = os.environ.get("PATH", os.defpath)
    return Launch(bot.argv, os.getcwd(), {"PATH": path, "LANG": "C.UTF-8"})


def _pairs(contest: Contest) -> Iterator[MatchSpec]:
    ruleset = games.load(contest.ruleset)
    rng = random.Random(contest.seed)
    for played in range(0, contest.games, 2):
        setup = ruleset.setup_text(ruleset.initial(seed=rng.getrandbits(32)))
        former, latter = (bot(text, seed=rng.getrandbits(32)) for text in contest.bots)
        yield MatchSpec(
            contest.ruleset,
            setup,
            (former, latter),
            contest.control,
            games=min(2, contest.games - played),
        )


@dataclass
class _Table:
    """The running score, written line by line. An `Observer`."""

    contest: Contest
    out: IO[str]
    tally: Tally = field(default_factory=Tally)
    faults: list[str] = field(default_factory=list)
    played: int = 0
    logs: dict[str, BotLog] = field(default_factory=dict)
    pairs: Outcomes = field(default_factory=Outcomes.no_pairs)

    def game_started(self, game: int) -> None:
        """See `Observer`."""

    def ply_played(self, event: PlyEvent) -> None:
        """See `Observer`."""

    def waiting(self) -> None:
        """See `Observer`."""

    def game_ended(self, report: GameReport) -> None:
        """Count the game for the former bot and write its line."""
        self.played += 1
        if report.outcome is not None:
            self.tally = self.tally.plus(points=_former_points(report))
        if report.ending.is_fault or report.ending is Ending.VOID:
            self.faults.append(self._fault(report))
        tally = self.tally
        self.out.write(
            f"{self.played:4}/{self.contest.games}  {report.first} - {report.second}"
            f"  {_RESULTS[report.outcome]:4} {report.ending.value:12} {len(report.plies):4} plies"
            f"   +{tally.wins} ={tally.draws} -{tally.losses}"
            f"  Elo {elo_difference(tally)}\n"
        )
        self.out.flush()

    def add_logs(self, report: MatchReport) -> None:
        """Keep what the bots said beside their moves."""
        for log in report.logs:
            if log.lines or log.stderr:
                self.logs[log.name] = log

    def add_pair(self, report: MatchReport) -> None:
        """Count a pair of finished games for the test; a pair with a void or a missing game tells it nothing."""
        if len(report.games) == 2 and all(game.outcome is not None for game in report.games):
            points = sum(_former_points(game) for game in report.games)
            self.pairs = self.pairs.plus(halves=round(2 * points))

    @property
    def verdict(self) -> Verdict:
        """Where the test stands; without one it goes on."""
        return self.contest.sprt.verdict(self.pairs) if self.contest.sprt else Verdict.GOING_ON

    def finish(self) -> None:
        """Write the result of the former bot, then every fault and the last logs."""
        tally, (former, latter) = self.tally, self.contest.bots
        self.out.write(
            f"\n{former} against {latter}, {self.contest.ruleset}, {self.contest.control}:"
            f" +{tally.wins} ={tally.draws} -{tally.losses},"
            f" Elo {elo_difference(tally)} (95 %),"
            f" LOS {likelihood_of_superiority(tally):.1%}\n"
        )
        self._write_test()
        self.write_faults()

    def write_faults(self) -> None:
        """Write every fault, and the last that its bot said."""
        for fault in self.faults:
            self.out.write(f"  {fault}\n")
        for log in self.logs.values() if self.faults else ():
            for line in [*log.lines, *log.stderr.splitlines()[-_STDERR_LINES:]]:
                self.out.write(f"    {log.name}: {line}\n")

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
        blamed = "nobody" if report.loser is None else name
        return (
            f"game {self.played}, ply {len(report.plies) + 1}:"
            f" {report.ending.value} by {blamed}: {report.detail}"
        )


def _former_points(report: GameReport) -> float:
    """What the former bot, first in the even games, got from a finished game."""
    assert report.outcome is not None  # void games are nobody's points
    points = _POINTS[report.outcome]
    return 1 - points if report.index else points
