"""The plan of an event, and whether it makes sense."""

from __future__ import annotations

import games
from tournaments.clocks import ClockError, TimeControl
from tournaments.errors import RefusedError
from tournaments.models import Event
from tournaments.models.event_settings import SETTINGS, EventPlan
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import fees
from tournaments.standings import UnknownTieBreakError, tie_breaks

__all__ = ["EventPlan", "check", "checked_ruleset", "columns", "is_too_short_for_people", "plan_of"]

# A pair of bots has two hours of a worker's time: both games, both sides.
_LONGEST_OF_BOTS_MS = 30 * 60_000
_PLIES_ASSUMED = 60
# No person could move a piece by hand with less for the whole game.
_SHORTEST_OF_PEOPLE_MS = 90_000
# Units for a ply: a few milliseconds of a module's, and a few minutes.
FUELS = range(100_000, 1_000_000_000_001)


def check(plan: EventPlan) -> None:
    """Raise RefusedError for a plan that cannot be an event."""
    if not plan.name.strip():
        raise RefusedError("name-bad")
    _check_ranges(plan)
    if formats.FORMATS[plan.format].bots_only and plan.admits != Event.Admits.BOTS:
        raise RefusedError("admits-bad", f"{plan.format} is for bots")
    if plan.admits_remote and plan.admits == Event.Admits.PEOPLE:
        raise RefusedError("admits-bad", "remote bots among people alone")
    if plan.fuel is not None and (plan.admits != Event.Admits.BOTS or plan.fuel not in FUELS):
        raise RefusedError("fuel-bad", f"{plan.fuel} for {plan.admits}")
    if plan.fuel is not None and plan.armageddon_percent is not None:
        raise RefusedError("armageddon-fuel", f"{plan.armageddon_percent} %")
    takes_volunteers = plan.fuel is not None and formats.FORMATS[plan.format].takes_volunteers
    if plan.allows_volunteers and not takes_volunteers:
        raise RefusedError("volunteers-ladder", plan.format)
    _check_board(plan)
    for clock in (plan.clock, *_extra_clock(plan)):
        allowed_ms = clock.initial_ms + _PLIES_ASSUMED * clock.increment_ms
        if plan.admits == Event.Admits.BOTS and allowed_ms > _LONGEST_OF_BOTS_MS:
            raise RefusedError("clock-bots", f"{allowed_ms} ms")
    _check_conditions(plan)
    _check_head(plan)
    _check_format(plan)
    _check_mini_matches(plan)


def columns(plan: EventPlan) -> dict[str, object]:
    """The columns of an event with these settings. Raises RefusedError `ruleset-bad`."""
    format_ = formats.FORMATS[plan.format]
    is_continuous = format_.is_continuous
    values = {name: getattr(plan, name) for name in SETTINGS if name != "clock"}
    return {
        **{name: each.strip() if isinstance(each, str) else each for name, each in values.items()},
        **game_clocks.columns(plan.clock),
        "ruleset": checked_ruleset(plan),
        "rounds_total": 0 if is_continuous else plan.rounds_total,
        "is_automatic": plan.is_automatic or is_continuous,
        "games_per_pairing": 2 if format_.has_matches else plan.games_per_pairing,
        **({"games_per_pairing": plan.boards} if format_.is_of_teams else {}),
    }


def plan_of(event: Event) -> EventPlan:
    """The event's settings as a plan, from which another event can be made.

    The two games of a format of matches are no choice of the organiser, and not in the plan.
    """
    values = {name: getattr(event, name) for name in SETTINGS if name != "clock"}
    values["rounds_total"] = max(1, event.rounds_total)
    if formats.of(event).has_matches or event.is_of_teams:
        values["games_per_pairing"] = 1
    return EventPlan(**values, clock=game_clocks.clock_of(event))


