"""News by topic, numbered without gaps, for open pages, which resume from a number."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models

from tournaments.models import statements


class TopicManager(models.Manager["Topic"]):
    def numbered(self, names: Sequence[str]) -> dict[str, Topic]:
        """Return the topics of these names, each once, with numbers one higher, locked in this order until the transaction ends.

        One statement instead of the ORM's three for each topic, which took a sixth of the time of a
        move.
        """
        with statements.cursor() as cursor:
            cursor.execute(
                "INSERT INTO tournaments_topic (name, seq)"  # noqa: S608 - so many places
                f" VALUES {', '.join(['(%s, 1)'] * len(names))} ON CONFLICT (name)"
                " DO UPDATE SET seq = tournaments_topic.seq + 1 RETURNING id, name, seq, has_webhooks",
                names,
            )
            rows = cursor.fetchall()
        return {
            name: self.model(pk=pk, name=name, seq=seq, has_webhooks=has_webhooks)
            for pk, name, seq, has_webhooks in rows
        }


class Topic(models.Model):
    """Something that can be followed, such as `game:12`, with the number of its last news item."""

    name = models.CharField(max_length=60, unique=True)
    seq = models.PositiveIntegerField(default=0)
    # True if news send for a worker that delivers them to webhooks.
    has_webhooks = models.BooleanField(default=False, db_default=False)

    objects = TopicManager()

    def __str__(self) -> str:
        return self.name


class NewsItem(models.Model):
    """One thing that happened.

    Rows are only ever added, in the transaction of the change itself.
    """

    # No index: `news_seq_once` begins with this column.
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="items", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    happened_at = models.DateTimeField()

    class Meta:
        ordering = ["topic", "seq"]
        constraints = [models.UniqueConstraint(fields=["topic", "seq"], name="news_seq_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.seq}: {self.kind}"
