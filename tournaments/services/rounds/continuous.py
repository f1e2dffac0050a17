"""Continuous formats: waiting players are paired again and again until pairing stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from django.db.models import Count, Max

from tournaments import database_time, pairing
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Game, Pairing, Player, Pool, Rating, Round
from tournaments.pairing import Contestant, PairingProblem
from tournaments.queries import formats
from tournaments.queries.accounts import ownership
from tournaments.queries.events import seed_chain
from tournaments.queries.ratings import bradley_terry_table, estimates
from tournaments.queries.results import report_records
from tournaments.queries.results.pairing_input import RoundInput
from tournaments.queries.results.pool_games import game_records
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.services import audit
from tournaments.services.accounts import consent_checks
from tournaments.services.games import game_creation
from tournaments.services.notifications import news
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import publication, rounds, save_pairings

# Time until the next look at players who were left waiting.
_AGAIN = timedelta(seconds=3)
# Time until the next look for remote bots that were away.
_AGAIN_FOR_REMOTE = timedelta(seconds=15)
# A ladder keeps this number of matches waiting or being played. A longer queue would be paired from
# old results.
LADDER_MATCHES = 4
# A ladder looks at this number of a bot's latest games, for its opponents and sides. Without a
# limit every round would keep all the games before it.
_HISTORY_LENGTH = 120
_UNKNOWN = (INITIAL_CENTIELO, estimates.deviation_centielo(0))
_NORMAL_95 = 1.96


def advance(event: Event) -> bool:
    """Close rounds whose games have ended and pair the next.

    Returns whether the event is over.

    In the caller's transaction, `event` locked.
    """
    now = database_time.now()
    _begin_second_games(event)
    _close(event)
    has_seeds = rounds.next_number(event) <= seed_chain.CONTINUOUS_LENGTH
    if not has_seeds or (event.ends_at is not None and event.ends_at <= now):
        return not event.rounds.exclude(state=Round.State.CLOSED).exists()
    is_waiting = event.is_automatic and _draw(event, now)
    # Ended games and new entries wake the event. The end of pairing and the waiting players need a
    # timed look.
    event.next_step_at = now + _AGAIN if is_waiting else _next_look(event, now)
    event.save(update_fields=["next_step_at"])
    return False


def _next_look(event: Event, now: datetime) -> datetime | None:
    """Return the next time to look at an event without waiting players if no event wakes it, or None for never.

    No event wakes it when the program of a remote bot comes back, or a bot that is busy elsewhere
    has room again.
    """
    may_come_back = event.is_automatic and _has_absent_bots(event, now)
    if event.standing_pool and event.is_automatic:
        looks = [rests_of_ladder(event, waiting(event), now).next_look_at, event.ends_at]
        if may_come_back:  # not as often as below: in most ladders of years some never do
            looks.append(now + AGAIN)
        return min((each for each in looks if each is not None), default=None)
    if may_come_back:
        return now + _AGAIN_FOR_REMOTE
    return event.ends_at


def _has_absent_bots(event: Event, now: datetime) -> bool:
    """Return whether one of its bots may come back: a remote one, or one that has no room for a game now."""
    bots = event.entries.active().guests().exclude(player__kind=Player.Kind.PERSON)
    kinds = dict(bots.values_list("player", "player__kind"))
    if event.admits_remote and Player.Kind.REMOTE in kinds.values():
        return True
    return bool(consent_checks.unavailable(kinds.keys(), now))


def waiting(event: Event) -> list[Entry]:
    """The active entries without a running game, by TPN.

    Bots that are switched off do not wait, nor those of authors that have no room for a game or
    whose program is away.
    """
    ongoing = Game.objects.ongoing().filter(pairing__event=event)
    busy = {pk for pair in ongoing.values_list("first_id", "second_id") for pk in pair}
    entries = event.entries.active().exclude(tpn=None).exclude(player__bot__is_active=False)
    entries = entries.select_related("player").order_by("tpn")
    free = [entry for entry in entries if entry.player_id not in busy]
    bot_ids = [entry.player_id for entry in free if entry.player.is_bot]
    away = consent_checks.unavailable(bot_ids, database_time.now())
    return [entry for entry in free if entry.player_id not in away]


def _begin_second_games(event: Event) -> None:
    """Begin the second games of pairs that no match plays whole, with the sides exchanged.

    They are the pairs with a remote bot. If one bot is away by now, or has begun another game, the
    pair is over.
    """
    if not event.admits_remote or formats.of(event).games_a_pairing == 1:
        return
    first_games = Game.objects.finished().filter(
        pairing__event=event, pairing__round__state=Round.State.PUBLISHED, match=None, number=1
    )
    played_pairs = Game.objects.filter(pairing__event=event, number=2).values("pairing")
    due = first_games.exclude(result__in=Game.UNPLAYED).exclude(pairing__in=played_pairs)
    games = list(due.with_players().select_related("pairing"))
    players = {player.pk for game in games for player in (game.first, game.second)}
    away = consent_checks.unavailable(players, database_time.now())
    both_there = [game for game in games if away.isdisjoint({game.first_id, game.second_id})]
    game_creation.tell_players(save_pairings.play_again(event, both_there))


def _close(event: Event) -> None:
    ongoing = Game.objects.ongoing().filter(pairing__event=event).values("pairing__round")
    open_rounds = event.rounds.filter(state=Round.State.PUBLISHED)
    # Players whose game was void are free again immediately, though others of their round may still
    # be playing.
    counted_games = Game.objects.filter(pairing__round__in=open_rounds).exclude(
        result__in=Game.UNPLAYED
    )
    void = Pairing.objects.filter(round__in=open_rounds, is_met=True)
    void.exclude(pk__in=counted_games.values("pairing")).update(is_met=False)
    for round_ in open_rounds.exclude(pk__in=ongoing).defer("problem", "evidence", "report"):
        rounds.close(event, round_)
        rounds.withdraw_absent(event, round_)
        news.announce(news.of_event(event.pk), "closed", {"round": round_.number})


def _draw(event: Event, now: datetime) -> bool:
    """Pair the waiting players, as far as the format allows.

    Returns whether players still wait who might be paired soon.
    """
    entries = waiting(event)
    forbidden: frozenset[frozenset[int]] = frozenset()
    if event.standing_pool:
        ladder_rests = rests_of_ladder(event, entries, now)
        if not ladder_rests.seeking:
            return False
        forbidden = ladder_rests.idle_pairs(entries)
    if event.min_guests and event.rounds.exists():
        entries = _guests_and_opponents(event, entries)
    if keeps_bots_apart(event):
        entries = _people_and_opponents(event, entries)
    room = _room(event, len(entries))
    if len(entries) < 2 or room == 0:
        return False
    round_input = _round_input(event, entries, now, most_boards=room, forbidden=forbidden)
    try:
        solution = rounds.solve(event, round_input)
    except RefusedError:
        return True
    if solution.boards:
        round_ = rounds.store(event, round_input, solution, is_continuous=True)
        publication.publish(event, round_)
        audit.note("pair", event=event, round=round_.number, boards=len(solution.boards))
        news.announce(news.of_event(event.pk), "round", {"round": round_.number})
    # In a standing ladder most of those who are left do not want to play.
    return not event.standing_pool and len(entries) - 2 * len(solution.boards) >= 2


def _guests_and_opponents(event: Event, entries: Sequence[Entry]) -> list[Entry]:
    """Return the waiting guests, and an equal number of the site's own bots, those with fewest games.

    Bots of the site play each other only in the first round: later games would have no viewers.
    """
    guest_ids = set(event.entries.active().guests().values_list("pk", flat=True))
    return _with_opponents(event, entries, guest_ids)


def keeps_bots_apart(event: Event) -> bool:
    """Return whether bots play people alone: in an arena for both.

    A bot plays a hundred games while a person plays one. With points from games among bots no
    person could ever win. Without people the bots wait, so that each new player has a game
    immediately (docs/decisions/0009).
    """
    return formats.of(event).is_continuous and event.admits == Event.Admits.BOTH


def _people_and_opponents(event: Event, entries: Sequence[Entry]) -> list[Entry]:
    """Return the waiting people, and an equal number of bots, those with fewest games."""
    people = {entry.pk for entry in entries if not entry.player.is_bot}
    return _with_opponents(event, entries, people)


def _pairs_of_bots(entries: Sequence[Entry]) -> frozenset[frozenset[int]]:
    bots = [entry.tpn or 0 for entry in entries if entry.player.is_bot]
    return frozenset(frozenset(pair) for pair in combinations(bots, 2))


def _with_opponents(
    event: Event, entries: Sequence[Entry], guest_ids: Collection[int]
) -> list[Entry]:
    """Return the entries with these ids, and an equal number of others, those with fewest games, in the given order."""
    guests = [entry for entry in entries if entry.pk in guest_ids]
    games_played = Counter(
        Game.objects.filter(pairing__event=event).values_list("first_id", flat=True)
    ) + Counter(Game.objects.filter(pairing__event=event).values_list("second_id", flat=True))
    opponents = sorted(
        (entry for entry in entries if entry.pk not in guest_ids),
        key=lambda entry: games_played[entry.player_id],
    )
    chosen = {entry.pk for entry in (*guests, *opponents[: len(guests)])}
    return [entry for entry in entries if entry.pk in chosen]


def _room(event: Event, free: int) -> int:
    """Return the number of boards that may be added: all that free players fill, or the room in a ladder's queue."""
    if not formats.of(event).bots_only:
        return free // 2
    # Not by the state of the matches: the last game ends, and wakes the event, before its match is
    # marked as done.
    ongoing = Game.objects.ongoing().filter(pairing__event=event, match__isnull=False)
    return max(0, LADDER_MATCHES - ongoing.values("match").distinct().count())


