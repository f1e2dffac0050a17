"""A game as its page shows it: the drawing, the side to move, the clocks, the moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

import games
from games import animation, svg
from games.presentation import NoticeWords, Presentation
from games.view import Notice, Trait
from tournaments.models import Game, Player, Vacation
from tournaments.queries.clocks import game_clocks, vacation_days
from tournaments.queries.records import game_plies
from tournaments.queries.records.game_plies import PlyRow
from tournaments.text import descriptions, rulesets
from tournaments.views.games import move_selection, offer_panel
from tournaments.views.games.move_selection import MoveSelection

_PLAIN = svg.Look()
_NO_SELECTION = MoveSelection()
_CELL = re.compile(r"[A-Za-z]{1,2}\d{1,2}")


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game as the page shows it: player, present colour and clock.

    The clock shows `remaining_ms`. `runs_out_ms` is the time until the flag falls, which is longer
    during a delay.
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
class View:
    """A visitor's choice of view of a game.

    Attributes:
        look: the style of boards for the visitor.
        is_turned: whether the visitor has turned the board by half.
        has_traits: whether frames, sight or territory are shown.
        at: the one cell they are shown for, or all.
        ply: the earlier ply on the board, or None.
        path: the cells clicked so far.
    """

    look: svg.Look = _PLAIN
    is_turned: bool = False
    has_traits: bool = False
    at: str | None = None
    ply: int | None = None
    path: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: Mapping[str, str], look: svg.Look) -> View:
        """Return the view of a query string. Unknown parameters are ignored."""
        ply, at = query.get("ply", ""), query.get("at", "")
        return cls(
            look=look,
            is_turned=query.get("flip") == "1",
            has_traits=query.get("show") == "1",
            at=at if _CELL.fullmatch(at) else None,
            ply=int(ply) if re.fullmatch(r"[0-9]{1,5}", ply) else None,
            path=move_selection.path_of(query.get("path", "")),
        )

    @property
    def query(self) -> str:
        """The query string that asks for this view."""
        parameters = {
            "ply": "" if self.ply is None else str(self.ply),
            "flip": "1" if self.is_turned else "",
            "show": "1" if self.has_traits else "",
        }
        return "?" + urlencode({name: value for name, value in parameters.items() if value})


@dataclass(frozen=True, slots=True)
class Supply:
    """Tiles or men waiting beside the board: a picture, how many, and that in words."""

    picture: SafeString
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class GamePage:
    """All data that a game's page shows to one person at one moment.

    Attributes:
        shown_ply: the ply whose position is drawn, less than `game.ply` for an earlier one.
        side: the viewer's side, or None.
        may_move: whether the viewer is to move, now, in the position shown.
        selection: the legal moves then, and the cells clicked so far.
        last_move_sentence: the last move in words, or empty at the beginning.
        trait_sentences: the traits that the board points out on demand (frames, control), in words.
    """

    game: Game
    position: games.Position
    board: SafeString
    title: str
    seats: Sequence[Seat]
    plies: Sequence[PlyRow]
    shown_ply: int
    side: str | None
    may_move: bool
    selection: MoveSelection
    offers: offer_panel.OfferPanel
    view: View
    last_move_sentence: str
    trait_sentences: Sequence[str]

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
    def supplies(self) -> list[Supply]:
        """Return the pieces still to be laid or to re-enter, as pictures."""
        return [
            Supply(
                _picture(words.picture % fact.colour, self.view.look),
                fact.count,
                descriptions.notice(self.position.ruleset, fact),
            )
            for fact, words in self._notices()
            if words.picture and (fact.count or not words.skips_zero)
        ]

    @property
    def facts(self) -> list[str]:
        """Return further facts beside the board, in sentences."""
        has_cause = self.game.ending == Game.Ending.RULES and self.position.outcome() is not None
        others = (
            fact
            for fact, words in self._notices()
            if not words.picture and not (has_cause and words.is_reason)
        )
        sentences = (descriptions.notice(self.position.ruleset, fact) for fact in others)
        return [sentence for sentence in sentences if sentence]

    def _notices(self) -> list[tuple[Notice, NoticeWords]]:
        """The facts beside the board that the game has words for."""
        ruleset = self.position.ruleset
        facts = (
            (fact, descriptions.words_of_notice(ruleset, fact)) for fact in self.position.notices()
        )
        return [(fact, words) for fact, words in facts if words]

    @property
    def _presentation(self) -> Presentation:
        return games.family_of(self.position.ruleset.family).presentation

    @property
    def topic(self) -> str:
        """Return the name of the traits that the board points out on demand, in a word."""
        return _(self._presentation.topic)

    @property
    def idle(self) -> str:
        """Return the instruction that the page shows before a choice."""
        prompt = self._presentation.prompts.get(self.position.phase)
        if prompt:
            return _(prompt)
        if all(len(choice.path) <= 1 for choice in self.selection.choices):
            return _("Choose a cell.")
        return _("Choose a piece.")

    @property
    def turned_query(self) -> str:
        """The query of this view with the board turned."""
        return replace(self.view, is_turned=not self.view.is_turned).query

    @property
    def traits_query(self) -> str:
        """Return the query of this view with the traits, or without them."""
        return replace(self.view, has_traits=not self.view.has_traits).query

    @property
    def now_query(self) -> str:
        """The query of this view at the present position."""
        return replace(self.view, ply=None).query

    @property
    def may_swap(self) -> bool:
        """Return whether the viewer may swap the colours now."""
        return any(choice.move == "swap" for choice in self.selection.choices)


_AS_USUAL = View()


def draw(
    position: games.Position,
    *,
    last_move: str = "",
    captured: Sequence[str] = (),
    look: svg.Look = _PLAIN,
    is_flipped: bool = False,
    selection: MoveSelection = _NO_SELECTION,
    traits: Sequence[Trait] = (),
    has_labels: bool = False,
    links: Mapping[str, str] | None = None,
    id_prefix: str = "",
) -> SafeString:
    """Return the board of `position`, with the marks of the last move and of the move being chosen.

    With labels it is a grid of cells in words, to be walked through. Without labels it is one
    picture. `captured` adds to the captures in the last move's own text. `links` gives cells an
    address, so that they can be followed without a script. `id_prefix` distinguishes the ids of
    several boards on one page. Without a prefix the game distinguishes them.
    """
    path = position.ruleset.move_path(last_move) if last_move and _CELL.search(last_move) else ()
    captured_by_move = [cell for cells in position.ruleset.move_takes(last_move) for cell in cells]
    marks = svg.Marks(
        last=path,
        captured=[*captured_by_move, *captured],
        targets=selection.targets,
        selected=selection.selected,
    )
    picture = svg.board_svg(
        position.cells(),
        position.ruleset.goals,
        marks=marks,
        traits=traits,
        look=look,
        title=rulesets.ruleset_name(position.ruleset.key),
        is_flipped=is_flipped,
        labels=descriptions.labels(position) if has_labels else None,
        links=links,
        spare=selection.spare if has_labels else (),
        id_prefix=id_prefix or position.ruleset.family,
    )
    return safe(picture)


def safe(picture: str) -> SafeString:
    """A drawing of `games.svg` for a page."""
    return mark_safe(picture)  # noqa: S308 - drawn by games.svg, which escapes what it is given


def game_page(
    game: Game, *, viewer: Player | None, now: datetime, view: View = _AS_USUAL
) -> GamePage:
    """The page of `game` for `viewer`, looked at as `view` says."""
    ruleset = games.load(game.ruleset)
    plies = game_plies.of_game(game)
    shown_ply = len(plies) if view.ply is None else max(0, min(view.ply, len(plies)))
    is_now = shown_ply == len(plies)
    position = (
        ruleset.parse(game.position) if is_now else _replayed(ruleset, game, plies[:shown_ply])
    )
    side = game.side_of(viewer)
    may_move = is_now and game.result is None and side == game.side_to_move
    selection = MoveSelection.of(position, view.path) if may_move else MoveSelection(path=view.path)
    last = plies[shown_ply - 1] if shown_ply else None
    flipped = _flipped(position, game, plies[:shown_ply])
    traits = position.traits(view.at) if view.has_traits else _decisive(position, game)
    away = vacation_days.of_game(game)
    return GamePage(
        game=game,
        position=position,
        board=draw(
            position,
            last_move=last.move if last else "",
            captured=flipped,
            look=view.look,
            is_flipped=(side == "second") != view.is_turned,
            selection=selection,
            traits=traits,
            has_labels=True,
            links=selection.links(
                lambda cells: (
                    f"{game.get_absolute_url()}?{urlencode({'path': ','.join(cells)})}#board"
                )
            ),
        ),
        title=rulesets.ruleset_name(game.ruleset),
        seats=[_seat(game, position, s.value, now, away, is_final=is_now) for s in games.Side],
        plies=plies,
        shown_ply=shown_ply,
        side=side,
        may_move=may_move,
        selection=selection,
        offers=offer_panel.table(game, side, plies),
        view=view,
        last_move_sentence=descriptions.move_sentence(
            ruleset, last.move, name=_mover(game, position, last), flipped=flipped
        )
        if last
        else "",
        trait_sentences=descriptions.traits(ruleset.family, traits),
    )


def _mover(game: Game, position: games.Position, ply: PlyRow) -> str:
    """Return the player who made `ply`, or the colour for a ply of an opening, which no player has made."""
    if ply.number > game.opening_plies:
        return game.player_on(ply.side).name
    return descriptions.colour_name(position.colour_of(games.Side(ply.side)))


def _picture(token: str, look: svg.Look) -> SafeString:
    return mark_safe(svg.token_svg(token, look=look, id_prefix=token))  # noqa: S308 - drawn by games.svg


def _flipped(position: games.Position, game: Game, plies: Sequence[PlyRow]) -> list[str]:
    """Return the cells that the last ply has turned if its text does not list them."""
    if not plies or not descriptions.words_of_move(position.ruleset, plies[-1].move).is_seen:
        return []
    before = _replayed(position.ruleset, game, plies[:-1])
    path = position.ruleset.move_path(plies[-1].move)
    return animation.changed_cells(before.cells(), position.cells(), path)


def _replayed(ruleset: games.Ruleset, game: Game, plies: Sequence[PlyRow]) -> games.Position:
    position = games.starting_position(ruleset, game.setup)
    for ply in plies:
        position = position.play(ply.move)
    return position


def _decisive(position: games.Position, game: Game) -> list[Trait]:
    """Return the traits that decided the game, for its last position."""
    if game.result is None or position.outcome() is None:
        return []
    return [trait for trait in position.traits() if trait.is_decisive]


def _seat(
    game: Game,
    position: games.Position,
    side: str,
    now: datetime,
    away: Mapping[int, Vacation],
    *,
    is_final: bool,
) -> Seat:
    player = game.player_on(side)
    is_to_move = game.result is None and game.side_to_move == side
    remaining_ms = game_clocks.remaining_ms(game, side)
    runs_out_ms = game_clocks.runs_out_ms(game, now) if is_to_move else remaining_ms
    return Seat(
        side=side,
        player=player,
        colour=position.colour_of(games.Side(side)),
        remaining_ms=min(remaining_ms, runs_out_ms),
        runs_out_ms=runs_out_ms,
        is_to_move=is_to_move,
        is_running=is_to_move and game.deadline_at is not None,
        is_winner=is_final and game.winner_side == side,
        vacation=away.get(player.pk),
    )
