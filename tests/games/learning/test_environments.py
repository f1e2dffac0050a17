"""The environments, checked by the tests of their libraries."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from pettingzoo.test import api_test, seed_test

import games
from engine import players
from engine.kernel.build import MODULE
from games.learning.aec import env
from games.learning.solo import RayuelaSolo, random_opponent

KEYS = (
    "morelli(size=5)",
    "morelli(edition=original,size=5)",
    "morelli(size=5,setup=placement)",
    "morlox(size=5)",
    "perfect(limit=20)",
)
every_key = pytest.mark.parametrize("key", KEYS)
# PettingZoo warns of every environment with a mask in its observation.
masked = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]
pytestmark = masked


def legal_action(observation: dict[str, Any], rng: random.Random) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


@every_key
def test_pettingzoo_accepts_the_environment(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(key), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@every_key
def test_equal_seeds_give_equal_games(key: str) -> None:
    seed_test(lambda: env(key), num_cycles=30)


@every_key
def test_gymnasium_accepts_the_environment(key: str) -> None:
    check_env(RayuelaSolo(key), skip_render_check=True)


def test_the_seed_draws_the_set_up() -> None:
    environment = env("morelli(size=7)")
    starts = []
    for seed in (1, 1, 2):
        environment.reset(seed=seed)
        starts.append(environment.render())
    environment.reset()
    assert starts[0] == starts[1] != starts[2] != environment.render()


def test_a_set_up_can_be_given() -> None:
    position = games.load("morlox(size=5)").initial().play("a1").play("swap")
    environment = env("morlox(size=5)", games.setup_of(position))
    environment.reset(seed=1)
    assert environment.render() == position.text()
    assert environment.agent_selection == "player_0"


@every_key
def test_the_winner_gets_what_the_loser_pays(key: str) -> None:
    environment, rng = env(key), random.Random(1)
    environment.reset(seed=1)
    total = dict.fromkeys(environment.agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, is_over, _, _ = environment.last()
        total[agent] += reward
        environment.step(None if is_over else legal_action(observation, rng))
    outcome = environment.unwrapped.stage.position.outcome()
    expected = {"first": (1, -1), "second": (-1, 1), "draw": (0, 0)}[outcome]
    assert (total["player_0"], total["player_1"]) == expected


def test_an_illegal_action_loses_the_game() -> None:
    environment = RayuelaSolo("morlox(size=5)", side=games.Side.FIRST)
    environment.reset(seed=1)
    swap = environment.stage.encoding.number_of["swap"]
    _, reward, is_over, _, info = environment.step(swap)
    assert (reward, is_over, info["is_illegal"]) == (-1.0, True, True)


@pytest.mark.parametrize(
    "opponent",
    [
        random_opponent,
        players.opponent("greedy"),
        pytest.param(
            players.opponent("level:2"),
            marks=pytest.mark.skipif(not MODULE.exists(), reason="no kernel"),
        ),
    ],
    ids=["random", "greedy", "kernel"],
)
@pytest.mark.parametrize("side", games.Side)
def test_a_game_against_an_opponent_is_one_record(opponent: Any, side: games.Side) -> None:
    environment, rng = RayuelaSolo("morlox(size=5)", opponent=opponent, side=side), random.Random(1)
    observation, info = environment.reset(seed=1)
    position, moves, is_over = games.load("morlox(size=5)").initial(), info["moves"], False
    while not is_over:
        observation, _, is_over, _, info = environment.step(legal_action(observation, rng))
        moves += info["moves"]
    for move in moves:
        position = position.play(move)
    assert position == environment.stage.position
    assert position.outcome() is not None


def test_several_games_run_as_one_vector() -> None:
    vector = SyncVectorEnv([lambda: RayuelaSolo("morlox(size=5)")] * 3)
    observation, _ = vector.reset(seed=1)
    assert observation["observation"].shape == (3, 4, 5, 5)
    assert observation["action_mask"].shape == (3, 52)
    vector.close()


_OPEN_SPIEL = """
import pyspiel
import games.learning.open_spiel
for name in (
    "rayuela_morelli(size=5)",
    "rayuela_morelli(edition=original,size=5,setup=facing,draw=3)",
    "rayuela_morlox(size=4)",
    "rayuela_perfect(limit=4)",
):
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    state = game.new_initial_state()
    assert len(state.observation_tensor()) == state.stage.planes().size
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="OpenSpiel has wheels for Linux only")
def test_open_spiel_plays_every_family() -> None:
    # In its own process, because OpenSpiel fails at the exit of a process if it is used badly.
    done = subprocess.run(
        [sys.executable, "-c", _OPEN_SPIEL], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
