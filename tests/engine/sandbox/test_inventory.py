"""The versions in the sandbox, read in the sandbox and nowhere else."""

from __future__ import annotations

import platform
import sys
from importlib import metadata

import pytest

from engine import programs
from engine.errors import LaunchError
from engine.match import BotSpec
from engine.process import Launch, Launcher
from engine.sandbox import inventory
from engine.sandbox.choice import ISOLATORS
from tests.engine.sandbox import children

pytestmark = pytest.mark.engine


@pytest.mark.long
@pytest.mark.parametrize("name", ISOLATORS)
def test_a_program_in_the_sandbox_says_its_versions(name: str) -> None:
    if reason := children.missing(name):
        pytest.skip(f"no such sandbox on this machine: {reason}")
    versions = inventory.take(ISOLATORS[name](), programs.python_libraries())
    assert versions.python.split(".")[0] == "3"
    if versions.python == platform.python_version():  # else another interpreter is in the sandbox
        assert versions.numpy == metadata.version("numpy")
    assert inventory.take(ISOLATORS[name](), ()).numpy == ""


class _Answers:
    """An isolator in which every program gives one answer."""

    name = "answers"

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def launcher(self, limits: object = None, slot: int = 0) -> Launcher:
        def launch(_bot: BotSpec) -> Launch:
            return Launch([sys.executable, "-c", f"print({self._answer!r}, flush=True)"])

        return launch


def test_what_is_no_answer_gives_no_versions() -> None:
    assert inventory.take(_Answers('["3.99.1", ""]'), ()) == inventory.Inventory("3.99.1", "")
    with pytest.raises(LaunchError, match="no versions"):
        inventory.take(_Answers("Segmentation fault"), ())
