"""Webhooks: addresses of accounts to which news are sent, and the log of these deliveries."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event

ADDRESS_LENGTH = 500
ANSWER_LENGTH = 500


class EventTopic(models.TextChoices):
    """The topics of an event for webhooks.

    The kinds of news (`services.notifications.kinds`) and of entries of the public log
    (`text.audit_log`) name the topic that they belong to.
    """

    START = "start", _("start: the event begins")
    ROUND = "round", _("round: a round was published")
    RESULT = "result", _("result: a game ended, or the result of a board was entered")
    CORRECTION = "correction", _("correction: the result of a closed round was corrected")
    ROUND_OVER = "round-over", _("round-over: a round is over")
    OVER = "over", _("over: the event ended or was cancelled")
    ENTRY = "entry", _("entry: players entered, were admitted or returned")
    WITHDRAWAL = "withdrawal", _("withdrawal: a player left")


class Webhook(models.Model):
    """An address that gets news of an account, or of an event that the account may see.

    Attributes:
        event: the event, or None for the news of the account.
        kinds: codes of `services.notifications.kinds`, or of `EventTopic` for an event, separated by
            blanks. Empty for all of them.
        secret: the key of the signatures, which both sides need. Its text is shown once.
        seq: the number of the last news for which deliveries were written.
        audit_id: the last entry of the event's log for which deliveries were written.
        is_quick: whether the last delivery succeeded within two seconds. Others wait for the beat,
            so that slow addresses keep few workers busy.
        failing_since: the first failure after the last success, or None.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    event = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.CASCADE, related_name="webhooks"
    )
    address = models.CharField(max_length=ADDRESS_LENGTH)
    kinds = models.TextField(blank=True)
    secret = models.BinaryField(max_length=32)
    is_active = models.BooleanField(default=True)
    seq = models.PositiveIntegerField()
    audit_id = models.PositiveBigIntegerField(default=0)
    is_quick = models.BooleanField(default=False)
    failing_since = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.address} of {self.user_id}"

    @property
    def kind_set(self) -> frozenset[str]:
        """Return the codes of the kinds that it gets, or an empty set for all."""
        return frozenset(self.kinds.split())


class WebhookDelivery(models.Model):
    """A message for a webhook, with the result of its last try.

    Attributes:
        message_id: the `webhook-id`, by which a receiver knows a message that comes again.
        status: of HTTP, 0 if there was no answer, None before the first try.
        answer: the first bytes of the last answer.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    message_id = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    took_ms = models.PositiveIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=ANSWER_LENGTH, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="webhook_delivery_due",
                condition=models.Q(state="waiting"),
            ),
            models.Index(fields=["webhook", "-id"], name="webhook_deliveries_latest"),
            models.Index(fields=["made_at"], name="webhook_delivery_made"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.webhook_id}"
