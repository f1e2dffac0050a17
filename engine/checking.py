"""Checks a bot (`python -m engine check`): games against `random`, and every violation.

If the rules have one start, some games begin from the middle of a random game. A bot that ignores
`position fen` fails there.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import IO, TYPE_CHECKING

from engine import compliance, local, protocol, referee, suites
from engine.cli import Contest, ScoreTable, pairs
from engine.compliance import Severity
from engine.match import Ending, Fault
from engine.transcript import LineMark, escape
from games import load, registry, setup_of
from games.core import Side
from games.starts import POSITION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.clock import TimeControl
    from engine.local import BotSource
    from engine.match import GameReport
    from engine.transcript import BotTranscript
    from games.core import Ruleset

OPPONENT = "random"
# The largest number of a bot's options, and of characters of one. Others are not listed.
MAX_OPTIONS = 100
MAX_OPTION = 300
_STDERR_LINES = 12
_MAX_LISTED = 50
_NS_PER_MS = 1_000_000
_POSITION_HINT = (
    "This game began with `position fen F`: F is the text of its first position.\n"
    "    Set up F, then play the moves after `moves` on it."
)


def default_rulesets() -> tuple[str, ...]:
    """Return one small board of each game, on which a bot is checked by default."""
    return tuple(family.presentation.check_board for family in registry.available())


def run_check(
    bot: str,
    *,
    rulesets: Sequence[str],
    games: int,
    control: TimeControl,
    seed: int,
    is_sandboxed: bool,
    out: IO[str],
) -> int:
    """Play `bot` against `random`, list its violations, and return the exit code: 0, or 1 with any.

    The games are spread over the rule sets in pairs. Each rule set that has any gets at least one
    pair from each of its `_setups`.

    Raises:
        LaunchError: there is no such bot, or no sandbox for it.
    """
    with local.open_local_source(is_sandboxed=is_sandboxed) as source:
        verdict = check_in(
            source, bot, rulesets=rulesets, games=games, control=control, seed=seed, out=out
        )
    return 1 if verdict.violations else 0


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The number of violations, and whether the machine voided a game of the check.

    `is_starved`: because it had no processor for the bots. `ignores_position`: the bot had a fault
    in a game from the middle, and none in a game from the start. `options` are the lines of the
    options that the bot declared, without the word `option`.
    """

    violations: int
    is_void: bool
    is_starved: bool
    options: tuple[str, ...] = ()
    ignores_position: bool = False


def check_in(
    source: BotSource,
    bot: str,
    *,
    rulesets: Sequence[str],
    games: int,
    control: TimeControl,
    seed: int,
    out: IO[str],
    on_wait: Callable[[], None] = lambda: None,
) -> CheckResult:
    """Check the bot that `source` knows as `bot`, as `run_check` does.

    `on_wait` is called about once a second while the bot thinks.

    Raises:
        LaunchError: there is no such bot.
        MatchAbortedError: from `on_wait`.
    """
    findings = _BotFindings()
    for ruleset, share in _spread(rulesets, games):
        setups = _setups(load(ruleset), random.Random(seed))
        count = max(share, 2 * len(setups))
        contest = Contest(ruleset, (bot, OPPONENT), count, control, seed, setups=setups)
        out.write(f"{ruleset}\n")
        table = _WatchedTable(contest, out, on_wait=on_wait)
        for spec in pairs(contest, source):
            report = referee.play_match(spec, observer=table, launcher=source.launcher)
            for game in report.games:
                findings.add(
                    game, f"{ruleset}, game {table.game_count - len(report.games) + game.index + 1}"
                )
    findings.write(control, out)
    is_void = findings.endings[Ending.VOID] > 0
    options = tuple(findings.options)[:MAX_OPTIONS]
    return CheckResult(
        violations=len(findings.violations),
        is_void=is_void,
        is_starved=findings.is_starved,
        options=options,
        ignores_position=findings.ignores_position,
    )


@dataclass
class _WatchedTable(ScoreTable):
    """A score table that calls `on_wait` while a bot thinks."""

    on_wait: Callable[[], None] = lambda: None

    def waiting(self) -> None:
        self.on_wait()


def _spread(rulesets: Sequence[str], games: int) -> Iterator[tuple[str, int]]:
    """Return each rule set with its number of games, dealt out in pairs as evenly as possible."""
    counts = dict.fromkeys(rulesets, 0)
    for number, first_game in enumerate(range(0, games, 2)):
        counts[rulesets[number % len(rulesets)]] += min(2, games - first_game)
    return ((ruleset, count) for ruleset, count in counts.items() if count)


def _setups(ruleset: Ruleset, rng: random.Random) -> tuple[str, ...]:
    """Return the set-ups of a check, or an empty tuple if the rules draw the start of each game."""
    return ("", _middle(ruleset, rng)) if suites.has_one_start(ruleset) else ()


