"""A fourth game in a copy of the project, made only by the steps of docs/develop/new-game.md."""

from __future__ import annotations

import re
import textwrap

import pytest

from tests.how_to.copies import CATALOGUE, ROOT, Project

DOCUMENT = ROOT / "docs/develop/new-game.md"
# Beside the tests whose fixtures it needs.
SITE_TESTS = "tests/tournaments/test_new_game_on_the_site.py"

# A copy of the project and several programs in it: `.ci/run` runs them with `--all`.
pytestmark = [pytest.mark.engine, pytest.mark.slow]


def steps() -> dict[str, str]:
    """Return the files of the example by their places."""
    rows = re.findall(r"^\| \[.*?\]\((.*?)\) \| (\S+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    return {place: source for source, place in rows}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    copy = Project.in_folder(tmp_path_factory.mktemp("new-game") / "rayuela")
    for place, source in steps().items():
        (copy.root / place).parent.mkdir(exist_ok=True)
        (copy.root / place).write_text((DOCUMENT.parent / source).read_text())
    (entry,) = re.findall(r" +```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    last = '    Family("perfect"),\n'
    registry = "games/registry.py"
    copy.replace(
        registry, last, last + textwrap.indent(f"{textwrap.dedent(entry).strip()},\n", "    ")
    )
    copy.translate((DOCUMENT.parent / "new-game/ja.po").read_text())
    return copy


def test_nothing_is_touched_but_what_the_how_to_names(project: Project) -> None:
    assert project.changed_files() - {SITE_TESTS} == {*steps(), "games/registry.py", CATALOGUE}


def test_it_passes_the_suites_of_every_game_and_the_site_offers_rates_and_shows_it(
    project: Project,
) -> None:
    """In one run, for each takes three seconds to start."""
    source = ROOT / "tests/how_to/new_game_on_the_site.py"
    (project.root / SITE_TESTS).write_text(source.read_text())
    suites = ["test_conformance", "test_symmetries", "test_presentation", "test_svg"]
    views = "tests/tournaments/views"
    done = project.test(
        *(f"tests/games/{suite}.py" for suite in suites),
        f"{views}/rules",
        f"{views}/test_languages.py",
        SITE_TESTS,
        "-k",
        "breakthrough or test_languages or cite or on_the_site",
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 150


def test_built_in_players_play_it(project: Project) -> None:
    (line,) = re.findall(r"^\$ python3 (-m engine .*)$", DOCUMENT.read_text(), re.MULTILINE)
    done = project.run(*line.replace('"', "").split())
    assert done.returncode == 0, done.stderr
    assert "greedy against random, breakthrough(size=5)" in done.stdout
