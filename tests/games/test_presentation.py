"""The presentation of a family: its words cover its games, and no other module knows its name."""

from __future__ import annotations

import ast
import itertools
import random
from functools import cache
from pathlib import Path

import pytest

import games
from games.presentation import PLAYS, Plural, Tally

ROOT = Path(games.__file__).resolve().parent.parent
FAMILIES = games.available()
NAMES = [family.name for family in FAMILIES]
# Its demonstration events are of certain games, and say so.
_MAY_NAME = {ROOT / "tournaments/services" / name for name in ("demo.py", "house.py")}

each_family = pytest.mark.parametrize("family", FAMILIES, ids=NAMES)


@cache
def imports_and_texts(path):
    """Return the imports of a file, and its texts.

    Its tree is not kept: each collection of garbage would walk through it.
    """
    imports, texts = [], []
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.ImportFrom(module=str(module), names=aliases):
                imports += [module, *(f"{module}.{alias.name}" for alias in aliases)]
            case ast.Import(names=aliases):
                imports += [alias.name for alias in aliases]
            case ast.Constant(value=str(text)):
                texts.append(text)
            case _:
                pass
    return imports, texts


def boards_of(family):
    """Yield one rule set for each value of each menu, all on small boards."""
    options = {option.name: option for option in family.options}
    size = {"size": options["size"].menu[0]} if "size" in options else {}
    chosen = [{**size, name: value} for name in options for value in options[name].menu]
    for choice in [size, *chosen]:
        try:
            yield family.from_options(choice)
        except games.UnknownOptionError:
            continue  # options that exclude each other


def positions_of(family):
    """Yield the positions of a random game of each."""
    for ruleset in boards_of(family):
        rng, position = random.Random(5), ruleset.initial(seed=5)
        yield position
        while position.outcome() is None and position.ply < 150:
            position = position.play(position.random_move(rng))
            yield position


@each_family
def test_boards_to_begin_with_are_the_familys_own(family):
    presentation = family.presentation
    for key in (presentation.check_board, presentation.lobby_board, presentation.poster.ruleset):
        assert games.load(key).family == family.name


@pytest.mark.long
@each_family
def test_every_colour_piece_and_move_has_words(family):
    presentation = family.presentation
    for position in positions_of(family):
        ruleset = position.ruleset
        edition = ruleset.options.get("edition", "")
        tokens = {**presentation.pieces, **presentation.tokens_of_edition.get(edition, {})}
        assert {cell.piece for cell in position.cells()} - {None} <= set(tokens)
        assert {position.colour_of(side) for side in games.Side} <= set(presentation.colours)
        for move in position.legal_moves()[::7]:
            words = presentation.words_of_move(move, edition)
            assert words is not PLAYS, move
            has_captures = any(ruleset.move_takes(move))
            assert "%(cells)s" in words.effect or not has_captures, move


@each_family
def test_every_trait_and_every_word_of_a_notice_is_known(family):
    presentation = family.presentation
    for position in positions_of(family):
        assert {(trait.code, trait.colour) for trait in position.traits()} <= set(
            presentation.traits
        )
        for notice in position.notices():
            words = presentation.notices.get(notice.code)
            if words is None:
                continue
            sentence = words.sentence
            text = sentence.many if isinstance(sentence, Plural) else sentence
            if "%(colour)s" in text and not words.uncoloured:
                assert notice.colour in presentation.colours
            if "%(kind)s" in text:
                assert notice.colour in words.kinds


@each_family
def test_every_figure_shows_legal_moves_and_has_a_name_of_its_own(family):
    figures = family.presentation.figures()
    assert figures
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert figure.position.ruleset.family == family.name
        for move in figure.moves:
            figure.position.play(move)


@each_family
def test_the_rules_take_each_two_of_the_votes_on_the_set_up_and_no_other(family):
    ballot = family.presentation.ballot
    if ballot is None:
        return
    ruleset = family.from_options({**ballot.required, **ballot.options})
    assert family.presentation.ballot_of(ruleset.options) is ballot
    for one, two in itertools.product(ballot.votes, repeat=2):
        position = ruleset.initial(votes=f"{one}/{two}")
        assert ruleset.start(ruleset.setup_text(position)) == position
        tally = ballot.tally(ruleset.setup_text(position))
        assert (tally.first, tally.second) == (one, two)
        unvoted = ruleset.initial(mode=tally.mode)
        assert unvoted.cells() == position.cells()
        assert ballot.tally(ruleset.setup_text(unvoted)) == Tally(mode=tally.mode)
    with pytest.raises(games.BadSetupError):
        ballot.tally("")
    with pytest.raises(games.BadSetupError):
        ruleset.initial(votes=f"no vote/{next(iter(ballot.votes))}")


@each_family
def test_a_vote_is_for_rule_sets_with_the_options_it_asks_for(family):
    presentation = family.presentation
    for ruleset in boards_of(family):
        has_options = presentation.ballot is not None and all(
            ruleset.options.get(name) == value
            for name, value in presentation.ballot.required.items()
        )
        assert (presentation.ballot_of(ruleset.options) is not None) == has_options


def test_a_move_without_words_is_told_as_it_is_written():
    assert FAMILIES[0].presentation.words_of_move("nonsense, or not").sentence
    assert "%(move)s" in PLAYS.sentence


@pytest.mark.parametrize("name", NAMES)
def test_no_other_game_is_imported_by_a_game(name):
    others = tuple(f"games.{other}" for other in NAMES if other != name)
    for path in (ROOT / "games" / name).rglob("*.py"):
        imports, _ = imports_and_texts(path)
        assert not [module for module in imports if module.startswith(others)], path


@pytest.mark.parametrize("folder", ["config", "engine", "tournaments"])
@pytest.mark.long
def test_no_code_outside_the_games_imports_one(folder):
    packages = tuple(f"games.{name}" for name in NAMES)
    for path in sorted((ROOT / folder).rglob("*.py")):
        imports, _ = imports_and_texts(path)
        assert not [each for each in imports if each.startswith(packages)], path


@pytest.mark.long
@pytest.mark.parametrize("folder", ["config", "engine", "tournaments"])
def test_no_code_outside_the_games_asks_for_a_game_by_its_name(folder):
    named = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path in _MAY_NAME:
            continue
        _, texts = imports_and_texts(path)
        named += [
            f"{path.relative_to(ROOT)}: {text}" for text in texts if text.partition("(")[0] in NAMES
        ]
    # "perfect" is the word of FIDE C.07 10.3 for a tie-break, too.
    assert [each for each in named if "standings/" not in each] == []


def test_no_template_but_its_rules_asks_for_a_game_by_its_name():
    for path in sorted((ROOT / "templates").rglob("*.html")):
        if path.stem not in NAMES:
            assert not [name for name in NAMES if f'"{name}"' in path.read_text()], path


@pytest.mark.parametrize(
    "family",
    [family for family in FAMILIES if family.presentation.nutshell],
    ids=lambda family: family.name,
)
def test_the_demonstration_is_a_figure_whose_move_takes_or_turns_something(family):
    figures = {figure.name: figure for figure in family.presentation.figures()}
    figure = figures[family.presentation.demonstration]
    before, after = figure.position, figure.position.play(figure.move)
    path = before.ruleset.move_path(figure.move)
    start = path[0] if len(path) > 1 else None
    pairs = zip(before.cells(), after.cells(), strict=True)
    assert [
        old.name for old, new in pairs if old.piece not in {None, new.piece} and old.name != start
    ]
