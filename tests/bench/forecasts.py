"""The duration of forecasts: `python -m tests.bench.forecasts [N ...]`.

Prints a table without assertions.

One simulated event of each format, and the whole forecast with the number of events of
`tournaments.forecasts.events_for`, in CPU seconds in process.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from tournaments.forecasts import Plan, ResultModel, Timing, events_for, most_players
from tournaments.forecasts.simulation import plan_forecast
from tournaments.pairing import FormatOptions, PointSystem
from tournaments.standings import DEFAULTS, System

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (24, 60, 100, 200)
FORMATS = (
    *("dutch", "swiss", "double-swiss", "keizer", "mcmahon"),
    *("round-robin", "knockout", "double-knockout", "groups-knockout"),
)
_TIE_BREAKS = {
    "keizer": ("KEIZER", "PTS"),
    "mcmahon": ("MMS", "SOS", "SOSOS", "PTS"),
    "round-robin": DEFAULTS[System.ROUND_ROBIN],
}
ROUNDS = {24: 5, 60: 7, 100: 7, 200: 9}
_TRIES = 2


def main(sizes: Sequence[int] = SIZES) -> None:
    """Print one row for each format and size."""
    print(f"{'format':<16}{'N':>5}{'rounds':>7}{'ms an event':>13}{'events':>8}{'s in all':>10}")
    for name in FORMATS:
        for size in sizes:
            if size <= most_players(name):
                _row(name, size)


def _row(name: str, size: int) -> None:
    plan = Plan(
        system=name,
        players=size,
        rounds=ROUNDS.get(size, 7),
        spread_elo=200,
        deviation_elo=100,
        model=ResultModel(0.05),
        options=FormatOptions(groups=max(1, size // 6)),
        timing=Timing(600_000, 5_000, 60, 60),
        tie_breaks=_TIE_BREAKS.get(name, DEFAULTS[System.SWISS]),
        game_points=PointSystem(second_bye=1) if name == "double-swiss" else None,
    )
    began = time.process_time()
    ahead = plan_forecast(plan, seed=1, events=_TRIES)
    seconds = (time.process_time() - began) / _TRIES
    rounds = round(ahead.rounds.median)
    events = events_for(name, players=size, rounds=rounds)
    print(
        f"{name:<16}{size:>5}{rounds:>7}{1000 * seconds:>13.1f}{events:>8}{events * seconds:>10.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or SIZES)
