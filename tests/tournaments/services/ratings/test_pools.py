"""Games that are rated together, and the monthly lists of people's events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import combinations

import pytest
from django.db import IntegrityError, connection, transaction

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import (
    Correction,
    Event,
    Game,
    LedgerEntry,
    PairTally,
    Player,
    Pool,
    Rating,
    User,
)
from tournaments.queries.ratings import leaderboard, pools
from tournaments.services import tick
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_end, play
from tournaments.services.ratings import rating, recompute
from tournaments.services.rounds import lifecycle

_MINUTE = 60_000


@pytest.mark.parametrize(
    ("initial_ms", "increment_ms", "expected"),
    [
        (1_000, 0, "blitz"),
        (5 * _MINUTE, 5_000, "blitz"),
        (10 * _MINUTE + 1, 0, "rapid"),
        (30 * _MINUTE, 29_999, "rapid"),
        (30 * _MINUTE, 30_000, "standard"),
        (24 * 60 * _MINUTE, 0, "correspondence"),
    ],
)
def test_time_classes_have_fides_bounds(initial_ms: int, increment_ms: int, expected: str) -> None:
    assert pools.time_class(initial_ms, increment_ms) == expected


@pytest.mark.parametrize(
    ("ruleset", "key"),
    [
        ("morelli(size=9)", "morelli-revised-small-rapid-people"),
        ("morelli(size=13)", "morelli-revised-large-rapid-people"),
        ("morelli(size=31)", "morelli-revised-giant-rapid-people"),
        ("morelli(edition=original,size=11)", "morelli-original-large-rapid-people"),
        ("morlox(size=11)", "morlox-large-rapid-people"),
        ("perfect", "perfect-rapid-people"),
    ],
)
def test_a_pool_has_one_game_edition_and_size_class(db: None, ruleset: str, key: str) -> None:
    pool = pages.pool_of(Pool.Kind.PEOPLE, ruleset)
    assert (pool.key, pool.system) == (key, "glicko2")
    assert pages.pool_of(Pool.Kind.PEOPLE, ruleset) == pool
    assert "rapid" in pool.name


def test_people_and_bots_are_kept_apart_and_meet_in_a_pool_that_says_so(
    ana: User, ben: User, bots: Sequence[Player]
) -> None:
    among_people = pages.finished_game(ana.player, ben.player, "first")
    among_bots = pages.finished_game(bots[0], bots[1], "first")
    mixed = pages.finished_game(ana.player, bots[0], "first")
    kinds = [game.pool.kind if game.pool else None for game in (among_people, among_bots, mixed)]
    assert kinds == ["people", "bots", "mixed"]
    assert Rating.objects.filter(player=ana.player).count() == 2
    assert Rating.objects.get(player=ana.player, pool=mixed.pool).deviation_centielo is not None
    assert Rating.objects.get(player=bots[1]).deviation_centielo is None


def test_who_begins_is_expected_to_score_more_where_that_is_worth_something(
    ana: User, ben: User
) -> None:
    fair = pages.new_game(ana.player, ben.player, "morelli(size=9)")
    easier = pages.new_game(ana.player, ben.player, "morlox(size=7)")
    assert fair.predicted_millionths == 500_000
    assert easier.predicted_millionths is not None
    assert easier.predicted_millionths > 500_000
    for game in (fair, easier):
        play.resign(game_id=game.pk, player=ben.player)
    gains = {
        game.ruleset: LedgerEntry.objects.get(game=game, side="first") for game in (fair, easier)
    }
    assert gains[easier.ruleset].inputs["advantage"] == 80_00
    assert gains[easier.ruleset].delta_centielo < gains[fair.ruleset].delta_centielo


@pytest.mark.engines
def test_a_rated_game_is_in_a_pool_and_stays_there(ana: User, ben: User) -> None:
    game = pages.finished_game(ana.player, ben.player, "first")
    other = pages.pool_of(Pool.Kind.MIXED)
    for change in ({"pool": None}, {"pool": other}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Game.objects.filter(pk=game.pk).update(**change)


def test_games_of_two_are_counted_with_each_result(
    ana: User, ben: User, administrator: User
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    wrong = pages.finished_game(ana.player, ben.player, "draw")
    pages.finished_game(ben.player, ana.player, "second")
    tallies = {(t.first, t.second): (t.wins, t.draws, t.losses) for t in PairTally.objects.all()}
    assert tallies == {(ana.player, ben.player): (1, 1, 0), (ben.player, ana.player): (0, 0, 1)}
    corrections.correct(game_id=wrong.pk, actor=administrator, result="void", reason="never played")
    assert PairTally.objects.get(first=ana.player).draws == 0
    pool = pages.pool_of(Pool.Kind.PEOPLE)
    assert list(recompute.verify(pool)) == []
    PairTally.objects.filter(first=ana.player).update(wins=7)
    assert [fault.what for fault in recompute.verify(pool)] == [
        f"the games with {ben.player.pk} are counted wrongly"
    ]
    recompute.reconcile(pool)
    assert list(recompute.verify(pool)) == []


# --- lists ----------------------------------------------------------------------------------------


class _Calendar:
    """Lets the service's clock say another day."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def turn_to(self, day: date) -> datetime:
        now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        self._monkeypatch.setattr(database_time, "now", lambda: now)
        return now


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> _Calendar:
    return _Calendar(monkeypatch)


