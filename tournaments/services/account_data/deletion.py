"""The end of an account: its player leaves everything, and its history loses the name.

Games, ratings and entries belong to others too and stay, under `Deleted player 12`. The report
files of published rounds stay as they were published, with the names of that day: the database
refuses to change them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ParamSpec

from django.db import transaction
from django.db.models import Q

from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    Challenge,
    Conditional,
    Entry,
    EntryClaim,
    Event,
    Follow,
    Game,
    Gauntlet,
    Inbox,
    Introduction,
    Invitation,
    Mute,
    Offer,
    Player,
    SprtTest,
    User,
)
from tournaments.models.players import canonical_name
from tournaments.services import audit, clubs, gauntlets, sprt_tests
from tournaments.services.accounts import passwords, second_factor
from tournaments.services.accounts.players import DELETED_NAME
from tournaments.services.bots import versions
from tournaments.services.events import entries
from tournaments.services.games import offers, play, private_messages
from tournaments.services.lobby import challenges, invitations, seeks
from tournaments.services.notifications import news
from tournaments.services.volunteers import enrolment

P = ParamSpec("P")

log = logging.getLogger(__name__)


def delete_account(*, user: User, password: str) -> None:
    """Leave every game and event, close the account permanently, and remove the name from its history.

    Each game and each entry is left in its own transaction, so that locks are taken in the one
    order. After an interruption the account still exists, and the deletion can be repeated.

    Raises:
        RefusedError: `password-wrong`, `tries-many`, or `organises-events` while others depend on
            an event of this account.
    """
    passwords.require(user, password)
    if Event.objects.open().filter(organiser=user).exists():
        raise RefusedError("organises-events")
    _leave(user)
    _close(user)
    # Games that began between the two, when another device of the account played on.
    _leave(user)


def name_after(player: Player) -> str:
    """The name of a player whose account was deleted."""
    return f"{DELETED_NAME} {player.pk}"


def _leave(user: User) -> None:
    """Give up all that the account has under way: for its player and its bots."""
    player = Player.objects.filter(user=user).first()
    if player is not None:
        _leave_lobby(player)
        clubs.leave_all(player)
    _leave_events(user)
    versions.retire_all(actor=user)
    for sprt_test in SprtTest.objects.running().filter(owner=user):
        sprt_tests.stop(sprt_test_id=sprt_test.pk, actor=user)
    for gauntlet in Gauntlet.objects.running().filter(owner=user):
        gauntlets.stop(gauntlet_id=gauntlet.pk, actor=user)
    if player is not None:
        for game_id in _ids_of_games(player):
            _unless_over(play.resign, game_id=game_id, player=player)


def _leave_lobby(player: Player) -> None:
    seeks.cancel(player)
    open_challenges = Challenge.objects.open().filter(Q(challenger=player) | Q(opponent=player))
    for challenge in open_challenges:
        _unless_over(challenges.decline, challenge_id=challenge.pk, player=player)
    open_invitations = Invitation.objects.filter(state=Invitation.State.OPEN)
    # A lapsed invitation cannot be withdrawn, and cannot be joined.
    for invitation in open_invitations.filter(host=player):
        _unless_over(invitations.withdraw, token=invitation.token, player=player)
    open_invitations.filter(player=player).exclude(host=player).update(player=None)
    of_player = Game.objects.finished().of(player)
    for offer in Offer.objects.open().filter(kind=Offer.Kind.REMATCH, game__in=of_player):
        _unless_over(offers.decline, game_id=offer.game_id, player=player)


def _leave_events(user: User) -> None:
    own = Q(player__user=user) | Q(player__bot__owner=user, player__bot__line__isnull=False)
    active = Entry.objects.active().filter(own, event__in=Event.objects.open())
    for entry in active.select_related("player").order_by("event_id", "pk"):
        _unless_over(entries.withdraw, event_id=entry.event_id, player=entry.player, actor=user)


def _ids_of_games(player: Player) -> list[int]:
    games = Game.objects.ongoing().of(player).order_by("pk")
    return list(games.values_list("pk", flat=True))


def _unless_over(step: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Take a step, unless its subject has just been ended by another process."""
    try:
        step(*args, **kwargs)
    except (StaleError, RefusedError) as refusal:
        log.info("deletion.over step=%s %s", step.__name__, refusal)


def _close(user: User) -> None:
    """Forbid signing in, and remove the data that identifies the person."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        player = Player.objects.select_for_update(no_key=True).filter(user=user).first()
        if player is not None:
            _anonymise(player)
        audit.note("account-delete", actor=user, player=player.pk if player else None)
        user.username = canonical_name(name_after(player)) if player else f"deleted-{user.pk}"
        user.email = user.first_name = user.last_name = ""
        user.last_login = None
        user.is_active = user.is_staff = user.is_superuser = False
        user.set_unusable_password()  # which ends every session
        user.save()
        second_factor.forget(user)
        user.groups.clear()
        user.user_permissions.clear()
        user.sessions.all().delete()
        user.security_events.all().delete()
        user.access_tokens.all().delete()
        user.authorizations.all().delete()
        user.applications.all().delete()
        user.emails.all().delete()
        user.push_devices.all().delete()
        user.webhooks.all().delete()
        for worker in user.workers.order_by("pk"):
            enrolment.stop(worker.pk)
            user.workers.filter(pk=worker.pk).update(name=f"worker {worker.pk}", machine="")
        # The address goes with the inbox.
        Inbox.objects.filter(user=user).delete()


def _anonymise(player: Player) -> None:
    player.name = name_after(player)
    player.canonical = canonical_name(player.name)
    player.save(update_fields=["name", "canonical"])
    # Stored tables and files of the events contain the name.
    event_ids = player.entries.values_list("event", flat=True)
    news.announce_each((news.of_event(pk), "entries", {"player": player.pk}) for pk in event_ids)
    Introduction.objects.filter(player=player).delete()
    player.notes.all().delete()
    player.exercises_done.all().delete()
    player.puzzle_tries.all().delete()
    player.puzzle_ratings.all().delete()
    player.puzzle_reports.all().delete()
    player.entry_claims.filter(state=EntryClaim.State.OPEN).delete()
    # Data that could identify the person.
    words = ("fide_id", "club", "title", "sex", "birth", "national_id", "source_list", "start_list")
    player.entries.update(
        **dict.fromkeys(words, ""),
        **dict.fromkeys(("national_centielo", "source_centielo", "start_centielo")),
    )
    private_messages.delete_all(player=player)
    player.chat_lines.update(is_hidden=True)
    Mute.objects.filter(Q(player=player) | Q(muted=player)).delete()
    Follow.objects.filter(Q(follower=player) | Q(followed=player)).delete()
    first, second = (Q(game__first=player, side="first"), Q(game__second=player, side="second"))
    Conditional.objects.filter(first | second).delete()
