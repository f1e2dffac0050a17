"""The games of a tie of a knock-out that count, and the game that decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.models import Event, Game, Pairing
from tournaments.models.games import Side
from tournaments.pairing.tie_games import deciding_game


def counting(games: Iterable[Game]) -> list[Game]:
    """Return the games that count, from all games of a tie in their order: the others are void.

    If all are void, return the last one.
    """
    rows = list(games)
    return [game for game in rows if game.result != Game.Result.VOID] or rows[-1:]


def margins(tie: Pairing, games: Iterable[Game]) -> list[int]:
    """Return 1 for each game that the first player of the tie has won, -1 for a lost one, else 0.

    A drawn armageddon game is won by its second side.
    """

    def margin(game: Game) -> int:
        winner_side = game.winner_side
        if game.armageddon_percent is not None and game.result == Game.Result.DRAW:
            winner_side = Side.SECOND
        if winner_side is None:
            return 0
        winner = game.first_id if winner_side == Side.FIRST else game.second_id
        return 1 if winner == tie.first.player_id else -1

    return [margin(game) for game in games]


def deciding(tie: Pairing, games: Sequence[Game]) -> int | None:
    """Return the place among the games that count of the game that decides the tie, from 1, or None."""
    assert tie.tie_games is not None, "only ties are decided"
    numbers = (n for n, game in enumerate(games, start=1) if game.armageddon_percent is not None)
    return deciding_game(
        margins(tie, games),
        tie.tie_games,
        in_pairs=tie.has_extra_pairs,
        armageddon=next(numbers, None),
    )


def of_seat(tie: Pairing, games: Iterable[Game], *, is_open: bool) -> tuple[Game | None, ...]:
    """Return the games up to the one that decides the tie, from all its games in their order.

    A tie of a round that `is_open` has None at the end, for a game that has not begun, unless it is
    decided or the arbiter has decided it.
    """
    rows = counting(games)
    number = deciding(tie, rows)
    is_decided = number is not None or tie.goes_through_id is not None or tie.is_lost_by_both
    return (*rows[:number], *((None,) * (is_open and not is_decided)))


def typed(event: Event, tie: Pairing) -> list[Game]:
    """Return unsaved games of a tie over the board, with the entered results. Its lines are at hand."""
    return [
        Game(
            pairing=tie,
            first=line.first.player,
            second=line.second.player,
            result=line.entered_result or None,
            number=line.number,
            armageddon_percent=line.armageddon_percent,
        )
        for line in tie.lines(event)
        if line.first is not None and line.second is not None
    ]