def checked_ruleset(plan: EventPlan) -> str:
    """The canonical key of the plan's rules. Raises RefusedError `ruleset-bad`."""
    try:
        return games.load(plan.ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error


def is_too_short_for_people(clock: TimeControl, admits: str) -> bool:
    """Return whether people could enter, and have no time to move a piece.

    Organisers are refused it.
    """
    is_short = not clock.kind.is_unlimited and clock.initial_ms < _SHORTEST_OF_PEOPLE_MS
    return is_short and admits != Event.Admits.BOTS


def _extra_clock(plan: EventPlan) -> list[TimeControl]:
    """Return the clock of extra games, if they have their own.

    Raises RefusedError `extra-clock-bad`, or `extra-clock-short` for one that no person can play with.
    """
    text = plan.extra_clock.strip()
    if not text:
        return []
    if plan.is_over_the_board:
        raise RefusedError("extra-clock-bad", "no clock runs here")
    try:
        clock = TimeControl.parse(text)
    except ClockError as error:
        raise RefusedError("extra-clock-bad", str(error)) from error
    if clock.kind.is_unlimited:
        raise RefusedError("extra-clock-bad", "a round has an end")
    if is_too_short_for_people(clock, plan.admits):
        raise RefusedError("extra-clock-short", text)
    return [clock]


_DAY_MS = 24 * 3600 * 1000


def _check_ranges(plan: EventPlan) -> None:
    for name, each in SETTINGS.items():
        value = getattr(plan, name)
        # The number of rounds of a table follows from its players.
        is_free = name == "rounds_total" and not formats.FORMATS[plan.format].has_chosen_length
        if not is_free and not each.allows(value):
            raise RefusedError(each.refusals[0], f"{name}: {value}"[:120])


def may_have_deadlines(clock: TimeControl) -> bool:
    """Return whether rounds with this clock may have a deadline: a clock of a day or more."""
    return clock.initial_ms >= _DAY_MS


def _check_conditions(plan: EventPlan) -> None:
    low, high = plan.min_centielo, plan.max_centielo
    if low is not None and high is not None and low > high:
        raise RefusedError("rating-band", f"{low} to {high}")
    if plan.is_private and not plan.access_code.strip():
        raise RefusedError("access-code-bad")
    if plan.start_mode == Event.Start.PRESENCE and plan.grace_s is None:
        raise RefusedError("grace-needed")
    if plan.round_days is not None and not may_have_deadlines(plan.clock):
        raise RefusedError("round-days-clock")
    if plan.check_in_opens_at is not None and (
        plan.starts_at is None or plan.check_in_opens_at >= plan.starts_at
    ):
        raise RefusedError("check-in-bad")


def _check_head(plan: EventPlan) -> None:
    if plan.fee.strip() and fees.read(plan.fee) is None:
        raise RefusedError("fee-bad", plan.fee)
    federation = plan.federation.strip()
    if federation and not (len(federation) == 3 and federation.isascii() and federation.isalpha()):
        raise RefusedError("federation-bad", federation)
    first, last = plan.first_day, plan.last_day
    if first is not None and last is not None and first > last:
        raise RefusedError("days-bad", f"{first} to {last}")


def _check_board(plan: EventPlan) -> None:
    """Raise RefusedError if the event is only in part over the board."""
    if not plan.is_over_the_board:
        if plan.clock.kind.is_unlimited:
            raise RefusedError("clock-bad", "a round has an end")
        if plan.board_time or plan.first_day or plan.last_day:
            raise RefusedError("board-event-bad", "only an event over the board has such times")
        if plan.has_player_reports:
            raise RefusedError("board-event-bad", "results of other events are not typed")
        return
    is_continuous = formats.FORMATS[plan.format].is_continuous
    if is_continuous or plan.admits != Event.Admits.PEOPLE:
        raise RefusedError("board-event-bad", f"{plan.format} for {plan.admits}")
    if not plan.clock.kind.is_unlimited or plan.is_rated or plan.is_automatic:
        raise RefusedError("board-event-bad", "no clock, no ratings, every round by hand")


def _check_format(plan: EventPlan) -> None:
    format_ = formats.FORMATS[plan.format]
    if plan.duration_s < format_.least_duration_s:
        raise RefusedError("duration-bad", str(plan.duration_s))
    scores = (plan.loss_halves, plan.draw_halves, plan.win_halves)
    is_ordered = scores[0] <= scores[1] < scores[2]
    if not is_ordered or 2 * plan.draw_halves > plan.win_halves + plan.loss_halves:
        raise RefusedError("points-bad", "/".join(map(str, scores)))
    _check_tie_breaks(plan)
    if format_.is_continuous and scores != (
        0,
        1,
        2,
    ):  # arenas count 2 for a win in points of their own
        raise RefusedError("points-bad", plan.format)
    if plan.bye_halves > plan.win_halves:
        raise RefusedError("points-bad", str(plan.bye_halves))
    if plan.is_accelerated and (
        not format_.can_accelerate or plan.win_halves != 2 * plan.draw_halves or plan.loss_halves
    ):
        raise RefusedError("acceleration-bad", plan.format)


def _check_mini_matches(plan: EventPlan) -> None:
    if plan.games_per_pairing == 1:
        return
    if not formats.FORMATS[plan.format].has_mini_matches:
        raise RefusedError("mini-matches-swiss", plan.format)
    if plan.is_accelerated:
        raise RefusedError("mini-matches-plain")


def _check_tie_breaks(plan: EventPlan) -> None:
    names = plan.tie_breaks
    if not names:
        return
    try:
        choices = tie_breaks(names.split(","), of_teams=formats.FORMATS[plan.format].is_of_teams)
    except UnknownTieBreakError as error:
        raise RefusedError("tie-breaks-bad", str(error)) from error
    system = formats.FORMATS[plan.format].tie_break_system
    if any(system not in each.entry.fits for each in choices):
        raise RefusedError("tie-breaks-bad", names)
