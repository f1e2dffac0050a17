"""Keys of rule sets: their forms and their refusals."""

from __future__ import annotations

import pytest

import games
from games.morelli import Morelli


@pytest.mark.parametrize(
    ("key", "canonical"),
    [
        ("morelli", "morelli(edition=revised,size=13,setup=random)"),
        ("morelli()", "morelli(edition=revised,size=13,setup=random)"),
        ("morelli(size=9)", "morelli(edition=revised,size=9,setup=random)"),
        ("morelli(setup=placement,size=7)", "morelli(edition=revised,size=7,setup=placement)"),
        ("morelli(edition=original)", "morelli(edition=original,size=13,setup=facing)"),
        (
            "morelli(edition=original,setup=ballot,size=31)",
            "morelli(edition=original,size=31,setup=ballot)",
        ),
    ],
)
def test_missing_options_have_their_defaults(key, canonical):
    assert games.load(key).key == canonical


@pytest.mark.parametrize(
    "key",
    ["", " ", "chess", "Morelli", "morelli(", "morelli)", "morelli(size)", "morelli(size=)", "morelli(,)", "morelli(size=9,)",
     "morelli (size=9)", "morelli(size=9)\n", "\0", "x" * 10_240, "morelli(" * 2_000, "морелли"],
)  # fmt: skip
def test_text_that_names_no_family_is_refused(key):
    with pytest.raises(games.UnknownRulesetError) as caught:
        games.load(key)
    assert repr(key[:10])[1:5] in str(caught.value) or not key
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("morelli(colour=red)", "colour"),
        ("morelli(size=8)", "8"),
        ("morelli(size=3)", "3"),
        ("morelli(size=33)", "33"),
        ("morelli(size=09)", "09"),
        ("morelli(size=٩)", "٩"),
        ("morelli(size=9,size=9)", "size"),
        ("morelli(edition=Revised)", "Revised"),
        ("morelli(setup=facing)", "facing"),
        ("morelli(edition=original,setup=placement)", "placement"),
        ("morelli(size=" + "9" * 3000 + ")", "999"),
    ],
)
def test_unknown_option_or_value_is_refused_by_name(key, named):
    with pytest.raises(games.UnknownOptionError) as caught:
        games.load(key)
    assert named in str(caught.value)
    assert len(str(caught.value)) < 300


def test_available_lists_families_with_options_in_canonical_order():
    families = {family.name: family for family in games.available()}
    assert [option.name for option in families["morelli"].options] == ["edition", "size", "setup"]
    for family in families.values():
        for option in family.options:
            assert option.accepts(option.default)
            assert all(option.accepts(value) for value in option.menu)
        assert list(games.load(family.name).options) == [option.name for option in family.options]


def test_every_odd_size_from_5_to_31_is_playable():
    for size in range(5, 32, 2):
        assert games.load(f"morelli(size={size})").size == size


@pytest.mark.parametrize(
    "options", [{"colour": "red"}, {"size": "8"}, {"edition": "original", "setup": "random"}]
)
def test_family_checks_options_by_itself_too(options):
    with pytest.raises(games.UnknownOptionError):
        Morelli.from_options(options)


def test_ruleset_refuses_the_position_of_another_game():
    with pytest.raises(TypeError):
        games.load("morelli").setup_text("no position")  # type: ignore[arg-type]  # on purpose
