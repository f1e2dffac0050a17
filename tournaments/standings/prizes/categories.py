"""Categories of players: for prizes, and for parts of the standings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from tournaments.standings.errors import StandingsError

_LABELS = re.compile(r"[,;/\s]+")
# `U18` are players under 18, `S50` players from 50.
_AGE = re.compile(r"(?P<group>[US])(?P<years>[1-9][0-9]?)")
_SEXES = ("w", "m")


class BadFundError(StandingsError):
    """A fund that cannot be given out. `code` is the stable name of the error."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class Kind(StrEnum):
    """Criterion of membership in a category."""

    OVERALL = "overall"
    RATING = "rating"
    UNRATED = "unrated"
    PEOPLE = "people"
    BOTS = "bots"
    CLUB = "club"
    FEDERATION = "federation"
    LABEL = "label"  # what the organiser has written on the entry, such as B or Juniors
    AGE = "age"
    SEX = "sex"


WITH_TEXT = {Kind.CLUB, Kind.FEDERATION, Kind.LABEL, Kind.AGE, Kind.SEX}


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A player of the event, as far as categories depend on it.

    Attributes:
        rating: in rating points, or None for the unrated.
        sex: `m`, `w`, or empty.
        age: the age at the end of the year in which the event begins, in years; None without a
            birth date.
    """

    rating: int | None = None
    is_bot: bool = False
    club: str = ""
    federation: str = ""
    labels: str = ""
    sex: str = ""
    age: int | None = None


@dataclass(frozen=True, slots=True)
class Category:
    """A group of players who may win a prize, or have their own table.

    Attributes:
        kind: the criterion.
        rating_from: of `Kind.RATING`, the lowest rating that belongs to it, in rating points.
        rating_below: of `Kind.RATING`, the first rating above it.
        text: the club, the federation, the label, the sex (`w`, `m`) or the age group (`U18`,
            `S50`). Capitals and blanks at the ends are ignored.
    """

    kind: Kind = Kind.OVERALL
    rating_from: int | None = None
    rating_below: int | None = None
    text: str = ""

    def check(self) -> None:
        """Raise BadFundError `prize-category` for a category that cannot be."""
        has_band = self.rating_from is not None or self.rating_below is not None
        if has_band != (self.kind is Kind.RATING) or bool(self.text) != (self.kind in WITH_TEXT):
            raise BadFundError("prize-category", str(self))
        low, high = self.rating_from, self.rating_below
        if low is not None and high is not None and low >= high:
            raise BadFundError("prize-category", f"{low} to {high}")
        if self.kind is Kind.AGE and not _AGE.fullmatch(self.text.strip().upper()):
            raise BadFundError("prize-category", self.text)
        if self.kind is Kind.SEX and _plain(self.text) not in _SEXES:
            raise BadFundError("prize-category", self.text)

    def has(self, member: Member) -> bool:
        """Return whether the player belongs to the category."""
        match self.kind:
            case Kind.OVERALL:
                return True
            case Kind.RATING:
                return self._has_rating(member.rating)
            case Kind.UNRATED:
                return member.rating is None
            case Kind.PEOPLE | Kind.BOTS:
                return member.is_bot is (self.kind is Kind.BOTS)
            case Kind.CLUB:
                return self.is_text(member.club)
            case Kind.FEDERATION:
                return self.is_text(member.federation)
            case Kind.LABEL:
                return self.has_label(member.labels)
            case Kind.AGE:
                return self._has_age(member.age)
            case Kind.SEX:
                return self.is_text(member.sex)

    def _has_rating(self, rating: int | None) -> bool:
        low, high = self.rating_from, self.rating_below
        return rating is not None and (low or 0) <= rating and (high is None or rating < high)

    def _has_age(self, age: int | None) -> bool:
        """Return whether a player with this age at the end of the year belongs to the age group.

        A player under 18 has not reached the age of 18 before 1 January of the year of the event
        (regulations of the World Youth Championships, 2.1). A senior reaches the age during that
        year (regulations of the World Senior Championships). Both depend on the birth year alone.
        """
        match = _AGE.fullmatch(self.text.strip().upper())
        if age is None or match is None:
            return False
        years = int(match["years"])
        return age <= years if match["group"] == "U" else age >= years

    def has_label(self, labels: str) -> bool:
        """Return whether an entry with these labels has this one: the whole text, or one of its words."""
        return _plain(self.text) in {_plain(labels), *map(_plain, labels_in(labels))}

    def is_text(self, text: str) -> bool:
        """Return whether a club, a federation or a sex is the one of this category."""
        return _plain(self.text) == _plain(text)


def labels_in(text: str) -> list[str]:
    """Return the labels of an entry, which commas, semicolons, slashes or blanks separate."""
    return [label for label in _LABELS.split(text) if label]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
