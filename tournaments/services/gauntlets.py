"""Gauntlets: an author's version against one bot or several, with a number of unrated pairs against each.

A gauntlet with parameters is a tuning (`tunings`). It has two pairs for each iteration.

Pairs are scheduled a few at a time, first against the opponent with the fewest, so that the table
fills evenly. The consent of the opponents' authors is checked again for each pair.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Q, QuerySet

import games
from engine.stats.spsa import Parameter
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    Bot,
    Gauntlet,
    GauntletOpponent,
    GauntletPair,
    Player,
    Pool,
    Rating,
    Suite,
    User,
)
from tournaments.models.gauntlets import MAX_GAUNTLET_PAIRS
from tournaments.queries.bots import bot_pairs, gauntlet_tables, tunings
from tournaments.queries.matches import fuel_terms
from tournaments.queries.ratings import pools
from tournaments.services import tuned_pairs
from tournaments.services.accounts import consent_checks
from tournaments.services.bots import suites
from tournaments.services.games import game_creation
from tournaments.services.matches import matches
from tournaments.services.notifications import news

MAX_OPPONENTS = 20
RUNNING_AN_AUTHOR = 2
TUNINGS_AN_AUTHOR = 1
# A version that was retired may still be compared with others by its author.
PLAYABLE = frozenset({Bot.State.READY, Bot.State.RETIRED})


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a gauntlet: against one opponent it is a match on demand.

    Pairs begin from `suite`. Without a suite their set-ups are drawn. With `fuel` modules have that
    many units for each ply instead of the clock, and with a `volunteer_priority` volunteers may
    play them. With `parameters` it is a tuning against one opponent, with `iterations` in place of
    `pairs_each`.
    """

    candidate: Bot
    opponents: Sequence[Bot]
    ruleset: str
    clock: game_creation.Clock
    pairs_each: int = 10
    suite: Suite | None = None
    is_regression: bool = False
    fuel: int | None = None
    volunteer_priority: int | None = None
    parameters: Sequence[Parameter] = ()
    iterations: int = tunings.USUAL_ITERATIONS

    @property
    def is_tuning(self) -> bool:
        """Return whether it tunes numbers of the candidate."""
        return bool(self.parameters)

    @property
    def all_pairs_each(self) -> int:
        """Return the number of pairs against each opponent."""
        return 2 * self.iterations if self.is_tuning else self.pairs_each


@dataclass(frozen=True, slots=True)
class PossibleOpponent:
    """A bot that a gauntlet can be played against, with its rating in the pool of such games."""

    bot: Bot
    rating: Rating | None


def start(owner: User, plan: Plan) -> Gauntlet:
    """Start a gauntlet immediately and return it.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `gauntlet-bots`, `gauntlet-pairs`, `gauntlets-many`, `ruleset-bad`,
            `bot-other-game`, `suite-game`, `tuning-opponent`, `tunings-many`, as
            `fuel_terms.require` and `tunings.require`, or the code of
            `consent_checks.require_match` for an opponent.
    """
    ruleset = _require_plan(owner, plan)
    with transaction.atomic():
        # Lock the author's row, so that two simultaneous requests do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        _require_room(owner, plan)
        gauntlet = Gauntlet.objects.create(
            owner=owner,
            candidate=plan.candidate,
            ruleset=ruleset,
            clock_initial_ms=plan.clock.initial_ms,
            clock_increment_ms=plan.clock.increment_ms,
            pairs_each=plan.all_pairs_each,
            iterations=plan.iterations if plan.is_tuning else None,
            seed=secrets.randbits(48),
            suite=plan.suite,
            is_regression=plan.is_regression,
            fuel=plan.fuel,
            volunteer_priority=plan.volunteer_priority,
            created_at=database_time.now(),
        )
        GauntletOpponent.objects.bulk_create(
            [GauntletOpponent(gauntlet=gauntlet, bot=bot) for bot in plan.opponents]
        )
        tuned_pairs.create(gauntlet, plan.parameters)
    advance(gauntlet.pk)
    gauntlet.refresh_from_db()
    return gauntlet


