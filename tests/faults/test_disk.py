"""A full disk under PostgreSQL: writes are refused by 503, no half is stored, and free space is the only remedy needed."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.faults import audit, installation, people

pytestmark = pytest.mark.slow

_FULL_S = 20.0


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
        pair = [people.Person(name, site.ports) for name in ("Ana", "Ben")]
        for person in pair:
            person.sign_up()
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
