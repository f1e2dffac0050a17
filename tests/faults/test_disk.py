"""Full disks: writes are refused by name, no half is stored, and free space is the only remedy needed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import processes, servers
from tests.faults import audit, installation, parts, people
from tests.faults.installation import Installation
from tests.tournaments import uploads

pytestmark = pytest.mark.slow

_FULL_S = 20.0
_PROGRAM_BYTES = 3_000_000
# The copies that bots in a sandbox read take a part of it.
_HOST_MB = 256
_SQLITE_MB = 32
# A check that found no room is tried again after 15 s, and plays some games.
_CHECKED_WITHIN_S = 240.0


@pytest.fixture(autouse=True)
def _namespaces() -> None:
    """Skip if no file system of a known size can be mounted for one process alone."""
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    done = subprocess.run(command, check=False, capture_output=True)
    if os.geteuid() or done.returncode or shutil.which("setpriv") is None:
        pytest.skip("needs root, mount namespaces and setpriv")


def _fill(filler: Path) -> None:
    """Take the remaining space."""
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"0" * size)


def test_a_full_disk_refuses_whole_moves_and_room_is_all_it_takes() -> None:
    with installation.running(disk_mb=160) as site:
        pair = people.pair(site.ports)
        tables = [people.sit_down(*pair) for _ in range(6)]
        with people.playing(tables, pace_s=0.3):
            audit.assert_games_go_on(tables, time.monotonic())
            filler = site.postgresql.disk / "filler"
            until = time.monotonic() + _FULL_S
            while time.monotonic() < until:
                _fill(filler)
                time.sleep(0.5)
            retries = sum(person.retries for person in pair)
            filler.unlink()
            audit.assert_games_go_on(tables, time.monotonic())
        assert retries > 0, "the disk was never full"
        audit.assert_nothing_lost(site, tables)
        audit.assert_data_holds(site)


def _archive() -> bytes:
    """Return a program whose archive cannot be compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("main.py", uploads.GOOD)
        archive.writestr("weights.bin", secrets.token_bytes(_PROGRAM_BYTES))
    return file.getvalue()


def _form(name: str) -> dict[str, str]:
    return {"name": name, "families": "morlox", "takes_over": "on", "key": secrets.token_hex(8)}


def test_an_upload_that_the_database_has_no_room_for_is_refused_whole_and_sent_again() -> None:
    with installation.running(disk_mb=160) as site:
        ana = people.Person("Ana", site.ports)
        ana.sign_up()
        program, form = _archive(), _form("Nilo")
        filler = site.postgresql.disk / "filler"
        _fill(filler)
        assert ana.upload("/bots/new/", form, "main.zip", program) == 503
        assert site.rows("SELECT count(*) FROM tournaments_program") == [(0,)]
        assert site.rows("SELECT count(*) FROM tournaments_bot WHERE engine = ''") == [(0,)]
        filler.unlink()
        processes.until(
            lambda: ana.upload("/bots/new/", form, "main.zip", program) == 302, otherwise=site.logs
        )
        assert ana.upload("/bots/new/", form, "main.zip", program) == 302
        assert site.rows("SELECT count(*) FROM tournaments_bot WHERE engine = ''") == [(1,)]
        audit.assert_data_holds(site)


@contextlib.contextmanager
def _small_disk(folder: Path, size_mb: int) -> Iterator[list[str]]:
    """Yield the beginning of commands for which `folder` is a disk of that size."""
    folder.mkdir()
    disk = parts.disk(folder, size_mb)
    try:
        yield ["nsenter", "-m", "-t", str(disk.pid), f"--wd={processes.ROOT}"]
    finally:
        disk.communicate(b"end\n")


def _filler(on: Sequence[str], folder: Path) -> Path:
    """Return the file that takes the room of the disk, seen from outside."""
    return Path(f"/proc/{on[3]}/root{folder}/filler")


