"""News by topic, numbered without gaps: what open pages are told and resume from."""

from __future__ import annotations

from django.db import connection, models


class TopicManager(models.Manager["Topic"]):
    def numbered(self, name: str) -> Topic:
        """The topic of that name, its number one higher, and locked until the transaction ends.

        One statement in place of the ORM's three, which took a sixth of the time of a move.
        """
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO tournaments_topic (name, seq) VALUES (%s, 1) ON CONFLICT (name)"
                " DO UPDATE SET seq = tournaments_topic.seq + 1 RETURNING id, seq",
                [name],
            )
            pk, seq = cursor.fetchone()
        return self.model(pk=pk, name=name, seq=seq)


class Topic(models.Model):
    """Something that can be followed, such as `game:12`, with the number of its last news item."""

    name = models.CharField(max_length=60, unique=True)
    seq = models.PositiveIntegerField(default=0)

    objects = TopicManager()

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
