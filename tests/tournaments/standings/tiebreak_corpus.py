"""The shared tie-break corpus: a hundred events with every value on which two independent programs agree."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from tournaments.round_kinds import Kind
from tournaments.standings import Edition, Field, Game, Participant, Scoring, System

_FOLDER = Path(__file__).resolve().parents[2] / "data" / "tiebreak-corpus"
_KINDS = {
    "1": Kind.WIN,
    "=": Kind.DRAW,
    "0": Kind.LOSS,
    "+": Kind.FORFEIT_WIN,
    "-": Kind.FORFEIT_LOSS,
    "U": Kind.PAIRING_BYE,
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
}
UNSURE = "x"  # what stands where the two programs differ


@dataclass(frozen=True, slots=True)
class Points:
    """The values of the event's rounds, in half points."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    pairing_bye: int = 2

    def of(self, kind: Kind) -> int:
        """Return the points of a round of that kind."""
        if kind in (Kind.WIN, Kind.FORFEIT_WIN, Kind.FULL_BYE):
            return self.win
        if kind in (Kind.DRAW, Kind.HALF_BYE):
            return self.draw
        if kind is Kind.PAIRING_BYE:
            return self.pairing_bye
        return self.loss if kind is Kind.LOSS else 0


@dataclass(frozen=True, slots=True)
class Case:
    """An event and its expected values and places by edition and name, one a player in order."""

    name: str
    system: System
    points: Points
    participants: tuple[Participant, ...]
    values: Mapping[Edition, Mapping[str, Sequence[Decimal | str | None]]]
    places: Mapping[Edition, Mapping[str, Sequence[int]]]

    def field(self, edition: Edition) -> Field:
        """The event as tie-breaks want it."""
        scoring = Scoring(self.points.win, self.points.draw, self.points.loss)
        return Field(self.participants, system=self.system, edition=edition, scoring=scoring)


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the file."""
    with gzip.open(_FOLDER / "cases.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(_case(json.loads(line, parse_float=Decimal)) for line in lines)


@cache
def published() -> tuple[tuple[Edition, Case], ...]:
    """The published examples, each with its edition."""
    data = json.loads((_FOLDER / "published-examples.json").read_text(), parse_float=Decimal)
    return tuple((Edition(one["edition"]), _case(one)) for one in data["cases"])


def contribution_cases() -> list[dict[str, Any]]:
    """Published sums of which only one player's rounds are known."""
    text = (_FOLDER / "published-examples.json").read_text()
    contribution_cases: list[dict[str, Any]] = json.loads(text, parse_float=Decimal)[
        "contribution_cases"
    ]
    return contribution_cases


def _case(data: dict[str, Any]) -> Case:
    halves = {k: int(2 * v) for k, v in data.get("points", {}).items()}
    points = Points(halves["W"], halves["D"], halves["L"], halves["PAB"]) if halves else Points()
    new, old = Edition.MARCH_2026, Edition.AUGUST_2024
    values, places = data.get("tb", {}), data.get("rank", {})
    return Case(
        data["id"],
        System(data["system"]),
        points,
        tuple(
            Participant(n, tuple(game(word, points) for word in games.split()), rating)
            for n, (rating, games) in enumerate(data["players"], start=1)
        ),
        {new: values, old: values | data.get("tb_2024", {})},
        {new: places, old: places | data.get("rank_2024", {})},
    )


def game(word: str, points: Points) -> Game:
    """A round as the corpus writes it: `12w1`, `-H`."""
    kind = _KINDS[word[-1]]
    if word[0] == "-":
        return Game(kind, points.of(kind))
    return Game(kind, points.of(kind), int(word[:-2]), is_first=word[-2] == "w")
