"""Objects that other sites show with a picture: the words beside the board, and the state that is drawn.

Words are English for all visitors: one picture serves all of them. Objects of private events have none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import translation

import games
from games import animation, svg
from games.variations import ROOT
from tournaments import database_time
from tournaments.models import Event, Game, Picture, Player, Puzzle, Study, statements
from tournaments.queries import formats
from tournaments.queries.ratings import certainty, headlines
from tournaments.queries.ratings.headlines import Headline
from tournaments.queries.records import analyses, game_records
from tournaments.text import descriptions, rulesets

# A number to be raised when the drawings change, so that earlier ones are not shown any more.
_DESIGN = 1
Kind = Picture.Kind


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture that can be asked for.

    Attributes:
        kind, name: the object.
        headings, lines: the words of the picture.
        state: everything else that the picture depends on.
        board: returns the board as SVG.
    """

    kind: Kind
    name: str
    headings: Sequence[str]
    lines: Sequence[str]
    state: str
    board: Callable[[], str]

    @property
    def version(self) -> str:
        """Return a text that changes whenever the picture does."""
        words = repr((_DESIGN, *self.headings, *self.lines, self.state))
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    @property
    def url(self) -> str:
        """Return the absolute address of this version."""
        path = reverse(f"{self.kind}-preview", args=[self.name])
        return f"{settings.SITE_URL}{path}?v={self.version}"

    @property
    def alt(self) -> str:
        """Return the subject of the picture in words."""
        return " – ".join(self.headings)


def of(shared: Event | Game | Player | Puzzle | Study) -> Preview | None:
    """Return the preview of the object, or None for objects of private events."""
    with translation.override("en"):
        match shared:
            case Game():
                return None if is_private(shared) else _of_game(shared)
            case Event():
                return None if shared.is_private else _of_event(shared)
            case Study():
                is_hidden = shared.game is not None and is_private(shared.game)
                return None if is_hidden else _of_study(shared)
            case Puzzle():
                return _of_puzzle(shared)
            case Player():
                return of_player(shared, headlines.of_player(shared, database_time.now()))
            case _:
                assert_never(shared)


def find(kind: Kind, name: str) -> Preview | None:
    """Return the preview of the object with this key or slug, or None without a public one."""
    shared: Event | Game | Player | Puzzle | Study | None
    match kind:
        case Kind.GAME:
            shared = Game.objects.with_players().filter(pk=name).first()
        case Kind.REPLAY:
            shared = Game.objects.finished().with_players().filter(pk=name).first()
        case Kind.EVENT:
            shared = Event.objects.filter(slug=name).first()
        case Kind.PLAYER:
            shared = Player.objects.named().filter(pk=name).first()
        case Kind.PUZZLE:
            shared = Puzzle.objects.filter(pk=name).first()
        case Kind.STUDY:
            studies_of_key = Study.objects.select_related("game__pairing__event")
            shared = studies_of_key.filter(key=name).first()
        case _:
            assert_never(kind)
    preview = of(shared) if shared is not None else None
    return preview and replace(preview, kind=kind)


def is_private(game: Game) -> bool:
    """Return whether the game is of a private event."""
    return game.pairing is not None and game.pairing.event.is_private


def of_player(player: Player, ratings: Sequence[Headline]) -> Preview:
    """Return the preview of a player with these ratings, one for each game."""
    now = database_time.now()
    lines = [f"{rulesets.family_name(row.rating.pool.family)} {_elo(row, now)}" for row in ratings]
    family = ratings[0].rating.pool.family if ratings else games.available()[0].name
    return Preview(
        Kind.PLAYER, str(player.pk), [player.name], lines, family, lambda: poster_board(family)
    )


def poster_board(family: str) -> str:
    """Return a board that shows the look of a game."""
    return _board(rulesets.poster(family))


def positions_of(game: Game) -> tuple[Sequence[games.Position], Sequence[str]]:
    """Return the positions of the game with the moves between them."""
    record = game_records.record_of(game)
    return list(record.positions()), record.moves


