"""Reports and decisions of moderators by the API."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from tests.tournaments import puzzle_rows
from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import Game, PuzzleReport, User
from tournaments.services import clubs
from tournaments.services.accounts import introductions
from tournaments.services.games import chat, player_reports
from tournaments.services.puzzles import reports, tries


@pytest.fixture
def moderator(ana: User) -> Program:
    """Return the program of Ana, who moderates."""
    ana.user_permissions.add(Permission.objects.get(codename="moderate"))
    return program_of(ana, "moderate")


def test_a_verdict_about_a_line_answers_its_reports(
    moderator: Program, game: Game, ana: User, ben: User
) -> None:
    line = chat.say(game_id=game.pk, player=ben.player, text="Rude")
    chat.report(line_id=line.pk, player=ana.player)
    [row] = moderator("GET", "/moderation/lines").json()["items"]
    assert (row["line"], row["author"]["name"], row["text"]) == (line.pk, "Ben", "Rude")
    assert (row["room"], row["game"], row["reporter"]["name"]) == ("players", game.pk, "Ana")
    path = f"/moderation/lines/{row['id']}/verdict"
    assert moderator("POST", path, {"verdict": "silenced"}).json()["verdict"] == "silenced"
    assert moderator("GET", "/moderation/lines").json()["items"] == []
    [resolved] = moderator("GET", "/moderation/lines?resolved=true").json()["items"]
    assert resolved["id"] == row["id"]
    line.refresh_from_db()
    assert line.is_hidden
    assert ben.player.silences.count() == 1
    again = moderator("POST", path, {"verdict": "dismissed"})
    assert (again.status_code, again.json()["code"]) == (409, "resolved-already")


def test_a_report_about_a_player_is_resolved_once(moderator: Program, ana: User, ben: User) -> None:
    report = player_reports.report(player=ana.player, reported=ben.player, text="Insults")
    [row] = moderator("GET", "/moderation/players").json()["items"]
    assert (row["id"], row["player"]["name"], row["text"]) == (report.pk, "Ben", "Insults")
    path = f"/moderation/players/{report.pk}/resolve"
    assert moderator("POST", path).json()["resolved_at"] is not None
    assert moderator("GET", "/moderation/players").json()["items"] == []
    assert moderator("POST", path).status_code == 409


def test_a_puzzle_is_withdrawn_with_a_reason_and_kept_without(
    moderator: Program, ben: User
) -> None:
    puzzle = puzzle_rows.stored()
    tries.note(ben.player, puzzle.pk, is_solved=False)
    reports.report(puzzle_id=puzzle.pk, player=ben.player, text="Two moves win.")
    [row] = moderator("GET", "/moderation/puzzles").json()["items"]
    assert (row["puzzle"], row["reporter"]["name"]) == (puzzle.pk, "Ben")
    path = f"/moderation/puzzles/{puzzle.pk}/decision"
    assert moderator("POST", path, {"reason": "Two moves win."}).json()["is_withdrawn"]
    assert not PuzzleReport.objects.filter(puzzle=puzzle, resolved_at=None).exists()
    assert not moderator("POST", path).json()["is_withdrawn"]


def test_introductions_are_hidden(moderator: Program, ben: User) -> None:
    introductions.write(player=ben.player, text="Rude", federation="")
    about = clubs.About(introduction="Rude")
    club = clubs.create(founder=ben.player, name="Torre", about=about)
    for path in (f"introductions/{ben.player.pk}", f"clubs/{club.slug}"):
        assert moderator("DELETE", f"/moderation/{path}").status_code == 204
        assert moderator("DELETE", f"/moderation/{path}").status_code == 409
    assert moderator("GET", f"/clubs/{club.slug}").json()["introduction"] == ""


@pytest.mark.parametrize("path", ["lines", "players", "puzzles"])
def test_reports_are_for_moderators_with_the_scope(
    moderator: Program, ana: User, ben: User, path: str
) -> None:
    assert moderator("GET", f"/moderation/{path}").status_code == 200
    codes = [
        program("GET", f"/moderation/{path}").json()["code"]
        for program in (program_of(ben, "moderate"), program_of(ana, "read", "account:write"))
    ]
    assert codes == ["not-moderator", "scope-needed"]
