"""Bots and matches on the command line: `python -m engine COMMAND`."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import games
from engine import checking, cli, sandbox, suites
from engine.clock import BadTimeControlError, PerMove, TimeControl, parse_time_control
from engine.errors import EngineError
from engine.players import server
from engine.programs import fuel_server, replay
from engine.stats.sprt import Sprt
from engine.volunteer import worker

if TYPE_CHECKING:
    from collections.abc import Sequence


_DESCRIPTION = (
    "`python -m engine serve|match|check|openings|verify|fuel|sandbox|worker`: a bot, a match, a test "
    "of a bot, start positions, a game again, a module under fuel, a test of this machine, matches "
    "for a site as a volunteer."
)

_CHECKED_GAMES = (
    "over all KEYs. If a KEY has one start, at least two games from it and two from `position fen`"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    0 is done, 1 a bot broke the rules, 2 a mistake in the call, 130 interrupted.
    """
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except (EngineError, games.RulesError, OSError, UnicodeDecodeError) as error:
        print(f"engine: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("engine: interrupted", file=sys.stderr)
        return 130


def _serve(arguments: argparse.Namespace) -> int:
    return server.serve(arguments.name, seed=arguments.seed)


def _match(arguments: argparse.Namespace) -> int:
    return cli.run_match(
        cli.Contest(
            ruleset=games.load(arguments.game).key,
            bots=(arguments.bots[0], arguments.bots[1]),
            games=arguments.games,
            control=arguments.control,
            seed=arguments.seed,
            records=arguments.records,
            transcripts=arguments.transcripts,
            is_sandboxed=arguments.boxed,
            sprt=_test(arguments.sprt),
            setups=_suite(arguments.suite, arguments.game),
        ),
        out=sys.stdout,
    )


def _suite(file: Path | None, key: str) -> tuple[str, ...]:
    """Return the set-ups in `file`, or an empty tuple without a file."""
    return suites.read(file.read_text("utf-8"), games.load(key)) if file else ()


def _openings(arguments: argparse.Namespace) -> int:
    """Write a suite of openings that can be read by `match --suite`, and by the pages of suites."""
    setups = suites.openings(
        games.load(arguments.game),
        plies=arguments.plies,
        count=arguments.count,
        rng=random.Random(arguments.seed),
    )
    print("\n".join(setups))
    return 0


def _test(bounds: Sequence[float] | None) -> Sprt | None:
    try:
        return Sprt(bounds[0], bounds[1]) if bounds else None
    except ValueError as error:
        raise EngineError(str(error)) from error


def _check(arguments: argparse.Namespace) -> int:
    return checking.run_check(
        arguments.bot,
        rulesets=[games.load(key).key for key in arguments.game],
        games=arguments.games,
        control=arguments.control,
        seed=arguments.seed,
        is_sandboxed=arguments.boxed,
        out=sys.stdout,
    )


def _verify(arguments: argparse.Namespace) -> int:
    return replay.run(arguments.record, arguments.programs)


def _serve_module(arguments: argparse.Namespace) -> int:
    return fuel_server.serve(arguments.module, lines=sys.stdin, output=sys.stdout)


def _sandbox(_: argparse.Namespace) -> int:
    return sandbox.write_report(sys.stdout)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=_DESCRIPTION)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="play by the line protocol on standard input")
    serve.add_argument("name", metavar="NAME", help="random, greedy, search:MS, level:N, kernel:MS")
    serve.add_argument("--seed", type=int, help="for the same choices again")
    serve.set_defaults(run=_serve)

    match = commands.add_parser("match", help="play a match between two bots")
    match.add_argument("bots", nargs=2, metavar="BOT", help="a built-in name, or a command")
    match.add_argument("--game", required=True, metavar="KEY", help='such as "morelli(size=9)"')
    match.add_argument("--games", type=_positive, default=10, metavar="N")
    match.add_argument("--records", metavar="FILE", help="append the game records to FILE")
    match.add_argument(
        "--transcripts", metavar="DIR", help="write everything said, a file a game and side"
    )
    match.add_argument(
        "--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when this test decides"
    )
    match.add_argument(
        "--suite", type=Path, metavar="FILE", help="pairs begin from the starts in FILE, one a line"
    )
    _add_common(match)
    match.set_defaults(run=_match)

    check = commands.add_parser("check", help="play a few games against `random`, list violations")
    check.add_argument("bot", metavar="BOT", help="a built-in name, or a command")
    check.add_argument("--game", nargs="+", default=checking.default_rulesets(), metavar="KEY")
    check.add_argument("--games", type=_positive, default=20, metavar="N", help=_CHECKED_GAMES)
    _add_common(check)
    check.set_defaults(run=_check)

    openings = commands.add_parser("openings", help="write a suite of starts after random plies")
    openings.add_argument("--game", required=True, metavar="KEY", help='such as "morlox(size=9)"')
    openings.add_argument("--plies", type=_positive, default=4, metavar="N")
    openings.add_argument("--count", type=_positive, default=100, metavar="N", help="at most")
    openings.add_argument("--seed", type=int, default=1)
    openings.set_defaults(run=_openings)

    verify = commands.add_parser("verify", help="play a game under fuel again and compare")
    replay.add_arguments(verify)
    verify.set_defaults(run=_verify)

    fuel = commands.add_parser("fuel", help="a module on the line protocol, ply by ply under fuel")
    fuel.add_argument("module", type=Path, metavar="MODULE")
    fuel.set_defaults(run=_serve_module)

    box = commands.add_parser("sandbox", help="try whether this machine can box foreign programs")
    box.set_defaults(run=_sandbox)

    volunteer = commands.add_parser("worker", help="play matches under fuel for a site")
    worker.add_arguments(volunteer)
    volunteer.set_defaults(run=worker.run_arguments)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    control = parser.add_mutually_exclusive_group()
    control.add_argument(
        "--movetime", dest="control", type=_movetime, metavar="MS", help="time for each ply"
    )
    control.add_argument(
        "--clock", dest="control", type=_clock, metavar="S+INC", help="seconds a game and a ply"
    )
    control.add_argument(
        "--fuel",
        dest="control",
        type=_fuel,
        metavar="N",
        help="of modules: units each ply, as 100M",
    )
    parser.add_argument(
        "--boxed", action="store_true", help="run bots that are not built in in the sandbox"
    )
    parser.add_argument("--seed", type=int, default=1, help="of set-ups and built-in bots")
    parser.set_defaults(control=PerMove(1000))


def _movetime(text: str) -> TimeControl:
    return _clock(f"{text}ms")


def _fuel(text: str) -> TimeControl:
    return _clock(f"{text}fuel")


def _clock(text: str) -> TimeControl:
    try:
        return parse_time_control(text)
    except BadTimeControlError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:9]) > 0):
        raise argparse.ArgumentTypeError(f"not a number above 0: {text[:60]!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
