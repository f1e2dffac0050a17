"""Clubs and their members."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.players import Player

# As long as `Entry.club`, which names the club of an entry.
CLUB_NAME_LENGTH = 60
SHORT_NAME_LENGTH = 12
CLUB_INTRODUCTION_LENGTH = 600


class Club(models.Model):
    """A club. Entries and teams name clubs as texts: equal names, folded, mean the club."""

    name = models.CharField(max_length=CLUB_NAME_LENGTH)
    # As `canonical_name` folds the name, which stays.
    canonical = models.CharField(max_length=2 * CLUB_NAME_LENGTH, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    short_name = models.CharField(max_length=SHORT_NAME_LENGTH, blank=True)
    federation = models.CharField(max_length=3, blank=True)
    place = models.CharField(max_length=80, blank=True)
    address = models.CharField(max_length=200, blank=True)
    introduction = models.CharField(max_length=CLUB_INTRODUCTION_LENGTH, blank=True)
    # Set while the introduction is one that a moderator has hidden.
    hidden_at = models.DateTimeField(null=True, blank=True)
    founder = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="founded_clubs"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["canonical"]
        constraints = [
            models.CheckConstraint(condition=~Q(canonical=""), name="club_has_a_name"),
            models.CheckConstraint(
                condition=Q(federation="") | Q(federation__length=3), name="club_federation_code"
            ),
            models.CheckConstraint(
                condition=Q(address="")
                | Q(address__startswith="https://")
                | Q(address__startswith="http://"),
                name="club_address_of_the_web",
            ),
            models.CheckConstraint(
                condition=Q(hidden_at=None) | ~Q(introduction=""), name="club_hidden_introduction"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def visible_introduction(self) -> str:
        """Return the introduction, or an empty text if a moderator has hidden it."""
        return "" if self.hidden_at else self.introduction


class ClubRole(models.TextChoices):
    """The part of a player in a club. Officers admit members, and the owner appoints officers."""

    OWNER = "owner", _("owner")
    OFFICER = "officer", _("officer")
    MEMBER = "member", _("member")
    APPLICANT = "applicant", _("asks to join")


LEADERS = (ClubRole.OWNER.value, ClubRole.OFFICER.value)


class ClubMember(models.Model):
    """A player in a club, or one who asks to join it. The first club of a player is offered in forms."""

    Role = ClubRole

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="clubs")
    role = models.CharField(max_length=9, choices=ClubRole.choices, default=ClubRole.APPLICANT)
    asked_at = models.DateTimeField()
    joined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="club_member_once"),
            models.UniqueConstraint(
                fields=["club"], condition=Q(role="owner"), name="club_one_owner"
            ),
            models.CheckConstraint(
                condition=Q(role="applicant", joined_at=None)
                | Q(role__in=["owner", "officer", "member"], joined_at__isnull=False),
                name="club_member_has_joined",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.club} ({self.role})"

    @property
    def is_leader(self) -> bool:
        """Return whether the member admits others and changes the club."""
        return self.role in LEADERS
