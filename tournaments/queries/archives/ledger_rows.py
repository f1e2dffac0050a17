"""The ledger rows of an archive, computed again: digests, sums, scores and the rating formulas."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import LedgerEntry
from tournaments.queries.archives.archive_data import Archive, ArchivedGame, ArchivedLedgerRow
from tournaments.queries.archives.differences import Difference
from tournaments.queries.ratings import ledger
from tournaments.ratings import elo, glicko2
from tournaments.ratings.errors import RatingsError
from tournaments.ratings.systems import GLICKO2_FORMULA, LIST_FORMULA, fide_list

_COLUMNS = (
    *("pool_id", "player_id", "game_id", "side", "seq", "kind", "revision", "reverses_id"),
    *("correction_id", "period", "before_centielo", "delta_centielo", "opponent_centielo"),
    *("k_factor", "expected_millionths", "score_halves", "formula", "inputs"),
)


def differences(archive: Archive) -> Iterator[Difference]:
    """Yield the differences of rows from their digests, from each other, from the games, and from the formulas."""
    games = {game.id: game for game in archive.games}
    last: dict[tuple[int, int], ArchivedLedgerRow] = {}
    for row in archive.ledger:
        place = f"ledger row {row.id} (player {row.tpn}, game {row.game_id})"
        yield from _chain(row, last.get((row.pool_id, row.player_id)), place)
        last[row.pool_id, row.player_id] = row
        if row.before_centielo + row.delta_centielo != row.after_centielo:
            right = row.before_centielo + row.delta_centielo
            yield Difference(f"{place}, rating after", str(right), str(row.after_centielo))
        if row.kind == LedgerEntry.Kind.REVERSAL:
            continue
        yield from _change(row, place)
        if row.is_standing:
            yield from _score(row, games.get(row.game_id), place)


def _chain(
    row: ArchivedLedgerRow, before: ArchivedLedgerRow | None, place: str
) -> Iterator[Difference]:
    entry = LedgerEntry(**{name: getattr(row, name) for name in _COLUMNS})
    digest = ledger.digest(entry, row.previous_digest)
    if digest != row.digest:
        yield Difference(f"{place}, digest", digest, row.digest)
    follows = before is not None and row.seq == before.seq + 1
    if follows and before is not None and row.previous_digest != before.digest:
        yield Difference(f"{place}, digest before", before.digest, row.previous_digest)


def _score(row: ArchivedLedgerRow, game: ArchivedGame | None, place: str) -> Iterator[Difference]:
    if game is None:
        yield Difference(place, "a game of the archive", "none")
        return
    player = game.first if row.side == "first" else game.second
    if player != row.tpn:
        yield Difference(f"{place}, player", str(player), str(row.tpn))
    first_halves = ledger.SCORES.get(game.result)  # type: ignore[call-overload]
    if first_halves is None:
        yield Difference(f"{place}, score", f"no row for {game.result}", str(row.score_halves))
        return
    halves = first_halves if row.side == "first" else 2 - first_halves
    if halves != row.score_halves:
        yield Difference(f"{place}, score", f"{halves} half points", str(row.score_halves))


def _change(row: ArchivedLedgerRow, place: str) -> Iterator[Difference]:
    try:
        computed = _recomputed(row)
    except (RatingsError, KeyError, TypeError, ValueError, ArithmeticError) as error:
        yield Difference(f"{place}, change", "one that its inputs give", repr(error)[:200])
        return
    archived = row.delta_centielo, row.expected_millionths
    if computed != archived:
        yield Difference(
            f"{place}, change and expected score",
            f"{computed[0]}, {computed[1]}",
            f"{archived[0]}, {archived[1]}",
        )


def _recomputed(row: ArchivedLedgerRow) -> tuple[int, int]:
    """The change in hundredths of a point and the expected score in millionths, by the row's formula."""
    if row.formula == LIST_FORMULA:
        return fide_list.recomputed(
            rules=str(row.inputs["rules"]),
            own_elo=int(row.inputs["own"]),
            opponent_elo=row.opponent_centielo // 100,
            score_halves=row.score_halves,
            k=row.k_factor,
        )
    if row.formula == GLICKO2_FORMULA:
        return _by_glicko2(row)
    edition = elo.edition_named(row.formula)
    change = edition.change(
        rating_centielo=row.before_centielo,
        opponent_centielo=row.opponent_centielo,
        score_halves=row.score_halves,
        k=row.k_factor,
    )
    return change.delta_centielo, change.expected_millionths


def _by_glicko2(row: ArchivedLedgerRow) -> tuple[int, int]:
    own = glicko2.Standing(
        row.before_centielo, int(row.inputs["deviation"]), int(row.inputs["volatility"])
    )
    # The opponent's volatility has no effect on the player's own change.
    opponent = glicko2.Standing(
        row.opponent_centielo, int(row.inputs["opponent_deviation"]), own.volatility_billionths
    )
    result = glicko2.rate_game(
        own,
        opponent,
        score_halves=row.score_halves,
        first_idle_s=0,
        second_idle_s=0,
        advantage_centielo=int(row.inputs["advantage"]),
    )
    return result.first.delta_centielo, result.first.expected_millionths
