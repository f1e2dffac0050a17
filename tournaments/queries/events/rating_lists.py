"""The rating lists in the order of an event, and their players by the beginning of a name, or by an id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q

from tournaments.models import Event, RatedPlayer, RatingList
from tournaments.queries.events.player_lists import ListedPlayer

MATCHES = 10
# Shorter texts begin too many names.
FEWEST_LETTERS = 3
_MOST_WORDS = 5
_LAST = "\U0010ffff"
# A player without a rapid or blitz rating has the standard one there (FIDE Rapid and Blitz 7.2.1).
_USUAL_KINDS = {
    RatingList.Kind.STANDARD: (RatingList.Kind.STANDARD,),
    RatingList.Kind.RAPID: (RatingList.Kind.RAPID, RatingList.Kind.STANDARD),
    RatingList.Kind.BLITZ: (RatingList.Kind.BLITZ, RatingList.Kind.STANDARD),
}
# The total time of 60 moves in minutes: a second for each move is a minute.
_BLITZ_UPTO, _RAPID_BELOW = 10, 60
_NUMBER = r"(?<!\d)(\d{1,3}) {0,2}"
_HOURS = re.compile(_NUMBER + r"(?:h|時間)", re.IGNORECASE)
_MINUTES = re.compile(_NUMBER + r"(?:min|m\b|['′’](?!['′’])|分)", re.IGNORECASE)  # noqa: RUF001 - as people write them
_SECONDS = re.compile(_NUMBER + r"(?:s|[\"″”]|''|’’|秒)", re.IGNORECASE)  # noqa: RUF001 - as people write them
_PLAIN = re.compile(r"(?<!\d)(\d{1,3})(?!\d)(?: {0,2}\+ {0,2}(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Match:
    """A player of the first list with a rating, or the first one with the player, and the same player in other lists."""

    player: RatedPlayer
    others: Sequence[RatedPlayer] = ()


def kind_of_time(text: str) -> RatingList.Kind:
    """Return the kind of a time at the board in words, by its total for 60 moves: standard if it names none.

    `25 + 10` means minutes and seconds a move.
    """
    hours, minutes = (sum(map(int, form.findall(text))) for form in (_HOURS, _MINUTES))
    total = 60 * hours + minutes
    if total:
        total += sum(map(int, _SECONDS.findall(text)))
    elif (plain := _PLAIN.search(text)) is not None:
        total = sum(int(number or 0) for number in plain.groups())
    if not total or total >= _RAPID_BELOW:
        return RatingList.Kind.STANDARD
    return RatingList.Kind.BLITZ if total <= _BLITZ_UPTO else RatingList.Kind.RAPID


@dataclass(frozen=True, slots=True)
class ListOrder:
    """The lists whose ratings count in an event, in their order, and the others by name."""

    lists: Sequence[RatingList]
    others: Sequence[RatingList]

    @property
    def every(self) -> Sequence[RatingList]:
        """All lists of the service."""
        return [*self.lists, *self.others]


def order_of(event: Event) -> ListOrder:
    """Return the lists in the order that the organiser chose, or in the usual one by the time at the board."""
    lists = list(RatingList.objects.all())
    names = [name.strip().casefold() for name in event.rating_lists.split(";") if name.strip()]
    kinds: Sequence[str] = _USUAL_KINDS[kind_of_time(event.board_time)]

    def place(each: RatingList) -> int:
        order, key = (names, each.name.casefold()) if names else (kinds, each.kind)
        return order.index(key) if key in order else len(order)

    last = len(names or kinds)
    counting = [each for each in lists if place(each) < last]
    return ListOrder(sorted(counting, key=place), [each for each in lists if place(each) == last])


def words_of(name: str) -> str:
    """Return the words of a name without accents, capitals and signs: `sa bruno` for `Sá, Bruno`."""
    # Some signs become capitals first, such as a mathematical A.
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    plain = "".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c))
    return " ".join(plain.split())


def matches(text: str, order: ListOrder) -> list[Match]:
    """Return the first players of the lists whose name has words that begin with all words of the text.

    One of these words begins the name, as a surname does. Digits are a FIDE id or a national id.
    The rating is that of the first list of the order with one. A player whom these lists have without
    a rating is unrated.
    """
    persons: dict[object, list[RatedPlayer]] = {}
    for row in _matching(text, MATCHES * len(order.every)):
        persons.setdefault(_person(row), []).append(row)
    places = {each.pk: place for place, each in enumerate(order.every)}
    counting = {each.pk for each in order.lists}
    answer = []
    for rows in list(persons.values())[:MATCHES]:
        rows.sort(
            key=lambda row: (
                row.list_id not in counting,
                row.rating_elo is None,
                places.get(row.list_id, len(places)),
            )
        )
        answer.append(Match(rows[0], rows[1:]))
    return answer


def _person(row: RatedPlayer) -> object:
    """Return the key of the person: the FIDE id, or else the national id of the federation."""
    if row.fide_id:
        return row.fide_id.lstrip("0")
    return (row.federation, row.national_id) if row.national_id else row.pk


def _matching(text: str, most: int) -> list[RatedPlayer]:
    words = words_of(text).split()[:_MOST_WORDS]
    if len("".join(words)) < FEWEST_LETTERS:
        return []
    rows = RatedPlayer.objects.filter(list__is_current=True).select_related("list")
    if len(words) == 1 and words[0].isdigit():
        return list(rows.filter(Q(fide_id=words[0]) | Q(national_id=words[0]))[:most])
    beginning = Q()
    for word in words:
        beginning |= _begins_with(word)
        rows = rows.filter(Q(search__startswith=word) | Q(search__contains=f" {word}"))
    return list(rows.filter(beginning)[:most])


def _begins_with(word: str) -> Q:
    """Return the filter of the names that begin with a word, which the index of each database answers.

    SQLite does not use it for LIKE, and PostgreSQL orders texts by a language.
    """
    if connection.vendor == "sqlite":
        return Q(search__gte=word, search__lt=word + _LAST)
    return Q(search__startswith=word)


def listed(player: RatedPlayer) -> ListedPlayer:
    """Return the player with the columns of an entry."""
    return ListedPlayer(
        name=player.name,
        rating_elo=player.rating_elo,
        federation=player.federation,
        club=player.club,
        fide_id=player.fide_id,
        title=player.title,
        sex=player.sex,
        birth=player.birth_year,
        national_elo=player.national_elo,
        national_id=player.national_id,
    )
