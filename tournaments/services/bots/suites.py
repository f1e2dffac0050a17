"""Suites: where pairs of bots begin, and the suites that authors add and the house makes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet
from django.utils.translation import gettext_noop as _

import games
from engine import suites
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Suite, User
from tournaments.models.suites import MAX_TEXT, NAME_LENGTH
from tournaments.services.games import game_creation
from tournaments.text import house

MAX_AN_AUTHOR = 50
# Plies of the openings of the house: few enough to be made during a request, and so early that
# neither side has won.
HOUSE_PLIES = 4
HOUSE_COUNT = 200
HOUSE_NAME = house.OPENINGS
# Values of a choice instead of a suite's number.
DRAWN, OPENINGS = "", "openings"
_HOUSE_SEED = 20_261_123


@dataclass(frozen=True, slots=True)
class _Draws(Sequence[str]):
    """Set-ups that are drawn when they are asked for: the first one by `seed` + 1."""

    ruleset: str
    seed: int
    length: int

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        numbers = range(1, self.length + 1)[place]
        if isinstance(numbers, int):
            return game_creation.draw_setup(self.ruleset, self.seed + numbers)
        return [game_creation.draw_setup(self.ruleset, self.seed + number) for number in numbers]


def setups(suite: Suite | None, ruleset: str, seed: int, count: int) -> Sequence[str]:
    """Return the set-ups of `count` pairs, by `seed`: equal for equal arguments.

    The set-ups of the suite are in an order that the seed draws, and restart after the last one.
    Without a suite each is drawn.

    Raises RefusedError: `ruleset-bad`, or `suite-game` for a suite of another rule set.
    """
    if suite is None:
        return _Draws(ruleset, seed, count)
    if suite.ruleset != ruleset:
        raise RefusedError("suite-game", suite.ruleset)
    ordered = suites.in_order(suite.starts, seed)
    return [ordered[place % len(ordered)] for place in range(count)]


def add(*, owner: User, name: str, ruleset: str, text: str) -> Suite:
    """Return a new suite of the starts in `text`, as `engine.suites` reads them.

    Raises RefusedError: `ruleset-bad`, `suite-name`, `suite-name-taken` by another of the author's,
    `suites-many`, and the codes of `engine.suites.SuiteError`, with the line.
    """
    rules = _rules(ruleset)
    try:
        starts = suites.read(text, rules)
    except suites.SuiteError as error:
        raise _refusal(error) from error
    return _add(owner, name, rules.key, starts)


def add_openings(
    *, owner: User, name: str, ruleset: str, plies: int, count: int, seed: int
) -> Suite:
    """A new suite of different positions after random plies. Raises as `add`."""
    rules = _rules(ruleset)
    rng = random.Random(seed)
    try:
        starts = suites.openings(rules, plies=plies, count=count, rng=rng)
    except suites.SuiteError as error:
        raise _refusal(error) from error
    return _add(owner, name, rules.key, starts)


def of_house(ruleset: str) -> Suite:
    """The openings of the house for a rule set, made when they are first asked for.

    Different positions after random plies: varied, and not balanced. Raises RefusedError
    `ruleset-bad`, `suite-openings`.
    """
    rules = _rules(ruleset)
    suite = Suite.objects.filter(owner=None, ruleset=rules.key, name=HOUSE_NAME).first()
    if suite is not None:
        return suite
    rng = random.Random(_HOUSE_SEED)
    try:
        starts = suites.openings(rules, plies=HOUSE_PLIES, count=HOUSE_COUNT, rng=rng)
    except suites.SuiteError as error:
        raise _refusal(error) from error
    suite, _is_new = Suite.objects.get_or_create(
        owner=None, ruleset=rules.key, name=HOUSE_NAME, defaults=_columns(starts)
    )
    return suite


def listing() -> QuerySet[Suite]:
    """Return all suites with their authors, for all visitors, without the set-ups."""
    return Suite.objects.select_related("owner__player").defer("setups")


def chosen(owner: User, start: str, ruleset: str) -> Suite | None:
    """Return the suite of `start`: the number of a suite, `OPENINGS` of the house, or `DRAWN`, which is None.

    If the rules have one start, `DRAWN` is the openings of the house: all pairs would begin alike,
    and deterministic bots would repeat one game.

    Raises RefusedError: `suite-none` if the number is not of the author's or the house's,
    `ruleset-bad` and `suite-openings` as `of_house`.
    """
    if start == DRAWN:
        return of_house(ruleset) if suites.has_one_start(_rules(ruleset)) else None
    if start == OPENINGS:
        return of_house(ruleset)
    suite = Suite.objects.usable_by(owner).filter(pk=start).first() if start.isdecimal() else None
    if suite is None:
        raise RefusedError("suite-none", start[:NAME_LENGTH])
    return suite


def delete(*, suite_id: int, actor: User) -> None:
    """Delete a suite that was never used.

    Raises NotAllowedError `not-your-suite`, RefusedError `suite-used`.
    """
    with transaction.atomic():
        suite = Suite.objects.select_for_update(no_key=True).defer("setups").get(pk=suite_id)
        if suite.owner_id != actor.pk:
            raise NotAllowedError("not-your-suite", suite.name)
        try:
            suite.delete()
        except ProtectedError as error:
            raise RefusedError("suite-used", suite.name) from error


def _rules(key: str) -> games.Ruleset:
    try:
        return games.load(key)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error


def _add(owner: User, name: str, ruleset: str, starts: Sequence[str]) -> Suite:
    name = " ".join(name.split())
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise RefusedError("suite-name", name[:NAME_LENGTH])
    columns = _columns(starts)
    try:
        with transaction.atomic():
            # One row of the author's, so that two simultaneous requests do not both find room.
            User.objects.select_for_update(no_key=True).get(pk=owner.pk)
            if Suite.objects.filter(owner=owner).count() >= MAX_AN_AUTHOR:
                raise RefusedError("suites-many", str(MAX_AN_AUTHOR))
            return Suite.objects.create(owner=owner, name=name, ruleset=ruleset, **columns)
    except IntegrityError as error:
        raise RefusedError("suite-name-taken", name) from error


def _columns(starts: Sequence[str]) -> dict[str, object]:
    text = "\n".join(starts)
    # A stored spelling may be longer than the one that was sent.
    if len(text) > MAX_TEXT:
        raise RefusedError("suite-large", str(len(text)))
    return {"setups": text, "count": len(starts), "created_at": database_time.now()}


def _refusal(error: suites.SuiteError) -> RefusedError:
    if not error.line:
        return RefusedError(error.code, str(error))
    return RefusedError(error.code, _("Line %(line)s."), line=str(error.line))
