"""SPRT tests of one bot against another.

Matches are scheduled pair by pair until the likelihood ratio decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Max, Q

import games
from engine.stats.sprt import SprtVerdict, log_likelihood_ratio
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Bot, SprtPair, SprtTest, Suite, User
from tournaments.models.sprt import MAX_PAIRS
from tournaments.queries.bots import bot_pairs, sprt_tables
from tournaments.queries.matches import fuel_terms
from tournaments.services.bots import suites
from tournaments.services.games import game_creation
from tournaments.services.matches import matches
from tournaments.services.notifications import news

RUNNING_AN_AUTHOR = 3
# A test ends without a verdict when this number of pairs are repetitions, and at least the number
# of those that count.
MOST_REPETITIONS = 20
# A retired version may still be the base for a new one.
TESTABLE = frozenset({Bot.State.READY, Bot.State.RETIRED})
_VERDICTS = {
    SprtVerdict.ACCEPTED: SprtTest.State.PASSED,
    SprtVerdict.REJECTED: SprtTest.State.FAILED,
}
_COUNTED = frozenset({SprtTest.State.PASSED, SprtTest.State.FAILED, SprtTest.State.OPEN})
_IN_NO_PLACE: Mapping[int, int] = {}


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of an SPRT test.

    `elo0` and `elo1` are in hundredths of a point of the model, error rates in thousandths. Pairs
    begin from `suite`. Without a suite their set-ups are drawn. With `second_clock`, a second stage
    with the longer clock follows when the first one has passed. With `fuel` modules have that many
    units for each ply instead of the clock, and with a `volunteer_priority` volunteers may play them.
    """

    candidate: Bot
    base: Bot
    ruleset: str
    clock: game_creation.Clock
    elo0_centielo: int = 0
    elo1_centielo: int = 20_00
    model: str = SprtTest.Model.LOGISTIC
    alpha_thousandths: int = 50
    beta_thousandths: int = 50
    max_pairs: int = 1_000
    suite: Suite | None = None
    second_clock: game_creation.Clock | None = None
    fuel: int | None = None
    volunteer_priority: int | None = None


