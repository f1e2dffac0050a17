"""Fields with choices: their HTML is Django's."""

from __future__ import annotations

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

CHOICES = [
    ("", "none"),
    ("a&b", "A & <b>"),
    ("Group >", [("1", "One"), (2, "Two")]),
]


@pytest.mark.parametrize("value", [None, "", "a&b", "2"])
@pytest.mark.parametrize("attrs", [{}, {"disabled": True, "required": False, "id": 'x"y'}])
def test_a_select_is_written_as_by_django(value: str | None, attrs: dict[str, object]) -> None:
    widget = forms.Select(choices=CHOICES)
    assert widget.render("field", value, attrs) == widget.render(
        "field", value, attrs, renderer=DjangoTemplates()
    )


def test_several_choices_are_written_as_by_django() -> None:
    widget = forms.SelectMultiple(choices=CHOICES)
    assert widget.render("field", ["1", "2"]) == widget.render(
        "field", ["1", "2"], renderer=DjangoTemplates()
    )
