"""A setting of an event in a copy of the project, added as docs/develop/new-setting.md says."""

from __future__ import annotations

import pytest

from tests.how_to.copies import CATALOGUE, ROOT, HowTo, Project

HOW_TO = HowTo.named("new-setting")
MIGRATION = "tournaments/migrations/NNNN_event_venue.py"
# Beside the tests whose fixtures it needs.
SITE_TESTS = "tests/tournaments/test_new_setting_on_the_site.py"

# A copy of the project and several programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-setting") / "rayuela")
    copy.follow(HOW_TO)
    return copy


def test_three_files_are_written_by_hand(project: Project) -> None:
    assert project.changed_files() - {SITE_TESTS, project.numbered(MIGRATION)} == {
        "tournaments/models/event_settings.py",
        "tournaments/models/events.py",
        CATALOGUE,
    }


def test_the_table_shows_its_field_and_its_shape(project: Project) -> None:
    _migration, (_python, *arguments) = HOW_TO.commands()
    done = project.run(*arguments)
    assert done.returncode == 0, done.stderr
    assert "field venue: CharField, Venue" in done.stdout
    assert 'API venue: {"default": "", "maxLength": 80,' in done.stdout


def test_form_api_log_and_overview_have_it_in_every_language(project: Project) -> None:
    """In one run, for each takes three seconds to start."""
    source = ROOT / "tests/how_to/new_setting_on_the_site.py"
    (project.root / SITE_TESTS).write_text(source.read_text())
    done = project.test(
        SITE_TESTS,
        "tests/tournaments/views/test_languages.py",
        "tests/tournaments/views/events/test_settings_in_all_places.py",
    )
    assert done.returncode == 0, done.stdout[-3000:]
