"""The games on offer, and their names."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from django.utils.translation import get_language
from django.utils.translation import gettext as _

import games
from games.presentation import Ballot
from games.registry import Family
from tournaments.text import descriptions


def ruleset_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every rule set of the menus, grouped by game: (game, [(key, name), ...])."""
    language = get_language()
    return [
        (str(family_name(family.name)), [*_choices_of(family, language)])
        for family in games.available()
    ]


@cache
def _choices_of(family: Family, _language: str | None) -> Sequence[tuple[str, str]]:
    """Return the rule sets of one family with their names in the language, which is the thread's."""
    return [(key, ruleset_name(key)) for key in _keys(family)]


def _keys(family: Family) -> list[str]:
    """The rule sets offered of one family: board sizes and editions, other options at their default."""
    by_name = {option.name: option for option in family.options}
    sizes = by_name["size"].menu if "size" in by_name else ("",)
    editions = by_name["edition"].menu if "edition" in by_name else ("",)
    keys = []
    for edition in editions:
        for size in sizes:
            given = {"edition": edition, "size": size}
            options = ",".join(f"{name}={value}" for name, value in given.items() if value)
            keys.append(games.load(f"{family.name}({options})").key)
    return keys


def setup_choices() -> list[tuple[str, str]]:
    """The set-ups beside the usual one that games leave a choice of: (name, words)."""
    choices: dict[str, str] = {}
    for family in games.available():
        words = family.presentation.options
        choices |= {value: _(text) for (option, value), text in words.items() if option == "setup"}
    return list(choices.items())


def with_setup(key: str, setup: str) -> str | None:
    """Return the rule set with another set-up, or None without such a rule set."""
    family, options = games.load(key).family, dict(games.load(key).options)
    if "setup" not in options:
        return None
    text = ",".join(f"{name}={value}" for name, value in {**options, "setup": setup}.items())
    return canonical_key(f"{family}({text})")


def family_name(family: str) -> str:
    """The game's name as people know it."""
    return games.family_of(family).presentation.name


def family_names() -> str:
    """All games in a list: `Morelli, Morlox and The Perfect Game?`."""
    return descriptions.listed([family.presentation.name for family in games.available()])


def ruleset_name(key: str) -> str:
    """A rule set in words: `Morelli 9x9`, `Morelli 13x13, original edition`."""
    ruleset = games.load(key)
    presentation = games.family_of(ruleset.family).presentation
    name = presentation.name
    if "size" in ruleset.options:
        name = f"{name} {ruleset.size}×{ruleset.size}"
    words = presentation.options
    unusual = [_(words[option]) for option in ruleset.options.items() if option in words]
    return ", ".join([name, *unusual])


def votes_of(key: str) -> list[tuple[str, str]]:
    """Return the votes on the set-up of a rule set with their words, or an empty list without a ballot."""
    ruleset = games.load(key)
    ballot = games.family_of(ruleset.family).presentation.ballot_of(ruleset.options)
    return _words_of_votes(ballot) if ballot else []


def all_votes() -> list[tuple[str, list[tuple[str, str]]]]:
    """The votes of all games by their holders: (`Morelli, original edition`, [(vote, words), ...])."""
    groups = []
    for family in games.available():
        presentation = family.presentation
        if presentation.ballot is None:
            continue
        words = presentation.options
        unusual = [_(words[each]) for each in presentation.ballot.required.items() if each in words]
        name = ", ".join([presentation.name, *unusual])
        groups.append((name, _words_of_votes(presentation.ballot)))
    return groups


def vote_explanations() -> str:
    """Return the games with a vote on the set-up, with its effect, in words."""
    ballots = [family.presentation.ballot for family in games.available()]
    return " ".join(_(ballot.explanation) for ballot in ballots if ballot)


def _words_of_votes(ballot: Ballot) -> list[tuple[str, str]]:
    return [(vote, _(words)) for vote, words in ballot.votes.items()]


def canonical_key(key: str) -> str | None:
    """The rule set's key with every option, or None when there is no such rule set."""
    try:
        return games.load(key).key
    except games.RulesError:
        return None


@cache
def poster(family: str) -> games.Position:
    """Return a constant position in the middle of a game that shows the look of the game."""
    chosen = games.family_of(family).presentation.poster
    rng = random.Random(7)
    position = games.load(chosen.ruleset).initial(seed=7)
    while position.ply < chosen.plies and position.outcome() is None:
        position = position.play(position.random_move(rng))
    return position
