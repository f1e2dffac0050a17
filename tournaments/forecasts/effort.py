"""The number of simulated events: enough for useful intervals, and within a worker's time."""

from __future__ import annotations

EVENTS = 400
_LEAST_EVENTS = 100
# The largest cost of a forecast, in events times players squared times rounds: about a minute of
# one slow core (`python -m tests.bench.forecasts`). The weighted matching takes thirty times as
# long.
_MOST_WORK = 70_000_000
_MOST_WORK_BY_SYSTEM = dict.fromkeys(("swiss", "mcmahon", "team"), 2_400_000)
_MOST_PLAYERS = 300
# A table of n players has n - 1 rounds.
_MOST_PLAYERS_BY_SYSTEM = {
    "swiss": 100,
    "mcmahon": 100,
    "team": 100,
    "round-robin": 100,
    "team-round-robin": 100,
}


def most_players(system: str) -> int:
    """Return the size of the largest field that is simulated with this pairing system."""
    return _MOST_PLAYERS_BY_SYSTEM.get(system, _MOST_PLAYERS)


def events_for(system: str, *, players: int, rounds: int) -> int:
    """Return how many events are simulated: 400, and fewer of very large ones, but never less than 100."""
    work = _MOST_WORK_BY_SYSTEM.get(system, _MOST_WORK)
    return max(_LEAST_EVENTS, min(EVENTS, work // max(1, players**2 * rounds)))
