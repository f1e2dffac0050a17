"""`Report` to TRF16 with the extensions that JaVaFo (XX) and bbpPairings (BB) added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.problem import PointSystem
from tournaments.trf.problems import rounds_played
from tournaments.trf.report import Code, Result
from tournaments.trf.writing import decimal, on_a_line, player_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.trf.report import Player, Report

# Records that TRF-2026 added, and others may take for an error.
_ONLY_2026 = frozenset(["172", "182", "202", "212", "222"])


def write16(report: Report) -> str:
    """Return the report as TRF16, with LF line ends.

    It says less than `trf.write`. It has only the byes and forbidden pairs of the next round. Other
    pairs are in comments, and byes are results in that round's column. It has no type of
    tournament, no tie-breaks and no abnormal points. Adjourned games are draws.
    """
    following = rounds_played(report) + 1
    lines = [
        *_settings(report),
        *(player_line(_with_bye(_drawn(p), report, following)) for p in report.players),
        *_virtual(report),
        *_forbidden(report, following),
    ]
    return "".join(line.rstrip() + "\n" for line in lines)


def _settings(report: Report) -> Iterator[str]:
    for header in report.headers:
        # No national ratings: other programs may take their records for errors.
        if header.code not in _ONLY_2026 and not header.code.isalpha():
            yield f"{header.code} {on_a_line(header.text)}"
    if report.rounds_total is not None:
        yield f"XXR {report.rounds_total}"
    if report.odd_is_white is not None:
        yield f"XXC {'white1' if report.odd_is_white else 'black1'}"
    if report.points != PointSystem():
        yield from _points(report.points)


def _points(points: PointSystem) -> Iterator[str]:
    for code, halves in (
        ("BBW", points.win),
        ("BBD", points.draw),
        ("BBL", points.loss),
        ("BBZ", points.zero_bye),
        ("BBF", points.forfeit_loss),
        ("BBU", points.pairing_bye),
    ):
        yield f"{code} {decimal(halves)}"


def _drawn(player: Player) -> Player:
    """Return the player with adjourned games as draws, which is their effect on the pairing."""
    results = (
        r._replace(code=Code.DRAW) if r and r.code is Code.ADJOURNED else r for r in player.results
    )
    return player._replace(results=tuple(results))


def _with_bye(player: Player, report: Report, following: int) -> Player:
    """Return the player with the bye of the next round in its column, as older programs read it."""
    code = _absence(player, report, following)
    if code is None:
        return player
    results = list(player.results[: following - 1])
    results += [None] * (following - 1 - len(results))
    return player._replace(results=(*results, Result(code)))


def _absence(player: Player, report: Report, following: int) -> Code | None:
    for absence in report.absences:
        if absence.round_number == following and player.id in absence.ids:
            return absence.code
    return None


def _virtual(report: Report) -> Iterator[str]:
    """`XXA`: the virtual points of a player in every round up to the last that has any."""
    for player in report.players:
        own = [v for v in report.virtual if v.first_id <= player.id <= v.last_id]
        last = max((v.last_round for v in own), default=0)
        halves = [
            sum(v.halves for v in own if v.first_round <= number <= v.last_round)
            for number in range(1, last + 1)
        ]
        if any(halves):
            yield f"XXA {player.id:>4} " + " ".join(map(decimal, halves))


def _forbidden(report: Report, following: int) -> Iterator[str]:
    """`XXP` of the pairs that must never meet or not in the next round, and a comment with the rounds of the latter.

    The record has no rounds: a program that checks takes it for all of them.
    """
    last_round = report.rounds_total or following
    for group in report.forbidden:
        ids = " ".join(map(str, group.ids))
        last = group.last_round or last_round
        is_always = group.first_round <= 1 and last >= last_round
        if not is_always:
            yield f"### forbidden in rounds {group.first_round} to {last}: {ids}"
        if is_always or group.first_round <= following <= last:
            yield f"XXP {ids}"
