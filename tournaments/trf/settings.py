"""Records about the tournament: rounds, colour, points, absences, acceleration, forbidden pairs, in all dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.problem import PointSystem
from tournaments.trf.columns import MAX_ID, MAX_ROUNDS, halves, word_integer
from tournaments.trf.report import AbnormalPoints, Absence, Code, Forbidden, VirtualPoints
from tournaments.trf.team_records import TeamSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tournaments.trf.columns import Line
    from tournaments.trf.errors import BadReportError

_ABSENT = {c.value: c for c in (Code.HALF_BYE, Code.FULL_BYE, Code.ZERO_BYE)}
_ABNORMAL = {
    "W": Code.WIN,
    "D": Code.DRAW,
    "L": Code.LOSS,
    "+": Code.FORFEIT_WIN,
    "-": Code.FORFEIT_LOSS,
    **_ABSENT,
}
# The result of each code of a point system, as fields of PointSystem.
_TRF26 = {
    "W": ("win", "forfeit_win", "full_bye"),
    "D": ("draw", "half_bye"),
    "L": ("loss",),
    "A": ("zero_bye", "forfeit_loss"),
    "Z": ("zero_bye", "forfeit_loss"),  # what programs wrote before the symbol was settled
    "P": ("pairing_bye",),
    "X": (),  # an adjourned game, which always counts as a draw here (C.04.2 3.1)
}
_BB = {
    "BBW": ("win", "forfeit_win", "full_bye"),
    "BBD": ("draw", "half_bye"),
    "BBL": ("loss",),
    "BBZ": ("zero_bye",),
    "BBF": ("forfeit_loss",),
    "BBU": ("pairing_bye",),
}
# JaVaFo's points by result and colour. In all supported systems they are independent of the colour.
_BY_COLOUR = {
    "win": ("WW", "BW"),
    "draw": ("WD", "BD"),
    "loss": ("WL", "BL"),
}
_COLOURED = {symbol: name for name, symbols in _BY_COLOUR.items() for symbol in symbols}
_XXS = {
    "W": ("win", "forfeit_win", "full_bye", "pairing_bye"),
    "D": ("draw", "half_bye"),
    "L": ("loss",),
    "ZPB": ("zero_bye",),
    "HPB": ("half_bye",),
    "FPB": ("full_bye",),
    "PAB": ("pairing_bye",),
    "FW": ("forfeit_win",),
    "FL": ("forfeit_loss",),
}


class Settings:
    """The settings in the records read so far."""

    def __init__(self) -> None:
        self.rounds_total: int | None = None
        self.odd_is_white: bool | None = None
        self.system: str | None = None
        self.points: dict[str, int] = {}
        self.coloured: dict[str, int] = {}  # `XXS WW=1.0 BW=1.0`
        self.coloured_line: Line | None = None
        self.absences: list[Absence] = []
        self.absent_next: list[int] = []  # `XXZ`: the round is known only at the end
        self.virtual: list[VirtualPoints] = []
        self.virtual_xxa: list[VirtualPoints] = []
        self.forbidden: list[Forbidden] = []
        self.abnormal: list[AbnormalPoints] = []
        self.teams = TeamSettings()
        self.match_line: Line | None = None  # a record with match points, which only teams have

    def point_system(self) -> PointSystem:
        """Return the points: a bye by pairing is worth a win unless the file says otherwise (C.04.1 3)."""
        given = dict(self.points)
        given |= {_COLOURED[symbol]: worth for symbol, worth in self.coloured.items()}
        if "win" in given:
            given.setdefault("pairing_bye", given["win"])
        return PointSystem(**given)

    def points_by_colour(self) -> Iterator[BadReportError]:
        """Yield an error for each result whose value depends on the colour.

        A missing value is the usual one.
        """
        for name, symbols in _BY_COLOUR.items():
            usual = self.points.get(name, getattr(PointSystem(), name))
            values = [self.coloured.get(symbol, usual) for symbol in symbols]
            if values[0] != values[1]:
                assert self.coloured_line is not None, "a value was read"
                words = " and ".join(f"{s}={v / 2}" for s, v in zip(symbols, values, strict=True))
                yield self.coloured_line.error(5, f"{words}: points by colour are not followed")


def _rounds(line: Line, settings: Settings) -> None:
    words = line.words(5)
    if not words:
        raise line.error(5, "the number of rounds is missing")
    rounds = word_integer(line, *words[0], most=MAX_ROUNDS)
    if settings.rounds_total not in (None, rounds):
        raise line.error(5, f"{rounds} rounds, and {settings.rounds_total} before")
    settings.rounds_total = rounds


def _initial_colour(line: Line, settings: Settings) -> None:
    _set_colour(line, 5, line.at(5, 7).upper(), settings)


def _set_colour(line: Line, column: int, letter: str, settings: Settings) -> None:
    if letter not in ("W", "B"):
        raise line.error(column, f"{letter!r} is no initial colour: W or B")
    if settings.odd_is_white not in (None, letter == "W"):
        raise line.error(column, "the initial colour is given twice and differs")
    settings.odd_is_white = letter == "W"


def _xxc(line: Line, settings: Settings) -> None:
    for column, word in line.words(5):
        if word in ("white1", "black1"):
            _set_colour(line, column, word[0].upper(), settings)
        elif word != "rank":  # `rank` says that the id is the pairing number: we know no other
            raise line.error(column, f"{word[:20]!r} is neither white1, black1 nor rank")


def _system(line: Line, settings: Settings) -> None:
    settings.system = line.at(5, 60)


def _trf26_points(line: Line, settings: Settings) -> None:
    if not line.words(4):
        raise line.error(6, "the symbols and points are missing")
    line.require_blank(4, 5)
    for column in range(6, len(line.text) + 1, 9):
        symbol = line.at(column).upper()
        if not symbol:
            line.require_blank(*range(column + 1, column + 9))
            continue
        if symbol not in _TRF26:
            raise line.error(column, f"{symbol!r} is no symbol of a point system")
        value = line.halves(column + 1, column + 4)
        if value is None:
            raise line.error(column + 1, f"points for {symbol!r} are missing")
        line.require_blank(*range(column + 5, column + 9))
        settings.points.update(dict.fromkeys(_TRF26[symbol], value))


def _bb_points(line: Line, settings: Settings) -> None:
    words = line.words(4)
    if len(words) != 1:
        raise line.error(5, "one number of points is wanted")
    value = halves(line, *words[0])
    settings.points.update(dict.fromkeys(_BB[line.text[:3]], value))


def _xxs_points(line: Line, settings: Settings) -> None:
    if not line.words(4):
        raise line.error(5, "the settings are missing")
    for column, word in line.words(5):
        symbol, equals, value = word.partition("=")
        symbol = symbol.upper()
        if symbol not in {*_XXS, *_COLOURED} or not equals:
            raise line.error(column, f"{word[:20]!r} is no point setting we follow")
        worth = halves(line, column + len(symbol) + 1, value)
        if symbol in _COLOURED:
            settings.coloured[symbol], settings.coloured_line = worth, line
        else:
            settings.points.update(dict.fromkeys(_XXS[symbol], worth))


def _absences(line: Line, settings: Settings) -> None:
    letter = line.at(5).upper()
    if letter not in _ABSENT:
        raise line.error(5, f"{letter!r} is no kind of bye: F, H or Z")
    line.require_blank(4, 6, 10)
    number = line.required(7, 9, most=MAX_ROUNDS, what="the round")
    settings.absences.append(Absence(_ABSENT[letter], number, line.ids(11)))


def _xxz(line: Line, settings: Settings) -> None:
    settings.absent_next.extend(line.free_ids(5))


def _virtual(line: Line, settings: Settings) -> None:
    # For teams they are match points (C.04.7 1.4). The example of the standard has those in the
    # other field.
    value = line.halves(5, 8) or line.halves(10, 13)
    if value is None:
        raise line.error(10, "virtual points are missing")
    line.require_blank(4, 14, 18, 22, 27, *range(32, len(line.text) + 1))
    first = line.required(15, 17, most=MAX_ROUNDS, what="the first round")
    last = line.integer(19, 21, most=MAX_ROUNDS) or first
    low = line.required(23, 26, most=MAX_ID, what="the first player")
    high = line.integer(28, 31, most=MAX_ID) or low
    settings.virtual.append(VirtualPoints(value, first, last, low, high))


def _xxa(line: Line, settings: Settings) -> None:
    who = line.required(5, 8, most=MAX_ID, what="the player")
    rounds = (len(line.text.rstrip()) - 10 + 5) // 5
    if rounds > MAX_ROUNDS:
        raise line.error(10, f"more than {MAX_ROUNDS} rounds")
    for k in range(rounds):
        value = line.halves(10 + 5 * k, 13 + 5 * k)
        if value:
            settings.virtual_xxa.append(VirtualPoints(value, k + 1, k + 1, who, who))


def _abnormal(line: Line, settings: Settings) -> None:
    letter = line.at(5).upper()
    if letter and letter not in _ABNORMAL:
        raise line.error(
            5, f"{letter!r} is no result with points of its own: W D L F H Z + - or blank"
        )
    line.require_blank(4, 6, 7, 12, 13, 18, 19, 23)
    match = _signed_halves(line, 8, 11) or 0
    if match:
        settings.match_line = line
    value = _signed_halves(line, 14, 17)
    if value is None:
        raise line.error(14, "the points are missing")
    number = line.integer(20, 22, most=MAX_ROUNDS) or None
    if not letter and number is None:
        raise line.error(20, "a penalty or bonus belongs to a round")
    code = _ABNORMAL[letter] if letter else None
    settings.abnormal.append(AbnormalPoints(code, value, number, line.ids(24), match))


def _signed_halves(line: Line, first: int, last: int) -> int | None:
    text = line.at(first, last)
    if not text:
        return None
    return (-1 if text.startswith("-") else 1) * halves(line, first, text.removeprefix("-"))


def _forbidden(line: Line, settings: Settings) -> None:
    line.require_blank(4, 8, 12)
    first = line.required(5, 7, most=MAX_ROUNDS, what="the first round")
    last = line.integer(9, 11, most=MAX_ROUNDS) or first
    settings.forbidden.append(Forbidden(first, last, line.ids(13)))


def _xxp(line: Line, settings: Settings) -> None:
    settings.forbidden.append(Forbidden(1, None, line.free_ids(5)))


READERS: dict[str, Callable[[Line, Settings], None]] = {
    "142": _rounds,
    "XXR": _rounds,
    "152": _initial_colour,
    "XXC": _xxc,
    "162": _trf26_points,
    "XXS": _xxs_points,
    **dict.fromkeys(_BB, _bb_points),
    "192": _system,
    "240": _absences,
    "XXZ": _xxz,
    "250": _virtual,
    "XXA": _xxa,
    "260": _forbidden,
    "299": _abnormal,
    "XXP": _xxp,
}
