"""The published ratings of a pool with their certainty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import F, IntegerField, QuerySet
from django.db.models.functions import Coalesce

from tournaments.models import Player, Pool, Rating
from tournaments.queries.ratings import bradley_terry_table, certainty
from tournaments.queries.ratings.bradley_terry_table import Strengths
from tournaments.queries.ratings.certainty import Certainty
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.glicko2 import LICHESS

# The number of rows of the first read. Each further read is four times as large, until there are
# enough with a place.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Published:
    """A player's published rating, in hundredths of an Elo point.

    Attributes:
        rating: the row, whose `centielo` is the end of the ledger.
        centielo: of the list in force, of Glicko-2, or fitted to all games, as the pool has it.
        error_centielo: half of the 95 % interval; None if unknown.
        is_provisional: whether it is provisional, and has no place in the ranking.
        rank: from 1; None without a place.
    """

    rating: Rating
    centielo: int
    error_centielo: int | None
    is_provisional: bool = False
    rank: int | None = None

    @property
    def is_live(self) -> bool:
        """Return whether the games since the list have moved the ledger away from it."""
        return self.centielo != self.rating.centielo


def published(pool: Pool, now: datetime, most: int) -> list[Published]:
    """The first `most` players with a rated game in the pool: the ranked, best first, then provisional ones."""
    fit = _fit(pool)
    if pool.system == Pool.System.GLICKO2:
        rows = _by_glicko2(pool, now, most)
    elif pool.system == Pool.System.LISTS:
        listed = F("listed_elo").desc(nulls_last=True)
        rows = list(_rated(pool).order_by(listed, "player__canonical")[:most])
    else:
        rows = _by_fit(pool, fit, most)
    errors = _fitted_errors(fit)
    figures = _figures(pool, fit, [row.player_id for row in rows])
    entries = []
    for place, row in enumerate(rows, start=1):
        known = _certainty_of(row, errors, now)
        rank = None if known.is_provisional else place
        figure, error = figures[row.player_id], known.error_centielo
        entries.append(Published(row, figure, error, known.is_provisional, rank))
    return entries


def place_of(player: Player, pool: Pool, now: datetime) -> tuple[int, bool] | None:
    """Return the player's published rating in the pool, and whether it is provisional; None without a rated game."""
    row = _rated(pool).filter(player=player).first()
    if row is None:
        return None
    fit = _fit(pool)
    known = _certainty_of(row, _fitted_errors(fit), now)
    return _figures(pool, fit, [player.pk])[player.pk], known.is_provisional


def stored_figures(pool: Pool) -> QuerySet[Rating] | None:
    """Return the rows of the pool with the published rating as `figure`; None if it is fitted and in no row."""
    rows = Rating.objects.filter(pool=pool, games__gt=0).order_by()
    if pool.system == Pool.System.LISTS:
        listed = 100 * F("listed_elo")
        return rows.annotate(figure=Coalesce(listed, INITIAL_CENTIELO, output_field=IntegerField()))
    if pool.system == Pool.System.GLICKO2:
        return rows.annotate(figure=F("centielo"))
    return None


def figures_of(pool: Pool) -> Mapping[int, int]:
    """The published ratings, in hundredths, of all players with a rated game, by the players' ids."""
    return _figures(pool, _fit(pool))


def _figures(
    pool: Pool, fit: Strengths | None, player_ids: Sequence[int] | None = None
) -> Mapping[int, int]:
    rows = Rating.objects.filter(pool=pool, games__gt=0)
    if player_ids is not None:
        rows = rows.filter(player__in=player_ids)
    if pool.system == Pool.System.LISTS:
        listed = rows.values_list("player_id", "listed_elo")
        return {pk: INITIAL_CENTIELO if elo is None else 100 * elo for pk, elo in listed}
    figures = dict(rows.values_list("player_id", "centielo"))
    if pool.system == Pool.System.RUNNING and fit is not None:
        figures |= {row.player: row.centielo for row in fit.rows if row.player in figures}
    return figures


def _fit(pool: Pool) -> Strengths | None:
    """Return the fitted strengths of the pool; None with Glicko-2, which needs none, or before the first games."""
    return None if pool.system == Pool.System.GLICKO2 else bradley_terry_table.strengths(pool)


def _fitted_errors(fit: Strengths | None) -> Mapping[int, int]:
    """Return half of the 95 % intervals of the fit, by the players' ids."""
    return {row.player: row.error_centielo for row in fit.rows} if fit else {}


def _certainty_of(row: Rating, errors: Mapping[int, int], now: datetime) -> Certainty:
    """Return the certainty of the published rating. A fitted rating has its interval in `errors`."""
    known = certainty.of_rating(row, now)
    error = errors.get(row.player_id)
    if error is None:
        return known
    if row.pool.system == Pool.System.RUNNING:
        return certainty.of_error(error)
    return replace(known, error_centielo=error)


def _rated(pool: Pool) -> QuerySet[Rating]:
    return Rating.objects.filter(pool=pool, games__gt=0).select_related("player", "pool")


def _by_glicko2(pool: Pool, now: datetime, most: int) -> list[Rating]:
    """Return the players who are certain enough now, then the others.

    A deviation only grows until the next game, so a player whose last game left a large one cannot
    be ranked.
    """
    ordered = _rated(pool).order_by("-centielo", "player__canonical")
    certain = ordered.filter(deviation_centielo__lt=100 * LICHESS.provisional_from)
    size, are_all_read = _AT_ONCE, False
    ranked: list[Rating] = []
    while len(ranked) < most and not are_all_read:
        rows = list(certain[:size])
        ranked = [row for row in rows if not certainty.of_rating(row, now).is_provisional][:most]
        size, are_all_read = 4 * size, len(rows) < size
    if len(ranked) < most:
        others = ordered.exclude(pk__in=[row.pk for row in ranked])
        ranked += others[: most - len(ranked)]
    return ranked


def _by_fit(pool: Pool, fit: Strengths | None, most: int) -> list[Rating]:
    """Return the players by strengths fitted to all games, provisional ones last; by the ledger if they are not in the fit yet."""
    figures, errors = _figures(pool, fit), _fitted_errors(fit)
    columns = _rated(pool).values_list("player_id", "player__canonical", "games")

    def known(player: int, games: int) -> Certainty:
        error = errors.get(player)
        return certainty.of_games(games) if error is None else certainty.of_error(error)

    order = sorted(
        (known(player, games).is_provisional, -figures[player], name, player)
        for player, name, games in columns
    )
    first = [player for *_, player in order[:most]]
    rows = {row.player_id: row for row in _rated(pool).filter(player__in=first)}
    return [rows[player] for player in first]
