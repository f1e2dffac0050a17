"""Sheets of an event on paper, as Chromium prints them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

_PLAYERS = 33
# Repeats the rows of the longest table, with names that are long for a crosstable.
_FILL = """players => {
  const tables = [...document.querySelectorAll("tbody")];
  const body = tables.reduce((one, other) => (one.rows.length < other.rows.length ? other : one));
  const rows = [...body.rows];
  for (let n = rows.length; n < players; n += 1) body.append(rows[n % rows.length].cloneNode(true));
  for (const name of body.querySelectorAll(".person")) name.textContent = "Maximiliane Schönenberger";
  return body.rows.length;
}"""
# Repeats the column of round 1.
_MORE_ROUNDS = """rounds => {
  for (const row of document.querySelectorAll("table.crosstable tr")) {
    const cells = [...row.querySelectorAll(".result")];
    for (let n = cells.length; n < rounds; n += 1) cells[0].after(cells[0].cloneNode(true));
  }
}"""


@pytest.mark.parametrize("kind", ["standings", "crosstable"])
def test_a_list_of_33_players_is_printed_on_one_sheet(page: Page, kind: str) -> None:
    page.goto(f"/events/club-de-la-serpiente-open/print/{kind}/")
    assert page.evaluate(_FILL, _PLAYERS) == _PLAYERS
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1


@pytest.mark.parametrize("rounds", [9, 11])
def test_a_crosstable_of_many_rounds_is_printed_across(page: Page, rounds: int) -> None:
    page.goto("/events/club-de-la-serpiente-open/print/crosstable/")
    page.evaluate(_MORE_ROUNDS, rounds)
    size = re.search(
        rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", page.pdf(prefer_css_page_size=True)
    )
    assert size is not None
    assert (float(size[1]) > float(size[2])) == (rounds > 9)
