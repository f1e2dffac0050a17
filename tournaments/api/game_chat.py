"""Talk beside the board."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from ninja import Query

from tournaments.api import callers, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.problems import ProblemError
from tournaments.models import Game, Player, Scope
from tournaments.queries.events import event_chat
from tournaments.services.games import chat

operations = Operations("Talk in games")


@operations.get(
    "/games/{int:game_id}/chat", "game-chat", routes.OPEN, answer=Page[shapes.ChatLineShape]
)
def lines(request: ApiRequest, game_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the lines of your room without those of players whom you have muted, the latest first.

    The two players of the game have a room of their own, which needs the scope `read`. All other
    callers read the room of the spectators.
    """
    game = callers.game_of(request, game_id)
    player = _reader(request, game)
    rows = event_chat.for_reader(chat.room_lines(game, player), player.pk if player else None)
    return paging.answer(request, rows, ["-pk"], query, shapes.chat_line)


@operations.post(
    "/games/{int:game_id}/chat", "game-say", routes.LINE, status=201, body='{"text": "Good luck!"}'
)
def say(request: ApiRequest, game_id: int, body: shapes.NewLine) -> shapes.ChatLineShape:
    """Write a line in your room: that of the players, or that of the spectators.

    A room closes two days after the end of the game. The players of a game with a bot have none.
    """
    game = callers.game_of(request, game_id)
    line = chat.say(game_id=game.pk, player=request.caller.seat, text=body.text)
    return shapes.chat_line(line)


def _reader(request: ApiRequest, game: Game) -> Player | None:
    """Return the caller's player. Raises ProblemError `scope-needed` for a player of the game without `read`."""
    caller = request.caller
    is_private = game.side_of(caller.player) is not None
    if is_private and caller.token and Scope.READ not in caller.token.scope_set:
        raise ProblemError("scope-needed", Scope.READ.value)
    return caller.player
