"""Results for ratings alone in a report file of this site: a comment names each, and records 299 keep the points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tournaments import trf
from tournaments.models import Game
from tournaments.queries.arbiter.foreign_rounds import codes_of
from tournaments.queries.results.report_comments import SCORES
from tournaments.trf import Code

# As `reports` writes it.
_COMMENT = re.compile(
    r"rating report, round (\d{1,3}), board \d{1,4} \((\d{1,4}) .*\): "
    r"(.{3,7}) for ratings, (.{3,7}) in the standings"
)
_RESULTS = {text: Game.Result(each) for each, text in SCORES.items() if each != Game.Result.VOID}


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A game of the file, by its round and the number of its first side, with its result for ratings."""

    round_number: int
    first: int
    result: Game.Result


@dataclass(frozen=True, slots=True)
class StandingsReport:
    """A report with the results of the standings in place of those for ratings, which are apart."""

    report: trf.Report
    rated: tuple[RatedResult, ...] = ()


def is_about_ratings(comment: str) -> bool:
    """Return whether a comment names a result for ratings alone."""
    return _COMMENT.fullmatch(comment) is not None


def of_standings(report: trf.Report) -> StandingsReport:
    """Return the report with the results of the standings. Comments that do not fit the results are left out."""
    columns = {player.id: list(player.results) for player in report.players}
    abnormal = list(report.abnormal)
    rated = []
    for number, first, of_ratings, of_table in _named(report):
        both = _both(columns, number, first)
        if both is None:
            continue
        second, codes = both
        if codes not in {codes_of(of_ratings), codes_of(of_table)}:
            continue
        for tpn, before, after in zip((first, second), codes, codes_of(of_table), strict=True):
            columns[tpn][number - 1] = _with_code(columns[tpn][number - 1], after)
            abnormal = [each for each in abnormal if not _is_of(each, tpn, number, before)]
        rated.append(RatedResult(number, first, of_ratings))
    players = tuple(each._replace(results=tuple(columns[each.id])) for each in report.players)
    return StandingsReport(report._replace(players=players, abnormal=tuple(abnormal)), tuple(rated))


def _named(report: trf.Report) -> Iterator[tuple[int, int, Game.Result, Game.Result]]:
    """Yield round, first side, and both results of each comment."""
    for header in report.headers:
        match = _COMMENT.fullmatch(header.text.strip()) if header.code == "###" else None
        if match is not None and match[3] in _RESULTS and match[4] in _RESULTS:
            yield int(match[1]), int(match[2]), _RESULTS[match[3]], _RESULTS[match[4]]


def _both(
    columns: dict[int, list[trf.Result | None]], number: int, first: int
) -> tuple[int, tuple[Code, Code]] | None:
    """Return the opponent in that round, and the codes of both."""
    results = columns.get(first, [])
    own = results[number - 1] if 0 < number <= len(results) else None
    if own is None or own.opponent is None:
        return None
    theirs = columns[own.opponent][number - 1]
    assert theirs is not None, "the reader has compared the two"
    return own.opponent, (own.code, theirs.code)


def _with_code(result: trf.Result | None, code: Code) -> trf.Result:
    assert result is not None, "a game has a result"
    return result._replace(code=code)


def _is_of(points: trf.AbnormalPoints, tpn: int, number: int, code: Code) -> bool:
    """Return whether a record is about this result of this player alone."""
    usual = None if points.code is None else Code.of(points.code.kind)
    is_same = usual is Code.of(code.kind)
    return is_same and points.round_number == number and points.ids == (tpn,)
