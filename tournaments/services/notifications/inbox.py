"""The inbox of an account: its notices, how far they are read, and which of them go by email."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django.urls import reverse

from tournaments.errors import RefusedError
from tournaments.models import Challenge, Email, Event, Game, Inbox, NewsItem, User
from tournaments.services.notifications import news
from tournaments.services.notifications.kinds import KINDS
from tournaments.text import house
from tournaments.text.challenges import challenge_text
from tournaments.text.prizes import prize_text
from tournaments.text.rulesets import ruleset_name

_EMAILED = [kind.code for kind in KINDS.values() if kind.email]
_LISTED = [code for code in _EMAILED if KINDS[code].is_listed]
_CONFIRM_SALT = "tournaments.inbox.address"
_CONFIRM_S = 3 * 24 * 3600
_AT_MOST = 50
_MAX_UNREAD = 500


@dataclass(frozen=True, slots=True)
class Notice:
    """A piece of news for its owner.

    Attributes:
        game: the game it is about, if any.
        event: the event it is about, if any.
        is_stale: whether it no longer requires an action: a turn that was taken, a challenge that
            was answered.
    """

    item: NewsItem
    game: Game | None
    event: Event | None
    challenge: Challenge | None
    is_unread: bool
    is_stale: bool

    @property
    def is_gone(self) -> bool:
        """Return whether the notice is about a challenge that retention has removed."""
        return "challenge" in self.item.payload and self.challenge is None

    @property
    def sentence(self) -> str:
        """Return the news as a sentence in the reader's language, with its reason if there is one."""
        payload = self.item.payload
        words = KINDS[self.item.kind].words
        assert words is not None, "notices have words"
        text = (words(payload) if callable(words) else words) % self._places()
        reason = house.in_readers_language(payload.get("reason", ""))
        return f"{text}: {reason}" if reason else text

    def _places(self) -> dict[str, object]:
        """Return the values of the places in the words of kinds."""
        payload = self.item.payload
        places = {
            **payload,
            "number": payload.get("round"),
            "prize": prize_text(
                payload.get("amount", 0), payload.get("words", ""), payload.get("currency", "")
            ),
            "game": self.game,
            "event": self.event,
        }
        if self.challenge is None:
            return places
        opponent = self.challenge.opponent
        return {
            **places,
            "name": opponent.name if opponent else "",
            "rules": ruleset_name(self.challenge.ruleset),
            "challenge": challenge_text(self.challenge, self.challenge.challenger.name),
        }

    def get_absolute_url(self) -> str:
        """Return the page of the notice, or the page for the reader's answer."""
        if self.game is not None:
            return self.game.get_absolute_url()
        if self.item.kind == "bot-request":
            return reverse("bots-mine")
        return reverse("lobby") if self.event is None else self.event.get_absolute_url()


def of_user(user: User) -> Inbox:
    """The inbox of `user`, made when it is the first look."""
    return Inbox.objects.get_or_create(user=user)[0]


def unread(user: User) -> int:
    """Return the number of unread notices of `user`."""
    read_seq = Inbox.objects.filter(user=user).values("read_seq")
    return _of_account(user.pk).filter(seq__gt=Coalesce(Subquery(read_seq), 0)).count()


def notices(user: User) -> Sequence[Notice]:
    """The latest notices of `user`, newest first, at most 50."""
    items = _of_account(user.pk).order_by("-seq")[:_AT_MOST]
    return [each for each in _notices(of_user(user), list(items)) if not each.is_gone]


def notice(user: User, seq: int) -> Notice | None:
    """Return the notice of `user` with that number, or None."""
    items = _of_account(user.pk).filter(seq=seq)
    notices = _notices(of_user(user), list(items))
    return next((each for each in notices if not each.is_gone), None)


def _of_account(user_id: int, kinds: Sequence[str] = _LISTED) -> QuerySet[NewsItem]:
    """The news of an account that are notices."""
    items = NewsItem.objects.filter(topic__name=news.of_user(user_id), kind__in=kinds)
    return items.filter(payload__is_live__isnull=True)


def pending(inbox: Inbox, before: datetime) -> Sequence[Notice]:
    """Notices from before that moment that no email was considered for, at most 500.

    The oldest come first.
    """
    items = _of_account(inbox.user_id, _EMAILED).filter(
        seq__gt=inbox.emailed_seq, happened_at__lte=before
    )
    return _notices(inbox, list(items.order_by("seq")[:_MAX_UNREAD]))


