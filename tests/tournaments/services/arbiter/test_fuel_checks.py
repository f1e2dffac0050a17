"""Remote bots in events by fuel: their modules are deposited, and plies that are not a module's are found."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

import games
from engine.__main__ import main as engine
from engine.programs import fuel_game, fuel_plies
from engine.programs.fuel_errors import UndecidedError
from tests.tournaments import authors, remote_players, uploads
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Bot, Event, FuelCheck, Game, Player, Program, User
from tournaments.queries.bots import bot_catalogue
from tournaments.queries.matches import fuel_records
from tournaments.services.arbiter import fuel_checks
from tournaments.services.bots import programs, remote_bots
from tournaments.services.events import entries
from tournaments.services.games import offers, play, takebacks
from tournaments.services.matches import replies
from tournaments.services.rounds import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.engine]
FUEL = 3_000_000
RULESET = "morlox(size=4,swap=on)"


@pytest.fixture
def remote(ana: User) -> Bot:
    """Ana's remote bot, which has deposited the sample module."""
    bot = remote_players.bot(ana)
    return _deposit(bot, ana)


@pytest.fixture
def event(ana: User) -> Event:
    return event_of(
        ana,
        format=Event.Format.ROUND_ROBIN,
        ruleset=RULESET,
        admits=Event.Admits.BOTS,
        admits_remote=True,
        fuel=FUEL,
    )


def _deposit(bot: Bot, owner: User, data: bytes = authors.MODULE) -> Bot:
    remote_bots.deposit(bot_id=bot.pk, actor=owner, data=data, filename="bot.wasm")
    return Bot.objects.select_related("player", "remote__module").get(pk=bot.pk)


def _game(event: Event, organiser: User, *players: Player) -> Game:
    for player in players:
        author = player.bot.owner or organiser
        entries.enter(event_id=event.pk, player=player, actor=author)
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    return Game.objects.with_players().get(pairing__event=event)


def _moves(game: Game) -> list[str]:
    return list(game.plies.order_by("number").values_list("move", flat=True))


def _send(game: Game, *, cheats_at: int | None = None) -> None:
    """Send the plies of the remote bot to move: the module's plies, except another one at `cheats_at`."""
    game.refresh_from_db()
    player = game.player_on(game.side_to_move)
    moves = _moves(game)
    program = programs.local(fuel_records.module_of(player).digest)
    move = fuel_plies.move_of(fuel_plies.choose(program, fuel_records.turn_of(game, moves)))
    if len(moves) + 1 == cheats_at:
        legal = games.load(game.ruleset).parse(game.position).legal_moves()
        move = next(other for other in legal if other != move)
    play.play_move(game_id=game.pk, player=player, ply=game.ply, move=move)


def _play_out(game: Game, *, cheats_at: int | None = None) -> None:
    while game.result is None:
        if game.player_on(game.side_to_move).is_remote:
            _send(game, cheats_at=cheats_at)
        else:
            assert replies.reply(game.pk)
        game.refresh_from_db()


def _give_up(game: Game, bot: Bot) -> None:
    """The remote bot has made a ply when it resigns."""
    while not game.plies.filter(side=game.side_of(bot.player)).exists():
        if game.player_on(game.side_to_move).is_remote:
            _send(game)
        else:
            assert replies.reply(game.pk)
        game.refresh_from_db()
    play.resign(game_id=game.pk, player=bot.player)


