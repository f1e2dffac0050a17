"""Gauntlets: pairs are shared fairly, counted once, and end when their bots or the consent for them do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.tournaments import authors, remote_players
from tests.tournaments.sprt_pairs import play_pair
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    Bot,
    Game,
    Gauntlet,
    GauntletPair,
    NewsItem,
    Player,
    Rating,
    User,
)
from tournaments.queries.bots import bot_pairs, gauntlet_tables
from tournaments.queries.matches import fuel_terms
from tournaments.services import gauntlets, tick
from tournaments.services.accounts import bot_consents, players
from tournaments.services.accounts.bot_consents import Consent
from tournaments.services.bots import suites
from tournaments.services.games import game_creation

_CLOCK = game_creation.Clock(5_000, 100)


@pytest.fixture
def nilo(ana: User) -> Player:
    return authors.version(ana, "Nilo")


@pytest.fixture
def others(ben: User) -> list[Player]:
    """A bot of Ben's, and two of the site."""
    house = [players.add_bot(name=f"House {n}", engine="random") for n in (1, 2)]
    return [authors.version(ben, "Senna"), *house]


def _plan(nilo: Player, opponents: list[Player], **changes: Any) -> gauntlets.Plan:
    fields = {
        "candidate": nilo.bot,
        "opponents": [player.bot for player in opponents],
        "ruleset": "morlox(size=5)",
        "clock": _CLOCK,
        "pairs_each": 2,
    }
    return gauntlets.Plan(**{**fields, **changes})


def _code(act: Callable[[], object]) -> str:
    with pytest.raises((RefusedError, NotAllowedError)) as refused:
        act()
    return refused.value.code


def _waiting(gauntlet: Gauntlet) -> list[GauntletPair]:
    pairs = GauntletPair.objects.filter(opponent__gauntlet=gauntlet, match__state="queued")
    return list(pairs.order_by("pk").select_related("opponent"))


@pytest.mark.long
def test_every_opponent_gets_its_pairs_and_the_table_counts_them(
    ana: User, nilo: Player, others: list[Player]
) -> None:
    gauntlet = gauntlets.start(ana, _plan(nilo, others))
    halves = {others[0].pk: (2, 2), others[1].pk: (2, 1), others[2].pk: (0, 0)}
    setups: dict[int, set[str]] = {}
    while pairs := _waiting(gauntlet):
        for pair in pairs:
            games = list(pair.match.games.order_by("number"))
            assert games[0].setup == games[1].setup
            assert [game.is_rated for game in games] == [False, False]
            assert pair.match.requester_id == ana.pk
            setups.setdefault(pair.number, set()).add(games[0].setup)
            play_pair(pair, nilo, halves[pair.opponent.bot.player_id])
        tick.tick(database_time.now())
    gauntlet.refresh_from_db()
    assert gauntlet.state == Gauntlet.State.DONE
    assert sorted(setups) == [1, 2]
    assert [len(each) for each in setups.values()] == [1, 1], "the same for all opponents"
    table = gauntlet_tables.table(gauntlet)
    assert [row.score.counts for row in table.rows] == [
        (0, 0, 0, 0, 2),
        (0, 0, 0, 2, 0),
        (2, 0, 0, 0, 0),
    ]
    assert (table.total.pairs, table.total.halves, table.under_way) == (6, 14, 0)
    elo = table.rows[0].score.elo
    assert elo is not None
    assert elo.low < 0 < elo.elo, "two pairs that were won prove nothing yet"
    assert not Rating.objects.exists()
    kinds = NewsItem.objects.filter(topic__name=f"gauntlet:{gauntlet.pk}")
    assert set(kinds.values_list("kind", flat=True)) == {"pair", "end"}


@pytest.mark.long
def test_pairs_begin_from_a_suite_the_same_against_every_opponent(
    ana: User, nilo: Player, others: list[Player]
) -> None:
    suite = suites.add_openings(
        owner=ana, name="Early", ruleset="morlox(size=5)", plies=2, count=2, seed=3
    )
    gauntlet = gauntlets.start(ana, _plan(nilo, others[:2], pairs_each=2, suite=suite))
    setups: dict[int, list[str]] = {}
    while pairs := _waiting(gauntlet):
        for pair in pairs:
            setups.setdefault(pair.opponent_id, []).append(pair.match.games.all()[0].setup)
            play_pair(pair, nilo, (2, 0))
        tick.tick(database_time.now())
    first, second = setups.values()
    assert first == second
    assert set(first) == set(suite.starts)
    other = suites.add_openings(
        owner=ana, name="Larger", ruleset="morlox(size=7)", plies=2, count=2, seed=3
    )
    plan = _plan(nilo, others[:1], suite=other)
    assert _code(lambda: gauntlets.start(ana, plan)) == "suite-game"


@pytest.mark.long
def test_void_pairs_are_played_again_and_too_many_stop_it(
    ana: User, nilo: Player, others: list[Player]
) -> None:
    gauntlet = gauntlets.start(ana, _plan(nilo, others[1:2], pairs_each=1))
    for _ in range(bot_pairs.MAX_VOID_PAIRS + 1):
        [pair] = _waiting(gauntlet)
        play_pair(pair, nilo, None)
        gauntlets.advance_due()
    gauntlet.refresh_from_db()
    assert (gauntlet.state, gauntlet.stop_code) == (Gauntlet.State.STOPPED, "gauntlet-void")


