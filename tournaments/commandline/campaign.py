"""Random tournaments against another engine: its files to our checker, our files to its checker, the next round by both.

The engine takes the arguments of bbpPairings. A parameter held constant hides faults, so that each tournament draws all.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.commandline.checking import checked_rounds
from tournaments.commandline.engine import Engine, Kind, compared, difference_of, told_rounds
from tournaments.commandline.generator import generate
from tournaments.commandline.pairing import pairs_text
from tournaments.commandline.recipe import BBP_KEYS, from_config
from tournaments.commandline.requests import Exit, Parser, RequestError, read_report
from tournaments.pairing import SYSTEMS, report_system
from tournaments.pairing.problem import NoPairingError, PairingError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from tournaments.trf import Report

_LARGEST, _MOST_ROUNDS = 500, 20
_RAREST = 1_000_000


class Direction(StrEnum):
    """Direction of the files: the program that makes them, and the checker that reads them."""

    THEIRS = "their files, our checker"
    OURS = "our files, their checker"
    NEXT = "the next round by both"


@dataclass(slots=True)
class _Comparison:
    """A file that both have seen: the number of rounds, and the differences with the text about them."""

    direction: Direction
    source: Path
    rounds: int = 0
    kinds: list[Kind] = field(default_factory=list)
    text: str = ""

    def add(self, kind: Kind, text: str) -> None:
        """Note one difference."""
        self.kinds.append(kind)
        self.text += f"{kind}: {text}\n"


def run(argv: Sequence[str]) -> Exit:
    """Play the tournaments, keep the files that differ, print the table. Raises RequestError, OSError."""
    arguments = _arguments(argv)
    program = shutil.which(arguments.engine)
    if program is None:
        raise RequestError(f"{arguments.engine} is no program")
    engine = Engine(str(Path(program).resolve()), arguments.system, arguments.seconds)
    totals = {direction: Counter[str]() for direction in Direction}
    with TemporaryDirectory() as folder:
        campaign = _Campaign(engine, Path(folder), arguments)
        for seed in range(arguments.seed, arguments.seed + arguments.tournaments):
            for comparison in campaign.comparisons(seed):
                counts = totals[comparison.direction]
                counts.update(tournaments=1, rounds=comparison.rounds)
                counts.update(comparison.kinds)
                if comparison.kinds:
                    _keep(comparison, Path(arguments.keep))
    sys.stdout.write(_table(totals))
    has_differences = any(counts[kind] for counts in totals.values() for kind in Kind)
    return Exit.INCONSISTENT if has_differences else Exit.DONE


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = Parser(prog="python -m tournaments.pairing campaign")
    parser.add_argument("--engine", required=True, metavar="PATH", help="the other program")
    titles = [name for name, entry in SYSTEMS.items() if entry.title]
    parser.add_argument("--system", choices=titles, default="dutch")
    parser.add_argument("--tournaments", type=int, default=100, help="of each direction")
    parser.add_argument("--seed", type=int, default=1, help="of the first; each next has one more")
    parser.add_argument("--players", type=int, default=_LARGEST, help="at most, from 2")
    parser.add_argument("--keep", default="differences", metavar="FOLDER", help="for differences")
    parser.add_argument("--seconds", type=float, default=60, help="for each run of the engine")
    parser.add_argument(
        "--code-2025", action="store_true", help="FIDE_DUTCH_2025 in 192, for older engines"
    )
    parser.add_argument(
        "--worthless-byes", action="store_true", help="the pairing-allocated bye is worth nothing"
    )
    arguments = parser.parse_args(argv)
    if arguments.players < 2:
        raise RequestError("--players is less than 2")
    return arguments


class _Campaign:
    """The tournaments, in a folder that is cleared after each."""

    def __init__(self, engine: Engine, folder: Path, arguments: argparse.Namespace) -> None:
        self._engine = engine
        self._folder = folder
        self._largest = arguments.players
        self._is_code_2025 = arguments.code_2025
        self._has_worthless_byes = arguments.worthless_byes
        self._codes = SYSTEMS[engine.system].report_codes

    def comparisons(self, seed: int) -> Iterator[_Comparison]:
        """The files of this seed that both programs see."""
        config = drawn_config(
            random.Random(seed), self._largest, has_worthless_byes=self._has_worthless_byes
        )
        for comparison in (*self._theirs(seed, config), *self._ours(seed, config)):
            settings = "".join(f"{key}={value}\n" for key, value in config.items())
            comparison.text = f"seed {seed}\n{settings}\n{comparison.text}"
            yield comparison
        for path in self._folder.iterdir():
            path.unlink()

    def _theirs(self, seed: int, config: dict[str, str]) -> Iterator[_Comparison]:
        """Yield the comparison of a file of the engine's generator, unless a round of it has no pairing."""
        settings, source = self._folder / "theirs.cfg", self._folder / f"theirs-{seed}.trf"
        settings.write_text(_engine_settings(config))
        comparison = _Comparison(Direction.THEIRS, source)
        words = ("-g", str(settings), "-o", str(source), "-s", str(seed))
        answer = self._engine.answer(*words)
        if answer.code == Exit.NO_PAIRING:
            return
        if answer.code != Exit.DONE or not source.exists():
            comparison.add(Kind.EXIT, f"-g gave {answer.code}: {answer.output}")
        else:
            self._check_theirs(source, comparison)
        yield comparison

    def _check_theirs(self, source: Path, comparison: _Comparison) -> None:
        try:
            for checked in checked_rounds(read_report(source), self._engine.system):
                comparison.rounds += 1
                if not checked.is_consistent:
                    kind = difference_of(checked.missing, checked.surplus)
                    comparison.add(kind, checked.text)
        except (trf.TrfError, PairingError, RequestError) as error:
            comparison.add(Kind.EXIT, f"our checker: {error}")

    def _ours(self, seed: int, config: dict[str, str]) -> Iterator[_Comparison]:
        """Yield the comparisons of a file of ours: its rounds by their checker, and the next one if it can be paired."""
        recipe = from_config("".join(f"{key}={value}\n" for key, value in config.items()))
        try:
            report = generate(recipe, seed, name=self._engine.system).report
        except NoPairingError:
            return
        source = self._folder / f"ours-{seed}.trf"
        is_16 = _is_older_dialect(config, seed)
        # A checker of the older dialect refuses byes in the column of a round that is not played.
        played = report._replace(absences=()) if is_16 else report
        source.write_text(self._text(played, is_16=is_16))
        yield self._checked_by_them(source, trf.rounds_played(report))
        if trf.rounds_played(report) < (report.rounds_total or 0):
            source.write_text(self._text(report, is_16=is_16))
            yield self._next_round(source, report)

    def _text(self, report: Report, *, is_16: bool) -> str:
        return trf.write16(report) if is_16 else trf.write(report, is_code_2025=self._is_code_2025)

    def _checked_by_them(self, source: Path, rounds: int) -> _Comparison:
        comparison = _Comparison(Direction.OURS, source, rounds)
        answer = self._engine.answer(str(source), "-c")
        if answer.code != Exit.DONE:
            comparison.add(Kind.EXIT, f"-c gave {answer.code}: {answer.output}")
            return comparison
        tables = told_rounds(answer.output)
        for number in range(1, rounds + 1):
            if number not in tables:
                comparison.add(Kind.EXIT, f"round {number} was not checked")
            elif tables[number]:
                comparison.add(compared(tables[number]), f"round {number}\n{tables[number]}")
        return comparison

    def _next_round(self, source: Path, report: Report) -> _Comparison:
        comparison = _Comparison(Direction.NEXT, source, 1)
        target = self._folder / "next.txt"
        answer = self._engine.answer(str(source), "-p", str(target))
        try:
            problem = trf.pairing_problem(report, systems=self._codes)
            ours, code = pairs_text(report_system(self._engine.system).pair(problem)), Exit.DONE
        except NoPairingError as error:
            ours, code = str(error), Exit.NO_PAIRING
        theirs = target.read_text() if target.exists() else answer.output
        text = f"\nours {code:d}:\n{ours}\ntheirs {answer.code}:\n{theirs}"
        if answer.code != code:
            comparison.add(Kind.EXIT, text)
        elif code == Exit.DONE and ours.split() != theirs.split():
            boards = [
                [(row.split()[0], row.split()[-1]) for row in rows.splitlines()[1:] if row.strip()]
                for rows in (ours, theirs)
            ]
            comparison.add(difference_of(*boards), text)
        return comparison


