"""A plan for an event: its format and its field, before the first entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from tournaments.forecasts.course import BadCourseError, Course, Prior, points_of
from tournaments.forecasts.results import ResultModel
from tournaments.pairing import Contestant, FormatOptions, PairingProblem, PointSystem, system
from tournaments.pairing.problem import STANDARD_POINTS, options_of
from tournaments.standings import DEFAULTS, Edition, System

_MIDDLE_ELO = 1500


@dataclass(frozen=True, slots=True)
class Timing:
    """The duration of games: the clock of each side, its increment per ply, and the pause between rounds.

    `plies` is the typical length of a game.
    """

    initial_ms: int
    increment_ms: int
    plies: int
    pause_s: int


@dataclass(frozen=True, slots=True)
class Plan:
    """An organiser's question.

    Attributes:
        system: the name of the pairing system.
        players: the number of players.
        rounds: of a Swiss. Other formats know their number.
        spread_elo: the standard deviation of the ratings, which are spread as a normal sample is.
        deviation_elo: the standard error of each rating: true strengths differ from them by this
            much.
        model: how games end.
        options: of the format.
        timing: of the games, or None without a clock.
        tie_breaks: names of C.07, in their order.
        game_points: as of `Course`.
    """

    system: str
    players: int
    rounds: int
    spread_elo: int
    deviation_elo: int
    model: ResultModel
    options: FormatOptions
    timing: Timing | None
    tie_breaks: tuple[str, ...]
    game_points: PointSystem | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON data. `from_json` reads it back."""
        points = self.game_points
        return {
            **asdict(self),
            "options": self.options.to_json(),
            "game_points": None if points is None else points._asdict(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan stored as `data`. Raises BadCourseError."""
        try:
            return cls(
                model=ResultModel(**data["model"]),
                options=options_of(data["options"]),
                timing=None if data["timing"] is None else Timing(**data["timing"]),
                # A plan that an earlier release stored has none.
                tie_breaks=tuple(data.get("tie_breaks", DEFAULTS[System.SWISS])),
                game_points=points_of(data.get("game_points")),
                **{name: data[name] for name in _PLAIN},
            )
        except (KeyError, TypeError) as error:
            raise BadCourseError(f"not a stored plan: {error!r}") from error


_PLAIN = ("system", "players", "rounds", "spread_elo", "deviation_elo")


def ratings_of(players: int, spread_elo: float) -> list[float]:
    """Return the ratings of this number of players, best first.

    They are the quantiles of a normal distribution around 1500.
    """
    normal = NormalDist(_MIDDLE_ELO, spread_elo) if spread_elo else None
    shares = [(place + 0.5) / players for place in range(players)]
    return [normal.inv_cdf(1 - share) if normal else _MIDDLE_ELO for share in shares]


def course_of(plan: Plan) -> Course:
    """Return the event of `plan` before its first round.

    Raises BadProblemError when the format's options make no sense for this number of players.
    """
    own_rounds = system(plan.system).rounds(plan.players, plan.options)
    is_swiss = own_rounds is None
    ratings = ratings_of(plan.players, plan.spread_elo)
    problem = PairingProblem(
        round_number=1,
        rounds_total=own_rounds or plan.rounds,
        contestants=tuple(
            Contestant(tpn, (), rating_centielo=round(100 * rating))
            for tpn, rating in enumerate(ratings, start=1)
        ),
        points=plan.game_points.of_match if plan.game_points else STANDARD_POINTS,
        options=plan.options,
        most_meetings=int(is_swiss and plan.system != "keizer"),
    ).checked()
    return Course(
        system=plan.system,
        problem=problem,
        priors=tuple(
            Prior(tpn, rating, plan.deviation_elo) for tpn, rating in enumerate(ratings, start=1)
        ),
        model=plan.model,
        tie_breaks=plan.tie_breaks,
        edition=Edition.MARCH_2026.value,
        is_swiss=is_swiss,
        game_points=plan.game_points,
    )
