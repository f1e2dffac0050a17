"""Bots, and the matches of bots that workers play."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.players import Player, User
from tournaments.models.programs import BotLine, Program

MAX_LOSSES = 3
MAX_LOG = 100_000


class BotQuerySet(models.QuerySet["Bot"]):
    def of_authors(self) -> BotQuerySet:
        """Versions that authors uploaded."""
        return self.filter(line__isnull=False)

    def testable_by(self, user: User) -> BotQuerySet:
        """The bots that the user may test by an SPRT: the user's own versions and built-in bots.

        Retired versions are among them.

        The user's own come first, the newest version of each bot at its head.
        """
        mine = Q(
            line__owner=user,
            program__isnull=False,
            state__in=[Bot.State.READY, Bot.State.RETIRED],
        )
        built_in = Q(line__isnull=True, is_active=True)
        return (
            self.filter(mine | built_in)
            .select_related("player")
            .order_by(F("line").asc(nulls_last=True), "-version", "player__canonical")
        )

    def playing(self, ruleset_key: str) -> BotQuerySet:
        """Active bots that play games of this rule set, as `Bot.plays` says it of one."""
        family = ruleset_key.partition("(")[0]
        # No name of a game is part of another's.
        plays = Q(families=[]) | Q(families__icontains=f'"{family}"')
        return self.filter(plays, is_active=True)

    def unchecked(self, now: datetime) -> BotQuerySet:
        """Uploads that wait for their check, or whose checker has been silent past its lease."""
        is_free = Q(check_lease_until__isnull=True) | Q(check_lease_until__lt=now)
        return self.filter(is_free, state=Bot.State.CHECKING)


class Bot(models.Model):
    """The program of a bot player: built in, one version of an author's bot, or remote.

    The program of a version never changes. The program of a remote bot is its author's affair, and
    is not stored here.
    """

    class State(models.TextChoices):
        CHECKING = "checking", _("being checked")
        REFUSED = "refused", _("refused")
        READY = "ready", _("ready")
        RETIRED = "retired", _("retired")
        SUSPENDED = "suspended", _("suspended")
        ANNULLED = "annulled", _("annulled")

    # One number for a bot and its player, so that programs and addresses cannot mix two numberings.
    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.PROTECT, related_name="bot"
    )
    # A built-in engine with its options, as `engine.players` names it, such as `search:200`. Empty
    # for an author's upload.
    engine = models.CharField(max_length=60, blank=True)
    line = models.ForeignKey(
        BotLine, null=True, blank=True, on_delete=models.PROTECT, related_name="versions"
    )
    version = models.PositiveIntegerField(null=True, blank=True)
    program = models.ForeignKey(
        Program, null=True, blank=True, on_delete=models.PROTECT, related_name="bots"
    )
    state = models.CharField(max_length=9, choices=State.choices, default=State.READY)
    # The reason for the refusal, suspension or annulment: the name of the reason, its particulars
    # for places such as `%(name)s`, and the output of the check.
    state_code = models.CharField(max_length=30, blank=True)
    state_reason = models.CharField(max_length=300, blank=True)
    state_parts = models.JSONField(default=dict, blank=True)
    check_log = models.TextField(blank=True, max_length=MAX_LOG)
    # The options that the program declared in its check, each as its line after the word `option`.
    options = models.JSONField(default=list, blank=True)
    check_lease_until = models.DateTimeField(null=True, blank=True)
    check_attempts = models.PositiveSmallIntegerField(default=0)
    # The time of a worker that its checks have used, in milliseconds, and the end of the last one.
    # Bots that used much lately come after others.
    check_ms = models.PositiveIntegerField(default=0)
    checked_at = models.DateTimeField(null=True, blank=True)
    # True if the version becomes the active one as soon as it is ready, and takes the places of the
    # previous version in ladders.
    takes_over = models.BooleanField(default=False)
    passes_on = models.BooleanField(default=False)
    # Games that ended before do not count against it: it has passed another check since.
    faults_counted_from = models.DateTimeField(null=True, blank=True)
    # Given by the form, so that a repeated request is one version.
    upload_key = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - unique where given
    # The families of the games it plays. Empty means every game.
    families = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(null=True, blank=True)
    description = models.CharField(max_length=300, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="bots",
    )
    # True if the version plays now. At most one version of a line does. Others can be made active
    # again.
    is_active = models.BooleanField(default=True)

    objects = BotQuerySet.as_manager()

    class Meta:
        ordering = ["player__name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(program__isnull=True, line__isnull=True, version__isnull=True)
                & ~Q(engine="")
                | Q(program__isnull=False, line__isnull=False, version__gte=1, engine="")
                | Q(program__isnull=True, line__isnull=False, version=1, engine=""),
                name="bot_is_ours_or_a_version",
            ),
            models.CheckConstraint(
                condition=Q(is_active=False) | Q(state="ready"), name="bot_active_when_ready"
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["checking", "refused", "ready", "retired", "suspended", "annulled"]
                ),
                name="bot_state_known",
            ),
            models.UniqueConstraint(fields=["line", "version"], name="bot_version_once"),
            models.UniqueConstraint(
                fields=["line"], condition=Q(is_active=True), name="bot_one_active_a_line"
            ),
            models.UniqueConstraint(fields=["owner", "upload_key"], name="bot_uploaded_once"),
            models.CheckConstraint(
                condition=Q(takes_over=False) | Q(state__in=["checking", "ready"]),
                name="bot_takes_over_when_ready",
            ),
        ]

    def __str__(self) -> str:
        return self.player.name

    @property
    def is_remote(self) -> bool:
        """Return whether it runs at its author's."""
        return self.line_id is not None and self.program_id is None

    def plays(self, ruleset_key: str) -> bool:
        """Return whether it plays games of this rule set, as far as its author says."""
        return not self.families or ruleset_key.partition("(")[0] in self.families


