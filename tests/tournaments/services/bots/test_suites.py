"""Suites: read by the rules, never changed, and used in an order by seed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import IntegrityError, transaction

import games
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Player, SprtTest, Suite, User
from tournaments.services import sprt_tests
from tournaments.services.bots import suites
from tournaments.services.games import game_creation
from tournaments.services.matches import matches

RULESET = games.load("morlox(size=5)").key
DRAWN = games.load("morelli(size=5)").key
CLOCK = game_creation.Clock(5_000, 100)


def _openings(owner: User, count: int = 3, **changes: object) -> Suite:
    values = {"name": "Early", "ruleset": RULESET, "plies": 2, "seed": 1, **changes}
    return suites.add_openings(owner=owner, count=count, **values)  # type: ignore[arg-type]


def test_without_a_suite_each_set_up_is_drawn_by_its_number() -> None:
    drawn = suites.setups(None, DRAWN, 7, 4)
    assert list(drawn) == [game_creation.draw_setup(DRAWN, 7 + number) for number in (1, 2, 3, 4)]
    assert (len(drawn), drawn[-1], drawn[1:3]) == (4, drawn[3], [drawn[1], drawn[2]])
    with pytest.raises(IndexError):
        drawn[4]


def test_a_suite_is_taken_whole_in_an_order_by_seed_and_then_again(ana: User) -> None:
    suite = _openings(ana, 20)
    taken = suites.setups(suite, RULESET, 5, 50)
    assert sorted(taken[:20]) == sorted(suite.starts)
    assert taken[20:40] == taken[:20]
    assert len(taken) == 50
    assert list(suites.setups(suite, RULESET, 5, 50)) == list(taken)
    assert list(suites.setups(suite, RULESET, 6, 50)) != list(taken)
    # More pairs do not change the first ones.
    assert list(suites.setups(suite, RULESET, 5, 7)) == list(taken[:7])


def test_a_suite_of_another_game_is_refused(ana: User) -> None:
    with pytest.raises(RefusedError, match="suite-game"):
        suites.setups(_openings(ana), DRAWN, 1, 1)


def test_a_list_is_kept_as_games_keep_set_ups(ana: User) -> None:
    start = games.load(RULESET).initial().play("a1")
    suite = suites.add(owner=ana, name=" Mine  own ", ruleset="morlox(size=5)", text=start.text())
    assert (suite.name, suite.ruleset, suite.count) == ("Mine own", RULESET, 1)
    assert suite.starts == [games.setup_of(start)]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": ""}, "suite-empty"),
        ({"text": "# fine\nrubbish"}, "suite-start"),
        ({"name": " "}, "suite-name"),
        ({"name": "x" * 61}, "suite-name"),
        ({"name": "a\u202eb"}, "suite-name"),
        ({"ruleset": "go"}, "ruleset-bad"),
    ],
)
def test_what_is_no_suite_is_refused(ana: User, changes: dict[str, str], code: str) -> None:
    good = {"name": "Mine", "ruleset": RULESET, "text": games.load(RULESET).initial().text()}
    with pytest.raises(RefusedError) as refusal:
        suites.add(owner=ana, **{**good, **changes})
    assert refusal.value.code == code
    if code == "suite-start":
        assert refusal.value.parts == {"line": "2"}
    suites.add(owner=ana, **good)


def test_a_name_is_one_suite_of_an_author_and_game(ana: User, ben: User) -> None:
    _openings(ana)
    with pytest.raises(RefusedError, match="suite-name-taken"):
        _openings(ana)
    _openings(ana, ruleset=DRAWN)
    _openings(ben)


def test_an_author_has_so_many_suites(
    ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suites, "MAX_AN_AUTHOR", 1)
    _openings(ana)
    with pytest.raises(RefusedError, match="suites-many"):
        _openings(ana, name="Second")
    _openings(ben)


@pytest.mark.parametrize("family", [each.name for each in games.available()])
@pytest.mark.part(0.4)
def test_the_house_has_the_same_openings_for_everybody(db: None, family: str) -> None:
    key = games.load(family).key
    suite = suites.of_house(key)
    assert suites.of_house(key) == suite
    assert suite.owner is None
    assert suite.count == suites.HOUSE_COUNT
    position = games.starting_position(games.load(key), suite.starts[0])
    assert position.outcome() is None
    first = suite.starts
    Suite.objects.all().delete()
    assert suites.of_house(key).starts == first


def test_the_pairs_of_a_test_begin_from_its_suite(ana: User, bots: Sequence[Player]) -> None:
    suite = _openings(ana, 3)
    plan = sprt_tests.Plan(bots[0].bot, bots[1].bot, RULESET, CLOCK, suite=suite)
    test = sprt_tests.start(ana, plan)
    pairs = list(test.pairs.order_by("number"))
    setups = [pair.match.games.all()[0].setup for pair in pairs]
    assert setups == list(suites.setups(suite, RULESET, test.seed, len(pairs)))
    assert set(setups) == set(suite.starts)
    for pair in pairs:
        one, two = pair.match.games.all()
        assert one.setup == two.setup


def test_a_test_of_another_game_does_not_begin(ana: User, bots: Sequence[Player]) -> None:
    plan = sprt_tests.Plan(bots[0].bot, bots[1].bot, DRAWN, CLOCK, suite=_openings(ana))
    with pytest.raises(RefusedError, match="suite-game"):
        sprt_tests.start(ana, plan)
    assert not SprtTest.objects.exists()


def test_only_the_authors_own_suites_and_those_of_the_house_are_chosen(
    ana: User, ben: User
) -> None:
    own, other, house = _openings(ana), _openings(ben), suites.of_house(RULESET)
    assert suites.chosen(ana, "", DRAWN) is None
    assert suites.chosen(ana, "", RULESET) == house, "where the rules have one start"
    assert suites.chosen(ana, "openings", RULESET) == house
    assert suites.chosen(ana, str(own.pk), RULESET) == own
    assert suites.chosen(ana, str(house.pk), RULESET) == house
    for start in (str(other.pk), "none", "-1"):
        with pytest.raises(RefusedError, match="suite-none"):
            suites.chosen(ana, start, RULESET)


def test_a_suite_is_deleted_by_its_author_while_nothing_has_begun_from_it(
    ana: User, ben: User, bots: Sequence[Player]
) -> None:
    used, unused = _openings(ana), _openings(ana, name="Other")
    sprt_tests.start(ana, sprt_tests.Plan(bots[0].bot, bots[1].bot, RULESET, CLOCK, suite=used))
    with pytest.raises(NotAllowedError, match="not-your-suite"):
        suites.delete(suite_id=unused.pk, actor=ben)
    with pytest.raises(NotAllowedError, match="not-your-suite"):
        suites.delete(suite_id=suites.of_house(RULESET).pk, actor=ana)
    suites.delete(suite_id=unused.pk, actor=ana)
    with pytest.raises(RefusedError, match="suite-used"):
        suites.delete(suite_id=used.pk, actor=ana)
    assert list(Suite.objects.filter(owner=ana)) == [used]


@pytest.mark.engines
def test_the_database_refuses_to_change_a_suite(ana: User) -> None:
    suite = _openings(ana)
    for change in ({"setups": "other"}, {"name": "other"}, {"ruleset": DRAWN}, {"count": 2}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Suite.objects.filter(pk=suite.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        Suite.objects.create(
            name="None", ruleset=RULESET, setups="x", count=0, created_at=suite.created_at
        )


@pytest.mark.engine
def test_bots_play_from_a_given_position(ana: User, bots: Sequence[Player]) -> None:
    suite = _openings(ana, 1)
    plan = sprt_tests.Plan(bots[0].bot, bots[1].bot, RULESET, CLOCK, suite=suite)
    pair = sprt_tests.start(ana, plan).pairs.order_by("number")[0]
    assert matches.play_match(pair.match_id)
    for game in pair.match.games.all():
        assert game.setup == suite.starts[0]
        assert game.result
        assert not game.is_rated
