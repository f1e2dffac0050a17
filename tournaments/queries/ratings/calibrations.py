"""The calibration of a pool: expected scores compared with outcomes."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count

from tournaments.models import Game, Pool
from tournaments.queries.ratings import ledger
from tournaments.ratings.calibration import Bin, Calibration, Forecast, calibration

__all__ = ["ENOUGH", "Bin", "Calibration", "pool_calibration"]

# With fewer games the intervals are too wide to say anything.
ENOUGH = 200


def pool_calibration(pool: Pool) -> Calibration | None:
    """Return the quality of the predictions of the pool's games.

    None before the first predicted game has ended.
    """
    forecasts = list(_forecasts(pool))
    return calibration(forecasts) if forecasts else None


def _forecasts(pool: Pool) -> Iterator[Forecast]:
    """Equal games are counted by the database, so that many games are few rows."""
    rows = (
        Game.objects.filter(
            pool=pool,
            result__in=list(ledger.SCORES),
            predicted_millionths__isnull=False,
        )
        .order_by()
        .values_list("predicted_millionths", "result")
        .annotate(games=Count("pk"))
    )
    for millionths, result, games in rows:
        assert millionths is not None, "the query asks for predicted games"
        assert result is not None, "the query asks for finished games"
        forecast = Forecast(millionths, ledger.SCORES[Game.Result(result)])
        yield from (forecast for _ in range(games))
