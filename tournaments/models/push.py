"""Web Push: the devices of accounts that get notifications, and the messages that wait for them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

ENDPOINT_LENGTH = 500
NAME_LENGTH = 60
# Base64url of 65 and of 16 bytes, without `=`.
KEY_LENGTH = 87
SECRET_LENGTH = 22


class PushDevice(models.Model):
    """A browser that an account allowed to show notifications: a subscription of its push service.

    Its messages are encrypted for the keys of the browser. The push service cannot read them.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH, unique=True)
    p256dh = models.CharField(max_length=KEY_LENGTH)
    auth = models.CharField(max_length=SECRET_LENGTH)
    # The public key of the site that the push service bound the subscription to.
    site_key = models.CharField(max_length=KEY_LENGTH)
    language = models.CharField(max_length=10)
    made_at = models.DateTimeField()
    reached_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(p256dh__length=KEY_LENGTH, auth__length=SECRET_LENGTH),
                name="push_device_keys",
            ),
        ]

    def __str__(self) -> str:
        # Never the endpoint, which is a secret of the browser.
        return f"{self.name} of {self.user}"


class PushMessage(models.Model):
    """A message that waits for its device.

    It is deleted when it was sent or given up. A newer message with the same topic replaces it.
    """

    device = models.ForeignKey(
        PushDevice, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    topic = models.CharField(max_length=32)
    # A choice of `services.notifications.kinds`, or empty for a test message.
    choice = models.CharField(max_length=10, blank=True)
    body = models.CharField(max_length=2_000)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["due_at", "pk"]
        indexes = [models.Index(fields=["due_at"], name="push_message_due")]
        constraints = [
            models.UniqueConstraint(fields=["device", "topic"], name="push_topic_once_a_device"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} for {self.device_id}"