@dataclass
class _Host:
    """A host with a small disk, on which a web process and a worker of checks run."""

    site: Installation
    folder: Path
    on: Sequence[str]
    port: int

    @property
    def filler(self) -> Path:
        return _filler(self.on, self.folder)

    def fill(self) -> None:
        """Leave a few KiB."""
        _fill(self.filler)
        os.truncate(self.filler, self.filler.stat().st_size - 8192)

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*self.on, sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command,
            cwd=processes.ROOT,
            env=dict(self.site.variables),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def host() -> Iterator[_Host]:
    with installation.running() as site, contextlib.ExitStack() as stack:
        folder = site.folder / "small"
        on = stack.enter_context(_small_disk(folder, _HOST_MB))
        own = {**site.variables, "RAYUELA_HOME": str(folder), "TMPDIR": str(folder)}
        own["BOTS_ISOLATOR"] = os.environ.get("BOTS_ISOLATOR", "auto")
        (port,) = site.ports
        site.webs[0].stop()
        web = parts.web(site.folder, port, own, 2, on=on)
        worker = parts.worker(site.folder, "checks", own, "-c", "1", "-O", "fair", on=on)
        for part in (web, worker):
            part.start()
            stack.callback(part.stop)
        site.webs.append(web)
        site.workers.append(worker)
        processes.until(
            lambda: processes.answers(f"http://127.0.0.1:{port}/healthz"), otherwise=site.logs
        )
        query = "SELECT count(*) FROM tournaments_sandboxreport"
        processes.until(lambda: site.rows(query) != [(0,)], otherwise=site.logs)
        yield _Host(site, folder, on, port)


def test_a_host_without_room_takes_uploads_and_its_worker_waits_for_room(host: _Host) -> None:
    site = host.site
    ana = people.Person("Ana", [host.port])
    ana.sign_up()
    host.fill()
    assert ana.upload("/bots/new/", _form("Nilo"), "main.zip", _archive()) == 302
    query = "SELECT state, check_attempts FROM tournaments_bot WHERE engine = ''"
    processes.until(lambda: "check.fault" in site.workers[-1].log(), otherwise=site.logs)
    processes.until(lambda: site.rows(query) == [("checking", 0)], otherwise=site.logs)
    store = host.filler.parent / "programs"
    assert not [path for path in store.glob("**/*") if path.is_file()], "a half program"
    done = host.manage("backup", str(host.folder / "full.zip"))
    assert done.returncode != 0
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    host.filler.unlink()
    assert {path.name for path in store.parent.glob("*.zip")} == set()
    processes.until(
        lambda: site.rows(query)[0][0] == "ready",
        patience_s=_CHECKED_WITHIN_S,
        otherwise=site.logs,
    )
    assert host.manage("backup", str(host.folder / "room.zip")).returncode == 0


@pytest.fixture
def small_site(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """The port of a site on SQLite, whose database is on a small disk, and the file that fills the disk."""
    folder, port = tmp_path / "home", servers.free_port()
    own = {**installation.variables(), "RAYUELA_HOME": str(folder)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        own.pop(name, None)
    with _small_disk(folder, _SQLITE_MB) as on:
        migrate = [*on, sys.executable, "manage.py", "migrate", "-v", "0"]
        subprocess.run(migrate, cwd=processes.ROOT, env=own, check=True)
        web = parts.web(tmp_path, port, own, on=on)
        web.start()
        try:
            processes.until(
                lambda: processes.answers(f"http://127.0.0.1:{port}/healthz"), otherwise=web.log
            )
            yield port, _filler(on, folder)
        finally:
            web.stop()


def test_a_full_disk_under_sqlite_refuses_whole_moves_and_uploads(
    small_site: tuple[int, Path],
) -> None:
    port, filler = small_site
    ana, ben = (people.Person(name, [port]) for name in ("Ana", "Ben"))
    for person in (ana, ben):
        person.sign_up()
    tables = [people.sit_down(ana, ben) for _ in range(3)]
    program, form = _archive(), _form("Nilo")
    with people.playing(tables, pace_s=0.3):
        audit.assert_games_go_on(tables, time.monotonic())
        _fill(filler)
        assert ana.upload("/bots/new/", form, "main.zip", program) == 503
        processes.until(lambda: ana.retries + ben.retries > 0)
        filler.unlink()
        audit.assert_games_go_on(tables, time.monotonic())
    assert ana.upload("/bots/new/", form, "main.zip", program) == 302
    for table in tables:
        record = json.loads(ana.get(f"/game/{table.pk}/record.json"))
        assert [ply["move"] for ply in record["plies"]] == table.acknowledged
