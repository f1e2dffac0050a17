"""A notice in a copy of the project, added as docs/develop/new-notice.md says."""

from __future__ import annotations

import pytest

from tests.how_to.copies import CATALOGUE, ROOT, HowTo, Project

HOW_TO = HowTo.named("new-notice")
# Beside the tests whose fixtures it needs.
SITE_TESTS = "tests/tournaments/services/over_board/test_new_notice_on_the_site.py"

# A copy of the project and programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


def test_a_notice_needs_the_spots_of_the_how_to_alone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-notice") / "rayuela")
    copy.follow(HOW_TO)
    assert {path for path in copy.changed_files() if path not in HOW_TO.text} == {CATALOGUE}
    source = ROOT / "tests/how_to/new_notice_on_the_site.py"
    (copy.root / SITE_TESTS).write_text(source.read_text())
    done = copy.test(SITE_TESTS, "tests/tournaments/services/notifications/test_kinds.py")
    assert done.returncode == 0, done.stdout[-3000:]
