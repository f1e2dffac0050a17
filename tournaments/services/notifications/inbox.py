"""The inbox of an account: its notices, how far they are read, and which of them go by email."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import CharField, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django.urls import reverse
from django.utils.text import Truncator

from tournaments.errors import RefusedError
from tournaments.models import (
    Challenge,
    ChatLine,
    Email,
    Event,
    Game,
    Inbox,
    NewsItem,
    Player,
    Topic,
    User,
    statements,
)
from tournaments.services.notifications import news
from tournaments.services.notifications.kinds import KINDS, Choice
from tournaments.text import house
from tournaments.text.challenges import challenge_text
from tournaments.text.prizes import prize_text
from tournaments.text.rulesets import ruleset_name

_CHOSEN = [kind.code for kind in KINDS.values() if kind.choice]
_LISTED = [code for code in _CHOSEN if KINDS[code].is_listed]
_LISTED_NOTICES = Q(kind__in=_LISTED, payload__is_live__isnull=True)
_CONFIRM_SALT = "tournaments.inbox.address"
_CONFIRM_S = 3 * 24 * 3600
_AT_MOST = 50
_MAX_UNREAD = 500
_WORDS_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Notice:
    """A piece of news for its owner.

    Attributes:
        game: the game it is about, if any.
        event: the event it is about, if any.
        line: the private message that it is about, if any.
        is_stale: whether it no longer requires an action: a turn that was taken, a challenge that
            was answered, a message that was read or hidden, or that a later one follows.
    """

    item: NewsItem
    game: Game | None
    event: Event | None
    challenge: Challenge | None
    line: ChatLine | None
    is_unread: bool
    is_stale: bool

    @property
    def is_gone(self) -> bool:
        """Return whether the notice is about a challenge or a message that was removed."""
        payload = self.item.payload
        return ("challenge" in payload and self.challenge is None) or (
            "line" in payload and self.line is None
        )

    @property
    def choice(self) -> Choice:
        """Return the choice of readers by which it leaves the site."""
        choice = KINDS[self.item.kind].choice
        assert choice is not None, "notices have a choice"
        return choice

    @property
    def is_worth_sending(self) -> bool:
        """Return whether an absent reader can still use it."""
        return self.is_unread and not self.is_stale and not self.is_gone

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
            "event": house.event_name(self.event) if self.event else None,
        }
        if self.line is not None:
            words = Truncator(self.line.text).chars(_WORDS_LENGTH)
            places |= {"sender": self.line.author.name, "words": words}
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
        if self.line is not None:
            return reverse("conversation", args=[self.line.author_id])
        if self.item.kind == "bot-request":
            return reverse("bots-mine")
        if self.item.kind in {"club-request", "club-accepted"}:
            return reverse("club", args=[self.item.payload["club"]])
        if self.item.kind == "webhook-off":
            return reverse("webhooks")
        return reverse("lobby") if self.event is None else self.event.get_absolute_url()


def of_user(user: User) -> Inbox:
    """The inbox of `user`, made when it is the first look."""
    return Inbox.objects.get_or_create(user=user)[0]


def unread(user: User) -> int:
    """Return the number of unread notices of `user`."""
    return _unread(user.pk, news.of_user(user.pk)).count()


def _unread(user_id: int, topic: str) -> QuerySet[NewsItem]:
    read_seq = Inbox.objects.filter(user_id=user_id).values("read_seq")
    unread_items = NewsItem.objects.filter(seq__gt=Coalesce(Subquery(read_seq), 0))
    return unread_items.filter(_LISTED_NOTICES, topic__name=topic)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Figures of an account on every page.

    Attributes:
        last_seq: the number of its last news, 0 without any.
        notices: the number of unread notices.
        messages: the number of unread private messages, 0 for an account that does not play.
    """

    last_seq: int
    notices: int
    messages: int


def waiting(user: User, player: Player | None) -> Waiting:
    """Return the figures of `user`, whose player is `player`."""
    player_id = player.pk if player is not None else 0
    topic = news.of_user(user.pk)
    [figures] = _waiting.all(user_id=user.pk, topic=topic, player_id=player_id)
    return Waiting(*figures)


