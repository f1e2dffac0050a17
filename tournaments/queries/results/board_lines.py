"""The boards of a round line by line: one for each board, of matches and ladders one for each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Event, Game, Pairing
from tournaments.models.rounds import PairingLine
from tournaments.queries import formats
from tournaments.queries.results.round_seats import SIDES


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A game of a board as tables show it.

    Attributes:
        number: the number of the board on pages and sheets, with the game if a pairing has several games: `3.2` for the second.
        game_number: the number of the game in the pairing, from 1.
        first: the player with the first ply, in the latest of several replayed games; None at an
            empty board of a team.
        game: that game; None before it exists.
        entered_result: over the board the entered result, empty without one.
        earlier: the games that it replaced, the latest first.
        is_armageddon: whether it is the armageddon game of a tie.
    """

    pairing: Pairing
    number: str
    game_number: int
    first: Entry | None
    second: Entry | None
    game: Game | None
    entered_result: str
    earlier: Sequence[Game]
    is_armageddon: bool = False

    @property
    def result(self) -> str:
        """Return the result as in `Game.Result`; empty before it is decided or entered."""
        return self.entered_result if self.game is None else self.game.result or ""


def board_lines(event: Event, pairings: Iterable[Pairing]) -> Iterator[BoardLine]:
    """The lines of these boards, with their rounds, entries, players and games at hand."""
    count = max(event.games_per_pairing, formats.of(event).games_a_pairing)
    for pairing in pairings:
        if pairing.tie_games is not None:
            yield from _of_tie(event, pairing)
            continue
        games = sorted(pairing.games.all(), key=lambda game: -game.number)
        for number, first, second, entered_result, _ in pairing.lines(event, count):
            played = [game for game in games if game.number % count == number % count]
            game = played[0] if played else None
            if game is not None and first and game.first_id != first.player_id:
                first, second = second, first
            yield BoardLine(
                pairing,
                str(pairing.board_number) if count == 1 else f"{pairing.board_number}.{number}",
                number,
                first,
                second,
                game,
                entered_result,
                played[1:],
            )


def _of_tie(event: Event, tie: Pairing) -> Iterator[BoardLine]:
    """Return the lines of a tie: one for each game that is saved or due.

    A tie of one game on line has one line, with its extra games as `earlier`.
    """
    games = {game.number: game for game in sorted(tie.games.all(), key=lambda game: game.number)}
    lines = {line.number: line for line in tie.lines(event)}
    if tie.tie_games == 1 and len(lines) == 1 and games:
        latest = games[max(games)]
        earlier = [games[number] for number in sorted(games, reverse=True)][1:]
        yield _line_of_tie(tie, lines, latest, 1, str(tie.board_number), earlier)
        return
    numbers = sorted(games.keys() | lines.keys())
    is_one = len(numbers) == 1 and tie.tie_games == 1
    for number in numbers:
        name = str(tie.board_number) if is_one else f"{tie.board_number}.{number}"
        yield _line_of_tie(tie, lines, games.get(number), number, name)


def _line_of_tie(
    tie: Pairing,
    lines: Mapping[int, PairingLine],
    game: Game | None,
    number: int,
    name: str,
    earlier: Sequence[Game] = (),
) -> BoardLine:
    line = lines.get(number)
    first, second = (line.first, line.second) if line is not None else (tie.first, tie.second)
    if game is not None:
        both = (tie.first, tie.second)
        first, second = both if game.first_id == tie.first.player_id else both[::-1]
    entered_result = line.entered_result if line is not None else ""
    percent = game.armageddon_percent if game else line and line.armageddon_percent
    return BoardLine(
        tie, name, number, first, second, game, entered_result, earlier, percent is not None
    )


def match_scores(event: Event, lines: Iterable[BoardLine]) -> Mapping[int, Sequence[int]]:
    """Return the half game points of the first and the second team of each match with a result, by its pairing.

    Games in progress do not count.
    """
    points = formats.points(event)
    scores: dict[int, list[int]] = {}
    for line in lines:
        worth = SIDES.get(line.result)
        if worth is None:
            continue
        both = scores.setdefault(line.pairing.pk, [0, 0])
        is_exchanged = not event.is_first_at(line.game_number)
        for side, kind in enumerate(worth):
            both[1 - side if is_exchanged else side] += points.worth(kind)
    return scores
