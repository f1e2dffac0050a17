"""A rating as pages show it: with half of its 95 % interval, or a question mark while it is a guess."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments import database_time
from tournaments.models import Challenge, Game, LedgerEntry, Rating
from tournaments.queries.ratings import certainty, seat_ratings
from tournaments.queries.ratings.certainty import Certainty
from tournaments.queries.ratings.distribution import Place
from tournaments.queries.ratings.leaderboard import Published
from tournaments.queries.ratings.seat_ratings import SeatRating
from tournaments.templatetags.rayuela import elo
from tournaments.text.challenges import challenge_text

register = template.Library()

# Most ratings are established after this number of games.
_SETTLED_GAMES = 10
# A guess is said in round figures.
_ROUND_ELO = 50
_SPARK_WIDTH, _SPARK_HEIGHT = 120, 24


@register.filter
def rating(row: Rating) -> str:
    """Return a player's rating: `1512 ±90`, `1659?`, or `1659` in systems without a deviation."""
    return rating_text(row.centielo, certainty.of_rating(row, database_time.now()))


@register.filter
def rating_before(entry: LedgerEntry) -> str:
    """Return the player's rating before a game: `1500?`."""
    mark = "?" if certainty.before(entry).is_provisional else ""
    return f"{elo(entry.before_centielo)}{mark}"


@register.filter
def rating_after(entry: LedgerEntry) -> str:
    """The rating that a game left behind: `1512 ±90`, `1659?`."""
    return rating_text(entry.after_centielo, certainty.after(entry))


@register.filter
def first_steps(entry: LedgerEntry) -> str:
    """Return the provisional rating after a game, in words without the change.

    Return an empty text for an established rating.
    """
    if not is_guess(entry):
        return ""
    earlier = LedgerEntry.objects.standing().filter(player=entry.player_id, pool=entry.pool_id)
    games = earlier.filter(seq__lte=entry.seq).count()
    words = {"rating": _ROUND_ELO * round(elo(entry.after_centielo) / _ROUND_ELO), "games": games}
    if games < _SETTLED_GAMES:
        words["of"] = _SETTLED_GAMES
        return _("provisional: about %(rating)s, after %(games)s of about %(of)s games") % words
    return _("provisional: about %(rating)s, after %(games)s games") % words


@register.simple_tag
def sparkline(course_centielo: Sequence[int]) -> SafeString:
    """Return a small line of ratings after games, or an empty text for fewer than two."""
    if len(course_centielo) < 2:
        return SafeString()
    low, high = min(course_centielo), max(course_centielo)
    step = _SPARK_WIDTH / (len(course_centielo) - 1)
    points = " ".join(
        f"{n * step:.1f},{_SPARK_HEIGHT * (1 - (value - low) / max(1, high - low)):.1f}"
        for n, value in enumerate(course_centielo)
    )
    return format_html(
        '<svg class="sparkline" viewBox="-2 -2 {} {}" aria-hidden="true"><polyline points="{}"/></svg>',
        _SPARK_WIDTH + 4,
        _SPARK_HEIGHT + 4,
        points,
    )


@register.simple_tag
def ratings_of_games(games: Iterable[Game]) -> Mapping[int, tuple[str, str]]:
    """Return the ratings beside the names of the first and the second player of each game, by its number."""
    rows = list(games)
    ratings = seat_ratings.of_games(rows, database_time.now())
    return {game.pk: _beside_both(ratings, game) for game in rows}


@register.simple_tag
def ratings_of_game(game: Game, entries: Sequence[LedgerEntry] | None = None) -> tuple[str, str]:
    """Return the ratings beside the names of the first and the second player of a game.

    `entries` are those of the game that count, if the page has read them.
    """
    ratings = seat_ratings.of_games([game], database_time.now(), entries)
    return _beside_both(ratings, game)


def _beside_both(ratings: Mapping[tuple[int, int], SeatRating], game: Game) -> tuple[str, str]:
    return _beside(ratings, game.pk, game.first_id), _beside(ratings, game.pk, game.second_id)


def _beside(ratings: Mapping[tuple[int, int], SeatRating], game_id: int, player_id: int) -> str:
    row = ratings.get((game_id, player_id))
    return "" if row is None else marked_rating(row)


@register.simple_tag
def ratings_of_challenges(challenges: Iterable[Challenge]) -> Mapping[int, str]:
    """Return the rating beside the name of the challenger of each challenge, by its number."""
    ratings = seat_ratings.of_challenges(list(challenges), database_time.now())
    return {pk: marked_rating(row) for pk, row in ratings.items()}


@register.filter
def challenge_sentence(challenge: Challenge) -> str:
    """A challenge in words, with the rating of the challenger: `Ana (1512) challenges you: ...`."""
    name = challenge.challenger.name
    row = seat_ratings.of_challenges([challenge], database_time.now()).get(challenge.pk)
    return challenge_text(challenge, name if row is None else f"{name} ({marked_rating(row)})")


@register.filter
def marked_rating(row: Published | Place | SeatRating) -> str:
    """A published rating in whole points, with a question mark while it is a guess: `1659?`."""
    return f"{elo(row.centielo)}{'?' if row.is_provisional else ''}"


@register.filter
def is_guess(entry: LedgerEntry) -> bool:
    """Return whether the rating after a row of the ledger is provisional."""
    return certainty.after(entry).is_provisional


def rating_text(centielo: int, known: Certainty) -> str:
    """Return a rating in whole points with its certainty.

    A guess has a mark, because its error says little.
    """
    if known.is_provisional:
        return f"{elo(centielo)}?"
    error = "" if known.error_centielo is None else f" ±{elo(known.error_centielo)}"
    return f"{elo(centielo)}{error}"
