"""Requests of organisers that authors' bots play in their events, and the authors' answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Bot, BotRequest, Event, Player, User
from tournaments.queries.events import admission
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.accounts import consent_checks
from tournaments.services.accounts.consent_checks import Answer
from tournaments.services.events import acts, entries
from tournaments.services.notifications import news

MAX_OPEN = 50


@dataclass(frozen=True, slots=True)
class BotChoices:
    """Bots for an event, by their players' ids.

    Attributes:
        enterable: those that may be entered.
        askable: those whose authors can be asked.
        requests: earlier requests to their authors, the latest first.
    """

    enterable: Sequence[int]
    askable: Sequence[int]
    requests: Sequence[BotRequest]


def request(*, event_id: int, player: Player, actor: User) -> BotRequest:
    """Ask the author of the bot `player` for permission to enter it in the event.

    The author gets a notice.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `request-needless` for a bot that may be entered without a request,
            `bot-no-events`, a property of the event that its author never accepts
            (`consent_checks.entry_code`), `already-entered`, `request-answered` or still open,
            `requests-many`, or as `admission.require_fit`.
    """
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.ENTRIES)
        admission.require_fit(event, player)
        if event.entries.active().filter(player=player).exists():
            raise RefusedError("already-entered", player.name)
        if not consent_checks.needs_request(event, player, actor):
            raise RefusedError("request-needless", player.name)
        bot = player.bot
        if BotRequest.objects.open().filter(asker=actor).count() >= MAX_OPEN:
            raise RefusedError("requests-many", str(MAX_OPEN))
        try:
            with transaction.atomic():
                row = BotRequest.objects.create(
                    event=event, bot=bot, asker=actor, requested_at=database_time.now()
                )
        except IntegrityError as error:
            raise RefusedError("request-answered", player.name) from error
        assert bot.owner_id is not None  # who asks has an author
        news.announce(
            news.of_user(bot.owner_id), "bot-request", {"event": event.pk, "bot": player.name}
        )
        audit.note("bot-request", event=event, actor=actor, player=player.pk)
        return row


def answer(*, request_id: int, actor: User, is_granted: bool) -> BotRequest:
    """Grant the request, which enters the bot, or decline it.

    The organiser who asked gets a notice.

    Raises:
        NotAllowedError: `not-your-bot`, or `not-your-player` if the organiser who asked no longer
            runs the event.
        StaleError: `request-over`.
        RefusedError: as `entries.enter`. The request then remains open.
    """
    with transaction.atomic():
        row = BotRequest.objects.with_names().get(pk=request_id)
        if row.bot.owner_id != actor.pk:
            raise NotAllowedError("not-your-bot", row.bot.player.name)
        event = Event.locked(row.event_id)
        row.state = BotRequest.State.GRANTED if is_granted else BotRequest.State.DECLINED
        row.answered_at = database_time.now()
        still_open = BotRequest.objects.open().filter(pk=row.pk)
        if still_open.update(state=row.state, answered_at=row.answered_at) != 1:
            raise StaleError("request-over")
        payload: dict[str, object] = {
            "event": event.pk,
            "bot": row.bot.player.name,
            "answer": row.state.value,
        }
        news.announce(news.of_user(row.asker_id), "bot-answer", payload)
        audit.note(
            "bot-answer",
            event=event,
            actor=actor,
            player=row.bot.player_id,
            is_accepted=is_granted,
        )
        if is_granted:
            entries.enter(
                event_id=event.pk, player=row.bot.player, actor=row.asker, has_consent=True
            )
        return row


def choices(event: Event, user: User) -> BotChoices:
    """Return the active bots that `user` may enter in the event or request, without those that are in it."""
    bots = Bot.objects.playing(event.ruleset).exclude(player__entries__in=event.entries.active())
    if event.fuel is not None:
        bots = bots.filter(player__in=Player.objects.metered())
    if not event.admits_remote:
        bots = bots.exclude(player__kind=Player.Kind.REMOTE)
    rows = list(bots.only("pk", "player", "line", "owner"))
    answers = consent_checks.answers(rows, event, user)
    requests = list(event.bot_requests.with_names())
    requested = {request.bot_id for request in requests}
    return BotChoices(
        enterable=[row.player_id for row in rows if answers[row.pk] is Answer.YES],
        askable=[
            row.player_id
            for row in rows
            if answers[row.pk] is Answer.ASK and row.pk not in requested
        ],
        requests=requests,
    )


def of_author(author: User) -> QuerySet[BotRequest]:
    """The requests that wait for the author's answer, the latest first."""
    return BotRequest.objects.open().filter(bot__owner=author).with_names()
