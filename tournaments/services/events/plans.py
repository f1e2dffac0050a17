"""The plan of an event, and whether it makes sense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Event
from tournaments.models.events import MAX_ENTRIES, MAX_ROUNDS
from tournaments.services.errors import RefusedError
from tournaments.services.events import formats
from tournaments.standings import System, UnknownTieBreakError, tie_breaks

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.services.clocks.game_clocks import Clock

# A pair of bots has two hours of a worker's time: both games, both sides.
_LONGEST_OF_BOTS_MS = 30 * 60_000
_PLIES_ASSUMED = 60
_LONGEST_S = 366 * 24 * 3600
_LONGEST_GRACE_S = 7 * 24 * 3600
_MOST_NAMES = 80  # characters
LONGEST_BOARD_TIME = 60  # characters
_DEAREST_WIN = 20  # in half points
_LONGEST_CODE = 40  # characters
# Nobody could move a piece by hand with less for the whole game.
_SHORTEST_OF_PEOPLE_MS = 90_000
# Units for a ply: a few milliseconds of a module's, and a few minutes.
FUELS = range(100_000, 1_000_000_000_001)
# What an event takes over from its plan as it stands.
AS_PLANNED = [
    "format",
    "admits",
    "admits_remote",
    "max_entries",
    "is_rated",
    "is_automatic",
    "pause_s",
    "min_guests",
    "pace_ms",
    "cycles",
    "groups",
    "promotion_places",
    "qualifiers",
    "seasons",
    "duration_s",
    "win_halves",
    "draw_halves",
    "loss_halves",
    "bye_halves",
    "tie_breaks",
    "games_per_pairing",
    "is_accelerated",
    "fuel",
    "allows_vacation",
    "start_mode",
    "grace_s",
    "starts_at",
    "registration_closes_at",
    "check_in_opens_at",
    "min_centielo",
    "max_centielo",
    "min_games",
    "needs_approval",
    "has_waiting_list",
    "is_private",
    "access_code",
    "most_half_byes",
    "last_half_bye_round",
    "last_late_round",
    "keeps_clubs_apart",
    "forbids_engine",
    "is_over_the_board",
    "board_time",
]


@dataclass(frozen=True, slots=True)
class EventPlan:
    """What an organiser decides about an event; `seed` is drawn when None."""

    name: str
    ruleset: str
    clock: Clock
    rounds_total: int = 5
    description: str = ""
    format: str = Event.Format.DUTCH
    admits: str = Event.Admits.PEOPLE
    admits_remote: bool = False
    max_entries: int = 64
    is_rated: bool = True
    is_automatic: bool = True
    pause_s: int = 60
    min_guests: int = 0
    pace_ms: int = 0
    cycles: int = 1
    groups: int = 2
    promotion_places: int = 1
    qualifiers: int = 2
    seasons: int = 1
    duration_s: int = 0
    win_halves: int = 2
    draw_halves: int = 1
    loss_halves: int = 0
    bye_halves: int = 2
    tie_breaks: str = ""
    games_per_pairing: int = 1
    is_accelerated: bool = False
    fuel: int | None = None
    allows_vacation: bool = True
    start_mode: str = Event.Start.PUBLICATION
    grace_s: int | None = None
    starts_at: datetime | None = None
    registration_closes_at: datetime | None = None
    check_in_opens_at: datetime | None = None
    min_centielo: int | None = None
    max_centielo: int | None = None
    min_games: int = 0
    needs_approval: bool = False
    has_waiting_list: bool = False
    is_private: bool = False
    access_code: str = ""
    most_half_byes: int = 1
    last_half_bye_round: int | None = None
    last_late_round: int | None = None
    keeps_clubs_apart: bool = False
    forbids_engine: bool = False
    is_over_the_board: bool = False
    board_time: str = ""
    seed: int | None = None


def check(plan: EventPlan) -> None:
    """Raise RefusedError for what no event can be."""
    if not 1 <= len(plan.name.strip()) <= 80 or len(plan.description.strip()) > 2000:
        raise RefusedError("name-bad", plan.name[:80])
    if not 2 <= plan.max_entries <= MAX_ENTRIES:
        raise RefusedError("entries-bad", str(plan.max_entries))
    if plan.format not in Event.Format.values:
        raise RefusedError("format-bad", plan.format)
    if plan.admits not in Event.Admits.values:
        raise RefusedError("admits-bad", plan.admits)
    if plan.format == Event.Format.LADDER and plan.admits != Event.Admits.BOTS:
        raise RefusedError("admits-bad", "a ladder is for bots")
    if plan.admits_remote and plan.admits == Event.Admits.PEOPLE:
        raise RefusedError("admits-bad", "remote bots among people alone")
    if plan.fuel is not None and (plan.admits != Event.Admits.BOTS or plan.fuel not in FUELS):
        raise RefusedError("fuel-bad", f"{plan.fuel} for {plan.admits}")
    _check_board(plan)
    allowed_ms = plan.clock.initial_ms + _PLIES_ASSUMED * plan.clock.increment_ms
    if plan.admits == Event.Admits.BOTS and allowed_ms > _LONGEST_OF_BOTS_MS:
        raise RefusedError("clock-bots", f"{allowed_ms} ms")
    _check_conditions(plan)
    _check_format(plan)
    _check_mini_matches(plan)


def is_too_short_for_people(clock: Clock, admits: str) -> bool:
    """Whether people could enter, and have no time to move a piece. Organisers are refused it."""
    is_short = not clock.kind.is_unlimited and clock.initial_ms < _SHORTEST_OF_PEOPLE_MS
    return is_short and admits != Event.Admits.BOTS


def _check_conditions(plan: EventPlan) -> None:
    low, high = plan.min_centielo, plan.max_centielo
    if low is not None and high is not None and low > high:
        raise RefusedError("rating-band", f"{low} to {high}")
    if len(plan.access_code) > _LONGEST_CODE or (plan.is_private and not plan.access_code):
        raise RefusedError("access-code-bad")
    if plan.start_mode not in Event.Start.values:
        raise RefusedError("start-mode-bad", plan.start_mode)
    if plan.grace_s is not None and not 0 < plan.grace_s <= _LONGEST_GRACE_S:
        raise RefusedError("grace-bad", str(plan.grace_s))
    if plan.start_mode == Event.Start.PRESENCE and plan.grace_s is None:
        raise RefusedError("grace-needed")
    if plan.check_in_opens_at is not None and (
        plan.starts_at is None or plan.check_in_opens_at >= plan.starts_at
    ):
        raise RefusedError("check-in-bad")


def _check_board(plan: EventPlan) -> None:
    """Raise RefusedError where the event is over the board in one respect and not in another."""
    if not plan.is_over_the_board:
        if plan.clock.kind.is_unlimited:
            raise RefusedError("clock-bad", "a round has an end")
        if plan.board_time:
            raise RefusedError("board-event-bad", "only an event over the board has such a time")
        return
    is_continuous = formats.FORMATS[plan.format].is_continuous
    if is_continuous or plan.admits != Event.Admits.PEOPLE:
        raise RefusedError("board-event-bad", f"{plan.format} for {plan.admits}")
    if not plan.clock.kind.is_unlimited or plan.is_rated or plan.is_automatic:
        raise RefusedError("board-event-bad", "no clock, no ratings, every round by hand")
    if len(plan.board_time) > LONGEST_BOARD_TIME:
        raise RefusedError("board-event-bad", plan.board_time[:LONGEST_BOARD_TIME])


def _check_format(plan: EventPlan) -> None:
    if formats.FORMATS[plan.format].is_swiss and not 1 <= plan.rounds_total <= MAX_ROUNDS:
        raise RefusedError("rounds-bad", str(plan.rounds_total))
    if plan.format == Event.Format.ARENA and not 60 <= plan.duration_s <= _LONGEST_S:
        raise RefusedError("duration-bad", str(plan.duration_s))
    if not 0 <= plan.duration_s <= _LONGEST_S:
        raise RefusedError("duration-bad", str(plan.duration_s))
    options = (plan.groups, plan.qualifiers, plan.seasons)
    if (
        plan.cycles not in (1, 2)
        or min(options) < 1
        or max(options) > 100
        or plan.promotion_places < 0
    ):
        raise RefusedError("options-bad", plan.format)
    scores = (plan.loss_halves, plan.draw_halves, plan.win_halves)
    if not 0 <= scores[0] <= scores[1] < scores[2] <= _DEAREST_WIN:
        raise RefusedError("points-bad", "/".join(map(str, scores)))
    _check_tie_breaks(plan)
    is_pool = formats.FORMATS[plan.format].is_continuous
    if is_pool and scores != (0, 1, 2):  # arenas count 2 for a win in points of their own
        raise RefusedError("points-bad", plan.format)
    if not 0 <= plan.bye_halves <= plan.win_halves:
        raise RefusedError("points-bad", str(plan.bye_halves))
    if plan.is_accelerated and (
        plan.format != Event.Format.DUTCH
        or plan.win_halves != 2 * plan.draw_halves
        or plan.loss_halves
    ):
        raise RefusedError("acceleration-bad", plan.format)


def _check_mini_matches(plan: EventPlan) -> None:
    if plan.games_per_pairing not in (1, 2):
        raise RefusedError("options-bad", f"{plan.games_per_pairing} games a pairing")
    if plan.games_per_pairing == 1:
        return
    if not formats.FORMATS[plan.format].is_swiss:
        raise RefusedError("mini-matches-swiss", plan.format)
    if plan.is_accelerated:
        raise RefusedError("mini-matches-plain")


def _check_tie_breaks(plan: EventPlan) -> None:
    names = plan.tie_breaks
    if not names:
        return
    try:
        choices = tie_breaks(names.split(","))
    except UnknownTieBreakError as error:
        raise RefusedError("tie-breaks-bad", str(error)) from error
    is_table = plan.format == Event.Format.ROUND_ROBIN
    system = System.ROUND_ROBIN if is_table else System.SWISS
    if len(names) > _MOST_NAMES or any(system not in each.entry.fits for each in choices):
        raise RefusedError("tie-breaks-bad", names[:_MOST_NAMES])
