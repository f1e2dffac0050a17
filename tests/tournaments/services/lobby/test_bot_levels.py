"""Levels of bots: their order, and the recommended one for a player in a game."""

from __future__ import annotations

import pytest

from tests.tournaments import pages
from tournaments.models import Player, Pool, Rating, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.lobby import bot_levels
from tournaments.services.accounts import players

RULESET = "morelli(size=5)"


def _bots() -> list[Player]:
    return [
        players.add_bot(name=name, engine=engine)
        for name, engine in (("Any", "random"), ("Keen", "greedy"), ("Deep", "search:500"))
    ]


def _rate(player: Player, centielo: int, *, deviation: int, ruleset: str = RULESET) -> None:
    Rating.objects.update_or_create(
        pool=pages.pool_of(Pool.Kind.MIXED, ruleset),
        player=player,
        defaults={
            "centielo": centielo,
            "peak_centielo": centielo,
            "games": 1,
            "deviation_centielo": deviation,
            "volatility_billionths": 90_000_000,
        },
    )


def _recommended(player: Player | None, ruleset: str = RULESET) -> str:
    (level,) = [
        level for level in bot_levels.levels(player, ruleset=ruleset) if level.is_recommended
    ]
    return level.bot.name


def _rate_bots(bots: list[Player]) -> None:
    for bot, centielo in zip(bots, (86_000, 170_000, 200_000), strict=True):
        _rate(bot, centielo, deviation=6_000)


def test_levels_go_from_the_weakest_to_the_strongest(ana: User) -> None:
    for name, engine in (
        ("Deep", "search:500"),
        ("Any", "random"),
        ("Quick", "search:30"),
        ("Also any", "random"),
        ("Half awake", "careless:30"),
        ("Keen", "greedy"),
        ("Asleep", "careless:60"),
    ):
        players.add_bot(name=name, engine=engine)
    levels = bot_levels.levels(ana.player, ruleset=RULESET)
    assert [level.bot.name for level in levels] == [
        *("Any", "Asleep", "Half awake", "Keen", "Quick", "Deep")
    ]
    assert [(level.number, level.count) for level in levels] == [(n, 6) for n in range(1, 7)]


def test_the_levels_of_the_kernel_are_offered_instead_of_other_bots(ana: User) -> None:
    for name, engine in (
        ("Eight", "level:8"),
        ("Any", "random"),
        ("Deep", "kernel:500"),
        ("Three", "level:3"),
        ("Also three", "level:3"),
    ):
        players.add_bot(name=name, engine=engine)
    levels = bot_levels.levels(ana.player, ruleset=RULESET)
    assert [(level.number, level.count, level.bot.name) for level in levels] == [
        (3, 8, "Three"),
        (8, 8, "Eight"),
    ]


def test_a_level_has_the_rating_of_the_time_class_that_is_chosen(ana: User) -> None:
    bot = players.add_bot(name="Three", engine="level:3")
    _rate(bot, 150_000, deviation=6_000)
    rapid = pages.pool_of(Pool.Kind.MIXED, RULESET)
    blitz = Pool.objects.create(
        **{
            field: getattr(rapid, field)
            for field in ("kind", "system", "family", "edition", "size_class")
        },
        key="the same, blitz",
        time_class=Pool.TimeClass.BLITZ,
    )
    assert rapid.time_class == Pool.TimeClass.RAPID
    row = Rating.objects.get(player=bot)
    row.pk, row.pool, row.centielo = None, blitz, 140_000
    row.save(force_insert=True)

    def ratings_at(ruleset: str, clock: game_clocks.Clock | None = None) -> list[int | None]:
        levels = bot_levels.levels(ana.player, ruleset=ruleset, clock=clock)
        return [None if level.rating is None else level.rating.centielo for level in levels]

    assert ratings_at(RULESET, game_clocks.Clock.read("600+10")) == [150_000]
    assert ratings_at(RULESET, game_clocks.Clock.read("180+2")) == [140_000]
    assert ratings_at("morlox(size=5)") == [None]


def test_a_rating_that_is_a_guess_yet_is_not_shown(ana: User) -> None:
    bot = players.add_bot(name="Three", engine="level:3")
    _rate(bot, 150_000, deviation=10_000)
    (level,) = bot_levels.levels(ana.player, ruleset=RULESET)
    assert level.rating is not None
    _rate(bot, 150_000, deviation=12_000)
    (level,) = bot_levels.levels(ana.player, ruleset=RULESET)
    assert level.rating is None


