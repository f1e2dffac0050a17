"""The pages of a rating pool: the list, how strong its players are by all games at once, and whether its predictions were right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q
from django.http import Http404
from django.shortcuts import render
from django.utils import timezone

from tournaments.models import Pool
from tournaments.services import calibrations, distributions, strengths
from tournaments.services.leaderboard import published
from tournaments.views import diagrams
from tournaments.views.access import player_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Player
    from tournaments.services.leaderboard import Published
    from tournaments.services.strengths import Strength

_RANKED = 200


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A published rating with its error bar; None where nothing is known of its certainty."""

    published: Published
    bar: diagrams.ErrorBar | None


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """A player's strength with its player and its error bar."""

    strength: Strength
    player: Player
    bar: diagrams.ErrorBar


@dataclass(frozen=True, slots=True)
class Chance:
    """One field of the table of who is stronger: per cent, and a class of heat from 0 to 10; None against oneself."""

    percent: int | None
    heat: int


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """A player's row of that table."""

    rank: int
    player: Player
    chances: Sequence[Chance]


def leaderboard(request: HttpRequest, pool: str | None = None) -> HttpResponse:
    context = _tab_context(pool, "leaderboard-pool")
    chosen = context["pool"]
    if chosen is not None:
        rows = published(chosen, timezone.now())
        context["rows"] = _with_bars(rows[:_RANKED])
        spread = distributions.distribution(rows, player_of(request))
        context["distribution"] = spread
        context["histogram"] = diagrams.histogram(spread)
        context["most"] = _RANKED
    return render(request, "leaderboard.html", context)


def strength(request: HttpRequest, pool: str) -> HttpResponse:
    context = _tab_context(pool, "leaderboard-strengths")
    found = strengths.strengths(context["pool"])
    if found is not None:
        shown = found.rows[:_RANKED]
        players = strengths.name_players(shown)
        bars = diagrams.error_bars([(row.centielo, row.error_centielo) for row in shown])
        context["rows"] = [
            StrengthRow(row, players[row.player], bar) for row, bar in zip(shown, bars, strict=True)
        ]
        context["matrix"] = [
            ChanceRow(row.rank, players[row.player], _chances(number, line))
            for number, (row, line) in enumerate(
                zip(shown[: strengths.COMPARED], found.superiority, strict=True)
            )
        ]
        context["most"] = _RANKED
        context["found"] = found
        context["advantage"] = found.advantage_centielo / 100
        context["first_percent"] = 50 * found.first_halves / found.games
        context["drawn_percent"] = 100 * found.draws / found.games
    return render(request, "leaderboard_strengths.html", context)


def calibration(request: HttpRequest, pool: str) -> HttpResponse:
    context = _tab_context(pool, "leaderboard-calibration")
    found = calibrations.pool_calibration(context["pool"])
    if found is not None:
        filled = [each for each in found.bins if each.games]
        context["found"] = found
        context["bins"] = filled
        context["right"] = sum(each.is_right for each in filled)
        context["diagram"] = diagrams.calibration_diagram(found.bins)
        context["enough"] = calibrations.ENOUGH
        context["drawn_percent"] = 100 * found.draws
        context["bias_percent"] = 100 * found.bias
        # 95 %, as all intervals here.
        context["bias_error_percent"] = 200 * found.bias_error
        context["is_biased"] = abs(found.bias) > 2 * found.bias_error
    return render(request, "leaderboard_calibration.html", context)


def _with_bars(rows: Sequence[Published]) -> list[RatingRow]:
    known = [row for row in rows if row.error_centielo is not None]
    bars = diagrams.error_bars([(row.centielo, row.error_centielo or 0) for row in known])
    by_player = {row.rating.player_id: bar for row, bar in zip(known, bars, strict=True)}
    return [RatingRow(row, by_player.get(row.rating.player_id)) for row in rows]


def _tab_context(key: str | None, tab: str) -> dict[str, Any]:
    """What every page of a pool shows: the pools, the one that is meant, and which page it is. Raises Http404."""
    rated = Count("ratings", filter=Q(ratings__games__gt=0))
    pools = list(Pool.objects.annotate(players=rated).filter(Q(players__gt=0) | Q(key=key or "")))
    wanted = (pool for pool in pools if pool.key == key)
    chosen = next(wanted, None) if key else max(pools, key=lambda p: p.players, default=None)
    if key and chosen is None:
        raise Http404
    return {"pools": pools, "pool": chosen, "tab": tab}


def _chances(own: int, thousandths: Sequence[int]) -> list[Chance]:
    return [
        Chance(None, 5)
        if number == own
        else Chance(round(chance / 10), min(10, max(0, round(chance / 100))))
        for number, chance in enumerate(thousandths)
    ]
