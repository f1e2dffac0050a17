"""People who sign in, and players: the persons and bots that sit at boards."""

from __future__ import annotations

import unicodedata

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 40


def canonical_name(name: str) -> str:
    """`name` as two people would confuse it: NFKC, case folded, blanks joined.

    Unique among players, but for those whom organisers list.
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class ModestArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with the OWASP minimum of memory.

    A sign-in takes 29 ms and 19 MiB instead of 240 ms and 100 MiB.
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1


class User(AbstractUser):
    """An account. A user who plays also has a `Player`. Organisers and administrators need none.

    `is_staff` marks the staff of the site and opens Django's admin. Other powers are permissions.

    Attributes:
        has_permissions: whether it has permissions or groups. None for an account that was not read with its
            session.
    """

    has_permissions: bool | None = None

    class Meta(AbstractUser.Meta):
        permissions = [
            ("moderate", "Can judge reports about chat and players"),
            ("read_programs", "Can read the private programs and transcripts of authors"),
        ]


class PlayerQuerySet(models.QuerySet["Player"]):
    def people(self) -> PlayerQuerySet:
        return self.filter(kind=Player.Kind.PERSON)

    def named(self) -> PlayerQuerySet:
        """People with accounts and bots, who have pages and names of their own."""
        return self.exclude(kind__in=[Player.Kind.GUEST, Player.Kind.LISTED, Player.Kind.TEAM])

    def bots(self) -> PlayerQuerySet:
        return self.filter(kind__in=[Player.Kind.BOT, Player.Kind.REMOTE])

    def of_workers(self) -> PlayerQuerySet:
        """Bots that run here: workers play for them."""
        return self.filter(kind=Player.Kind.BOT)

    def sandboxed(self) -> PlayerQuerySet:
        """Bots of authors: their programs run in the sandbox only."""
        return self.filter(bot__program__isnull=False)

    def metered(self) -> PlayerQuerySet:
        """Bots whose work can be counted: WebAssembly modules, which alone play under fuel.

        A remote bot is one that has deposited its module.
        """
        has_deposit = models.Q(bot__remote__module__isnull=False)
        return self.filter(models.Q(bot__program__kind__in=["wasm", "source"]) | has_deposit)


class Player(models.Model):
    """A player at boards: a person with an account, a guest without one, or a bot. Or a team in one event.

    A remote bot runs at its author's and plays by the API. Boards, clocks and offers are for it as
    for a person.

    An organiser may list people without accounts for an event over the board. Two of them can have
    equal names.
    """

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        GUEST = "guest", _("guest")
        LISTED = "listed", _("without an account")
        BOT = "bot", _("bot")
        REMOTE = "remote", _("remote bot")
        TEAM = "team", _("team")

    kind = models.CharField(max_length=6, choices=Kind.choices)
    name = models.CharField(max_length=NAME_LENGTH)
    canonical = models.CharField(max_length=NAME_LENGTH * 2, editable=False)
    user = models.OneToOneField(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="player"
    )
    created_at = models.DateTimeField()

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["canonical"],
                condition=~Q(kind__in=["listed", "team"]),
                name="player_name_once",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["person", "guest", "listed", "bot", "remote", "team"]),
                name="player_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(kind="person") | Q(user__isnull=True), name="player_account_of_a_person"
            ),
            models.CheckConstraint(
                condition=Q(name__length__gte=1, name__length__lte=NAME_LENGTH),
                name="player_name_length",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])

    @property
    def is_bot(self) -> bool:
        """Return whether it is a program, wherever that runs."""
        return self.kind in {self.Kind.BOT, self.Kind.REMOTE}

    @property
    def is_boxed(self) -> bool:
        """Return whether it is a bot that runs here: a worker plays for it, and keeps its clock."""
        return self.kind == self.Kind.BOT

    @property
    def is_remote(self) -> bool:
        """Return whether it is a bot that plays by the API."""
        return self.kind == self.Kind.REMOTE

    @property
    def is_listed(self) -> bool:
        return self.kind == self.Kind.LISTED

    @property
    def is_team(self) -> bool:
        return self.kind == self.Kind.TEAM

    @property
    def is_guest(self) -> bool:
        return self.kind == self.Kind.GUEST


class Guest(models.Model):
    """The browser behind a player of the kind guest, while it may come back.

    Without this row the player is a neutral name in finished games.
    """

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="guest"
    )
    # A hash of the secret that two tabs of one browser share: their first games at one moment
    # belong to one guest.
    browser = models.CharField(max_length=64, unique=True)
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(browser__length=64), name="guest_browser_is_a_hash"),
        ]

    def __str__(self) -> str:
        return str(self.player)
