"""The parameters of a random tournament: defaults, a configuration file, or an existing tournament as the model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.pairing.problem import STANDARD_POINTS, PairingError, PointSystem
from tournaments.standings import System
from tournaments.standings.catalogue import DEFAULTS, tie_breaks
from tournaments.standings.errors import StandingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tournaments.commandline.chance import Chance
    from tournaments.trf import Absence, Forbidden, Player, Report, VirtualPoints

_MOST_PLAYERS = 9999
_MOST_ROUNDS = 999
_MOST_RATE = 1_000_000
_MOST_PAIRS = 100_000

_Value = int | bool | tuple[str, ...]


class BadRecipeError(PairingError):
    """The configuration says something that no tournament can be made of."""

    code = "bad-recipe"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Parameters of a random tournament.

    A rate of N is "one in N", 0 for never: of games, or of players in a round without another note.

    Attributes:
        players: their number. None: 15 to 215, drawn.
        rounds: the declared number. None: 5 to 15, drawn.
        rounds_played: how many of them are played. None: all.
        draw_percentage: of games between equals. Between others less if Elo's expectation leaves no
            room.
        forfeit_rate: of games, one side stays away.
        double_forfeit_rate: of games, both stay away.
        short_game_rate: of games, they end before one move is played (W, D, L).
        odd_result_rate: of games, the arbiter gives ½-0, 0-½ or 0-0.
        retired_rate: zero-point byes.
        half_bye_rate, full_bye_rate: the other byes on request.
        withdrawal_rate: permanent withdrawals.
        late_entry_rate: of all players, comes in a later round.
        forbidden_pairs: how many pairs must never meet.
        forbidden_in_rounds: how many must not in some rounds.
        highest, lowest: ratings.
        is_accelerated: Baku acceleration (C.04.7 1).
        announces: whether byes on request are in `240` records, their columns blank.
        odd_is_white: the initial colour. None: drawn.
        tie_breaks: their names in order, after the points. They give the places.
        model: the players, without results. None: made up.
        absences, virtual, forbidden, system: the model's facts about rounds.
        to_draw: names of the fields above that `drawn` replaces.
    """

    players: int | None = None
    rounds: int | None = None
    rounds_played: int | None = None
    draw_percentage: int = 30
    forfeit_rate: int = 50
    double_forfeit_rate: int = 0
    short_game_rate: int = 0
    odd_result_rate: int = 0
    retired_rate: int = 200
    half_bye_rate: int = 100
    full_bye_rate: int = 0
    withdrawal_rate: int = 0
    late_entry_rate: int = 0
    forbidden_pairs: int = 0
    forbidden_in_rounds: int = 0
    highest: int = 2600
    lowest: int = 1400
    is_accelerated: bool = False
    announces: bool = False
    odd_is_white: bool | None = None
    points: PointSystem = STANDARD_POINTS
    tie_breaks: tuple[str, ...] = ()
    model: tuple[Player, ...] | None = None
    absences: tuple[Absence, ...] = ()
    virtual: tuple[VirtualPoints, ...] = ()
    forbidden: tuple[Forbidden, ...] = field(default=())
    system: str | None = None
    to_draw: frozenset[str] = frozenset()


def drawn(recipe: Recipe, chance: Chance) -> Recipe:
    """Return the recipe with a random value in each field that is to be drawn."""
    values = {name: _DRAWS[name](chance) for name in sorted(recipe.to_draw & _DRAWS.keys())}
    full = replace(recipe, **values)  # type: ignore[arg-type]  # each draw gives its field's type
    # A given bound of the ratings holds.
    if "lowest" in recipe.to_draw:
        full = replace(full, lowest=min(full.lowest, full.highest))
    return replace(
        full,
        highest=max(full.lowest, full.highest),
        is_accelerated=full.is_accelerated and full.points.is_standard_scale,
        to_draw=frozenset(),
    )


def from_config(text: str) -> Recipe:
    """Return the recipe of a configuration file: lines `Key=Value`, `#` begins a comment.

    Raises:
        BadRecipeError: with the line, for a key we do not have or a value that cannot be.
    """
    values: dict[str, _Value] = {}
    points: dict[str, int] = {}
    to_draw: set[str] = set()
    for number, row in enumerate(text.splitlines(), start=1):
        line = row.partition("#")[0].strip()
        try:
            if line:
                _read_line(line, values, points, to_draw)
        except BadRecipeError as error:
            raise BadRecipeError(f"line {number}: {error}") from None
    if _OTHERS in to_draw:
        to_draw |= {name for name, _ in _KEYS.values()} - values.keys()
    recipe = replace(Recipe(), points=_point_system(points), **values)  # type: ignore[arg-type]  # each reader gives its field's type
    return _checked(replace(recipe, to_draw=frozenset(to_draw - {_OTHERS})))


