"""Uploads of bot authors, and the machines that run them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from engine.programs import reading
from tournaments.models.players import NAME_LENGTH


class Script(models.TextChoices):
    """A language that the editor of bots runs, by the end of the names of its files."""

    JAVASCRIPT = "js", "JavaScript"
    TYPESCRIPT = "ts", "TypeScript"
    PYTHON = "py", "Python"


class Program(models.Model):
    """An upload as it came, by its content: the database is where every worker gets it from.

    Rows do not change.
    """

    class Kind(models.TextChoices):
        # Names of `engine.programs`.
        PYTHON = "python", "Python"
        WASM = "wasm", "WebAssembly"
        SOURCE = "source", _("source in C or C++")

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

    @property
    def language(self) -> str:
        """Return the language of a source, or the kind of any other program."""
        return reading.LANGUAGES.get(f".{self._suffix}", self.get_kind_display())

    @property
    def script(self) -> Script | None:
        """Return the language of a program that the editor opens, or None for any other program."""
        return Script(self._suffix) if self._suffix in Script.values else None

    @property
    def _suffix(self) -> str:
        return self.filename.rpartition(".")[2]

    @property
    def runnable(self) -> Program:
        """Return the program that workers run: the module of a source that was built, or itself."""
        build = getattr(self, "build", None)
        return self if build is None else build.module


class Build(models.Model):
    """The module that a worker has made of a source."""

    source = models.OneToOneField(Program, on_delete=models.PROTECT, related_name="build")
    module = models.ForeignKey(Program, on_delete=models.PROTECT, related_name="builds")
    # The words of the compiler, and its name.
    log = models.TextField()
    built_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.source} -> {self.module}"


class BotLine(models.Model):
    """An author's bot with all its versions.

    Each version is a `Bot` with its own player and rating.
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


class SandboxReportQuerySet(models.QuerySet["SandboxReport"]):
    """Reports of workers about their sandboxes."""

    def in_use(self, now: datetime) -> Self:
        """Return the reports of workers that still report: no older than two self-tests."""
        return self.filter(checked_at__gt=now - 2 * SandboxReport.AGAIN)


class SandboxReport(models.Model):
    """The report of a worker about the sandbox of its machine.

    It names the isolator of bots there, or the reasons for its absence, and the versions of Python
    that a program in it has found.
    """

    # A sandbox that holds is tested again after this time.
    AGAIN = timedelta(hours=4)

    host = models.CharField(max_length=200)
    # The queue that the worker serves: workers of one machine may find different things.
    queue = models.CharField(max_length=20, blank=True)
    # Empty without a working isolator: then no uploaded program is run there.
    isolator = models.CharField(max_length=20, blank=True)
    # Empty without a sandbox. numpy is also empty if it cannot be imported there.
    python = models.CharField(max_length=40, blank=True)
    numpy = models.CharField(max_length=40, blank=True)
    # The compilers that this machine can use, separated by commas, or empty.
    compiler = models.CharField(max_length=200, blank=True)
    # One sentence a line.
    report = models.TextField(max_length=10_000, blank=True)
    checked_at = models.DateTimeField()

    objects = SandboxReportQuerySet.as_manager()

    class Meta:
        ordering = ["host", "queue"]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "queue"], name="one_sandbox_report_of_a_host_and_queue"
            ),
        ]

    def __str__(self) -> str:
        isolator = self.isolator or _("no sandbox")
        return f"{self.host} {self.queue}: {isolator}"
