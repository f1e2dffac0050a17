"""The latest success of each task of operators."""

from __future__ import annotations

from django.db import models


class Upkeep(models.Model):
    """A task of operators and the moment of its latest success."""

    class Task(models.TextChoices):
        """Tasks whose age is watched."""

        BACKUP = "backup"

    task = models.CharField(primary_key=True, max_length=10, choices=Task.choices)
    done_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.task} {self.done_at}"
