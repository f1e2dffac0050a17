"""Contact sheets: pictures of pages side by side, under their addresses."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser

_A_SHEET = 12
_COLUMNS = 6
_WIDTH = 1900
_STYLE = f"""
  body {{ margin: 12px; font: 13px sans-serif; background: #777; color: #fff; }}
  main {{ display: grid; grid-template-columns: repeat({_COLUMNS}, 1fr); gap: 12px; align-items: start; }}
  figure {{ margin: 0; }} img {{ width: 100%; display: block; }}
"""


def write_sheets(browser: Browser, folder: Path, *, title: str) -> list[Path]:
    """Write `sheet-1.png`, `sheet-2.png`... of the pictures in a folder, and return their paths."""
    pictures = sorted(picture for picture in folder.glob("*.png") if picture.name[0].isdigit())
    page = browser.new_page(viewport={"width": _WIDTH, "height": 1000})
    sheets = []
    for number, first in enumerate(range(0, len(pictures), _A_SHEET), start=1):
        source = folder / f"sheet-{number}.html"
        source.write_text(_sheet(title, pictures[first : first + _A_SHEET]))
        page.goto(source.resolve().as_uri())
        sheets.append(folder / f"sheet-{number}.png")
        page.screenshot(path=sheets[-1], full_page=True)
        source.unlink()
    page.close()
    return sheets


def _sheet(title: str, pictures: Sequence[Path]) -> str:
    figures = "".join(
        f'<figure><figcaption>{html.escape(p.stem)}</figcaption><img src="{quote(p.name)}"></figure>'
        for p in pictures
    )
    return f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{_STYLE}</style><h1>{title}</h1><main>{figures}</main>"
