"""Commands for builders start in a separate process, without the modules that pytest loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_IN_THE_SANDBOX = _ROOT / "tests/engine/sandbox/campaign/attacks/__main__.py"
_COMMANDS = sorted(
    ".".join(path.relative_to(_ROOT).with_suffix("").parts)
    for path in (_ROOT / "tests").rglob("*.py")
    if path not in {Path(__file__), _IN_THE_SANDBOX}
    and 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", _COMMANDS)
def test_a_command_can_be_loaded_by_itself(module: str) -> None:
    program = [sys.executable, "-c", f"import {module}"]
    run = subprocess.run(program, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.long
@pytest.mark.parametrize("word", ["help", "--help"])
def test_the_help_of_the_front_door_names_its_own_commands(word: str) -> None:
    program = [sys.executable, "manage.py", word]
    run = subprocess.run(program, cwd=_ROOT, capture_output=True, text=True, check=True)
    for name in ("up", "serve", "setup", "test"):
        assert f"manage.py {name} " in run.stdout
