"""The parts of a game's page that only a player sees: the way back to the event, the next game, conditional moves, a private note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments import database_time
from tournaments.errors import TournamentError
from tournaments.models import Conditional, Event, Game, Player
from tournaments.queries import formats
from tournaments.queries.ratings import stakes
from tournaments.queries.ratings.stakes import Stakes
from tournaments.queries.records import analyses
from tournaments.queries.results import histories
from tournaments.services.games import conditional_moves, notes
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import get_game, seats_only

# A longer tree is opened from the record alone, because the length of an address is limited.
_MAX_TREE = 1_500


@dataclass(frozen=True, slots=True)
class PlayerSidebar:
    """The private part of a game's page.

    Attributes:
        turns: other games in which it is the player's turn, the most urgent first.
        may_plan: whether replies can be given in advance now. `lines` are the stored replies, as
            lines of moves.
        plan_url: the analysis board with them.
        stakes: the change of the player's rating by each result, if that is known.
    """

    turns: Sequence[Turn]
    may_plan: bool
    lines: Sequence[Sequence[str]]
    plan_url: str
    note: str
    stakes: Stakes | None

    @property
    def more_turns(self) -> int:
        """Return the number of games that wait besides the next one."""
        return len(self.turns) - 1


@dataclass(frozen=True, slots=True)
class EventCard:
    """The continuation of an event for a player of one of its finished games.

    Attributes:
        score_halves: the player's score in half points, or None in formats with points of their
            own.
        rounds: the number of rounds in that score.
        own_game: the next game of the player, if it has begun.
        games_left: the number of unfinished games of the round.
        next_round_at: the start of the next round, if that is known.
    """

    event: Event
    score_halves: int | None
    rounds: int
    own_game: Game | None
    games_left: int
    next_round_at: datetime | None


def event_card(game: Game, player: Player | None) -> EventCard | None:
    """Return the card of the event after a game of `player`.

    Return None before the game's end, for spectators, and without an event.
    """
    if player is None or game.pairing is None or game.result is None or not game.side_of(player):
        return None
    # Read again, after the number of its last news.
    event = Event.objects.get(pk=game.pairing.event_id)
    is_running = event.state == Event.State.RUNNING
    is_continuous = formats.of(event).is_continuous
    entry = event.entries.filter(player=player).first()
    scores = []
    if entry is not None and not is_continuous:
        own = histories.of_event(event, [entry.pk]).get(entry.pk, {})
        scores = [seat.score_halves for seat in own.values() if seat.score_halves is not None]
    ongoing = Game.objects.ongoing().filter(pairing__event=event)
    games_left = ongoing.count() if is_running and not is_continuous else 0
    is_next_known = is_running and event.is_automatic and not event.paused_at and not games_left
    return EventCard(
        event=event,
        score_halves=sum(scores) if scores else None,
        rounds=len(scores),
        own_game=ongoing.of(player).with_players().first() if is_running else None,
        games_left=games_left,
        next_round_at=event.next_step_at if is_next_known and not is_continuous else None,
    )


def player_sidebar(game: Game, player: Player | None) -> PlayerSidebar | None:
    """Return the sidebar of `player` beside the board of `game`, or None for spectators."""
    side = game.side_of(player)
    if player is None or side is None:
        return None
    may_plan = (
        game.result is None and game.side_to_move != side and analyses.may_analyse(game, side)
    )
    conditional = conditional_moves.of_player(game, player) if may_plan else None
    return PlayerSidebar(
        turns=turns_of(player, but=game),
        may_plan=may_plan,
        lines=conditional_moves.lines(conditional) if conditional else [],
        plan_url=_plan_url(game, player, conditional) if may_plan else "",
        note=notes.of_player(game, player),
        stakes=stakes.of_game(game, player, database_time.now()),
    )


def _plan_url(game: Game, player: Player, conditional: Conditional | None) -> str:
    fields = {"game": str(game.pk)}
    if conditional is not None:
        source = analyses.of_game(game, player)
        tree = conditional_moves.over_the_game(conditional, source.tree)
        text = tree.text(source.base)
        if len(text) <= _MAX_TREE:
            fields |= {"tree": text, "at": str(conditional_moves.node_of(tree, source.base))}
    return f"{reverse('analysis')}?{urlencode(fields, quote_via=quote)}"


@seats_only
@refusals.refusal_as_message
def drop(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    conditional_moves.drop(game_id=get_game(request, pk).pk, player=player)
    return redirect("game", pk=pk)


@seats_only
def note(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    game = get_game(request, pk)
    try:
        notes.keep(game=game, player=player, text=request.POST.get("text", ""))
    except TournamentError as refusal:
        if refusals.is_script(request):
            return refusals.as_json(refusal)
        messages.error(request, refusal_text.sentence(refusal))
        return redirect("game", pk=pk)
    if refusals.is_script(request):
        return HttpResponse(status=204)
    messages.success(request, _("Note saved."))
    return redirect("game", pk=pk)


_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """A game in which a player is to move, and the opponent."""

    game: Game
    opponent: Player


def turns_of(player: Player, *, but: Game | None = None) -> Sequence[Turn]:
    """The games in which it is the turn of `player`, the most urgent first, at most 100.

    The game `but` is left out.
    """
    mine = Q(first=player, side_to_move="first") | Q(second=player, side_to_move="second")
    games = Game.objects.ongoing().filter(mine).select_related("first", "second")
    if but is not None:
        games = games.exclude(pk=but.pk)
    urgent_first = games.order_by(F("deadline_at").asc(nulls_last=True), "pk")[:_AT_MOST]
    return [
        Turn(game, game.second if game.side_to_move == "first" else game.first)
        for game in urgent_first
    ]