@pytest.fixture
def club(calendar: _Calendar, ana: User, ben: User) -> Callable[[date], list[Game]]:
    """Return a function that plays an event of four on a day.

    It returns the games. The first side wins all of them.
    """
    people = [ana.player, ben.player] + [
        players.sign_up(name=name, password="rayuela-1963").player for name in ("Cleo", "Dora")
    ]

    def play_event(day: date) -> list[Game]:
        calendar.turn_to(day)
        event = event_of(ana, format="round-robin", admits=Event.Admits.PEOPLE)
        enter(event, *people)
        lifecycle.start_event(event_id=event.pk, actor=ana)
        while Game.objects.ongoing().exists():
            for game in Game.objects.ongoing().with_players():
                with transaction.atomic():
                    game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
            lifecycle.advance_event(event.pk)
        return list(Game.objects.filter(pairing__event=event).order_by("pk"))

    return play_event


def _pool() -> Pool:
    return Pool.objects.get(kind="events")


@pytest.mark.long
def test_a_month_is_closed_when_the_next_begins(
    club: Callable[[date], list[Game]], calendar: _Calendar
) -> None:
    club(date(2026, 10, 10))
    assert _pool().closed_until == date(2026, 10, 1)
    assert not LedgerEntry.objects.filter(kind="period").exists()
    tick.tick(calendar.turn_to(date(2026, 10, 31)))
    assert not LedgerEntry.objects.filter(kind="period").exists()
    for _ in range(2):  # once is enough
        tick.tick(calendar.turn_to(date(2026, 11, 1)))
    assert _pool().closed_until == date(2026, 11, 1)
    closings = LedgerEntry.objects.filter(kind="period")
    assert closings.count() == 4
    for row in closings:
        assert row.after_centielo % 100 == 0
        assert row.inputs["games"] == 3
        assert Rating.objects.get(player=row.player).listed_elo == row.after_centielo // 100
    assert list(recompute.verify(_pool())) == []


@pytest.mark.long
def test_a_game_of_the_next_month_closes_what_no_tick_has(
    club: Callable[[date], list[Game]],
) -> None:
    club(date(2026, 10, 10))
    later = club(date(2026, 12, 3))
    assert LedgerEntry.objects.filter(kind="period", period=date(2026, 10, 1)).count() == 4
    first = LedgerEntry.objects.get(game=later[0], side="first")
    assert first.inputs["own"] == Rating.objects.get(player=first.player).listed_elo
    entry = later[0].pairing.first if later[0].pairing else None
    assert entry is not None
    assert entry.seed_centielo == 100 * first.inputs["own"]
    assert list(recompute.verify(_pool())) == []


@pytest.mark.long
def test_a_result_corrected_three_months_later_changes_what_follows_from_it(
    club: Callable[[date], list[Game]], calendar: _Calendar, ana: User, administrator: User
) -> None:
    autumn = club(date(2026, 9, 10))
    club(date(2026, 10, 12))
    tick.tick(calendar.turn_to(date(2026, 12, 2)))
    before = _standing_rows()
    assert list(recompute.verify(_pool())) == []
    wrong = autumn[0]
    corrections.correct(
        game_id=wrong.pk, actor=administrator, result="second", reason="the score sheet"
    )
    assert list(recompute.verify(_pool())) == []
    two = {wrong.first_id, wrong.second_id}
    undone = LedgerEntry.objects.filter(kind="reversal")
    assert {row.correction_id for row in undone} == {Correction.objects.get().pk}
    assert sorted(undone.values_list("player", flat=True)) == sorted(_four(autumn))
    # In September only these two have other ratings. In October their opponents have played against
    # opponents with other ratings.
    assert set(undone.filter(period=date(2026, 9, 1)).values_list("player", flat=True)) == two
    corrections.correct(
        game_id=wrong.pk, actor=administrator, result="first", reason="it was right"
    )
    assert _standing_rows() == before
    assert list(recompute.verify(_pool())) == []


def _four(games: list[Game]) -> set[int]:
    return {player for game in games for player in (game.first_id, game.second_id)}


def _standing_rows() -> list[tuple[object, ...]]:
    rows = LedgerEntry.objects.standing().order_by("player", "period", "game")
    columns = ("player", "game", "period", "before_centielo", "delta_centielo", "inputs")
    return [(*row[:-1], sorted(row[-1].items())) for row in rows.values_list(*columns)]


