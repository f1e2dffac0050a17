"""A format of events in a copy of the project, added as docs/develop/new-pairing-system.md says."""

from __future__ import annotations

import pytest

from tests.how_to.copies import CATALOGUE, ROOT, HowTo, Project

HOW_TO = HowTo.named("new-pairing-system")
FILES = ("tournaments/pairing/danish.py", "tournaments/queries/formats/danish.py")
_MIGRATIONS = len(list((ROOT / "tournaments/migrations").glob("0*.py")))
GENERATED = {
    f"tournaments/migrations/{_MIGRATIONS + 1:04}_danish_system.py",
    "tests/data/snapshots/forms.html",
    "tests/data/snapshots/openapi.json",
    "tests/data/snapshots/settings.txt",
}
# Beside the tests whose fixtures it needs.
SITE_TESTS = "tests/tournaments/test_new_pairing_system_on_the_site.py"

# A copy of the project and several programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-pairing-system") / "rayuela")
    for path, text in zip(FILES, HOW_TO.blocks("python"), strict=True):
        (copy.root / path).write_text(text)
    copy.follow(HOW_TO)
    _migration, (_python, *snapshots) = HOW_TO.commands()
    assert copy.run(*snapshots).returncode == 0
    return copy


def test_nothing_is_written_by_hand_but_what_the_how_to_names(project: Project) -> None:
    changed = project.changed_files() - GENERATED - {SITE_TESTS, *FILES}
    assert {path for path in changed if path not in HOW_TO.text} == {CATALOGUE}


def test_an_event_of_the_format_is_played_and_told_in_every_language(project: Project) -> None:
    """In one run, for each takes three seconds to start."""
    source = ROOT / "tests/how_to/new_pairing_system_on_the_site.py"
    (project.root / SITE_TESTS).write_text(source.read_text())
    done = project.test(
        SITE_TESTS,
        "tests/tournaments/pairing/test_pairing_systems.py",
        "tests/tournaments/test_snapshots.py",
        "tests/tournaments/views/test_languages.py",
    )
    assert done.returncode == 0, done.stdout[-3000:]
