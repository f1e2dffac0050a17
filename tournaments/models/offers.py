"""Offers between the sides of a game, and the answers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.games import Game, Side


class OfferQuerySet(models.QuerySet["Offer"]):
    def open(self) -> OfferQuerySet:
        return self.filter(answer__isnull=True)


class Offer(models.Model):
    """An offer of one side to the other.

    Rows are added, and answered once: a trigger refuses the rest.
    """

    class Kind(models.TextChoices):
        END = "end", _("end the game now")
        DRAW = "draw", _("a draw")
        TIME = "time", _("more time")
        REMATCH = "rematch", _("a rematch")
        TAKEBACK = "takeback", _("takeback")

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="offers")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    side = models.CharField(max_length=6, choices=Side.choices)
    # The state of the game at the offer.
    attempt = models.PositiveSmallIntegerField()
    ply = models.PositiveSmallIntegerField()
    # The time is given immediately, and needs no answer.
    given_ms = models.PositiveIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=9, choices=Answer.choices, null=True, blank=True)  # noqa: DJ001 - None is open
    # The game an accepted rematch is.
    next_game = models.OneToOneField(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="rematch_of"
    )
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = OfferQuerySet.as_manager()

    class Meta:
        ordering = ["game", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "attempt", "kind", "side", "ply"], name="offer_once_a_ply"
            ),
            models.UniqueConstraint(
                fields=["game"], condition=Q(answer__isnull=True), name="offer_open_once"
            ),
            models.UniqueConstraint(
                fields=["game"],
                condition=Q(next_game__isnull=False),
                name="offer_one_rematch_a_game",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["end", "draw", "time", "rematch", "takeback"])
                & Q(side__in=["first", "second"]),
                name="offer_words_known",
            ),
            models.CheckConstraint(
                condition=Q(answer__isnull=True, answered_at__isnull=True)
                | Q(
                    answer__in=["accepted", "declined", "withdrawn", "lapsed"],
                    answered_at__isnull=False,
                ),
                name="offer_answered_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(kind="time", given_ms__gte=1, answer="accepted")
                | (~Q(kind="time") & Q(given_ms__isnull=True)),
                name="offer_time_is_given_at_once",
            ),
            models.CheckConstraint(
                condition=Q(kind="rematch", answer="accepted", next_game__isnull=False)
                | (~Q(kind="rematch", answer="accepted") & Q(next_game__isnull=True))
                | Q(answer__isnull=True, next_game__isnull=True),
                name="offer_rematch_is_a_game",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.side} offers {self.kind}"
