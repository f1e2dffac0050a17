"""Boards and games as pages show them: the SVG, whose turn in words, the clocks, the record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe

import games
from games import svg
from tournaments.services import clocks, menu, news, vacations
from tournaments.views import offering

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Game, Player, Ply, Vacation

_CELL = re.compile(r"[A-Za-z]{1,2}\d{1,2}")


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game as the page shows it: who, which colour now, the clock and whether it runs.

    The clock shows `remaining_ms`; `runs_out_ms` is what is left until the flag falls, more while a delay lasts.
    """

    side: str
    player: Player
    colour: str
    remaining_ms: int
    runs_out_ms: int
    is_to_move: bool
    is_running: bool
    is_winner: bool
    vacation: Vacation | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move and the cells a person clicks for it."""

    move: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """Everything a game's page shows to one person at one moment.

    Attributes:
        shown_ply: the ply whose position is drawn; less than `game.ply` when an earlier one is looked at.
        side: the viewer's side, or None.
        may_move: whether the viewer is to move, now, in the position shown.
        choices: the legal moves then; `pending` those that the clicked path has left complete.
        buttons: legal moves without a cell (`pass`, `swap`).
    """

    game: Game
    position: games.Position
    board: SafeString
    title: str
    seats: Sequence[Seat]
    plies: Sequence[Ply]
    shown_ply: int
    side: str | None
    may_move: bool
    choices: Sequence[Choice]
    buttons: Sequence[Choice]
    pending: Sequence[Choice]
    offers: offering.Table
    path: tuple[str, ...]

    @property
    def top(self) -> Seat:
        """The seat drawn above the board: the one opposite to the viewer."""
        return self.seats[0] if self.side == "second" else self.seats[1]

    @property
    def bottom(self) -> Seat:
        """The seat drawn below the board: the viewer's own, the first for spectators."""
        return self.seats[1] if self.side == "second" else self.seats[0]

    @property
    def to_move(self) -> Seat | None:
        """The seat whose decision it is, or None when the game is over."""
        return next((seat for seat in self.seats if seat.is_to_move), None)

    @property
    def choices_data(self) -> list[dict[str, object]]:
        """The choices for the page's script."""
        return [{"move": c.move, "path": list(c.path)} for c in self.choices]


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A game as a small board with its names, for lists."""

    game: Game
    title: str
    board: SafeString


def card(game: Game) -> BoardCard:
    """The game as it stands now, small."""
    position = games.load(game.ruleset).parse(game.position)
    return BoardCard(
        game, menu.ruleset_name(game.ruleset), draw(position, id_prefix=f"game-{game.pk}")
    )


def stream(shown: Sequence[Game]) -> str:
    """Where a page hears of the moves of these games, after what it was drawn from."""
    topics = [news.of_game(game.pk) for game in shown]
    after = ";".join(f"{topic}={seq}" for topic, seq in news.reached(topics).items())
    return "?" + "&".join([*(f"t={topic}" for topic in topics), f"after={after}"])


def draw(
    position: games.Position,
    *,
    last_move: str = "",
    is_flipped: bool = False,
    targets: Sequence[str] = (),
    selected: str | None = None,
    links: Mapping[str, str] | None = None,
    id_prefix: str = "",
) -> SafeString:
    """The board of `position`; `links` gives cells an address, so that they can be followed without a script.

    `id_prefix` keeps the ids of several boards on one page apart; without one the game does.
    """
    path = position.ruleset.move_path(last_move) if last_move and _CELL.search(last_move) else ()
    named = _CELL.findall(last_move)
    marks = svg.Marks(
        last=path,
        captured=[cell for cell in named if cell not in path],
        targets=targets,
        selected=selected,
    )
    drawn = svg.board_svg(
        position.cells(),
        position.ruleset.goals,
        marks=marks,
        title=menu.ruleset_name(position.ruleset.key),
        is_flipped=is_flipped,
        links=links,
        id_prefix=id_prefix or position.ruleset.family,
    )
    return mark_safe(drawn)  # noqa: S308 - drawn by games.svg, which escapes what it is given


def game_page(
    game: Game,
    *,
    viewer: Player | None,
    now: datetime,
    shown_ply: int | None = None,
    path: tuple[str, ...] = (),
) -> GamePage:
    """The page of `game` for `viewer`, after `shown_ply` plies (all when None), with the cells of `path` clicked."""
    ruleset = games.load(game.ruleset)
    plies = list(game.plies.filter(attempt=game.attempt).order_by("number"))
    shown = len(plies) if shown_ply is None else max(0, min(shown_ply, len(plies)))
    is_now = shown == len(plies)
    position = ruleset.parse(game.position) if is_now else _replayed(ruleset, game, plies[:shown])
    side = game.side_of(viewer)
    may_move = is_now and game.result is None and side == game.side_to_move
    choices = (
        [Choice(move, ruleset.move_path(move)) for move in position.legal_moves()]
        if may_move
        else []
    )
    fitting = [c for c in choices if c.path and c.path[: len(path)] == path]
    away = vacations.of_game(game)
    return GamePage(
        game=game,
        position=position,
        board=draw(
            position,
            last_move=plies[shown - 1].move if shown else "",
            is_flipped=side == "second",
            targets=[c.path[len(path)] for c in fitting if len(c.path) > len(path)] if path else (),
            selected=path[-1] if path else None,
            links=_links(game, choices, path) if may_move else None,
        ),
        title=menu.ruleset_name(game.ruleset),
        seats=[_seat(game, position, s.value, now, away) for s in games.Side],
        plies=plies,
        shown_ply=shown,
        side=side,
        may_move=may_move,
        choices=choices,
        buttons=[c for c in choices if not c.path],
        pending=[c for c in fitting if c.path == path] if path else [],
        offers=offering.table(game, side, plies),
        path=path,
    )


def _links(game: Game, choices: Sequence[Choice], path: tuple[str, ...]) -> dict[str, str]:
    """Where a click on a cell leads without a script: on along a legal path, or to its beginning."""
    url = game.get_absolute_url()
    starts = {c.path[0]: (c.path[0],) for c in choices if c.path}
    steps = {
        c.path[len(path)]: (*path, c.path[len(path)])
        for c in choices
        if path and c.path[: len(path)] == path and len(c.path) > len(path)
    }
    return {
        cell: f"{url}?{urlencode({'path': ','.join(cells)})}#board"
        for cell, cells in {**starts, **steps}.items()
    }


def _replayed(ruleset: games.Ruleset, game: Game, plies: Sequence[Ply]) -> games.Position:
    position = ruleset.start(game.setup)
    for ply in plies:
        position = position.play(ply.move)
    return position


def _seat(
    game: Game, position: games.Position, side: str, now: datetime, away: Mapping[int, Vacation]
) -> Seat:
    player = game.player_on(side)
    is_to_move = game.result is None and game.side_to_move == side
    remaining_ms = clocks.remaining_ms(game, side)
    runs_out_ms = clocks.runs_out_ms(game, now) if is_to_move else remaining_ms
    return Seat(
        side=side,
        player=player,
        colour=position.colour_of(games.Side(side)),
        remaining_ms=min(remaining_ms, runs_out_ms),
        runs_out_ms=runs_out_ms,
        is_to_move=is_to_move,
        is_running=is_to_move and game.deadline_at is not None,
        is_winner=game.result == side,
        vacation=away.get(player.pk),
    )
