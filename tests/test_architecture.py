"""The house: pure rooms stay pure, mirrors agree, the lock names no place."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.utils import translation

import games
from engine.match import Ending
from games.record import ENDINGS
from tournaments.models import Game, Seat
from tournaments.models.games import Side
from tournaments.pairing import RoundKind
from tournaments.queries.records import game_records

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
_PURE = """
import sys
import tomllib
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(name + " is not for the pure rooms")
sys.meta_path.insert(0, Block())
sys.path.insert(0, {root!r})
import importlib
importlib.import_module({module!r})
"""


@pytest.mark.parametrize(
    ("module", "blocked"),
    [
        (
            "games",
            ("django", "celery", "redis", "psycopg", "numpy", "networkx", "engine", "config"),
        ),
        ("games.svg", ("django", "celery", "redis", "psycopg", "engine")),
        ("engine.referee", ("django", "celery", "redis", "psycopg", "tournaments", "config")),
        ("engine.cli", ("django", "celery", "redis", "psycopg", "tournaments", "config")),
        ("tournaments.pairing", ("django", "celery", "redis", "psycopg", "config")),
        ("tournaments.trf", ("django", "celery", "redis", "psycopg", "config")),
        ("tournaments.standings", ("django", "celery", "redis", "psycopg", "config")),
        ("tournaments.ratings", ("django", "celery", "redis", "psycopg", "config")),
        ("tournaments.forecasts.simulation", ("django", "celery", "redis", "psycopg", "config")),
        # Pages ask for forecasts, and workers compute them.
        ("tournaments.forecasts", ("numpy", "scipy")),
        ("tournaments.clocks", ("django", "celery", "redis", "psycopg", "config")),
        # Only who fits or asks for a matrix pays for numpy.
        ("engine.cli", ("numpy", "scipy")),
        ("tournaments.commandline.ratings", ("django", "psycopg", "config", "numpy", "scipy")),
    ],
)
def test_pure_rooms_import_without_what_they_must_not_know(
    module: str, blocked: tuple[str, ...]
) -> None:
    script = _PURE.format(root=str(ROOT), module=module, blocked=set(blocked))
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _values(choices: Iterable[object]) -> set[str]:
    return {str(choice) for choice in choices}


def test_the_models_words_are_those_of_the_pure_rooms() -> None:
    assert _values(Side.values) == _values(games.Side)
    of_arbiters = _values(Game.UNPLAYED) | _values(Game.UNUSUAL)
    assert _values(Game.Result.values) == _values(games.Outcome) | of_arbiters
    # A void match is no ending of a game. The service reports its result.
    assert _values(Ending) - {"void"} <= _values(Game.Ending.values)
    assert set(game_records.WORDS.values()) | {"forfeit"} <= set(ENDINGS)
    assert _values(Seat.Kind.values) <= _values(RoundKind)


def test_rows_are_locked_without_their_keys() -> None:
    """A reference to a row must not wait for its lock: PostgreSQL asks for that at commit, when the order of locks is past."""
    for path in (ROOT / "tournaments").rglob("*.py"):
        locks = re.findall(r"select_for_update\(((?:[^()]|\([^()]*\))*)\)", path.read_text())
        assert all("no_key=True" in lock for lock in locks), path


@pytest.mark.parametrize(
    ("lock", "least"),
    [
        ("requirements.lock", 30),
        ("requirements-dev.lock", 30),
        ("requirements-kernel.lock", 1),
        ("requirements-traces.lock", 10),
        ("requirements-release.lock", 10),
    ],
)
def test_the_lock_pins_everything_and_names_no_place(lock: str, least: int) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    packages = re.findall(r"^[a-z0-9._-]+==\S+", text, flags=re.MULTILINE | re.IGNORECASE)
    assert len(packages) >= least
    assert text.count("--hash=sha256:") >= len(packages)


def test_passwords_of_tests_are_as_long_as_those_of_people() -> None:
    """`sign_up` refuses a shorter one, which a test of a rarely run kind would find out late."""
    short = re.compile(r"""sign_up\([^()]*password="[^"]{1,11}\"""")
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tournaments").rglob("*.py")]
    assert [str(path) for path in files if short.search(path.read_text())] == []


def test_the_development_lock_holds_the_same_versions() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^\S+==[^\s;]+", (ROOT / name).read_text(), flags=re.MULTILINE))

    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def test_there_is_no_model_change_without_its_migration() -> None:
    """The files alone are read, as by `makemigrations` in no language: an earlier test may have left one."""
    loader = MigrationLoader(None)
    with translation.override(None):
        today = ProjectState.from_apps(apps)
        changes = MigrationAutodetector(loader.project_state(), today).changes(loader.graph)
    assert {app: [str(one) for one in several] for app, several in changes.items()} == {}


def test_the_time_is_the_databases() -> None:
    """A machine's own clock has no effect: a wrong one would take time from players."""
    own_clock = re.compile(r"timezone\.now\b|datetime\.now\(|utcnow|\bNow\(\)|import now\b")
    readers = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tournaments").rglob("*.py")
        if "migrations" not in path.parts and own_clock.search(path.read_text())
    }
    assert readers == {"tournaments/database_time.py"}


def test_tests_reckon_by_the_databases_time() -> None:
    """The clock of the machine is milliseconds off that of a database beside it: `91 <= 90`."""
    own_clock = re.compile(r"timezone\.now\(\)|datetime\.now\(")
    readers = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests" / "tournaments").rglob("*.py")
        if own_clock.search(path.read_text())
    }
    assert readers == {"tests/tournaments/services/clocks/test_database_time.py"}


_WRITES = {
    *("acreate", "atomic", "bulk_create", "bulk_update", "create", "delete", "get_or_create"),
    *("executemany", "on_commit", "save", "select_for_update", "update_or_create"),
}


def test_no_query_writes() -> None:
    """Reads are `queries`, changes are `services`: a page that only reads can rely on it."""
    writes = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}"
        for path in (ROOT / "tournaments/queries").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in _WRITES
    }
    assert not writes


def test_the_architecture_lists_all_services_in_their_order() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (layers,) = (
        contract["layers"]
        for contract in configuration["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == ["tournaments.services"]
    )
    order = [name for layer in reversed(layers) for name in layer.split(" | ")]
    text = (ROOT / "docs/develop/architecture.md").read_text()
    listed = re.findall(
        r"`(\w+)`", text.partition("uses those to its left.")[2].partition("\n## ")[0]
    )
    assert listed == [name for name in order if name in listed]
    packages = {path.name for path in (ROOT / "tournaments/services").iterdir() if path.is_dir()}
    assert packages - {"__pycache__"} <= set(listed)


def test_formats_are_compared_by_name_in_their_classes_alone() -> None:
    """A decision of a format is an attribute of its class. Models have lists for constraints."""
    house = ROOT / "tournaments"
    own = [house / "queries" / "formats", house / "models", house / "migrations"]
    comparisons = []
    for path in house.rglob("*.py"):
        if any(path.is_relative_to(folder) for folder in own):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            operands: list[ast.expr] = []
            if isinstance(node, ast.Compare):
                operands = [node.left, *node.comparators]
            elif isinstance(node, ast.keyword) and "__format" in (node.arg or ""):
                operands = [node.value]
            words = " ".join(map(ast.unparse, operands))
            if re.search(r"\bFormat\.[A-Z]", words):
                comparisons.append(f"{path.relative_to(ROOT)}: {words}")
    assert comparisons == []
