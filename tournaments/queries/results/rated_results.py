"""The rating report of an event in which the arbiter has corrected results for this report alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments import trf
from tournaments.models import Entry, Event, Game, Pairing, RatedResult, Round, Seat
from tournaments.queries import formats
from tournaments.queries.results.round_seats import RoundSeat
from tournaments.trf.problems import Records


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game with its result for ratings, and the board at which it counts for the standings."""

    game: Game
    pairing: Pairing
    round_number: int
    result: str


def of_event(event: Event) -> list[RatedGame]:
    """Return the games whose result in the rating report is another one, in the order of rounds and boards."""
    rows = RatedResult.objects.of_event(event.pk).select_related(
        "game__pairing__first__player", "game__pairing__second__player"
    )
    numbers = dict(Round.objects.filter(event=event).values_list("pk", "number"))
    games = []
    for row in rows:
        pairing = row.game.pairing
        assert pairing is not None, "selected by it"
        games.append(RatedGame(row.game, pairing, numbers[pairing.round_id], row.result))
    return games


def with_rated_results(event: Event, report: trf.Report) -> trf.Report:
    """Return the report with the results for ratings, and records 299 that keep the points of the standings."""
    results = {player.id: list(player.results) for player in report.players}
    abnormal, records = list(report.abnormal), Records(report)
    for each in of_event(event):
        column = event.games_per_pairing * (each.round_number - 1) + each.game.number
        for entry, code in _codes(event, each):
            tpn = entry.tpn or 0
            before = results[tpn][column - 1]
            assert before is not None, "a round with a game has a result"
            worth = records.worth(tpn, column, before.code)
            is_short = each.result in Game.SHORT
            results[tpn][column - 1] = before._replace(code=code.short if is_short else code)
            if report.points.worth(code.kind) != worth:
                abnormal.append(trf.AbnormalPoints(code, worth, column, (tpn,)))
    players = tuple(each._replace(results=tuple(results[each.id])) for each in report.players)
    return report._replace(players=players, abnormal=tuple(abnormal))


def _codes(event: Event, rated: RatedGame) -> Iterator[tuple[Entry, trf.Code]]:
    """Yield both players with the letter of the result in the report."""
    sides = {"first_id": rated.game.first_id, "second_id": rated.game.second_id}
    game, pairing = Game(result=rated.result, **sides), rated.pairing
    for entry, kind in ((pairing.first, Seat.Kind.FIRST), (pairing.second, Seat.Kind.SECOND)):
        seat = RoundSeat(Seat(kind=kind, pairing=pairing), (game,), formats.points(event))
        yield entry, trf.Code.of(seat.kind)