@pytest.fixture
def look_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ply is drawn."""
    uploads.require_box()
    monkeypatch.setattr(fuel_checks, "PLIES", 1_000)


def test_without_a_module_a_remote_bot_does_not_enter(event: Event, ana: User) -> None:
    bot = remote_players.bot(ana)
    assert event not in bot_catalogue.joinable(bot)
    with pytest.raises(RefusedError, match="modules-only"):
        entries.enter(event_id=event.pk, player=bot.player, actor=ana)
    bot = _deposit(bot, ana)
    assert event in bot_catalogue.joinable(bot)
    assert entries.enter(event_id=event.pk, player=bot.player, actor=ana).pk


def test_where_no_remote_bots_are_let_in_a_module_does_not_help(remote: Bot, ana: User) -> None:
    event = event_of(ana, ruleset=RULESET, admits=Event.Admits.BOTS, fuel=FUEL)
    assert event not in bot_catalogue.joinable(remote)
    with pytest.raises(RefusedError, match="remote-refused"):
        entries.enter(event_id=event.pk, player=remote.player, actor=ana)


def test_a_module_is_the_authors_and_stays(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    with pytest.raises(NotAllowedError, match="not-your-bot"):
        _deposit(bot, ben)
    with pytest.raises(RefusedError, match="module-only"):
        remote_bots.deposit(bot_id=bot.pk, actor=ana, data=uploads.GOOD, filename="main.py")
    with pytest.raises(RefusedError, match="program-"):
        _deposit(bot, ana, b"no module")
    assert _deposit(bot, ana).remote.module is not None
    with pytest.raises(StaleError, match="module-kept"):
        _deposit(bot, ana, authors.MODULE + b"\x00\x02\x01x")


@pytest.mark.long
def test_a_game_with_a_boxed_module_is_confirmed_by_us_and_by_anybody(
    event: Event,
    remote: Bot,
    ana: User,
    ben: User,
    client: Client,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    look_at_all: None,
) -> None:
    opponent = authors.module(ben, "Boxed", b"1")
    game = _game(event, ana, remote.player, opponent)
    assert (game.match_id, game.fuel, game.fuel_meter) == (None, FUEL, fuel_game.meter())
    assert fuel_checks.due(database_time.now(), since=timedelta()) == []
    _play_out(game)
    now = database_time.now()
    assert fuel_checks.due(now, since=timedelta(seconds=20)) == [game.pk]
    assert fuel_checks.due(now, since=timedelta(seconds=20)) == []
    assert fuel_checks.check(game.pk)
    check = FuelCheck.objects.get(game=game)
    side = game.side_of(remote.player)
    own = list(game.plies.filter(side=side).order_by("number").values_list("number", flat=True))
    assert (check.verdict, check.plies, check.different_plies) == ("confirmed", own, [])
    assert not fuel_checks.check(game.pk)

    record = tmp_path / "record.txt"
    record.write_text(client.get(f"/game/{game.pk}/fuel-record/").content.decode())
    assert '[Instances "ply"]' in record.read_text()
    modules = []
    for number, player in enumerate((remote.player, opponent)):
        modules.append(tmp_path / f"{number}.wasm")
        digest = fuel_records.module_of(player).digest
        modules[-1].write_bytes(bytes(Program.objects.get(digest=digest).upload))
    assert engine(["verify", str(record), *map(str, modules)]) == 0
    assert capsys.readouterr().out.startswith("confirmed: all ")
    assert "Plies of remote bots" in client.get(game.get_absolute_url()).content.decode()


@pytest.mark.long
def test_a_ply_of_somebody_else_loses_the_game(
    event: Event, remote: Bot, ana: User, ben: User, look_at_all: None
) -> None:
    game = _game(event, ana, remote.player, authors.module(ben, "Boxed", b"1"))
    side = game.side_of(remote.player)
    cheats_at = 3 if side == "first" else 4
    _play_out(game, cheats_at=cheats_at)
    assert fuel_checks.check(game.pk)
    check = FuelCheck.objects.get(game=game)
    assert check.verdict == "different"
    assert check.different_plies == [cheats_at]
    game.refresh_from_db()
    assert game.result == ("second-forfeit" if side == "first" else "first-forfeit")
    correction = game.corrections.get()
    assert correction.reason == f"Ply {cheats_at} is not that of the module."
    assert event.audit.filter(action="correct").exists()


@pytest.mark.long
def test_two_remote_bots_of_whom_both_cheat_both_lose(
    event: Event, remote: Bot, ana: User, ben: User, look_at_all: None
) -> None:
    other = _deposit(remote_players.bot(ben, "Esperanza"), ben)
    game = _game(event, ana, remote.player, other.player)
    _send(game, cheats_at=1)
    _send(game, cheats_at=2)
    play.resign(game_id=game.pk, player=other.player)
    assert fuel_checks.check(game.pk)
    game.refresh_from_db()
    assert game.result == Game.Result.DOUBLE_FORFEIT


@pytest.mark.long
def test_so_many_plies_are_drawn_and_no_more(
    event: Event, remote: Bot, ana: User, ben: User
) -> None:
    uploads.require_box()
    game = _game(event, ana, remote.player, authors.module(ben, "Boxed", b"1"))
    _play_out(game)
    assert fuel_checks.check(game.pk)
    plies = FuelCheck.objects.get(game=game).plies
    own = game.plies.filter(side=game.side_of(remote.player)).count()
    assert len(plies) == min(fuel_checks.PLIES, own) > 0


@pytest.mark.long
def test_what_the_machine_fails_at_proves_nothing(
    event: Event, remote: Bot, ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads.require_box()
    game = _game(event, ana, remote.player, authors.module(ben, "Boxed", b"1"))
    _give_up(game, remote)

    def fail(*_args: object, **_more: object) -> None:
        raise UndecidedError("no processor")

    monkeypatch.setattr(fuel_plies, "choose", fail)
    for _ in range(fuel_checks.MAX_ATTEMPTS):
        assert not fuel_checks.check(game.pk)
    assert fuel_checks.check(game.pk)
    assert FuelCheck.objects.get(game=game).verdict == "undecided"
    assert not game.corrections.exists()


@pytest.mark.long
def test_another_counting_proves_nothing(event: Event, remote: Bot, ana: User, ben: User) -> None:
    uploads.require_box()
    game = _game(event, ana, remote.player, authors.module(ben, "Boxed", b"1"))
    _give_up(game, remote)
    Game.objects.filter(pk=game.pk).update(fuel_meter="rayuela 0, wasmtime 0")
    assert fuel_checks.check(game.pk)
    assert FuelCheck.objects.get(game=game).verdict == "undecided"


def test_nothing_is_offered_where_modules_decide(
    event: Event, remote: Bot, ana: User, ben: User
) -> None:
    game = _game(event, ana, remote.player, authors.module(ben, "Boxed", b"1"))
    for act in (offers.offer_end, takebacks.offer_takeback):
        with pytest.raises(RefusedError, match="no-offers"):
            act(game_id=game.pk, player=remote.player)
