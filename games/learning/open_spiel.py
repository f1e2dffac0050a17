"""The games in OpenSpiel: `pyspiel.load_game("rayuela_morlox(size=5)")`.

Importing this module registers `rayuela_` with each family, whose parameters are the family's
options. `draw` is the seed of a random set-up. Needs `rayuela-games[openspiel]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from games.core import Option, Side
from games.learning.encodings import ENCODINGS, encoding_of
from games.learning.stage import Stage, reward
from games.registry import available, family_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.registry import Family

_PREFIX = "rayuela_"


def _typed(text: str) -> int | str:
    """Return the value of an option as OpenSpiel reads it in the name of a game."""
    return int(text) if text.isdecimal() else text


def _defaults(options: tuple[Option, ...]) -> dict[str, int | str]:
    return {option.name: _typed(option.default) for option in options} | {"draw": 0}


def _game_type(family: Family) -> Any:  # noqa: ANN401 # pyspiel has no types
    return pyspiel.GameType(
        short_name=f"{_PREFIX}{family.name}",
        long_name=f"Rayuela: {family.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(family.options),
    )


class RayuelaGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """A rule set as a game of OpenSpiel."""

    def __init__(self, game_type: Any, parameters: Mapping[str, Any]) -> None:  # noqa: ANN401
        family = family_of(game_type.short_name.removeprefix(_PREFIX))
        values = dict(parameters)  # with the defaults
        self.draw = values.pop("draw")
        options = {name: str(value) for name, value in values.items()}
        self.ruleset = family.from_options(options)
        self.encoding = encoding_of(self.ruleset.key)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.ruleset.max_plies * self.encoding.longest_word,
        )
        super().__init__(game_type, info, dict(parameters))

    def new_initial_state(self) -> RayuelaState:
        """Return the start. A random set-up is drawn by `draw`."""
        return RayuelaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:  # noqa: ANN401
        """Return the source of planes."""
        return _Observer(self.encoding.shape)


class RayuelaState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A stage as a state of OpenSpiel."""

    def __init__(self, game: RayuelaGame) -> None:
        super().__init__(game)
        self.stage = Stage(game.ruleset.initial(seed=game.draw))

    def current_player(self) -> int:
        """Return 0 for the side of the first ply, 1 for the other."""
        position = self.stage.position
        if position.outcome() is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return list(Side).index(position.side_to_move)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.stage.legal_actions)

    def _apply_action(self, action: int) -> None:
        self.stage = self.stage.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.stage.encoding.actions[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.stage.position.outcome() is not None

    def returns(self) -> list[float]:
        """Return the rewards of both sides."""
        outcome = self.stage.position.outcome()
        return [reward(outcome, side) for side in Side]

    def __str__(self) -> str:
        actions = (self.stage.encoding.actions[number] for number in self.stage.chosen)
        return " ".join((self.stage.position.text(), *actions))


class _Observer:
    """The planes of a state as OpenSpiel asks for them."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.tensor = np.zeros(np.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: RayuelaState, player: int) -> None:
        """Fill the tensor with the observation of the side to move."""
        self.dict["observation"][:] = state.stage.planes()

    def string_from(self, state: RayuelaState, player: int) -> str:
        """Return the state as text."""
        return str(state)


def _game_class(family: Family) -> type[RayuelaGame]:
    """Return the class of a family: OpenSpiel aborts at its exit if a function is registered."""
    game_type = _game_type(family)

    class FamilyGame(RayuelaGame):
        def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
            super().__init__(game_type, parameters or {})

    return FamilyGame


for _family in available():
    if _family.name in ENCODINGS:
        pyspiel.register_game(_game_type(_family), _game_class(_family))
