"""Games of guests at a sign-in, and after a guest's absence."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import ProtectedError, Q

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Conditional, Game, Guest, Invitation, Note, Player
from tournaments.models.games import Side
from tournaments.services.accounts import exercises, guests
from tournaments.services.games import game_end, play
from tournaments.services.lobby import seeks
from tournaments.services.notifications import news
from tournaments.services.puzzles import tries

log = logging.getLogger(__name__)

_AT_MOST = 20


def bring_along(*, guest: Player, player: Player) -> None:
    """Give the guest's current games, invitations, tries and exercises to `player`, who has signed in to an account.

    Games in progress and open invitations change hands. So do tries at puzzles, unrated: the guest
    has seen the solutions. Finished games keep their neutral seat, for
    the database refuses to change them. A game of the two with each other does not count.
    """
    with transaction.atomic():
        # Players by ascending id, then games by ascending id.
        pair = Player.objects.select_for_update(no_key=True).filter(pk__in=[guest.pk, player.pk])
        kinds = {row.pk: row.kind for row in pair.order_by("pk")}
        if kinds.get(guest.pk) != Player.Kind.GUEST or guest.pk == player.pk:
            return
        seeks.cancel(guest)
        for game_id in _ids_of_ongoing(guest):
            _change_hands(game_id, guest, player)
        tries.bring_along(guest, player)
        exercises.note(player, exercises.done_by(guest))
        Note.objects.filter(player=guest, game__in=Game.objects.of(player)).update(player=player)
        open_invitations = Invitation.objects.filter(state=Invitation.State.OPEN)
        of_host = open_invitations.filter(host=guest)
        of_host.filter(player=guest).update(host=player, player=player)
        of_host.update(host=player)
        open_invitations.filter(player=guest).update(player=player)
        Guest.objects.filter(player=guest).delete()


def _change_hands(game_id: int, guest: Player, player: Player) -> None:
    try:
        game = play.lock_ongoing(game_id)
    except StaleError:
        return
    side = play.require_seat(game, guest)
    if game.side_of(player) is not None:
        game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.ABORTED, detail=side)
        return
    Game.objects.ongoing().filter(pk=game.pk).update(**{f"{side}_id": player.pk})
    news.announce(news.of_game(game.pk), "restart", {"attempt": game.attempt})


def forget_absent(now: datetime) -> None:
    """End the games and invitations of guests who were absent for a month.

    Finished games keep the name. A guest without any game is deleted.
    """
    for row in Guest.objects.filter(seen_at__lte=now - guests.STAYS).order_by("seen_at")[:_AT_MOST]:
        # A guest who returns at this moment is another guest, or is not deleted.
        claim = Guest.objects.filter(pk=row.pk, seen_at=row.seen_at)
        if claim.update(browser=secrets.token_hex(32)) == 1:
            _leave(Player.objects.get(pk=row.pk))
    _end_ownerless()


def _end_ownerless() -> None:
    """End games that a guest began while a sign-in took everything else along."""
    for side in Side.values:
        games = Game.objects.ongoing().filter(
            **{f"{side}__kind": Player.Kind.GUEST, f"{side}__guest": None}
        )
        for game in games.select_related(side)[:_AT_MOST]:
            _leave_game(game.pk, game.player_on(side))


def _leave(player: Player) -> None:
    seeks.cancel(player)
    for game_id in _ids_of_ongoing(player):
        _leave_game(game_id, player)
    open_invitations = Invitation.objects.filter(state=Invitation.State.OPEN)
    open_invitations.filter(host=player).update(state=Invitation.State.WITHDRAWN)
    open_invitations.filter(player=player).update(player=None)
    first, second = (Q(game__first=player, side="first"), Q(game__second=player, side="second"))
    Conditional.objects.filter(first | second).delete()
    player.notes.all().delete()
    player.exercises_done.all().delete()
    player.puzzle_tries.all().delete()
    with transaction.atomic():
        Guest.objects.filter(player=player).delete()
        if not Game.objects.of(player).exists():
            _delete(player)
    log.info("guests.forgotten player=%s", player.pk)


def _leave_game(game_id: int, player: Player) -> None:
    """Resign, or abort before a ply of one's own. The opponent, another guest, may act first."""
    try:
        try:
            play.abort(game_id=game_id, player=player)
        except RefusedError:
            play.resign(game_id=game_id, player=player)
    except StaleError as refusal:
        log.info("guests.over game=%s %s", game_id, refusal)


def _delete(player: Player) -> None:
    """Delete a player without games, with its seeks and challenges. In the caller's transaction."""
    player.seeks.filter(game=None).delete()
    player.challenges_sent.filter(game=None).delete()
    player.invitations.filter(game=None).delete()
    try:
        with transaction.atomic():
            player.delete()
    except ProtectedError:
        log.info("guests.kept player=%s", player.pk)


def _ids_of_ongoing(player: Player) -> list[int]:
    games = Game.objects.ongoing().of(player).order_by("pk")
    return list(games.values_list("pk", flat=True))
