"""Formats in which all play all: in one table, in groups, or in divisions."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.models.events import MAX_ROUNDS_OF_TABLES
from tournaments.pairing import FormatOptions, PairingProblem, league, stages
from tournaments.pairing.brackets import Draw
from tournaments.queries.formats.base import Format, GroupTable, Late, Problem
from tournaments.queries.formats.knockouts import TIE_FIELDS


class RoundRobin(Format):
    """One table of all players."""

    code = "round-robin"
    about = _("all play all, by the Berger tables")
    fields = (*Format.fields, "cycles", "exchanges_rounds")
    is_table = True
    is_ranked_by_points = True
    has_forecast = True
    meetings = {
        "berger": _(
            "Round robin: round %(table_round)d of the Berger table pairs these two, with "
            "these colours."
        ),
    }

    def most_meetings(self, event: Event) -> int:
        return event.cycles


class GroupsKnockout(Format):
    """A table for each group, whose best play a knock-out."""

    code = "groups-knockout"
    about = _("a round robin in each group. The best qualify for a knock-out")
    fields = (
        *Format.fields,
        "cycles",
        "exchanges_rounds",
        "groups",
        "qualifiers",
        "has_third_place",
        *TIE_FIELDS,
    )
    has_groups = True
    has_draw = True
    no_draw_yet = _("The bracket is made when the group stage is over.")
    has_forecast = True

    def most_meetings(self, event: Event) -> int:
        return event.cycles + 1  # in the group, and once more in the knock-out

    def places(self, event: Event, problem: Problem) -> Sequence[Sequence[int]]:
        return stages.places(problem())

    def group_tables(self, event: Event, problem: PairingProblem) -> Sequence[GroupTable]:
        return [
            GroupTable(
                table.number,
                0,
                [(row, "qualified" if row.tpn in table.qualified else "") for row in table.rows],
            )
            for table in stages.tables(problem)
        ]

    def draw(self, problem: PairingProblem) -> Draw | None:
        return stages.draw(problem)


class League(Format):
    """Divisions over several seasons, with promotion and relegation."""

    code = "league"
    about = _("a round robin in each division. The best are promoted and the last relegated")
    fields = (*Format.fields, "cycles", "exchanges_rounds", "groups", "promotion_places", "seasons")
    late = Late.ALWAYS
    has_groups = True

    def rounds_planned(self, event: Event, players: int, options: FormatOptions) -> int:
        return super().rounds_planned(event, players, options) * event.seasons

    def rounds_total_after(self, event: Event, closed_rounds: int, problem: Problem) -> int:
        """Return the number of rounds of the event. Divisions that grow have longer seasons.

        A season that would end after the last possible round of an event is not begun.
        """
        season = league.seasons(problem())[-1]
        if season.number > event.seasons or season.last_round > MAX_ROUNDS_OF_TABLES:
            return closed_rounds
        length = season.last_round - season.first_round + 1
        seasons = min(
            event.seasons - season.number, (MAX_ROUNDS_OF_TABLES - season.last_round) // length
        )
        return season.last_round + seasons * length

    def places(self, event: Event, problem: Problem) -> Sequence[Sequence[int]]:
        """Return places by division and rank in it, in the latest season that is played."""
        ranked: dict[tuple[int, int], list[int]] = {}
        for division in _seasons(event, problem())[-1].divisions:
            for row in division.rows:
                ranked.setdefault((division.number, row.row.rank), []).append(row.row.tpn)
        return list(ranked.values())

    def group_tables(self, event: Event, problem: PairingProblem) -> Sequence[GroupTable]:
        last = event.rounds_total  # after the last season nobody moves
        return [
            GroupTable(
                division.number,
                season.number,
                [
                    (each.row, each.movement.value if season.last_round < last else "")
                    for each in division.rows
                ],
            )
            for season in reversed(_seasons(event, problem))
            for division in season.divisions
        ]


def _seasons(event: Event, problem: PairingProblem) -> list[league.Season]:
    """Return the seasons of the event. After its last round there is no next season."""
    return [each for each in league.seasons(problem) if each.number <= event.seasons]
