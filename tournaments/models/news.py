"""News by topic, numbered without gaps: what open pages are told and resume from."""

from __future__ import annotations

from django.db import models


class Topic(models.Model):
    """Something that can be followed, such as `game:12`, with the number of its last news item."""

    name = models.CharField(max_length=60, unique=True)
    seq = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class NewsItem(models.Model):
    """One thing that happened.

    Rows are only ever added, in the transaction of the change itself.
    """

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="items")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    happened_at = models.DateTimeField()

    class Meta:
        ordering = ["topic", "seq"]
        constraints = [models.UniqueConstraint(fields=["topic", "seq"], name="news_seq_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.seq}: {self.kind}"
