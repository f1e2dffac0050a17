"""Four hosts: the site, the database with the broker, and two workers of bots, one of which is cut off in an event."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import processes
from tests.faults import audit, hosts, installation, parts, scenes
from tests.faults.installation import Installation

pytestmark = pytest.mark.slow

_NAMES = ("web", "database", "bots-1", "bots-2")
_PORTS = {"postgresql": 5432, "redis": 6379, "web": 8000}
_FINISHED_WITHIN_S = 420.0
_ANSWERED_WITHIN_S = 45.0  # where nothing says otherwise, a quarter of an hour
_FETCH = """
import sys, urllib.error, urllib.request
try:
    answer = urllib.request.urlopen(sys.argv[1], timeout=120)
    print(answer.status, answer.read().decode(), sep="\\n")
except urllib.error.HTTPError as error:
    print(error.code)
except OSError:
    print(0)
"""


@pytest.fixture
def network() -> Iterator[hosts.Hosts]:
    installation.require_servers()
    hosts.require_hosts()
    network = hosts.Hosts(_NAMES)
    with network.up():
        yield network


@pytest.fixture
def site(network: hosts.Hosts) -> Iterator[Installation]:
    with tempfile.TemporaryDirectory(prefix="rayuela-hosts-") as name, ExitStack() as stack:
        yield _build(network, Path(name), stack)


def _build(network: hosts.Hosts, folder: Path, stack: ExitStack) -> Installation:
    folder.chmod(0o755)
    database = network.address("database")
    shared = {
        **installation.variables(),
        "DATABASE_URL": f"postgresql://rayuela@{database}:{_PORTS['postgresql']}/rayuela",
        "REDIS_URL": f"redis://{database}:{_PORTS['redis']}/0",
        "SECRET_KEY": "of all hosts " * 4,
        "ALLOWED_HOSTS": network.address("web"),
    }

    def of_host(name: str) -> dict[str, str]:
        home = folder / name
        home.mkdir()
        return {**shared, "RAYUELA_HOME": str(home)}

    on_database = network.on("database")
    postgresql = parts.PostgreSQL(
        folder / "pg",
        _PORTS["postgresql"],
        on=on_database,
        net=f"{database.rpartition('.')[0]}.0/24",
    )
    redis = parts.redis(folder, _PORTS["redis"], on=on_database)
    at_web = of_host("web")
    web = parts.web(folder, _PORTS["web"], at_web, on=network.on("web"))
    workers = [
        parts.worker(
            folder,
            "ticks,default,builtin-replies,post",
            at_web,
            "-c",
            "1",
            "--beat",
            on=network.on("web"),
        )
    ]
    workers += [
        parts.worker(
            folder, "bots", of_host(name), "-c", "1", "-O", "fair", on=network.on(name), name=name
        )
        for name in ("bots-1", "bots-2")
    ]
    # The test itself reaches the database by its socket, which is a file.
    by_socket = f"postgresql://rayuela@{str(folder / 'pg').replace('/', '%2F')}:{_PORTS['postgresql']}/rayuela"
    site = installation.Installation(
        folder, postgresql, redis, [web], [_PORTS["web"]], workers, {**shared, "DATABASE_URL": by_socket,
        "RAYUELA_HOME": at_web["RAYUELA_HOME"]},
    )  # fmt: skip
    for part in (postgresql, redis):
        part.start()
        stack.callback(part.stop)
    installation.prepare(site)
    for part in (web, *workers):
        part.start()
        stack.callback(part.stop)
    return site


def _fetch(network: hosts.Hosts, host: str, path: str) -> tuple[int, str]:
    """Return the status and text of a page of the site, seen from that host, or 0 without an answer."""
    command = [
        *network.on(host),
        sys.executable,
        "-c",
        _FETCH,
        f"http://{network.address('web')}:8000{path}",
    ]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    status, _, text = done.stdout.partition("\n")
    return int(status), text


def test_an_event_goes_on_when_a_worker_is_cut_off(
    network: hosts.Hosts, site: Installation
) -> None:
    processes.until(
        lambda: _fetch(network, "bots-2", "/healthz")[0] == 200,
        otherwise=site.logs,
        patience_s=60,
    )
    slug = scenes.event_of_authors(site, "Between hosts")
    processes.until(lambda: _leases(site) == 2, patience_s=90, otherwise=site.logs)
    network.pull("bots-1")
    processes.until(
        lambda: scenes.is_over(site, slug), patience_s=_FINISHED_WITHIN_S, otherwise=site.logs
    )
    scenes.assert_standings_follow_results(site, slug)
    network.plug_in("bots-1")
    audit.assert_data_holds(site)
    assert "Between hosts 1" in _fetch(network, "bots-2", f"/events/{slug}/standings/")[1]


def test_a_database_that_is_cut_off_keeps_nobody_waiting_for_long(
    network: hosts.Hosts, site: Installation
) -> None:
    processes.until(
        lambda: _fetch(network, "web", "/players/")[0] == 200, otherwise=site.logs, patience_s=60
    )
    network.pull("database")
    since_s = time.monotonic()
    assert _fetch(network, "web", "/players/")[0] == 503
    assert time.monotonic() - since_s < _ANSWERED_WITHIN_S
    network.plug_in("database")
    processes.until(
        lambda: _fetch(network, "web", "/players/")[0] == 200, otherwise=site.logs, patience_s=60
    )


def _leases(site: Installation) -> int:
    """Return how many matches are played now."""
    ((count,),) = site.rows("SELECT count(*) FROM tournaments_match WHERE state = 'leased'")
    return int(str(count))
