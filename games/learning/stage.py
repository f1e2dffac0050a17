"""A position and the actions of the current ply, which together are the state of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from games.core import Outcome, RulesError, Side
from games.learning.encoding import STOP, Encoding
from games.learning.encodings import encoding_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.core import Position

_Word = tuple[int, ...]


class IllegalActionError(RulesError):
    """A number that is no action here."""

    code = "illegal-action"


class Stage:
    """A position and the actions of the current ply up to now. A stage does not change.

    Attributes:
        position: the position at the beginning of the ply.
        chosen: the actions of the ply up to now. Empty in most games.
        last_move: the move that led to `position`, in canonical form. None at the start.
        encoding: the names of actions and planes.
    """

    def __init__(
        self, position: Position, *, last_move: str | None = None, encoding: Encoding | None = None
    ) -> None:
        self.position = position
        self.chosen: _Word = ()
        self.last_move = last_move
        self.encoding = encoding or encoding_of(position.ruleset.key)
        self._moves = {self.encoding.word(move): move for move in position.legal_moves()}

    @property
    def legal_actions(self) -> Sequence[int]:
        """Return the numbers of the legal actions, rising. Empty exactly when the game is over."""
        length = len(self.chosen)
        actions = {word[length] for word in self._moves if len(word) > length}
        if self.chosen in self._moves:
            actions.add(self.encoding.number_of[STOP])
        return sorted(actions)

    def mask(self) -> NDArray[np.int8]:
        """Return 1 for each legal action, 0 for the others."""
        mask = np.zeros(len(self.encoding.actions), np.int8)
        mask[list(self.legal_actions)] = 1
        return mask

    def planes(self) -> NDArray[np.float32]:
        """Return the observation of the side to move."""
        return self.encoding.planes(self.position, self.chosen)

    def play(self, action: int) -> Self:
        """Return the stage after an action, which is in the next ply if the move is complete.

        A move is complete if no legal move continues it, or by `STOP`.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        if self.chosen in self._moves and action == self.encoding.number_of[STOP]:
            return self.play_move(self._moves[self.chosen])
        word = (*self.chosen, int(action))
        moves = {key: move for key, move in self._moves.items() if key[: len(word)] == word}
        if not moves:
            raise IllegalActionError(f"{action} is no legal action in {self.position.text()}")
        if moves.keys() == {word}:
            return self.play_move(moves[word])
        stage = type(self).__new__(type(self))
        stage.position, stage.last_move = self.position, self.last_move
        stage.chosen, stage.encoding, stage._moves = word, self.encoding, moves
        return stage

    def play_move(self, move: str) -> Self:
        """Return the stage after a whole move. Raises IllegalMoveError."""
        position = self.position
        return type(self)(position.play(move), last_move=move, encoding=self.encoding)

    def actions_of(self, move: str) -> Sequence[int]:
        """Return the actions that play a legal move from the beginning of the ply, with `STOP` if needed."""
        word = self.encoding.word(move)
        has_longer = any(len(key) > len(word) and key[: len(word)] == word for key in self._moves)
        return (*word, self.encoding.number_of[STOP]) if has_longer else word


def reward(outcome: Outcome | None, side: Side) -> float:
    """Return 1 if `side` won, -1 if it lost, 0 for a draw or a game that is not over."""
    if outcome is None or outcome is Outcome.DRAW:
        return 0.0
    return 1.0 if outcome == Outcome.won_by(side) else -1.0