def _middle(ruleset: Ruleset, rng: random.Random) -> str:
    """Return the set-up in the middle of a random game, with the second side to move.

    Occupied cells and the side to move differ from the start. A game from there is short.
    """
    position = ruleset.initial(seed=rng.getrandbits(32))
    replies = []
    while position.outcome() is None:
        if position.side_to_move is Side.SECOND:
            replies.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    return setup_of(replies[len(replies) // 2])


@dataclass
class _BotFindings:
    """The findings so far about the bot that is first in even games."""

    violations: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    endings: Counter[Ending] = field(default_factory=Counter)
    charged_ns: list[int] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    # The descriptions, once each, in the order of the greeting.
    options: dict[str, None] = field(default_factory=dict)
    is_starved: bool = False
    # The violations that ended a game from the start of the rules, and from the middle of a game.
    start_faults: set[str] = field(default_factory=set)
    middle_faults: set[str] = field(default_factory=set)

    @property
    def ignores_position(self) -> bool:
        """Return whether only games from the middle of a game had faults."""
        return bool(self.middle_faults) and not self.start_faults

    def add(self, game: GameReport, where: str) -> None:
        """Add the findings, the times and the ending of `game`."""
        side = Side.SECOND if game.index else Side.FIRST
        transcript = game.transcripts[side is Side.SECOND]
        self.endings[game.ending] += 1
        self.notes.update(game.notes)
        self.is_starved |= game.fault is Fault.STARVED
        self.charged_ns += [ply.span.charged_ns for ply in game.plies if ply.side is side]
        self.options.update(dict.fromkeys(_options(transcript)))
        for finding in compliance.findings(transcript):
            is_violation = finding.weight is Severity.VIOLATION
            (self.violations if is_violation else self.remarks).append(f"{where}, {finding}")
        is_its_fault = game.ending.is_fault and game.loser is side
        if is_its_fault or game.ending is Ending.VOID:
            self.violations.append(_fault(game, transcript, where))
        if is_its_fault and game.setup.startswith(POSITION):
            self.middle_faults.add(self.violations[-1])
        elif is_its_fault and not game.setup:
            self.start_faults.add(self.violations[-1])

    def write(self, control: TimeControl, out: IO[str]) -> None:
        """Write how the games ended, the times, and everything found."""
        endings = ", ".join(f"{ending.value} {count}" for ending, count in self.endings.items())
        out.write(f"\nendings: {endings}\n{_times(self.charged_ns)} (of {control})\n")
        for note in sorted(self.notes):
            out.write(f"note: {note}\n")
        _write_some("option", list(self.options), out)
        _write_some("remark", self.remarks, out)
        hinted = self.middle_faults if self.ignores_position else set()
        _write_some("violation", [_hinted(v) if v in hinted else v for v in self.violations], out)
        count = len(self.violations)
        out.write(f"{count} violations\n" if count else "no violations\n")


def _options(transcript: BotTranscript) -> Iterator[str]:
    """Return the descriptions of the options that the bot declared in its greeting."""
    command = ""
    for entry in transcript.entries:
        word, _, description = entry.text.partition(" ")
        if entry.channel is LineMark.TO_BOT:
            command = word
        is_declaration = entry.channel is LineMark.FROM_BOT and word == "option"
        if not is_declaration or command not in {"ugi", "uci"} or len(description) > MAX_OPTION:
            continue
        if protocol.option_in(description) is not None:
            yield description


def _fault(game: GameReport, transcript: BotTranscript, where: str) -> str:
    """Return the fault that ended a game, with the last lines of standard error of its bot."""
    line = compliance.line_count(transcript)
    sentence = f"{where}, ply {len(game.plies) + 1}, line {line}: {game.ending.value}: {escape(game.detail)}"
    complaints = [entry.text for entry in transcript.entries if entry.channel is LineMark.STDERR]
    return "\n    ".join([sentence, *map(escape, complaints[-_STDERR_LINES:])])


def _hinted(violation: str) -> str:
    return f"{violation}\n    {_POSITION_HINT}"


def _times(charged_ns: list[int]) -> str:
    """Median, 99th percentile and maximum of the time charged for a ply."""
    if not charged_ns:
        return "times: no plies"
    times_ns = sorted(charged_ns)
    figures = (median(times_ns), times_ns[len(times_ns) * 99 // 100], times_ns[-1])
    middle, high, most = (f"{figure / _NS_PER_MS:.1f}" for figure in figures)
    return f"times: {len(times_ns)} plies, charged median {middle} ms, p99 {high} ms, max {most} ms"


def _write_some(kind: str, lines: list[str], out: IO[str]) -> None:
    for line in lines[:_MAX_LISTED]:
        out.write(f"{kind}: {line}\n")
    if len(lines) > _MAX_LISTED:
        out.write(f"{kind}: {len(lines) - _MAX_LISTED} more\n")
