"""The reference client on real processes: no ply is lost or played twice after cuts and kills."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from engine.programs import fuel_plies
from tests import processes
from tests.browser import wires
from tests.tournaments import authors, clock_lines, remote_players
from tests.tournaments.api import homes
from tests.tournaments.api.homes import Home
from tests.tournaments.conftest import event_of
from tournaments.models import AccessToken, Bot, Challenge, Event, Game, RemoteBot, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.matches import fuel_records
from tournaments.services.accounts import tokens
from tournaments.services.bots import programs, remote_bots
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.lobby import challenges
from tournaments.services.rounds import lifecycle

pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db(transaction=True)]
_CLOCK = Clock(3_600_000, 5_000)


@pytest.fixture(scope="module")
def site_of_file(django_db_setup: None) -> Iterator[homes.Site]:
    with homes.site() as running:
        yield running


@pytest.fixture
def site(erasable: None, site_of_file: homes.Site) -> Iterator[homes.Site]:
    """The site of the file, in place of its address: a test may kill it and start it again."""
    if not site_of_file.is_running:
        site_of_file.start()
    yield site_of_file
    processes.await_idle()


@pytest.fixture
def bot(erasable: None, ben: User) -> Bot:
    return remote_players.bot(ben, most_ms=7_000_200, max_games=3)


def _challenge(ana: User, bot: Bot, *, is_rated: bool = True) -> Challenge:
    return challenges.challenge(
        challenger=ana.player,
        opponent=bot.player,
        ruleset="morlox(size=5)",
        clock=_CLOCK,
        is_rated=is_rated,
        side="first",
    )


def _game(ana: User, bot: Bot, running: Home) -> Game:
    """A rated game that the client has accepted, in which Ana moves first."""
    challenge = _challenge(ana, bot)
    processes.until(
        lambda: Challenge.objects.get(pk=challenge.pk).game_id is not None, otherwise=running.log
    )
    row = Challenge.objects.get(pk=challenge.pk)
    assert row.game_id is not None
    return Game.objects.with_players().get(pk=row.game_id)


def _league_game(ana: User, bot: Bot, running: Home) -> Game:
    """A rated game of a league in which Ana and the bot are."""
    event = event_of(
        ana,
        format=Event.Format.LEAGUE,
        groups=1,
        ruleset="morlox(size=5)",
        clock=_CLOCK,
        admits_remote=True,
        rounds_total=1,
    )
    entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    author = bot.player.bot.owner
    assert author is not None
    entries.enter(event_id=event.pk, player=bot.player, actor=author)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)
    processes.until(lambda: "begin game=" in running.log(), otherwise=running.log)
    return Game.objects.with_players().get(pairing__event=event)


def _require_whole(game: Game) -> None:
    """Require that every ply exists once, and that the clocks agree with the ledger."""
    numbers = list(game.plies.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, game.ply + 1))
    for side, start_ms in (("first", game.clock_initial_ms), ("second", game.clock_initial_ms)):
        changes = [ms for of, _, ms in clock_lines.of(game) if of == side]
        assert start_ms + sum(changes) == (game.first_ms if side == "first" else game.second_ms)


def _require_evaluations(game: Game, bot: Bot) -> None:
    """Require the engine's last evaluation with each ply of the bot."""
    plies = game.plies.filter(side=game.side_of(bot.player)).order_by("number")
    depths = dict(game.evaluations.filter(score_cp=25).values_list("number", "depth"))
    assert depths == {number: number - 1 for number in plies.values_list("number", flat=True)}


