"""`python -m tests.gallery`: contact sheets of all pages, for human readers.

Starts the site in an empty home and waits for its demo, or visits the one at `--site`. Walks it
signed out and signed in. Starts another with the objects of the tests of roles, whose organiser,
player and administrator see pages that the demo lacks. Writes a picture of each page of each kind,
and sheets of twelve pages each.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests import servers
from tests.browser.crawl import pages_of_each_kind
from tests.browser.visitors import challenge_bot, resign, sign_up
from tests.gallery.sheets import write_sheets

_ROOT = Path(__file__).resolve().parents[2]
_HEIGHTS = 3  # a page is shown so many times as high as the window, at most
_PATIENCE_MS = 60_000


@dataclass(frozen=True)
class Reading:
    """A way of reading the pages."""

    name: str
    width: int
    height: int
    language: str
    appearance: str


@dataclass(frozen=True)
class Walk:
    """A visitor's pages of a site."""

    name: str
    site: str
    visitor: BrowserContext
    paths: Sequence[str]


READINGS = (
    Reading("wide-light", 1280, 800, "en", "light"),
    Reading("phone-dark", 390, 844, "en", "dark"),
    Reading("wide-japanese", 1280, 800, "ja", "light"),
)


def main(arguments: Sequence[str]) -> int:
    """Write the pictures. Return 1 without a browser, 2 if a page is wider than its window."""
    options = _parser().parse_args(arguments)
    chromium = servers.chromium()
    if chromium is None:
        sys.stderr.write("gallery: no Chromium on this machine\n")
        return 1
    wide: list[str] = []
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for walk in _walks(browser, options.site, stack):
            for reading in READINGS:
                folder = options.out / f"{reading.name}-{walk.name}"
                # Pages of an earlier walk may have had other numbers.
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                wide += _photograph(browser, walk, reading, folder)
                write_sheets(browser, folder, title=f"{reading.name}, {walk.name}")
    for line in wide:
        sys.stdout.write(f"wider than the window: {line}\n")
    return 2 if wide else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("--site", help="the address of a site that is up; else one is started")
    parser.add_argument("--out", type=Path, default=Path("var/gallery"), help="var/gallery")
    return parser


def _walks(browser: Browser, site: str | None, stack: contextlib.ExitStack) -> Iterator[Walk]:
    """Yield the walks through the demo, then those through the site of the roles."""
    demo = site or stack.enter_context(_site(_home(stack), ready="the demo is complete"))
    guest = browser.new_context(base_url=demo)
    earlier: set[str] = set()
    for name, visitor in (("guest", guest), ("member", _member(browser, demo))):
        paths = pages_of_each_kind(visitor.request)
        earlier.update(paths)
        yield Walk(name, demo, visitor, paths)
    home = _home(stack)
    output = subprocess.run(
        [sys.executable, "-m", "tests.gallery.world"],
        cwd=_ROOT, env=_environment(home), stdout=subprocess.PIPE, check=True,
    ).stdout  # fmt: skip
    visitors = json.loads(output)
    world = stack.enter_context(_site(home, ready="is up at"))
    for role in ("organiser", "player", "superuser"):
        visitor = browser.new_context(base_url=world)
        cookies = visitors[role]["cookies"].items()
        visitor.add_cookies([{"name": k, "value": v, "url": world} for k, v in cookies])
        paths = [path for path in visitors[role]["paths"] if path not in earlier]
        earlier.update(paths)
        yield Walk(role, world, visitor, paths)


def _home(stack: contextlib.ExitStack) -> str:
    return stack.enter_context(tempfile.TemporaryDirectory(prefix="rayuela-gallery-"))


def _environment(home: str) -> dict[str, str]:
    return {**os.environ, "RAYUELA_HOME": home, "RAYUELA_NO_BOOTSTRAP": "1", "LIMITS_FACTOR": "0"}


@contextlib.contextmanager
def _site(home: str, *, ready: str) -> Iterator[str]:
    """Yield the address of a site that has printed the words `ready`."""
    port = servers.free_port()
    up = subprocess.Popen(
        [sys.executable, "manage.py", "up", "--port", str(port)],
        cwd=_ROOT, env=_environment(home), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert up.stdout is not None
        for line in up.stdout:
            if ready in line:
                break
        yield f"http://127.0.0.1:{port}"
    finally:
        up.send_signal(signal.SIGINT)
        up.wait()


def _member(browser: Browser, site: str) -> BrowserContext:
    """Return a signed-in user, with a game that is over and one in progress."""
    context = browser.new_context(base_url=site)
    context.set_default_timeout(_PATIENCE_MS)
    page = context.new_page()
    sign_up(page, "Horacio")
    challenge_bot(page, "Pola", "morelli(size=7)")
    resign(page)
    challenge_bot(page, "Pola", "morlox(size=9)")
    page.close()
    return context


def _photograph(browser: Browser, walk: Walk, reading: Reading, folder: Path) -> list[str]:
    """Write a picture of each page, and return the paths of those that are wider than the window."""
    context = browser.new_context(
        base_url=walk.site,
        viewport={"width": reading.width, "height": reading.height},
        storage_state=walk.visitor.storage_state(),
    )
    context.set_default_timeout(_PATIENCE_MS)
    context.add_cookies(
        [
            {"name": "rayuela_language", "value": reading.language, "url": walk.site},
            {"name": "settings", "value": f"appearance={reading.appearance}", "url": walk.site},
        ]
    )
    page = context.new_page()
    wide = []
    for number, path in enumerate(walk.paths, start=1):
        page.goto(path)
        width, height = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        if width > reading.width:
            wide.append(f"{reading.name} {path} is {width} px wide")
        page.screenshot(
            path=folder / f"{number:03} {path.strip('/').replace('/', ' ') or 'home'}.png"[:120],
            full_page=True,
            clip={
                "x": 0,
                "y": 0,
                "width": reading.width,
                "height": min(height, _HEIGHTS * reading.height),
            },
        )
    context.close()
    return wide


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