def _known_ratings(event: Event, pool: Pool) -> dict[int, tuple[int, int]]:
    """Return ratings and standard errors of the players with games, in hundredths of a point.

    Ratings of bots are fitted to all their games.
    """
    if formats.of(event).bots_only:
        table = bradley_terry_table.strengths(pool)
        rows = table.rows if table else ()
        return {row.player: (row.centielo, round(row.error_centielo / _NORMAL_95)) for row in rows}
    rating_rows = Rating.objects.filter(pool=pool, games__gt=0)
    return {
        row.player_id: (row.centielo, estimates.deviation_centielo(row.games))
        for row in rating_rows
    }


def _round_input(
    event: Event,
    entries: Sequence[Entry],
    now: datetime,
    *,
    most_boards: int,
    forbidden: frozenset[frozenset[int]],
) -> RoundInput:
    number = rounds.next_number(event)
    history_length = _HISTORY_LENGTH if formats.of(event).bots_only else 0
    active = list(event.entries.active().exclude(tpn=None).order_by("tpn"))
    records, ended_at = game_records(event, latest=history_length * len(active))
    pool = pool_assignment.of_event(event)
    ratings = _known_ratings(event, pool)
    new = [entry.player_id for entry in active if entry.player_id not in ratings]
    for player, centielo in estimates.inherited_ratings(new, pool).items():
        ratings[player] = (centielo, estimates.deviation_centielo(0))
    free = {entry.pk for entry in entries}
    contestants: list[Contestant] = []
    absent: list[Contestant] = []
    for entry in active:
        since = ended_at.get(entry.player_id), entry.entered_at, event.started_at
        waiting_time = now - max(at for at in since if at is not None)
        centielo, deviation_centielo = ratings.get(entry.player_id, _UNKNOWN)
        contestant = Contestant(
            tpn=entry.tpn or 0,
            records=tuple(records[entry.tpn or 0][-history_length:]),
            rating_centielo=centielo,
            deviation_centielo=deviation_centielo,
            waited_s=max(0, int(waiting_time.total_seconds())) if entry.pk in free else 0,
            joined_round=entry.joined_round,
        )
        (contestants if entry.pk in free else absent).append(contestant)
    # Rated games of two bots of one author, or of one program, would carry no information, and
    # could be given away.
    if event.is_rated:
        forbidden |= ownership.tied_pairs(entries)
    if keeps_bots_apart(event):
        forbidden |= _pairs_of_bots(entries)
    problem = PairingProblem(
        round_number=number,
        rounds_total=number,
        contestants=tuple(contestants),
        absent=tuple(absent),
        odd_tpn_is_first=report_records.odd_tpn_is_first(event),
        points=formats.points(event),
        options=formats.options(event),
        forbidden=forbidden,
        most_meetings=0,
        is_continuous=True,
        seed=event.seed,
        most_boards=most_boards,
    ).checked()
    return RoundInput(number, problem, "", entries, {})