def _read_line(
    line: str, values: dict[str, _Value], points: dict[str, int], to_draw: set[str]
) -> None:
    key, equals, value = (part.strip() for part in line.partition("="))
    if not equals:
        raise BadRecipeError(f"{line[:40]!r} is not Key=Value")
    if value == _RANDOM and (key in _KEYS or key == _OTHERS):
        to_draw.add(_KEYS[key][0] if key in _KEYS else key)
    elif key in _POINTS:
        points |= dict.fromkeys(_POINTS[key], _halves(value))
    elif key in _KEYS:
        name, read = _KEYS[key]
        values[name] = read(value)
    else:
        raise BadRecipeError(f"{key[:40]!r} is no key; there are {', '.join(_ALL)}")


def _checked(recipe: Recipe) -> Recipe:
    if recipe.lowest > recipe.highest and not recipe.to_draw & {"lowest", "highest"}:
        raise BadRecipeError(
            f"LowestRating {recipe.lowest} is above HighestRating {recipe.highest}"
        )
    if recipe.is_accelerated and not recipe.points.is_standard_scale:
        raise BadRecipeError("Accelerated needs a win worth two draws and a loss worth nothing")
    return recipe


def from_model(report: Report) -> Recipe:
    """Return the recipe of a tournament like that one: its players and settings, its draws, forfeits and byes as rates."""
    codes = [r.code for p in report.players for r in p.results if r]
    share = _Share(codes, Recipe())
    return replace(
        Recipe(),
        players=len(report.players),
        rounds=report.rounds_total or trf.rounds_played(report) or None,
        draw_percentage=share.draw_percentage(),
        forfeit_rate=share.games((trf.Code.FORFEIT_WIN,), "forfeit_rate"),
        short_game_rate=share.games(_SHORT, "short_game_rate"),
        retired_rate=share.byes(trf.Code.ZERO_BYE, "retired_rate"),
        half_bye_rate=share.byes(trf.Code.HALF_BYE, "half_bye_rate"),
        full_bye_rate=share.byes(trf.Code.FULL_BYE, "full_bye_rate"),
        odd_is_white=report.odd_is_white,
        points=report.points,
        model=tuple(p._replace(results=(), points_halves=None, place=None) for p in report.players),
        absences=report.absences,
        virtual=report.virtual,
        forbidden=report.forbidden,
        system=report.system,
    )


_SHORT = (trf.Code.SHORT_WIN, trf.Code.SHORT_DRAW, trf.Code.SHORT_LOSS)


class _Share:
    """Frequency of events in a model. Without a round in it, the frequency is that of `usual`."""

    def __init__(self, codes: list[trf.Code], usual: Recipe) -> None:
        self._codes = codes
        self._usual = usual

    def draw_percentage(self) -> int:
        played = [c for c in self._codes if c.is_played]
        if not played:
            return self._usual.draw_percentage
        drawn = sum(c in (trf.Code.DRAW, trf.Code.SHORT_DRAW) for c in played)
        return round(100 * drawn / len(played))

    def games(self, codes: Iterable[trf.Code], name: str) -> int:
        """Return one in N boards. A board has two codes, a forfeit won one of them."""
        kinds = frozenset(codes)
        boards = sum(c.is_played for c in self._codes) / 2 + self._codes.count(trf.Code.FORFEIT_WIN)
        count = sum(c in kinds for c in self._codes) / (2 if kinds == frozenset(_SHORT) else 1)
        return self._rate(boards, count, name)

    def byes(self, code: trf.Code, name: str) -> int:
        """Return one in N players and rounds."""
        return self._rate(len(self._codes), self._codes.count(code), name)

    def _rate(self, of: float, count: float, name: str) -> int:
        if not self._codes:
            usual = getattr(self._usual, name)
            assert isinstance(usual, int), "rates are integers"
            return usual
        return max(1, round(of / count)) if count else 0


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) < 9):
            raise BadRecipeError(f"{value[:20]!r} is no whole number")
        if not least <= int(value) <= most:
            raise BadRecipeError(f"{value} is not from {least} to {most}")
        return int(value)

    return read


def _flag(value: str) -> bool:
    if value not in ("0", "1"):
        raise BadRecipeError(f"{value[:20]!r} is neither 0 nor 1")
    return value == "1"


def _colour(value: str) -> bool:
    if value.upper() not in ("W", "B"):
        raise BadRecipeError(f"{value[:20]!r} is neither W nor B")
    return value.upper() == "W"


def _tie_breaks(value: str) -> tuple[str, ...]:
    names = tuple(name.strip().upper() for name in value.split(","))
    try:
        tie_breaks(names)
    except StandingsError as error:
        raise BadRecipeError(str(error)) from None
    return names


