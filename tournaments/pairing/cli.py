"""The command line of the pairing systems: pair the next round, check the rounds of a file, explain."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tournaments import trf
from tournaments.pairing.dutch import Dutch, explain
from tournaments.pairing.problem import NoPairingError, PairingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution
    from tournaments.trf import Report

# Larger files are not read into memory; trf.read has limits of its own.
_MOST_BYTES = 10_000_000


class Exit(IntEnum):
    """Exit codes, those of bbpPairings."""

    DONE = 0
    NO_PAIRING = 1
    UNEXPECTED = 2
    BAD_REQUEST = 3
    TOO_LARGE = 4
    FILE = 5


class _RequestError(Exception):
    """The arguments make no sense."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _RequestError(f"{message}\n{self.format_usage()}")


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit code is one of `Exit`. Errors are told on standard error, in one line."""
    try:
        return _run(_arguments(argv))
    except NoPairingError as error:
        return _fail(Exit.NO_PAIRING, error)
    except (_RequestError, trf.TrfError, PairingError) as error:
        return _fail(Exit.BAD_REQUEST, error)
    except OSError as error:
        return _fail(Exit.FILE, error)
    except MemoryError as error:
        return _fail(Exit.TOO_LARGE, error)


def _fail(code: Exit, error: Exception) -> Exit:
    sys.stderr.write(f"pairing: {error}\n")
    return code


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="python -m tournaments.pairing", allow_abbrev=False)
    parser.add_argument("-r", action="store_true", dest="release", help="name and version first")
    parser.add_argument("--dutch", action="store_true", help="the FIDE (Dutch) System")
    parser.add_argument("file", nargs="?", metavar="IN.trf")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("-p", nargs="?", const="", dest="pair", metavar="OUT", help="pair a round")
    what.add_argument("-c", action="store_true", dest="check", help="check every round")
    parser.add_argument("-l", nargs="?", const="", dest="list", metavar="LIST", help="checklist")
    parser.add_argument("--explain", action="store_true", help="print the evidence as JSON")
    # bbpPairings takes the system before the file: `--dutch IN.trf -p OUT`.
    return parser.parse_args(argv)


def _run(arguments: argparse.Namespace) -> Exit:
    if arguments.release:
        sys.stdout.write(f"Rayuela {Dutch.version}\n")
        if not arguments.file:
            return Exit.DONE
    if not arguments.dutch or not arguments.file:
        raise _RequestError("wanted: --dutch IN.trf and one of -p, -c")
    source = Path(arguments.file)
    report = _read(source)
    if arguments.check:
        return _check(report)
    if arguments.pair is None and not arguments.explain:
        raise _RequestError("wanted: -p to pair the next round, or -c to check the rounds played")
    return _pair(report, source, arguments)


def _read(source: Path) -> Report:
    if source.stat().st_size > _MOST_BYTES:
        raise _RequestError(f"{source} has more than {_MOST_BYTES} bytes")
    return trf.read(trf.decoded(source.read_bytes()))


def _pair(report: Report, source: Path, arguments: argparse.Namespace) -> Exit:
    problem = trf.pairing_problem(report)
    solution = Dutch().pair(problem)
    text = _pairs_text(solution)
    if arguments.pair:
        _beside(source, arguments.pair).write_text(text)
    elif arguments.pair is not None and not arguments.explain:
        sys.stdout.write(text)
    if arguments.explain:
        json.dump(_explanation(problem, solution), sys.stdout, indent=1)
        sys.stdout.write("\n")
    if arguments.list is not None:
        _write_list(problem, solution, source, arguments.list)
    return Exit.DONE


def _beside(source: Path, name: str) -> Path:
    """An output without a folder stands next to the input, as with bbpPairings."""
    return Path(name) if len(Path(name).parts) > 1 else source.parent / name


def _pairs_text(solution: Solution) -> str:
    lines = [f"{b.first} {b.second}" for b in solution.boards]
    if solution.bye is not None:
        lines.append(f"{solution.bye} 0")
    return "\n".join([str(len(lines)), *lines]) + "\n"


def _explanation(problem: PairingProblem, solution: Solution) -> dict[str, object]:
    return {
        "engine": Dutch.version,
        "round": problem.round_number,
        "bye": solution.bye,
        "boards": [asdict(e) for e in solution.evidence],
        "brackets": [asdict(b) for b in explain(problem, solution)],
    }


def _write_list(problem: PairingProblem, solution: Solution, source: Path, name: str) -> None:
    """The checklist: who met whom, in the order of the TPNs."""
    opponents = {b.first: f"{b.second:>5} first" for b in solution.boards}
    opponents |= {b.second: f"{b.first:>5} second" for b in solution.boards}
    rows = [
        f"{c.tpn:>5} {c.pairing_halves(problem.round_number) / 2:>6.1f} {opponents.get(c.tpn, '    - bye')}\n"
        for c in sorted(problem.contestants, key=lambda c: c.tpn)
    ]
    _beside(source, name or f"{source.stem}.list").write_text("".join(rows))


def _check(report: Report) -> Exit:
    """Pair every round again and print where the file says otherwise; like bbpPairings, differing is no failure."""
    for number in range(1, trf.rounds_played(report) + 1):
        sys.stdout.write(f"Round #{number}\n")
        told = _told(report, number)
        try:
            solution = Dutch().pair(trf.pairing_problem(report, number))
        except NoPairingError as error:
            sys.stdout.write(f"  no pairing exists: {error}\n")
            continue
        ours = [(b.first, b.second) for b in solution.boards]
        ours += [(solution.bye, 0)] if solution.bye is not None else []
        _write_differences(ours, told)
    return Exit.DONE


def _told(report: Report, number: int) -> set[tuple[int, int]]:
    """The boards of a round as the file has them, the bye as opponent 0; forfeits may lack colours."""
    boards: set[tuple[int, int]] = set()
    for player in report.players:
        result = player.results[number - 1] if number <= len(player.results) else None
        if result and result.code is trf.Code.PAIRING_BYE:
            boards.add((player.id, 0))
        elif result and result.opponent is not None and result.is_white is not False:
            boards.add((player.id, result.opponent))
    return boards


def _write_differences(ours: list[tuple[int, int]], told: set[tuple[int, int]]) -> None:
    wrong = [pair for pair in ours if pair not in told and not _is_colourless(pair, told)]
    if not wrong:
        return
    other = sorted(pair for pair in told if pair not in set(ours))
    sys.stdout.write("  Checker pairings     Tournament pairings\n")
    for n in range(max(len(wrong), len(other))):
        left = "{:>6} - {:<6}".format(*wrong[n]) if n < len(wrong) else ""
        right = "{:>6} - {:<6}".format(*other[n]) if n < len(other) else ""
        sys.stdout.write(f"  {left:20} {right}".rstrip() + "\n")


def _is_colourless(pair: tuple[int, int], told: set[tuple[int, int]]) -> bool:
    """Whether the file has the board both ways round: a forfeit written without colours."""
    return pair[::-1] in told and pair in told
