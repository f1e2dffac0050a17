"""The games of a tie of a knock-out, one after the other: on line, and as lines for results over the board."""

from __future__ import annotations

from collections import defaultdict

from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Game, Pairing, Round, TieGame
from tournaments.pairing.tie_games import TieGameKind, TieRules
from tournaments.queries import formats
from tournaments.queries.results import tie_games
from tournaments.services import audit
from tournaments.services.notifications import news
from tournaments.services.rounds import save_pairings

# A tie is over after this number of games that were not counted.
_MOST_VOID = 2


def begin_following_games(event: Event, round_: Round) -> None:
    """Begin the next game of each tie on line whose games are over and that is not decided.

    A game that a player who forfeited has forfeited as well ends immediately, and the next one follows.
    In the caller's transaction, `event` locked.
    """
    if event.is_over_the_board or not formats.of(event).has_draw:
        return
    while games := _due(event, round_):
        kinds = {game.pairing_id: kind for game, kind in games if game.pairing_id}
        last_games = [game for game, _ in games]
        save_pairings.begin_following_games(event, last_games, kinds=kinds)
        if extra := [kind for kind in kinds.values() if kind is not TieGameKind.REGULAR]:
            audit.note("replay", event=event, round=round_.number, ties=len(extra))
        news.announce(news.of_event(event.pk), "replay", {"round": round_.number})


def _due(event: Event, round_: Round) -> list[tuple[Game, TieGameKind]]:
    """Return the last game of each tie that has another game, and the kind of that game."""
    games = Game.objects.filter(pairing__round=round_, pairing__tie_games__isnull=False)
    of_ties: dict[int | None, list[Game]] = defaultdict(list)
    for game in (
        games.order_by("number")
        .with_players()
        .select_related("pairing__first__player", "pairing__second__player")
    ):
        of_ties[game.pairing_id].append(game)
    following = [(own[-1], _kind_of_next(event, own)) for own in of_ties.values()]
    return [(game, kind) for game, kind in following if kind is not None]


def _rules(event: Event, tie: Pairing) -> TieRules:
    return TieRules(
        games=tie.tie_games or 1,
        extra_games=event.extra_games,
        in_pairs=tie.has_extra_pairs,
        has_armageddon=event.armageddon_percent is not None,
    )


def _kind_of_next(event: Event, games: list[Game]) -> TieGameKind | None:
    """Return the kind of the next game of a tie with these games, in their order; None if it is over.

    A game that was void by a fault of the site is replaced without a limit: no player advances
    without having played.
    """
    last, tie = games[-1], games[-1].pairing
    assert tie is not None, "a tie is a pairing"
    if last.result is None:
        return None
    counted = _without_void(games)
    kind = _rules(event, tie).kind_of(len(counted) + 1)
    if _is_our_fault(last):
        are_here = all(entry.state == Entry.State.ACTIVE for entry in (tie.first, tie.second))
        return (kind or TieGameKind.EXTRA) if are_here else None
    if tie_games.deciding(tie, counted) is not None:
        return None
    if last.result == Game.Result.VOID:
        others = [game for game in games if game.result == Game.Result.VOID]
        is_replaced = sum(not _is_our_fault(game) for game in others) < _MOST_VOID
        return (kind or TieGameKind.EXTRA) if is_replaced else None
    is_forfeited = last.result == Game.Result.DOUBLE_FORFEIT
    return None if is_forfeited and kind is not TieGameKind.REGULAR else kind


def _without_void(games: list[Game]) -> list[Game]:
    return [game for game in games if game.result != Game.Result.VOID]


def _is_our_fault(game: Game) -> bool:
    return game.result == Game.Result.VOID and game.ending == Game.Ending.FAULT


def adjust_lines(event: Event, tie: Pairing) -> None:
    """Add the line of the next game of a tie over the board, and delete lines after its end.

    In the caller's transaction, `event` locked.

    Raises RefusedError `tie-later-results` if a game after the end has a result.
    """
    assert tie.tie_games is not None, "other pairings have as many lines as the event says"
    rows = tie.later_games.order_by("number")
    results = [tie.entered_result, *rows.values_list("entered_result", flat=True)]
    first_open = next((n for n, each in enumerate(results, start=1) if not each), None)
    played = tie_games.typed(event, tie)[: first_open - 1 if first_open else None]
    last = tie_games.deciding(tie, played)
    kind = None
    if last is None:
        kind = _rules(event, tie).kind_of(len(played) + 1)
        is_forfeited = bool(played) and played[-1].result == Game.Result.DOUBLE_FORFEIT
        if is_forfeited and kind is not TieGameKind.REGULAR:
            kind = None
        typed = max((n for n, each in enumerate(results, start=1) if each), default=1)
        last = max(len(played) + (kind is not None), typed)
    if any(results[last:]):
        raise RefusedError("tie-later-results", f"{tie.board}.{last}")
    rows.filter(number__gt=last).delete()
    if last > len(results):
        is_armageddon = kind is TieGameKind.ARMAGEDDON
        percent = event.armageddon_percent if is_armageddon else None
        TieGame.objects.create(pairing=tie, number=last, armageddon_percent=percent)