# Time until the next look at bots without a possible opponent: the others are away, or of one
# author.
AGAIN = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Rests:
    """The free entries that want a game.

    Attributes:
        seeking: the pairing numbers of those who do. The site's own bots never seek: they and
            resting players may play the players who seek.
        next_look_at: the end of the next rest, or the next try of a player who seeks in vain, or
            None without either.
    """

    seeking: frozenset[int]
    next_look_at: datetime | None

    def idle_pairs(self, entries: Sequence[Entry]) -> frozenset[frozenset[int]]:
        """Every two pairing numbers of whom neither seeks."""
        idle = [entry.tpn or 0 for entry in entries if entry.tpn not in self.seeking]
        return frozenset(frozenset(pair) for pair in combinations(idle, 2))


def rests_of_ladder(event: Event, entries: Sequence[Entry], now: datetime) -> Rests:
    """Return the rests of these free entries of a standing ladder at `now`."""
    guest_ids = set(event.entries.active().guests().values_list("pk", flat=True))
    guests = [entry for entry in entries if entry.pk in guest_ids]
    rest = timedelta(seconds=event.pause_s)
    ended_at = _last_ends(event, [entry.player_id for entry in guests], now - rest)
    ends = [ended_at[entry.player_id] + rest for entry in guests if entry.player_id in ended_at]
    seeking = frozenset(entry.tpn or 0 for entry in guests if entry.player_id not in ended_at)
    if seeking:
        ends.append(now + AGAIN)
    return Rests(seeking, min(ends, default=None))


