"""The result of a round for a player: the seat, the games that decide it, and the points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tournaments.models import Game, Seat
from tournaments.pairing import PointSystem
from tournaments.pairing.problem import STANDARD_POINTS
from tournaments.queries.results import tie_games
from tournaments.round_kinds import Kind

Key = TypeVar("Key")


# A result for the first side and for the second. Every other table of results follows from this one.
SIDES: Mapping[str, tuple[Kind, Kind]] = {
    Game.Result.FIRST: (Kind.WIN, Kind.LOSS),
    Game.Result.SECOND: (Kind.LOSS, Kind.WIN),
    Game.Result.DRAW: (Kind.DRAW, Kind.DRAW),
    Game.Result.FIRST_FORFEIT: (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    Game.Result.SECOND_FORFEIT: (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    Game.Result.DOUBLE_FORFEIT: (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
    Game.Result.VOID: (Kind.VOID, Kind.VOID),
    Game.Result.DRAW_LOSS: (Kind.DRAW, Kind.LOSS),
    Game.Result.LOSS_DRAW: (Kind.LOSS, Kind.DRAW),
    Game.Result.BOTH_LOST: (Kind.LOSS, Kind.LOSS),
    Game.Result.SHORT_FIRST: (Kind.WIN, Kind.LOSS),
    Game.Result.SHORT_SECOND: (Kind.LOSS, Kind.WIN),
    Game.Result.SHORT_DRAW: (Kind.DRAW, Kind.DRAW),
}


@dataclass(frozen=True, slots=True)
class RoundSeat:
    """One round of one entry, or one game of a mini-match: its seat, its points, its games.

    Attributes:
        games: the games that decide it, in their order: empty for a bye, None for a second game
            that has not begun.
        points: the worth of a game.
        games_count: the number of games of the pairing, and so of the weight of a bye.
        is_return: whether it is the second game of a mini-match, in which the sides are exchanged.
        counts_as_played: whether it is a game of a mini-match of which another game was played.
        penalty_halves: the half points that the arbiter deducts, at most those of the round.
    """

    seat: Seat
    games: Sequence[Game | None]
    points: PointSystem
    games_count: int = 1
    is_return: bool = False
    counts_as_played: bool = False
    penalty_halves: int = 0

    @property
    def game(self) -> Game | None:
        """Return the only game, or the first of a mini-match; None without one."""
        return self.games[0] if self.games else None

    @property
    def is_postponed(self) -> bool:
        """Return whether its games count as draws until they are over."""
        return self.seat.pairing is not None and self.seat.pairing.is_postponed

    @property
    def has_adjourned(self) -> bool:
        """Return whether one of its games is postponed and not over."""
        return self.is_postponed and any(game is None or game.result is None for game in self.games)

    @property
    def is_first(self) -> bool:
        """Return whether the entry has the first ply, of a mini-match in its first game."""
        return (self.seat.kind == Seat.Kind.FIRST) != self.is_return

    @property
    def side_letter(self) -> str:
        """Return `w` for the side with the first ply, with any colour, else `b`, as in report files."""
        return "w" if self.is_first else "b"

    @property
    def by_game(self) -> Sequence[RoundSeat]:
        """Return the round game by game."""
        return [self.of_game(index) for index in range(self.games_count)]

    def of_game(self, index: int) -> RoundSeat:
        """Return one game of the round, counted from 0, or its share of a bye."""
        if self.games_count == 1:
            return self
        games = self.games[index : index + 1]
        is_return = bool(self.games) and index % 2 == 1
        points = self.points.in_second_game if index % 2 == 1 else self.points
        return RoundSeat(self.seat, games, points, 1, is_return, self.is_played)

    @property
    def kind(self) -> Kind:
        """The kind of the round for this entry."""
        if self.game is None and self.seat.pairing_id is None:
            return Kind(self.seat.kind)
        outcome = self.outcome or Kind.OPEN
        return outcome.as_played if self.counts_as_played else outcome

    @property
    def outcome(self) -> Kind | None:
        """Return the result of the game, or of the mini-match, for this entry; None before it is over.

        A mini-match is won by more points. It ends by forfeit only if no game of it was played.
        """
        if self.games_count == 1:
            return self._outcome_of(self.game)
        outcomes = [each.outcome for each in self.by_game]
        if not self.games or None in outcomes:
            return None
        if not self.is_played:
            return _unplayed(outcomes)
        mine, theirs = self.score_halves or 0, self._opponent_halves
        if mine == theirs:
            return Kind.DRAW
        return Kind.WIN if mine > theirs else Kind.LOSS

    def _outcome_of(self, game: Game | None) -> Kind | None:
        if game is None or game.result is None:
            return Kind.ADJOURNED if self.is_postponed else None
        kinds = SIDES[game.result]
        if kinds[0] is kinds[1]:
            return kinds[0]
        pairing = self.seat.pairing
        assert pairing is not None, "who has a game sits at a board"
        mine = pairing.first if self.seat.kind == Seat.Kind.FIRST else pairing.second
        # Drawn ties are played again with the sides exchanged: the seat does not tell the side of
        # the last game.
        return kinds[game.first_id != mine.player_id]

    @property
    def is_short(self) -> bool:
        """Return whether it is one game that was decided before a move: it is not rated."""
        game = self.game
        return self.games_count == 1 and game is not None and game.result in Game.SHORT

    @property
    def score_halves(self) -> int | None:
        """Return the half points of the round less the deduction; None while a game is in progress."""
        worth = self._worth_halves
        return None if worth is None else worth - self.deducted_halves

    @property
    def deducted_halves(self) -> int:
        """Return the deducted half points: at most those of the round (FIDE Laws 12.9.5)."""
        return min(self.penalty_halves, self._worth_halves or 0)

    @property
    def _worth_halves(self) -> int | None:
        """Return the half points of all games; None while one is in progress."""
        if not self.games:
            return 0 if self.seat.pairing_id else sum(self._bye_halves)
        total = 0
        for each in self.by_game:
            outcome = each._outcome_of(each.game)
            if outcome is None:
                return None
            total += self.points.worth(outcome)
        return total

    @property
    def _bye_halves(self) -> list[int]:
        return [each.points.worth(self.kind) for each in self.by_game]

    @property
    def score_so_far_halves(self) -> int:
        """Half points of the games that are over."""
        outcomes = [each._outcome_of(each.game) for each in self.by_game] if self.games else []
        return sum(self.points.worth(outcome) for outcome in outcomes if outcome is not None)

    @property
    def _opponent_halves(self) -> int:
        pairing = self.seat.pairing
        assert pairing is not None, "who has a game sits at a board"
        kind = Seat.Kind.SECOND if self.seat.kind == Seat.Kind.FIRST else Seat.Kind.FIRST
        opponent = Seat(kind=kind, pairing=pairing)
        return RoundSeat(opponent, self.games, self.points, self.games_count).score_halves or 0

    @property
    def opponent_tpn(self) -> int | None:
        """Return the TPN of the opponent, even of one who has left; None without one."""
        if self.seat.absent is not None:
            return self.seat.absent.tpn
        pairing = self.seat.pairing
        if pairing is None:
            return None
        other = pairing.second if self.seat.kind == Seat.Kind.FIRST else pairing.first
        return other.tpn

    @property
    def is_played(self) -> bool:
        """Return whether a game was, or is being, played here."""
        return any(game is not None and game.result not in Game.UNPLAYED for game in self.games)


@dataclass(frozen=True, slots=True)
class TeamSeat(RoundSeat):
    """One round of a team: its seat, its match points, and the games at its boards in their order.

    The game of an empty board is not saved, and has the forfeit as its result. None has not begun.

    Attributes:
        points: the worth of a match.
        game_points: the worth of a game.
        has_bracket: whether a level match lets the team advance that is ahead by its boards.
        alternates_boards: as of `Event`.
    """

    game_points: PointSystem = STANDARD_POINTS
    has_bracket: bool = False
    alternates_boards: bool = True

    @property
    def game(self) -> Game | None:
        """Return the game at the first board that has one; None without a match."""
        # The first board can be adjourned while others are over.
        return next((game for game in self.games if game is not None), None)

    @property
    def by_game(self) -> Sequence[RoundSeat]:
        """Return the match, which is one round."""
        return [self]

    def of_game(self, index: int) -> RoundSeat:
        """Return the match, which is one round."""
        return self

    @property
    def boards(self) -> Sequence[Kind | None]:
        """Return the outcome at each board for the team; None before it is over. Empty without a match."""
        return [self._at_board(index, game) for index, game in enumerate(self.games)]

    def _at_board(self, index: int, game: Game | None) -> Kind | None:
        if game is None or game.result is None:
            return Kind.ADJOURNED if self.is_postponed else None
        is_first = (self.seat.kind == Seat.Kind.FIRST) == (
            index % 2 == 0 or not self.alternates_boards
        )
        return SIDES[game.result][not is_first]

    @property
    def outcome(self) -> Kind | None:
        """Return the result of the match by game points; None before all its games are over.

        A team forfeits a match if it forfeits every board. Any other match was played.
        """
        if not self.games or None in self.boards:
            return None
        kinds = set(self.boards)
        if len(kinds) == 1 and (only := next(iter(kinds))) in _UNPLAYED_MATCH:
            return only
        if set(self.opponents.boards) == {Kind.FORFEIT_LOSS}:
            return Kind.FORFEIT_WIN
        mine, theirs = self.game_halves, self.opponents.game_halves
        if mine == theirs:
            return Kind.DRAW
        return Kind.WIN if mine > theirs else Kind.LOSS

    @property
    def is_played(self) -> bool:
        """Return whether the match was, or is being, played."""
        return bool(self.games) and self.outcome not in _UNPLAYED_MATCH

    @property
    def is_ahead(self) -> bool:
        """Return whether a level match goes to the team by the board count, then by the top boards (C.07 12)."""
        mine, theirs = self.board_halves, self.opponents.board_halves
        counts = [sum(n * half for n, half in enumerate(each, 1)) for each in (mine, theirs)]
        return counts[0] < counts[1] if counts[0] != counts[1] else mine > theirs

    @property
    def board_halves(self) -> tuple[int, ...]:
        """Return the half points of each board. Each board of a bye is won (C.07 12)."""
        if self.seat.kind == Seat.Kind.PAIRING_BYE:
            return (self.game_points.win,) * self.games_count
        return tuple(self.game_points.worth(kind) if kind else 0 for kind in self.boards)

    @property
    def game_halves(self) -> int:
        """Return the half game points of the games that are over, or of the bye: boards won or drawn as the match."""
        if self.games:
            return sum(self.board_halves)
        each = {
            self.points.win: self.game_points.win,
            self.points.draw: self.game_points.draw,
        }
        halves = 0 if self.seat.pairing_id else self.points.worth(self.kind)
        return self.games_count * each.get(halves, 0)

    @property
    def _worth_halves(self) -> int | None:
        """Return the half match points; None before the match is over."""
        if not self.games:
            return 0 if self.seat.pairing_id else self.points.worth(self.kind)
        outcome = self.outcome
        return None if outcome is None else self.points.worth(outcome)

    @property
    def score_so_far_halves(self) -> int:
        """Half match points of a match that is over."""
        return self.score_halves or 0

    @property
    def opponents(self) -> TeamSeat:
        """Return the match as the other team has it."""
        kind = Seat.Kind.SECOND if self.seat.kind == Seat.Kind.FIRST else Seat.Kind.FIRST
        return replace(self, seat=Seat(kind=kind, pairing=self.seat.pairing))


_UNPLAYED_MATCH = (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.VOID)


@dataclass(frozen=True, slots=True)
class TieSeat(RoundSeat):
    """One tie of a knock-out for one player: its games that count, in their order.

    None is a game that has not begun.

    Attributes:
        games_count: the number of games of the tie, without extra games.
    """

    @property
    def game(self) -> Game | None:
        """Return the latest game; None without one."""
        return next((game for game in reversed(self.games) if game is not None), None)

    @property
    def by_game(self) -> Sequence[RoundSeat]:
        """Return the tie, which is one round."""
        return [self]

    def of_game(self, index: int) -> RoundSeat:
        """Return the tie, which is one round."""
        return self

    @property
    def outcome(self) -> Kind | None:
        """Return the result of the tie for this entry; None before it is over.

        The player with more won games wins it, by forfeit if no game was played. A tie that ends level
        with a double forfeit is lost by both.
        """
        kinds = [self._outcome_of(game) for game in self.games]
        if not kinds or None in kinds:
            return None
        lead = sum(self._margins)
        if set(kinds) <= set(_UNPLAYED_MATCH):
            of_lead = Kind.FORFEIT_WIN if lead > 0 else Kind.FORFEIT_LOSS
            return of_lead if lead else _unplayed(kinds)
        if lead:
            return Kind.WIN if lead > 0 else Kind.LOSS
        last = self.game
        is_forfeited = last is not None and last.result == Game.Result.DOUBLE_FORFEIT
        return Kind.FORFEIT_LOSS if is_forfeited else Kind.DRAW

    @property
    def _margins(self) -> list[int]:
        tie = self.seat.pairing
        assert tie is not None, "a tie is a pairing"
        sign = 1 if self.seat.kind == Seat.Kind.FIRST else -1
        games = [game for game in self.games if game is not None]
        return [sign * margin for margin in tie_games.margins(tie, games)]

    @property
    def is_played(self) -> bool:
        """Return whether the tie was, or is being, played."""
        return bool(self.games) and self.outcome not in _UNPLAYED_MATCH

    @property
    def _worth_halves(self) -> int | None:
        outcome = self.outcome
        return None if outcome is None else self.points.worth(outcome)

    @property
    def score_so_far_halves(self) -> int:
        """Return the half points of its games that are over."""
        kinds = [self._outcome_of(game) for game in self.games]
        return sum(self.points.worth(kind) for kind in kinds if kind is not None)


# The rounds of every entry, by id and by number.
History = Mapping[int, Mapping[int, RoundSeat]]


def deciding_games(
    games: Iterable[tuple[Key, Game]], games_count: int
) -> dict[Key, Sequence[Game | None]]:
    """Return the games that decide each pairing, from all its games in the order of their numbers.

    The last of several replays decides, but a void one does not replace the games before it. The
    even numbers of a mini-match are its second game.
    """
    deciding: dict[Key, list[Game | None]] = {}
    for key, game in games:
        of_pairing = deciding.setdefault(key, [None] * games_count)
        index = (game.number - 1) % games_count
        if game.result != Game.Result.VOID or of_pairing[index] is None:
            of_pairing[index] = game
    return {key: tuple(of_pairing) for key, of_pairing in deciding.items()}


def _unplayed(outcomes: Sequence[Kind | None]) -> Kind:
    """Return the outcome of a mini-match without a played game: a forfeit for a player who forfeited, else void."""
    if Kind.FORFEIT_LOSS in outcomes:
        return Kind.FORFEIT_LOSS
    return Kind.FORFEIT_WIN if Kind.FORFEIT_WIN in outcomes else Kind.VOID
