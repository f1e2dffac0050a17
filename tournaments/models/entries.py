"""Participants of an event: entries, byes, players who must not meet."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments import round_kinds
from tournaments.models.events import MAX_ROUNDS, Event
from tournaments.models.players import Player

# The titles of FIDE in their order (C.04.2 2.2).
TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


# Limits of a rating that the staff sets, in hundredths of a point.
LOWEST_CENTIELO, HIGHEST_CENTIELO = 10_000, 400_000


@dataclass(frozen=True, slots=True)
class LaterRating:
    """A rating that holds from a round of the event on. `source` is its list, or empty."""

    from_round: int
    centielo: int
    source: str = ""


class EntryQuerySet(models.QuerySet["Entry"]):
    def active(self) -> EntryQuerySet:
        return self.filter(state=Entry.State.ACTIVE)

    def contestants(self) -> EntryQuerySet:
        """Return the entries that are paired: the teams of an event of teams, without their members."""
        return self.filter(team=None)

    def members(self) -> EntryQuerySet:
        """Return the members of the teams with a number, in the order of their numbers in report files."""
        rows = self.filter(team__tpn__isnull=False)
        return rows.order_by("team__tpn", "board_order", "pk")

    def guests(self) -> EntryQuerySet:
        """Return the entries of people and of authors' bots, without the site's own bots."""
        return self.exclude(player__kind=Player.Kind.BOT, player__bot__line__isnull=True)


class Entry(models.Model):
    """A player in an event, or in an event of teams a team, or a member of one.

    A player who leaves is withdrawn. The organiser may delete an entry of a list before the start.
    """

    class State(models.TextChoices):
        ACTIVE = "active", _("playing")
        REQUESTED = "requested", _("waits for approval")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class FeeState(models.TextChoices):
        OWED = "owed", _("not paid")
        PAID = "paid", _("paid")
        WAIVED = "waived", _("waived")

    class Sex(models.TextChoices):
        MALE = "m", _("male")
        FEMALE = "w", _("female")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    # Tournament pairing number (C.04.2 2.3): by rating at the start. Late entries of a Swiss get
    # theirs among the others, those of other formats the next one.
    tpn = models.PositiveSmallIntegerField(null=True, blank=True)
    # The rounds between which the entry can be paired. Late entries join later. A league continues
    # without players who have left.
    joined_round = models.PositiveSmallIntegerField(default=1)
    left_round = models.PositiveSmallIntegerField(null=True, blank=True)
    # The team of a member, and the member's place in its list: the first places play, the others are
    # reserves.
    team = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="members"
    )
    board_order = models.PositiveSmallIntegerField(null=True, blank=True)
    # The account that acts for a team.
    captain = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="teams",
    )
    # Hundredths of an Elo point, at the start of the event.
    seed_centielo = models.IntegerField(null=True, blank=True)
    # The rating that the organiser gives. It replaces the site's rating.
    listed_centielo = models.IntegerField(null=True, blank=True)
    # The rating list from which the staff took a rating, and that rating.
    source_list = models.CharField(max_length=60, blank=True)
    source_centielo = models.IntegerField(null=True, blank=True)
    # The rating that the lists had for the player at the start of the event, and its list.
    start_list = models.CharField(max_length=60, blank=True)
    start_centielo = models.IntegerField(null=True, blank=True)
    # The ratings of a long event: the fields of `LaterRating`, in the order of the rounds.
    later_ratings = models.JSONField(default=list, blank=True)
    # The pairing number that the organiser wants for the player, independent of the ratings.
    listed_seed = models.PositiveSmallIntegerField(null=True, blank=True)
    federation = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=60, blank=True)
    fide_id = models.CharField(max_length=11, blank=True)
    # For prizes, such as U18 or W.
    category = models.CharField(max_length=20, blank=True)
    title = models.CharField(max_length=3, blank=True)
    sex = models.CharField(max_length=1, choices=Sex.choices, blank=True)
    # ISO 8601, or the year alone. Only the staff sees it.
    birth = models.CharField(max_length=10, blank=True)
    # The values of the player's federation, beside the list's rating and FIDE's id.
    national_centielo = models.IntegerField(null=True, blank=True)
    national_id = models.CharField(max_length=20, blank=True)
    # The fee of the event. Only the staff sees it.
    fee_state = models.CharField(max_length=6, choices=FeeState.choices, default=FeeState.OWED)
    # False for an entry whose conditions, such as a free entry, exclude half-point byes.
    has_half_byes = models.BooleanField(default=True)
    entered_at = models.DateTimeField()
    checked_in_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    # Withdrawn by the organiser, who alone can let such a player return.
    is_expelled = models.BooleanField(default=False)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["tpn", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(fee_state__in=["owed", "paid", "waived"]), name="entry_fee_state_known"
            ),
            models.CheckConstraint(
                condition=Q(federation="") | Q(federation__length=3), name="entry_federation_code"
            ),
            models.CheckConstraint(
                condition=Q(is_expelled=False) | Q(state="withdrawn"), name="entry_expelled_is_out"
            ),
            models.CheckConstraint(condition=Q(sex__in=["", "m", "w"]), name="entry_sex_known"),
            models.CheckConstraint(
                condition=Q(birth="") | Q(birth__length__in=[4, 10]), name="entry_birth_length"
            ),
            models.UniqueConstraint(fields=["event", "player"], name="entry_once"),
            models.UniqueConstraint(fields=["event", "tpn"], name="entry_tpn_once"),
            models.CheckConstraint(
                condition=Q(team__isnull=True, board_order__isnull=True)
                | Q(team__isnull=False, board_order__isnull=False, captain=None, tpn=None),
                name="entry_member_has_a_place",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["active", "requested", "waiting"], withdrawn_at__isnull=True)
                | Q(state="withdrawn", withdrawn_at__isnull=False),
                name="entry_withdrawn_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.event}"

    @property
    def contestant(self) -> Entry:
        """The entry that is paired: the team of a member."""
        return self.team or self

    @property
    def rating_source(self) -> str:
        """The list of the present rating. Empty if the staff typed it, or changed it since."""
        return self.source_list if self.listed_centielo == self.source_centielo else ""

    @property
    def official_list(self) -> str:
        """The list of the official rating, which another rating in the event does not replace."""
        return self.source_list or self.start_list

    @property
    def official_centielo(self) -> int | None:
        """The rating that was taken from a list, or that the lists had at the start."""
        return self.source_centielo if self.source_list else self.start_centielo

    @property
    def ratings_by_round(self) -> list[LaterRating]:
        """The ratings that hold from a later round on, in the order of the rounds."""
        return [LaterRating(*each) for each in self.later_ratings]

    @property
    def title_rank(self) -> int:
        """The place of the title among those of FIDE, which follow a rating in the order of entries."""
        return TITLES.index(self.title) if self.title in TITLES else len(TITLES)

    @property
    def seed_elo(self) -> int | None:
        """The rating at the start in whole points. None for an unrated player, who is seeded as 0."""
        return round((self.seed_centielo or 0) / 100) or None


class ByeRequest(models.Model):
    """An announced absence: half a point, or zero. The arbiter may grant a full point, too."""

    class Kind(models.TextChoices):
        HALF = "half", _("half-point bye")
        ZERO = "zero", _("zero-point bye")
        FULL = "full", _("full-point bye")

        @property
        def round_kind(self) -> round_kinds.Kind:
            """The kind of the round for the player."""
            return round_kinds.Kind(f"{self.value}-bye")

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
                condition=Q(kind__in=["half", "zero", "full"]), name="bye_request_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, round {self.round_number}: {self.kind}"


class Prohibition(models.Model):
    """Entries of which no two may meet, always or in a range of rounds.

    Members of one club, sisters, or bots of one author, for example.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="prohibitions")
    entries = models.ManyToManyField(Entry, related_name="prohibitions")
    first_round = models.PositiveSmallIntegerField(default=1)
    # None: to the end of the event.
    last_round = models.PositiveSmallIntegerField(null=True, blank=True)
    note = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(first_round__gte=1)
                & (Q(last_round__isnull=True) | Q(last_round__gte=F("first_round"))),
                name="prohibition_rounds_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.note or self.pk}"
