"""A kind of clock in a copy of the project, added as docs/develop/new-time-control.md says."""

from __future__ import annotations

import re

import pytest

from tests.how_to.copies import CATALOGUE, ROOT, HowTo, Project

HOW_TO = HowTo.named("new-time-control")
# Beside the tests whose fixtures it needs.
SITE_TESTS = "tests/tournaments/test_new_time_control_on_the_site.py"

# A copy of the project and several programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-time-control") / "rayuela")
    copy.follow(HOW_TO)
    (row,) = HOW_TO.blocks("markdown")
    copy.replace("docs/play/clocks.md", "| bank of days", f"{row}| bank of days")
    return copy


def test_nothing_is_touched_but_what_the_how_to_names(project: Project) -> None:
    migration = project.numbered("tournaments/migrations/NNNN_refill.py")
    changed = project.changed_files() - {SITE_TESTS, migration}
    assert {path for path in changed if path not in HOW_TO.text} == {CATALOGUE}


def test_the_models_have_their_migration(project: Project) -> None:
    done = project.run("manage.py", "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout


def test_the_migration_keeps_the_guards_of_games(project: Project) -> None:
    """It runs in a separate process: SQLite changes no table that another test still reads."""
    done = project.test("tests/tournaments/models/test_migrations.py")
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_kind_passes_the_suites_of_every_kind_is_translated_and_charges_a_game(
    project: Project,
) -> None:
    """In one run, for each takes three seconds to start."""
    source = ROOT / "tests/how_to/new_time_control_on_the_site.py"
    (project.root / SITE_TESTS).write_text(source.read_text())
    _migration, suites = HOW_TO.commands()
    done = project.test(
        *suites[suites.index("test") + 1 :],
        "tests/tournaments/views/test_languages.py",
        SITE_TESTS,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 100