@pytest.mark.long
def test_pairs_are_shared_among_authors(
    ana: User, ben: User, nilo: Player, others: list[Player]
) -> None:
    mine = gauntlets.start(ana, _plan(nilo, others, pairs_each=50))
    assert len(_waiting(mine)) == bot_pairs.PAIRS_AT_ONCE
    theirs = gauntlets.start(ben, _plan(others[0], others[1:], pairs_each=50))
    assert len(_waiting(theirs)) == bot_pairs.PAIRS_AT_ONCE // 2
    for pair in _waiting(mine):
        play_pair(pair, nilo, (1, 1))
    gauntlets.advance_due()
    assert len(_waiting(mine)) == bot_pairs.PAIRS_AT_ONCE // 2
    per_opponent = [row.under_way for row in gauntlet_tables.table(mine).rows]
    assert max(per_opponent) - min(per_opponent) <= 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"takes_matches": False}, "bot-no-matches"),
        ({"opponents": "people"}, "bot-people-only"),
        ({"most_ms": 4_000}, "bot-clock"),
        ({"rulesets": ("morlox(size=7)",)}, "bot-board"),
        ({"refused_accounts": ("Ana",)}, "bot-refuses-account"),
    ],
)
def test_the_author_of_an_opponent_is_asked_before_each_pair(
    ana: User,
    ben: User,
    nilo: Player,
    others: list[Player],
    changes: dict[str, Any],
    code: str,
) -> None:
    senna = others[0]
    gauntlet = gauntlets.start(ana, _plan(nilo, [senna], pairs_each=50))
    line_id = senna.bot.line_id
    assert line_id is not None
    new = replace(Consent(), **changes)
    bot_consents.change(line_id=line_id, actor=ben, consent=new)
    assert _code(lambda: gauntlets.start(ana, _plan(nilo, [senna]))) == code
    assert senna.bot not in [
        row.bot
        for row in gauntlets.possible_opponents(
            ana, nilo.bot, "morlox(size=5)", fuel_terms.Terms(_CLOCK)
        )
    ]
    pairs = _waiting(gauntlet)
    for pair in pairs:
        play_pair(pair, nilo, (2, 0))
    gauntlets.advance_due()
    gauntlet.refresh_from_db()
    [row] = gauntlet_tables.table(gauntlet).rows
    assert (row.opponent.stop_code, row.score.pairs) == (code, len(pairs)), "what has begun counts"
    assert gauntlet.state == Gauntlet.State.DONE


def test_a_bot_with_no_room_is_waited_for(ana: User, ben: User, nilo: Player) -> None:
    senna = authors.version(ben, "Senna", consent=Consent(max_games=2))
    gauntlet = gauntlets.start(ana, _plan(nilo, [senna], pairs_each=3))
    [pair] = _waiting(gauntlet)
    gauntlets.advance_due()
    assert _waiting(gauntlet) == [pair]
    play_pair(pair, nilo, (1, 1))
    gauntlets.advance_due()
    assert len(_waiting(gauntlet)) == 1


def test_the_authors_own_bots_need_no_consent(ana: User, nilo: Player) -> None:
    shut = Consent(takes_matches=False)
    other = authors.version(ana, "Senna", consent=shut)
    Bot.objects.filter(pk=other.bot.pk).update(state=Bot.State.RETIRED, is_active=False)
    other.bot.refresh_from_db()
    assert gauntlets.start(ana, _plan(nilo, [other])).state == Gauntlet.State.RUNNING


def test_a_suspended_version_plays_no_further_pair(
    ana: User, nilo: Player, others: list[Player]
) -> None:
    gauntlet = gauntlets.start(ana, _plan(nilo, others))
    Bot.objects.filter(pk=nilo.bot.pk).update(state=Bot.State.SUSPENDED, is_active=False)
    play_pair(_waiting(gauntlet)[0], nilo, (2, 0))
    gauntlets.advance_due()
    gauntlet.refresh_from_db()
    assert (gauntlet.state, gauntlet.stop_code) == (Gauntlet.State.STOPPED, "bot-inactive")
    assert not Game.objects.ongoing().exists()


def test_only_its_author_stops_it_and_what_waits_is_called_off(
    ana: User, ben: User, nilo: Player, others: list[Player]
) -> None:
    gauntlet = gauntlets.start(ana, _plan(nilo, others))
    stop = gauntlets.stop
    assert _code(lambda: stop(gauntlet_id=gauntlet.pk, actor=ben)) == "not-your-gauntlet"
    stopped = stop(gauntlet_id=gauntlet.pk, actor=ana)
    assert (stopped.state, stopped.stop_code) == (Gauntlet.State.STOPPED, "gauntlet-stopped")
    assert not _waiting(gauntlet)
    assert not Game.objects.ongoing().exists()


def test_what_cannot_be_played_is_refused(
    ana: User, ben: User, nilo: Player, others: list[Player]
) -> None:
    def start(user: User = ana, **changes: Any) -> str:
        plan = replace(_plan(nilo, others), **changes)
        return _code(lambda: gauntlets.start(user, plan))

    assert start(ben) == "not-your-bot"
    assert start(opponents=[]) == "gauntlet-bots"
    assert start(opponents=[nilo.bot]) == "gauntlet-bots"
    assert start(opponents=[others[0].bot] * 2) == "gauntlet-bots"
    assert start(opponents=[remote_players.bot(ben)]) == "gauntlet-bots"
    assert start(pairs_each=0) == start(pairs_each=101) == "gauntlet-pairs"
    assert start(ruleset="chess") == "ruleset-bad"
    Bot.objects.filter(pk=others[1].bot.pk).update(is_active=False)
    others[1].bot.refresh_from_db()
    assert start() == "bot-inactive"
    for _ in range(gauntlets.RUNNING_AN_AUTHOR):
        gauntlets.start(ana, _plan(nilo, others[:1]))
    assert start(opponents=[others[0].bot]) == "gauntlets-many"
