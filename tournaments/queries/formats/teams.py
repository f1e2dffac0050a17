"""Formats of teams, which meet at several boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.models.events import MatchBye, MatchPoints
from tournaments.pairing import FormatOptions, PointSystem, scheveningen
from tournaments.queries.formats.base import Format, Late
from tournaments.queries.formats.group_tables import RoundRobin
from tournaments.queries.formats.knockouts import Knockout
from tournaments.standings.catalogue import TEAM_DEFAULTS

_FIELDS = (
    *("boards", "match_points", "match_bye", "has_fixed_order"),
    *("alternates_boards", "line_up_minutes"),
)


class TeamSwiss(Format):
    """The Swiss Team Pairing System."""

    code = "team"
    about = _("teams with equal scores meet. No rematch. FIDE (Swiss Team) rules")
    fields = (*Format.fields, "rounds_total", *_FIELDS)
    late = Late.FIRST_HALF
    is_swiss = True
    is_ranked_by_points = True
    has_forecast = True
    rules = _("Swiss Team Pairing System, C.04.6, in force since 1 February 2026")
    about_bye = _(
        "The bye is given before the pairing: to the lowest score without which the others can all "
        "be paired, then to the team with the most matches, then to the largest number."
    )
    usual_tie_breaks: ClassVar[tuple[str, ...]] = TEAM_DEFAULTS

    def most_meetings(self, event: Event) -> int:
        return 1


class TeamRoundRobin(RoundRobin):
    """A table of teams."""

    code = "team-round-robin"
    about = _("all teams meet, by the Berger tables")
    fields = (*RoundRobin.fields, *_FIELDS)
    usual_tie_breaks: ClassVar[tuple[str, ...]] = TEAM_DEFAULTS

    def report_type(self, event: Event) -> str | None:
        """Return the code of TRF-2026 for the table, by its cycles."""
        return f"BERGER_TEAM_{'DOUBLE' if event.cycles == 2 else ''}ROUNDROBIN"


class TeamMatch(TeamRoundRobin):
    """Two teams, which meet once or several times."""

    code = "team-match"
    about = _("two teams meet in every round, in one round or more")
    fields = (*Format.fields, "rounds_total", *_FIELDS)
    meetings = {
        "team-match": _("Match %(table_round)d of the two teams. They are named first in turn."),
    }

    def report_type(self, event: Event) -> str | None:
        """Return the code of the round robin with these rounds: TRF-2026 has none for a match."""
        codes = {1: "BERGER_TEAM_ROUNDROBIN", 2: "BERGER_TEAM_DOUBLEROUNDROBIN"}
        return codes.get(event.rounds_total)

    def most_meetings(self, event: Event) -> int:
        return event.rounds_total


class Scheveningen(TeamMatch):
    """Two teams, whose players all meet."""

    code = "scheveningen"
    about = _("every player of one team meets every player of the other")
    fields = (*Format.fields, "boards", "match_points", "match_bye")
    has_line_ups = False
    has_forecast = False
    # The match is one: its rounds are no matches of their own.
    leading_tie_breaks = ("MPVGP",)
    usual_tie_breaks: ClassVar[tuple[str, ...]] = ()
    meetings = {
        "scheveningen": _(
            "Scheveningen: round %(table_round)d of the table for %(boards)d boards has these players "
            "meet, with these colours."
        ),
    }

    def report_type(self, event: Event) -> str | None:
        """Return no code: TRF-2026 has none for such a match."""
        return None

    def most_meetings(self, event: Event) -> int:
        return event.boards

    def rounds_planned(self, event: Event, players: int, options: FormatOptions) -> int:
        """Return as many rounds as boards. Raises BadProblemError for another number than two teams, or without a table."""
        scheveningen.check_boards(event.boards)
        super().rounds_planned(event, players, options)
        return event.boards

    def line_ups(self, event: Event, round_number: int) -> tuple[Sequence[int], Sequence[int]]:
        return scheveningen.line_ups(event.boards, round_number)


class TeamKnockout(Knockout):
    """Single elimination of teams."""

    code = "team-knockout"
    about = _("a lost match eliminates. Level matches are decided by the board count")
    fields = (*Format.fields, "has_third_place", *_FIELDS)
    usual_tie_breaks: ClassVar[tuple[str, ...]] = TEAM_DEFAULTS
    meetings = {
        "tie": _(
            "The bracket pairs seed %(higher_seed)d and seed %(lower_seed)d. A level match is decided "
            "by the board count, then by the top boards (C.07 12)."
        ),
    }


def match_points(event: Event) -> PointSystem:
    """Return the match points of a team's rounds. A half-point bye is a match drawn."""
    win, draw, loss = MatchPoints(event.match_points).halves
    return PointSystem(
        win=win,
        draw=draw,
        loss=loss,
        pairing_bye=win if event.match_bye == MatchBye.WIN else draw,
        half_bye=draw,
        full_bye=win,
        forfeit_win=win,
    )
