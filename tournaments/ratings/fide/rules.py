"""The editions of the FIDE Rating Regulations (B.02) as named rule sets.

A changed article is a new edition.

Article numbers are those of the standard chapter. The rapid and blitz chapter has equal numbers,
with 8 as its 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from tournaments.ratings.errors import InputError, RuleSetError


class TimeClass(StrEnum):
    """Speed of a game. Rapid and blitz have their own lists and share a chapter."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


class Cap(StrEnum):
    """For whom a difference above 400 points counts as 400 (8.3.1)."""

    ONE_UPGRADE = "one upgrade an event"
    EVERYBODY = "everybody"
    BELOW_2650 = "players below 2650"


class FirstRule(StrEnum):
    """Method of finding a first rating (8.2)."""

    TWENTY_A_HALF_POINT = "20 points for each half point above 50 %"
    TWO_DRAWS = "two more draws against 1800"


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The development coefficients K of an edition, and their players (8.3.3).

    Attributes:
        new, new_games: K of a player with fewer than `new_games` games.
        junior_age, junior_below_elo: K is `new` to the end of the year of this birthday, below this
            rating.
        normal: K of all others below `master_elo`.
        master, master_elo: K of a player who has once reached this rating.
        max_k_games: K times the games of a period is at most this.
    """

    new: int = 40
    normal: int = 20
    master: int = 10
    new_games: int = 30
    junior_age: int = 18
    junior_below_elo: int = 2300
    master_elo: int = 2400
    max_k_games: int = 700


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The differences between editions. The functions contain the rules that never changed.

    Attributes:
        version: stored with every figure that is computed by it.
        since: the first day of a rating period it rules.
        cap: the 400-point rule.
        first: the rule for first ratings.
        floor_elo: below it a player is unrated (7.1.4, 7.2.1).
        highest_first_elo: a first rating above it is lowered to it (8.2.3). None: it is not.
        unrated_gap_elo: from this difference on a game is not rated if a player is above 2600.
            None: all games are.
        coefficients: the K of its players (8.3.3).
        starts_from_standard: whether an unrated player's standard rating is taken instead of a
            first rating.
    """

    version: str
    since: date
    cap: Cap
    first: FirstRule
    floor_elo: int
    highest_first_elo: int | None
    unrated_gap_elo: int | None = None
    coefficients: Coefficients = Coefficients()
    starts_from_standard: bool = False


# Editions of the two chapters, the oldest first.
STANDARD: tuple[RuleSet, ...] = (
    RuleSet(
        "fide-standard-2022",
        date(2022, 1, 1),
        Cap.ONE_UPGRADE,
        FirstRule.TWENTY_A_HALF_POINT,
        floor_elo=1000,
        highest_first_elo=None,
    ),
    RuleSet(
        "fide-standard-2024",
        date(2024, 3, 1),
        Cap.EVERYBODY,
        FirstRule.TWO_DRAWS,
        floor_elo=1400,
        highest_first_elo=2200,
    ),
    RuleSet(
        "fide-standard-2025",
        date(2025, 10, 1),
        Cap.BELOW_2650,
        FirstRule.TWO_DRAWS,
        floor_elo=1400,
        highest_first_elo=2200,
    ),
)
RAPID_AND_BLITZ: tuple[RuleSet, ...] = (
    RuleSet(
        "fide-rapid-blitz-2024",
        date(2024, 3, 1),
        Cap.EVERYBODY,
        FirstRule.TWO_DRAWS,
        floor_elo=1400,
        highest_first_elo=2200,
        starts_from_standard=True,
    ),
    RuleSet(
        "fide-rapid-blitz-2024-12",
        date(2024, 12, 1),
        Cap.EVERYBODY,
        FirstRule.TWO_DRAWS,
        floor_elo=1400,
        highest_first_elo=2200,
        unrated_gap_elo=600,
        starts_from_standard=True,
    ),
)


def rule_set(*, day: date, time_class: TimeClass = TimeClass.STANDARD) -> RuleSet:
    """Return the rule set in force on `day`, the first day of the rating period.

    Raises:
        RuleSetError: `day` is before the first edition known here (standard 2022, rapid and blitz
            March 2024).
    """
    editions = STANDARD if time_class is TimeClass.STANDARD else RAPID_AND_BLITZ
    in_force = [rules for rules in editions if rules.since <= day]
    if not in_force:
        raise RuleSetError(
            f"no {time_class} regulations for {day}: known since {editions[0].since}"
        )
    return in_force[-1]


def rule_set_named(version: str) -> RuleSet:
    """Return the rule set stored as `version`. Raises RuleSetError if the version is unknown."""
    by_version = {rules.version: rules for rules in (*STANDARD, *RAPID_AND_BLITZ)}
    if version not in by_version:
        raise RuleSetError(f"no rule set {version[:60]!r}; known: {', '.join(by_version)}")
    return by_version[version]


def all_k_factors() -> tuple[int, ...]:
    """Return every K that an edition gives to a player, ascending."""
    each = (rules.coefficients for rules in (*STANDARD, *RAPID_AND_BLITZ))
    return tuple(sorted({k for c in each for k in (c.new, c.normal, c.master)}))


def k_factor(
    rules: RuleSet,
    *,
    highest_published_elo: int | None,
    games: int,
    birth_year: int | None,
    list_year: int,
) -> int:
    """Return the development coefficient K of a player by an edition (8.3.3).

    Args:
        rules: the edition in force when the period began.
        highest_published_elo: the highest rating on any list so far, or None before the first.
        games: rated games completed so far.
        birth_year: None if it is unknown: then the player counts as an adult.
        list_year: the year of the list that the period ends with.

    Raises:
        InputError: a negative number of games.
    """
    if games < 0:
        raise InputError(f"{games} games")
    ks = rules.coefficients
    highest = highest_published_elo or 0
    if highest >= ks.master_elo:  # once reached it remains, even if the rating drops
        return ks.master
    is_junior = birth_year is not None and list_year - birth_year <= ks.junior_age
    if is_junior and highest < ks.junior_below_elo:
        return ks.new
    return ks.new if games < ks.new_games else ks.normal


def limited_k(rules: RuleSet, k: int, *, games: int) -> int:
    """K for a period of `games` games (8.3.3).

    It is the largest whole number up to `k` whose product with the games stays within the edition's
    bound.
    """
    bound = rules.coefficients.max_k_games
    return k if k * games <= bound else bound // games
