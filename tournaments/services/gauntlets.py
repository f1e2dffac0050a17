"""Gauntlets: a version of an author's against one bot or several, so many unrated pairs against each.

Pairs are scheduled a few at a time, those against the opponent first that has had fewest, so that
the table fills evenly. The authors of the opponents are asked by their consent, for each pair anew.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Max, Prefetch, Q

import games
from engine.stats.outcomes import Outcomes, score_interval_difference
from tournaments.models import (
    Bot,
    Game,
    Gauntlet,
    GauntletOpponent,
    GauntletPair,
    Match,
    Pool,
    Rating,
    Suite,
    User,
)
from tournaments.models.gauntlets import MAX_GAUNTLET_PAIRS
from tournaments.services import database_time
from tournaments.services.accounts import consent_checks
from tournaments.services.bots import suites
from tournaments.services.errors import NotAllowedError, RefusedError
from tournaments.services.games import game_creation
from tournaments.services.matches import matches, pair_scores
from tournaments.services.notifications import news
from tournaments.services.ratings import pools

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet

    from engine.stats.elo import EloDifference

MAX_OPPONENTS = 20
RUNNING_AN_AUTHOR = 2
# Pairs of all gauntlets that wait or are played at a time, shared among authors first and then among
# the gauntlets of each.
PAIRS_AT_ONCE = 8
# Pairs that fail for reasons of ours are played again, so many of a gauntlet.
MAX_VOID_PAIRS = 10
# A version that was retired may still be compared with others by its author.
_PLAYABLE = frozenset({Bot.State.READY, Bot.State.RETIRED})
_UNDER_WAY = (Match.State.QUEUED, Match.State.LEASED)


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a gauntlet: against one opponent it is a match on demand.

    Pairs begin from `suite`; without one their set-ups are drawn.
    """

    candidate: Bot
    opponents: Sequence[Bot]
    ruleset: str
    clock: game_creation.Clock
    pairs_each: int = 10
    suite: Suite | None = None


@dataclass(frozen=True, slots=True)
class PossibleOpponent:
    """A bot that a gauntlet can be played against, with its rating in the pool of such games."""

    bot: Bot
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Score:
    """How the candidate stands, against one opponent or against all.

    Attributes:
        counts: pairs by the candidate's score in them, from two losses to two wins.
        elo: the candidate's difference with its 95 % interval; None before the first pair.
    """

    counts: tuple[int, ...]
    elo: EloDifference | None

    @classmethod
    def of(cls, counts: Sequence[int]) -> Score:
        """The score of these counts."""
        outcomes = Outcomes(tuple(counts))
        return cls(outcomes.counts, score_interval_difference(outcomes) if any(counts) else None)

    @property
    def pairs(self) -> int:
        """How many pairs have counted."""
        return sum(self.counts)

    @property
    def halves(self) -> int:
        """The candidate's half points."""
        return sum(halves * count for halves, count in enumerate(self.counts))

    @property
    def share_thousandths(self) -> int:
        """The candidate's points of all that there were, in thousandths; 500 before the first pair."""
        return round(1000 * self.halves / (4 * self.pairs)) if self.pairs else 500


@dataclass(frozen=True, slots=True)
class Row:
    """One opponent, how the candidate stands against it, and how many pairs wait or are played."""

    opponent: GauntletOpponent
    score: Score
    under_way: int


@dataclass(frozen=True, slots=True)
class Table:
    """Where a gauntlet stands: a row for each opponent, and all of them together."""

    rows: Sequence[Row]
    total: Score

    @property
    def under_way(self) -> int:
        """How many pairs wait or are being played."""
        return sum(row.under_way for row in self.rows)


