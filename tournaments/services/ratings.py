"""Ratings change in one place: a finished, rated game adds one ledger entry a side."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

from django.utils import timezone

import games
from tournaments.models import Game, LedgerEntry, Pool, Rating
from tournaments.ratings import FORMULA, INITIAL_CENTIELO, change, k_factor

if TYPE_CHECKING:
    from tournaments.models import Player

_SCORES = {Game.Result.FIRST: (2, 0), Game.Result.DRAW: (1, 1), Game.Result.SECOND: (0, 2)}


def pool_of(ruleset_key: str) -> Pool:
    """The pool of games played by this rule set: one a game, edition and board size. Made when it is the first."""
    ruleset = games.load(ruleset_key)
    parts = [ruleset.family]
    if "edition" in ruleset.options:
        parts.append(ruleset.options["edition"])
    if "size" in ruleset.options:
        parts.append(f"{ruleset.size}x{ruleset.size}")
    pool, _ = Pool.objects.get_or_create(
        key="-".join(parts), defaults={"family": ruleset.family, "name": _pool_name(ruleset)}
    )
    return pool


def _pool_name(ruleset: games.Ruleset) -> str:
    if ruleset.family == "perfect":
        return "The Perfect Game?"
    edition = " (original)" if ruleset.options.get("edition") == "original" else ""
    return f"{ruleset.family.capitalize()} {ruleset.size}×{ruleset.size}{edition}"


def rate(game: Game) -> None:
    """Enter a finished rated game in the ledger, both sides, in the caller's transaction.

    The database refuses a second entry for a game and side, so a game is rated at most once (law 2).
    """
    if not game.is_rated or game.result not in _SCORES:
        return
    pool = pool_of(game.ruleset)
    ratings = _locked_ratings(pool, game.first, game.second)
    first, second = ratings[game.first_id], ratings[game.second_id]
    scores = _SCORES[Game.Result(game.result)]
    before = (first.centielo, second.centielo)
    _enter(game, first, side="first", opponent_centielo=before[1], score_halves=scores[0])
    _enter(game, second, side="second", opponent_centielo=before[0], score_halves=scores[1])


def _locked_ratings(pool: Pool, *players: Player) -> dict[int, Rating]:
    # By ascending id: two first games of the same two may end at once, with the seats exchanged.
    for player in sorted(players, key=lambda p: p.pk):
        Rating.objects.get_or_create(
            pool=pool,
            player=player,
            defaults={"centielo": INITIAL_CENTIELO, "peak_centielo": INITIAL_CENTIELO},
        )
    rows = Rating.objects.select_for_update().filter(pool=pool, player__in=players)
    return {row.player_id: row for row in rows.order_by("player_id")}


def _enter(
    game: Game, rating: Rating, *, side: str, opponent_centielo: int, score_halves: int
) -> None:
    before = rating.centielo
    changed = change(
        rating_centielo=before,
        opponent_centielo=opponent_centielo,
        score_halves=score_halves,
        k=k_factor(games=rating.games, peak_centielo=rating.peak_centielo),
    )
    last = rating.player.ledger.filter(pool=rating.pool_id).order_by("seq").last()
    entry = LedgerEntry(
        pool_id=rating.pool_id,
        player_id=rating.player_id,
        game=game,
        side=side,
        seq=(last.seq if last else 0) + 1,
        before_centielo=before,
        delta_centielo=changed.delta_centielo,
        after_centielo=before + changed.delta_centielo,
        opponent_centielo=opponent_centielo,
        k_factor=changed.k_factor,
        expected_millionths=changed.expected_millionths,
        score_halves=score_halves,
        formula=FORMULA,
        entered_at=timezone.now(),
    )
    entry.digest = digest(entry, last.digest if last else "")
    entry.save()
    rating.centielo = entry.after_centielo
    rating.peak_centielo = max(rating.peak_centielo, rating.centielo)
    rating.games += 1
    rating.wins += score_halves == 2
    rating.draws += score_halves == 1
    rating.save()


def digest(entry: LedgerEntry, previous: str) -> str:
    """The hash that chains `entry` to the player's previous one in the pool: sha256 in hexadecimal."""
    facts = (
        previous,
        entry.pool_id,
        entry.player_id,
        entry.game_id,
        entry.side,
        entry.seq,
        entry.before_centielo,
        entry.delta_centielo,
        entry.opponent_centielo,
        entry.k_factor,
        entry.expected_millionths,
        entry.score_halves,
        entry.formula,
    )
    return hashlib.sha256("|".join(map(str, facts)).encode()).hexdigest()


def deviation_centielo(games: int) -> int:
    """The standard error of a rating from so many games, in hundredths of a point.

    One game between equals tells p(1-p) = 1/4 about the difference in units of 400/ln 10 points: after n games its
    standard error is 2 x 400/ln 10 / sqrt(n).
    """
    return round(200 * 400 / math.log(10) / math.sqrt(max(1, games)))


def centielo_of(player: Player, pool: Pool) -> int:
    """The player's rating in hundredths of an Elo point, the initial one where there is none."""
    rating = Rating.objects.filter(player=player, pool=pool).first()
    return rating.centielo if rating else INITIAL_CENTIELO
