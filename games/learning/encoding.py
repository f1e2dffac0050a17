"""The numbers of actions and the planes of observations, for one rule set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from games.core import Position, Ruleset

# Ends a ply that could continue with further actions.
STOP = "stop"


class Encoding(ABC):
    """The actions and the observation of a rule set, derived from its board.

    A move is spelled by its *word*: one action in most games, several if the number of moves on a
    board has no small bound. Actions are named by parts of the notation.

    Attributes:
        sets: the planes of squares, as name and meaning. A plane is 1 on its squares.
        numbers: the planes of one number each, as name and meaning. A number is from 0 to 1.
        longest_word: the largest number of actions in a ply, with `STOP`.
    """

    sets: Mapping[str, str]
    numbers: Mapping[str, str]
    longest_word = 1
    # Squares in a row of the game's sets, unused ones included.
    _stride: int
    # True if the sets of the game are file by file.
    _is_by_file = False

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._stride = ruleset.size
        self._words: dict[str, tuple[int, ...]] = {}

    @cached_property
    def actions(self) -> Sequence[str]:
        """Return the names of all actions. The place of a name is its number."""
        return tuple(self._actions())

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """Return the number of each action by its name."""
        return {name: number for number, name in enumerate(self.actions)}

    @cached_property
    def channels(self) -> Sequence[str]:
        """Return the names of the planes of an observation, in order."""
        return (*self.sets, *self.numbers)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return channels, rows and columns of an observation."""
        return len(self.channels), self.ruleset.size, self.ruleset.size

    def word(self, move: str) -> tuple[int, ...]:
        """Return the actions that spell a move in canonical form, without `STOP`."""
        word = self._words.get(move)
        if word is None:
            word = tuple(self.number_of[name] for name in self._spelling(move))
            # Moves with chosen captures are too many to store.
            if len(word) == 1:
                self._words[move] = word
        return word

    def planes(self, position: Position, chosen: Sequence[int] = ()) -> NDArray[np.float32]:
        """Return the observation of the side to move: channels, rows from rank 1, columns from file a.

        Args:
            position: the position at the beginning of the ply.
            chosen: the actions of the ply up to now.
        """
        size, stride = self.ruleset.size, self._stride
        squares = self._squares(position, [self.actions[number] for number in chosen])
        length = -(-size * stride // 8)
        data = b"".join(set_.to_bytes(length, "little") for set_ in squares)
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        boards = bits.reshape(-1, length * 8)[:, : size * stride].reshape(-1, size, stride)
        planes = np.empty(self.shape, np.float32)
        boards = boards[:, :, :size]
        planes[: len(squares)] = boards.transpose(0, 2, 1) if self._is_by_file else boards
        planes[len(squares) :] = np.array(self._values(position), np.float32)[:, None, None]
        return planes

    @abstractmethod
    def _actions(self) -> Iterable[str]:
        """Return the names of all actions, each once."""

    @abstractmethod
    def _spelling(self, move: str) -> Sequence[str]:
        """Return the names of the actions that spell a move."""

    @abstractmethod
    def _squares(self, position: Position, chosen: Sequence[str]) -> Sequence[int]:
        """Return the sets of squares in the order of `sets`."""

    @abstractmethod
    def _values(self, position: Position) -> Sequence[float]:
        """Return the values in the order of `numbers`."""
