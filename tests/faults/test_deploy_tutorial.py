"""The commands of `docs/tutorials/deploy.md` run on PostgreSQL and Redis.

The commands of root are left out.
"""

import os
import re
import secrets
import subprocess
import sys
import textwrap
from pathlib import Path

import psycopg
import pytest

from tests import processes
from tests.faults import installation
from tests.processes import ROOT

TEXT = (ROOT / "docs/tutorials/deploy.md").read_text()
_TOKEN = "a-long-word-for-figures"
_PASSWORD = "pedrecita-y-cielo-9"


def _blocks(language: str) -> list[str]:
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", TEXT, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(text) for _indent, text in blocks]


def _variables() -> dict[str, str]:
    (text,) = _blocks("ini")
    return dict(line.split("=", 1) for line in text.splitlines())


@pytest.mark.long
def test_the_commands_of_the_tutorial_install_back_up_and_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_TOKEN", _TOKEN)
    with installation.running() as site:
        with psycopg.connect(site.url, autocommit=True) as database:
            database.execute("CREATE DATABASE rayuela_try")
        own = {
            "SECRET_KEY": "a-key-of-the-test-" * 4,
            "METRICS_TOKEN": _TOKEN,
            "PUSH_KEY": secrets.token_urlsafe(32),
            "DATABASE_URL": f"{site.url}?sslmode=disable",
            "REDIS_URL": site.variables["REDIS_URL"],
            "RAYUELA_HOME": str(tmp_path / "home"),
            "STATIC_ROOT": str(tmp_path / "static"),
            "DJANGO_SUPERUSER_PASSWORD": _PASSWORD,
        }
        (tmp_path / "home").mkdir()
        # The reader types, which takes longer than the first tick.
        beats = "SELECT 1 FROM tournaments_heartbeat"
        processes.until(lambda: bool(site.rows(beats)), otherwise=site.logs)
        script = "\n".join(_blocks("sh"))
        for old, new in (
            ("/var/backups/rayuela", str(tmp_path)),
            ("127.0.0.1:8000", f"127.0.0.1:{site.ports[0]}"),
            (".venv/bin/python", sys.executable),
            ("setup", "setup --no-input"),
        ):
            assert old in script
            script = script.replace(old, new)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607 - the shell of the reader
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], **_variables(), **own},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "System check identified no issues" in done.stdout
        assert re.search(r"^rayuela_tick_age_seconds \d", done.stdout, re.MULTILINE)
        assert site.rows("SELECT username FROM tournaments_user WHERE is_superuser") == [("root",)]
        assert (tmp_path / "first.zip").stat().st_mode & 0o077 == 0


def test_the_variables_of_the_tutorial_are_those_that_settings_read() -> None:
    source = "".join(path.read_text() for path in (ROOT / "config").glob("*.py"))
    assert [name for name in _variables() if f'"{name}"' not in source] == []
