"""Any position of any game: its legal moves, or the reason against a move."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.queries.records import positions as services

operations = Operations("Rules")

Text = Annotated[str, Field(max_length=8_192)]


class Line(Body):
    """A position, and moves from there.

    It begins with `position` if that is given, else with the start that `setup` describes, else
    with the usual start of the rules.
    """

    ruleset: Annotated[str, Field(max_length=400)]
    setup: Text | None = None
    position: Text | None = None
    moves: Annotated[
        list[Annotated[str, Field(max_length=200)]], Field(max_length=services.MAX_MOVES)
    ] = []


class PositionShape(BaseModel):
    """A position.

    `legal_moves` are all legal moves, sorted, in their stored spelling. The list is empty when the
    game is over.
    """

    ruleset: Annotated[str, Field(description="In its canonical spelling.")]
    position: str
    ply: int
    side_to_move: str
    phase: str
    legal_moves: list[str]
    outcome: Annotated[
        str | None, Field(description="first, second or draw; null while it is in progress")
    ]


@operations.post(
    "/positions",
    "position",
    routes.OPEN,
    status=200,
    body='{"ruleset": "morlox", "moves": []}',
    repeats=Repeats.BY_SERVICE,
)
def position(request: ApiRequest, body: Line) -> PositionShape:
    """The position after some moves, with every legal move.

    Nothing is stored. An illegal move is a problem that cites the paragraph, in `rule`.
    """
    position = services.position_after(**body.model_dump())
    outcome = position.outcome()
    return PositionShape(
        ruleset=position.ruleset.key,
        position=position.text(),
        ply=position.ply,
        side_to_move=position.side_to_move.value,
        phase=position.phase,
        legal_moves=[] if outcome else sorted(position.legal_moves()),
        outcome=outcome.value if outcome else None,
    )
