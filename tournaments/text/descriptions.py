"""Boards in words, for screen-reader users and captions: cells, moves, frames and control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games.presentation import AgreementWords, MoveWords, NoticeWords, Plural
from games.view import Notice, Trait


def labels(position: games.Position) -> dict[str, str]:
    """Every cell in words, by name: `C5, orange band, black stone`."""
    ruleset = position.ruleset
    presentation = games.family_of(ruleset.family).presentation
    special = presentation.tokens_of_edition.get(ruleset.options.get("edition", ""), {})
    words_of_grounds = {**presentation.grounds, **special}
    words_of_pieces = {**presentation.pieces, **special}
    cells = list(position.cells())
    # A board has a hundred cells, of a dozen grounds and pieces.
    grounds = {token: _ground_name(token, words_of_grounds) for token in {c.ground for c in cells}}
    pieces = {
        token: _(words_of_pieces[token]) if token else _("empty")
        for token in {c.piece for c in cells}
    }
    on_ground, plain = _("%(cell)s, %(ground)s, %(piece)s"), _("%(cell)s, %(piece)s")
    return {
        cell.name: (on_ground if grounds[cell.ground] else plain)
        % {"cell": cell.name, "ground": grounds[cell.ground], "piece": pieces[cell.piece]}
        for cell in cells
    }


def _ground_name(token: str, words: Mapping[str, str]) -> str:
    if token in words:
        return _(words[token])
    kind, _dash, number = token.rpartition("-")
    pattern = words.get(f"{kind}-*")
    return _(pattern) % {"number": number} if pattern else ""


def traits(family: str, pointed_out: Sequence[Trait]) -> list[str]:
    """A sentence for each of the traits of a position of this game."""
    presentation = games.family_of(family).presentation
    return [
        _(presentation.traits[trait.code, trait.colour])
        % {
            "name": _trait_name(trait.name, presentation.trait_names),
            "cells": listed(trait.cells),
            "from": trait.cells[0],
            "to": trait.cells[-1],
        }
        for trait in pointed_out
    ]


def _trait_name(name: str, words: Mapping[str, str]) -> str:
    """A trait's own name in the reader's language: `Orange 5`, `Band 7 3`."""
    first, _space, number = name.rpartition(" ")
    return f"{_(words[first])} {number}" if first in words else name


def listed(cells: Sequence[str]) -> str:
    """The cells as a list in words: `A1, B2 and C3`."""
    *others, last = cells
    if not others:
        return last
    return _("%(others)s and %(last)s") % {"others": _(", ").join(others), "last": last}


def words_of_move(ruleset: games.Ruleset, move: str) -> MoveWords:
    """The words that the game has for a move."""
    presentation = games.family_of(ruleset.family).presentation
    return presentation.words_of_move(move, ruleset.options.get("edition", ""))


def words_of_agreement(ruleset: games.Ruleset) -> AgreementWords:
    """The words that the game has for an end by agreement."""
    presentation = games.family_of(ruleset.family).presentation
    return presentation.words_of_agreement(ruleset.options.get("edition", ""))


def effect(ruleset: games.Ruleset, move: str, *, flipped: Sequence[str] = ()) -> str:
    """Return the captures or turned cells of `move`, in words, or an empty text without an effect.

    `flipped` are the cells that it turned, if its text does not list them.
    """
    words = words_of_move(ruleset, move)
    captured = [cell for cells in ruleset.move_takes(move) for cell in cells]
    cells = flipped if words.is_seen else captured
    if not words.effect or ("%(cells)s" in words.effect and not cells):
        return ""
    return _(words.effect) % {"cells": listed(cells) if cells else ""}


def move_sentence(
    ruleset: games.Ruleset, move: str, *, name: str, flipped: Sequence[str] = ()
) -> str:
    """Return a move in words, such as `Pola moves from D12 to G9: captures F8 and H8.`.

    `flipped` are the cells that it turned, if its text does not list them.
    """
    words = words_of_move(ruleset, move)
    path = ruleset.move_path(move)
    parts = {
        "name": name,
        "move": move,
        "start": path[0] if path else "",
        "end": path[-1] if path else "",
        "effect": effect(ruleset, move, flipped=flipped),
    }
    has_effect = bool(parts["effect"] and words.sentence_with_effect)
    return _(words.sentence_with_effect if has_effect else words.sentence) % parts


def reasons(position: games.Position) -> list[str]:
    """Return the reasons why the rules ended `position`, as sentences, or no reasons before the end."""
    if position.outcome() is None:
        return []
    facts = [(fact, words_of_notice(position.ruleset, fact)) for fact in position.notices()]
    return [notice(position.ruleset, fact) for fact, words in facts if words and words.is_reason]


def words_of_notice(ruleset: games.Ruleset, fact: Notice) -> NoticeWords | None:
    """The words that the game has for a fact beside the board."""
    presentation = games.family_of(ruleset.family).presentation
    return presentation.words_of_notice(fact.code, ruleset.options.get("edition", ""))


def notice(ruleset: games.Ruleset, fact: Notice) -> str:
    """Return a fact beside the board as a sentence, or an empty text if the board shows it well enough."""
    presentation = games.family_of(ruleset.family).presentation
    words = words_of_notice(ruleset, fact)
    if words is None or (words.skips_zero and not fact.count):
        return ""
    colour = fact.colour or ""
    parts = {
        "colour": _(presentation.colours[colour]) if colour in presentation.colours else colour,
        "kind": _(words.kinds[colour]) if colour in words.kinds else colour,
        "count": fact.count,
    }
    if words.uncoloured and fact.colour is None:
        return _(words.uncoloured) % parts
    if isinstance(words.sentence, Plural):
        return ngettext(words.sentence.one, words.sentence.many, fact.count) % parts
    return _(words.sentence) % parts


def colour_name(colour: str) -> str:
    """Return a side's colour in words, for any game."""
    for family in games.available():
        if colour in family.presentation.colours:
            return _(family.presentation.colours[colour])
    return colour
