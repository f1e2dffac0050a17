"""Events and what is in them: entries, requested byes, rounds, pairings and seats."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.players import Player

MAX_ROUNDS = 30
MAX_ENTRIES = 5000


class EventQuerySet(models.QuerySet["Event"]):
    def open(self) -> EventQuerySet:
        return self.filter(state__in=[Event.State.REGISTRATION, Event.State.RUNNING])

    def running(self) -> EventQuerySet:
        return self.filter(state=Event.State.RUNNING)


class Event(models.Model):
    """A tournament. Its state only moves forward; services.events and services.rounds own it."""

    class Format(models.TextChoices):
        # Each is the name of a pairing system in tournaments.pairing.
        DUTCH = "dutch", _("Swiss, FIDE (Dutch) rules")
        SWISS = "swiss", _("Swiss, forgiving in small fields")

    class State(models.TextChoices):
        REGISTRATION = "registration", _("registration open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Admits(models.TextChoices):
        PEOPLE = "people", _("people")
        BOTS = "bots", _("bots")
        BOTH = "both", _("people and bots")

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    description = models.TextField(blank=True, max_length=2000)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="events"
    )
    ruleset = models.CharField(max_length=120)
    format = models.CharField(max_length=12, choices=Format.choices, default=Format.DUTCH)
    state = models.CharField(max_length=12, choices=State.choices, default=State.REGISTRATION)
    admits = models.CharField(max_length=6, choices=Admits.choices, default=Admits.PEOPLE)
    rounds_total = models.PositiveSmallIntegerField()
    max_entries = models.PositiveSmallIntegerField(default=200)
    clock_initial_ms = models.PositiveIntegerField()
    clock_increment_ms = models.PositiveIntegerField(default=0)
    is_rated = models.BooleanField(default=True)
    # Rounds close and are paired and published by themselves; otherwise the organiser does each step.
    is_automatic = models.BooleanField(default=True)
    # In automatic events the next round is drafted this long after the last one closed.
    pause_s = models.PositiveIntegerField(default=0)
    # The next round waits until so many people (not bots) take part.
    people_wanted = models.PositiveSmallIntegerField(default=0)
    # Bots' games of the event show at least this long for every ply.
    pace_ms = models.PositiveIntegerField(default=0)
    seed = models.BigIntegerField()
    next_step_at = models.DateTimeField(null=True, blank=True)
    # Why an automatic event cannot go on at the moment: the code of a refusal, or empty.
    hold_reason = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(rounds_total__gte=1, rounds_total__lte=MAX_ROUNDS),
                name="event_rounds_in_range",
            ),
            models.CheckConstraint(
                condition=Q(max_entries__gte=2, max_entries__lte=MAX_ENTRIES),
                name="event_entries_in_range",
            ),
            models.CheckConstraint(
                condition=Q(
                    name__length__gte=1, name__length__lte=80, description__length__lte=2000
                ),
                name="event_text_lengths",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["registration", "running", "finished", "cancelled"]),
                name="event_state_known",
            ),
            models.CheckConstraint(
                condition=Q(admits__in=["people", "bots", "both"])
                & Q(format__in=["dutch", "swiss"]),
                name="event_words_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["registration", "cancelled"]) | Q(started_at__isnull=False),
                name="event_started_when_running",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False)
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
                name="event_finished_when_finished",
            ),
        ]
        indexes = [
            models.Index(fields=["next_step_at"], condition=Q(state="running"), name="event_due"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.slug])


class EntryQuerySet(models.QuerySet["Entry"]):
    def active(self) -> EntryQuerySet:
        return self.filter(state=Entry.State.ACTIVE)


class Entry(models.Model):
    """A player in an event. Never deleted: who leaves is withdrawn."""

    class State(models.TextChoices):
        ACTIVE = "active", _("playing")
        WITHDRAWN = "withdrawn", _("withdrawn")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    # Tournament pairing number (C.04.2 2.3): by rating at the start; late entries get the next number.
    tpn = models.PositiveSmallIntegerField(null=True, blank=True)
    # Hundredths of an Elo point, as the entry stood when the event started.
    seed_centielo = models.IntegerField(null=True, blank=True)
    entered_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["tpn", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="entry_once"),
            models.UniqueConstraint(fields=["event", "tpn"], name="entry_tpn_once"),
            models.CheckConstraint(
                condition=Q(state="active", withdrawn_at__isnull=True)
                | Q(state="withdrawn", withdrawn_at__isnull=False),
                name="entry_withdrawn_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.event}"


class ByeRequest(models.Model):
    """An announced absence: half a point, or none."""

    class Kind(models.TextChoices):
        HALF = "half", _("half-point bye")
        ZERO = "zero", _("absence without points")

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="bye_requests")
    round_number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=4, choices=Kind.choices)
    requested_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="bye_request_once"),
            models.CheckConstraint(
                condition=Q(round_number__gte=1, round_number__lte=MAX_ROUNDS),
                name="bye_request_round_in_range",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["half", "zero"]), name="bye_request_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, round {self.round_number}: {self.kind}"


class Round(models.Model):
    """One round: drafted by the pairing system, seen by all once published, closed when every game has ended."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    # What the pairing system was given and answered, by which version: any round can be paired again (law 4).
    problem = models.JSONField()
    evidence = models.JSONField()
    engine = models.CharField(max_length=40)
    # All boards of a round share one set-up, so that nobody has the luckier ring.
    setup = models.CharField(max_length=300, blank=True)
    drafted_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once"),
            models.UniqueConstraint(
                fields=["event"], condition=~Q(state="closed"), name="round_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MAX_ROUNDS), name="round_number_in_range"
            ),
            models.CheckConstraint(
                condition=Q(state="draft", published_at__isnull=True, closed_at__isnull=True)
                | Q(state="published", published_at__isnull=False, closed_at__isnull=True)
                | Q(state="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_state_and_times",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}, round {self.number}"


class Pairing(models.Model):
    """Two entries at one board of a round. `first` has the first ply."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="pairings")
    board = models.PositiveSmallIntegerField()
    first = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    # The pair without its colours, so that the database can refuse a rematch.
    low = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    high = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    # False for a pairing that was not played: it may be repeated (C.04.2 3.5).
    is_met = models.BooleanField(default=True)

    class Meta:
        ordering = ["round", "board"]
        constraints = [
            models.UniqueConstraint(fields=["round", "board"], name="pairing_board_once"),
            models.UniqueConstraint(
                fields=["event", "low", "high"], condition=Q(is_met=True), name="pairing_no_rematch"
            ),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="pairing_low_below_high"),
            models.CheckConstraint(
                condition=Q(first=F("low"), second=F("high")) | Q(first=F("high"), second=F("low")),
                name="pairing_same_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, board {self.board}"


class Seat(models.Model):
    """Where an entry is in a round: at a board, on a bye, or absent. Exactly one a round."""

    class Kind(models.TextChoices):
        FIRST = "first", _("first")
        SECOND = "second", _("second")
        PAIRING_BYE = "pairing-bye", _("bye")
        HALF_BYE = "half-bye", _("half-point bye")
        ZERO_BYE = "zero-bye", _("absent")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="seat_once_a_round"),
            models.UniqueConstraint(fields=["pairing", "kind"], name="seat_once_a_side"),
            models.UniqueConstraint(
                fields=["entry"],
                condition=Q(kind="pairing-bye"),
                name="seat_pairing_bye_once_an_event",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["first", "second"], pairing__isnull=False)
                | Q(kind__in=["pairing-bye", "half-bye", "zero-bye"], pairing__isnull=True),
                name="seat_at_a_board_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, round {self.round.number}: {self.kind}"
