"""The code of the release before, for installations of two releases."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests import processes

# The commit of release 0.3.0.
_RELEASE = "958ef149"


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """The code of the last release."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("needs git")
    folder = tmp_path / "former"
    folder.mkdir()
    archive = subprocess.run(
        [git, "archive", _RELEASE], cwd=processes.ROOT, capture_output=True, check=False
    )
    if archive.returncode:
        pytest.skip("this clone has no history")
    subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)  # noqa: S607
    return folder
