"""The kernel as a separate bot: the line protocol by WASI, under fuel and under clocks."""

from __future__ import annotations

import io

import pytest

import games
from engine import protocol, referee
from engine.__main__ import main as engine_command
from engine.kernel.build import BOT
from engine.programs import unpack
from engine.programs.fuel_game import play
from engine.wasm.conversation import Conversation
from engine.wasm.host import Host, compiled, translation
from tests.engine.kernel.rulesets import KEYS

BIG = "morelli(size=31)"


@pytest.fixture(scope="module")
def module():
    return BOT.read_bytes()


@pytest.fixture(scope="module")
def machine_code(module):
    return compiled(module)


@pytest.fixture(scope="module")
def bot(module, tmp_path_factory):
    return unpack(module, "bot.wasm", tmp_path_factory.mktemp("store"))


def answers(machine_code, *lines, seed="1"):
    """Return the answers of the bot to these lines, in one process of the host."""
    output, errors = io.BytesIO(), io.BytesIO()
    conversation = Conversation(
        lines=io.BytesIO("".join(f"{line}\n" for line in lines).encode()),
        output=output,
        errors=errors,
    )
    code = Host(machine_code, conversation=conversation, seed=seed).serve()
    assert (code, errors.getvalue()) == (0, b"")
    return output.getvalue().decode().splitlines()


def game_of(key):
    return ["uginewgame", f"setoption name Game value {games.load(key).key}"]


def best_moves(lines):
    replies = [protocol.parse_reply(line) for line in lines]
    return [reply.move for reply in replies if isinstance(reply, protocol.BestMove)]


def questions(key, go, *, plies=0, seed=3):
    """Return a game of this key after a number of random plies, and the question for a move."""
    ruleset = games.load(key)
    start = position = ruleset.initial(seed=seed)
    moves = []
    for _ in range(plies):
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    return [*game_of(key), referee.position_line(ruleset, start, moves), go], position


@pytest.mark.long
def test_the_bot_can_be_uploaded(module):
    assert translation(module).startswith(b"\x7fELF")
    assert len(module) < 400_000


def test_it_greets_and_is_ready(machine_code):
    replies = answers(machine_code, "ugi", "isready", "uci", "quit")
    assert replies[-1] == "uciok"
    assert {"id name Rayuela kernel", "ugiok", "readyok"} <= set(replies)


@pytest.mark.long
@pytest.mark.parametrize("plies", [0, 3])
def test_it_plays_legal_moves_in_every_rule_set_from_every_start(machine_code, plies):
    lines, positions = ["ugi"], []
    for key in KEYS:
        question, position = questions(key, "go fuel 60000000", plies=plies)
        lines += question
        positions.append(position)
    moves = best_moves(answers(machine_code, *lines))
    assert len(moves) == len(positions) > 15
    for move, position in zip(moves, positions, strict=True):
        assert move in position.legal_moves(), position.ruleset.key


@pytest.mark.parametrize(
    ("key", "fuel"),
    [
        ("morlox(size=5)", 1_500_000),
        ("morlox(size=11)", 100_000_000),
        ("morelli(size=9)", 5_000_000),
        ("morelli(size=13)", 20_000_000),
        ("perfect()", 2_000_000),
        (BIG, 60_000_000),
        (BIG, 1_000_000_000),
    ],
)
def test_it_uses_more_than_half_of_its_fuel_and_never_more(machine_code, monkeypatch, key, fuel):
    left = []
    real_write = Conversation.write

    def write(conversation, text):
        if b"bestmove" in text:
            left.append(conversation._meter._store.get_fuel())
        real_write(conversation, text)

    monkeypatch.setattr(Conversation, "write", write)
    lines, position = questions(key, f"go fuel {fuel}")
    (move,) = best_moves(answers(machine_code, *lines))
    assert move in position.legal_moves()
    assert 0 <= left[0] < fuel / 2


def test_more_fuel_is_more_thought(machine_code):
    def nodes(fuel):
        lines, _ = questions("morelli(size=7)", f"go fuel {fuel}")
        (info,) = (
            reply
            for reply in map(protocol.parse_reply, answers(machine_code, *lines))
            if isinstance(reply, protocol.Info)
        )
        assert info.depth
        assert info.score_cp is not None
        return info.nodes

    assert nodes(100_000_000) > 5 * nodes(10_000_000)


def test_chance_comes_from_the_seed_alone(machine_code):
    lines, _ = questions("morelli(size=13)", "go fuel 9000000")
    first, again = (answers(machine_code, *lines, seed="1") for _ in range(2))
    assert first == again
    assert any(answers(machine_code, *lines, seed=str(seed)) != first for seed in range(2, 6))


@pytest.mark.parametrize(
    "go", ["go nodes 50", "go movetime 40", "go p1time 3000 p2time 3000 p1inc 10 p2inc 10", "go"]
)
def test_it_obeys_clocks_and_nodes_too(machine_code, go):
    lines, position = questions("morlox(size=7)", go, plies=5)
    (move,) = best_moves(answers(machine_code, *lines))
    assert move in position.legal_moves()


def test_a_game_that_goes_on_is_played_on(machine_code):
    ruleset = games.load("morelli(size=7)")
    start = position = ruleset.initial(seed=3)
    moves: list[str] = []
    lines = game_of(ruleset.key)
    for _ in range(6):
        lines += [referee.position_line(ruleset, start, moves), "go nodes 1"]
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    # Another game of this process, whose line does not continue the last one.
    lines += [referee.position_line(ruleset, start, moves[:1]), "go nodes 1"]
    replies = best_moves(answers(machine_code, *lines))
    for count, move in zip([*range(6), 1], replies, strict=True):
        position = start
        for earlier in moves[:count]:
            position = position.play(earlier)
        assert move in position.legal_moves()


@pytest.mark.parametrize(
    "question",
    [
        ["setoption name Game value chess()", "position startpos"],
        ["setoption name Game value morlox(size=5,swap=on)", "position fen nonsense"],
        ["setoption name Game value morlox(size=5,swap=on)", "position startpos moves z9"],
        ["setoption name Game value morelli(edition=revised,size=5,setup=random)", "position startpos"],
        [],
    ],
    ids=["game", "position", "move", "start-to-draw", "nothing"],
)  # fmt: skip
def test_what_it_cannot_play_it_resigns(machine_code, question):
    assert answers(machine_code, *question, "go nodes 5") == ["bestmove resign"]


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.parametrize(
    ("key", "fuel"),
    [
        ("morlox(size=5)", 1_000_000),
        pytest.param("morelli(size=5)", 1_000_000, marks=pytest.mark.slow),
        pytest.param("perfect(limit=10)", 1_000_000, marks=pytest.mark.slow),
    ],
)
def test_a_game_of_two_of_them_is_verified(bot, tmp_path, capsys, key, fuel):
    ruleset = games.load(key)
    setup = ruleset.setup_text(ruleset.initial(seed=3))
    game = play(bot, bot, ruleset=ruleset.key, setup=setup, fuel=fuel, seed="7")
    assert game.record.ending == "rules"
    record = tmp_path / "game.txt"
    record.write_text(game.text())
    assert engine_command(["verify", str(record), str(BOT)]) == 0
    assert "confirmed" in capsys.readouterr().out
