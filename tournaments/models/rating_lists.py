"""Rating lists of federations, from which organisers take the data of players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.players import NAME_LENGTH

LIST_NAME_LENGTH = 40
ADDRESS_LENGTH = 300
DETAIL_LENGTH = 200


class CurrentLists(models.Manager["RatingList"]):
    """The lists in use, without those that are being stored or deleted."""

    def get_queryset(self) -> QuerySet[RatingList]:
        return super().get_queryset().filter(is_current=True)


class RatingList(models.Model):
    """A list that an administrator uploads or its source has. A later one of its name replaces it.

    The players of a list are stored and deleted in parts. Meanwhile it is not current, and no page has it.
    """

    class Kind(models.TextChoices):
        """The time control of a list's ratings (B.02)."""

        STANDARD = "standard", _("standard")
        RAPID = "rapid", _("rapid")
        BLITZ = "blitz", _("blitz")

    name = models.CharField(max_length=LIST_NAME_LENGTH)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.STANDARD)
    is_current = models.BooleanField(default=True)
    # The time of the upload, or of the last download.
    uploaded_at = models.DateTimeField()
    source = models.ForeignKey(
        "RatingSource", on_delete=models.SET_NULL, null=True, blank=True, related_name="lists"
    )
    count = models.PositiveIntegerField()

    objects = CurrentLists()
    every = models.Manager()  # noqa: DJ012 - a manager as well

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=Q(is_current=True), name="rating_list_current_once"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="rating_list_has_a_name"),
            models.CheckConstraint(
                condition=Q(kind__in=["standard", "rapid", "blitz"]), name="rating_list_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def dated_name(self) -> str:
        """The name with the day of the upload: `FIDE, 2026-09-01`."""
        return f"{self.name}, {self.uploaded_at:%Y-%m-%d}"


class RatingSource(models.Model):
    """The address of a list and of the lists beside it. `failure` is the code of the last try's refusal."""

    name = models.CharField(max_length=LIST_NAME_LENGTH, unique=True)
    kind = models.CharField(
        max_length=8, choices=RatingList.Kind.choices, default=RatingList.Kind.STANDARD
    )
    address = models.CharField(max_length=ADDRESS_LENGTH)
    due_at = models.DateTimeField()
    # The SHA-256 of the file whose players are stored.
    digest = models.CharField(max_length=64, blank=True)
    failure = models.CharField(max_length=40, blank=True)
    detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(address__startswith="https://"), name="rating_source_is_https"
            ),
            models.CheckConstraint(
                condition=Q(failure="", failed_at=None)
                | (~Q(failure="") & Q(failed_at__isnull=False)),
                name="rating_source_failure_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RatingUpload(models.Model):
    """A file of an administrator, whose players a worker stores as a list. Its parts are deleted afterwards.

    `players` counts the stored players of the main list, also during the work.
    """

    class State(models.TextChoices):
        RECEIVING = "receiving", _("being received")
        WAITING = "waiting", _("in progress")
        DONE = "done", _("stored")
        FAILED = "failed", _("refused")

    name = models.CharField(max_length=LIST_NAME_LENGTH, unique=True)
    kind = models.CharField(max_length=8, choices=RatingList.Kind.choices)
    uploader = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="rating_uploads",
    )
    state = models.CharField(max_length=9, choices=State.choices, default=State.RECEIVING)
    uploaded_at = models.DateTimeField()
    # The time from which a worker may take it, again if the last one has died.
    due_at = models.DateTimeField()
    players = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["receiving", "waiting", "done", "failed"])
                & (Q(state="failed") | Q(failure="")),
                name="rating_upload_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"


class RatingUploadPart(models.Model):
    """A part of the file of an upload."""

    upload = models.ForeignKey(RatingUpload, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="rating_upload_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.upload}, part {self.number}"


class RatedPlayer(models.Model):
    """A player of a rating list, with the columns of an entry. A birth date is stored as its year."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="players")
    name = models.CharField(max_length=NAME_LENGTH)
    # The words of the name without accents, capitals and signs.
    search = models.CharField(max_length=2 * NAME_LENGTH, db_index=True)
    federation = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=60, blank=True)
    fide_id = models.CharField(max_length=11, blank=True, db_index=True)
    title = models.CharField(max_length=3, blank=True)
    sex = models.CharField(max_length=1, choices=Entry.Sex.choices, blank=True)
    birth_year = models.CharField(max_length=4, blank=True)
    rating_elo = models.PositiveSmallIntegerField(null=True, blank=True)
    national_elo = models.PositiveSmallIntegerField(null=True, blank=True)
    national_id = models.CharField(max_length=20, blank=True, db_index=True)

    class Meta:
        ordering = ["search", "pk"]

    def __str__(self) -> str:
        return self.name
