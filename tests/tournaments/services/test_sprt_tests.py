"""The laboratory: SPRT tests are fed fairly, counted once, and decided as the exact test decides them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse

from engine.stats.outcomes import Outcomes
from engine.stats.sprt import Sprt, SprtVerdict, log_likelihood_ratio
from tests.tournaments import authors, pages
from tests.tournaments.sprt_pairs import open_pairs, plan, play_pair
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Bot, Game, NewsItem, Player, Rating, SprtPair, SprtTest, User
from tournaments.queries.bots import bot_pairs, sprt_tables
from tournaments.services import sprt_tests, tick
from tournaments.services.accounts import players
from tournaments.services.games import game_creation
from tournaments.services.matches import leases, matches
from tournaments.views.ratings.charts import paths


def test_pairs_have_one_set_up_and_both_sides(ana: User, bots: Sequence[Player]) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots))
    pairs = open_pairs(sprt_test)
    assert len(pairs) == bot_pairs.PAIRS_AT_ONCE
    setups = set()
    for pair in pairs:
        one, two = pair.match.games.order_by("number")
        assert (one.first, one.second) == (two.second, two.first) == (bots[0], bots[1])
        assert one.setup == two.setup
        assert not one.is_rated
        setups.add(one.setup)
    assert len(setups) > 1


@pytest.mark.long
def test_a_sprt_test_is_decided_by_the_exact_test(ana: User, bots: Sequence[Player]) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots, elo1_centielo=200_00))
    rng = random.Random(5)
    test = Sprt(0, 200)
    outcomes = Outcomes.no_pairs()
    while test.verdict(outcomes) is SprtVerdict.GOING_ON:
        pair = open_pairs(sprt_test)[0]
        halves = rng.choice([(2, 2), (2, 0), (2, 1)])
        outcomes = outcomes.plus(halves=sum(halves))
        play_pair(pair, bots[0], halves)
        sprt_tests.advance_due()
        sprt_test.refresh_from_db()
        pair.refresh_from_db()
        assert pair.llr_millionths == round(1_000_000 * log_likelihood_ratio(test, outcomes))
    assert test.verdict(outcomes) is SprtVerdict.ACCEPTED
    assert outcomes.games >= 20
    assert sprt_test.state == SprtTest.State.PASSED
    assert sprt_tables.standing(sprt_test).counts == outcomes.counts
    assert len(sprt_tables.trace(sprt_test)) == sum(outcomes.counts)
    # Pairs that had not begun are cancelled, and have no result.
    assert not open_pairs(sprt_test)
    assert not Game.objects.ongoing().exists()
    assert not Rating.objects.exists()
    kinds = NewsItem.objects.filter(topic__name=f"sprt_test:{sprt_test.pk}").values_list(
        "kind", flat=True
    )
    assert set(kinds) == {"pair", "verdict"}


@pytest.mark.long
def test_a_weaker_candidate_fails(ana: User, bots: Sequence[Player]) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots, elo1_centielo=100_00))
    for _ in range(60):
        for pair in open_pairs(sprt_test):
            play_pair(pair, bots[0], (0, 1))
        sprt_tests.advance_due()
        sprt_test.refresh_from_db()
        if sprt_test.state != SprtTest.State.RUNNING:
            break
    assert sprt_test.state == SprtTest.State.FAILED
    stands = sprt_tables.standing(sprt_test)
    assert stands.llr is not None
    assert stands.llr <= stands.lower


@pytest.mark.long
def test_a_sprt_test_without_a_verdict_ends_after_its_last_pair(
    ana: User, bots: Sequence[Player]
) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots, max_pairs=10))
    while sprt_test.state == SprtTest.State.RUNNING:
        for pair in open_pairs(sprt_test):
            play_pair(pair, bots[0], (2, 0))
        tick.tick(database_time.now())
        sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.OPEN
    assert sprt_tables.standing(sprt_test).pairs == sprt_test.pairs.count() == 10


def test_a_sprt_test_stops_when_one_of_its_bots_is_suspended(
    ana: User, bots: Sequence[Player]
) -> None:
    mine = pages.version_of(ana, "Nilo", 1)
    sprt_test = sprt_tests.start(ana, plan([mine.player, bots[0]]))
    Bot.objects.filter(pk=mine.pk).update(state=Bot.State.SUSPENDED, is_active=False)
    play_pair(open_pairs(sprt_test)[0], mine.player, (0, 0))
    sprt_tests.advance_due()
    sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.STOPPED
    assert sprt_tables.standing(sprt_test).pairs == 1
    assert not open_pairs(sprt_test)


def test_a_game_that_a_bot_does_not_play_is_no_sprt_test(ana: User, bots: Sequence[Player]) -> None:
    mine = pages.version_of(ana, "Nilo", 1)
    Bot.objects.filter(pk=mine.pk).update(families=["morlox"])
    mine.refresh_from_db()
    with pytest.raises(RefusedError, match="bot-other-game"):
        sprt_tests.start(ana, plan([mine.player, bots[0]]))
    assert not SprtTest.objects.exists()


@pytest.mark.long
def test_a_pair_that_could_not_be_played_is_played_again_and_never_counted(
    ana: User, bots: Sequence[Player]
) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots))
    lost_pair = open_pairs(sprt_test)[0]
    leases.give_up(lost_pair.match)
    sprt_tests.advance_due()
    assert len(open_pairs(sprt_test)) == bot_pairs.PAIRS_AT_ONCE
    assert sprt_tables.standing(sprt_test).pairs == 0
    for _ in range(bot_pairs.MAX_VOID_PAIRS):
        leases.give_up(open_pairs(sprt_test)[0].match)
        sprt_tests.advance_due()
    sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.STOPPED
    assert "because of the service" in sprt_test.reason


@pytest.mark.long
def test_authors_share_the_workers(ana: User, ben: User, bots: Sequence[Player]) -> None:
    first = sprt_tests.start(ana, plan(bots))
    second = sprt_tests.start(ben, plan(bots))
    assert len(open_pairs(second)) == bot_pairs.PAIRS_AT_ONCE // 2
    for pair in open_pairs(first)[:6]:
        play_pair(pair, bots[0], (2, 0))
    sprt_tests.advance_due()
    assert len(open_pairs(first)) == bot_pairs.PAIRS_AT_ONCE // 2
    sprt_tests.start(ana, plan(bots))
    sprt_tests.start(ana, plan(bots))
    with pytest.raises(RefusedError, match="trials-many"):
        sprt_tests.start(ana, plan(bots))


def test_counting_twice_counts_once(ana: User, bots: Sequence[Player]) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots))
    play_pair(open_pairs(sprt_test)[0], bots[0], (2, 1))
    for _ in range(3):
        sprt_tests.advance(sprt_test.pk)
    assert sprt_tables.standing(sprt_test).counts == (0, 0, 0, 1, 0)
    assert SprtPair.objects.filter(place__isnull=False).count() == 1


def test_only_one_s_own_bots_and_those_of_the_house_are_tested(
    ana: User, ben: User, bots: Sequence[Player]
) -> None:
    theirs = pages.version_of(ben, "Lucia", 1)
    with pytest.raises(NotAllowedError, match="not-your-bot"):
        sprt_tests.start(ana, plan(bots, candidate=theirs))
    assert sprt_tests.start(ben, plan(bots, candidate=theirs)).candidate == theirs
    assert theirs not in Bot.objects.testable_by(ana)
    assert theirs in Bot.objects.testable_by(ben)
    Bot.objects.filter(pk=theirs.pk).update(state=Bot.State.SUSPENDED, is_active=False)
    theirs.refresh_from_db()
    for changes in (
        {"base": bots[0].bot},
        {"candidate": theirs},
    ):
        with pytest.raises(RefusedError, match="trial-bots"):
            sprt_tests.start(ben, plan(bots, **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"elo0_centielo": 20_00, "elo1_centielo": 20_00},
        {"elo1_centielo": 2_000_00},
        {"alpha_thousandths": 500},
        {"max_pairs": 9},
        {"max_pairs": 20_001},
    ],
    ids=str,
)
def test_bounds_that_make_no_test_are_refused(
    ana: User, bots: Sequence[Player], changes: dict[str, int]
) -> None:
    with pytest.raises(RefusedError, match="trial-bounds"):
        sprt_tests.start(ana, plan(bots, **changes))
    assert not SprtTest.objects.exists()


@pytest.mark.long
def test_who_began_a_sprt_test_may_stop_it(
    ana: User, ben: User, bots: Sequence[Player], client: Client
) -> None:
    sprt_test = sprt_tests.start(ana, plan(bots))
    with pytest.raises(NotAllowedError, match="not-your-trial"):
        sprt_tests.stop(sprt_test_id=sprt_test.pk, actor=ben)
    page = pages.member(ben).get(reverse("sprt-test", args=[sprt_test.pk])).content.decode()
    assert "Stop the test" not in page
    pages.member(ana).post(reverse("sprt-test-stop", args=[sprt_test.pk]))
    sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.STOPPED
    assert not open_pairs(sprt_test)


@pytest.mark.long
def test_a_sprt_test_from_the_form_to_its_page(ana: User, bots: Sequence[Player]) -> None:
    browser = pages.member(ana)
    form = {
        "candidate": bots[0].bot.pk,
        "base": bots[1].bot.pk,
        "ruleset": "morelli(size=7)",
        "clock": "1+0.05",
        "model": "normalized",
        "elo0": "0",
        "elo1": "15.5",
        "max_pairs": "50",
    }
    answer = browser.post(reverse("sprt-test-new"), form | {"elo1": "-1"})
    assert "The lower bound must be below" in pages.text_of(answer.content)
    answer = browser.post(reverse("sprt-test-new"), form)
    sprt_test = SprtTest.objects.get()
    assert answer["Location"] == reverse("sprt-test", args=[sprt_test.pk])
    assert (sprt_test.elo1_centielo, sprt_test.clock_increment_ms) == (15_50, 50)
    page = pages.text_of(browser.get(answer["Location"]).content)
    assert "0 of at most 50" in page
    play_pair(open_pairs(sprt_test)[0], bots[0], (2, 2))
    sprt_tests.advance_due()
    page = browser.get(reverse("sprt-test-live", args=[sprt_test.pk])).content.decode()
    assert "<polyline" in page
    assert "1 of at most 50" in pages.text_of(page.encode())
    list_text = pages.text_of(browser.get(reverse("sprt")).content)
    assert bots[0].name in list_text
    assert "0 / 15.5" in list_text


@pytest.mark.long
def test_the_page_of_a_version_leads_to_a_sprt_test_against_the_one_before(
    ana: User, ben: User, bots: Sequence[Player]
) -> None:
    first = authors.version(ana, "Nilo 1").bot
    second = authors.version(ana, "Nilo 2").bot
    Bot.objects.filter(pk=first.pk).update(is_active=False)
    Bot.objects.filter(pk=second.pk).update(line=first.line, version=2, families=["perfect"])
    browser = pages.member(ana)
    version = browser.get(reverse("bot-version", args=[second.pk])).content.decode()
    link = f"{reverse('sprt-test-new')}?candidate={second.pk}"
    assert link in version
    form = browser.get(link).context["form"]
    assert (form["candidate"].value(), form["base"].value()) == (second.pk, first.pk)
    assert form["ruleset"].value().startswith("perfect(")
    for choice in (str(bots[0].bot.pk), "9" * 30, "x"):
        assert browser.get(reverse("sprt-test-new"), {"candidate": choice}).status_code == 200
    of_another = pages.member(ben).get(link).context["form"]
    assert of_another["candidate"].value() is None


def test_a_trace_keeps_within_its_picture_and_a_long_one_is_thinned() -> None:
    assert paths.llr_chart([], -2.9, 2.9) is None
    rng = random.Random(1)
    ratios = [0.0]
    for _ in range(5_000):
        ratios.append(ratios[-1] + rng.uniform(-0.2, 0.21))
    trace = paths.llr_chart(ratios, -2.9, 2.9)
    assert trace is not None
    points = [tuple(map(float, point.split(","))) for point in trace.points.split()]
    assert len(points) < 1_000
    assert points[-1] == (trace.last_x, trace.last_y)
    assert all(trace.left <= x <= trace.right and 0 <= y <= trace.height for x, y in points)


@pytest.mark.long
def test_real_games_of_the_house_decide_a_sprt_test(ana: User, db: None) -> None:
    """The whole way with the referee: greedy against random is soon decided."""
    greedy = players.add_bot(name="Careful", engine="greedy")
    other = players.add_bot(name="Careless", engine="random")
    careful = plan(
        [greedy, other],
        ruleset="morlox(size=5)",
        elo1_centielo=300_00,
        clock=game_creation.Clock(20_000, 100),
    )
    sprt_test = sprt_tests.start(ana, careful)
    while sprt_test.state == SprtTest.State.RUNNING:
        matches.play_match(open_pairs(sprt_test)[0].match_id)
        sprt_tests.advance_due()
        sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.PASSED