class MatchQuerySet(models.QuerySet["Match"]):
    def due(self, now: datetime) -> MatchQuerySet:
        """Matches that wait for a worker, or whose worker has been silent past its lease."""
        waits = Q(state=Match.State.QUEUED, due_at__lte=now)
        lost = Q(state=Match.State.LEASED, lease_until__lt=now)
        return self.filter(waits | lost)

    def to_repeat(self) -> MatchQuerySet:
        """Exhibitions that are over and begin again when a visitor watches."""
        return self.filter(state=Match.State.DONE, repeats_left__gt=0)

    def exhibited(self) -> MatchQuerySet:
        """Matches that are being shown at a pace for people."""
        return self.filter(state=Match.State.LEASED, pace_ms__gt=0)


class Match(models.Model):
    """A match of two bots: one game, or a pair with the sides exchanged.

    It is the unit of work that a worker claims by lease.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        LEASED = "leased", _("being played")
        DONE = "done", _("played")
        FAILED = "failed", _("given up")

    state = models.CharField(max_length=6, choices=State.choices, default=State.QUEUED)
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    # The time of the last message to a worker, so that a busy queue is not filled with repetitions.
    woken_at = models.DateTimeField(null=True, blank=True)
    # The last claim by a worker, and its end. The time between is the price of the match.
    began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # True if another account waited when a worker was called. Otherwise the time is free.
    is_charged = models.BooleanField(default=False)
    # The number of claims. With the id it is the token that every report must carry.
    attempt = models.PositiveSmallIntegerField(default=0)
    # The number of workers that were lost or failed. A match that kills its workers is given up.
    losses = models.PositiveSmallIntegerField(default=0)
    # The number of postponements because the machine was too busy for its bots. They are no losses.
    waits = models.PositiveSmallIntegerField(default=0)
    # Programs that are not ours play in a sandbox, on workers that have one.
    is_sandboxed = models.BooleanField(default=False)
    # The organiser of its event, or the author of one of its bots: always an author in ladders. Workers
    # are shared by these accounts, and then by their events.
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    event = models.ForeignKey(
        "tournaments.Event", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The longest time in seconds by the clock on the wall, if the bots need not wait for a
    # processor.
    longest_s = models.PositiveIntegerField()
    pace_ms = models.PositiveIntegerField(default=0)
    # The number of further exhibition games, with sides exchanged, while a visitor watches.
    repeats_left = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(
                condition=Q(losses__lte=MAX_LOSSES) & Q(losses__lte=F("attempt")),
                name="match_losses_bounded",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "leased", "done", "failed"]),
                name="match_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="leased", lease_until__isnull=False)
                | (~Q(state="leased") & Q(lease_until__isnull=True)),
                name="match_leased_until",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(began_at__lte=F("ended_at")),
                name="match_begins_before_it_ends",
            ),
        ]
        indexes = [
            models.Index(
                F("due_at"), condition=Q(state__in=["queued", "leased"]), name="match_due"
            ),
            models.Index(
                F("id"), condition=Q(state="done", repeats_left__gt=0), name="match_to_repeat"
            ),
            models.Index(F("ended_at"), condition=Q(ended_at__isnull=False), name="match_ended"),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def waits_for_processor(self) -> bool:
        """Return whether it was put off, and is tried again at `due_at`."""
        return self.state == self.State.QUEUED and self.waits > 0
