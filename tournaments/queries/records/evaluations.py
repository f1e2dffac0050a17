"""Evaluations of bots: their thoughts before a ply, within bounds, and the time of their publication."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from engine import protocol
from engine.protocol import Info
from tournaments.models import Evaluation, Game, statements
from tournaments.models.evaluations import MAX_DEPTH, MAX_LINE, MAX_SCORE_CP, MAX_TEXT

# The limit of a sandboxed bot (docs/reference/protocol.md).
_MAX_INFO = 4_096
_MAX_NODES = 2**63 - 1
_MAX_TIME_MS = 2**31 - 1
_MAX_LINE_MOVES = 32


@dataclass(frozen=True, slots=True)
class Thought:
    """A bot's evaluation of the position before its ply. A missing value is None or empty.

    Attributes:
        score_cp: in hundredths of the bot's unit; above 0 is better for the side that moved.
        time_ms: its thinking time by its own account.
        line: the expected moves, its own first, not validated.
    """

    score_cp: int | None
    depth: int | None
    nodes: int | None
    time_ms: int | None
    line: Sequence[str]
    text: str


def read(line: str) -> Info | None:
    """Return the content of an `info` line of the protocol; None for any other line."""
    words = line[:_MAX_INFO].replace("\n", " ").strip()
    if words.partition(" ")[0] != "info" or not words.isprintable():
        return None
    return protocol.info_in(words)


def of_last_ply(game: Game, info: Info | None) -> Evaluation | None:
    """Return `info` as the evaluation of the game's last ply, not saved; None if it is empty.

    Large values are cut, and impossible ones are left out.
    """
    if info is None:
        return None
    evaluation = Evaluation(
        game=game,
        attempt=game.attempt,
        number=game.ply,
        score_cp=_within(info.score_cp, -MAX_SCORE_CP, MAX_SCORE_CP),
        depth=_within(info.depth, 0, MAX_DEPTH),
        nodes=_within(info.nodes, 0, _MAX_NODES),
        time_ms=_within(info.time_ms, 0, _MAX_TIME_MS),
        line=_line(info.pv),
        text=_printable(info.text)[:MAX_TEXT],
    )
    values = (evaluation.score_cp, evaluation.depth, evaluation.nodes, evaluation.time_ms)
    is_empty = all(value is None for value in values) and not (evaluation.line or evaluation.text)
    return None if is_empty else evaluation


def are_open(game: Game) -> bool:
    """Return whether evaluations are public: when the game is over, and for programs boxed here at any time.

    A person at the board would be helped by the bot's own opinion, and so would a remote bot, which
    can read any page meanwhile.
    """
    return game.result is not None or (game.first.is_boxed and game.second.is_boxed)


def of_game(game: Game) -> dict[int, Thought]:
    """Return the thoughts of bots in the game's present attempt, by the numbers of their plies.

    Empty while they are not public, and without a query for games of people.
    """
    if not (game.first.is_bot or game.second.is_bot) or not are_open(game):
        return {}
    rows = _of_attempt.all(game=game.pk, attempt=game.attempt)
    return {row.number: _thought(row) for row in rows}


@statements.query
def _of_attempt(game: int, attempt: int) -> QuerySet[Evaluation]:
    return Evaluation.objects.filter(game=game, attempt=attempt).order_by("number")


def of_games(game_ids: Collection[int]) -> dict[tuple[int, int, int], Thought]:
    """Return the thoughts of bots in games that are over, by game, attempt and number of the ply."""
    rows = Evaluation.objects.filter(game__in=game_ids, game__result__isnull=False).order_by()
    return {(row.game_id, row.attempt, row.number): _thought(row) for row in rows}


def copies(game: Game, *, attempt: int, upto: int) -> list[Evaluation]:
    """Return the evaluations of `attempt` up to a ply as those of the game's present attempt, not saved."""
    rows = list(game.evaluations.filter(attempt=attempt, number__lte=upto))
    for row in rows:
        row.pk, row.attempt, row._state.adding = None, game.attempt, True
    return rows


def _thought(row: Evaluation) -> Thought:
    line = [protocol.from_word(word) for word in row.line.split()]
    return Thought(row.score_cp, row.depth, row.nodes, row.time_ms, line, row.text)


def _within(number: int | None, least: int, most: int) -> int | None:
    return None if number is None else max(least, min(most, number))


def _line(pv: Sequence[str]) -> str:
    """Return as many whole moves as fit."""
    line = ""
    for move in pv[:_MAX_LINE_MOVES]:
        longer = f"{line} {protocol.to_word(_printable(move))}".strip()
        if len(longer) > MAX_LINE:
            break
        line = longer
    return line


def _printable(text: str) -> str:
    """The text without characters that steer: controls, and changes of the writing direction."""
    return "".join(character for character in text if character.isprintable())
