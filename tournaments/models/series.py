"""Series: a table over events, with the rules of the organiser."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event

NAME_LENGTH = 80
MAX_DESCRIPTION = 2000
# Events of one series: a league of weekly events over a year, with some more.
MAX_EVENTS = 60
MAX_KEY = 300


class SeriesMethod(models.TextChoices):
    """The source of the points of an event, as `standings.series.Method`."""

    PLACES = "places", _("points by place")
    POINTS = "points", _("points scored in the event")
    PERCENT = "percent", _("percent of the possible points")


class SharedPlaces(models.TextChoices):
    """The points of a shared place, as `standings.series.Shared`."""

    SHARE = "share", _("the mean of the places")
    HIGHER = "higher", _("each has the points of the higher place")


class Series(models.Model):
    """A table over events. `standings.series` explains the rules."""

    name = models.CharField(max_length=NAME_LENGTH)
    slug = models.SlugField(max_length=80, unique=True)
    description = models.TextField(blank=True, max_length=MAX_DESCRIPTION)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="series"
    )
    method = models.CharField(
        max_length=7, choices=SeriesMethod.choices, default=SeriesMethod.PLACES
    )
    # Points of the first places with blanks, as `25 20 16`.
    place_points = models.CharField(max_length=1200, blank=True)
    shared = models.CharField(
        max_length=6, choices=SharedPlaces.choices, default=SharedPlaces.SHARE
    )
    # The number of results that count. 0 for all.
    best = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "series"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(method__in=["places", "points", "percent"]),
                name="series_method_known",
            ),
            models.CheckConstraint(
                condition=Q(shared__in=["share", "higher"]), name="series_shared_known"
            ),
            models.CheckConstraint(
                condition=~Q(method="places") | ~Q(place_points=""), name="series_places_listed"
            ),
            models.CheckConstraint(
                condition=Q(name__length__gte=1, name__length__lte=NAME_LENGTH),
                name="series_has_a_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("series", args=[self.slug])


class SeriesEvent(models.Model):
    """An event of a series. Its place is its number by position."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="events")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="in_series")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["series", "event"], name="series_event_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event} in {self.series}"


class SeriesPerson(models.Model):
    """A decision of the organiser about a row: joined to another one, or separate if the keys are equal.

    The keys are those of `queries.events.series.signature`.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="people")
    key = models.CharField(max_length=MAX_KEY)
    same_as = models.CharField(max_length=MAX_KEY)

    class Meta:
        verbose_name_plural = "series people"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["series", "key"], name="series_person_once"),
            models.CheckConstraint(
                condition=~Q(key="") & ~Q(same_as=""), name="series_person_has_keys"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series}: {self.key} as {self.same_as}"

    @property
    def is_separate(self) -> bool:
        return self.key == self.same_as
