"""`python -m tests.gallery`: contact sheets of all pages, for human readers.

Starts the site in an empty home and waits for its demo, or visits the one at `--site`. Walks it
signed out and signed in, writes a picture of each page of each kind, and sheets of twelve pages
each.
"""

from __future__ import annotations

import argparse
import contextlib
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
from tests.browser.visitors import challenge_bot, sign_up
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
        site = options.site or stack.enter_context(_site())
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        visitors = {
            "guest": browser.new_context(base_url=site),
            "member": _member(browser, site),
        }
        for reading in READINGS:
            for name, visitor in visitors.items():
                folder = options.out / f"{reading.name}-{name}"
                # Pages of an earlier walk may have had other numbers.
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                wide += _photograph(browser, visitor, site, reading, folder)
                write_sheets(browser, folder, title=f"{reading.name}, {name}")
    for line in wide:
        sys.stdout.write(f"wider than the window: {line}\n")
    return 2 if wide else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("--site", help="the address of a site that is up; else one is started")
    parser.add_argument("--out", type=Path, default=Path("var/gallery"), help="var/gallery")
    return parser


@contextlib.contextmanager
def _site() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="rayuela-gallery-") as home:
        port = servers.free_port()
        up = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=_ROOT,
            env={
                **os.environ,
                "RAYUELA_HOME": home,
                "RAYUELA_NO_BOOTSTRAP": "1",
                "LIMITS_FACTOR": "0",
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert up.stdout is not None
            for line in up.stdout:
                if "the demo is complete" in line:
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
    page.on("dialog", lambda dialog: dialog.accept())
    challenge_bot(page, "Pola", "morelli(size=7)")
    page.get_by_role("button", name="Resign").click()
    challenge_bot(page, "Pola", "morlox(size=9)")
    page.close()
    return context


def _photograph(
    browser: Browser, visitor: BrowserContext, site: str, reading: Reading, folder: Path
) -> list[str]:
    """Write a picture of each page, and return the paths of those that are wider than the window."""
    context = browser.new_context(
        base_url=site,
        viewport={"width": reading.width, "height": reading.height},
        storage_state=visitor.storage_state(),
    )
    context.set_default_timeout(_PATIENCE_MS)
    context.add_cookies(
        [
            {"name": "rayuela_language", "value": reading.language, "url": site},
            {"name": "settings", "value": f"appearance={reading.appearance}", "url": site},
        ]
    )
    page = context.new_page()
    wide = []
    paths = pages_of_each_kind(visitor.request)
    for number, path in enumerate(paths, start=1):
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
