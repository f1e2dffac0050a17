"""Permissions of authors for their bots, and requests of organisers to enter one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.clocks import MAX_CLOCK_MS
from tournaments.models.bots import Bot
from tournaments.models.events import Event
from tournaments.models.programs import BotLine

MAX_GAMES = 64
LEAST_CLOCK_MS = 1000


class BotConsent(models.Model):
    """Permissions for others to begin games with an author's bot, for all its versions.

    The author's own challenges, tests and entries need no consent.

    Attributes:
        takes_casual, takes_rated: games that others begin: challenges, and games of events in which
            an organiser enters the bot.
        takes_matches: matches on demand and gauntlets of other authors, which are not rated.
        lends_modules: whether volunteers' machines get its module, to play games under fuel.
        open_formats: the formats of events in which an organiser may enter it without asking.
        takes_requests: whether organisers of other events may ask its author.
        least_ms, most_ms: the range of the time at the start, in milliseconds.
        least_increment_ms, most_increment_ms: the range of the increment for each ply.
        takes_unlimited: whether it plays without a clock.
        rulesets: the keys of the boards it plays on. Empty means every board of its games.
        opponents: the kinds of opponents it plays.
        refused_accounts: accounts that may not begin a game with it, nor with one of its bots.
        max_games: the number of simultaneous games of all versions together.
    """

    class Opponents(models.TextChoices):
        EVERYBODY = "everybody", _("everybody")
        PEOPLE = "people", _("people only")
        BOTS = "bots", _("bots only")

    line = models.OneToOneField(
        BotLine, primary_key=True, on_delete=models.CASCADE, related_name="consent"
    )
    takes_casual = models.BooleanField(default=True)
    takes_rated = models.BooleanField(default=True)
    takes_matches = models.BooleanField(default=True)
    lends_modules = models.BooleanField(default=False)
    open_formats = models.JSONField(default=list, blank=True)
    takes_requests = models.BooleanField(default=True)
    least_ms = models.PositiveIntegerField(default=LEAST_CLOCK_MS)
    most_ms = models.PositiveIntegerField(default=MAX_CLOCK_MS)
    least_increment_ms = models.PositiveIntegerField(default=0)
    most_increment_ms = models.PositiveIntegerField(default=MAX_CLOCK_MS)
    takes_unlimited = models.BooleanField(default=True)
    rulesets = models.JSONField(default=list, blank=True)
    opponents = models.CharField(
        max_length=9, choices=Opponents.choices, default=Opponents.EVERYBODY
    )
    refused_accounts = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="refusing_bots"
    )
    max_games = models.PositiveSmallIntegerField(default=MAX_GAMES)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(least_ms__gte=LEAST_CLOCK_MS, least_ms__lte=F("most_ms"))
                & Q(least_increment_ms__lte=F("most_increment_ms")),
                name="bot_consent_clocks_in_order",
            ),
            models.CheckConstraint(
                condition=Q(max_games__gte=1, max_games__lte=MAX_GAMES),
                name="bot_consent_games_bounded",
            ),
            models.CheckConstraint(
                condition=Q(opponents__in=["everybody", "people", "bots"]),
                name="bot_consent_opponents_known",
            ),
        ]

    def __str__(self) -> str:
        return f"consent for {self.line_id}"


class BotRequestQuerySet(models.QuerySet["BotRequest"]):
    def open(self) -> BotRequestQuerySet:
        """Requests that no author has answered, of events that take entries or may yet."""
        return self.filter(
            state=BotRequest.State.OPEN,
            event__state__in=[Event.State.REGISTRATION, Event.State.RUNNING],
        )

    def with_names(self) -> BotRequestQuerySet:
        """With the event, the version and the author of the question."""
        return self.select_related("event", "bot__player", "asker__player")


class BotRequest(models.Model):
    """A request of an organiser that a version of an author's bot play in an event."""

    class State(models.TextChoices):
        OPEN = "open", _("waits for an answer")
        GRANTED = "granted", _("granted")
        DECLINED = "declined", _("declined")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="bot_requests")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="requests")
    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bot_requests"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    requested_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = BotRequestQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            # An organiser who got an answer does not ask again for one event.
            models.UniqueConstraint(fields=["event", "bot"], name="bot_request_once"),
            models.CheckConstraint(
                condition=Q(state="open", answered_at__isnull=True)
                | Q(state__in=["granted", "declined"], answered_at__isnull=False),
                name="bot_request_has_an_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} in {self.event}: {self.state}"
