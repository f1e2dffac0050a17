"""Formulas change by editions: a game keeps the edition of its day. Follows docs/develop/new-rating-edition.md."""

from __future__ import annotations

import re
import textwrap
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tournaments.ratings import elo, fide
from tournaments.ratings.errors import RuleSetError
from tournaments.ratings.fide import rules
from tournaments.ratings.systems import RatedGame, SystemName, new_system, recompute

HOW_TO = (Path(__file__).parents[3] / "docs/develop/new-rating-edition.md").read_text()


def example(number: int, module: Any) -> Any:
    """Return the result of the how-to's example with this number in the module that it names."""
    blocks = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
    return eval(textwrap.dedent(blocks[number]).strip(), vars(module))  # noqa: S307 - our own text


@pytest.fixture
def elo_2(monkeypatch: pytest.MonkeyPatch) -> elo.Edition:
    edition: elo.Edition = example(0, elo)
    monkeypatch.setattr(elo, "EDITIONS", (*elo.EDITIONS, edition))
    return edition


@pytest.fixture
def fide_2030(monkeypatch: pytest.MonkeyPatch) -> fide.RuleSet:
    edition: fide.RuleSet = example(1, rules)
    monkeypatch.setattr(rules, "STANDARD", (*rules.STANDARD, edition))
    return edition


def game(number: int, ended_on: date) -> RatedGame:
    ended_at = datetime(ended_on.year, ended_on.month, ended_on.day, 12, tzinfo=UTC)
    return RatedGame(number, 1, 2, 2, ended_at, event=1, event_began=ended_on)


def test_a_bots_game_is_rated_by_the_edition_of_its_day(elo_2: elo.Edition) -> None:
    games = [game(1, date(2029, 12, 31)), game(2, date(2030, 1, 1))]
    system = new_system(SystemName.RUNNING)
    assert [system.formula_of(each) for each in games] == ["elo-1", "elo-2"]
    lines = list(recompute(games, system, closed_until=date.min))
    assert [(line.formula, line.k_factor) for line in lines[::2]] == [("elo-1", 40), ("elo-2", 32)]


def test_a_later_edition_changes_no_earlier_line(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game(number, date(2029, month, 1)) for number, month in enumerate((1, 5, 9), start=1)]

    def lines(name: SystemName) -> list[object]:
        return list(recompute(games, new_system(name), closed_until=date(2029, 12, 1)))

    before = [lines(SystemName.RUNNING), lines(SystemName.LISTS)]
    monkeypatch.setattr(elo, "EDITIONS", (*elo.EDITIONS, example(0, elo)))
    monkeypatch.setattr(rules, "STANDARD", (*rules.STANDARD, example(1, rules)))
    assert [lines(SystemName.RUNNING), lines(SystemName.LISTS)] == before


def test_k_belongs_to_the_edition_of_the_period(fide_2030: fide.RuleSet) -> None:
    games = [game(1, date(2029, 12, 31)), game(2, date(2030, 1, 1))]
    lines = recompute(games, new_system(SystemName.LISTS), closed_until=date(2030, 2, 1))
    ks = [(line.inputs["rules"], line.k_factor) for line in lines if line.player == 1 and line.game]
    assert ks == [("fide-standard-2025", 40), (fide_2030.version, 32)]


def test_the_bound_of_k_times_games_belongs_to_the_edition() -> None:
    bound = fide.Coefficients(max_k_games=350)
    plain = rules.STANDARD[-1]
    edition = fide.RuleSet("x", plain.since, plain.cap, plain.first, 1400, 2200, coefficients=bound)
    assert (fide.limited_k(plain, 20, games=20), fide.limited_k(edition, 20, games=20)) == (20, 17)


def test_the_calculator_offers_every_k_of_every_edition(fide_2030: fide.RuleSet) -> None:
    assert fide.all_k_factors() == (8, 10, 16, 20, 32, 40)


def test_no_edition_rates_games_before_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elo, "EDITIONS", (elo.Edition("elo-9", date(2030, 1, 1)),))
    with pytest.raises(RuleSetError):
        elo.edition_on(date(2029, 12, 31))
