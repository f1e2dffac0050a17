from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from engine import referee
from engine.clock import Fischer, GameClock, PerMove
from engine.errors import BadMatchError, MatchAbortedError
from engine.match import BotReply, BotSpec, Ending, MatchSpec
from games.core import BadSetupError, Outcome, Side
from tests.engine.bots import bot_that, is_running, write_bot
from tests.engine.matches import Notebook, entries_of_ply, match
from tests.engine.nim import Nim

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nim")]


def test_game_is_played_to_its_end_by_the_rules(good):
    (game,) = match(good, good, setup="heap=3").games
    assert game.moves == ["take 1"] * 3
    assert (game.outcome, game.ending, game.loser) == (Outcome.FIRST, Ending.RULES, None)


@pytest.mark.long
def test_sides_are_exchanged_in_the_second_game_and_processes_kept(tmp_path):
    counting = (
        "import os\n"
        "def new():\n    global games\n    games = globals().get('games', 0) + 1\n"
        "def go(position):\n    say(f'game {games}')\n    say('bestmove take_1')\n"
    )
    former, latter = write_bot(tmp_path, "former", counting), write_bot(tmp_path, "latter")
    report = match(former, latter, count=2, setup="heap=1")
    assert [(game.first, game.second) for game in report.games] == [
        ("former", "latter"),
        ("latter", "former"),
    ]
    assert [game.setup for game in report.games] == ["heap=1", "heap=1"]
    assert [game.outcome for game in report.games] == [Outcome.FIRST, Outcome.FIRST]
    report = match(former, latter, count=2, setup="heap=2")
    assert report.logs[0].lines == ("game 1", "game 2")


def test_same_side_may_play_two_plies_in_a_row(tmp_path, good):
    greedy = write_bot(tmp_path, "greedy", bot_that("say('bestmove take 3')"))
    (game,) = match(greedy, good, setup="heap=6").games
    assert [ply.side for ply in game.plies] == [Side.FIRST, Side.FIRST]
    assert game.outcome is Outcome.FIRST


def test_position_line_gives_the_start_and_all_moves(tmp_path, good):
    telling = write_bot(
        tmp_path, "telling", bot_that("say(' '.join(position))\nsay('bestmove take_1')")
    )
    report = match(telling, good, setup="heap=3")
    assert report.logs[0].lines == (
        "position fen 3_first",
        "position fen 3_first moves take_1 take_1",
    )


def test_move_is_recorded_in_its_stored_spelling(tmp_path, good):
    sloppy = write_bot(tmp_path, "sloppy", bot_that("say('bestmove take_01')"))
    (game,) = match(sloppy, good, setup="heap=1").games
    assert game.moves == ["take 1"]


def test_last_info_before_a_move_is_kept(tmp_path, good):
    talker = write_bot(
        tmp_path,
        "talker",
        bot_that("say('info depth 1')\nsay('info depth 2 score cp 5')\nsay('bestmove take_1')"),
    )
    (game,) = match(talker, good, setup="heap=1").games
    assert game.plies[0].info is not None
    assert (game.plies[0].info.depth, game.plies[0].info.score_cp) == (2, 5)


def test_bot_that_knows_uci_only_is_understood(tmp_path, good, monkeypatch):
    monkeypatch.setattr("engine.bot_player.HELLO_MS", 1000)
    body = (
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'uci': say('uciok')\n"
        "    if word == 'isready': say('readyok')\n"
        "    if word == 'ucinewgame': say('new')\n"
        "    if word == 'go': say('bestmove take_1')\n"
        "    if word == 'quit': sys.exit()\n"
    )
    report = match(write_bot(tmp_path, "uci", body), good, setup="heap=1")
    assert report.games[0].ending is Ending.RULES
    assert report.logs[0].lines == ("new",)


@pytest.mark.long
def test_crashed_bot_gets_a_new_process_for_the_second_game(tmp_path, good):
    once = tmp_path / "crashed"
    body = bot_that(
        f"import os\nif not os.path.exists({str(once)!r}):\n"
        f"    open({str(once)!r}, 'w').close()\n    sys.exit('oh no')\n"
        "say('bestmove take_1')"
    )
    report = match(write_bot(tmp_path, "shaky", body), good, count=2, setup="heap=1")
    assert [game.ending for game in report.games] == [Ending.CRASH, Ending.RULES]
    assert "status 1" in report.games[0].detail
    assert "oh no" in report.logs[0].stderr