def marks_of(positions: Sequence[games.Position], moves: Sequence[str], at: int) -> svg.Marks:
    """Return the marks of the move that led to the position at this place."""
    if at == 0:
        return svg.Marks()
    path = positions[at].ruleset.move_path(moves[at - 1])
    before, after = positions[at - 1].cells(), positions[at].cells()
    return svg.Marks(last=path, captured=animation.changed_cells(before, after, path))


def _board_of_game(game: Game) -> str:
    positions, moves = positions_of(game)
    return _board(positions[-1], marks_of(positions, moves, len(moves)))


def _state_of_game(game: Game) -> str:
    return f"{game.attempt}/{game.ply}"


def _of_game(game: Game) -> Preview:
    lines = [rulesets.ruleset_name(game.ruleset), _result(game)]
    if game.pairing is not None:
        lines.insert(0, game.pairing.event.name)
    names = [game.first.name, game.second.name]
    state = _state_of_game(game)
    return Preview(Kind.GAME, str(game.pk), names, lines, state, lambda: _board_of_game(game))


def _top_game(event: Event) -> Game | None:
    """Return the game of the first board of the latest round with moves, or None before the first move.

    In a format without common rounds it is the latest game.
    """
    query = _latest_game if formats.of(event).is_continuous else _first_board
    return query.one(event=event.pk)


@statements.query
def _latest_game(event: int) -> QuerySet[Game]:
    return _played(event).order_by("-pk")[:1]


@statements.query
def _first_board(event: int) -> QuerySet[Game]:
    return _played(event).order_by("-pairing__round__number", "pairing__board", "-pk")[:1]


def _played(event: int) -> QuerySet[Game]:
    return Game.objects.filter(pairing__event=event, ply__gt=0).with_players()


def _of_event(event: Event) -> Preview:
    family = games.load(event.ruleset).family
    lines = [
        rulesets.ruleset_name(event.ruleset),
        str(event.get_format_display()),
        str(event.get_state_display()),
    ]
    game = _top_game(event)
    if game is None:
        return Preview(
            Kind.EVENT, event.slug, [event.name], lines, family, lambda: poster_board(family)
        )
    state = f"{game.pk}/{_state_of_game(game)}"
    return Preview(Kind.EVENT, event.slug, [event.name], lines, state, lambda: _board_of_game(game))


def _of_puzzle(puzzle: Puzzle) -> Preview:
    position = games.load(puzzle.ruleset).parse(puzzle.position)
    side = str(descriptions.colour_name(position.colour_of(position.side_to_move)))
    lines = [rulesets.ruleset_name(puzzle.ruleset), f"{side.capitalize()} to move"]
    heading = f"Puzzle {puzzle.pk}"
    return Preview(Kind.PUZZLE, str(puzzle.pk), [heading], lines, "", lambda: _board(position))


def _of_study(study: Study) -> Preview:
    def board() -> str:
        opened = analyses.analyse(analyses.of_study(study))
        path = [ROOT, *opened.tree.path(opened.at)]
        moves = [opened.tree.nodes[at].move for at in path[1:]]
        positions = [opened.positions[at] for at in path]
        return _board(positions[-1], marks_of(positions, moves, len(moves)))

    names = [study.game.first.name, study.game.second.name] if study.game else ["Analysis"]
    lines = [rulesets.ruleset_name(study.ruleset), *(["Analysis"] if study.game else [])]
    # The key is a hash of the content.
    return Preview(Kind.STUDY, study.key, names, lines, study.key, board)


def _board(position: games.Position, marks: svg.Marks | None = None) -> str:
    return svg.board_svg(position.cells(), position.ruleset.goals, marks=marks or svg.Marks())


def _result(game: Game) -> str:
    if game.result is None:
        return "Being played"
    if game.winner_side is not None:
        return f"{game.player_on(game.winner_side).name} won"
    return str(game.get_result_display()).capitalize()


def _elo(row: Headline, now: datetime) -> str:
    mark = "?" if certainty.of_rating(row.rating, now).is_provisional else ""
    return f"{round(row.rating.centielo / 100)}{mark}"
