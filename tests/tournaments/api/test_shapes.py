"""Answers that are filled from the attributes of rows."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tournaments.api.shapes import PlayerName, Shape
from tournaments.models import Player


class Seat(Shape):
    """A shape with a shape in it."""

    side: str
    player: PlayerName


class Row:
    """A row with another name for the side."""

    number = 1
    player = Player(pk=7, name="Ana", kind=Player.Kind.PERSON)


def test_members_are_attributes_and_others_are_given() -> None:
    assert Seat.of(Row, side="first").model_dump() == {
        "side": "first",
        "player": {"id": 7, "name": "Ana", "kind": "person"},
    }


def test_a_missing_attribute_is_an_error() -> None:
    with pytest.raises(AttributeError, match="side"):
        Seat.of(Row)


def test_a_value_of_another_type_is_an_error() -> None:
    with pytest.raises(ValidationError, match="side"):
        Seat.of(Row, side=1)


def test_a_value_for_no_member_is_an_error() -> None:
    with pytest.raises(AssertionError, match="Seat"):
        Seat.of(Row, side="first", sied="second")