def test_time_is_charged_and_the_increment_added(tmp_path, good):
    slow = write_bot(tmp_path, "slow", bot_that("time.sleep(0.1)\nsay('bestmove take_1')"))
    (game,) = match(slow, good, control=Fischer(5000, 1000), setup="heap=2").games
    slow_ply, quick_ply = game.plies
    assert slow_ply.wall_ms >= 100
    for ply in (slow_ply, quick_ply):
        assert ply.span.charged_ns == ply.span.wall_ns - ply.span.credit_ns
        assert ply.remaining_ms == (6000 * 10**6 - ply.span.charged_ns) // 10**6
    assert quick_ply.wall_ms < slow_ply.wall_ms


@pytest.mark.long
def test_clocks_are_told_to_the_bot(tmp_path, good):
    body = (
        "for line in sys.stdin:\n"
        "    if line == 'ugi\\n': say('ugiok')\n"
        "    if line == 'isready\\n': say('readyok')\n"
        "    if line.startswith('go'): say(line.strip() + '\\nbestmove take_1')\n"
        "    if line == 'quit\\n': sys.exit()\n"
    )
    bot = write_bot(tmp_path, "told", body)
    assert match(bot, good, control=Fischer(5000, 100), setup="heap=1").logs[0].lines == (
        "go p1time 5000 p2time 5000 p1inc 100 p2inc 100",
    )
    assert match(bot, good, control=PerMove(700), setup="heap=1").logs[0].lines == (
        "go movetime 700",
    )


def test_the_second_side_of_a_single_game_can_have_less_time(good):
    spec = MatchSpec("nim()", "heap=2", (good, good), Fischer(5000), games=1, second_ms=2000)
    (report,) = referee.play_match(spec).games
    assert 4000 < report.plies[0].remaining_ms <= 5000
    assert report.plies[1].remaining_ms <= 2000


@pytest.mark.parametrize(
    "changes", [{"games": 2}, {"control": PerMove(700)}, {"second_ms": 0}], ids=str
)
def test_other_matches_have_no_time_of_a_second_side(good, changes):
    plan = {"control": Fischer(5000), "games": 1, "second_ms": 2000, **changes}
    with pytest.raises(BadMatchError):
        MatchSpec("nim()", "heap=2", (good, good), **plan)


def test_observer_sees_every_ply_with_both_clocks(good):
    notebook = Notebook()
    report = match(
        good, good, count=2, setup="heap=3", control=Fischer(5000, 10), observer=notebook
    )
    assert notebook.games == [0, 1]
    assert notebook.reports == list(report.games)
    assert [(event.game, event.number) for event in notebook.plies] == [
        (game, number) for game in (0, 1) for number in range(3)
    ]
    assert notebook.plies[0].first_ms == notebook.plies[0].ply.remaining_ms
    assert notebook.plies[0].second_ms == 5000


def test_observer_may_abort_and_no_process_is_left(tmp_path):
    pids = tmp_path / "pids"
    body = f"with open({str(pids)!r}, 'a') as f: f.write(str(os.getpid()) + '\\n')"
    bot = write_bot(tmp_path, "bot", body)
    with pytest.raises(MatchAbortedError):
        match(bot, bot, observer=Notebook(stop_at=1))
    pid_list = [int(line) for line in pids.read_text().split()]
    assert len(pid_list) == 2
    assert not any(is_running(pid) for pid in pid_list)


def test_waiting_is_told_about_while_a_bot_thinks(tmp_path, good, monkeypatch):
    monkeypatch.setattr("engine.process._WAIT_SLICE_MS", 20)
    monkeypatch.setattr("engine.process._WATCH_MS", 20)
    slow = write_bot(tmp_path, "slow", bot_that("time.sleep(0.2)\nsay('bestmove take_1')"))
    notebook = Notebook()
    match(slow, good, setup="heap=1", observer=notebook)
    assert notebook.waits >= 3