def _notices(inbox: Inbox, items: Sequence[NewsItem]) -> Sequence[Notice]:
    games = Game.objects.with_players().in_bulk(_numbers(items, "game"))
    events = Event.objects.in_bulk(_numbers(items, "event"))
    challenges = Challenge.objects.select_related("challenger", "opponent").in_bulk(
        _numbers(items, "challenge")
    )
    rows = []
    for item in items:
        game = games.get(item.payload.get("game", 0))
        challenge = challenges.get(item.payload.get("challenge", 0))
        rows.append(
            Notice(
                item=item,
                game=game,
                event=events.get(item.payload.get("event", 0)),
                challenge=challenge,
                is_unread=item.seq > inbox.read_seq,
                is_stale=_is_stale(item, game, challenge, inbox.user_id),
            )
        )
    return rows


def mark_read(user: User) -> None:
    """Note that `user` has seen all notices there are."""
    inbox = of_user(user)
    last_seq = news.last_seqs([news.of_user(user.pk)])[news.of_user(user.pk)]
    Inbox.objects.filter(pk=inbox.pk, read_seq__lt=last_seq).update(read_seq=last_seq)


def mark_seen(user: User, game: Game) -> None:
    """Note that `user` looks at `game`.

    The first unread notices, as far as they are about it, count as read.
    """
    read_seq = Inbox.objects.filter(user=user).values_list("read_seq", flat=True).first() or 0
    items = _of_account(user.pk).filter(seq__gt=read_seq)
    about = 0
    for item in items.order_by("seq")[:_AT_MOST]:
        if item.payload.get("game") != game.pk:
            break
        about = item.seq
    if about:
        of_user(user)
        Inbox.objects.filter(user=user, read_seq__lt=about).update(read_seq=about)


def ask_address(user: User, address: str, *, language: str) -> str:
    """Store an address that is not confirmed yet.

    Returns the token that confirms it, to be sent there by email.

    Raises:
        RefusedError: `address-bad`.
    """
    address = address.strip()
    try:
        validate_email(address)
    except ValidationError as error:
        raise RefusedError("address-bad", address[:80]) from error
    if len(address) > 254 or not address.isascii():
        raise RefusedError("address-bad", address[:80])
    inbox = of_user(user)
    Inbox.objects.filter(pk=inbox.pk).update(address=address, is_confirmed=False, language=language)
    return signing.dumps([user.pk, address], salt=_CONFIRM_SALT)


def confirm_address(token: str) -> Inbox:
    """Confirm the address that the token was sent to.

    Raises RefusedError `token-bad`.
    """
    try:
        user_id, address = signing.loads(token, salt=_CONFIRM_SALT, max_age=_CONFIRM_S)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise RefusedError("token-bad") from error
    with transaction.atomic():
        inbox = (
            Inbox.objects.select_for_update(no_key=True)
            .filter(user=user_id, address=address)
            .first()
        )
        if inbox is None:  # another address was given since
            raise RefusedError("token-bad")
        if not inbox.is_confirmed:
            inbox.is_confirmed = True
            # Earlier news are not sent by e-mail.
            inbox.emailed_seq = news.last_seqs([news.of_user(user_id)])[news.of_user(user_id)]
            inbox.save(update_fields=["is_confirmed", "emailed_seq"])
        return inbox


def forget_address(user: User) -> None:
    """Stop e-mails to the address, including those that are written already."""
    user.emails.filter(state=Email.State.WAITING).delete()
    Inbox.objects.filter(user=user).update(address="", is_confirmed=False)


def choose(
    user: User, *, turns: bool, reminders: bool, games: bool, events: bool, language: str
) -> None:
    """Store which news are sent by email."""
    inbox = of_user(user)
    Inbox.objects.filter(pk=inbox.pk).update(
        wants_turns=turns,
        wants_reminders=reminders,
        wants_games=games,
        wants_events=events,
        language=language,
    )


def email_kinds(inbox: Inbox) -> set[str]:
    """The kinds of news that the inbox wants by email."""
    return {kind.code for kind in KINDS.values() if kind.email and getattr(inbox, kind.email)}


def with_pending(before: datetime) -> Sequence[Inbox]:
    """Inboxes with a confirmed address and pending news from before that moment."""
    topic = Concat(Value("user:"), Cast(OuterRef("user_id"), CharField()))
    fresh = NewsItem.objects.filter(
        topic__name=topic,
        kind__in=_EMAILED,
        seq__gt=OuterRef("emailed_seq"),
        happened_at__lte=before,
        payload__is_live__isnull=True,
    )
    return list(Inbox.objects.filter(Exists(fresh), is_confirmed=True)[:_AT_MOST])


def _numbers(items: Sequence[NewsItem], name: str) -> set[int]:
    return {item.payload[name] for item in items if isinstance(item.payload.get(name), int)}


def _is_stale(item: NewsItem, game: Game | None, challenge: Challenge | None, user_id: int) -> bool:
    if item.kind == "challenge":
        return challenge is None or challenge.state != Challenge.State.OPEN
    if item.kind in {"turn", "reminder"}:
        if game is None or game.result is not None:
            return True
        return bool(game.player_on(game.side_to_move).user_id != user_id)
    return False
