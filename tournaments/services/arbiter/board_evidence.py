"""The reasons for a board of a round, as data: the board's page shows them in sentences.

Pairing numbers of reasons are those with which the round was paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tournaments.models import Event, Pairing, Round, Seat
from tournaments.services.arbiter.explanations import (
    PlainReasons,
    Refusal,
    RoundReasons,
    TooManyEdgesError,
    plain_reasons,
    round_reasons,
)
from tournaments.services.results import computations
from tournaments.services.results.computations import computable


def _mark(event: Event, number: int, *_arguments: int | None) -> str:
    """Return a mark that changes when the round is paired again."""
    columns = ("pk", "drafted_at", "edits", "state", "renumbered")
    return computations.hash_of(event.rounds.values_list(*columns).get(number=number))


@computable(_mark, is_one_of_many=True)
def of_board(event: Event, number: int, board: int) -> dict[str, Any]:
    """Return the evidence of a board of a round.

    `board` is None if the organiser has paired the two by hand. `players` and `bracket` exist if
    the pairing system gives such reasons.
    """
    round_ = event.rounds.get(number=number)
    pairings = round_.pairings.select_related("first", "second")
    return _of_board(round_, pairings.get(board=board))


@computable(_mark, is_one_of_many=True)
def of_question(event: Event, number: int, tpn: int, other: int | None) -> dict[str, Any] | None:
    """Return the reason why `tpn` did not meet `other`, or did not have the bye if `other` is None.

    Both are present numbers. Return None if the question makes no sense, would take minutes, or the
    system gives no reasons.
    """
    round_ = event.rounds.get(number=number)
    reasons, then = round_reasons(round_) or plain_reasons(round_), round_.numbers.then
    if reasons is None:
        return None
    return _refusal(reasons, then(tpn), None if other is None else then(other))


def objections(round_: Round, pairs: Sequence[tuple[int, int | None]]) -> list[dict[str, Any]]:
    """The objections of the pairing system to these pairs, of two or of one and the bye, that it did not make.

    A pair that it made with the sides exchanged has the reason `colours`, and so has any pair whose
    sides it would have exchanged.
    """
    reasons = round_reasons(round_) or plain_reasons(round_)
    if reasons is None:
        return []
    answers = [_answer(reasons, tpn, other) for tpn, other in pairs]
    return [
        *(asdict(each) for each in answers if each is not None and each.is_objection),
        *(
            {"tpn": first, "opponent": second, "reason": "colours", "article": article}
            for first, second in pairs
            if second is not None
            and isinstance(reasons, RoundReasons)
            and (article := reasons.side_objection(first, second))
        ),
    ]


def places(round_: Round) -> list[tuple[int, int | None, str]]:
    """Return the seats of a round: two pairing numbers, or one with the kind of its bye."""
    then = round_.numbers.then
    boards = round_.pairings.order_by("board").values_list("first__tpn", "second__tpn")
    alone = round_.seats.filter(pairing=None).select_related("entry")
    return [
        *((then(first or 0), then(second or 0), "") for first, second in boards),
        *((then(seat.entry.tpn or 0), None, str(seat.kind)) for seat in alone),
    ]


def pairs_of(
    places: Sequence[tuple[int, int | None, str]],
) -> list[tuple[int, int | None]]:
    """Return the places that the pairing system can object to: boards, and its own bye."""
    return [
        (first, second)
        for first, second, bye in places
        if second or bye == Seat.Kind.PAIRING_BYE.value
    ]


def _of_board(round_: Round, pairing: Pairing) -> dict[str, Any]:
    present = (pairing.first.tpn or 0, pairing.second.tpn or 0)
    tpns = (round_.numbers.then(present[0]), round_.numbers.then(present[1]))
    board = round_.evidence_by_pair.get(present)
    document: dict[str, Any] = {"board": board, "players": [], "bracket": None, "objections": []}
    if board is None:
        document["objections"] = objections(round_, [tpns])
        return document
    reasons = round_reasons(round_)
    if reasons is not None:
        document["players"] = [_player(reasons, tpn) for tpn in tpns]
        document["bracket"] = reasons.bracket(reasons.way(tpns[0])[-1]).to_json()
    return document


def _player(reasons: RoundReasons, tpn: int) -> dict[str, Any]:
    answers = [_refusal(reasons, tpn, other) for other in reasons.usual_opponents(tpn)]
    return {
        **asdict(reasons.facts(tpn)),
        "brackets": reasons.way(tpn),
        "why_not": [each for each in answers if each is not None],
    }


def _refusal(
    reasons: RoundReasons | PlainReasons, tpn: int, other: int | None
) -> dict[str, Any] | None:
    refusal = _answer(reasons, tpn, other)
    return None if refusal is None else asdict(refusal)


def _answer(reasons: RoundReasons | PlainReasons, tpn: int, other: int | None) -> Refusal | None:
    try:
        return reasons.why_not(tpn, other)
    except TooManyEdgesError:
        return None
