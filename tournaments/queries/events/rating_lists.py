"""Players of the rating lists by the beginning of a name, or by an id."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from django.db import connection
from django.db.models import Q

from tournaments.models import RatedPlayer
from tournaments.queries.events.player_lists import ListedPlayer

MATCHES = 10
# Shorter texts begin too many names.
FEWEST_LETTERS = 3
_MOST_WORDS = 5
_LAST = "\U0010ffff"


def words_of(name: str) -> str:
    """Return the words of a name without accents, capitals and signs: `sa bruno` for `Sá, Bruno`."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c))
    return " ".join(plain.split())


def matches(text: str) -> Sequence[RatedPlayer]:
    """Return the first players whose name has words that begin with all words of the text.

    One of these words begins the name, as a surname does. Digits are a FIDE id or a national id.
    """
    words = words_of(text).split()[:_MOST_WORDS]
    if len("".join(words)) < FEWEST_LETTERS:
        return []
    rows = RatedPlayer.objects.select_related("list")
    if len(words) == 1 and words[0].isdigit():
        return list(rows.filter(Q(fide_id=words[0]) | Q(national_id=words[0]))[:MATCHES])
    beginning = Q()
    for word in words:
        beginning |= _begins_with(word)
        rows = rows.filter(Q(search__startswith=word) | Q(search__contains=f" {word}"))
    return list(rows.filter(beginning)[:MATCHES])


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