@pytest.mark.parametrize("is_league", [False, True], ids=["challenge", "league"])
def test_a_rated_game_to_its_end_through_cuts_and_restarts_of_both_sides(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path, is_league: bool
) -> None:
    with (
        wires.wire_to(site.url) as wire,
        homes.home(tmp_path / "home", wire.address, bot) as running,
    ):
        begin = _league_game if is_league else _game
        game = begin(ana, bot, running)
        while (game := homes.await_turn(game, ana.player, running)).result is None:
            match game.ply:
                case 0 | 1 | 2 | 3 | 8 | 9:
                    wire.cut()
                    wire.reconcile()
                case 4 | 5:
                    site.kill()
                    site.start()
                case 6 | 7:
                    running.kill()
                    running.start()
                case _:
                    pass
            homes.answer(game, ana.player)
        assert game.ending == Game.Ending.RULES, running.log()
        assert game.ply > 8, "all of it happened"
        _require_whole(game)
        assert game.is_rated
        assert game.pool is not None
        assert game.pool.kind == "remote"
        processes.until(lambda: f"over game={game.pk}" in running.log(), otherwise=running.log)
        assert running.stop() == 0, running.log()
    assert RemoteBot.objects.get().seen_at is not None
    _require_evaluations(game, bot)


def test_a_site_that_is_killed_while_the_engine_thinks_gets_the_move_later(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    with homes.home(tmp_path / "home", site.url, bot) as running:
        game = _game(ana, bot, running)
        running.close_gate()
        homes.answer(game, ana.player)
        running.await_thinking(1)
        site.kill()
        running.open_gate()
        processes.until(lambda: "away method=POST" in running.log(), otherwise=running.log)
        site.start()
        game = homes.await_turn(game, ana.player, running)
        assert (game.result, game.ply) == (None, 2)
        _require_whole(game)


def test_a_client_that_is_killed_while_its_engine_thinks_thinks_again(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    with homes.home(tmp_path / "home", site.url, bot) as running:
        game = _game(ana, bot, running)
        running.close_gate()
        homes.answer(game, ana.player)
        running.await_thinking(1)
        running.kill()
        running.forget_thinking()
        running.start()
        running.await_thinking(1)
        running.open_gate()
        game = homes.await_turn(game, ana.player, running)
        assert (game.result, game.ply) == (None, 2)
        _require_whole(game)


def _have_all_said(homes_of_bot: Sequence[Home], words: str) -> bool:
    return all(words in each.log() for each in homes_of_bot)


def test_of_two_clients_on_one_token_one_plays_each_ply(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    with (
        homes.home(tmp_path / "one", site.url, bot) as one,
        homes.home(tmp_path / "two", site.url, bot) as two,
    ):
        both = (one, two)
        processes.until(lambda: all("here player" in each.log() for each in both))
        game = _game(ana, bot, one)
        for ply in (1, 3, 5):
            one.close_gate()
            two.close_gate()
            homes.answer(game, ana.player)
            for each in (one, two):
                each.await_thinking(ply)
            one.open_gate()
            two.open_gate()
            game = homes.await_turn(game, ana.player, one)
            assert (game.result, game.ply) == (None, ply + 1)
            # The other request is refused because its move came too late, or was a repetition.
            last = f"ply={ply + 1} "
            processes.until(partial(_have_all_said, both, last))
        _require_whole(game)
        answers = [
            line for each in (one, two) for line in each.log().splitlines() if " move game=" in line
        ]
        for number in (2, 4, 6):
            of_ply = [line for line in answers if f"ply={number} " in line]
            assert len(of_ply) == 2
            assert any("status=201" in line for line in of_ply)
            assert all("status=201" in line or "moved-on" in line for line in of_ply), of_ply
        play.resign(game_id=game.pk, player=ana.player)


def test_without_streams_it_asks_again_and_again(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    with (
        homes.home(tmp_path / "h", site.url, bot, "--poll", "0.1") as running,
    ):
        game = _game(ana, bot, running)
        homes.answer(game, ana.player)
        assert homes.await_turn(game, ana.player, running).ply == 2


def test_challenges_outside_its_rules_are_declined(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    options = ("--kinds", "rated", "--games", "1")
    with homes.home(tmp_path / "home", site.url, bot, *options) as running:
        casual = _challenge(ana, bot, is_rated=False)
        processes.until(
            lambda: Challenge.objects.get(pk=casual.pk).state == Challenge.State.DECLINED,
            otherwise=running.log,
        )
        _game(ana, bot, running)
        second = _challenge(ana, bot)
        processes.until(
            lambda: Challenge.objects.get(pk=second.pk).state == Challenge.State.DECLINED,
            otherwise=running.log,
        )
        assert running.stop() == 0, running.log()


def test_an_engine_that_fails_is_started_again_and_then_gives_up(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    with homes.home(tmp_path / "home", site.url, bot) as running:
        (running.folder / "engine.py").write_text("print('no protocol')")
        game = _game(ana, bot, running)
        homes.answer(game, ana.player)
        game = homes.await_turn(game, ana.player, running)
        assert (game.result, game.ending) == ("first", Game.Ending.RESIGNATION)
        assert running.log().count("engine-failed") == 3


def test_a_client_whose_token_is_revoked_ends(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path
) -> None:
    options = ("--poll", "0.1")
    with homes.home(tmp_path / "home", site.url, bot, *options) as running:
        processes.until(lambda: "here player" in running.log(), otherwise=running.log)
        assert bot.owner is not None
        tokens.revoke(user=bot.owner, token_id=AccessToken.objects.get().pk)
        assert running.process is not None
        assert running.process.wait(60) == 1
        assert "was revoked" in running.log()


@pytest.mark.parametrize("scopes", [["games:play"], ["read", "games:play"]])
def test_a_client_with_the_token_of_an_account_says_so_and_ends(
    ana: User, bot: Bot, site: homes.Site, tmp_path: Path, scopes: list[str]
) -> None:
    mine = tokens.create(user=ana, password="rayuela-1963", name="mine", scopes=scopes, days=30)
    with homes.home(tmp_path / "home", site.url, bot) as running:
        running.kill()
        (running.folder / "token.txt").write_text(mine.secret)
        running.start()
        assert running.process is not None
        assert running.process.wait(60) == 1
        assert "not of a remote bot" in running.log()


def test_two_clients_play_by_fuel_what_their_modules_play(
    bot: Bot, ana: User, ben: User, tmp_path: Path
) -> None:
    other = remote_players.bot(ana, "Esperanza", most_ms=7_000_200)
    for row, owner in ((bot, ben), (other, ana)):
        remote_bots.deposit(bot_id=row.pk, actor=owner, data=authors.MODULE, filename="morlox.wasm")
    event = event_of(
        ana,
        format=Event.Format.ROUND_ROBIN,
        ruleset="morlox(size=4,swap=on)",
        admits=Event.Admits.BOTS,
        admits_remote=True,
        fuel=3_000_000,
    )
    for row, owner in ((bot, ben), (other, ana)):
        entries.enter(event_id=event.pk, player=row.player, actor=owner)
    (tmp_path / "bot.wasm").write_bytes(authors.MODULE)
    # `-P`: the homes have a file called engine.py.
    engine = f"{sys.executable} -P -m engine fuel {tmp_path / 'bot.wasm'}"
    with (
        homes.site() as site,
        homes.home(tmp_path / "one", site.url, bot, "--fuel-engine", engine) as one,
        homes.home(tmp_path / "two", site.url, other, "--fuel-engine", engine),
    ):
        lifecycle.start_event(event_id=event.pk, actor=ana)
        game = Game.objects.get(pairing__event=event)
        processes.until(
            lambda: Game.objects.filter(pk=game.pk, result__isnull=False).exists(),
            otherwise=one.log,
        )
    game.refresh_from_db()
    assert game.ending == Game.Ending.RULES, one.log()
    moves = list(game.plies.order_by("number").values_list("move", flat=True))
    module = programs.local(hashlib.sha256(authors.MODULE).hexdigest())
    for number in (0, 1, len(moves) - 1):
        turn = fuel_records.turn_of(game, moves[:number])
        assert fuel_plies.move_of(fuel_plies.choose(module, turn)) == moves[number]
