"""Standing ladders: one in every pool, made by the first bot, which rests once it is placed, and never over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from tests.tournaments import pages, remote_players, uploads
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Bot, Event, Game, Match, Player, Pool, Rating, User
from tournaments.queries.bots import bot_catalogue, ladder_offers
from tournaments.services import tick
from tournaments.services.accounts import house_account, players, remote_presence
from tournaments.services.events import entries
from tournaments.services.games import game_end
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import continuous, lifecycle, standing_ladders

pytestmark = [pytest.mark.engines, pytest.mark.django_db]
POOL = "morlox-small-blitz-bots"


@pytest.fixture
def house(db: None) -> list[Player]:
    """The site's own bots."""
    return [players.add_bot(name=f"House {n}", engine="random") for n in (1, 2)]


def _bot(owner: User, name: str = "Nilo") -> Player:
    return uploads.ready(
        uploads.line(owner, name, uploads.GOOD + f"# {name}\n".encode()), is_active=True
    ).player


def _enter(player: Player, owner: User, pool: str = POOL) -> Event:
    return standing_ladders.enter(pool=pool, player=player, actor=owner).event


def _ladder() -> Event:
    return Event.objects.open().get(standing_pool=POOL)


def _ongoing(event: Event) -> Sequence[Game]:
    return list(Game.objects.ongoing().filter(pairing__event=event).with_players())


def _play_on(event: Event) -> int:
    """End all games, and let the ladder pair: how many games are played then."""
    for game in _ongoing(event):
        with transaction.atomic():
            game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    Match.objects.filter(games__pairing__event=event).update(state=Match.State.DONE)
    lifecycle.advance_event(event.pk)
    return len(_ongoing(event))


def test_there_is_one_for_every_pool_of_bots(db: None) -> None:
    offers = ladder_offers.offers()
    kinds = {offer.admits_remote for offer in offers.values()}
    assert kinds == {True, False}
    for key, offer in offers.items():
        kind = Pool.Kind.REMOTE if offer.admits_remote else Pool.Kind.BOTS
        pool = pool_assignment.pool_of(
            offer.ruleset, offer.clock_initial_ms, offer.clock_increment_ms, kind
        )
        assert pool.key == key
    assert Pool.objects.filter(time_class="blitz").count() == len(offers) / 2
    assert Pool.objects.filter(time_class="rapid").count() == len(offers) / 2


@pytest.mark.long
@pytest.mark.parametrize("address", ["/events/", "{event}"])
def test_a_page_says_when_the_next_ladder_begins_and_not_that_this_one_ends(
    house: list[Player], ana: User, address: str
) -> None:
    event = _enter(_bot(ana), ana)
    page = pages.text_of(Client().get(address.format(event=event.get_absolute_url())).content)
    assert "The next ladder begins, with all players of this one:" in page
    assert "Until" not in page


@pytest.mark.long
def test_the_first_bot_makes_the_ladder_and_plays_the_house(house: list[Player], ana: User) -> None:
    nilo = _bot(ana)
    event = _enter(nilo, ana)
    event.refresh_from_db()
    assert (event.state, event.organiser, event.format) == (
        Event.State.RUNNING,
        house_account.account(),
        Event.Format.LADDER,
    )
    assert {entry.player for entry in event.entries.active()} == {nilo, *house}
    assert pool_assignment.of_event(event).key == POOL
    games = _ongoing(event)
    assert len(games) == 2
    assert all(nilo in {game.first, game.second} for game in games)


@pytest.mark.long
def test_without_the_house_it_begins_with_its_second_bot(ana: User, ben: User) -> None:
    event = _enter(_bot(ana), ana)
    assert event.state == Event.State.REGISTRATION
    assert _enter(_bot(ben, "Vega"), ben) == event
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert len(_ongoing(event)) == 2


def test_who_may_not_enter_makes_no_ladder(house: list[Player], ana: User, ben: User) -> None:
    nilo = _bot(ana)
    with pytest.raises(NotAllowedError, match="not-your-player"):
        _enter(nilo, ben)
    with pytest.raises(RefusedError, match="remote-refused"):
        _enter(remote_players.bot(ana).player, ana)
    with pytest.raises(RefusedError, match="no-such-ladder"):
        _enter(nilo, ana, "morlox-small-blitz-people")
    assert not Event.objects.exists()


@pytest.mark.long
def test_there_is_one_open_ladder_in_a_pool(house: list[Player], ana: User) -> None:
    event = _enter(_bot(ana), ana)
    event.pk, event.slug = None, "again"
    with pytest.raises(IntegrityError, match="standing"), transaction.atomic():
        event.save(force_insert=True)


@pytest.mark.long
def test_a_bot_in_placement_is_paired_at_once_and_rests_afterwards(
    house: list[Player], ana: User
) -> None:
    nilo = _bot(ana)
    event = _enter(nilo, ana)
    event.refresh_from_db()
    assert _play_on(event) == 2, "the next pair"
    pool = pool_assignment.of_event(event)
    Rating.objects.filter(pool=pool, player=nilo).update(games=24)
    assert _play_on(event) == 0, "it rests, and the house plays whoever comes"
    event.refresh_from_db()
    last = Game.objects.latest("ended_at").ended_at
    assert last is not None
    assert event.next_step_at == last + timedelta(seconds=event.pause_s)
    now = event.next_step_at + timedelta(seconds=1)
    free = list(event.entries.active().select_related("player"))
    seeking = continuous.rests_of_ladder(event, free, now).seeking
    assert seeking == {entry.tpn for entry in free if entry.player == nilo}


