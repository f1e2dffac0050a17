"""The referee: plays a game or a pair between bots, and names every ending.

`MatchSpec` in, `MatchReport` out.

The referee owns the rules and the clocks. A bot only answers. Faults are judged in this order:

1. no answer before the flag, or a late one (even if legal): time
2. end of output: crash
3. too much output: flood
4. malformed: protocol
5. the rules

If the machine could not start a bot or has no processor for it, the game is void: played again,
never scored.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

import games
from engine import protocol
from engine.bot_player import QUIT_MS, BotAnswer, BotPlayer, FaultError
from engine.clock import NS_PER_MS, Fischer, Fuel, GameClock, PerMove
from engine.errors import BadMatchError, EngineError, IsolationError, LaunchError, StarvedError
from engine.match import BotPly, BotReply, Ending, Fault, GameReport, MatchReport, PlyEvent
from engine.process import unconfined
from games.core import Outcome, Side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.clock import Span
    from engine.idle import IdleBots
    from engine.match import BotSpec, MatchSpec, Observer
    from engine.process import Launcher
    from games.core import Position, Ruleset

_PACE_SLICE_S = 1.0
# Faults that only a clock on the wall finds. Under fuel no clock runs. Then they are the machine's.
_WALL_CLOCK_FAULTS = {
    Fault.NO_ANSWER,
    Fault.LATE_ANSWER,
    Fault.DEAF,
    Fault.NO_GREETING,
    Fault.NOT_READY,
}
_UNMETERED_NOTE = "no schedstat here: clocks are wall clocks and nothing is credited"


def play_match(
    spec: MatchSpec,
    *,
    observer: Observer | None = None,
    launcher: Launcher = unconfined,
    idle: IdleBots | None = None,
) -> MatchReport:
    """Play the one or two games of `spec`, and return how each ended.

    No process is left afterwards, except those that wait among the `idle`. Under fuel each game has
    separate processes.

    Raises:
        RulesError: `spec` names no known rule set, or a set-up it does not have.
        MatchAbortedError: from the observer. The match is not to be scored.
    """
    ruleset = games.load(spec.ruleset)
    games.starting_position(ruleset, spec.setup)
    if isinstance(spec.control, Fuel):
        idle = None
    players = [BotPlayer(player, launcher=launcher, idle=idle) for player in spec.players]
    patience = _Patience(spec.longest_s)
    reports = []
    try:
        for index in range(spec.games):
            first, second = players if index == 0 else reversed(players)
            game = _Game(spec, ruleset, index, first, second, observer or _NullObserver(), patience)
            reports.append(game.play())
        for player in players:
            player.dismiss()
        for player in players:
            player.close(grace_ms=QUIT_MS)
    finally:
        for player in players:
            player.close()
    return MatchReport(tuple(reports), tuple(player.log for player in players))


def choose_move(
    ruleset: Ruleset,
    *,
    setup: str,
    moves: Sequence[str],
    bot: BotSpec,
    clock: GameClock,
    launcher: Launcher = unconfined,
    on_wait: Callable[[], None] = lambda: None,
) -> BotReply:
    """Ask `bot` once, in its own process, for its ply after `moves` of a game from `setup`.

    Raises:
        RulesError: `setup` or `moves` are not of `ruleset`.
        MatchAbortedError: from `on_wait`, called about once a second.
    """
    start = position = games.starting_position(ruleset, setup)
    for move in moves:
        position = position.play(move)
    if position.outcome() is not None:
        raise BadMatchError(f"the game is over after {len(moves)} plies: nothing to choose")
    player = BotPlayer(bot, launcher=launcher)
    try:
        player.open_transcript(time.monotonic_ns())
        is_timed = not isinstance(clock.control, Fuel)
        owed_ns = player.begin(ruleset=ruleset.key, is_timed=is_timed, on_wait=on_wait)
        clock = clock.owe(position.side_to_move, owed_ns)
        line = position_line(ruleset, start, moves)
        step = _next_ply(player, position, clock, line, on_wait)
        player.tell(protocol.Quit())
        player.close(grace_ms=QUIT_MS)
        return BotReply(step.ply, None, "", player.log, player.transcript())
    except FaultError as fault:
        if isinstance(clock.control, Fuel) and fault.fault in _WALL_CLOCK_FAULTS:
            detail = f"starved: {fault}"
            return BotReply(None, Ending.VOID, detail, player.log, player.transcript())
        return BotReply(None, fault.ending, fault.detail, player.log, player.transcript())
    except (LaunchError, StarvedError) as error:
        return BotReply(None, Ending.VOID, _void_detail(error), player.log, player.transcript())
    finally:
        player.close()


def position_line(ruleset: Ruleset, start: Position, moves: Sequence[str] = ()) -> str:
    """Return the `position` line: `startpos` where `start` is the one start of the rules, else `fen`."""
    fen = start.text() if games.setup_of(start) else None
    return protocol.format_command(protocol.SetPosition(fen, tuple(moves)))


class _Patience:
    """The time that a match may take on the wall of a busy machine."""

    def __init__(self, longest_s: int | None) -> None:
        self._longest_s = longest_s
        self._began_ns = time.monotonic_ns()
        self._waited_ns = 0

    def count(self, span: Span) -> None:
        """Count the time that a ply has waited for a processor.

        Raises StarvedError if that is why the match takes too long.
        """
        self._waited_ns += span.credit_ns
        wall_ns = time.monotonic_ns() - self._began_ns
        if self._longest_s is None or wall_ns <= self._longest_s * 10**9:
            return
        if 2 * self._waited_ns > wall_ns:
            raise StarvedError(
                f"the bots have waited for a processor in {self._waited_ns // 10**9}"
                f" of {wall_ns // 10**9} s"
            )


class _Game:
    """One game while it is played."""

    def __init__(
        self,
        spec: MatchSpec,
        ruleset: Ruleset,
        index: int,
        first: BotPlayer,
        second: BotPlayer,
        observer: Observer,
        patience: _Patience,
    ) -> None:
        self._spec = spec
        self._ruleset = ruleset
        self._index = index
        self._players = {Side.FIRST: first, Side.SECOND: second}
        self._observer = observer
        self._patience = patience
        self._position = games.starting_position(ruleset, spec.setup)
        self._outcome = self._position.outcome()
        self._line = position_line(ruleset, self._position)
        self._is_metered_by_fuel = isinstance(spec.control, Fuel)
        self._clock = GameClock.start(spec.control)
        if spec.second_ms is not None:
            first_ms = self._clock.first_ms
            self._clock = GameClock.at(spec.control, first_ms=first_ms, second_ms=spec.second_ms)
        self._plies: list[BotPly] = []
        self._notes: list[str] = []
        self._display_ns = 0

    def play(self) -> GameReport:
        """Play to the end, notify the observer and the bots, and return the report."""
        began_ns = time.monotonic_ns()
        for player in self._players.values():
            player.open_transcript(began_ns)
        report = self._play_out()
        news = protocol.GameOver(_SCORES[report.outcome], report.ending.value)
        for player in self._players.values():
            player.tell(news)
        transcripts = tuple(self._players[side].transcript() for side in Side)
        report = replace(report, transcripts=transcripts)
        self._observer.game_ended(report)
        return report

    def _play_out(self) -> GameReport:
        side = Side.FIRST
        try:
            for side in Side:
                self._begin(side)
            if not all(player.is_metered for player in self._players.values()):
                self._notes.append(_UNMETERED_NOTE)
            self._observer.game_started(self._index)
            self._display_ns = time.monotonic_ns()
            while self._outcome is None:
                side = self._position.side_to_move
                self._play_ply(side)
        except FaultError as error:
            if self._is_metered_by_fuel and error.fault in _WALL_CLOCK_FAULTS:
                return self._report(None, Fault.STARVED, detail=f"starved: {error}")
            winner = Outcome.won_by(side.opponent)
            return self._report(winner, error.fault, loser=side, detail=error.detail)
        except (LaunchError, StarvedError) as error:
            return self._report(None, _void_fault(error), detail=_void_detail(error))
        return self._report(self._outcome, None)

    def _begin(self, side: Side) -> None:
        """Prepare the bot of `side`. It owes the time that it has used meanwhile."""
        waiting = self._observer.waiting
        owed_ns = self._players[side].begin(
            ruleset=self._ruleset.key, is_timed=not self._is_metered_by_fuel, on_wait=waiting
        )
        self._clock = self._clock.owe(side, owed_ns)
        if owed_ns:
            self._notes.append(
                f"{side.value} owes {owed_ns // NS_PER_MS} ms, used before its first ply"
            )

    def _play_ply(self, side: Side) -> None:
        waiting = self._observer.waiting
        step = _next_ply(self._players[side], self._position, self._clock, self._line, waiting)
        self._keep_pace()
        ply = step.ply
        self._position = step.position
        self._outcome = step.position.outcome()
        self._clock = self._clock.charge(side, used_ns=ply.span.charged_ns)
        self._line += ("" if self._plies else " moves") + " " + protocol.to_word(ply.move)
        event = PlyEvent(
            self._index,
            len(self._plies),
            ply,
            self._clock.first_ms,
            self._clock.second_ms,
            is_last=self._outcome is not None,
        )
        self._plies.append(ply)
        for player in self._players.values():
            player.end_ply()
        self._observer.ply_played(event)
        self._patience.count(ply.span)

    def _keep_pace(self) -> None:
        """Wait until the ply before was visible for `pace_ms`."""
        due_ns = self._display_ns + self._spec.pace_ms * 1_000_000
        while (wait_s := (due_ns - time.monotonic_ns()) / 1e9) > 0:
            time.sleep(min(wait_s, _PACE_SLICE_S))
            self._observer.waiting()
        self._display_ns = time.monotonic_ns()

    def _report(
        self,
        outcome: Outcome | None,
        fault: Fault | None,
        *,
        loser: Side | None = None,
        detail: str = "",
    ) -> GameReport:
        return GameReport(
            index=self._index,
            ruleset=self._ruleset.key,
            setup=self._spec.setup,
            first=self._players[Side.FIRST].spec.name,
            second=self._players[Side.SECOND].spec.name,
            plies=tuple(self._plies),
            outcome=outcome,
            ending=fault.ending if fault else Ending.RULES,
            loser=loser,
            fault=fault,
            detail=detail,
            notes=tuple(self._notes),
        )


# The first kind that the error is of.
_VOID_FAULTS: dict[type[EngineError], Fault] = {
    IsolationError: Fault.ISOLATION,
    LaunchError: Fault.LAUNCH,
    StarvedError: Fault.STARVED,
}
_SCORES = {Outcome.FIRST: "1-0", Outcome.SECOND: "0-1", Outcome.DRAW: "1/2-1/2", None: "*"}


@dataclass(frozen=True, slots=True)
class _NextPly:
    """A ply and the position it leads to."""

    ply: BotPly
    position: Position


def _next_ply(
    player: BotPlayer,
    position: Position,
    clock: GameClock,
    line: str,
    on_wait: Callable[[], None],
) -> _NextPly:
    """Return the ply of the side to move, judged.

    Raises FaultError for everything a bot can do wrong.
    """
    side = position.side_to_move
    answer = player.ask(
        position=line,
        go=_go_line(clock, side),
        limit_ns=clock.limit_ns(side),
        on_wait=on_wait,
    )
    move = _move_of(player, answer)
    try:
        move = position.canonical(move)
        following = position.play(move)
    except games.IllegalMoveError as error:
        raise player.blame(Fault.ILLEGAL_MOVE, str(error)) from error
    used_ns = answer.span.charged_ns
    price_ns = clock.price_ns(side, used_ns=used_ns)
    remaining_ms = clock.charge(side, used_ns=used_ns).remaining_ms(side)
    return _NextPly(BotPly(side, move, answer.span, price_ns, remaining_ms, answer.info), following)


def _void_fault(error: EngineError) -> Fault:
    return next(fault for kind, fault in _VOID_FAULTS.items() if isinstance(error, kind))


def _void_detail(error: EngineError) -> str:
    """Return the reason of a void game, its stable code first."""
    return f"{error.code}: {error}"


def _move_of(player: BotPlayer, answer: BotAnswer) -> str:
    """Return the move of `answer`, which may be illegal."""
    if answer.best.move is None:
        # No fault of the process, which may continue with the next game.
        raise FaultError(Fault.RESIGNED, "resigned")
    # Agreement takes both sides, and a bot speaks for one.
    if answer.best.move == games.AGREE:
        raise player.blame(Fault.ILLEGAL_MOVE, "a bot cannot agree on the end by itself")
    return answer.best.move


def _go_line(clock: GameClock, side: Side) -> str:
    """Return the `go` of `side`, with its debts subtracted from its time."""
    match clock.control:
        case Fuel(units):
            go = protocol.Go(fuel=units)
        case PerMove(_):
            go = protocol.Go(movetime_ms=clock.available_ms(side))
        case Fischer(_, increment_ms):
            go = protocol.Go(
                p1time_ms=clock.available_ms(Side.FIRST),
                p2time_ms=clock.available_ms(Side.SECOND),
                p1inc_ms=increment_ms,
                p2inc_ms=increment_ms,
            )
        case _:
            assert_never(clock.control)
    return protocol.format_command(go)


class _NullObserver:
    """An observer who looks away."""

    def game_started(self, game: int) -> None:
        pass

    def ply_played(self, event: PlyEvent) -> None:
        pass

    def waiting(self) -> None:
        pass

    def game_ended(self, report: GameReport) -> None:
        pass
