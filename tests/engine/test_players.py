from __future__ import annotations

import io
import random
import subprocess

import pytest

import games
from engine import players, referee
from engine.clock import Fischer, GameClock, PerMove
from engine.errors import ProtocolError, UnknownPlayerError
from engine.match import Ending, MatchSpec
from engine.players.core import Budget
from engine.players.server import Server
from engine.protocol import Go
from games.core import Side
from tests.engine.nim import Heap

# A small rule set of every family there is.
_SMALL = {
    "morelli": ["morelli(size=5)", "morelli(size=5,edition=original,setup=free)"],
    "morlox": ["morlox(size=4)"],
    "perfect": ["perfect(limit=10)"],
}
FAMILIES = [family.name for family in games.available()]
SMALL = [key for family in FAMILIES for key in _SMALL.get(family, [f"{family}()"])]
NODES = Budget(deadline_ns=1 << 62, nodes=20)


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.parametrize("key", SMALL)
@pytest.mark.parametrize(
    "name", ["random", "careless", "greedy", "search:10", "level:2", "kernel:10"]
)
@pytest.mark.part(0.3)
def test_player_plays_whole_legal_games_in_its_process(name, key):
    ruleset = games.load(key)
    setup = ruleset.setup_text(ruleset.initial(seed=1))
    pair = (players.spec(name, seed=1), players.spec("random", seed=2))
    report = referee.play_match(MatchSpec(ruleset.key, setup, pair, Fischer(20_000, 100)))
    assert [game.ending for game in report.games] == [Ending.RULES] * 2, report
    assert all(not log.lines and not log.stderr for log in report.logs)


def points_of_search(opponent: str, key: str, *, count: int, nodes: int) -> int:
    """Half points of `search` against `opponent` in `count` pairs of games, in this process."""
    ruleset = games.load(key)
    searcher, other = (players.create(name).player for name in ("search", opponent))
    points = 0
    for pair in range(count):
        for search_side in Side:
            rng = random.Random(pair)
            position = ruleset.initial(seed=pair)
            while (outcome := position.outcome()) is None:
                player = searcher if position.side_to_move is search_side else other
                budget = Budget(deadline_ns=1 << 62, nodes=nodes)
                position = position.play(player.choose(position, budget=budget, rng=rng).move)
            points += 1 if outcome == "draw" else 2 * (outcome.value == search_side.value)
    return points


@pytest.mark.long
@pytest.mark.parametrize(
    ("opponent", "key", "count", "nodes", "least"),
    [
        ("random", "morelli(size=7)", 1, 40, 3),
        ("random", "morlox(size=7)", 1, 40, 3),
        ("random", "perfect(limit=20)", 1, 20, 3),
        ("greedy", "morelli(size=7)", 1, 60, 3),
        ("greedy", "morlox(size=7)", 1, 60, 3),
        pytest.param("random", "morelli(size=7)", 4, 60, 12, marks=pytest.mark.slow),
        pytest.param("random", "morlox(size=7)", 4, 60, 12, marks=pytest.mark.slow),
        pytest.param("greedy", "morelli(size=7)", 4, 100, 10, marks=pytest.mark.slow),
        pytest.param("greedy", "morlox(size=7)", 4, 100, 12, marks=pytest.mark.slow),
    ],
)
@pytest.mark.part(0.4)
def test_search_is_clearly_stronger(opponent, key, count, nodes, least):
    assert points_of_search(opponent, key, count=count, nodes=nodes) >= least


@pytest.mark.parametrize("name", ["random", "careless:30", "greedy", "search", "level:3", "kernel"])
@pytest.mark.parametrize("key", SMALL)
def test_same_seed_gives_the_same_choice(name, key):
    position = games.load(key).initial(seed=3)
    choices = {
        players.create(name).player.choose(position, budget=NODES, rng=random.Random(5))
        for _ in range(2)
    }
    assert len(choices) == 1


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_win_in_one_is_played(name):
    choice = players.create(name).player.choose(Heap(3), budget=NODES, rng=random.Random(1))
    assert choice.move == "take 3"
    assert choice.score == 1


@pytest.mark.parametrize("percent", [10, 60])
def test_a_careless_player_looks_ahead_as_often_as_its_level_leaves_it(percent):
    player = players.create(f"careless:{percent}").player
    rng = random.Random(7)
    choices = [player.choose(Heap(3), budget=NODES, rng=rng) for _ in range(1000)]
    careful = [choice for choice in choices if choice.score is not None]
    assert {choice.move for choice in careful} == {"take 3"}
    assert len({choice.move for choice in choices}) == 3
    # Four standard deviations of a binomial distribution.
    assert abs(len(careful) - 1000 + 10 * percent) < 4 * 16


@pytest.mark.parametrize("seed", range(5))
def test_search_sees_what_the_opponent_will_do(seed):
    # The player who leaves three stones to the other side loses them. After `take 3` the side moves
    # again.
    choice = players.create("search").player.choose(
        Heap(4), budget=Budget(1 << 62, nodes=100), rng=random.Random(seed)
    )
    assert choice.move == "take 3"


