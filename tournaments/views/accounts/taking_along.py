"""The transfer of a guest's current games to the account that signs in."""

from __future__ import annotations

from django.http import HttpResponse

from tournaments.models import Player, User
from tournaments.services.lobby import guest_games
from tournaments.views import guest_cookie


def bring_along(guest: Player | None, user: User, response: HttpResponse) -> None:
    """Give the games of `guest` to the player of `user`, and let `response` forget the guest."""
    player = Player.objects.filter(user=user).first()
    if guest is not None and player is not None:
        guest_games.bring_along(guest=guest, player=player)
        guest_cookie.forget(response)
