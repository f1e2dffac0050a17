"""The command line of the ratings.

`bradley-terry` fits a file of results and writes the list as JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tournaments.ratings.bradley_terry import (
    FORMULA,
    DrawModel,
    Fit,
    Prior,
    fit_pairs,
    superiority,
)
from tournaments.ratings.errors import RatingsError, ResultFileError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Exit(IntEnum):
    """Exit codes."""

    DONE = 0
    NO_RATINGS = 1
    FILE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return one of `Exit`, 2 also for wrong arguments.

    An error is one line.
    """
    arguments = _parser().parse_args(argv)
    try:
        return _bradley_terry(arguments)
    except (ResultFileError, OSError) as error:
        return _fail(Exit.FILE, error)
    except RatingsError as error:
        return _fail(Exit.NO_RATINGS, error)


def _fail(code: Exit, error: Exception) -> Exit:
    sys.stderr.write(f"ratings: {error}\n")
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tournaments.ratings", allow_abbrev=False)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "bradley-terry", help="strengths with error bars from all games", allow_abbrev=False
    )
    command.add_argument("file", type=Path, metavar="GAMES.pgn|pairs.csv")
    command.add_argument("--los", action="store_true", help="the matrix of superiorities too")
    command.add_argument("--model", choices=[*map(str, DrawModel)], help="instead of the likelier")
    command.add_argument(
        "--prior", type=_weight, default=1.0, metavar="DRAWS", help="virtual draws a player"
    )
    command.add_argument("--no-side", action="store_true", help="the first side is worth nothing")
    command.add_argument("--centre", type=_elo, default=0, metavar="ELO", help="mean of the pool")
    command.add_argument(
        "--anchor",
        type=_anchor,
        action="append",
        default=[],
        metavar="NAME=ELO",
        help="again for more",
    )
    return parser


def _weight(text: str) -> float:
    weight = _number(text)
    if not 0 <= weight <= 1_000:
        raise argparse.ArgumentTypeError(f"not a number of draws: {text[:60]!r}")
    return weight


def _elo(text: str) -> int:
    """Hundredths of an Elo point."""
    elo = _number(text)
    if not abs(elo) <= 100_000:
        raise argparse.ArgumentTypeError(f"not a rating: {text[:60]!r}")
    return round(100 * elo)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan  # which is in no range


def _anchor(text: str) -> tuple[str, int]:
    name, separator, elo = text.rpartition("=")
    if not (name and separator):
        raise argparse.ArgumentTypeError(f"not NAME=ELO: {text[:60]!r}")
    return name, _elo(elo)


def _bradley_terry(arguments: argparse.Namespace) -> Exit:
    from tournaments.ratings import result_files  # which loads numpy

    results = result_files.read(arguments.file)
    fit = fit_pairs(
        results.table,
        prior=Prior(
            draws=arguments.prior, side_sd_elo=Prior().side_sd_elo if arguments.prior else None
        ),
        models=[DrawModel(arguments.model)] if arguments.model else tuple(DrawModel),
        has_sides=not arguments.no_side,
    )
    report = _report(fit, arguments)
    report["unfinished"] = results.unfinished
    json.dump(report, sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
    return Exit.DONE


def _report(fit: Fit, arguments: argparse.Namespace) -> dict[str, object]:
    """Ratings from the best down, in Elo points with two digits.

    `error95` is half of the 95 % interval.
    """
    ratings = fit.ratings(centre_centielo=arguments.centre, anchors_centielo=dict(arguments.anchor))
    places = sorted(
        range(len(ratings)), key=lambda n: (-ratings[n].rating_centielo, ratings[n].player)
    )
    report: dict[str, object] = {
        "formula": FORMULA,
        "model": fit.model,
        "games": sum(fit.games) // 2,
        "prior_draws": fit.prior.draws,
        "side_advantage": fit.advantage_centielo / 100,
        "draw_parameter": round(fit.draw_parameter, 6),
        "scale": round(fit.scale, 6),
        "log_likelihood": round(fit.log_likelihood, 4),
        "groups": len(set(fit.groups)),
        "ratings": [
            {
                "player": ratings[n].player,
                "rating": ratings[n].rating_centielo / 100,
                "error95": ratings[n].error_centielo / 100,
                "games": ratings[n].games,
                "points": ratings[n].score_halves / 2,
                "group": ratings[n].group,
            }
            for n in places
        ],
    }
    if arguments.los:
        matrix = superiority(fit)
        report["los"] = [[round(float(matrix[i, j]), 6) for j in places] for i in places]
    return report