def start(owner: User, plan: Plan) -> Gauntlet:
    """A gauntlet that begins at once.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `gauntlet-bots`, `gauntlet-pairs`, `gauntlets-many`, `ruleset-bad`,
            `bot-other-game`, `suite-game`, or what `consent_checks.require_match` says of an opponent.
    """
    ruleset = _require_plan(owner, plan)
    with transaction.atomic():
        # One row of the author's, so that two requests at once do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if Gauntlet.objects.running().filter(owner=owner).count() >= RUNNING_AN_AUTHOR:
            raise RefusedError("gauntlets-many", str(RUNNING_AN_AUTHOR))
        gauntlet = Gauntlet.objects.create(
            owner=owner,
            candidate=plan.candidate,
            ruleset=ruleset,
            clock_initial_ms=plan.clock.initial_ms,
            clock_increment_ms=plan.clock.increment_ms,
            pairs_each=plan.pairs_each,
            seed=secrets.randbits(48),
            suite=plan.suite,
            created_at=database_time.now(),
        )
        GauntletOpponent.objects.bulk_create(
            [GauntletOpponent(gauntlet=gauntlet, bot=bot) for bot in plan.opponents]
        )
    advance(gauntlet.pk)
    gauntlet.refresh_from_db()
    return gauntlet


