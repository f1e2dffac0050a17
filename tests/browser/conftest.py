"""The whole site as a visitor finds it: `manage.py up` in an empty home, and Chromium.

The site lives from the first of these tests to the last, and they come after all others
(`tests/conftest.py`). Its demo keeps a core busy, and Playwright an event loop running in this
thread.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import processes, servers
from tests.browser.crawl import pages_of_each_kind
from tests.browser.visitors import challenge_bot, resign, sign_up
from tests.tournaments import push_service

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from playwright.sync_api import BrowserContext

_START_PATIENCE_S = 300.0
# The last line of `manage.py up` about its demo.
_READY = re.compile("the demo is complete|the demo could not be loaded")
# Its bots on the ladder would play for as long as there are tests, and take half of a core from them.
_END_LADDER = """
import django; django.setup()
from tournaments.models import Event
from tournaments.services.rounds import lifecycle
event = Event.objects.get(format=Event.Format.LADDER)
lifecycle.finish_early(event_id=event.pk, actor=event.organiser)
"""
PYTHON = processes.ROOT / "var/pyodide"
# A page waits for bots and workers that share two cores with everything else.
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "site" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@contextlib.contextmanager
def _fresh_database() -> Iterator[dict[str, str]]:
    """Yield variables for the site's database and Redis number, or an empty mapping on the embedded default."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        yield {}
        return
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("DROP DATABASE IF EXISTS rayuela_browser")
        admin.execute("CREATE DATABASE rayuela_browser")
    yield {
        "DATABASE_URL": urlunsplit(urlsplit(url)._replace(path="/rayuela_browser")),
        "REDIS_URL": urlunsplit(urlsplit(os.environ["REDIS_URL"])._replace(path="/1")),
        # A service has a key for Web Push only by its operator.
        "PUSH_KEY": push_service.text_of(b"s" * 32),
    }


@dataclass(frozen=True)
class RunningSite:
    """The address of a site, and the environment of its processes."""

    address: str
    environment: Mapping[str, str]

    def run(self, script: str) -> None:
        """Run lines of Python on the site's database."""
        subprocess.run(
            [sys.executable, "-c", script], cwd=processes.ROOT, env=self.environment, check=True
        )


@pytest.fixture(scope="session")
def site(running_site: RunningSite) -> str:
    """Return the address of a site with its demo and workers."""
    return running_site.address


@pytest.fixture(scope="session")
def running_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """Yield a site with its demo and workers, started as the README says."""
    if servers.chromium() is None:
        pytest.skip("no Chromium on this machine")
    home: Path = tmp_path_factory.mktemp("home")
    port = servers.free_port()
    log = home / "up.log"
    # The interpreter of Python for browsers, if `.ci/compiler` has installed it.
    (home / "pyodide").symlink_to(PYTHON)
    with _fresh_database() as variables, log.open("wb") as output:
        environment = {**os.environ, "RAYUELA_HOME": str(home), **variables}
        if not variables:
            environment.pop("DATABASE_URL", None)
            environment.pop("REDIS_URL", None)
        up = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=processes.ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )
        try:
            processes.until(
                lambda: _READY.search(log.read_text()) or up.poll() is not None,
                patience_s=_START_PATIENCE_S,
                otherwise=log.read_text,
            )
            assert up.poll() is None, log.read_text()
            assert "could not be loaded" not in log.read_text(), log.read_text()
            environment |= {
                "RAYUELA_NO_BOOTSTRAP": "1",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            }
            running_site = RunningSite(f"http://127.0.0.1:{port}", environment)
            running_site.run(_END_LADDER)
            yield running_site
        finally:
            up.send_signal(signal.SIGINT)
            assert up.wait(30) == 0, log.read_text()
        log_text = log.read_text()
        assert "Traceback" not in log_text, output


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = servers.chromium()
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync", "--no-first-run"],
        )  # fmt: skip
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def member(site: str, chromium: Browser) -> Iterator[BrowserContext]:
    """Yield a signed-in user, with a game in progress, one that is over, and one to analyse."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    page = context.new_page()
    sign_up(page, "Ossip")
    challenge_bot(page, "Pola", "morelli(size=7)")
    resign(page)
    expect(page.locator(".status")).to_contain_text("You lost by resignation")
    challenge_bot(page, "Pola", "morelli(size=7)")
    page.close()
    yield context
    context.close()


@pytest.fixture(scope="session")
def member_pages(member: BrowserContext) -> Sequence[str]:
    """Return the pages to which links of the site lead the member, one page of each kind.

    The last is missing.
    """
    return pages_of_each_kind(member.request)


@pytest.fixture
def page(site: str, chromium: Browser) -> Iterator[Page]:
    """Yield a page of an unknown visitor.

    The test fails when the page's script or its policy complains.
    """
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type == "error" and "status of 4" not in message.text
            else None
        ),
    )
    yield opened
    context.close()
    assert complaints == []


@pytest.fixture
def other(site: str, chromium: Browser) -> Iterator[Page]:
    """Yield the page of another visitor, on a phone."""
    context = chromium.new_context(base_url=site, viewport={"width": 390, "height": 844})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()
