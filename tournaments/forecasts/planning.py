"""A plan for an event: its format and its field, before anybody has entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from tournaments.forecasts.course import BadCourseError, Course, Prior
from tournaments.forecasts.results import ResultModel
from tournaments.pairing import SYSTEMS, Contestant, FormatOptions, PairingProblem, system
from tournaments.standings import DEFAULTS, Edition, System

_MIDDLE_ELO = 1500


@dataclass(frozen=True, slots=True)
class Timing:
    """How long games last: the clock of each side, what a ply adds to it, and the pause between rounds.

    `plies` is the typical length of a game.
    """

    initial_ms: int
    increment_ms: int
    plies: int
    pause_s: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organiser asks about.

    Attributes:
        system: the name of the pairing system.
        players: how many.
        rounds: of a Swiss; other formats know how many they take.
        spread_elo: the standard deviation of the ratings, which are spread as a normal sample is.
        deviation_elo: the standard error of each rating: by so much true strengths differ from them.
        model: how games end.
        options: of the format.
        timing: of the games; None where no clock runs.
    """

    system: str
    players: int
    rounds: int
    spread_elo: int
    deviation_elo: int
    model: ResultModel
    options: FormatOptions
    timing: Timing | None

    def to_json(self) -> dict[str, Any]:
        """The plan as JSON data; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """The plan stored as `data`. Raises BadCourseError."""
        try:
            return cls(
                model=ResultModel(**data["model"]),
                options=FormatOptions(**data["options"]),
                timing=None if data["timing"] is None else Timing(**data["timing"]),
                **{name: data[name] for name in _PLAIN},
            )
        except (KeyError, TypeError) as error:
            raise BadCourseError(f"not a stored plan: {error!r}") from error


_PLAIN = ("system", "players", "rounds", "spread_elo", "deviation_elo")


def ratings_of(players: int, spread_elo: float) -> list[float]:
    """The ratings of so many players, best first: the quantiles of a normal distribution around 1500."""
    normal = NormalDist(_MIDDLE_ELO, spread_elo) if spread_elo else None
    shares = [(place + 0.5) / players for place in range(players)]
    return [normal.inv_cdf(1 - share) if normal else _MIDDLE_ELO for share in shares]


def course_of(plan: Plan) -> Course:
    """The event of `plan` before its first round.

    Raises BadProblemError when the format's options make no sense for so many.
    """
    rounds = system(plan.system).rounds(plan.players, plan.options) or plan.rounds
    ratings = ratings_of(plan.players, plan.spread_elo)
    is_swiss = SYSTEMS[plan.system].is_swiss
    problem = PairingProblem(
        round_number=1,
        rounds_total=rounds,
        contestants=tuple(
            Contestant(tpn, (), rating_centielo=round(100 * rating))
            for tpn, rating in enumerate(ratings, start=1)
        ),
        options=plan.options,
        most_meetings=1 if is_swiss else 0,
    )
    is_table = plan.system == "round-robin"
    return Course(
        system=plan.system,
        problem=problem,
        priors=tuple(
            Prior(tpn, rating, plan.deviation_elo) for tpn, rating in enumerate(ratings, start=1)
        ),
        model=plan.model,
        tie_breaks=tuple(DEFAULTS[System.ROUND_ROBIN if is_table else System.SWISS]),
        edition=Edition.MARCH_2026.value,
        is_swiss=is_swiss,
    )