def _require_plan(owner: User, plan: Plan) -> str:
    """The key of the rule set of a plan that can be played. Raises as `start`."""
    candidate, opponents = plan.candidate, plan.opponents
    if candidate.line_id is None or candidate.owner_id != owner.pk:
        raise NotAllowedError("not-your-bot", candidate.player.name)
    ids = {bot.pk for bot in opponents}
    if not 1 <= len(opponents) <= MAX_OPPONENTS or len(ids) < len(opponents):
        raise RefusedError("gauntlet-bots", f"{len(opponents)} opponents")
    if candidate.pk in ids or candidate.state not in _PLAYABLE or candidate.is_remote:
        raise RefusedError("gauntlet-bots", candidate.player.name)
    if not 1 <= plan.pairs_each <= MAX_GAUNTLET_PAIRS:
        raise RefusedError("gauntlet-pairs", str(plan.pairs_each))
    try:
        ruleset = games.load(plan.ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    if not candidate.plays(ruleset):
        raise RefusedError("bot-other-game", candidate.player.name)
    if plan.suite is not None and plan.suite.ruleset != ruleset:
        raise RefusedError("suite-game", plan.suite.ruleset)
    for bot in opponents:
        code = _refusal(bot, owner, ruleset, plan.clock)
        if code:
            raise RefusedError(code, bot.player.name)
    return ruleset


def _refusal(bot: Bot, owner: User, ruleset: str, clock: game_creation.Clock) -> str:
    """The code of why no pair is played against the bot; empty where one can be."""
    is_playable = bot.state in _PLAYABLE if bot.owner_id == owner.pk else bot.is_active
    if bot.is_remote or not is_playable:
        return "gauntlet-bots" if bot.is_remote else "bot-inactive"
    if not bot.plays(ruleset):
        return "bot-other-game"
    return consent_checks.match_code(bot, owner, ruleset=ruleset, clock=clock)


def possible_opponents(
    owner: User, candidate: Bot, ruleset: str, clock: game_creation.Clock
) -> list[PossibleOpponent]:
    """The bots that the candidate can be played against so, earlier versions of the author's own too.

    Those that are rated in the pool of such games come first, the strongest at their head.
    """
    is_own = Q(owner=owner, line__isnull=False, state__in=_PLAYABLE)
    bots = Bot.objects.filter(Q(is_active=True) | is_own).exclude(pk=candidate.pk)
    bots = bots.select_related("player").defer("check_log").order_by("player__canonical")
    allowed = [bot for bot in bots if not _refusal(bot, owner, ruleset, clock)]
    pool = pools.key_for(ruleset, clock.initial_ms, clock.increment_ms, Pool.Kind.BOTS)
    rated = Rating.objects.filter(pool__key=pool, player__bot__in=allowed)
    ratings = {rating.player_id: rating for rating in rated}
    rows = [PossibleOpponent(bot, ratings.get(bot.player_id)) for bot in allowed]
    return sorted(rows, key=lambda row: -row.rating.centielo if row.rating else 0)


def listing(*, state: str = "", bot_id: int | None = None) -> QuerySet[Gauntlet]:
    """All gauntlets, or those of a state, or of a bot on either side; with their versions and authors."""
    rows = Gauntlet.objects.select_related("candidate__player", "owner__player")
    if state:
        rows = rows.filter(state=state)
    if bot_id is not None:
        rows = rows.filter(Q(candidate=bot_id) | Q(opponents__bot=bot_id)).distinct()
    return rows


def table(gauntlet: Gauntlet) -> Table:
    """Where the gauntlet stands by the pairs that count."""
    return tables([gauntlet])[gauntlet.pk]


def tables(gauntlets: Sequence[Gauntlet]) -> Mapping[int, Table]:
    """Where several gauntlets stand, by their ids; pairs are counted by two queries."""
    ids = [gauntlet.pk for gauntlet in gauntlets]
    pairs = GauntletPair.objects.filter(opponent__gauntlet__in=ids).order_by()
    counted = pairs.filter(score_halves__isnull=False).values_list("opponent", "score_halves")
    counts: dict[int, list[int]] = {}
    for opponent_id, halves, number in counted.annotate(Count("pk")):
        counts.setdefault(opponent_id, [0] * 5)[halves or 0] = number
    waiting = pairs.filter(match__state__in=_UNDER_WAY).values_list("opponent")
    under_way = dict(waiting.annotate(Count("pk")))
    rows: dict[int, list[Row]] = {pk: [] for pk in ids}
    opponents = GauntletOpponent.objects.filter(gauntlet__in=ids).select_related("bot__player")
    for opponent in opponents.order_by("pk"):
        score = Score.of(counts.get(opponent.pk, [0] * 5))
        rows[opponent.gauntlet_id].append(Row(opponent, score, under_way.get(opponent.pk, 0)))
    return {pk: Table(each, _total(each)) for pk, each in rows.items()}


def _total(rows: Sequence[Row]) -> Score:
    return Score.of([sum(row.score.counts[halves] for row in rows) for halves in range(5)])


def pairs_of(gauntlet: Gauntlet) -> QuerySet[GauntletPair]:
    """The pairs that count, the latest first, with their games."""
    pairs = GauntletPair.objects.filter(opponent__gauntlet=gauntlet, score_halves__isnull=False)
    pairs = pairs.select_related("opponent__bot__player")
    both_games = Prefetch("match__games", Game.objects.order_by("number"))
    return pairs.prefetch_related(both_games).order_by("-pk")


# --- playing ---------------------------------------------------------------------------------------------------------


def advance(gauntlet_id: int) -> None:
    """Count the pairs that have ended, schedule the gauntlet's share of others, and end it after the last."""
    with transaction.atomic():
        rows = Gauntlet.objects.running().select_for_update(of=("self",), no_key=True)
        gauntlet = rows.select_related("candidate__player", "owner").filter(pk=gauntlet_id).first()
        if gauntlet is None:
            return
        if _count_pairs(gauntlet):
            news.announce(news.of_gauntlet(gauntlet.pk), "pair")
        if gauntlet.candidate.state not in _PLAYABLE:
            _end(gauntlet, Gauntlet.State.STOPPED, "bot-inactive")
        elif _void_pairs(gauntlet) > MAX_VOID_PAIRS:
            _end(gauntlet, Gauntlet.State.STOPPED, "gauntlet-void")
        else:
            _feed(gauntlet)


def advance_due() -> None:
    """Let every gauntlet go on that has something to count, or room for another pair."""
    for gauntlet_id in Gauntlet.objects.running().order_by("pk").values_list("pk", flat=True):
        pairs = GauntletPair.objects.filter(opponent__gauntlet=gauntlet_id)
        waits = pairs.filter(match__state__in=_UNDER_WAY).count()
        if waits < _share(gauntlet_id) or _ended_pairs(gauntlet_id).exists():
            advance(gauntlet_id)


def stop(*, gauntlet_id: int, actor: User) -> Gauntlet:
    """End a gauntlet early; pairs that wait are called off. Raises NotAllowedError `not-your-gauntlet`."""
    with transaction.atomic():
        gauntlet = Gauntlet.objects.select_for_update(no_key=True).get(pk=gauntlet_id)
        if gauntlet.owner_id != actor.pk and not actor.is_superuser:
            raise NotAllowedError("not-your-gauntlet", str(gauntlet_id))
        if gauntlet.state == Gauntlet.State.RUNNING:
            _end(gauntlet, Gauntlet.State.STOPPED, "gauntlet-stopped")
        return gauntlet


def _ended_pairs(gauntlet_id: int) -> QuerySet[GauntletPair]:
    """Pairs that are played whole and not counted yet."""
    pairs = GauntletPair.objects.filter(
        opponent__gauntlet=gauntlet_id, score_halves__isnull=True, match__state=Match.State.DONE
    )
    return pairs.exclude(match__games__result=Game.Result.VOID)


def _void_pairs(gauntlet: Gauntlet) -> int:
    is_void = Q(match__state=Match.State.FAILED) | Q(match__games__result=Game.Result.VOID)
    pairs = GauntletPair.objects.filter(opponent__gauntlet=gauntlet)
    return pairs.filter(is_void).distinct().count()


def _count_pairs(gauntlet: Gauntlet) -> int:
    """Count what has ended; how many pairs those were."""
    pairs = list(_ended_pairs(gauntlet.pk).select_related("match").order_by("pk"))
    for pair in pairs:
        halves = pair_scores.halves_of(gauntlet.candidate.player_id, pair.match.games.all())
        GauntletPair.objects.filter(pk=pair.pk).update(score_halves=halves)
    return len(pairs)


def _share(gauntlet_id: int) -> int:
    """How many pairs of the gauntlet may wait or be played at a time."""
    running = Gauntlet.objects.running()
    owners = running.order_by().values("owner").distinct().count()
    siblings = running.filter(owner__gauntlets=gauntlet_id).count()
    return max(1, PAIRS_AT_ONCE // max(1, owners) // max(1, siblings))


def _feed(gauntlet: Gauntlet) -> None:
    """Schedule pairs up to the share, or end the gauntlet where nothing is left to play."""
    rows = list(table(gauntlet).rows)
    missing = {
        row.opponent: gauntlet.pairs_each - row.score.pairs - row.under_way
        for row in rows
        if not row.opponent.stop_code
    }
    room = _share(gauntlet.pk) - sum(row.under_way for row in rows)
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
    is_under_way = GauntletPair.objects.filter(
        opponent__gauntlet=gauntlet, match__state__in=_UNDER_WAY
    )
    if not any(pairs > 0 for pairs in missing.values()) and not is_under_way.exists():
        _end(gauntlet, Gauntlet.State.DONE)


def _has_consent(gauntlet: Gauntlet, opponent: GauntletOpponent) -> bool:
    """Whether its author still allows a pair against it; where not, no further one is played."""
    code = _refusal(opponent.bot, gauntlet.owner, gauntlet.ruleset, _clock(gauntlet))
    if code:
        GauntletOpponent.objects.filter(pk=opponent.pk).update(stop_code=code)
    return not code


def _schedule(gauntlet: Gauntlet, opponent: GauntletOpponent) -> None:
    number = (opponent.pairs.aggregate(last=Max("number"))["last"] or 0) + 1
    match = matches.schedule(
        ruleset=gauntlet.ruleset,
        setup=_setup(gauntlet, number),
        players=(gauntlet.candidate.player, opponent.bot.player),
        clock=_clock(gauntlet),
        games_count=2,
        is_rated=False,
        requester=gauntlet.owner,
    )
    GauntletPair.objects.create(opponent=opponent, number=number, match=match)


def _setup(gauntlet: Gauntlet, number: int) -> str:
    """The set-up of the pairs of this number: the same against every opponent."""
    return suites.setups(gauntlet.suite, gauntlet.ruleset, gauntlet.seed, number)[number - 1]


def _clock(gauntlet: Gauntlet) -> game_creation.Clock:
    return game_creation.Clock(gauntlet.clock_initial_ms, gauntlet.clock_increment_ms)


def _end(gauntlet: Gauntlet, state: Gauntlet.State, stop_code: str = "") -> None:
    gauntlet.state, gauntlet.stop_code = state, stop_code
    gauntlet.ended_at = database_time.now()
    gauntlet.save(update_fields=["state", "stop_code", "ended_at"])
    waiting = GauntletPair.objects.filter(
        opponent__gauntlet=gauntlet, match__state=Match.State.QUEUED
    )
    for match_id in waiting.values_list("match", flat=True):
        matches.call_off(match_id, "the gauntlet is over")
    news.announce(news.of_gauntlet(gauntlet.pk), "end", {"state": state.value})
