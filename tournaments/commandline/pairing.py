"""The command line of the pairing systems: pair the next round, check the rounds of a file, make a random file, explain."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.commandline.checklist import checklist
from tournaments.commandline.requests import Exit, Parser, RequestError, read_bytes, read_report
from tournaments.pairing import SYSTEMS, report_system
from tournaments.pairing.problem import NoPairingError, PairingError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tournaments.pairing import SystemEntry
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import ReportSystem, Solution
    from tournaments.trf import Report


# Modules of a single command are imported in its function: pairing a round takes 0.01 s, and the
# modules of explanations, generator and checker 0.04 s to load. `pathlib` takes 0.004 s.


_WARNINGS = {
    trf.Doubt.BAKU_BY_NAME: (
        "record 192 accelerates by name only, and some players were not paired in round 1. If one of them entered late,"
        " group A differs from that of the start (C.04.7 1.2, 1.3). Record 250 tells who has virtual points."
    ),
    trf.Doubt.ROUND_OF_BYES: (
        "the last column has byes only. It counts as a round that was played; delete the column to pair that round."
    ),
}


# Requests that no other program has: the word that comes first, and the module with its `run`.
_COMMANDS = {"check": "consistency", "campaign": "campaign"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return one of `Exit`. An error is one line on standard error."""
    try:
        if argv and argv[0] in _COMMANDS:
            command = import_module(f"tournaments.commandline.{_COMMANDS[argv[0]]}")
            return int(command.run(argv[1:]))
        return _run(_arguments(argv))
    except NoPairingError as error:
        return _fail(Exit.NO_PAIRING, error)
    except (RequestError, trf.TrfError, PairingError) as error:
        return _fail(Exit.BAD_REQUEST, error)
    except OSError as error:
        return _fail(Exit.FILE, error)
    except MemoryError as error:
        return _fail(Exit.TOO_LARGE, error)


def _fail(code: Exit, error: Exception) -> Exit:
    sys.stderr.write(f"pairing: {error}\n")
    return code


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(
        prog="python -m tournaments.pairing",
        epilog="Further requests: check FILE.trf, and campaign --engine PATH; each has its own -h.",
    )
    parser.add_argument("-r", action="store_true", dest="release", help="name and version first")
    systems = parser.add_mutually_exclusive_group()
    for name, entry in _offered().items():
        systems.add_argument(
            f"--{name}",
            dest="system",
            action="store_const",
            const=name,
            help=f"pair by {entry.title}",
        )
    parser.add_argument("file", nargs="?", metavar="FILE.trf", help="the tournament, or the model")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("-p", nargs="?", const="", dest="pair", metavar="OUT", help="pair a round")
    what.add_argument("-c", action="store_true", dest="check", help="check every round")
    what.add_argument(
        "-g", nargs="?", const="", dest="generate", metavar="CFG", help="make a random tournament"
    )
    parser.add_argument("-o", dest="output", metavar="OUT.trf", help="where -g writes")
    parser.add_argument("-s", dest="seed", metavar="SEED", help="of -g, a whole number")
    parser.add_argument(
        "--code-2025", action="store_true", help="of -g, FIDE_DUTCH_2025 in 192, for older engines"
    )
    parser.add_argument("-l", nargs="?", const="", dest="list", metavar="LIST", help="checklist")
    parser.add_argument("--explain", action="store_true", help="print the evidence as JSON")
    # bbpPairings takes the system before the file: `--dutch IN.trf -p OUT`.
    return parser.parse_args(argv)


def _offered() -> dict[str, SystemEntry]:
    """Return the systems that pair from report files, by the word of their flags."""
    return {name: entry for name, entry in SYSTEMS.items() if entry.title}


def _run(arguments: argparse.Namespace) -> Exit:
    if arguments.release:
        names = [arguments.system] if arguments.system else _offered()
        versions = ", ".join(report_system(name).version for name in names)
        sys.stdout.write(f"Rayuela {versions}\n")
        if not arguments.file and arguments.generate is None:
            return Exit.DONE
    if not arguments.system:
        flags = ", ".join(f"--{name}" for name in _offered())
        raise RequestError(f"the system is missing: one of {flags}")
    if arguments.generate is not None:
        return _generate(arguments)
    if arguments.output is not None or arguments.seed is not None or arguments.code_2025:
        raise RequestError("-o, -s and --code-2025 belong to -g")
    if not arguments.file:
        raise RequestError("please give IN.trf and one of -p and -c, or -g")
    source = arguments.file
    report = read_report(source)
    if not report.players:
        raise RequestError(f"{source} has no players (records 001)")
    codes = SYSTEMS[arguments.system].report_codes
    # A flag adds facts that a file leaves open: a match of the Double-Swiss has two columns.
    report = report._replace(system=report.system or codes[0])
    _warn(report)
    if arguments.check:
        return _check(report, source, arguments)
    if arguments.pair is None and not arguments.explain:
        raise RequestError(
            "please give -p to pair the next round, or -c to check the rounds played"
        )
    return _pair(report, source, arguments)