@statements.query
def _waiting(user_id: int, topic: str, player_id: int) -> QuerySet[User, tuple[int, int, int]]:
    """Every page of an account asks for it: Django wrote three statements in 2 ms of a processor."""
    messages = ChatLine.objects.filter(recipient_id=player_id, is_read=False).order_by()
    counts = [
        rows.values(group).annotate(number=Count("pk")).values("number")
        for rows, group in ((_unread(user_id, topic), "topic"), (messages, "recipient"))
    ]
    columns = (Topic.objects.filter(name=topic).values("seq"), *counts)
    return User.objects.filter(pk=user_id).values_list(
        *(Coalesce(Subquery(each), 0) for each in columns)
    )


def notices(user: User) -> Sequence[Notice]:
    """The latest notices of `user`, newest first, at most 50."""
    items = _of_account(user.pk).order_by("-seq")[:_AT_MOST]
    return [each for each in _notices(of_user(user), list(items)) if not each.is_gone]


def notice(user: User, seq: int) -> Notice | None:
    """Return the notice of `user` with that number, or None. The list of notices may not contain it."""
    items = NewsItem.objects.filter(kind__in=_CHOSEN, topic__name=news.of_user(user.pk), seq=seq)
    notices = _notices(of_user(user), list(items))
    return next((each for each in notices if not each.is_gone), None)


def _of_account(user_id: int) -> QuerySet[NewsItem]:
    """The news of an account that are listed notices."""
    return NewsItem.objects.filter(_LISTED_NOTICES, topic__name=news.of_user(user_id))


def pending(
    inbox: Inbox, after: int, before: datetime, *, with_live_starts: bool = False
) -> Sequence[Notice]:
    """Notices after number `after` and from before that moment, at most 500, the oldest first."""
    items = NewsItem.objects.filter(
        _pending(with_live_starts=with_live_starts),
        topic__name=news.of_user(inbox.user_id),
        seq__gt=after,
        happened_at__lte=before,
    )
    return _notices(inbox, list(items.order_by("seq")[:_MAX_UNREAD]))


def _pending(*, with_live_starts: bool) -> Q:
    """Return the condition for notices, and for starts of live games, which are no notices."""
    notices = Q(kind__in=_CHOSEN, payload__is_live__isnull=True)
    return notices | Q(kind="game") if with_live_starts else notices


def note_received(user_id: int, seq: int) -> None:
    """Note that an open page of the account has received the start of a live game."""
    Inbox.objects.filter(user=user_id, received_seq__lt=seq).update(received_seq=seq)


def _notices(inbox: Inbox, items: Sequence[NewsItem]) -> Sequence[Notice]:
    games = Game.objects.with_players().in_bulk(_numbers(items, "game"))
    events = Event.objects.in_bulk(_numbers(items, "event"))
    challenges = Challenge.objects.select_related("challenger", "opponent").in_bulk(
        _numbers(items, "challenge")
    )
    lines = ChatLine.objects.select_related("author").in_bulk(_numbers(items, "line"))
    latest = {line.author_id: line.pk for line in sorted(lines.values(), key=lambda line: line.pk)}
    rows = []
    for item in items:
        game = games.get(item.payload.get("game", 0))
        challenge = challenges.get(item.payload.get("challenge", 0))
        event = events.get(item.payload.get("event", 0))
        line = lines.get(item.payload.get("line", 0))
        is_line_over = line is not None and (
            line.is_read or line.is_hidden or line.pk < latest[line.author_id]
        )
        rows.append(
            Notice(
                item=item,
                game=game,
                event=event,
                challenge=challenge,
                line=line,
                is_unread=item.seq > inbox.read_seq,
                is_stale=is_line_over
                or _is_over(item, event)
                or _is_stale(item, game, challenge, inbox.user_id),
            )
        )
    return rows


def mark_read(user: User, until: int | None = None) -> None:
    """Note that `user` has seen the notices up to number `until`, or all notices."""
    inbox = of_user(user)
    read_seq = news.last_seq(news.of_user(user.pk))
    if until is not None:
        read_seq = min(until, read_seq)
    Inbox.objects.filter(pk=inbox.pk, read_seq__lt=read_seq).update(read_seq=read_seq)


