"""Rounds at the desk: drafting, changing by hand, publishing, results, closing."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Status
from pydantic import AwareDatetime, BaseModel, Field

from tournaments.api import dry_runs, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import rounds as shapes
from tournaments.api.events import shared
from tournaments.api.events.rounds import RoundState
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.api.shapes import one_of
from tournaments.models import Round
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services.arbiter import board_evidence, exchanged_sides, results
from tournaments.services.rounds import deadlines, lifecycle, publication
from tournaments.services.rounds import rounds as services
from tournaments.services.rounds.edits import EDITS, EditArguments

operations = Operations("Rounds at the desk", shared.ROUTER)


class NextRound(Body):
    """The round to draft. If the next round has another number, the answer is 409."""

    number: shared.RoundNumber


class Drafted(BaseModel):
    """The draft. `round` is null while a worker makes the draft of a large field: look again."""

    number: int
    round: RoundState | None


class Edit(Body):
    """A change of a draft by hand.

    `swap` and `pair` take `tpn` and `other`. `flip` takes `board`. `unpair` takes `board` and
    `bye`.
    """

    kind: Annotated[str, one_of(EDITS.by_code), Field(description=EDITS.warnings())]
    tpn: shared.PairingNumber | None = None
    other: shared.PairingNumber | None = None
    board: shared.BoardNumber | None = None
    bye: Literal["half", "zero", "full"] = "half"

    def arguments(self, round_number: int) -> EditArguments:
        """Return them as the edits have them."""
        return EditArguments(
            round_number=round_number,
            tpn=self.tpn or 0,
            other=self.other or 0,
            board=self.board or 0,
            bye=self.bye,
        )


class Edited(BaseModel):
    """The draft after a change, and the objections of the pairing system to its new parts."""

    round: RoundState
    objections: list[dict[str, Any]]


class Publication(Body):
    """The start of the games. If it is left out, the event's setting applies."""

    starts_at: AwareDatetime | None = None


class Deadline(Body):
    """Another deadline of a round."""

    deadline_at: AwareDatetime
    reason: shared.Reason


class BoardResult(Body):
    """The result of a game over the board. Null removes it.

    With `before`, the result as you read it, only that result is overwritten, and otherwise the
    answer is 409. In a level tie of a knock-out `goes_through` is the pairing number of the player
    that you choose, with a reason, or 0 for neither if neither has played. `first` is the pairing number of the player who had the first
    side, if the sides were not as paired. The result is of the actual sides.
    """

    result: Annotated[str, one_of(each.value for each in results.ENTERED)] | None
    game: shared.GameNumber = 1
    before: Annotated[str | None, Field(max_length=14)] = None
    first: shared.PairingNumber | None = None
    goes_through: shared.PairingNumber | Literal[0] | None = None
    is_postponed: Annotated[
        bool | None,
        Field(
            description="True lets the game end after the round: it counts as a draw until then."
        ),
    ] = None
    reason: shared.Reason = ""


class EnteredResult(BaseModel):
    """The new and the previous result at the board, and the number of missing results."""

    board: int
    game: int
    before: str | None
    after: str | None
    missing: int


@operations.post(
    "/events/{slug:event}/rounds",
    "round-draft",
    routes.DEAR_AT_DESK,
    answer=Drafted,
    body='{"number": 2}',
    may_be_later=True,
    repeats=Repeats.APART,
)
def draft(
    request: ApiRequest,
    response: HttpResponse,
    event: str,
    query: Query[DryRunQuery],
    body: NextRound,
) -> Status[Drafted]:
    """Pair the next round, for the staff alone to see until it is published.

    The draft of a large field is made by a worker: 202, and it is at `Location` later.
    """
    row = shared.event_of(request, event)

    def act() -> Drafted:
        is_there = lifecycle.draft_next(
            event_id=row.pk, actor=request.caller.account, round_number=body.number
        )
        if not is_there:
            return Drafted(number=body.number, round=None)
        # A format without further games has ended instead.
        draft = row.rounds.filter(number=body.number).first()
        shape = None if draft is None else shapes.state_of(row, draft)
        return Drafted(number=body.number, round=shape)

    answer = dry_runs.run(act, is_dry=query.dry_run)
    if not query.dry_run:
        response["Location"] = f"/api/v1/events/{row.slug}/rounds/{body.number}"
    return Status(201 if answer.round else 202, answer)


@operations.delete("/events/{slug:event}/rounds/{int:number}", "round-discard", routes.DESK)
def discard(request: ApiRequest, event: str, number: int) -> None:
    """Throw a draft away."""
    row = shared.event_of(request, event)
    services.discard_draft(event_id=row.pk, actor=request.caller.account, round_number=number)