@pytest.mark.long
@pytest.mark.engines
def test_a_game_that_ends_as_its_month_is_closed_is_in_that_month(
    club: Callable[[date], list[Game]], calendar: _Calendar, ana: User, administrator: User
) -> None:
    """Its end was written down before midnight and entered after it."""
    games = club(date(2026, 10, 10))
    void = games[-1]
    corrections.correct(
        game_id=void.pk, actor=administrator, result="void", reason="to be looked at"
    )
    tick.tick(calendar.turn_to(date(2026, 11, 1)))
    Correction.objects.create(
        game=void,
        seq=2,
        before="void",
        after="first",
        reason="x",
        actor=administrator,
        made_at=database_time.now(),
    )
    Game.objects.filter(pk=void.pk).update(result="first")
    void.refresh_from_db()
    with transaction.atomic():
        rating.rate(void)
    rows = LedgerEntry.objects.standing().filter(game=void)
    assert {row.period for row in rows} == {date(2026, 10, 1)}
    assert list(recompute.verify(_pool())) == []


def test_games_that_were_rated_elsewhere_move_to_their_pools(ana: User, ben: User) -> None:
    """A database from before the kinds of pools takes these steps."""
    game = pages.finished_game(ana.player, ben.player, "first")
    old = Pool.objects.create(key="morelli-revised-5x5", family="morelli")
    new = game.pool
    assert new is not None
    _move(game, old)
    recompute.reconcile(old)
    with transaction.atomic():
        recompute.reconcile(new)
    assert Rating.objects.get(player=ana.player, pool=new).games == 0
    assert Rating.objects.get(player=ana.player, pool=old).games == 1
    _move(game, new)
    assert recompute.rebuild() > 0
    assert Rating.objects.get(player=ana.player, pool=new).games == 1
    assert Rating.objects.get(player=ana.player, pool=old).games == 0
    for pool in (old, new):
        assert list(recompute.verify(pool)) == []
    assert recompute.rebuild() == 0


def _move(game: Game, pool: Pool) -> None:
    """Move the game as a migration does, which runs while the guards are off."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            trigger_by_name = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = %s"
            (guard,) = cursor.execute(trigger_by_name, ["game_result_once"]).fetchone()
            cursor.execute("DROP TRIGGER game_result_once")
            Game.objects.filter(pk=game.pk).update(pool=pool)
            cursor.execute(guard)
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE tournaments_game DISABLE TRIGGER USER")
            Game.objects.filter(pk=game.pk).update(pool=pool)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE tournaments_game ENABLE TRIGGER USER")


def test_a_pool_from_before_there_were_kinds_is_called_by_its_key(db: None) -> None:
    assert Pool(key="morelli-revised-13x13", family="morelli").name == "morelli-revised-13x13"


@pytest.mark.long
def test_a_guess_has_no_rank_and_its_interval_grows_with_time(ana: User, ben: User) -> None:
    pool = pages.pool_of(Pool.Kind.PEOPLE)
    pages.finished_game(ana.player, ben.player, "first")
    now = database_time.now()
    best, _ = leaderboard.published(pool, now, 100)
    assert (best.rating.player, best.rank, best.is_provisional) == (ana.player, None, True)
    assert best.error_centielo == 2 * (best.rating.deviation_centielo or 0)
    for _ in range(20):
        pages.finished_game(ana.player, ben.player, "first")
        pages.finished_game(ben.player, ana.player, "first")
    ranked = leaderboard.published(pool, database_time.now(), 100)
    assert [row.rank for row in ranked] == [1, 2]
    years = leaderboard.published(pool, now + timedelta(days=800), 100)
    assert [row.rank for row in years] == [None, None]
    assert (years[0].error_centielo or 0) > (ranked[0].error_centielo or 0)


def test_bots_are_published_by_a_fit_to_all_their_games(bots: Sequence[Player]) -> None:
    pages.finished_game(bots[0], bots[1], "first")
    best, worst = leaderboard.published(pages.pool_of(Pool.Kind.BOTS), database_time.now(), 100)
    assert best.centielo + worst.centielo == 2 * 1500_00
    assert best.error_centielo == worst.error_centielo
    assert best.rating.centielo == 1520_00 != best.centielo


def test_a_bot_with_a_wide_interval_has_no_rank_behind_those_with_one(db: None) -> None:
    pool = pages.pool_of(Pool.Kind.BOTS)
    *regulars, newcomer = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(7)]
    games = dict.fromkeys(regulars, 200) | {newcomer: 4}
    Rating.objects.bulk_create(
        Rating(pool=pool, player=player, centielo=1500_00, peak_centielo=1500_00, games=number)
        for player, number in games.items()
    )
    PairTally.objects.bulk_create(
        [
            PairTally(pool=pool, first=one, second=other, wins=20, losses=20)
            for one, other in combinations(regulars, 2)
        ]
        + [PairTally(pool=pool, first=newcomer, second=regulars[0], wins=4)]
    )
    *ranked, guess = leaderboard.published(pool, database_time.now(), 100)
    assert [row.rank for row in ranked] == [1, 2, 3, 4, 5, 6]
    assert (guess.rating.player, guess.rank, guess.is_provisional) == (newcomer, None, True)
    assert guess.centielo > ranked[0].centielo
    assert (guess.error_centielo or 0) >= 220_00
    place = leaderboard.place_of(newcomer, pool, database_time.now())
    assert place == (guess.centielo, True)