def mark_seen(user: User, game: Game) -> None:
    """Note that `user` looks at `game`.

    The first unread notices, as far as they are about it, count as read, and its start as received.
    """
    topic = news.of_user(user.pk)
    [(last_seq, read_seq, reached_seq)] = _reached.all(user=user.pk, topic=topic)
    if last_seq <= (read_seq or 0):
        return
    received_seq = reached_seq or 0
    is_start = Q(kind="game", payload__game=game.pk, payload__is_live=True)
    items = NewsItem.objects.filter(
        is_start | _LISTED_NOTICES, topic__name=topic, seq__gt=read_seq or 0
    )
    about, is_next = 0, True
    for item in items.order_by("seq")[:_AT_MOST]:
        if item.payload.get("is_live"):
            received_seq = max(received_seq, item.seq)
        elif is_next and item.payload.get("game") == game.pk:
            about = item.seq
        else:
            is_next = False
    if about:
        of_user(user)
        Inbox.objects.filter(user=user, read_seq__lt=about).update(read_seq=about)
    if reached_seq is not None and received_seq > reached_seq:
        note_received(user.pk, received_seq)


@statements.query
def _reached(user: int, topic: str) -> QuerySet[User, tuple[int, int | None, int | None]]:
    """Return the number of the last news of the account, and how far they are read and received, None without an inbox."""
    inbox = Inbox.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(pk=user).values_list(
        Coalesce(Subquery(Topic.objects.filter(name=topic).values("seq")), 0),
        Subquery(inbox.values("read_seq")),
        Subquery(inbox.values("received_seq")),
    )


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
            inbox.emailed_seq = news.last_seq(news.of_user(user_id))
            inbox.save(update_fields=["is_confirmed", "emailed_seq"])
        return inbox


def forget_address(user: User) -> None:
    """Stop e-mails to the address, including those that are written already."""
    user.emails.filter(state=Email.State.WAITING).delete()
    Inbox.objects.filter(user=user).update(address="", is_confirmed=False)


def choose(
    user: User,
    *,
    emails: Collection[Choice] | None = None,
    pushes: Collection[Choice] | None = None,
    language: str,
) -> None:
    """Store which news are sent by e-mail and to devices, None for no change."""
    chosen: dict[str, bool] = {}
    if emails is not None:
        chosen |= {choice.by_email: choice in emails for choice in Choice}
    if pushes is not None:
        chosen |= {choice.by_push: choice in pushes for choice in Choice}
    Inbox.objects.filter(pk=of_user(user).pk).update(**chosen, language=language)


def wanted_by_email(inbox: Inbox) -> Collection[Choice]:
    """Return the choices that the inbox wants by e-mail."""
    return [choice for choice in Choice if getattr(inbox, choice.by_email)]


def wanted_by_push(inbox: Inbox) -> Collection[Choice]:
    """Return the choices that the inbox wants on devices."""
    return [choice for choice in Choice if getattr(inbox, choice.by_push)]


def with_pending(
    inboxes: QuerySet[Inbox], mark: str, before: datetime, *, with_live_starts: bool = False
) -> Sequence[Inbox]:
    """Return those of the inboxes that have pending news after their column `mark`."""
    topic = Concat(Value("user:"), Cast(OuterRef("user_id"), CharField()))
    fresh = NewsItem.objects.filter(
        _pending(with_live_starts=with_live_starts),
        topic__name=topic,
        seq__gt=OuterRef(mark),
        happened_at__lte=before,
    )
    return list(inboxes.filter(Exists(fresh))[:_AT_MOST])


def _numbers(items: Sequence[NewsItem], name: str) -> set[int]:
    return {item.payload[name] for item in items if isinstance(item.payload.get(name), int)}


def _is_over(item: NewsItem, event: Event | None) -> bool:
    """Return whether the notice announces the start of an event that has started, or that was cancelled."""
    is_waiting = event is not None and event.state == Event.State.REGISTRATION
    return item.kind == "start-soon" and not is_waiting


def _is_stale(item: NewsItem, game: Game | None, challenge: Challenge | None, user_id: int) -> bool:
    if item.kind == "challenge":
        return challenge is None or challenge.state != Challenge.State.OPEN
    if item.kind in {"turn", "reminder"}:
        if game is None or game.result is not None:
            return True
        return bool(game.player_on(game.side_to_move).user_id != user_id)
    return False
