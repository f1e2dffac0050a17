"""The strengths of a pool's players by Bradley-Terry over all their games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from django.core.cache import cache
from django.db.models import Count, OuterRef, QuerySet, Subquery, Sum

from tournaments.models import Correction, Event, Game, LedgerEntry, PairTally, Player, Pool
from tournaments.queries.ratings import ledger
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.bradley_terry import (
    DrawModel,
    Fit,
    PairCount,
    PairTable,
    PlayerRating,
    fit_pairs,
    pair_table,
    superiority,
)

# The number of players whose chances against each other are shown in full.
LOS_MATRIX_SIZE = 30
_CACHE_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's place: strength and half of the 95 % interval.

    Both are in hundredths of an Elo point, around the pool's middle of 1500.

    `los_next` is the probability in thousandths that it is stronger than the next one, None for the
    last. `group` numbers those whom games connect, from 1.
    """

    rank: int
    player: int
    centielo: int
    error_centielo: int
    games: int
    score_halves: int
    group: int
    los_next: int | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Results of one player against another."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.wins + self.draws + self.losses

    @property
    def percent(self) -> int:
        """The one's score in per cent."""
        return round((100 * self.wins + 50 * self.draws) / self.games)


@dataclass(frozen=True, slots=True)
class Strengths:
    """The players of a pool, the strongest first, and the fitted model of the game.

    Attributes:
        rows: all players with a game.
        superiority: for the first `LOS_MATRIX_SIZE`, in thousandths: the probability that the row's
            player is stronger than the column's.
        met: the results of these players against each other; None without a game.
        advantage_centielo: the worth of the first side.
        draw_model: the model of draws.
        games, first_halves, draws: the number of games, the score of their first sides, the number
            of draws.
        groups: the number of sets of players that no game connects.
    """

    rows: tuple[Strength, ...]
    superiority: tuple[tuple[int, ...], ...]
    met: tuple[tuple[HeadToHead | None, ...], ...]
    advantage_centielo: int
    draw_model: DrawModel
    games: int
    first_halves: int
    draws: int
    groups: int


@dataclass(frozen=True, slots=True)
class _CachedFit:
    """The cached answer of a pool or an event.

    It has the version of the games it is for, and the fit to start the next one from.
    """

    version: tuple[int, int]
    strengths: Strengths
    fit: Fit


def strengths(pool: Pool) -> Strengths | None:
    """The strengths of the pool's players as of its last result or correction.

    None before two of them have played.
    """
    return _cached_strengths(f"strengths-{pool.pk}", _version(pool), lambda: _pairs(pool))


def of_event(event: Event) -> Strengths | None:
    """The strengths of an event's players by its games alone.

    None before two of them have played.
    """
    key = f"event-strengths-{event.pk}"
    return _cached_strengths(key, _version_of_event(event), lambda: _pairs_of_event(event))


def _cached_strengths(
    key: str, version: tuple[int, int], read: Callable[[], PairTable]
) -> Strengths | None:
    """Return the answer stored under `key`, or a new one if the games have changed since."""
    cached: _CachedFit | None = cache.get(key)
    if cached is not None and cached.version == version:
        return cached.strengths
    table = read()
    if not table.players:
        return None
    fit = fit_pairs(table, start=cached.fit if cached is not None else None)
    answer = _strengths(table, fit)
    # A fit begins from the strengths of another one. Their covariance is large and is not needed
    # for it.
    cache.set(key, _CachedFit(version, answer, _without_covariance(fit)), _CACHE_S)
    return answer


def repetitions_in_pool(pool: Pool) -> int:
    """Return the number of games of bots in the pool that repeat earlier ones move by move and are not rated."""
    return Game.objects.filter(pool=pool, is_rated=False).exclude(moves_digest="").count()


def repetitions_in_event(event: Event) -> int:
    """Return the number of games of the event that repeat earlier ones move by move and have no weight."""
    games = _counted_games(event).exclude(moves_digest="").order_by()
    different = games.values("first", "second", "moves_digest").distinct().count()
    return games.count() - different


def name_players(rows: Iterable[Strength]) -> dict[int, Player]:
    """The players of the rows by their ids, in one query."""
    return Player.objects.in_bulk([row.player for row in rows])


