"""Events over the board, and what their organisers do from the list of players to the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import games
from tests.tournaments import shared_rows
from tests.tournaments.conftest import event_of as any_event_of
from tournaments.models import Event, Game, Round, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle, publication

TEAMS = ("Rayo", "Luna", "Mar", "Nube", "Piedra")


def event_of(organiser: User, **changes: object) -> Event:
    """Return a new event over the board: Swiss, five rounds. Change settings by keyword."""
    plan = {
        "is_over_the_board": True,
        "clock": Clock.read("unlimited"),
        "admits": Event.Admits.PEOPLE,
        "is_rated": False,
        "is_automatic": False,
        "rounds_total": 5,
    }
    return any_event_of(organiser, **{**plan, **changes})


def team_event_of(organiser: User, **changes: object) -> Event:
    """Return a new event of the five `TEAMS` of three players each, for two boards and three rounds."""
    event = event_of(organiser, **{"format": "team", "boards": 2, "rounds_total": 3, **changes})
    players = [
        ListedPlayer(f"{name} {n}", 2000 - 100 * n - 10 * place, club=name)
        for place, name in enumerate(TEAMS)
        for n in (1, 2, 3)
    ]
    listed_players.enter_all(event_id=event.pk, actor=organiser, players=players)
    return event


def enter_listed(event: Event, *names: str) -> None:
    """Enter players without accounts by their names, the first with the highest rating."""
    players = [ListedPlayer(name, 2000 - 10 * n) for n, name in enumerate(names)]
    listed_players.enter_all(event_id=event.pk, actor=event.organiser, players=players)


def next_round(event: Event) -> Round:
    """Draft and publish the next round, and start the event before the first."""
    event.refresh_from_db()
    actor = event.organiser
    if event.state == Event.State.REGISTRATION:
        lifecycle.start_event(event_id=event.pk, actor=actor)
    lifecycle.draft_next(event_id=event.pk, actor=actor)
    return publication.publish_round(event_id=event.pk, actor=actor)


def type_results(event: Event, entered: Mapping[int, str] | None = None, *, rest: str = "") -> None:
    """Type the results of boards by their numbers, and of all others by `rest`, if given."""
    round_ = results.open_round(event)
    assert round_ is not None
    for pairing in round_.pairings.order_by("board"):
        result = (entered or {}).get(pairing.board, rest)
        results.enter_result(
            event_id=event.pk,
            actor=event.organiser,
            round_number=round_.number,
            board=pairing.board,
            result=result,
        )


def type_games(event: Event, entered: Mapping[int, tuple[str, str]] | None = None) -> None:
    """Type both results of mini-matches by their boards. Both games of all others are draws."""
    round_ = results.open_round(event)
    assert round_ is not None
    for board in round_.pairings.values_list("board", flat=True):
        both = (entered or {}).get(board, ("draw", "draw"))
        for game, result in enumerate(both, start=1):
            results.enter_result(
                event_id=event.pk,
                actor=event.organiser,
                round_number=round_.number,
                board=board,
                game=game,
                result=result,
            )


def close(event: Event) -> Round:
    """Close the open round."""
    round_ = results.open_round(event)
    assert round_ is not None
    return results.close_round(event_id=event.pk, actor=event.organiser, round_number=round_.number)


def play(event: Event, rounds: int = 1) -> None:
    """Pair and close rounds in which the first player of each board wins."""
    for _ in range(rounds):
        next_round(event)
        type_results(event, rest="first")
        close(event)
    event.refresh_from_db()


def finished(game: Game, winner: games.Outcome) -> list[str]:
    """Return moves of the game that the rules end with that outcome."""
    for skip in range(40):
        position = games.load(game.ruleset).start(game.setup)
        moves: list[str] = []
        while position.outcome() is None:
            legal = position.legal_moves()
            moves.append(legal[(skip * (1 + len(moves) % 5)) % len(legal)])
            position = position.play(moves[-1])
        if position.outcome() == winner:
            return moves
    raise AssertionError("no such line among forty")


def rows(make: Callable[[User], Event]) -> Any:
    """A fixture `rows_of_file`: the event that `make` returns for Ana."""
    return shared_rows.of_bots((), lambda ana, _bots: make(ana))
