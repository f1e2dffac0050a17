"""The test command itself: the tests of each lane, and reports of missing programs."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import run, servers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SERVERS = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", "REDIS_URL": "redis://none"}


@pytest.fixture
def lanes_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[run.Lane]]:
    """The lanes that a command would run, on a machine with these servers."""

    def lanes_of(*arguments: str, variables: dict[str, str] = SERVERS) -> list[run.Lane]:
        requested: list[run.Lane] = []

        def take(lanes: Sequence[run.Lane], _rest: object) -> list[run.Outcome]:
            requested.extend(lanes)
            return [run.Outcome(lane, 0, 1.0, 1.0) for lane in lanes]

        monkeypatch.setattr(run, "_run", take)
        monkeypatch.setattr(run, "_servers", lambda: contextlib.nullcontext(variables))
        assert run.main(arguments) == 0
        return requested

    return lanes_of


def test_missing_programs_are_named_with_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(servers, "_postgresql_programs", lambda: None)
    packages = {package for _, package in servers.missing_programs()}
    assert packages == {"postgresql", "redis-server", "chromium"}


def test_the_last_line_says_what_was_not_tested(
    lanes_of: Callable[..., list[run.Lane]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(servers, "missing_programs", lambda: [("Redis", "redis-server")])
    lanes_of(variables={})
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert "NOT TESTED" in last
    assert "redis-server" in last


def test_everything_runs_on_postgresql_and_what_depends_on_the_engine_on_sqlite_too(
    lanes_of: Callable[..., list[run.Lane]],
) -> None:
    lanes = lanes_of()
    assert [(lane.marks, dict(lane.variables)) for lane in lanes] == [
        ("not slow and not long and not browser", SERVERS),
        ("not slow and not long and browser", SERVERS),
        ("not slow and not long and engines", {}),
    ]


@pytest.mark.parametrize(
    ("arguments", "variables"), [(["--sqlite"], SERVERS), ([], {})], ids=["asked", "no servers"]
)
def test_everything_runs_on_sqlite_where_it_is_asked_for_or_all_there_is(
    lanes_of: Callable[..., list[run.Lane]], arguments: list[str], variables: dict[str, str]
) -> None:
    lanes = lanes_of(*arguments, variables=variables)
    assert [(lane.marks, lane.variables) for lane in lanes] == [
        ("not slow and not long and not browser", {}),
        ("not slow and not long and browser", {}),
    ]


def test_the_places_of_a_lane_hold_all_tests_with_its_marks(
    lanes_of: Callable[..., list[run.Lane]],
) -> None:
    """Every test of a kind is in a place of its lane."""
    _, browser, engines = lanes_of("--all")
    for mark, lane in (("browser", browser), ("engines", engines)):
        roots = [run.ROOT / place for place in lane.places]
        for path in (run.ROOT / "tests").rglob("*.py"):
            is_looked_at = any(path.is_relative_to(root) for root in roots)
            if not is_looked_at and f"pytest.mark.{mark}" in path.read_text():
                assert path == Path(__file__), path


@pytest.mark.parametrize(
    ("arguments", "draws"),
    [([], True), (["--sqlite"], True), (["--all"], False), (["tests/games"], False)],
    ids=["everything", "on SQLite", "all tests", "chosen"],
)
def test_only_a_short_run_of_everything_tries_parts_of_tables(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], *, draws: bool
) -> None:
    options: list[str] = []

    def take(_lanes: object, rest: Sequence[str]) -> list[run.Outcome]:
        options.extend(rest)
        return [run.Outcome(run.Lane("any"), 0, 1.0, 1.0)]

    monkeypatch.setattr(run, "_run", take)
    monkeypatch.setattr(run, "_servers", lambda: contextlib.nullcontext({}))
    assert run.main(arguments) == 0
    assert ("-ptests.parts" in options) is draws


def test_all_runs_of_a_commit_draw_alike_unless_a_seed_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options: list[list[str]] = []

    def take(_lanes: object, rest: Sequence[str]) -> list[run.Outcome]:
        options.append([each for each in rest if "-seed=" in each])
        return [run.Outcome(run.Lane("any"), 0, 1.0, 1.0)]

    monkeypatch.setattr(run, "_run", take)
    monkeypatch.setattr(run, "_servers", lambda: contextlib.nullcontext({}))
    for arguments in ([], ["--sqlite"], ["--randomly-seed=3"]):
        assert run.main(arguments) == 0
    first, second, named = options
    kinds = [each.partition("=")[0] for each in first]
    assert kinds in ([], ["--randomly-seed", "--hypothesis-seed"])  # none outside a clone
    assert second == first
    assert named == [*first, "--randomly-seed=3"]


def test_a_lane_that_a_signal_ended_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = [run.Outcome(run.Lane("any"), code, 1.0, 1.0) for code in (-9, 0)]
    monkeypatch.setattr(run, "_run", lambda _lanes, _rest: outcomes)
    assert run.main(["tests/games"]) != 0


def test_databases_are_dropped_on_a_server_of_somebody_else_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lane = run.Lane("any", variables=SERVERS)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert "--reuse-db" in run._options(lane)
    monkeypatch.setenv("DATABASE_URL", SERVERS["DATABASE_URL"])
    assert "--reuse-db" not in run._options(lane)


def test_all_tests_come_with_all(lanes_of: Callable[..., list[run.Lane]]) -> None:
    assert [lane.marks for lane in lanes_of("--all")] == ["not browser", "browser", "engines"]


def test_long_tests_come_when_asked_for_or_chosen(lanes_of: Callable[..., list[run.Lane]]) -> None:
    assert [lane.marks for lane in lanes_of("--long")] == [
        "long and not slow and not browser",
        "long and not slow and browser",
        "long and not slow and engines",
    ]
    (lane,) = lanes_of("tests/games")
    assert lane.marks == "not slow"


def test_a_share_of_the_files_is_no_choice_of_tests(
    lanes_of: Callable[..., list[run.Lane]],
) -> None:
    assert lanes_of("--long", "--share=0.5") == lanes_of("--long")


@pytest.mark.parametrize("chosen", [["tests/games"], ["-k", "morelli"], ["-x", "tests/games"]])
def test_a_choice_of_tests_is_one_process_without_servers(
    lanes_of: Callable[..., list[run.Lane]], chosen: list[str]
) -> None:
    (lane,) = lanes_of(*chosen)
    assert (lane.processes, lane.variables) == (1, {})
    (lane,) = lanes_of("--postgresql", *chosen)
    assert (lane.processes, lane.variables) == (1, SERVERS)
