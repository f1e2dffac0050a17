"""The records of teams as TRF-2026."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.trf.report import TeamRecords
from tournaments.trf.team_records import MATCH_RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.trf.report import Team


def team_lines(records: TeamRecords) -> Iterator[str]:
    """Yield the records as TRF-2026, without any line for a tournament of individuals."""
    if records == TeamRecords():
        return
    yield from map(_team_line, records.teams)
    if records.colours:
        yield f"352 {records.colours}"
    yield "362 " + "   ".join(
        f"{symbol}{getattr(records, name) / 2:4.1f}" for symbol, name in MATCH_RESULTS.items()
    )
    if records.byes is not None:
        teams = " ".join(f"{team or 0:03}" for team in records.byes.teams)
        match, game = records.byes.match_halves, records.byes.game_halves
        yield f"320 {match / 2:4.1f} {game / 2:4.1f} {teams}"
    for forfeit in records.forfeits:
        yield (
            f"330 {forfeit.sides} {forfeit.round_number:>3} {forfeit.white:>3} {forfeit.black:>3}"
        )
    for up in records.line_ups:
        players = " ".join(f"{i:04}" if not i else f"{i:>4}" for i in up.players)
        yield f"300 {up.round_number:>3} {up.team:>3} {up.opponent:>3} {players}"


def _team_line(team: Team) -> str:
    points = [
        "" if halves is None else f"{halves / 2:6.1f}"
        for halves in (team.match_halves, team.game_halves)
    ]
    rank = "" if team.rank is None else team.rank
    members = " ".join(f"{i:>4}" for i in team.members)
    return (
        f"310 {team.number:>3} {team.name[:32]:32} {team.nickname[:5]:5} {team.strength[:6]:>6}"
        f" {points[0]:>6} {points[1]:>6} {rank:>3}  {members}"
    )
