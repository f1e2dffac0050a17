"""Players whom the account's player mutes or follows."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from ninja import Query

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.services.accounts import follows
from tournaments.services.games import chat

operations = Operations("Mutes and follows")


@operations.get("/me/mutes", "mutes", routes.PRIVATE, answer=Page[shapes.PlayerName])
def mutes(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the players whose lines you do not read, the latest first."""
    rows = request.caller.seat.mutes.select_related("muted")
    return paging.answer(request, rows, ["-pk"], query, lambda row: shapes.player_name(row.muted))


@operations.put("/me/mutes/{int:player_id}", "mute", routes.ACCOUNT, example="/me/mutes/$OPPONENT")
def mute(request: ApiRequest, player_id: int) -> shapes.PlayerName:
    """Hide the lines of a player from you. The player can no longer send you private messages."""
    muted = access.get_player(player_id)
    chat.mute(player=request.caller.seat, muted=muted)
    return shapes.player_name(muted)


@operations.delete(
    "/me/mutes/{int:player_id}", "unmute", routes.ACCOUNT, example="/me/mutes/$OPPONENT"
)
def unmute(request: ApiRequest, player_id: int) -> None:
    """Show the lines of a player again. Without a mute this has no effect."""
    chat.unmute(player=request.caller.seat, muted=access.get_player(player_id))


@operations.get("/me/follows", "follows", routes.PRIVATE, answer=Page[shapes.PlayerName])
def followed(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the players whom you follow, the latest first."""
    rows = request.caller.seat.follows.select_related("followed")
    return paging.answer(
        request, rows, ["-pk"], query, lambda row: shapes.player_name(row.followed)
    )


@operations.put(
    "/me/follows/{int:player_id}", "follow", routes.ACCOUNT, example="/me/follows/$OPPONENT"
)
def follow(request: ApiRequest, player_id: int) -> shapes.PlayerName:
    """Follow a player."""
    player = access.get_player(player_id)
    follows.follow(player=request.caller.seat, followed=player)
    return shapes.player_name(player)


@operations.delete(
    "/me/follows/{int:player_id}", "unfollow", routes.ACCOUNT, example="/me/follows/$OPPONENT"
)
def unfollow(request: ApiRequest, player_id: int) -> None:
    """Follow a player no longer. Without a follow this has no effect."""
    follows.unfollow(player=request.caller.seat, followed=access.get_player(player_id))