def start(owner: User, plan: Plan) -> SprtTest:
    """Start an SPRT test immediately and return it.

    Raises:
        NotAllowedError: `not-your-bot`: both must be the author's own, or built-in bots.
        RefusedError: `trial-bots` (one bot twice, or not ready), `bot-other-game`, `trial-bounds`,
            `trial-clocks`, `trials-many`, `ruleset-bad`, `suite-game`, or as
            `fuel_terms.require`.
    """
    if plan.candidate.pk == plan.base.pk:
        raise RefusedError("trial-bots", plan.candidate.player.name)
    for bot in (plan.candidate, plan.base):
        if bot.line is not None and bot.line.owner_id != owner.pk:
            raise NotAllowedError("not-your-bot", bot.player.name)
        if bot.state not in TESTABLE:
            raise RefusedError("trial-bots", bot.player.name)
    _require_bounds(plan)
    fuel_terms.require(plan.fuel, plan.volunteer_priority, (plan.candidate, plan.base))
    try:
        ruleset = games.load(plan.ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    for bot in (plan.candidate, plan.base):
        if not bot.plays(ruleset):
            raise RefusedError("bot-other-game", bot.player.name)
    if plan.suite is not None and plan.suite.ruleset != ruleset:
        raise RefusedError("suite-game", plan.suite.ruleset)
    with transaction.atomic():
        # Lock the author's row, so that two simultaneous requests do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if SprtTest.objects.running().filter(owner=owner).count() >= RUNNING_AN_AUTHOR:
            raise RefusedError("trials-many", str(RUNNING_AN_AUTHOR))
        sprt_test = _create(owner, replace(plan, ruleset=ruleset))
    advance(sprt_test.pk)
    sprt_test.refresh_from_db()
    return sprt_test


def _create(owner: User, plan: Plan, first_stage: SprtTest | None = None) -> SprtTest:
    second = plan.second_clock
    sprt_test = SprtTest.objects.create(
        owner=owner,
        candidate=plan.candidate,
        base=plan.base,
        ruleset=plan.ruleset,
        clock_initial_ms=plan.clock.initial_ms,
        clock_increment_ms=plan.clock.increment_ms,
        second_initial_ms=second.initial_ms if second else None,
        second_increment_ms=second.increment_ms if second else None,
        first_stage=first_stage,
        model=plan.model,
        elo0_centielo=plan.elo0_centielo,
        elo1_centielo=plan.elo1_centielo,
        alpha_thousandths=plan.alpha_thousandths,
        beta_thousandths=plan.beta_thousandths,
        max_pairs=plan.max_pairs,
        suite=plan.suite,
        fuel=plan.fuel,
        volunteer_priority=plan.volunteer_priority,
        seed=0,
        created_at=database_time.now(),
    )
    # The seed differs, so that another SPRT test of these two has other games.
    sprt_test.seed = sprt_test.pk * 1_000_003
    sprt_test.save(update_fields=["seed"])
    return sprt_test


def _begin_second_stage(first: SprtTest) -> None:
    """Begin the stage with the longer clock, with the bounds of the first stage."""
    clock = sprt_tables.second_clock(first)
    assert clock is not None  # the state is only of tests with two clocks
    plan = Plan(
        candidate=first.candidate,
        base=first.base,
        ruleset=first.ruleset,
        clock=clock,
        model=first.model,
        elo0_centielo=first.elo0_centielo,
        elo1_centielo=first.elo1_centielo,
        alpha_thousandths=first.alpha_thousandths,
        beta_thousandths=first.beta_thousandths,
        max_pairs=first.max_pairs,
        suite=first.suite,
    )
    _create(first.owner, plan, first)


def base_of(owner: User, candidate: Bot, base_id: int | None) -> Bot:
    """Return the base of a version's test: the bot of this id, or the previous version.

    Raises RefusedError `trial-bots` if there is no bot that `owner` may test with.
    """
    usable = Bot.objects.testable_by(owner)
    if base_id is not None:
        base = usable.filter(pk=base_id).first()
    else:
        base = usable.filter(line=candidate.line_id, version__lt=candidate.version).first()
    if base is None:
        raise RefusedError("trial-bots", candidate.player.name)
    return base


def _require_bounds(plan: Plan) -> None:
    try:
        sprt_tables.exact_test(plan)
    except ValueError as error:
        raise RefusedError("trial-bounds", str(error)) from error
    if plan.model not in SprtTest.Model.values or not 10 <= plan.max_pairs <= MAX_PAIRS:
        raise RefusedError("trial-bounds", plan.model)
    second = plan.second_clock
    if second and (second.initial_ms <= plan.clock.initial_ms or plan.fuel is not None):
        raise RefusedError("trial-clocks", second.text())
    if max(abs(plan.elo0_centielo), abs(plan.elo1_centielo)) > 1_000_00:
        raise RefusedError("trial-bounds", "more than 1000 points")


def advance(sprt_test_id: int) -> None:
    """Count the pairs that have ended, decide, and schedule the SPRT test's share of pairs."""
    with transaction.atomic():
        sprt_test = SprtTest.objects.select_for_update(no_key=True).filter(pk=sprt_test_id).first()
        if sprt_test is None or sprt_test.state != SprtTest.State.RUNNING:
            return
        if _count_pairs(sprt_test):
            news.announce(news.of_sprt_test(sprt_test.pk), "pair")
        if sprt_test.state == SprtTest.State.ADVANCED:
            _begin_second_stage(sprt_test)
        if sprt_test.state == SprtTest.State.RUNNING and not _is_testable(sprt_test):
            _end(sprt_test, SprtTest.State.STOPPED, "one of its bots may not play any more")
        if sprt_test.state == SprtTest.State.RUNNING and bot_pairs.are_failing(
            sprt_test.pairs.all()
        ):
            _end(sprt_test, SprtTest.State.STOPPED, "too many games failed because of the service")
        if sprt_test.state == SprtTest.State.RUNNING:
            _feed(sprt_test)


def _is_testable(sprt_test: SprtTest) -> bool:
    """Return whether both may play: a version may have been suspended since the SPRT test began."""
    both = Bot.objects.filter(
        pk__in=[sprt_test.candidate_id, sprt_test.base_id], state__in=TESTABLE
    )
    return both.count() == 2


def recount(sprt_test_id: int) -> None:
    """Count all pairs again, in their order, after results were taken back.

    A test whose verdict no longer follows is running again.
    """
    with transaction.atomic():
        sprt_test = SprtTest.objects.select_for_update(no_key=True).get(pk=sprt_test_id)
        placed = sprt_test.pairs.filter(place__isnull=False).order_by("place")
        places = {pk: place for place, pk in enumerate(placed.values_list("pk", flat=True))}
        columns = {"score_halves": None, "place": None, "llr_millionths": None}
        sprt_test.pairs.update(**columns, is_repetition=False)
        if sprt_test.state in _COUNTED:
            sprt_test.state, sprt_test.reason = SprtTest.State.RUNNING, ""
            sprt_test.ended_at = None
            sprt_test.save(update_fields=["state", "reason", "ended_at"])
        _count_pairs(sprt_test, places)
    advance(sprt_test_id)


def advance_due() -> None:
    """Advance every SPRT test that has pairs to count, or room for another pair."""
    for sprt_test in SprtTest.objects.running().order_by("pk").only("owner", "volunteer_priority"):
        if bot_pairs.are_due(sprt_test.pairs.all(), _share(sprt_test)):
            advance(sprt_test.pk)


def stop(*, sprt_test_id: int, actor: User) -> SprtTest:
    """End an SPRT test without a verdict.

    Pairs that are being played end uncounted. Raises NotAllowedError `not-your-trial`.
    """
    with transaction.atomic():
        sprt_test = SprtTest.objects.select_for_update(no_key=True).get(pk=sprt_test_id)
        if sprt_test.owner_id != actor.pk and not actor.is_superuser:
            raise NotAllowedError("not-your-trial", str(sprt_test_id))
        if sprt_test.state == SprtTest.State.RUNNING:
            _end(sprt_test, SprtTest.State.STOPPED, "stopped by its author")
        return sprt_test


def _count_pairs(sprt_test: SprtTest, places: Mapping[int, int] = _IN_NO_PLACE) -> int:
    """Count the ended pairs, one by one, until a verdict. Return the number of pairs read.

    Pairs come in the order of their `places`, if they had one, and then of their numbers. A
    repetition of earlier pairs never counts.
    """
    test, outcomes = sprt_tables.exact_test(sprt_test), sprt_tables.outcomes_of(sprt_test)
    is_running = sprt_test.state == SprtTest.State.RUNNING
    count = 0
    pairs = bot_pairs.uncounted(sprt_test.pairs.order_by("number"))
    for pair in sorted(pairs, key=lambda each: places.get(each.pk, MAX_PAIRS + each.number)):
        count += 1
        if bot_pairs.is_repetition(sprt_test.pairs.all(), pair):
            SprtPair.objects.filter(pk=pair.pk).update(is_repetition=True)
            continue
        halves = bot_pairs.halves_of(sprt_test.candidate.player_id, pair.match.games.all())
        outcomes = outcomes.plus(halves=halves)
        pair.score_halves = halves
        pair.place = sum(outcomes.counts)
        pair.llr_millionths = round(1_000_000 * log_likelihood_ratio(test, outcomes))
        pair.save(update_fields=["score_halves", "place", "llr_millionths"])
        verdict = test.verdict(outcomes)
        if verdict is not SprtVerdict.GOING_ON and is_running:
            _end(sprt_test, _state_after(sprt_test, verdict))
            return count
    if not is_running:
        return count
    repeated = sprt_tables.repetitions(sprt_test)
    if sum(outcomes.counts) + repeated >= sprt_test.max_pairs:
        _end(sprt_test, SprtTest.State.OPEN)
    elif repeated >= max(MOST_REPETITIONS, sum(outcomes.counts)):
        _end(sprt_test, SprtTest.State.OPEN, "its games repeat: start from more positions")
    return count


def _state_after(sprt_test: SprtTest, verdict: SprtVerdict) -> SprtTest.State:
    """Return the state after a verdict. A stage that a second one follows does not pass the test."""
    state = _VERDICTS[verdict]
    if state == SprtTest.State.PASSED and sprt_test.second_initial_ms is not None:
        return SprtTest.State.ADVANCED
    return state


def _share(sprt_test: SprtTest) -> int:
    """Return the number of pairs of the SPRT test that may wait or be played at a time."""
    own = bot_pairs.share(SprtTest.objects.running(), sprt_test.owner_id)
    if sprt_test.volunteer_priority is None:
        return own
    return own + bot_pairs.volunteer_share(database_time.now())


def _feed(sprt_test: SprtTest) -> None:
    # Pairs in progress will count. Few more are begun than are needed.
    open_count = sprt_tables.under_way(sprt_test)
    count = sprt_test.pairs.filter(Q(place__isnull=False) | Q(is_repetition=True)).count()
    missing = min(_share(sprt_test) - open_count, sprt_test.max_pairs - count - open_count)
    if missing <= 0:
        return
    last = sprt_test.pairs.aggregate(last=Max("number"))["last"] or 0
    setups = suites.setups(sprt_test.suite, sprt_test.ruleset, sprt_test.seed, last + missing)
    for number in range(last + 1, last + missing + 1):
        match = matches.schedule(
            ruleset=sprt_test.ruleset,
            setup=setups[number - 1],
            players=(sprt_test.candidate.player, sprt_test.base.player),
            clock=game_creation.Clock(sprt_test.clock_initial_ms, sprt_test.clock_increment_ms),
            fuel=sprt_test.fuel,
            games_count=2,
            is_rated=False,
            requester=sprt_test.owner,
            volunteer_priority=sprt_test.volunteer_priority,
        )
        SprtPair.objects.create(sprt_test=sprt_test, number=number, match=match)


def _end(sprt_test: SprtTest, state: SprtTest.State, reason: str = "") -> None:
    sprt_test.state, sprt_test.reason, sprt_test.ended_at = state, reason, database_time.now()
    sprt_test.save(update_fields=["state", "reason", "ended_at"])
    matches.call_off_pairs(sprt_test.pairs.all(), bot_pairs.Over.SPRT_TEST)
    news.announce(news.of_sprt_test(sprt_test.pk), "verdict", {"state": state.value})
