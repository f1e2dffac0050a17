"""The prizes of an event or a festival, and their winners."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.audit import AuditEntry
from tournaments.models.entries import Entry
from tournaments.models.events import Event
from tournaments.models.festivals import Festival

MAX_PRIZES = 100
MAX_AMOUNT = 10**12  # minor units
MAX_WORDS = 100
MAX_TEXT = 60
# A fund, and a list of awards, belong to an event or to a festival.
_ONE_OWNER = Q(event__isnull=False, festival=None) | Q(event=None, festival__isnull=False)


class CategoryKind(models.TextChoices):
    """The kind of a category, as in `standings.prizes.Kind`."""

    OVERALL = "overall", _("overall")
    RATING = "rating", _("by rating")
    UNRATED = "unrated", _("without a rating")
    PEOPLE = "people", _("people")
    BOTS = "bots", _("bots")
    CLUB = "club", _("of a club")
    FEDERATION = "federation", _("of a federation")
    LABEL = "label", _("of a category of the entries")
    AGE = "age", _("of an age group")
    SEX = "sex", _("of a sex")


class PrizeFund(models.Model):
    """The rules for the prizes of an event or a festival, as `standings.prizes` explains them."""

    class Sharing(models.TextChoices):
        NONE = "none", _("by the order of the standings")
        EQUAL = "equal", _("equal points share equally")
        HORT = "hort", _("half by the order, half shared (Hort)")

    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, null=True, related_name="prize_fund"
    )
    festival = models.OneToOneField(
        Festival, on_delete=models.PROTECT, null=True, related_name="prize_fund"
    )
    # ISO 4217. Sums are in its minor units.
    currency = models.CharField(max_length=3, default="EUR")
    sharing = models.CharField(max_length=5, choices=Sharing.choices, default=Sharing.NONE)
    # Sums are multiples of this number of minor units.
    rounding = models.PositiveIntegerField(default=1)
    is_cumulative = models.BooleanField(default=False)
    least_points_halves = models.PositiveSmallIntegerField(default=0)
    least_games = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_ONE_OWNER, name="prize_fund_of_one"),
            models.CheckConstraint(
                condition=Q(sharing__in=["none", "equal", "hort"]), name="prize_sharing_known"
            ),
            models.CheckConstraint(
                condition=Q(rounding__gte=1, currency__length=3), name="prize_money_counts"
            ),
        ]

    def __str__(self) -> str:
        return f"prizes of {self.event or self.festival}"


class Prize(models.Model):
    """One prize. Its place is its number among those of its category, by position."""

    fund = models.ForeignKey(PrizeFund, on_delete=models.PROTECT, related_name="prizes")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=CategoryKind.choices)
    rating_from = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_below = models.PositiveSmallIntegerField(null=True, blank=True)
    # The club, the federation, the category of the entries, the age group (`U18`, `S50`) or the sex.
    text = models.CharField(max_length=MAX_TEXT, blank=True)
    amount = models.PositiveBigIntegerField(default=0)
    # A prize that is not money.
    words = models.CharField(max_length=MAX_WORDS, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["fund", "position"], name="prize_position_once"),
            models.CheckConstraint(
                condition=~Q(amount=0, words="") & Q(amount__lte=MAX_AMOUNT),
                name="prize_is_something",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["overall", "unrated", "people", "bots"],
                    text="",
                    rating_from__isnull=True,
                    rating_below__isnull=True,
                )
                | (
                    Q(kind="rating", text="")
                    & (Q(rating_from__isnull=False) | Q(rating_below__isnull=False))
                )
                | (
                    Q(
                        kind__in=["club", "federation", "label", "age", "sex"],
                        rating_from__isnull=True,
                        rating_below__isnull=True,
                    )
                    & ~Q(text="")
                ),
                name="prize_category_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.fund}, {self.position}"


class AwardList(models.Model):
    """The awards as the organiser has confirmed them, one list at a time. A later list replaces it."""

    event = models.ForeignKey(
        Event, on_delete=models.PROTECT, null=True, related_name="award_lists"
    )
    festival = models.ForeignKey(
        Festival, on_delete=models.PROTECT, null=True, related_name="award_lists"
    )
    # The entry of the log that confirms it.
    log_entry = models.OneToOneField(AuditEntry, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3)
    made_at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=_ONE_OWNER, name="award_list_of_one"),
            models.UniqueConstraint(
                fields=["event"], condition=Q(taken_back_at__isnull=True), name="award_list_once"
            ),
            models.UniqueConstraint(
                fields=["festival"],
                condition=Q(taken_back_at__isnull=True),
                name="award_list_once_festival",
            ),
        ]

    def __str__(self) -> str:
        return f"awards of {self.event or self.festival}, {self.made_at}"


class Award(models.Model):
    """The award of one player in one category, and its computation. Rows are only added."""

    list = models.ForeignKey(AwardList, on_delete=models.PROTECT, related_name="awards")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="awards")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=CategoryKind.choices)
    rating_from = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_below = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.CharField(max_length=MAX_TEXT, blank=True)
    place = models.PositiveSmallIntegerField()
    amount = models.PositiveBigIntegerField()
    words = models.CharField(max_length=MAX_WORDS, blank=True)

    class Meta:
        ordering = ["list", "position"]
        constraints = [
            models.UniqueConstraint(fields=["list", "position"], name="award_position_once"),
            models.CheckConstraint(
                condition=~Q(amount=0, words="") & Q(place__gte=1), name="award_is_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.amount} {self.words}".strip()
