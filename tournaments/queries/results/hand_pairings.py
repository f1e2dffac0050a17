"""Rounds with changes by hand, compared with the answer of the pairing system."""

from __future__ import annotations

from tournaments.models import Round, Seat


def exchanged_boards(round_: Round) -> set[int]:
    """Return the boards that were played with other sides than those published."""
    return {edit["board"] for edit in round_.edits if edit["kind"] == "exchange"}


def boards_by_hand(round_: Round) -> list[int]:
    """Return the boards, in order, that the pairing system did not give. An exchange of sides in play is none."""
    answer, exchanged = round_.evidence_by_pair, exchanged_boards(round_)
    rows = round_.pairings.order_by("board").values_list("board", "first__tpn", "second__tpn")
    return [
        board
        for board, first, second in rows
        if (first, second) not in answer and not (board in exchanged and (second, first) in answer)
    ]


def is_changed(round_: Round) -> bool:
    """Return whether the boards or the bye of the round differ from the answer of the pairing system."""
    if all(edit["kind"] == "exchange" for edit in round_.edits):
        return False
    if round_.pairings.count() != len(round_.evidence_by_pair) or boards_by_hand(round_):
        return True
    bye = round_.evidence.get("bye")
    byes = round_.seats.filter(kind=Seat.Kind.PAIRING_BYE).values_list("entry__tpn", flat=True)
    return list(byes) != ([round_.numbers.now(bye)] if bye is not None else [])
