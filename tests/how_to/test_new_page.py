"""A page of events in a copy of the project, added as docs/develop/new-page.md says."""

from __future__ import annotations

import pytest

from tests.how_to.copies import CATALOGUE, HowTo, Project

HOW_TO = HowTo.named("new-page")
FILES = {"python": "tournaments/views/events/clubs.py", "html": "templates/events/clubs.html"}
SITE_TESTS = "tests/tournaments/views/events/test_clubs.py"
_SITE_TESTS = """
from tests.tournaments import pages
from tests.tournaments.conftest import event_of


def test_the_page_counts_players_by_club(ana, ben):
    event = event_of(ana)
    for user, club in ((ana, "Casa Morelli"), (ben, "Casa Morelli")):
        event.entries.create(player=user.player, club=club, entered_at=event.created_at)
    page = pages.text_of(pages.member(ana).get(f"/events/{event.slug}/clubs/").content)
    assert "Casa Morelli 2" in page
"""

# A copy of the project and programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


def test_a_page_needs_the_spots_of_the_how_to_alone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-page") / "rayuela")
    for language, path in FILES.items():
        (text,) = HOW_TO.blocks(language)
        (copy.root / path).write_text(text)
    copy.follow(HOW_TO)
    changed = copy.changed_files() - set(FILES.values())
    assert {path for path in changed if path not in HOW_TO.text} == {CATALOGUE}
    (copy.root / SITE_TESTS).write_text(_SITE_TESTS)
    done = copy.test(
        SITE_TESTS,
        "tests/tournaments/views/test_every_page.py",
        "tests/tournaments/views/test_roles.py",
        "tests/tournaments/views/test_languages.py",
        "-k",
        "clubs or every_page_has or every_address or test_languages",
    )
    assert done.returncode == 0, done.stdout[-3000:]
