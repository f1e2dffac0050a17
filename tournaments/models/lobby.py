"""Seeks for quick pairing, challenges, and invitations by a link."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.chat import Mute
from tournaments.models.games import Game, Side
from tournaments.models.players import Player
from tournaments.models.timing import Timed, clock_constraints


class SeekQuerySet(models.QuerySet["Seek"]):
    def waiting(self) -> SeekQuerySet:
        return self.filter(state=Seek.State.WAITING)

    def seen_since(self, moment: datetime) -> SeekQuerySet:
        return self.filter(seen_at__gte=moment)


class Seek(Timed):
    """A player waiting for quick pairing.

    A waiting row becomes a game, or ends when its player leaves or becomes silent.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        PAIRED = "paired"
        LEFT = "left"

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seeks")
    ruleset = models.CharField(max_length=120)
    is_rated = models.BooleanField(default=True)
    # The rating when the player began to wait, in hundredths of an Elo point.
    centielo = models.PositiveIntegerField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="seeks"
    )
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    objects = SeekQuerySet.as_manager()

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            *clock_constraints("seek"),
            models.UniqueConstraint(
                fields=["player"], condition=Q(state="waiting"), name="seek_waits_once"
            ),
            models.UniqueConstraint(fields=["game", "player"], name="seek_one_seat_a_game"),
            models.CheckConstraint(
                condition=Q(state="paired", game__isnull=False)
                | Q(state__in=["waiting", "left"], game__isnull=True),
                name="seek_paired_is_a_game",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} waits for {self.ruleset}"


class Invitation(Timed):
    """Two seats behind a link: two players join by it, and then the game begins."""

    class State(models.TextChoices):
        OPEN = "open"
        STARTED = "started"
        WITHDRAWN = "withdrawn"

    # A secret that cannot be guessed. It is enough to join.
    token = models.CharField(max_length=32, unique=True)
    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="invitations")
    # The player who has joined: the host, or the first of two others. Then the player's side, empty
    # to let the seed decide.
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="invitations_joined"
    )
    side = models.CharField(max_length=6, choices=Side.choices, blank=True)
    ruleset = models.CharField(max_length=120)
    is_rated = models.BooleanField(default=True)
    # The study from whose position the game begins. `side` then tells the side that moves first.
    study = models.ForeignKey(
        "Study", null=True, blank=True, on_delete=models.PROTECT, related_name="invitations"
    )
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    game = models.OneToOneField(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="invitation"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            *clock_constraints("invitation"),
            models.CheckConstraint(
                condition=Q(state="started", game__isnull=False, player__isnull=False)
                | Q(state__in=["open", "withdrawn"], game__isnull=True),
                name="invitation_started_is_a_game",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", "first", "second"]) & Q(token__length__gte=16),
                name="invitation_words_known",
            ),
            models.CheckConstraint(
                condition=Q(study__isnull=True) | Q(is_rated=False),
                name="invitation_from_a_position_is_casual",
            ),
            # A side is asked for by a host who plays.
            models.CheckConstraint(
                condition=Q(side="") | Q(player=F("host")), name="invitation_side_of_the_host"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.host} invites to {self.ruleset}"

    def get_absolute_url(self) -> str:
        return reverse("invitation", args=[self.token])


class ChallengeQuerySet(models.QuerySet["Challenge"]):
    def open(self) -> ChallengeQuerySet:
        return self.filter(state=Challenge.State.OPEN)

    def visible_to(self, player: Player | int | None) -> ChallengeQuerySet:
        """Return open challenges, and those to or from `player`, except by players they have muted.

        A player is given as an object or by its id.
        """
        if player is None:
            return self.filter(opponent=None)
        meant = self.filter(Q(opponent=None) | Q(opponent=player) | Q(challenger=player))
        return meant.exclude(challenger__in=Mute.objects.filter(player=player).values("muted"))


class Challenge(Timed):
    """An invitation to a game, open or to one player."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    challenger = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="challenges_sent")
    opponent = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="challenges_received"
    )
    ruleset = models.CharField(max_length=120)
    is_rated = models.BooleanField(default=True)
    # The side the challenger asks for. Empty lets the seed decide.
    side = models.CharField(max_length=6, choices=Side.choices, blank=True)
    # The challenger's sealed vote on the set-up, a word of the game's `Ballot`. It is hidden before
    # the game begins.
    vote = models.CharField(max_length=16, blank=True)
    # The game begins from the position of this study; `side` then says who moves first from there.
    study = models.ForeignKey(
        "Study", null=True, blank=True, on_delete=models.PROTECT, related_name="challenges"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    game = models.OneToOneField(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="challenge"
    )
    created_at = models.DateTimeField()

    objects = ChallengeQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(opponent__isnull=True) | ~Q(challenger=F("opponent")),
                name="challenge_not_oneself",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted", "declined", "withdrawn"])
                & Q(side__in=["", "first", "second"]),
                name="challenge_words_known",
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", game__isnull=False)
                | (~Q(state="accepted") & Q(game__isnull=True)),
                name="challenge_accepted_is_a_game",
            ),
            models.CheckConstraint(
                condition=Q(study__isnull=True) | Q(is_rated=False, vote=""),
                name="challenge_from_a_position_is_casual",
            ),
            *clock_constraints("challenge"),
        ]

    def __str__(self) -> str:
        return f"{self.challenger} challenges {self.opponent or 'anybody'}"
