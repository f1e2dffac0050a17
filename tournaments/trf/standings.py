"""From a report to the field whose tie-breaks are computed."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from tournaments.round_kinds import Kind
from tournaments.standings import Edition, Field, Game, Participant, RatingFrom, Scoring, System
from tournaments.trf.errors import UnrankableReportError
from tournaments.trf.match_problems import TeamRounds, match_points_conflict
from tournaments.trf.problems import (
    DOUBLE_SWISS,
    Records,
    points_conflict,
    rounds_played,
    type_code,
)
from tournaments.trf.report import AbnormalPoints, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.trf.matches import Match
    from tournaments.trf.report import Player, Report

# Records of the event's start, its kind, and its tie-breaks.
# The comment with the seed of drawn lots, in our files.
LOTS = "lots drawn from the seed "
# The comments with ratings that hold from a round of the file on, and the one with the choice of
# the rating of the round for tie-breaks.
RATING_FROM, RATING_OF_ROUND = "rating from round ", "tie-breaks take the rating of the round"
_RATING_FROM = re.compile(rf"{RATING_FROM}(\d{{1,3}}): (\d{{1,4}}) (\d{{1,4}})")
_START, _END, _TYPE, _TIE_BREAKS, _ORDER = "042", "052", "092", "202", "212"
_ROUND_ROBIN = re.compile(r"ROUND.?ROBIN|BERGER", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<m>{'|'.join(_MONTHS)})[a-z]*\.?"
# `28. 07. 2005` of arbiters, `May 29, 2020` of lichess.
_DATES = (
    re.compile(r"(?P<y>\d{4})[-/.] ?(?P<m>\d{1,2})[-/.] ?(?P<d>\d{1,2})"),
    re.compile(r"(?P<d>\d{1,2})[-/.] ?(?P<m>\d{1,2})[-/.] ?(?P<y>\d{4})"),
    re.compile(rf"{_MONTH} (?P<d>\d{{1,2}}),? (?P<y>\d{{4}})", re.IGNORECASE),
    re.compile(rf"(?P<d>\d{{1,2}})\.? {_MONTH} (?P<y>\d{{4}})", re.IGNORECASE),
)
# The date of round 1 is in columns 92 to 99 of record 132, those of others ten further each, as YY/MM/DD.
_ROUND_DATES, _ROUND_DATES_AT, _A_DATE = "132", 87, 10


def standings_field(report: Report, *, system: System, edition: Edition) -> Field:
    """Return the field of the report after the rounds that were paired.

    A rating of 0 means unrated. Each of the two games of a match is a round.

    Raises:
        UnrankableReportError: when a record makes teams, or the points column disagrees with the
            results.
    """
    if report.refused:
        first = report.refused[0]
        raise UnrankableReportError(
            f"line {first.line}: record {first.code} is not followed when ranking individuals"
        )
    if type_code(report) in DOUBLE_SWISS:
        report = _of_games(report)
    if conflict := points_conflict(report):
        raise UnrankableReportError(conflict)
    points = report.points
    rounds = rounds_played(report)
    given = {(a.round_number, i): a.code for a in report.absences for i in a.ids}
    records = Records(report)
    annulled = _annulled(report, records) if report.abnormal else frozenset()
    by_player = later_ratings(report) if takes_rating_of_round(report) else {}
    return Field(
        [
            Participant(
                p.id,
                _games(p, rounds, given, records, annulled),
                p.rating or None,
                by_player.get(p.id, ()),
            )
            for p in report.players
        ],
        system=system,
        edition=edition,
        scoring=Scoring(points.win, points.draw, points.loss),
        rounds_total=report.rounds_total,
        lots_seed=_lots_seed(report),
    )


def _of_games(report: Report) -> Report:
    """Return a report of the Double-Swiss with games as rounds: a bye is a win and a draw (C.04.5 1.4)."""
    second_byes = [
        AbnormalPoints(Code.PAIRING_BYE, report.points.draw, number, (player.id,))
        for player in report.players
        for number, result in enumerate(player.results, start=1)
        if number % 2 == 0 and result and result.code is Code.PAIRING_BYE
    ]
    return report._replace(
        rounds_total=report.rounds_total and 2 * report.rounds_total,
        absences=tuple(
            each._replace(round_number=2 * each.round_number - first)
            for each in report.absences
            for first in (1, 0)
        ),
        abnormal=(*report.abnormal, *second_byes),
    )


def team_field(report: Report, *, system: System, edition: Edition) -> Field:
    """Return the field of the teams of the report after the rounds that were paired.

    Raises:
        UnrankableReportError: when the points of a team disagree with the results.
    """
    rounds = TeamRounds(report)
    if conflict := match_points_conflict(report):
        raise UnrankableReportError(conflict)
    records, each = report.team_records, report.points
    boards = rounds.boards
    match_points = Scoring(records.win, records.draw, records.loss)
    game_points = Scoring(boards * each.win, boards * each.draw, boards * each.loss)
    is_by_match_points = rounds.primary == "MP"
    return Field(
        [
            Participant(
                i,
                tuple(
                    _team_game(rounds.match(i, r), is_by_match_points)
                    for r in range(1, rounds.last + 1)
                ),
            )
            for i in rounds.ids
        ],
        system=system,
        edition=edition,
        scoring=match_points if is_by_match_points else game_points,
        second_scoring=game_points if is_by_match_points else match_points,
        rounds_total=report.rounds_total,
        lots_seed=_lots_seed(report),
        primary=rounds.primary,
    )


def _team_game(match: Match, is_by_match_points: bool) -> Game:
    scores = match.match_halves, match.game_halves
    primary, second = scores if is_by_match_points else scores[::-1]
    return Game(
        match.kind,
        primary,
        match.opponent,
        match.is_white,
        second_halves=second,
        boards=match.boards,
    )


def _annulled(report: Report, records: Records) -> frozenset[tuple[int, int]]:
    """Return players and rounds of games that `299` makes worth zero to both sides: they were annulled (C.05)."""
    players = {p.id: p for p in report.players}
    annulled = set()
    for player in report.players:
        for number, result in enumerate(player.results, start=1):
            if result is None or result.opponent is None:
                continue
            theirs = players[result.opponent].results[number - 1]
            assert theirs is not None, "the reader has held both sides against each other"
            usual = report.points.worth(result.code.kind) + report.points.worth(theirs.code.kind)
            own = records.worth(player.id, number, result.code)
            if usual and not own and not records.worth(result.opponent, number, theirs.code):
                annulled.add((player.id, number))
    return frozenset(annulled)


def _games(
    player: Player,
    rounds: int,
    given: Mapping[tuple[int, int], Code],
    records: Records,
    annulled: frozenset[tuple[int, int]],
) -> tuple[Game, ...]:
    """Return the rounds of a player.

    `given` has the results of `240` for rounds and players whose columns are blank.
    """
    games = []
    for number in range(1, rounds + 1):
        if (player.id, number) in annulled:
            games.append(Game(Kind.FREE))
            continue
        result = player.results[number - 1] if number <= len(player.results) else None
        code = result.code if result else given.get((number, player.id), Code.ZERO_BYE)
        opponent = result.opponent if result else None
        # A colour without an opponent is that of an empty board.
        is_first = result.is_white if result and opponent is not None else None
        games.append(
            Game(code.kind.counting, records.halves(player.id, number, code), opponent, is_first)
        )
    return tuple(games)


def announced_tie_breaks(report: Report) -> tuple[str, ...]:
    """Names of the tie-breaks the file announces: the full order (`212`), else those after the points (`202`)."""
    texts = {h.code: h.text for h in report.headers}
    text = texts.get(_ORDER) or texts.get(_TIE_BREAKS) or ""
    return tuple(re.split(r"[,;\s]+", text.strip(" ,;"))) if text.strip(" ,;") else ()


def _lots_seed(report: Report) -> str:
    """Return the seed of the lots in a comment of the file, or an empty text."""
    return next((t.removeprefix(LOTS) for t in _comments(report) if t.startswith(LOTS)), "")


def takes_rating_of_round(report: Report) -> bool:
    """Return whether the comments of the file say that tie-breaks take the rating of the round."""
    return RATING_OF_ROUND in _comments(report)


def is_about_ratings(comment: str) -> bool:
    """Return whether a comment is read by `later_ratings` or `takes_rating_of_round`."""
    return comment == RATING_OF_ROUND or _RATING_FROM.fullmatch(comment) is not None


def later_ratings(report: Report) -> dict[int, tuple[RatingFrom, ...]]:
    """Return the ratings of the comments that hold from a later round on, by the number of the player."""
    by_player: dict[int, tuple[RatingFrom, ...]] = {}
    for match in map(_RATING_FROM.fullmatch, _comments(report)):
        if match is not None:
            number, player, rating = map(int, match.groups())
            later = RatingFrom(number, rating)
            by_player[player] = (*by_player.get(player, ()), later)
    return by_player


def _comments(report: Report) -> list[str]:
    return [h.text.strip() for h in report.headers if h.code == "###"]


def start_date(report: Report) -> date | None:
    """Return the day the event began (`042`), or None if the file has no readable date."""
    return day_of(_text_of(report, _START))


def end_date(report: Report) -> date | None:
    """Return the day the event ended (`052`), or None if the file has no readable date."""
    return day_of(_text_of(report, _END))


def round_dates(report: Report) -> list[date | None]:
    """Return the days of the rounds (`132`), round 1 first, or None for an unreadable one."""
    texts = [each.text for each in report.headers if each.code == _ROUND_DATES]
    if len(texts) > 1:  # a record for each round, as some programs write them
        return [day_of(text) for text in texts]
    text = texts[0] if texts else ""
    words = [text[at : at + _A_DATE].strip() for at in range(_ROUND_DATES_AT, len(text), _A_DATE)]
    return [day_of(f"20{word}") if len(word) == 8 else day_of(word) for word in words]


def _text_of(report: Report, code: str) -> str:
    return next((h.text for h in report.headers if h.code == code), "")


def day_of(text: str) -> date | None:
    """Return the date in a text as programs and people write it, None without one."""
    match = next(filter(None, (pattern.search(text) for pattern in _DATES)), None)
    if match is None:
        return None
    month = match["m"].lower()
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
    try:
        return date(int(match["y"]), number, int(match["d"]))
    except ValueError:
        return None


def system_of(report: Report) -> System:
    """Return the system by its type code (`192`), else by the words of `092`, or a Swiss if neither says round robin."""
    words = report.system or next((h.text for h in report.headers if h.code == _TYPE), "")
    return System.ROUND_ROBIN if _ROUND_ROBIN.search(words) else System.SWISS
