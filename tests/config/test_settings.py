"""Production settings in a process of their own: hashed static files, deployment checks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.processes import ROOT

if TYPE_CHECKING:
    from pathlib import Path

_PAGE = """
import django
django.setup()
from django.test import Client
print(Client().get("/sign-in/", headers={"host": "localhost"}).content.decode())
"""


def run(home: Path, *arguments: str, **variables: str) -> str:
    """Return the output of a process with these settings, which must end well."""
    environment = {
        **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
        "RAYUELA_HOME": str(home),
        "RAYUELA_NO_BOOTSTRAP": "1",
        "STATIC_ROOT": str(home / "static"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **variables,
    }
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.long
def test_collected_files_are_served_under_hashed_names(tmp_path: Path) -> None:
    run(tmp_path, "manage.py", "collectstatic", "--no-input")
    page = run(tmp_path, "-c", _PAGE)
    sheet = re.search(r'href="/static/(rayuela/site\.[0-9a-f]{12}\.css)"', page)
    assert sheet
    face = re.search(
        r'url\("(base/fonts/alegreya-bold\.[0-9a-f]{12}\.woff2)"\)',
        (tmp_path / "static" / sheet[1]).read_text(),
    )
    assert face
    assert (tmp_path / "static" / "rayuela" / face[1]).exists()
    script = re.search(r'src="/static/(rayuela/site\.[0-9a-f]{12}\.js)"', page)
    assert script
    assert (tmp_path / "static" / script[1]).exists()
