"""Studies: trees of moves under a short link."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404, HttpResponse
from pydantic import Field

from games.variations import MAX_TREE
from tournaments.api import callers, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.errors import RefusedError
from tournaments.models import Study
from tournaments.queries.records import analyses
from tournaments.services.records import studies

operations = Operations("Studies")

_TREE = (
    "Moves with `;` between them, and `_` for a blank in a move. Parentheses contain another line"
    " instead of the move before them. Braces after a move contain the name of the line that begins"
    " with it. In a request `=12` is the first 12 moves of the source."
)


class StudyShape(shapes.Shape):
    """A study. It never changes: another tree has another key."""

    key: str
    ruleset: str
    start: Annotated[str, Field(description="The position before the first move.")]
    tree: Annotated[str, Field(description=_TREE)]
    at: Annotated[int, Field(description="The node on the board. 0 is the start.")]
    game: Annotated[int | None, Field(description="The game from which the study began.")]
    url: str
    created_at: datetime


class NewStudy(Body):
    """A tree over one source: a game, a study, a pasted text, or a rule set with a position.

    Without a tree the study has that of the source.
    """

    game: shapes.Id | None = None
    study: Annotated[str | None, Field(max_length=40)] = None
    text: Annotated[
        str | None, Field(max_length=200_000, description="A record, or a position of `ruleset`.")
    ] = None
    ruleset: Annotated[str, Field(max_length=120)] = ""
    start: Annotated[str, Field(max_length=4096, description="Empty for the usual start.")] = ""
    tree: Annotated[str | None, Field(max_length=MAX_TREE, description=_TREE)] = None
    at: Annotated[int | None, Field(ge=0, le=10_000)] = None


@operations.get("/studies/{slug:study}", "study", routes.OPEN)
def study(request: ApiRequest, study: str) -> StudyShape:
    """Return a study."""
    return _shape(_study(study))


@operations.post(
    "/studies", "study-create", routes.STUDY, body='{"ruleset": "morlox(size=5)", "tree": "a1;b2"}'
)
def create(request: ApiRequest, response: HttpResponse, body: NewStudy) -> StudyShape:
    """Store a study.

    To add, name or remove moves, send the whole tree with the study as its source. Equal studies
    have one key.
    """
    row = studies.keep(_analysis(request, body), visitor=request.caller.visitor)
    response["Location"] = f"/api/v1/studies/{row.key}"
    return _shape(row)


def _analysis(request: ApiRequest, body: NewStudy) -> analyses.Analysis:
    sources = [each for each in (body.game, body.study, body.text) if each is not None]
    if len(sources) > 1:
        raise RefusedError("form-bad", "one of game, study and text")
    if body.text is not None:
        analysis = analyses.analyse_text(body.text, body.ruleset)
        if body.tree is None and body.at is None:
            return analysis
        tree = analysis.tree_text if body.tree is None else body.tree
        return analyses.analyse(analysis.source, tree=tree, at=body.at)
    if body.game is not None:
        game = callers.game_of(request, body.game)
        source = analyses.of_game(game, request.caller.player)
    elif body.study is not None:
        source = analyses.of_study(_study(body.study))
    else:
        source = analyses.new(body.ruleset, body.start)
    return analyses.analyse(source, tree=body.tree, at=body.at)


def _study(key: str) -> Study:
    row = None if "\x00" in key else Study.objects.filter(key=key).select_related("game").first()
    if row is None:
        raise Http404
    return row


def _shape(row: Study) -> StudyShape:
    return StudyShape.of(row, game=row.game_id, url=row.get_absolute_url())
