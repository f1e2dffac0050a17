"""An action of organisers in a copy of the project, added as docs/develop/new-action.md says."""

from __future__ import annotations

import pytest

from tests.how_to.copies import CATALOGUE, ROOT, HowTo, Project

HOW_TO = HowTo.named("new-action")
# Beside the tests whose fixtures it needs.
SITE_TESTS = "tests/tournaments/api/test_new_action_on_the_site.py"

# A copy of the project and programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


def test_an_action_needs_the_spots_of_the_how_to_alone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-action") / "rayuela")
    copy.follow(HOW_TO)
    assert {path for path in copy.changed_files() if path not in HOW_TO.text} == {CATALOGUE}
    source = ROOT / "tests/how_to/new_action_on_the_site.py"
    (copy.root / SITE_TESTS).write_text(source.read_text())
    done = copy.test(SITE_TESTS, "tests/tournaments/services/events/test_acts.py")
    assert done.returncode == 0, done.stdout[-3000:]
    [(_python, *arguments)] = HOW_TO.commands()
    table = copy.run(*arguments).stdout
    assert "events.registration.close_entries: close-entries\n  task: entries\n" in table