def drawn_config(
    chance: random.Random, largest: int = _LARGEST, *, has_worthless_byes: bool = False
) -> dict[str, str]:
    """Return a drawn configuration of the generator.

    Another engine may take a minute for 500 players: large fields are rare, and half of all have at most ten.
    """

    def rate(*often: int) -> int:
        return chance.choice((0, 0, *often))

    most = min(largest, *chance.choices((40, 120, _LARGEST), (390, 9, 1)))
    size = round(2 * (most / 2) ** chance.random())
    # Most events leave opponents for every round. A few run out of them.
    enough = _MOST_ROUNDS if chance.random() < 0.1 else 2 * size // 3
    rounds = min(chance.randint(1, _MOST_ROUNDS), max(1, enough))
    highest = chance.randint(1000, 2800)
    points = chance.choice(_POINTS)
    if has_worthless_byes:
        points = {"PointsForPAB": 0}
    half_byes, full_byes = rate(10, 100), rate(20)
    config: dict[str, object] = {
        "PlayersNumber": size,
        "RoundsNumber": rounds,
        "RoundsPlayed": rounds if chance.random() < 0.3 else chance.randint(1, rounds),
        "DrawPercentage": chance.choice((0, 30, 30, 60, 100)),
        "ForfeitRate": rate(10, 50),
        "DoubleForfeitRate": rate(10, 50),
        "ShortGameRate": rate(10),
        "RetiredRate": rate(10, 100),
        "HalfPointByeRate": half_byes,
        "FullPointByeRate": full_byes,
        "WithdrawalRate": rate(20, 100),
        "LateEntryRate": rate(5, 20),
        "ForbiddenPairs": rate(1, size // 4),
        # TRF16 cannot limit forbidden pairs to some rounds.
        "ForbiddenPairsInRounds": 0 if "PointsForZPB" in points else rate(1, size // 4),
        "HighestRating": highest,
        # Unrated fields, fields of one rating, and others.
        "LowestRating": chance.choice((0, highest, highest // 2)),
        "Accelerated": int(points.keys() <= {"PointsForPAB"} and chance.random() < 0.2),
        # bbpPairings takes a blank column for a zero-point bye, and reads `240` for the next round only.
        "AnnouncedByes": 0 if half_byes or full_byes else chance.randint(0, 1),
        "InitialColour": chance.choice("WB"),
        **points,
    }
    if chance.random() < 0.1:
        config |= {"HighestRating": 0, "LowestRating": 0}
    config["OddResultRate"] = rate(20)
    return {key: str(value) for key, value in config.items()}


_POINTS: tuple[dict[str, float], ...] = (
    {},
    {},
    {},
    {"PointsForPAB": 0.5},
    {"PointsForWin": 3, "PointsForDraw": 1},
    {"PointsForWin": 2, "PointsForDraw": 1, "PointsForLoss": 0.5},
    {"PointsForZPB": 0.5, "PointsForForfeitLoss": 0.5},
)


def _is_older_dialect(config: dict[str, str], seed: int) -> bool:
    """Return whether our file is TRF16 with its extensions (`XXP`, `XXA`, `BBW`).

    bbpPairings refuses `162 A`, the points for absences.
    """
    if "PointsForZPB" in config:
        return True
    return config["ForbiddenPairsInRounds"] == "0" and seed % 2 == 0


def _engine_settings(config: dict[str, str]) -> str:
    """Return the keys that bbpPairings has. It refuses a rate of 0: its "never" is the rarest rate."""
    return "".join(
        f"{key}={_RAREST if key.endswith('Rate') and value == '0' else value}\n"
        for key, value in config.items()
        if key in BBP_KEYS
    )


def _keep(comparison: _Comparison, folder: Path) -> None:
    """Store the file, and its differences beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / comparison.source.name
    if comparison.source.exists():
        shutil.copyfile(comparison.source, copy)
    with copy.with_suffix(".txt").open("a") as notes:
        notes.write(f"{comparison.direction}\n{comparison.text}\n")


def _table(totals: dict[Direction, Counter[str]]) -> str:
    columns = ("tournaments", "rounds", *Kind)
    rows = [("", *columns)]
    rows += [(d, *(str(counts[column]) for column in columns)) for d, counts in totals.items()]
    return "".join(
        f"{name:26}{''.join(f'{cell:>13}' for cell in cells)}\n" for name, *cells in rows
    )
