"""Rows between Ana, who moderates, and others: seeks, messages, reports, invitations, and a study."""

from __future__ import annotations

from django.contrib.auth.models import Permission

from tests.tournaments import puzzle_rows
from tournaments.models import User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.records import analyses
from tournaments.services import clubs
from tournaments.services.accounts import introductions
from tournaments.services.accounts.throttles import Visitor
from tournaments.services.games import chat, player_reports, private_messages
from tournaments.services.lobby import invitations, seeks
from tournaments.services.puzzles import tries
from tournaments.services.records import studies

RULESET = "morlox(size=5)"


def values(ana: User, ben: User) -> dict[str, str]:
    """Return the values that a reader sets in the examples."""
    ana.user_permissions.add(Permission.objects.get(codename="moderate"))
    introductions.write(player=ana.player, text="I like corners.", federation="")
    seeks.create(player=ana.player, ruleset="morelli", clock=Clock(180_000, 2_000))
    line = private_messages.write(author=ben.player, recipient=ana.player, text="Hello")
    invitation = invitations.invite(host=ana.player, ruleset=RULESET, clock=Clock(300_000, 5_000))
    analysis = analyses.analyse(analyses.new(RULESET, ""), tree="a1;b2")
    return {
        "MESSAGE": str(line.pk),
        "INVITATION": invitation.token,
        "STUDY": studies.keep(analysis, visitor=Visitor(ana.pk)).key,
        "REPORT": str(chat.report(line_id=line.pk, player=ana.player).pk),
    }


def other_values(ana: User, ben: User) -> dict[str, dict[str, str]]:
    """Return the values that a reader sets differently for single operations."""
    puzzle = puzzle_rows.stored(1)
    tries.note(ana.player, puzzle.pk, is_solved=False)
    report = player_reports.report(player=ben.player, reported=ana.player, text="Too strong")
    about = clubs.About(introduction="We play on Fridays.")
    club = {"CLUB": clubs.create(founder=ana.player, name="Dama", about=about).slug}
    return {
        "puzzle-report": {"PUZZLE": str(puzzle.pk)},
        "player-report-resolve": {"REPORT": str(report.pk)},
        "club-change": club,
        "club-hide": club,
    }
