"""What bot authors upload, and the machines that run it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.players import NAME_LENGTH


class Program(models.Model):
    """An upload as it came, by its content: the database is where every worker gets it from.

    Rows do not change.
    """

    class Kind(models.TextChoices):
        # As `engine.programs` names them.
        PYTHON = "python", "Python"
        WASM = "wasm", "WebAssembly"

    # sha256 of the upload, in hexadecimal.
    digest = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=6, choices=Kind.choices)
    filename = models.CharField(max_length=120)
    upload = models.BinaryField()
    size_bytes = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(digest__length=64), name="program_has_a_digest"),
        ]

    def __str__(self) -> str:
        return f"{self.filename} {self.digest[:12]}"


class BotLine(models.Model):
    """An author's bot through its versions.

    Each version is a `Bot` with a player and a rating of its own.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bot_lines"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    canonical = models.CharField(max_length=2 * NAME_LENGTH, unique=True)
    description = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["canonical"]

    def __str__(self) -> str:
        return self.name


class SandboxReport(models.Model):
    """The report of a machine with workers about its sandbox.

    It names the isolator in which bots play there, or says why there is none, and the versions that
    a program in it has found.
    """

    host = models.CharField(max_length=200, unique=True)
    # Empty where nothing holds: then no uploaded program is run there.
    isolator = models.CharField(max_length=20, blank=True)
    # Empty without a sandbox; numpy also where it cannot be imported there.
    python = models.CharField(max_length=40, blank=True)
    numpy = models.CharField(max_length=40, blank=True)
    # One sentence a line.
    report = models.TextField(max_length=10_000, blank=True)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["host"]

    def __str__(self) -> str:
        return f"{self.host}: {self.isolator or _('no sandbox')}"
