"""`python -m tournaments.pairing campaign`: random tournaments against another engine, in both directions."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tournaments import trf
from tournaments.commandline import pairing as cli
from tournaments.commandline.campaign import drawn_config
from tournaments.commandline.generator import generate
from tournaments.commandline.recipe import Recipe, from_config
from tournaments.pairing.problem import NoPairingError

ROOT = Path(__file__).resolve().parents[3]
_CHECKED = "Round #1\nRound #2\n  Checker pairings     Tournament pairings\n"

Program = Callable[[str], str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The path of a program with this script."""

    def write(script: str) -> str:
        path = tmp_path / "engine"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    return write


def _campaign(engine: str, tmp_path: Path, *words: str) -> int:
    keep = str(tmp_path / "kept")
    arguments = ["campaign", "--engine", engine, "--keep", keep, "--players", "12", *words]
    return cli.main(arguments)


def _rows(out: str) -> list[list[str]]:
    """The cells of the table, its directions first."""
    return [[line[:26].strip(), *line[26:].split()] for line in out.splitlines()[1:]]


@pytest.mark.long
def test_our_own_command_line_as_the_other_engine_differs_nowhere(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = program(f'cd {ROOT} && exec {sys.executable} -m tournaments.pairing "$@"')
    assert _campaign(engine, tmp_path, "--tournaments", "3", "--seed", "4") == 0
    rows = _rows(capsys.readouterr().out)
    assert [(row[0], row[1]) for row in rows[:2]] == [
        ("their files, our checker", "3"),
        ("our files, their checker", "3"),
    ]
    assert all(int(row[2]) > 0 for row in rows)
    assert all(row[3:] == ["0"] * 4 for row in rows)
    assert not (tmp_path / "kept").exists()


_TURNED = "  1 - 2      2 - 1\n"
_OTHER = "  1 - 2      1 - 3\n  3 - 4      2 - 4\n"


@pytest.mark.parametrize(
    ("script", "row", "kinds"),
    [
        pytest.param(f"printf '{_CHECKED}{_TURNED}'", 1, ["0", "0", "1", "0"], id="colours"),
        pytest.param(f"printf '{_CHECKED}{_OTHER}'", 1, ["0", "1", "0", "0"], id="pairs"),
        pytest.param("echo 'Round #1'", 1, ["1", "0", "0", "0"], id="a round not checked"),
        pytest.param("exit 3", 1, ["1", "0", "0", "0"], id="refused to check"),
        pytest.param("exit 3", 0, ["1", "0", "0", "0"], id="refused to make a file"),
        pytest.param("sleep 9", 2, ["1", "0", "0", "0"], id="too slow"),
        pytest.param("printf '1\\n1 2\\n' > \"$4\"", 2, ["0", "1", "0", "0"], id="next round"),
        pytest.param('printf nonsense > "$5"', 0, ["1", "0", "0", "0"], id="a bad file"),
    ],
)
def test_what_an_engine_does_wrong_is_counted_with_its_file_kept(
    script: str,
    row: int,
    kinds: list[str],
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = {"PlayersNumber": "8", "RoundsNumber": "4", "RoundsPlayed": "2"}
    config["ForbiddenPairsInRounds"] = "1"
    monkeypatch.setattr("tournaments.commandline.campaign.drawn_config", lambda *_, **__: config)
    flag = ("-g", "-c", "-p")[row]
    engine = program(f'case "$*" in *" {flag} "*|*" {flag}") {script};; *) exit 1;; esac')
    assert _campaign(engine, tmp_path, "--tournaments", "1", "--seconds", "0.3") == 6
    assert _rows(capsys.readouterr().out)[row][3:] == kinds
    notes = tmp_path / "kept" / ("theirs-1.txt" if row == 0 else "ours-1.txt")
    assert "PlayersNumber=8\n" in notes.read_text()
    if row:
        assert trf.read(notes.with_suffix(".trf").read_text()).players


def test_a_file_of_theirs_that_breaks_the_rules_is_a_difference(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = trf.write(generate(Recipe(players=8, rounds=3), 1).report)
    broken = tmp_path / "broken.trf"
    # The initial colour turned: the first round has other colours.
    broken.write_text(text.replace("152 W", "152 X").replace("152 B", "152 W").replace("X", "B"))
    engine = program(f'case "$*" in *-g*) cp {broken} "$5";; *) exit 1;; esac')
    assert _campaign(engine, tmp_path, "--tournaments", "1") == 6
    assert int(_rows(capsys.readouterr().out)[0][5]) >= 1


def test_an_engine_gets_both_dialects_with_forbidden_pairs_and_no_rate_of_zero(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = program(f'for word; do cat "$word" >> {tmp_path}/files 2>/dev/null; done; exit 1')
    _campaign(engine, tmp_path, "--tournaments", "12")
    lines = (tmp_path / "files").read_text().splitlines()
    assert {"260", "XXP", "240"} <= {line[:3] for line in lines}
    settings = dict(line.split("=") for line in lines if "Rate=" in line)
    assert settings.keys() == {"ForfeitRate", "RetiredRate", "HalfPointByeRate"}
    assert not [line for line in lines if line.endswith("Rate=0")]


def test_worthless_byes_are_drawn_on_request_alone() -> None:
    drawn = [
        {
            drawn_config(random.Random(seed), 20, has_worthless_byes=is_on).get("PointsForPAB")
            for seed in range(40)
        }
        for is_on in (False, True)
    ]
    assert "0" not in drawn[0]
    assert drawn[1] == {"0"}


def test_a_program_that_does_not_exist_is_a_bad_request(tmp_path: Path) -> None:
    assert _campaign(str(tmp_path / "none"), tmp_path) == 3


@pytest.mark.long
def test_each_configuration_can_be_played_and_every_setting_varies() -> None:
    configs = [drawn_config(random.Random(seed), 20) for seed in range(60)]
    for seed, config in enumerate(configs):
        recipe = from_config("".join(f"{key}={value}\n" for key, value in config.items()))
        try:
            assert generate(recipe, seed).report.players
        except NoPairingError:
            continue
    for key in configs[0]:
        assert len({config.get(key) for config in configs}) > 1, key
