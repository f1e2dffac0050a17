"""News by topic, numbered without gaps, for open pages, which resume from a number."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models

from tournaments.models import statements

_NUMBERED = (
    "UPDATE tournaments_topic SET seq = seq + 1 WHERE name = %s RETURNING id, seq, has_webhooks"
)
# Another transaction may add the topic at the same moment.
_ADDED = (
    "INSERT INTO tournaments_topic (name, seq) VALUES (%s, 1) ON CONFLICT (name)"
    " DO UPDATE SET seq = tournaments_topic.seq + 1 RETURNING id, seq, has_webhooks"
)


class TopicManager(models.Manager["Topic"]):
    def numbered(self, names: Sequence[str]) -> dict[str, Topic]:
        """Return the topics of these names, each once, with numbers one higher, locked in this order until the transaction ends.

        One statement instead of the ORM's three for each topic, which took a sixth of the time of a
        move. The insertion alone would do. It writes each row's lock into the log of PostgreSQL, too.
        """
        topics = {}
        with statements.cursor() as cursor:
            for name in names:
                cursor.execute(_NUMBERED, [name])
                rows = cursor.fetchall()
                if not rows:
                    cursor.execute(_ADDED, [name])
                    rows = cursor.fetchall()
                ((pk, seq, has_webhooks),) = rows
                topics[name] = self.model(pk=pk, name=name, seq=seq, has_webhooks=has_webhooks)
        return topics


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

    # No index: `news_seq_once` begins with this column. No constraint: its check writes a lock of each
    # topic into the log of PostgreSQL, and `scheduled_events.forget_cancelled` alone removes topics.
    topic = models.ForeignKey(
        Topic,
        on_delete=models.PROTECT,
        related_name="items",
        db_index=False,
        db_constraint=False,
    )
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    happened_at = models.DateTimeField()

    class Meta:
        ordering = ["topic", "seq"]
        constraints = [models.UniqueConstraint(fields=["topic", "seq"], name="news_seq_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.seq}: {self.kind}"
