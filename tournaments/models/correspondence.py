"""Correspondence: conditional moves, private notes, reminders, inboxes and emails."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.games import Game, Side
from tournaments.models.players import Player

NOTE_LENGTH = 5_000
TREE_LENGTH = 20_000


class Conditional(models.Model):
    """Conditional moves of one side, as a tree from the position after ply `ply`.

    Only their owner sees them.

    The row follows the game as long as the opponent plays the foreseen moves, and is deleted when
    another move is played.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="conditionals")
    side = models.CharField(max_length=6, choices=Side.choices)
    attempt = models.PositiveSmallIntegerField()
    ply = models.PositiveSmallIntegerField()
    # The format of `games.variations`: a move of the opponent, the reply, a move of the opponent,
    # ...
    tree = models.CharField(max_length=TREE_LENGTH)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "side"], name="conditional_once_a_side"),
            models.CheckConstraint(
                condition=Q(side__in=["first", "second"])
                & Q(tree__length__gte=1, tree__length__lte=TREE_LENGTH),
                name="conditional_in_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.ply} {self.side}: {self.tree[:40]}"


class Note(models.Model):
    """A private note of a player about a game."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notes")
    text = models.CharField(max_length=NOTE_LENGTH)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="note_once_a_game"),
            models.CheckConstraint(
                condition=Q(text__length__gte=1, text__length__lte=NOTE_LENGTH),
                name="note_in_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} about {self.game_id}"


class Reminder(models.Model):
    """A reminder of a turn before its time runs out: one for each threshold."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reminders")
    attempt = models.PositiveSmallIntegerField()
    ply = models.PositiveSmallIntegerField()
    hours = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "attempt", "ply", "hours"], name="reminder_once_a_threshold"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.ply}: {self.hours} h"


class Inbox(models.Model):
    """The place up to which an account has read its news, and the categories that it wants by e-mail and by push.

    News are numbered by the account's topic.
    """

    class Writers(models.TextChoices):
        """The players who may begin to write private messages to the account."""

        EVERYONE = "everyone", _("everyone")
        FOLLOWED = "followed", _("players whom I follow")
        NO_ONE = "no-one", _("no one")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="inbox"
    )
    read_seq = models.PositiveBigIntegerField(default=0)
    # News up to here have been considered for email.
    emailed_seq = models.PositiveBigIntegerField(default=0)
    address = models.EmailField(blank=True)
    # No e-mail is sent to an address before its reader has confirmed it.
    is_confirmed = models.BooleanField(default=False)
    wants_turns = models.BooleanField(default=True)
    wants_reminders = models.BooleanField(default=True)
    wants_games = models.BooleanField(default=True)
    wants_events = models.BooleanField(default=True)
    wants_messages = models.BooleanField(default=True)
    language = models.CharField(max_length=10, default="en")
    # News up to here have been considered for messages to devices.
    pushed_seq = models.PositiveBigIntegerField(default=0)
    pushes_turns = models.BooleanField(default=True)
    pushes_reminders = models.BooleanField(default=True)
    pushes_games = models.BooleanField(default=True)
    pushes_events = models.BooleanField(default=True)
    pushes_messages = models.BooleanField(default=True)
    # The last start of a live game that an open page of the account has received.
    received_seq = models.PositiveBigIntegerField(default=0)
    writers = models.CharField(max_length=8, choices=Writers.choices, default=Writers.EVERYONE)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(writers__in=["everyone", "followed", "no-one"]),
                name="inbox_writers_known",
            ),
            models.CheckConstraint(
                condition=Q(is_confirmed=False) | ~Q(address=""), name="inbox_confirmed_address"
            ),
        ]

    def __str__(self) -> str:
        return f"inbox of {self.user}"


class Email(models.Model):
    """An email that waits to be sent or was sent.

    It is written in the transaction of the change that it tells of, sent by a task, and tried again
    when that fails.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="emails"
    )
    address = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField(max_length=20_000)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["due_at", "pk"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="email_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.subject} to {self.address}"