def test_a_spent_budget_still_gives_a_move():
    position = games.load("morelli(size=31)").initial(seed=1)
    for name in ("greedy", "search"):
        choice = players.create(name).player.choose(
            position, budget=Budget(deadline_ns=0, nodes=1), rng=random.Random(1)
        )
        assert position.play(choice.move).ply == 1


@pytest.mark.parametrize(
    ("go", "milliseconds"),
    [
        (Go(), 300),
        (Go(movetime_ms=100), 70),
        (Go(movetime_ms=5000), 300),
        (Go(movetime_ms=10), 1),
        (Go(p1time_ms=3000, p2time_ms=9), 70),
        (Go(p1time_ms=3000, p1inc_ms=80), 130),
        (Go(p1time_ms=40), 1),
        (Go(p1time_ms=10**7), 300),
    ],
)
def test_thinking_time_follows_the_clock(go, milliseconds):
    budget = Budget.of(go, side=Side.FIRST, cap_ms=300, clock=lambda: 0)
    assert budget.deadline_ns == milliseconds * 1_000_000


@pytest.mark.parametrize(
    ("go", "milliseconds"),
    [
        (Go(movetime_ms=100), 70),
        (Go(movetime_ms=5000), 4970),
        (Go(p1time_ms=3000, p2time_ms=9), 970),
        (Go(p1time_ms=40), 1),
    ],
)
def test_the_latest_time_of_a_move_leaves_the_game_its_clock(go, milliseconds):
    budget = Budget.of(go, side=Side.FIRST, cap_ms=300, clock=lambda: 0)
    assert budget.latest_ns == milliseconds * 1_000_000


@pytest.mark.parametrize("go", [Go(), Go(nodes=5)])
def test_without_a_clock_a_move_is_never_late(go):
    assert Budget.of(go, side=Side.FIRST, cap_ms=300, clock=lambda: 0).latest_ns == 1 << 62


def test_nodes_alone_make_time_irrelevant():
    assert not Budget.of(Go(nodes=5), side=Side.SECOND, cap_ms=1, clock=lambda: 0).is_spent(4)
    assert Budget.of(Go(nodes=5), side=Side.SECOND, cap_ms=1, clock=lambda: 0).is_spent(5)


@pytest.mark.parametrize(
    "name",
    [
        "deep blue",
        "",
        "search:",
        "search:5",
        "search:x",
        "search:9999999999",
        "greedy:9",
        "careless:0",
        "careless:100",
        "careless:-5",
        "level",
        "level:0",
        "level:9",
        "kernel:5",
    ],
)
def test_unknown_player_is_refused(name):
    assert not players.is_player(name)
    with pytest.raises(UnknownPlayerError):
        players.command(name)


def test_every_card_names_a_player_and_the_weakest_comes_first():
    cards = players.available()
    assert all(players.is_player(card.name) for card in cards)
    strengths = [players.create(card.name).strength for card in cards]
    assert strengths == sorted(set(strengths))


@pytest.mark.engine
def test_command_works_from_anywhere_without_environment(tmp_path):
    process = subprocess.run(
        players.command("search:10"), input="ugi\nquit\n", cwd=tmp_path, env={}, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    assert process.stdout.endswith("ugiok\n")


def replies_to(*lines: str) -> list[str]:
    output = io.StringIO()
    server = Server(players.create("random"), random.Random(1), output)
    server.run(io.StringIO("".join(f"{line}\n" for line in lines)))
    return output.getvalue().splitlines()


def test_server_answers_in_the_dialect_of_the_greeting():
    assert replies_to("uci")[-1] == "uciok"


def test_server_follows_a_game_and_a_new_one():
    key = games.load("morlox(size=3)").key
    replies = replies_to(
        f"setoption name Game value {key}",
        "position startpos moves a1",
        "go",
        "position startpos moves a1 swap b2",
        "go",
        "position startpos",
        "go",
        "gameover 1-0 reason rules",
        "setoption name Skill value 3",
        "stop",
        "xyzzy",
    )
    assert [line.split()[0] for line in replies] == ["bestmove"] * 3


@pytest.mark.parametrize(
    ("error", "lines"),
    [
        (ProtocolError, ["position startpos"]),
        (ProtocolError, ["go"]),
        (games.RulesError, ["setoption name Game value chess()"]),
        (games.IllegalMoveError, ["setoption name Game value morlox(size=3)", "position startpos moves z9"]),
        (games.BadPositionError, ["setoption name Game value morlox(size=3)", "position fen z9"]),
    ],
)  # fmt: skip
def test_server_refuses_nonsense(error, lines):
    with pytest.raises(error):
        replies_to(*lines)


@pytest.mark.engine
def test_built_in_player_that_is_told_nonsense_says_so_and_leaves():
    process = subprocess.run(
        players.command("random"), input="go\n", text=True, capture_output=True, check=False
    )
    assert process.returncode == 2
    assert process.stderr == "`go` before a position\n"


@pytest.mark.engine
def test_built_in_player_answers_for_a_game_against_a_person():
    ruleset = games.load("morlox(size=5)")
    reply = referee.choose_move(
        ruleset,
        setup="",
        moves=["c3", "swap"],
        bot=players.spec("search:50", seed=1),
        clock=GameClock.start(PerMove(5000)),
    )
    assert reply.ply is not None
    assert reply.ply.side is Side.FIRST
    assert reply.ply.info is not None
