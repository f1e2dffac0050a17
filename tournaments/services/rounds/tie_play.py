"""The games of a tie of a knock-out, one after the other: on line, and as lines for results over the board."""

from __future__ import annotations

from collections import defaultdict

from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Game, Pairing, Round, TieGame
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
    if event.is_over_the_board:
        return
    while games := _due(event, round_):
        extra = {game.pairing_id for game, is_extra in games if is_extra and game.pairing_id}
        last_games = [game for game, _ in games]
        save_pairings.begin_following_games(event, last_games, extra=extra)
        if extra:
            audit.note("replay", event=event, round=round_.number, ties=len(extra))
        news.announce(news.of_event(event.pk), "replay", {"round": round_.number})


def _due(event: Event, round_: Round) -> list[tuple[Game, bool]]:
    """Return the last game of each tie that has another game, and whether that is an extra game."""
    games = Game.objects.filter(pairing__round=round_, pairing__tie_games__isnull=False)
    of_ties: dict[int | None, list[Game]] = defaultdict(list)
    for game in (
        games.order_by("number")
        .with_players()
        .select_related("pairing__first__player", "pairing__second__player")
    ):
        of_ties[game.pairing_id].append(game)
    return [(own[-1], _is_extra(own)) for own in of_ties.values() if _has_another_game(event, own)]


def _is_extra(games: list[Game]) -> bool:
    """Return whether the game after these is an extra game."""
    tie = games[0].pairing
    assert tie is not None, "a tie is a pairing"
    return len(_without_void(games)) >= (tie.tie_games or 1)


def _has_another_game(event: Event, games: list[Game]) -> bool:
    """Return whether a tie with these games, in their order, is open.

    A game that was void by a fault of the site is replaced without a limit: no player advances
    without having played.
    """
    last, tie = games[-1], games[-1].pairing
    assert tie is not None, "a tie is a pairing"
    if last.result is None:
        return False
    if _is_our_fault(last):
        return all(entry.state == Entry.State.ACTIVE for entry in (tie.first, tie.second))
    counted = _without_void(games)
    if tie_games.deciding(tie, counted) is not None:
        return False
    if last.result == Game.Result.VOID:
        others = [game for game in games if game.result == Game.Result.VOID]
        return sum(not _is_our_fault(game) for game in others) < _MOST_VOID
    is_extra = _is_extra(games)
    if is_extra and last.result == Game.Result.DOUBLE_FORFEIT:
        return False
    return len(counted) < (tie.tie_games or 1) + event.extra_games


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
    if last is None:
        is_over = len(played) >= tie.tie_games and played[-1].result == Game.Result.DOUBLE_FORFEIT
        following = len(played) if is_over else len(played) + 1
        typed = max((n for n, each in enumerate(results, start=1) if each), default=1)
        last = max(min(following, tie.tie_games + event.extra_games), typed)
    if any(results[last:]):
        raise RefusedError("tie-later-results", f"{tie.board}.{last}")
    rows.filter(number__gt=last).delete()
    TieGame.objects.bulk_create(
        TieGame(pairing=tie, number=number) for number in range(len(results) + 1, last + 1)
    )