def test_pace_holds_a_ply_back_and_costs_no_clock(good):
    began = time.monotonic()
    (game,) = match(good, good, setup="heap=3", pace_ms=60, control=Fischer(5000)).games
    assert time.monotonic() - began >= 0.18
    assert sum(ply.charged_ms for ply in game.plies) < 120


@pytest.mark.parametrize(("count", "pace_ms"), [(0, 0), (3, 0), (1, -1)])
def test_match_that_makes_no_sense_is_refused(good, count, pace_ms):
    with pytest.raises(BadMatchError):
        match(good, good, count=count, pace_ms=pace_ms)


def test_unknown_set_up_is_refused_before_any_bot_runs(good):
    with pytest.raises(BadSetupError):
        match(good, good, setup="pile=3")


def choose(bot: BotSpec, moves: Sequence[str], *, first_ms: int = 1000) -> BotReply:
    clock = GameClock.at(Fischer(1000), first_ms=first_ms, second_ms=1000)
    return referee.choose_move(Nim(), setup="heap=5", moves=moves, bot=bot, clock=clock)


def test_one_move_is_chosen_for_a_game_against_a_person(good):
    reply = choose(good, ["take 1", "take 3"])
    assert reply.ply is not None
    assert (reply.ply.side, reply.ply.move) == (Side.SECOND, "take 1")
    assert reply.ending is None


@pytest.mark.parametrize(
    ("ending", "action"),
    [
        (Ending.RESIGNATION, "say('bestmove resign')"),
        (Ending.ILLEGAL_MOVE, "say('bestmove take_9')"),
        (Ending.TIME, "time.sleep(60)"),
    ],
)
def test_bot_that_fails_a_person_is_told_why(tmp_path, ending, action):
    reply = choose(write_bot(tmp_path, "bad", bot_that(action)), [], first_ms=100)
    assert (reply.ply, reply.ending) == (None, ending)
    assert reply.detail


def test_bot_that_cannot_be_asked_is_nobodys_fault():
    assert choose(BotSpec("missing", ("/nonexistent/bot",)), []).ending is Ending.VOID


def test_finished_game_has_no_move_to_choose(good):
    with pytest.raises(BadMatchError):
        choose(good, ["take 3", "take 2"])


def test_transcripts_have_both_directions_and_standard_error_at_its_ply(tmp_path, good):
    talks = write_bot(
        tmp_path,
        "talks",
        bot_that(
            "sys.stderr.write(f'oh {len(position)}')\nsys.stderr.flush()\nsay('bestmove take_1')"
        ),
    )
    (game,) = match(good, talks, setup="heap=2").games
    first, second = game.transcripts
    assert (first.bot, second.bot) == ("good", "talks")
    assert [(entry.channel.value, entry.text) for entry in entries_of_ply(second, 0)] == [
        (">", "ugi"),
        ("<", "id name fake"),
        ("<", "ugiok"),
        (">", "setoption name Game value nim()"),
        (">", "setoption name Clock value cpu"),
        (">", "uginewgame"),
        (">", "isready"),
        ("<", "readyok"),
    ]
    assert sorted((entry.channel.value, entry.text) for entry in entries_of_ply(second, 1)) == [
        ("!", "oh 5"),
        ("<", "bestmove take_1"),
        ("<", "readyok"),
        (">", "go movetime 2000"),
        (">", "isready"),
        (">", "position fen 2_first moves take_1"),
    ]
    assert [entry.text for entry in entries_of_ply(second, 2)] == ["gameover 0-1 reason rules"]


@pytest.mark.long
def test_transcript_of_a_fault_ends_with_its_name(tmp_path, good):
    bad = write_bot(tmp_path, "bad", bot_that("sys.stderr.write('no idea')\nsys.exit(3)"))
    game, again = match(bad, good, count=2).games
    texts = [entry.text for entry in game.transcripts[0].entries]
    assert texts[-2:] == ["no idea", "exited: exited with status 3"]
    assert again.transcripts[1].entries[0].text == "ugi"


def test_one_answer_for_a_person_has_its_transcript_too(good):
    assert "bestmove take_1" in [entry.text for entry in choose(good, []).transcript.entries]