def _version(pool: Pool) -> tuple[int, int]:
    """Return the last entry of the pool's ledger and the number of games, which change with every result.

    Both are needed: of two games that end simultaneously the later entry may be seen first.
    """
    entries = LedgerEntry.objects.filter(pool=OuterRef("pk")).order_by("-pk").values("pk")
    known = Pool.objects.filter(pk=pool.pk)
    last, games = known.values_list(Subquery(entries[:1]), Sum("ratings__games")).get()
    return last or 0, games or 0


def _pairs(pool: Pool) -> PairTable:
    """Return the counted results of any two players of the pool."""
    rows = PairTally.objects.filter(pool=pool).order_by("pk")
    columns = ("first_id", "second_id", "wins", "draws", "losses")
    return pair_table(
        PairCount(str(first), str(second), wins=wins, draws=draws, losses=losses)
        for first, second, wins, draws, losses in rows.values_list(*columns)
    )


def _counted_games(event: Event) -> QuerySet[Game]:
    return Game.objects.filter(pairing__event=event, result__in=list(ledger.SCORES))


def _version_of_event(event: Event) -> tuple[int, int]:
    """Return the number of games that count, and the number of corrected results."""
    return _counted_games(event).count(), Correction.objects.filter(
        game__pairing__event=event
    ).count()


def _pairs_of_event(event: Event) -> PairTable:
    games_of_event = _counted_games(event).order_by()
    rows = games_of_event.values_list("first_id", "second_id", "result", "moves_digest")
    columns = {
        Game.Result.FIRST: (1, 0, 0),
        Game.Result.DRAW: (0, 1, 0),
        Game.Result.SECOND: (0, 0, 1),
    }
    return pair_table(
        PairCount(
            str(first),
            str(second),
            *((1 if digest else games) * n for n in columns[Game.Result(result or "")]),
        )
        # Repetitions of one game between bots weigh as much as the game.
        for first, second, result, digest, games in rows.annotate(games=Count("pk"))
    )


def _head_to_heads(
    table: PairTable, places: Sequence[int]
) -> tuple[tuple[HeadToHead | None, ...], ...]:
    """Return the results of `places` against each other, both sides together; None without a game."""
    sums: dict[tuple[int, int], tuple[int, int, int]] = {}
    columns = (table.first, table.second, table.wins, table.draws, table.losses)
    for first, second, *results in zip(*columns, strict=True):
        wins, draws, losses = map(int, results)
        for pair, own in (
            ((int(first), int(second)), (wins, draws, losses)),
            ((int(second), int(first)), (losses, draws, wins)),
        ):
            before = sums.get(pair, (0, 0, 0))
            sums[pair] = (before[0] + own[0], before[1] + own[1], before[2] + own[2])
    return tuple(
        tuple(HeadToHead(*sums[one, other]) if (one, other) in sums else None for other in places)
        for one in places
    )


def _strengths(table: PairTable, fit: Fit) -> Strengths:
    ratings = fit.ratings(centre_centielo=INITIAL_CENTIELO)
    places = sorted(
        range(len(ratings)), key=lambda n: (-ratings[n].rating_centielo, ratings[n].player)
    )
    likelihood = superiority(fit)

    def chance(one: int, other: int) -> int:
        return round(1000 * float(likelihood[one, other]))

    groups = _group_numbers([ratings[place] for place in places])
    rows = tuple(
        Strength(
            rank=number,
            player=int(ratings[place].player),
            centielo=ratings[place].rating_centielo,
            error_centielo=ratings[place].error_centielo,
            games=ratings[place].games,
            score_halves=ratings[place].score_halves,
            group=groups[ratings[place].group],
            los_next=chance(place, places[number]) if number < len(places) else None,
        )
        for number, place in enumerate(places, start=1)
    )
    matrix_places = places[:LOS_MATRIX_SIZE]
    wins, draws, losses = sum(table.wins), sum(table.draws), sum(table.losses)
    return Strengths(
        rows=rows,
        superiority=tuple(
            tuple(chance(one, other) for other in matrix_places) for one in matrix_places
        ),
        met=_head_to_heads(table, matrix_places),
        advantage_centielo=fit.advantage_centielo,
        draw_model=fit.model,
        games=int(wins + draws + losses),
        first_halves=int(2 * wins + draws),
        draws=int(draws),
        groups=len(groups),
    )


def _group_numbers(ratings: Sequence[PlayerRating]) -> dict[int, int]:
    """Groups by their numbers as they come first on the list."""
    return {group: n for n, group in enumerate(dict.fromkeys(r.group for r in ratings), start=1)}


def _without_covariance(fit: Fit) -> Fit:
    return replace(fit, covariance=fit.covariance[:0, :0].copy())
