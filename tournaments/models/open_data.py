"""Open data: the files of a month, in parts of a megabyte."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.urls import reverse


class DataFile(models.Model):
    """The rows of a dataset of one month, in one format.

    Attributes:
        month: its first day.
        suffix: of the file's name, which says the format.
        rows: the number of rows.
        size: bytes of all parts.
        sha256: of all parts, in hexadecimal digits. Empty until the file is complete.
        begun_at, built_at: when a worker began and completed it.
    """

    dataset = models.CharField(max_length=20)
    month = models.DateField()
    suffix = models.CharField(max_length=20)
    rows = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    begun_at = models.DateTimeField()
    built_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-month", "dataset", "suffix"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "month", "suffix"],
                condition=Q(built_at__isnull=False),
                name="data_file_once",
            ),
            models.UniqueConstraint(
                fields=["dataset", "month", "suffix"],
                condition=Q(built_at__isnull=True),
                name="data_file_by_one_worker",
            ),
            models.CheckConstraint(
                condition=Q(built_at__isnull=True, sha256="")
                | (Q(built_at__gte=F("begun_at")) & ~Q(sha256="")),
                name="data_file_digest_when_complete",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("open-data-file", args=[self.name])

    @property
    def name(self) -> str:
        """Return the name of the file: `rayuela-games-2026-10.jsonl.zst`."""
        return f"rayuela-{self.dataset}-{self.month:%Y-%m}.{self.suffix}"


class DataPart(models.Model):
    """A part of a file. All have the same number of bytes except the last."""

    file = models.ForeignKey(
        DataFile, on_delete=models.CASCADE, related_name="parts", db_index=False
    )
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["file", "number"]
        constraints = [
            models.UniqueConstraint(fields=["file", "number"], name="data_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.file_id}: {self.number}"
