"""Reports of wrong puzzles, and the acts of moderators on them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from tests.tournaments import pages, puzzle_rows
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AuditEntry, Puzzle, PuzzleReport, User
from tournaments.queries import puzzles
from tournaments.services.accounts import guests
from tournaments.services.puzzles import reports, tries

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle() -> Puzzle:
    return puzzle_rows.stored()


@pytest.fixture
def moderator(ben: User) -> User:
    ben.user_permissions.set(Permission.objects.filter(codename="moderate"))
    return User.objects.get(pk=ben.pk)


@pytest.fixture
def report(ana: User, puzzle: Puzzle) -> PuzzleReport:
    tries.give_up(ana.player, puzzle)
    return reports.report(puzzle_id=puzzle.pk, player=ana.player, text="A2-B2 wins too")


def test_a_player_reports_a_puzzle_once_until_a_moderator_decides(
    report: PuzzleReport, moderator: User
) -> None:
    pk = report.puzzle_id
    with pytest.raises(RefusedError, match="puzzle-reported"):
        reports.report(puzzle_id=pk, player=report.reporter, text="Look again")
    reports.keep(puzzle_id=pk, actor=moderator)
    reports.report(puzzle_id=pk, player=report.reporter, text="Look again")


def test_only_players_with_an_account_who_have_tried_a_puzzle_report_it(
    ana: User, puzzle: Puzzle
) -> None:
    with pytest.raises(RefusedError, match="puzzle-untried"):
        reports.report(puzzle_id=puzzle.pk, player=ana.player, text="Wrong")
    guest = guests.enter(browser="a secret", address="127.0.0.1")
    tries.give_up(guest, puzzle)
    with pytest.raises(NotAllowedError, match="account-needed"):
        reports.report(puzzle_id=puzzle.pk, player=guest, text="Wrong")


def test_a_withdrawn_puzzle_is_given_to_no_solver_until_it_is_restored(
    report: PuzzleReport, moderator: User
) -> None:
    pk = report.puzzle_id
    reports.withdraw(puzzle_id=pk, actor=moderator, reason="Two moves win")
    assert puzzles.next_for("morelli", None) is None
    assert not PuzzleReport.objects.filter(resolved_at=None).exists()
    entry = AuditEntry.objects.get(action="puzzle-withdraw")
    assert (entry.reason, entry.detail) == ("Two moves win", {"puzzle": pk})
    with pytest.raises(StaleError):
        reports.withdraw(puzzle_id=pk, actor=moderator, reason="Twice")
    reports.keep(puzzle_id=pk, actor=moderator)
    assert puzzles.next_for("morelli", None) == report.puzzle
    with pytest.raises(StaleError):
        reports.keep(puzzle_id=pk, actor=moderator)


def test_players_may_not_decide(report: PuzzleReport, ana: User) -> None:
    with pytest.raises(NotAllowedError):
        reports.withdraw(puzzle_id=report.puzzle_id, actor=ana, reason="Mine")
    with pytest.raises(NotAllowedError):
        reports.keep(puzzle_id=report.puzzle_id, actor=ana)


def test_the_page_offers_reports_after_a_try_and_decisions_to_moderators(
    puzzle: Puzzle, ana: User, moderator: User
) -> None:
    address = puzzle.get_absolute_url()
    client = pages.member(ana)
    assert b"Report a mistake" not in client.get(address).content
    tries.give_up(ana.player, puzzle)
    page = client.get(address)
    assert b"Report a mistake" in page.content
    assert b"Withdraw puzzle" not in page.content
    client.post(reverse("puzzle-report", args=[puzzle.pk]), {"text": "Two moves win"})
    judge = pages.member(moderator)
    assert b"Two moves win" in judge.get(reverse("moderation-chat")).content
    assert b"Two moves win" in judge.get(address).content
    judge.post(reverse("puzzle-decide", args=[puzzle.pk]), {"reason": "Yes, two"})
    assert b"This puzzle was withdrawn: Yes, two." in client.get(address).content