def test_somebody_without_a_rating_is_advised_the_second_level(ana: User) -> None:
    bots = _bots()
    assert _recommended(ana.player) == _recommended(None) == "Keen"
    _rate_bots(bots)
    assert _recommended(ana.player) == _recommended(None) == "Keen"


def test_where_no_bot_has_a_rating_the_second_level_is_advised(ana: User) -> None:
    _bots()
    _rate(ana.player, 250_000, deviation=5_000)
    assert _recommended(ana.player) == "Keen"


def test_whoever_is_weaker_than_every_level_is_advised_the_first(ana: User) -> None:
    _rate_bots(_bots())
    _rate(ana.player, 85_000, deviation=5_000)
    assert _recommended(ana.player) == "Any"


def test_the_level_advised_follows_the_rating(ana: User) -> None:
    _rate_bots(_bots())
    _rate(ana.player, 210_000, deviation=5_000)
    assert _recommended(ana.player) == "Deep"
    _rate(ana.player, 180_000, deviation=5_000)
    assert _recommended(ana.player) == "Keen"


def test_one_win_does_not_lead_to_the_strongest_level(ana: User) -> None:
    bots = _bots()
    pages.finished_game(ana.player, bots[0], "first")
    for bot, centielo in zip(bots, (86_000, 120_000, 160_000), strict=True):
        _rate(bot, centielo, deviation=6_000)
    assert Rating.objects.get(player=ana.player).centielo > 160_000
    assert _recommended(ana.player) == "Keen"


def test_another_game_has_another_advice(ana: User) -> None:
    bots = _bots()
    _rate_bots(bots)
    for bot, centielo in zip(bots, (90_000, 150_000, 210_000), strict=True):
        _rate(bot, centielo, deviation=6_000, ruleset="morlox(size=5)")
    _rate(ana.player, 210_000, deviation=5_000)
    _rate(ana.player, 100_000, deviation=5_000, ruleset="morlox(size=5)")
    assert _recommended(ana.player) == "Deep"
    assert _recommended(ana.player, "morlox(size=5)") == "Any"
    # In a game without rated games no rating is known.
    assert _recommended(ana.player, "morelli(size=13)") == _recommended(None, "morelli(size=13)")


def test_looking_at_the_levels_makes_no_pools(ana: User) -> None:
    _bots()
    before = Pool.objects.count()
    bot_levels.levels(ana.player, ruleset="morelli(size=31)")
    assert Pool.objects.count() == before


def test_a_larger_deviation_lowers_the_advice(ana: User) -> None:
    _rate_bots(_bots())
    _rate(ana.player, 206_000, deviation=5_000)
    assert _recommended(ana.player) == "Deep"
    _rate(ana.player, 206_000, deviation=10_000)
    assert _recommended(ana.player) == "Keen"


def test_luck_after_few_games_does_not_turn_the_levels_round(ana: User) -> None:
    """The one that is careless most of the time was lucky."""
    bots = [
        players.add_bot(name=name, engine=engine)
        for name, engine in (("Any", "random"), ("Asleep", "careless:80"), ("Keen", "greedy"))
    ]
    for bot, centielo in zip(bots, (100_000, 180_000, 160_000), strict=True):
        _rate(bot, centielo, deviation=20_000)
    _rate(ana.player, 169_000, deviation=4_500)
    assert _recommended(ana.player) == "Any"
    _rate(ana.player, 176_000, deviation=4_500)
    assert _recommended(ana.player) == "Asleep"


@pytest.mark.parametrize(
    ("ratings", "fitted"),
    [
        ([], []),
        ([3], [3]),
        ([1, 2, 3], [1, 2, 3]),
        ([3, 2, 1], [2, 2, 2]),
        ([1, 9, 5, 6, 20], [1, 7, 7, 7, 20]),
        ([10, 0, 7, 3], [5, 5, 5, 5]),
    ],
)
def test_levels_are_fitted_to_their_order(ratings: list[int], fitted: list[int]) -> None:
    assert bot_levels._in_order(ratings) == fitted