def _require_room(owner: User, plan: Plan) -> None:
    """Raise RefusedError while the author has as many gauntlets, or tunings, as may run."""
    most = TUNINGS_AN_AUTHOR if plan.is_tuning else RUNNING_AN_AUTHOR
    running = Gauntlet.objects.running().filter(owner=owner)
    if running.filter(iterations__isnull=not plan.is_tuning).count() >= most:
        raise RefusedError("tunings-many" if plan.is_tuning else "gauntlets-many", str(most))


def _require_plan(owner: User, plan: Plan) -> str:
    """The key of the rule set of a plan that can be played. Raises as `start`."""
    candidate, opponents = plan.candidate, plan.opponents
    if candidate.line_id is None or candidate.owner_id != owner.pk:
        raise NotAllowedError("not-your-bot", candidate.player.name)
    ids = {bot.pk for bot in opponents}
    if not 1 <= len(opponents) <= MAX_OPPONENTS or len(ids) < len(opponents):
        raise RefusedError("gauntlet-bots", f"{len(opponents)} opponents")
    if candidate.pk in ids or candidate.state not in PLAYABLE or candidate.is_remote:
        raise RefusedError("gauntlet-bots", candidate.player.name)
    _require_pairs(plan)
    try:
        ruleset = games.load(plan.ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    if not candidate.plays(ruleset):
        raise RefusedError("bot-other-game", candidate.player.name)
    if plan.suite is not None and plan.suite.ruleset != ruleset:
        raise RefusedError("suite-game", plan.suite.ruleset)
    fuel_terms.require(plan.fuel, plan.volunteer_priority, (candidate, *opponents))
    clock = plan.clock if plan.fuel is None else None
    for bot in opponents:
        code = _refusal(bot, owner, ruleset, clock)
        if code:
            raise RefusedError(code, bot.player.name)
    return ruleset


def _require_pairs(plan: Plan) -> None:
    """Raise RefusedError for a number of pairs, or for a tuning, that cannot be played."""
    if plan.is_tuning:
        if len(plan.opponents) > 1:
            raise RefusedError("tuning-opponent", f"{len(plan.opponents)} opponents")
        tunings.require(plan.candidate, plan.parameters, plan.iterations)
    elif not 1 <= plan.pairs_each <= MAX_GAUNTLET_PAIRS:
        raise RefusedError("gauntlet-pairs", str(plan.pairs_each))


def _refusal(bot: Bot, owner: User, ruleset: str, clock: game_creation.Clock | None) -> str:
    """Return the code of the reason against a pair with the bot, or an empty text if one is possible.

    Without a clock the pair is played under fuel.
    """
    is_playable = bot.state in PLAYABLE if bot.owner_id == owner.pk else bot.is_active
    if bot.is_remote or not is_playable:
        return "gauntlet-bots" if bot.is_remote else "bot-inactive"
    if not bot.plays(ruleset):
        return "bot-other-game"
    return consent_checks.match_code(bot, owner, ruleset=ruleset, clock=clock)


def possible_opponents(
    owner: User, candidate: Bot, ruleset: str, terms: fuel_terms.Terms
) -> list[PossibleOpponent]:
    """Return the bots that can be opponents of the candidate, earlier versions of the author's own too.

    Bots with a rating in the pool of such games come first, the strongest at their head.
    """
    is_own = Q(owner=owner, line__isnull=False, state__in=PLAYABLE)
    bots = Bot.objects.filter(Q(is_active=True) | is_own).exclude(pk=candidate.pk)
    bots = bots.select_related("player").defer("check_log").order_by("player__canonical")
    clock = terms.clock
    if terms.fuel is not None:
        bots = bots.filter(player__in=Player.objects.metered())
    deciding = clock if terms.fuel is None else None
    allowed = [bot for bot in bots if not _refusal(bot, owner, ruleset, deciding)]
    pool = pools.key_for(ruleset, clock.initial_ms, clock.increment_ms, Pool.Kind.BOTS)
    rated = Rating.objects.filter(pool__key=pool, player__bot__in=allowed)
    ratings = {rating.player_id: rating for rating in rated}
    rows = [PossibleOpponent(bot, ratings.get(bot.player_id)) for bot in allowed]
    return sorted(rows, key=lambda row: -row.rating.centielo if row.rating else 0)


def advance(gauntlet_id: int) -> None:
    """Count the pairs that have ended, schedule the gauntlet's share of others, and end it after the last."""
    with transaction.atomic():
        rows = Gauntlet.objects.running().select_for_update(of=("self",), no_key=True)
        gauntlet = rows.select_related("candidate__player", "owner").filter(pk=gauntlet_id).first()
        if gauntlet is None:
            return
        if _count_pairs(gauntlet):
            if gauntlet.is_tuning:
                tuned_pairs.count_iterations(gauntlet)
            news.announce(news.of_gauntlet(gauntlet.pk), "pair")
        if gauntlet.candidate.state not in PLAYABLE:
            _end(gauntlet, Gauntlet.State.STOPPED, "bot-inactive")
        elif bot_pairs.are_failing(_pairs(gauntlet)):
            _end(gauntlet, Gauntlet.State.STOPPED, "gauntlet-void")
        else:
            _feed(gauntlet)


def recount(gauntlet_id: int) -> None:
    """Count all pairs again after results were taken back. One that was over plays the missing pairs."""
    with transaction.atomic():
        gauntlet = Gauntlet.objects.select_for_update(no_key=True).get(pk=gauntlet_id)
        _pairs(gauntlet).update(score_halves=None, is_repetition=False)
        _count_pairs(gauntlet)
        Gauntlet.objects.filter(pk=gauntlet_id, state=Gauntlet.State.DONE).update(
            state=Gauntlet.State.RUNNING, ended_at=None
        )
    advance(gauntlet_id)


def advance_due() -> None:
    """Advance every gauntlet that has pairs to count, or room for another pair."""
    for gauntlet in Gauntlet.objects.running().order_by("pk").only("owner", "volunteer_priority"):
        if bot_pairs.are_due(_pairs(gauntlet), _share(gauntlet)):
            advance(gauntlet.pk)


def stop(*, gauntlet_id: int, actor: User) -> Gauntlet:
    """End a gauntlet early and cancel its waiting pairs.

    Raises NotAllowedError `not-your-gauntlet`.
    """
    with transaction.atomic():
        gauntlet = Gauntlet.objects.select_for_update(no_key=True).get(pk=gauntlet_id)
        if gauntlet.owner_id != actor.pk and not actor.is_superuser:
            raise NotAllowedError("not-your-gauntlet", str(gauntlet_id))
        if gauntlet.state == Gauntlet.State.RUNNING:
            _end(gauntlet, Gauntlet.State.STOPPED, "gauntlet-stopped")
        return gauntlet


def _pairs(gauntlet: Gauntlet) -> QuerySet[GauntletPair]:
    return GauntletPair.objects.filter(opponent__gauntlet=gauntlet)


def _count_pairs(gauntlet: Gauntlet) -> int:
    """Count the pairs that have ended. Return their number."""
    pairs = list(
        bot_pairs.uncounted(_pairs(gauntlet)).select_related("match", "opponent").order_by("pk")
    )
    for pair in pairs:
        # A tuning needs the result of each pair, and values that are no better may repeat a game.
        if not gauntlet.is_tuning and bot_pairs.is_repetition(pair.opponent.pairs.all(), pair):
            GauntletPair.objects.filter(pk=pair.pk).update(is_repetition=True)
            continue
        halves = bot_pairs.halves_of(gauntlet.candidate.player_id, pair.match.games.all())
        GauntletPair.objects.filter(pk=pair.pk).update(score_halves=halves)
    return len(pairs)


def _share(gauntlet: Gauntlet) -> int:
    """Return the number of the gauntlet's pairs that may wait or be played at a time."""
    own = bot_pairs.share(Gauntlet.objects.running(), gauntlet.owner_id)
    if gauntlet.volunteer_priority is None:
        return own
    return own + bot_pairs.volunteer_share(database_time.now())


def _feed(gauntlet: Gauntlet) -> None:
    """Schedule pairs up to the share, or end the gauntlet if all pairs are played."""
    rows = list(gauntlet_tables.table(gauntlet).rows)
    missing = {
        row.opponent: tuned_pairs.missing_pairs(gauntlet)
        if gauntlet.is_tuning
        else gauntlet.pairs_each - row.score.pairs - row.repetitions - row.under_way
        for row in rows
        if not row.opponent.stop_code
    }
    room = _share(gauntlet) - sum(row.under_way for row in rows)
    now = database_time.now()
    waiting = {opponent for opponent, pairs in missing.items() if pairs > 0}
    while room > 0 and waiting:
        opponent = max(waiting, key=lambda each: (missing[each], -each.pk))
        if not _has_consent(gauntlet, opponent):
            waiting.discard(opponent)
            missing[opponent] = 0
        elif consent_checks.unavailable([opponent.bot.player_id], now):
            waiting.discard(opponent)  # until it has room
        else:
            _schedule(gauntlet, opponent)
            room -= 1
            missing[opponent] -= 1
            if missing[opponent] == 0:
                waiting.discard(opponent)
    if any(pairs > 0 for pairs in missing.values()):
        return
    pairs = _pairs(gauntlet)
    if not bot_pairs.under_way(pairs).exists() and not bot_pairs.uncounted(pairs).exists():
        _end(gauntlet, Gauntlet.State.DONE)


def _has_consent(gauntlet: Gauntlet, opponent: GauntletOpponent) -> bool:
    """Return whether its author still allows a pair against it.

    Without consent no further pair is played.
    """
    clock = _clock(gauntlet) if gauntlet.fuel is None else None
    code = _refusal(opponent.bot, gauntlet.owner, gauntlet.ruleset, clock)
    if code:
        GauntletOpponent.objects.filter(pk=opponent.pk).update(stop_code=code)
    return not code


def _schedule(gauntlet: Gauntlet, opponent: GauntletOpponent) -> None:
    number = (opponent.pairs.aggregate(last=Max("number"))["last"] or 0) + 1
    draw = tuned_pairs.next_draw(gauntlet) if gauntlet.is_tuning else None
    match = matches.schedule(
        ruleset=gauntlet.ruleset,
        setup=_setup(gauntlet, number if draw is None else draw.iteration.number),
        players=(gauntlet.candidate.player, opponent.bot.player),
        clock=_clock(gauntlet),
        fuel=gauntlet.fuel,
        games_count=2,
        is_rated=False,
        requester=gauntlet.owner,
        volunteer_priority=gauntlet.volunteer_priority,
    )
    pair = GauntletPair.objects.create(opponent=opponent, number=number, match=match)
    if draw is not None:
        tuned_pairs.attach(draw, pair)


def _setup(gauntlet: Gauntlet, number: int) -> str:
    """Return the set-up of the pairs of this number, or of a tuning's iteration: one for all opponents."""
    return suites.setups(gauntlet.suite, gauntlet.ruleset, gauntlet.seed, number)[number - 1]


def _clock(gauntlet: Gauntlet) -> game_creation.Clock:
    return game_creation.Clock(gauntlet.clock_initial_ms, gauntlet.clock_increment_ms)


def _end(gauntlet: Gauntlet, state: Gauntlet.State, stop_code: str = "") -> None:
    gauntlet.state, gauntlet.stop_code = state, stop_code
    gauntlet.ended_at = database_time.now()
    gauntlet.save(update_fields=["state", "stop_code", "ended_at"])
    matches.call_off_pairs(_pairs(gauntlet), bot_pairs.Over.GAUNTLET)
    news.announce(news.of_gauntlet(gauntlet.pk), "end", {"state": state.value})