def _warn(report: Report) -> None:
    for doubt in trf.doubts(report):
        sys.stderr.write(f"pairing: warning: {_WARNINGS[doubt]}\n")


def _pair(report: Report, source: str, arguments: argparse.Namespace) -> Exit:
    system = report_system(arguments.system)
    problem = trf.pairing_problem(report, systems=SYSTEMS[arguments.system].report_codes)
    solution = system.pair(problem)
    text = pairs_text(solution)
    if arguments.pair:
        _write(_beside(source, arguments.pair), text)
    elif arguments.pair is not None and not arguments.explain:
        sys.stdout.write(text)
    if arguments.explain:
        import json

        json.dump(_explanation(system, problem, solution), sys.stdout, indent=1)
        sys.stdout.write("\n")
    if arguments.list is not None:
        _write_list(checklist(problem, solution), source, arguments.list)
    return Exit.DONE


def _beside(source: str, name: str) -> str:
    """Return the path of an output, beside the input if it has no folder, as with bbpPairings."""
    has_folder = os.path.dirname(name) not in ("", ".")
    return name if has_folder else os.path.join(os.path.dirname(source), name)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def pairs_text(solution: Solution) -> str:
    """The boards as `-p` writes them."""
    lines = [f"{b.first} {b.second}" for b in solution.boards]
    if solution.bye is not None:
        lines.append(f"{solution.bye} 0")
    return "\n".join([str(len(lines)), *lines]) + "\n"


def _explanation(
    system: ReportSystem, problem: PairingProblem, solution: Solution
) -> dict[str, object]:
    return {
        "engine": system.version,
        "round": problem.round_number,
        "bye": solution.bye,
        "boards": [e._asdict() for e in solution.evidence],
        "brackets": [b.to_json() for b in system.explanation(problem, solution)],
    }


def _write_list(text: str, source: str, name: str) -> None:
    stem, _ = os.path.splitext(os.path.basename(source))
    _write(_beside(source, name or f"{stem}.list"), text)


def _check(report: Report, source: str, arguments: argparse.Namespace) -> Exit:
    """Pair every round again and print the differences from the file.

    A difference is no failure, as with bbpPairings.
    """
    from tournaments.commandline.checking import checked_rounds

    tables = []
    for checked in checked_rounds(report, arguments.system):
        sys.stdout.write(checked.text)
        if arguments.list is not None:
            tables.append(_numbered(checked.problem, checked.solution))
    if arguments.list is not None:
        _write_list("\n".join(tables), source, arguments.list)
    return Exit.DONE


def _numbered(problem: PairingProblem, solution: Solution | None) -> str:
    return f"Round #{problem.round_number}\n{checklist(problem, solution)}"


def _generate(arguments: argparse.Namespace) -> Exit:
    """Write a random tournament. It ends at a round that cannot be paired, with a message."""
    if arguments.code_2025 and trf.DUTCH_2025 not in SYSTEMS[arguments.system].report_codes:
        raise RequestError("--code-2025 is a code of the Dutch system")
    if not arguments.output:
        raise RequestError("-o is missing: where the tournament is written")
    if arguments.file and arguments.generate:
        raise RequestError("please give a model before -g or a configuration after it, not both")
    from tournaments.commandline.generator import generate
    from tournaments.commandline.recipe import Recipe, from_config, from_model

    recipe = Recipe()
    if arguments.file:
        recipe = from_model(read_report(arguments.file))
    elif arguments.generate:
        recipe = from_config(trf.decoded(read_bytes(arguments.generate)))
    tables: list[str] = []

    def listener(problem: PairingProblem, solution: Solution) -> None:
        if arguments.list is not None:
            tables.append(_numbered(problem, solution))

    tournament = generate(recipe, _seed(arguments.seed), listener, name=arguments.system)
    text = trf.write(tournament.report, is_code_2025=arguments.code_2025)
    _write(arguments.output, text)
    if arguments.list is not None:
        _write_list("\n".join(tables), arguments.output, arguments.list)
    if tournament.ended is not None:
        number = trf.rounds_played(tournament.report) + 1
        sys.stderr.write(
            f"pairing: the tournament ends before round {number}: {tournament.ended}\n"
        )
    return Exit.DONE


def _seed(word: str | None) -> int:
    if word is None:
        import secrets

        return secrets.randbelow(2**32)
    if not (word.isascii() and word.isdigit() and len(word) <= 20):
        raise RequestError(f"{word[:20]!r} is no seed: a whole number of up to 20 digits")
    return int(word)
