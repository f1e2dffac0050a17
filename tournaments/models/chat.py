"""Chat lines at boards and in events, private messages, reports about them and about players, mutes and silences."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event
from tournaments.models.games import Game
from tournaments.models.players import Player

LINE_LENGTH = 300
MESSAGE_LENGTH = 2000
REPORT_LENGTH = 500


class ChatLineQuerySet(models.QuerySet["ChatLine"]):
    def private(self) -> ChatLineQuerySet:
        """Private messages alone."""
        return self.filter(recipient__isnull=False)

    def private_of(self, player: Player) -> ChatLineQuerySet:
        """Private messages to and from `player`, except those that `player` has deleted."""
        return self.filter(
            Q(recipient__isnull=False, author=player, is_deleted_by_author=False)
            | Q(recipient=player, is_deleted_by_recipient=False)
        )

    def without_report(self) -> ChatLineQuerySet:
        """Lines to which no report and no silence refers."""
        silences = Silence.objects.filter(line=OuterRef("pk"))
        return self.filter(~Exists(silences), reports=None)

    def with_player(self, other: Player) -> ChatLineQuerySet:
        """Messages with `other`, of those to and from one player."""
        return self.filter(Q(author=other) | Q(recipient=other))


class ChatLine(models.Model):
    """A line of a chat, or a private message. The text never changes. A moderator may hide it."""

    class Room(models.TextChoices):
        PLAYERS = "players", _("players")
        SPECTATORS = "spectators", _("spectators")
        EVENT = "event", _("event")
        PRIVATE = "private", _("private message")

    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="chat_lines"
    )
    event = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.PROTECT, related_name="chat_lines"
    )
    # No index: `chat_between_two` begins with this column.
    recipient = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="private_messages",
        db_index=False,
    )
    room = models.CharField(max_length=10, choices=Room.choices)
    author = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="chat_lines")
    text = models.CharField(max_length=MESSAGE_LENGTH)
    is_hidden = models.BooleanField(default=False)
    # Private messages have these. Each of the two players deletes their own view.
    is_read = models.BooleanField(default=False)
    is_deleted_by_author = models.BooleanField(default=False)
    is_deleted_by_recipient = models.BooleanField(default=False)
    made_at = models.DateTimeField()

    objects = ChatLineQuerySet.as_manager()

    class Meta:
        ordering = ["game", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(text__length__gte=1)
                & (
                    Q(text__length__lte=LINE_LENGTH)
                    | Q(room="private", text__length__lte=MESSAGE_LENGTH)
                ),
                name="chat_line_in_bounds",
            ),
            models.CheckConstraint(
                condition=Q(
                    room__in=["players", "spectators"],
                    game__isnull=False,
                    event__isnull=True,
                    recipient__isnull=True,
                )
                | Q(room="event", game__isnull=True, event__isnull=False, recipient__isnull=True)
                | Q(room="private", game__isnull=True, event__isnull=True, recipient__isnull=False),
                name="chat_line_in_one_place",
            ),
            models.CheckConstraint(
                condition=Q(recipient__isnull=True) | ~Q(author=F("recipient")),
                name="chat_line_not_to_oneself",
            ),
        ]
        indexes = [
            models.Index(fields=["author", "-made_at"], name="chat_of_author"),
            models.Index(fields=["recipient", "author"], name="chat_between_two"),
            # Every page of an account counts its unread messages.
            models.Index(
                fields=["recipient"],
                condition=Q(recipient__isnull=False, is_read=False),
                name="chat_unread",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author}: {self.text[:40]}"

    @property
    def place(self) -> Game | Event | Player:
        """Return the game or the event of the chat, or the recipient of a private message."""
        place = self.game or self.event or self.recipient
        assert place is not None, "a line is in one place"
        return place


class ChatReport(models.Model):
    """A report about a line, and the moderator's decision."""

    class Verdict(models.TextChoices):
        DISMISSED = "dismissed", _("kept")
        HIDDEN = "hidden", _("hidden")
        SILENCED = "silenced", _("hidden, and its author muted")

    line = models.ForeignKey(ChatLine, on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    verdict = models.CharField(max_length=9, choices=Verdict.choices, null=True, blank=True)  # noqa: DJ001 - None is open
    resolver = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["line", "reporter"], name="chat_report_once"),
            models.CheckConstraint(
                condition=Q(verdict__isnull=True, resolver__isnull=True, resolved_at__isnull=True)
                | Q(
                    verdict__in=["dismissed", "hidden", "silenced"],
                    resolver__isnull=False,
                    resolved_at__isnull=False,
                ),
                name="chat_report_resolved_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reporter} reports {self.line_id}"


class PlayerReport(models.Model):
    """A report about a player, in words for the moderators."""

    reported = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    text = models.CharField(max_length=REPORT_LENGTH)
    made_at = models.DateTimeField()
    resolver = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["reported", "reporter"],
                condition=Q(resolved_at__isnull=True),
                name="player_report_open_once",
            ),
            models.CheckConstraint(
                condition=~Q(reported=F("reporter")), name="player_report_not_oneself"
            ),
            models.CheckConstraint(
                condition=Q(text__length__gte=1, text__length__lte=REPORT_LENGTH),
                name="player_report_in_bounds",
            ),
            models.CheckConstraint(
                condition=Q(resolver__isnull=True, resolved_at__isnull=True)
                | Q(resolver__isnull=False, resolved_at__isnull=False),
                name="player_report_resolved_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reporter} reports {self.reported}"


class Mute(models.Model):
    """A player whose lines another one does not want to read."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "muted"], name="mute_once"),
            models.CheckConstraint(condition=~Q(player=F("muted")), name="mute_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.player} has muted {self.muted}"


class EventMuteQuerySet(models.QuerySet["EventMute"]):
    def at(self, moment: datetime) -> EventMuteQuerySet:
        return self.filter(Q(until__isnull=True) | Q(until__gt=moment))


class EventMute(models.Model):
    """A player who may not write in the chat of an event, until a moment or without an end."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="chat_mutes")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="event_mutes")
    until = models.DateTimeField(null=True, blank=True)
    resolver = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    objects = EventMuteQuerySet.as_manager()

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="event_mute_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player} is muted in {self.event}"


class SilenceQuerySet(models.QuerySet["Silence"]):
    def at(self, moment: datetime) -> SilenceQuerySet:
        return self.filter(until__gt=moment)


class Silence(models.Model):
    """A player who may not write until a moment, by a moderator's verdict on a line."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="silences")
    line = models.ForeignKey(ChatLine, on_delete=models.PROTECT, related_name="+")
    until = models.DateTimeField()
    resolver = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    objects = SilenceQuerySet.as_manager()

    class Meta:
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"{self.player} is silent until {self.until}"