def _halves(value: str) -> int:
    whole, _, fraction = value.partition(".")
    digits = whole + fraction
    if not (digits.isascii() and digits.isdigit() and len(digits) < 5):
        raise BadRecipeError(f"{value[:20]!r} is no number of points")
    if fraction.rstrip("0") not in ("", "5"):
        raise BadRecipeError(f"{value!r} is no multiple of half a point")
    return 2 * int(whole or "0") + (fraction[:1] == "5")


def _point_system(given: dict[str, int]) -> PointSystem:
    """Return the point system with defaults for missing values.

    The bye by pairing, forfeit wins and full-point byes count as a win, half-point byes as a draw.
    """
    system = dict(given)
    if "win" in system:
        system.setdefault("pairing_bye", system["win"])
        system |= {"forfeit_win": system["win"], "full_bye": system["win"]}
    if "draw" in system:
        system["half_bye"] = system["draw"]
    return PointSystem(**system)


def _random_rate(chance: Chance) -> int:
    return 0 if chance.one_in(3) else chance.between(8, 200)


def _random_tie_breaks(chance: Chance) -> tuple[str, ...]:
    names = list(DEFAULTS[System.SWISS])
    return tuple(names.pop(chance.below(len(names))) for _ in range(chance.between(1, len(names))))


# The fields that have a value unless the configuration says `random`.
_RANDOM, _OTHERS = "random", "Others"
_DRAWS: dict[str, Callable[[Chance], _Value]] = {
    "draw_percentage": lambda chance: chance.between(0, 80),
    "forfeit_rate": _random_rate,
    "double_forfeit_rate": _random_rate,
    "short_game_rate": _random_rate,
    "odd_result_rate": _random_rate,
    "retired_rate": _random_rate,
    "half_bye_rate": _random_rate,
    "full_bye_rate": _random_rate,
    "withdrawal_rate": _random_rate,
    "late_entry_rate": _random_rate,
    "forbidden_pairs": lambda chance: chance.between(0, 4),
    "forbidden_in_rounds": lambda chance: chance.between(0, 4),
    "highest": lambda chance: chance.between(1800, 2800),
    "lowest": lambda chance: chance.between(1000, 1800),
    "is_accelerated": lambda chance: chance.one_in(3),
    "announces": lambda chance: chance.one_in(2),
    "tie_breaks": _random_tie_breaks,
}
_POINTS = {
    "PointsForWin": ("win",),
    "PointsForDraw": ("draw",),
    "PointsForLoss": ("loss",),
    "PointsForZPB": ("zero_bye",),
    "PointsForForfeitLoss": ("forfeit_loss",),
    "PointsForPAB": ("pairing_bye",),
}
_RATE = _number(0, _MOST_RATE)
_BBP_KEYS: dict[str, tuple[str, Callable[[str], int | bool]]] = {
    "PlayersNumber": ("players", _number(2, _MOST_PLAYERS)),
    "RoundsNumber": ("rounds", _number(1, _MOST_ROUNDS)),
    "DrawPercentage": ("draw_percentage", _number(0, 100)),
    "ForfeitRate": ("forfeit_rate", _RATE),
    "RetiredRate": ("retired_rate", _RATE),
    "HalfPointByeRate": ("half_bye_rate", _RATE),
    "HighestRating": ("highest", _number(0, 9999)),
    "LowestRating": ("lowest", _number(0, 9999)),
}
_KEYS: dict[str, tuple[str, Callable[[str], _Value]]] = {
    **_BBP_KEYS,
    "RoundsPlayed": ("rounds_played", _number(1, _MOST_ROUNDS)),
    "DoubleForfeitRate": ("double_forfeit_rate", _RATE),
    "ShortGameRate": ("short_game_rate", _RATE),
    "OddResultRate": ("odd_result_rate", _RATE),
    "FullPointByeRate": ("full_bye_rate", _RATE),
    "WithdrawalRate": ("withdrawal_rate", _RATE),
    "LateEntryRate": ("late_entry_rate", _RATE),
    "ForbiddenPairs": ("forbidden_pairs", _number(0, _MOST_PAIRS)),
    "ForbiddenPairsInRounds": ("forbidden_in_rounds", _number(0, _MOST_PAIRS)),
    "Accelerated": ("is_accelerated", _flag),
    "AnnouncedByes": ("announces", _flag),
    "InitialColour": ("odd_is_white", _colour),
    "TieBreaks": ("tie_breaks", _tie_breaks),
}
_ALL = (*_KEYS, *_POINTS, _OTHERS)
# The keys that bbpPairings has too.
BBP_KEYS = frozenset((*_BBP_KEYS, *_POINTS))