@operations.post(
    "/events/{slug:event}/rounds/{int:number}/edits",
    "round-edit",
    routes.DEAR_AT_DESK,
    example="/events/$EVENT/rounds/$NUMBER/edits?dry_run=true",
    body='{"kind": "flip", "board": 1}',
)
def edit(
    request: ApiRequest, event: str, number: int, query: Query[DryRunQuery], body: Edit
) -> Edited:
    """Change a draft by hand. The answer has the objections of the pairing system.

    A dry run shows both without changing the draft.
    """
    row, user = shared.event_of(request, event), request.caller.account
    staff.require(row, user, Task.PAIRINGS)

    def act() -> Edited:
        draft = services.only_round(row, Round.State.DRAFT, "no-draft", number)
        places = board_evidence.places(draft)
        EDITS.run(body.kind, row.pk, user, body.arguments(number))
        changed = [each for each in board_evidence.places(draft) if each not in places]
        draft = services.only_round(row, Round.State.DRAFT, "no-draft", number)
        objections = board_evidence.objections(draft, board_evidence.pairs_of(changed))
        return Edited(round=shapes.state_of(row, draft), objections=objections)

    return dry_runs.run(act, is_dry=query.dry_run)


@operations.post(
    "/events/{slug:event}/rounds/{int:number}/publish",
    "round-publish",
    routes.DESK,
    status=200,
    body="{}",
)
def publish(request: ApiRequest, event: str, number: int, body: Publication) -> RoundState:
    """Publish a draft. Its games begin by the event's setting, or at `starts_at`."""
    row = shared.event_of(request, event)
    round_ = publication.publish_round(
        event_id=row.pk,
        actor=request.caller.account,
        starts_at=body.starts_at,
        round_number=number,
    )
    return shapes.state_of(row, round_)


@operations.post(
    "/events/{slug:event}/rounds/{int:number}/take-back",
    "round-take-back",
    routes.DESK,
    status=200,
    body='{"reason": "A player was missing."}',
    act=publication.take_back,
)
def take_back(
    request: ApiRequest, event: str, number: int, query: Query[DryRunQuery], body: shared.Because
) -> RoundState:
    """Make a published round a draft again before its first ply.

    When the draft is published, `typed_results` of the answer return to the boards with unchanged
    players and sides. A dry run shows them without changing the round.
    """
    row, user = shared.event_of(request, event), request.caller.account

    def act() -> RoundState:
        round_ = publication.take_back(
            event_id=row.pk, actor=user, reason=body.reason, round_number=number
        )
        return shapes.state_of(row, round_)

    return dry_runs.run(act, is_dry=query.dry_run)


@operations.post(
    "/events/{slug:event}/rounds/{int:number}/start", "round-start", routes.DESK, status=200
)
def start(request: ApiRequest, event: str, number: int) -> RoundState:
    """Start the clocks of a published round now."""
    row = shared.event_of(request, event)
    round_ = publication.start_round(
        event_id=row.pk, actor=request.caller.account, round_number=number
    )
    return shapes.state_of(row, round_)


@operations.put(
    "/events/{slug:event}/rounds/{int:number}/deadline",
    "round-deadline",
    routes.DESK,
    body='{"deadline_at": "$DEADLINE", "reason": "Illness"}',
)
def move_deadline(request: ApiRequest, event: str, number: int, body: Deadline) -> RoundState:
    """Give a round with a clock of a day or more another deadline. Players of open games are notified."""
    row = shared.event_of(request, event)
    round_ = deadlines.move_deadline(
        event_id=row.pk,
        actor=request.caller.account,
        deadline_at=body.deadline_at,
        reason=body.reason,
        round_number=number,
    )
    return shapes.state_of(row, round_)


@operations.post(
    "/events/{slug:event}/rounds/{int:number}/close", "round-close", routes.DEAR_AT_DESK, status=200
)
def close(request: ApiRequest, event: str, number: int) -> RoundState:
    """Close a round over the board when all its results are entered."""
    row = shared.event_of(request, event)
    round_ = results.close_round(event_id=row.pk, actor=request.caller.account, round_number=number)
    return shapes.state_of(row, round_)


@operations.put(
    "/events/{slug:event}/rounds/{int:number}/boards/{int:board}/result",
    "board-result",
    routes.DESK,
    body='{"result": "draw"}',
)
def enter_result(
    request: ApiRequest, event: str, number: int, board: int, body: BoardResult
) -> EnteredResult:
    """Enter the result of a game over the board, until its round is closed.

    Afterwards, and for games played on this site, correct results with the game's `correction`.
    """
    row, user = shared.event_of(request, event), request.caller.account

    def act() -> results.EnteredResult:
        if body.first is not None:
            exchanged_sides.exchange_sides(
                event_id=row.pk, actor=user, round_number=number, board=board, first=body.first
            )
        if body.is_postponed is not None:
            results.postpone(
                event_id=row.pk,
                actor=user,
                round_number=number,
                board=board,
                is_postponed=body.is_postponed,
            )
        entered_result = results.enter_result(
            event_id=row.pk,
            actor=user,
            round_number=number,
            board=board,
            game=body.game,
            result=body.result or "",
            page_result=(body.before or "") if "before" in body.model_fields_set else None,
            must_match=True,
        )
        if body.goes_through is not None:
            results.let_through(
                event_id=row.pk,
                actor=user,
                round_number=number,
                board=board,
                tpn=body.goes_through,
                reason=body.reason,
            )
        return entered_result

    entered_result = dry_runs.run_whole(act, is_dry=False)
    return EnteredResult(
        board=board,
        game=body.game,
        before=entered_result.before or None,
        after=entered_result.after or None,
        missing=entered_result.missing,
    )
