"""Every command of the pages for operators is run, or has a reason (`handbook.ELSEWHERE`) and true options."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from tests import processes, servers
from tests.faults import handbook, installation
from tests.faults.installation import Installation
from tests.processes import ROOT

# Parts of the site. They run until they are stopped.
_PARTS = re.compile(r"manage\.py (?:serve|up)\b|celery .* (?:worker|beat)\b")
_RELEASE = "notes.txt"


@pytest.mark.parametrize(
    "command", [each for each in handbook.commands() if handbook.elsewhere(each) is not None]
)
def test_a_command_that_runs_elsewhere_has_true_options(command: str) -> None:
    reason = handbook.elsewhere(command)
    assert reason is not None
    reason.check(command)


@pytest.mark.parametrize("reason", handbook.ELSEWHERE, ids=lambda each: each.pattern)
def test_a_reason_is_for_a_command_of_the_pages(reason: handbook.Elsewhere) -> None:
    assert any(handbook.elsewhere(each) is reason for each in handbook.commands())


class _Operator:
    """An operator who follows the pages on one machine, beside an empty installation."""

    def __init__(self, site: Installation, folder: Path) -> None:
        self._folder, self._port = folder, servers.free_port()
        self._site = site
        self._variables = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "RAYUELA_NO_BOOTSTRAP": "1",
            "SECRET_KEY": "a-key-of-the-test-" * 4,
            "METRICS_TOKEN": "a-long-word-for-figures",
            "PUSH_KEY": secrets.token_urlsafe(32),
            "DATABASE_URL": f"{site.url}?sslmode=disable",
            "REDIS_URL": site.variables["REDIS_URL"],
            "SITE_URL": "https://rayuela.example.org",
            "ALLOWED_HOSTS": "rayuela.example.org",
            "TRUSTED_PROXIES": "127.0.0.1",
            "RAYUELA_HOME": str(folder / "home"),
            "STATIC_ROOT": str(folder / "static"),
            "DJANGO_SUPERUSER_PASSWORD": "pedrecita-y-cielo-9",
        }
        (folder / "home").mkdir()

    def follow(self, command: str) -> None:
        """Run the command. Fail if it fails, or if a part does not come up."""
        if _PARTS.search(command):
            self._start(command)
            return
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self._here(command)],  # noqa: S607
            cwd=self._folder if command.startswith(("ssh-keygen", "sha256sum")) else ROOT,
            env=self._environment(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"

    def _here(self, command: str) -> str:
        """Return the command with the places of this machine."""
        for old, new in (
            ("python ", f"{sys.executable} "),
            ("celery -A", f"{sys.executable} -m celery -A"),
            ("/backups/", f"{self._folder}/"),
            ("backup FILE", f"backup {self._folder}/file.zip"),
            ("/opt/flower", f"{self._folder}/flower"),
            ("--admin NAME", "--admin root --no-input"),
            ("--port 8001", f"--port {self._port}"),
            ("--host 0.0.0.0", f"--host 0.0.0.0 --port {self._port}"),
            ("-f release-key", "-f release-key -N ''"),
        ):
            command = command.replace(old, new)
        return command

    def _environment(self, command: str) -> dict[str, str]:
        if "restore" in command:
            return {**self._variables, "DATABASE_URL": f"{self._site.url}_restored?sslmode=disable"}
        if "manage.py up" in command:
            own = {"RAYUELA_HOME": str(self._folder / "up"), "SITE_URL": ""}
            apart = {"DATABASE_URL", "REDIS_URL", "STATIC_ROOT", *own}
            return {k: v for k, v in self._variables.items() if k not in apart} | {
                "RAYUELA_HOME": own["RAYUELA_HOME"]
            }
        return self._variables

    def _start(self, command: str) -> None:
        log = self._folder / "part.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                ["bash", "-c", f"exec env {self._here(command)}"],  # noqa: S607
                cwd=ROOT,
                env=self._environment(command),
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        try:
            is_up = self._sign_of(command)
            processes.until(
                lambda: process.poll() is not None or is_up(),
                otherwise=lambda: f"{command}\n{log.read_text()}",
            )
            assert process.poll() is None, f"{command}\n{log.read_text()}"
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
        finally:
            processes.kill_group(process)
            process.wait()

    def _sign_of(self, command: str) -> Callable[[], bool]:
        """Return whether the part of the command has come up."""
        if "manage.py" in command:
            return lambda: processes.answers(f"http://127.0.0.1:{self._port}/healthz")
        client = redis.Redis.from_url(self._variables["REDIS_URL"])
        if " beat" in command:
            return lambda: bool(client.exists("rayuela:beat"))
        (queue,) = re.findall(r" -Q (\S+)", command)
        return lambda: (
            bool(client.exists(f"_kombu.binding.{queue}"))
            and any(each["cmd"] == "brpop" for each in client.client_list())
        )


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[_Operator]:
    with installation.running() as site:
        for part in (*site.webs, *site.workers):
            part.stop()
        redis.Redis.from_url(site.variables["REDIS_URL"]).flushall()
        with psycopg.connect(site.url, autocommit=True) as database:
            database.execute("CREATE DATABASE rayuela_restored")
        yield _Operator(site, tmp_path)


def _sign_a_release(folder: Path) -> None:
    """Publish a release of one file with the key of the operator's own page."""
    (folder / _RELEASE).write_text("A release.")
    key = (folder / "release-key.pub").read_text()
    (folder / "allowed_signers").write_text(f"release@rayuela {key}")
    script = f"sha256sum {_RELEASE} > SHA256SUMS && ssh-keygen -q -Y sign -f release-key -n rayuela-release SHA256SUMS"
    subprocess.run(["bash", "-ec", script], cwd=folder, check=True, capture_output=True)  # noqa: S607


@pytest.mark.slow
def test_the_other_commands_run(operator: _Operator, tmp_path: Path) -> None:
    everything = handbook.runnable()
    # A key before its signature, and a site that is set up before its parts.
    first = [each for each in everything if "ssh-keygen -t" in each or "manage.py setup" in each]
    for command in first:
        operator.follow(command)
    _sign_a_release(tmp_path)
    for command in everything:
        if command not in first:
            operator.follow(command)