@pytest.mark.long
def test_who_rests_plays_a_newcomer(ana: User, ben: User) -> None:
    nilo, vega = _bot(ana), _bot(ben, "Vega")
    _enter(nilo, ana)
    event = _enter(vega, ben)
    event.refresh_from_db()
    assert _play_on(event) == 2, "both are in placement"
    Rating.objects.filter(pool=pool_assignment.of_event(event)).update(games=24)
    assert _play_on(event) == 0
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    luna = _bot(cleo, "Luna")
    _enter(luna, cleo)
    lifecycle.advance_event(event.pk)
    assert [luna in {game.first, game.second} for game in _ongoing(event)] == [True, True]


@pytest.mark.long
def test_when_its_time_is_over_the_next_one_begins_with_everybody(
    house: list[Player], ana: User
) -> None:
    nilo = _bot(ana)
    event = _enter(nilo, ana)
    Event.objects.filter(pk=event.pk).update(ends_at=database_time.now())
    assert _play_on(event) == 0
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    standing_ladders.keep()
    successor = _ladder()
    assert successor != event
    assert {entry.player for entry in successor.entries.active()} == {nilo, *house}
    assert (successor.state, len(_ongoing(successor))) == (Event.State.RUNNING, 2)
    assert pool_assignment.of_event(successor) == pool_assignment.of_event(event)
    standing_ladders.keep()
    assert Event.objects.exclude(standing_pool="").count() == 2


@pytest.mark.long
def test_a_ladder_that_everybody_has_left_waits_for_the_next_bot(
    house: list[Player], ana: User
) -> None:
    nilo = _bot(ana)
    event = _enter(nilo, ana)
    entries.withdraw(event_id=event.pk, player=nilo, actor=ana)
    Event.objects.filter(pk=event.pk).update(ends_at=database_time.now())
    _play_on(event)
    standing_ladders.keep()
    assert not Event.objects.open().exists()
    assert _enter(nilo, ana) == _ladder()


@pytest.mark.long
def test_the_tick_starts_a_ladder_whose_process_was_lost(
    house: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(standing_ladders, "_start", lambda _event: None)
        event = _enter(_bot(ana), ana)
    assert event.state == Event.State.REGISTRATION
    tick.tick(database_time.now().replace(second=0))
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING


@pytest.mark.long
def test_a_remote_bot_climbs_among_those_of_the_box(house: list[Player], ana: User) -> None:
    remote = remote_players.bot(ana, "Remota")
    pool = "morlox-small-blitz-remote"
    assert [each.offer.pool for each in ladder_offers.for_bot(remote)].count(pool) == 1
    assert all(each.offer.admits_remote for each in ladder_offers.for_bot(remote))
    event = _enter(remote.player, ana, pool)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert pool_assignment.of_event(event).key == pool
    assert pool not in {each.offer.pool for each in ladder_offers.for_bot(remote)}


@pytest.mark.long
def test_a_remote_bot_that_was_away_is_looked_for_every_minute(
    house: list[Player], ana: User
) -> None:
    remote = remote_players.bot(ana, "Remota", is_there=False)
    event = _enter(remote.player, ana, "morlox-small-blitz-remote")
    event.refresh_from_db()
    assert _ongoing(event) == []
    before = database_time.now()
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.next_step_at is not None
    assert timedelta(0) < event.next_step_at - before < timedelta(seconds=90)
    assert remote.line_id is not None
    remote_presence.note_seen(remote.line_id)
    lifecycle.advance_event(event.pk)
    assert len(_ongoing(event)) == 1


@pytest.mark.long
def test_a_bot_is_offered_what_it_plays_and_has_not_entered(house: list[Player], ana: User) -> None:
    bot = Bot.objects.get(player=_bot(ana))
    Bot.objects.filter(pk=bot.pk).update(families=["morlox"])
    bot.refresh_from_db()
    before = {each.offer.pool for each in ladder_offers.for_bot(bot)}
    assert POOL in before
    assert all(pool.startswith("morlox") for pool in before)
    event = _enter(bot.player, ana)
    assert {each.offer.pool for each in ladder_offers.for_bot(bot)} == before - {POOL}
    assert event in {entry.event for entry in bot_catalogue.open_entries(bot)}
    entries.withdraw(event_id=event.pk, player=bot.player, actor=ana)
    assert event not in bot_catalogue.joinable(bot), "it is among the ladders"
    assert {each.offer.pool for each in ladder_offers.for_bot(bot)} == before


def test_nobody_signs_in_as_the_house(ana: User) -> None:
    account = house_account.account()
    assert account == house_account.account()
    assert not account.has_usable_password()
    with pytest.raises(RefusedError, match="name-bad"):
        players.sign_up(name=account.get_username(), password="rayuela-1963")
