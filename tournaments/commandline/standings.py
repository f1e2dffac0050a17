"""The command line of the tie-breaks: a report file in, places and values as JSON out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.commandline.requests import Exit, Parser, RequestError, read_report
from tournaments.standings.breakdown import breakdown, encounter_breakdown
from tournaments.standings.catalogue import DEFAULTS, TEAM_DEFAULTS, misfits, tie_breaks
from tournaments.standings.columns import decimal_text
from tournaments.standings.errors import StandingsError
from tournaments.standings.field import Edition, System, edition_at
from tournaments.standings.ranking import ranking

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from fractions import Fraction

    from tournaments.standings.breakdown import Breakdown, Term
    from tournaments.standings.field import Field
    from tournaments.standings.ranking import Place, Ranking
    from tournaments.trf import Report

# A list of all tie-breaks with all their cuts is shorter.
_MOST_NAMES = 100


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return one of `Exit`. An error is one line on standard error."""
    try:
        return _run(_arguments(argv))
    except (RequestError, trf.TrfError, StandingsError) as error:
        return _fail(Exit.BAD_REQUEST, error)
    except OSError as error:
        return _fail(Exit.FILE, error)
    except MemoryError as error:
        return _fail(Exit.TOO_LARGE, error)


def _fail(code: Exit, error: Exception) -> Exit:
    sys.stderr.write(f"standings: {error}\n")
    return code


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="python -m tournaments.standings")
    parser.add_argument("file", metavar="IN.trf")
    parser.add_argument(
        "--tiebreaks",
        metavar="NAME,NAME",
        help="in order, after the points unless PTS is among them; else those of record 212 or 202",
    )
    parser.add_argument(
        "--edition",
        choices=[e.value for e in Edition],
        help="of C.07; else the one in force when the event began (042)",
    )
    parser.add_argument(
        "--system",
        choices=[s.value for s in System],
        help="else round robin where 192 or 092 says so",
    )
    parser.add_argument("--explain", action="store_true", help="add the terms of every value")
    return parser.parse_args(argv)


def _run(arguments: argparse.Namespace) -> Exit:
    report = _read(Path(arguments.file))
    system = System(arguments.system) if arguments.system else trf.system_of(report)
    edition = Edition(arguments.edition) if arguments.edition else _edition(report)
    names = _names(arguments.tiebreaks, report, system)
    of_teams = trf.is_of_teams(report)
    field = _field(report, system, edition)
    table = ranking(field, names)
    for name in misfits(table.tie_breaks, field):
        sys.stderr.write(f"standings: note: C.07 of {edition} has no {name} for system {system}\n")
    columns = [t.name for t in table.tie_breaks if t.name != "PTS" or t.name in names]
    rows = [_row(place, columns) for place in table.places]
    if arguments.explain:
        for row, place in zip(rows, table.places, strict=True):
            row["separated_by"] = place.separated_by
            row["terms"] = _explanations(field, table, place)
    lines = ",\n".join(json.dumps(row) for row in rows)
    sys.stdout.write(f'{{"{"teams" if of_teams else "players"}": [\n{lines}\n]}}\n')
    return Exit.DONE


def file_ranking(report: Report) -> Ranking:
    """Return the places by the file's own tie-breaks, kind and beginning.

    Raises RequestError, TrfError.
    """
    system = trf.system_of(report)
    return ranking(_field(report, system, _edition(report)), _names(None, report, system))


def _edition(report: Report) -> Edition:
    start = trf.start_date(report)
    return edition_at(start) if start else Edition.MARCH_2026


def _field(report: Report, system: System, edition: Edition) -> Field:
    build = trf.team_field if trf.is_of_teams(report) else trf.standings_field
    return build(report, system=system, edition=edition)


def _read(source: Path) -> Report:
    report = read_report(source)
    if not report.players:
        raise RequestError(f"{source} has no players (records 001)")
    return report


def _names(given: str | None, report: Report, system: System) -> Sequence[str]:
    """Return the names asked for, in capitals, else those the file announces, else the usual ones."""
    announced = trf.announced_tie_breaks(report)
    chosen = announced if given is None else given.split(",") if given.strip() else ()
    if given is None and not announced:
        chosen = TEAM_DEFAULTS if trf.is_of_teams(report) else DEFAULTS[system]
    if len(chosen) > _MOST_NAMES:
        raise RequestError(f"more than {_MOST_NAMES} tie-breaks")
    names = [name.strip().upper() for name in chosen]
    try:
        tie_breaks(names, of_teams=trf.is_of_teams(report))
    except StandingsError as error:
        if given is not None:
            raise
        raise RequestError(
            f"record 202 or 212: {error}; --tiebreaks of the standings replaces them"
        ) from error
    return names


def _row(place: Place, names: Sequence[str]) -> dict[str, object]:
    return {
        "id": place.id,
        "rank": place.rank,
        "points": decimal_text(place.points),
        "tiebreaks": {name: _text(place.values[name]) for name in names},
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else decimal_text(value)


def _explanations(field: Field, table: Ranking, place: Place) -> dict[str, object]:
    return {
        t.name: _explanation(
            encounter_breakdown(table, t.name, place.id)
            if t.name in table.encounters
            else breakdown(field, t, place.id)
        )
        for t in table.tie_breaks
    }


def _explanation(opened: Breakdown) -> dict[str, object]:
    entry: dict[str, object] = {
        "value": _text(opened.value),
        "article": opened.tie_break.entry.article,
        "combination": opened.tie_break.entry.combination.value,
        "terms": [_term(t) for t in opened.terms],
    }
    return entry | {"bonus": opened.bonus} if opened.bonus else entry


def _term(term: Term) -> dict[str, object]:
    """Return the known facts of the term, without the unknown ones."""
    entry: dict[str, object] = {
        "round": term.round_number,
        "opponent": term.opponent,
        "contribution": decimal_text(term.contribution),
    }
    if term.strength is not None:
        entry["strength"] = decimal_text(term.strength)
    if term.score is not None:
        entry["score"] = decimal_text(term.score)
    if term.reason is not None:
        entry["reason"] = {"key": term.reason.value, "article": term.reason.article}
    if term.cut is not None:
        entry["cut"] = {"key": term.cut.value, "article": term.cut.article}
    return entry
