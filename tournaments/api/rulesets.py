"""The games of the site with their options."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel

import games
from games.registry import Family
from tournaments.api import paging, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.shapes import Shape
from tournaments.text import rulesets as words

operations = Operations("Rules")


class OptionShape(Shape):
    """An option of a family, and the values that pages offer of it."""

    name: str
    default: str
    menu: list[str]


class RulesetFamily(BaseModel):
    """A game: the possible parameters of its key, and the rule sets that are offered."""

    family: str
    name: str
    default: str
    options: list[OptionShape]
    rulesets: list[str]


@operations.get("/rulesets", "rulesets", routes.OPEN, answer=Page[RulesetFamily])
def rulesets(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the games with their options.

    A rule set is named by its key, such as `morelli(size=9)`: a family and any of its options. The
    answer to `POST /positions` describes a position of it.
    """
    return paging.answer_all(request, [_family(each) for each in games.available()], query)


def _family(family: Family) -> RulesetFamily:
    keys = dict(words.ruleset_choices())[str(words.family_name(family.name))]
    return RulesetFamily(
        family=family.name,
        name=str(words.family_name(family.name)),
        default=games.load(family.name).key,
        options=[OptionShape.of(option) for option in family.options],
        rulesets=[key for key, _name in keys],
    )
