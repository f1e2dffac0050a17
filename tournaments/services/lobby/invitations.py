"""Invitations to a game by a link or QR code.

The game begins when two players have joined.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import transaction

import games
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Game, Invitation, Player, Study
from tournaments.models.games import Side
from tournaments.queries.clocks import game_clocks
from tournaments.queries.games import openings
from tournaments.services.games import game_creation
from tournaments.services.notifications import news

_MAX_OPEN = 50
_DAY_MS = 24 * 3600 * 1000
_STANDS_LIVE, _STANDS = timedelta(days=1), timedelta(days=30)


def invite(
    *,
    host: Player,
    ruleset: str,
    clock: game_clocks.Clock,
    is_rated: bool = False,
    side: str = "",
    is_player: bool = True,
    study: Study | None = None,
) -> Invitation:
    """Return an invitation for two players: the host and another, or two others.

    `side` is the wish of a playing host, empty to let the seed decide. From the position of a
    `study` the game is casual, its rules are those of the study, and `side` tells the side that
    moves first from there.

    Raises:
        RefusedError: `ruleset-bad`, `side-bad`, `too-many-invitations`, or `opening-over` of the
            study.
    """
    if study is not None:
        openings.of_study(study)
        ruleset = study.ruleset
    try:
        key = games.load(ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    if side and (side not in Side.values or not is_player):
        raise RefusedError("side-bad", side)
    with transaction.atomic():
        # Locked, so that invitations at one moment are counted one after the other.
        Player.objects.select_for_update(no_key=True).get(pk=host.pk)
        if host.invitations.filter(state=Invitation.State.OPEN).count() >= _MAX_OPEN:
            raise RefusedError("too-many-invitations", str(_MAX_OPEN))
        return Invitation.objects.create(
            token=secrets.token_urlsafe(12),
            host=host,
            player=host if is_player else None,
            side=side,
            ruleset=key,
            **game_clocks.columns(clock),
            is_rated=is_rated and study is None,
            study=study,
            made_at=database_time.now(),
        )


def join(*, token: str, player: Player) -> Invitation:
    """Join the invitation. The game begins with the second player.

    A second call has no effect.

    Raises:
        StaleError: `invitation-over` if the seats are taken or the host has withdrawn it.
    """
    with transaction.atomic():
        invitation = _lock_open(token)
        if invitation.player_id == player.pk:
            return invitation
        if invitation.player is None:
            invitation.player = player
            invitation.save(update_fields=["player"])
        else:
            invitation.game = _begin(invitation, invitation.player, player)
            invitation.state = Invitation.State.STARTED
            invitation.save(update_fields=["state", "game"])
        return invitation


def withdraw(*, token: str, player: Player) -> None:
    """Withdraw the invitation.

    Raises NotAllowedError `not-your-invitation`, StaleError `invitation-over`.
    """
    with transaction.atomic():
        invitation = _lock_open(token)
        if invitation.host_id != player.pk:
            raise NotAllowedError("not-your-invitation")
        invitation.state = Invitation.State.WITHDRAWN
        invitation.save(update_fields=["state"])


def stands(invitation: Invitation, now: datetime) -> bool:
    """Return whether the invitation is open: for a day, or for thirty days with a clock of days or without a clock.

    The limit protects the clock of a player who has left.
    """
    is_patient = invitation.is_unlimited or invitation.clock_initial_ms >= _DAY_MS
    lasts = _STANDS if is_patient else _STANDS_LIVE
    return invitation.state == Invitation.State.OPEN and now < invitation.made_at + lasts


def _lock_open(token: str) -> Invitation:
    rows = Invitation.objects.select_for_update(of=("self",), no_key=True)
    invitation = rows.select_related("host", "player", "study__game").get(token=token)
    if not stands(invitation, database_time.now()):
        raise StaleError("invitation-over", invitation.state)
    return invitation


def _begin(invitation: Invitation, player: Player, guest: Player) -> Game:
    seed = secrets.randbits(48)
    opening = openings.of_study(invitation.study) if invitation.study else None
    side = openings.side_moving(
        invitation.side or (Side.FIRST if seed % 2 else Side.SECOND), opening
    )
    first, second = (player, guest) if side == Side.FIRST else (guest, player)
    clock = game_clocks.clock_of(invitation)
    if opening is not None:
        game = game_creation.create_game_after(opening, first=first, second=second, clock=clock)
    else:
        game = game_creation.create_game(
            ruleset=invitation.ruleset,
            setup=game_creation.draw_setup(invitation.ruleset, seed),
            first=first,
            second=second,
            clock=clock,
            is_rated=invitation.is_rated,
        )
    kinds = {player: "game", guest: "game"}
    kinds.setdefault(invitation.host, "invitation")
    # In one call, for the locks of their topics are in one order.
    news.announce_each(
        (
            news.of_user(player.user_id),
            kind,
            news.about(game) if kind == "game" else {"game": game.pk},
        )
        for player, kind in kinds.items()
        if player.user_id
    )
    return game
