"""`python -m tests.icons`: the icons of an installed site, drawn from its logo by Chromium."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests import servers

FOLDER = Path(__file__).resolve().parent.parent / "tournaments/static/rayuela/base"
_COLOURS = 64


@dataclass(frozen=True)
class Icon:
    """A picture of the logo, which fills a share of the square, on a colour or on nothing."""

    name: str
    size: int
    share: float = 1.0
    ground: str = "transparent"


# Systems cut a maskable icon to a circle of four fifths of the width, and iOS rounds the corners.
ICONS = (
    Icon("icon-192", 192),
    Icon("icon-512", 512),
    Icon("icon-maskable-512", 512, share=0.57, ground="#c00"),
    Icon("icon-180", 180, ground="#c00"),
)


def main() -> None:
    """Write all icons, each with a palette."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=servers.chromium(), args=["--no-sandbox"]
        )
        page = browser.new_page()
        logo = (FOLDER / "logo.svg").read_text()
        for icon in ICONS:
            page.set_viewport_size({"width": icon.size, "height": icon.size})
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center;"
                f" background: {icon.ground} }} svg {{ width: {icon.share:.0%} }}</style>{logo}"
            )
            picture = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
            small = picture.convert("RGBA").quantize(_COLOURS, method=Image.Quantize.FASTOCTREE)
            small.save(FOLDER / f"{icon.name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