def _last_ends(event: Event, player_ids: Sequence[int], since: datetime) -> dict[int, datetime]:
    """The last end of a game since then, of those of the players who have left placement."""
    ratings = Rating.objects.filter(pool=pool_assignment.of_event(event), player__in=player_ids)
    placed = set(
        ratings.filter(games__gte=pairing.PLACEMENT_GAMES).values_list("player_id", flat=True)
    )
    # Repetitions are not rated. Without them a deterministic bot might never leave placement.
    played: Counter[int] = Counter()
    for side in ("first_id", "second_id"):
        counted = Game.objects.finished().filter(pairing__event=event)
        counted = counted.filter(**{f"{side}__in": set(player_ids) - placed}).order_by()
        played.update(dict(counted.values_list(side).annotate(Count("pk"))))
    placed |= {player for player, games in played.items() if games >= pairing.PLACEMENT_GAMES}
    latest = Game.objects.finished().filter(pairing__event=event, ended_at__gt=since)
    ends: dict[int, datetime] = {}
    for side in ("first_id", "second_id"):
        rows = latest.filter(**{f"{side}__in": list(placed)}).order_by().values_list(side)
        for player_id, end in rows.annotate(last=Max("ended_at")):
            ends[player_id] = max(end, ends.get(player_id, end))
    return ends
