"""Deterministic leagues: events under fuel, whose games any reader can play again and compare."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from engine.__main__ import main as engine
from engine.errors import MatchAbortedError
from engine.match import PlyEvent
from tests.tournaments import authors
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, Match, Player, User
from tournaments.queries.matches import fuel_records
from tournaments.services.accounts import players
from tournaments.services.events import entries
from tournaments.services.games import game_creation
from tournaments.services.matches import matches, recorders
from tournaments.services.rounds import lifecycle

FUEL = 3_000_000


@pytest.fixture
def modules(ana: User, ben: User) -> list[Player]:
    """Two versions of the sample module, which differ in their bytes and not in their play, and one of Ben's."""
    return [
        authors.module(ana, "Hexer 1", b"1"),
        authors.module(ana, "Hexer 2", b"2"),
        authors.module(ben, "Other", b"3"),
    ]


@pytest.fixture
def league(ana: User) -> Event:
    return event_of(
        ana,
        format=Event.Format.ROUND_ROBIN,
        ruleset="morlox(size=4,swap=on)",
        admits=Event.Admits.BOTS,
        fuel=FUEL,
    )


def _enter(league: Event, bots: list[Player], organiser: User) -> Event:
    for bot in bots:
        entries.enter(event_id=league.pk, player=bot, actor=organiser)
    return lifecycle.start_event(event_id=league.pk, actor=organiser)


def _played_out(league: Event) -> list[Game]:
    for _ in range(10):
        due = Match.objects.filter(state=Match.State.QUEUED)
        for match in due:
            assert matches.play_match(match.pk)
        lifecycle.advance_event(league.pk)
    league.refresh_from_db()
    assert league.state == Event.State.FINISHED
    return list(Game.objects.order_by("pk"))


@pytest.mark.engine
@pytest.mark.long
def test_every_game_of_a_league_under_fuel_is_verified_by_what_the_site_publishes(
    client: Client,
    ana: User,
    league: Event,
    modules: list[Player],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _enter(league, modules, ana)
    games = _played_out(league)
    assert len(games) == 3
    programs = []
    for number, bot in enumerate(modules):
        assert bot.bot.program is not None
        programs.append(tmp_path / f"{number}.wasm")
        programs[-1].write_bytes(bytes(bot.bot.program.upload))
    record = tmp_path / "record.txt"
    for game in games:
        assert game.plies.filter(spent_ms__gt=0).count() == 0
        record.write_text(client.get(f"/game/{game.pk}/fuel-record/").content.decode())
        assert engine(["verify", str(record), *map(str, programs)]) == 0
        assert capsys.readouterr().out.startswith("confirmed: all ")
    text = record.read_text()
    record.write_text(text.replace("1-0", "0-1") if "1-0" in text else text.replace("0-1", "1-0"))
    assert engine(["verify", str(record), *map(str, programs)]) == 1
    assert capsys.readouterr().out.startswith("different: ")


@pytest.mark.long
@pytest.mark.engine
def test_what_a_lost_worker_had_played_is_played_again_to_the_ply(
    modules: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = matches.schedule(
        ruleset="morlox(size=4,swap=on)",
        setup="",
        players=(modules[0], modules[2]),
        clock=game_creation.Clock(60_000),
        fuel=FUEL,
        is_rated=False,
    )

    ply_played = recorders.Recorder.ply_played

    def lost(recorder: recorders.Recorder, event: PlyEvent) -> None:
        ply_played(recorder, event)
        if event.number == 5:
            recorder.waiting()
            raise MatchAbortedError("the worker is lost")

    with monkeypatch.context() as worker:
        worker.setattr(recorders.Recorder, "ply_played", lost)
        assert not matches.play_match(match.pk)
    Match.objects.update(lease_until=database_time.now() - timedelta(seconds=1))
    game = match.games.get()
    assert matches.play_match(match.pk)
    assert len(_moves(game, 1)) == 6
    assert _moves(game, 2)[:6] == _moves(game, 1)


def _moves(game: Game, attempt: int) -> list[str]:
    return list(game.plies.filter(attempt=attempt).values_list("move", flat=True))


def test_a_seed_is_by_the_place_of_the_game_and_not_by_the_attempt(
    ana: User, league: Event, modules: list[Player]
) -> None:
    _enter(league, modules[:2], ana)
    game = Game.objects.with_players().get()
    seed = fuel_records.seed_of(game)
    game.attempt += 1
    assert fuel_records.seed_of(game) == seed
    game.number += 1
    assert fuel_records.seed_of(game) != seed


def test_only_modules_may_enter(ana: User, league: Event) -> None:
    python = authors.version(ana, "Snake")
    house = players.add_bot(name="House", engine="random")
    for bot in (python, house):
        with pytest.raises(RefusedError, match="modules-only"):
            entries.enter(event_id=league.pk, player=bot, actor=ana)
    entries.enter(event_id=league.pk, player=authors.module(ana, "Hexer"), actor=ana)


@pytest.mark.parametrize(
    "changes",
    [{"admits": Event.Admits.BOTH}, {"admits": Event.Admits.PEOPLE}, {"fuel": 0}, {"fuel": 10**15}],
    ids=["both", "people", "none", "too-much"],
)
def test_fuel_is_for_bots_and_within_bounds(ana: User, changes: dict[str, object]) -> None:
    plan = {"admits": Event.Admits.BOTS, "fuel": FUEL}
    assert event_of(ana, **plan).fuel == FUEL
    with pytest.raises(RefusedError, match="fuel-bad"):
        event_of(ana, **{**plan, **changes})


def test_an_organiser_chooses_fuel_in_the_form(client: Client, ana: User) -> None:
    client.force_login(ana)
    form = {
        "name": "League",
        "ruleset": "morlox(size=5,swap=on)",
        "format": "round-robin",
        "clock": "180+2",
        "admits": "bots",
        "fuel": "100000000",
        "max_entries": "8",
        "pause_s": "0",
    }
    client.post("/events/new/", form)
    event = Event.objects.get()
    assert event.fuel == 10**8
    assert "100 M fuel per ply" in client.get(event.get_absolute_url()).content.decode()
    client.post("/events/new/", {**form, "admits": "people"})
    assert (
        Event.objects.get(admits="people").fuel is None
    )  # the field is not shown to who chooses people


def test_a_game_by_the_clock_or_not_over_has_no_such_record(
    client: Client, ana: User, league: Event, modules: list[Player]
) -> None:
    _enter(league, modules[:2], ana)
    game = Game.objects.with_players().get()
    with pytest.raises(StaleError, match="not-over"):
        fuel_records.record_of(game)
    assert client.get(f"/game/{game.pk}/fuel-record/").status_code == 404
    game.fuel = None
    with pytest.raises(RefusedError, match="no-fuel"):
        fuel_records.record_of(game)
