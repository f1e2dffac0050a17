"""Saving a pairing system's answer as rows, and starting the games of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from django.db.models import Max

import games
from engine.programs import fuel_game
from tournaments import database_time
from tournaments.models import (
    ByeRequest,
    Entry,
    Event,
    FuelCheck,
    Game,
    Pairing,
    Player,
    Round,
    Seat,
)
from tournaments.pairing import PairingProblem, RoundKind, Solution
from tournaments.pairing.knockout import TIES
from tournaments.pairing.tie_games import TieGameKind
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.results.pairing_input import RoundInput
from tournaments.services.games import game_creation, game_end, presence
from tournaments.services.matches import matches

_BATCH = 500
_ALL_REGULAR: Mapping[int, TieGameKind] = MappingProxyType({})


def save(round_: Round, round_input: RoundInput, solution: Solution) -> None:
    """Save the pairings and seats of the round."""
    by_tpn = {entry.tpn or 0: entry for entry in round_input.playing}
    seats = _boards(round_, round_input.problem, solution, by_tpn)
    if solution.bye is not None:
        seats.append(Seat(round=round_, entry=by_tpn[solution.bye], kind=Seat.Kind.PAIRING_BYE))
    absent_tpns = [idle.opponent for idle in solution.idle if idle.opponent]
    absent = {e.tpn: e for e in Entry.objects.filter(event=round_.event_id, tpn__in=absent_tpns)}
    seats += [
        Seat(
            round=round_,
            entry=by_tpn[idle.tpn],
            kind=Seat.Kind(idle.kind.value),
            absent=absent.get(idle.opponent),
        )
        for idle in solution.idle
        if idle.kind is not RoundKind.WAITS
    ]
    seats += [
        Seat(round=round_, entry_id=entry_id, kind=Seat.Kind(ByeRequest.Kind(kind).round_kind))
        for entry_id, kind in round_input.byes.items()
    ]
    Seat.objects.bulk_create(seats, batch_size=_BATCH)


def _boards(
    round_: Round, problem: PairingProblem, solution: Solution, by_tpn: Mapping[int, Entry]
) -> list[Seat]:
    meetings = _earlier_meetings(round_, problem, by_tpn)
    event = round_.event
    ties = {each.first for each in solution.evidence if each.meeting in TIES}
    pairings = []
    for number, board in enumerate(solution.boards, start=1):
        first, second = by_tpn[board.first], by_tpn[board.second]
        low, high = sorted((first, second), key=lambda e: e.pk)
        pairings.append(
            Pairing(
                event_id=round_.event_id,
                round=round_,
                board=number,
                first=first,
                second=second,
                low=low,
                high=high,
                encounter=meetings[low.pk, high.pk] + 1,
                **(_columns_of_tie(event) if board.first in ties else {}),
            )
        )
    rows = Pairing.objects.bulk_create(pairings, batch_size=_BATCH)
    return [
        Seat(round=round_, entry=entry, kind=kind, pairing=pairing)
        for pairing in rows
        for entry, kind in (
            (pairing.first, Seat.Kind.FIRST),
            (pairing.second, Seat.Kind.SECOND),
        )
    ]


def _columns_of_tie(event: Event) -> dict[str, Any]:
    if event.is_of_teams:
        return {}
    return {"tie_games": event.tie_games, "has_extra_pairs": event.has_extra_pairs}


def _earlier_meetings(
    round_: Round, problem: PairingProblem, by_tpn: Mapping[int, Entry]
) -> Counter[tuple[int, int]]:
    """Return the number of meetings of any two entries, by their ids, the lower first."""
    if problem.is_continuous:  # which remembers the latest games only
        boards = Pairing.objects.filter(event=round_.event_id).order_by().values_list("low", "high")
        return Counter({(low, high): n for low, high, n in boards.annotate(Max("encounter"))})
    meetings: Counter[tuple[int, int]] = Counter()
    for contestant in problem.contestants:
        own = by_tpn[contestant.tpn].pk
        for record in contestant.records:
            other = by_tpn.get(record.opponent or 0)
            # From the lower one's records, so that a meeting is counted once.
            if record.kind.is_played and other is not None and own < other.pk:
                meetings[own, other.pk] += 1
    return meetings


def start_games(event: Event, round_: Round, pairings: Sequence[Pairing]) -> list[Game]:
    """Begin the games of the pairings: bots' games are sent to the workers, people's clocks run.

    Over the board no game begins here.
    """
    if event.is_over_the_board:
        return []
    start = game_creation.start_position(event.ruleset, round_.setup)
    if event.is_of_teams:
        of_boards = [
            _new_game(
                event, start, pairing, first=first.player, second=second.player, number=number
            )
            for pairing in pairings
            for number, first, second, *_ in pairing.lines(event)
            if first is not None and second is not None
        ]
        return _begin(event, of_boards)
    new_games = [
        _new_game(
            event,
            start,
            pairing,
            first=pairing.first.player,
            second=pairing.second.player,
            number=1,
        )
        for pairing in pairings
    ]
    return _begin(event, new_games)


def replay(event: Event, game: Game, *, after: int) -> Game:
    """Begin another game for the pairing of `game`, with its sides and set-up, after the game with number `after`."""
    assert game.pairing is not None, "a game of an event has a pairing"
    start = game_creation.start_position(event.ruleset, game.setup)
    # In mini-matches odd numbers are the first game, even ones the second.
    number = after + event.games_per_pairing
    again = _new_game(
        event,
        start,
        game.pairing,
        first=game.first,
        second=game.second,
        number=number,
        clock=game_clocks.clock_of(game),
        armageddon_percent=game.armageddon_percent,
    )
    return _begin(event, [again])[0]


def play_again(
    event: Event, last_games: Iterable[Game], *, kinds: Mapping[int, TieGameKind] = _ALL_REGULAR
) -> list[Game]:
    """Begin the game after each of these, with the sides exchanged.

    A void game is replaced, with its sides. `kinds` are those of the next games of ties, by pairing:
    extra games and the armageddon game can have another clock.
    """
    new_games = []
    for game in last_games:
        assert game.pairing is not None, "only pairings of rounds are played again"
        start = game_creation.start_position(event.ruleset, game.setup)
        first, second = game.second, game.first
        if game.result == Game.Result.VOID:
            first, second = second, first
        kind = kinds.get(game.pairing.pk, TieGameKind.REGULAR)
        is_armageddon = kind is TieGameKind.ARMAGEDDON
        number = game.number + 1
        new_games.append(
            _new_game(
                event,
                start,
                game.pairing,
                first=first,
                second=second,
                number=number,
                clock=None if kind is TieGameKind.REGULAR else clock_of_extra_games(event),
                armageddon_percent=event.armageddon_percent if is_armageddon else None,
            )
        )
    return _begin(event, new_games)


def clock_of_extra_games(event: Event) -> Clock:
    """Return the clock of the extra games of level ties."""
    return Clock.read(event.extra_clock) if event.extra_clock else game_clocks.clock_of(event)


def begin_following_games(
    event: Event, last_games: Sequence[Game], *, kinds: Mapping[int, TieGameKind] = _ALL_REGULAR
) -> None:
    """Begin the games after these of mini-matches and ties, with the sides exchanged.

    A player who has forfeited a game has forfeited the next, which ends immediately. The players are
    notified.
    """
    rows = play_again(event, last_games, kinds=kinds)
    forfeited = {
        game.pairing_id: game
        for game in last_games
        if game.result in Game.EXCHANGED and not (game.first.is_boxed and game.second.is_boxed)
    }
    game_creation.tell_players(row for row in rows if row.pairing_id not in forfeited)
    for row in rows:
        last = forfeited.get(row.pairing_id)
        if last is not None:
            assert last.result, "it is over"
            assert last.ending, "it is over"
            result = Game.EXCHANGED[Game.Result(last.result)]
            game_end.finish_game(row, result=result, ending=last.ending)


def _new_game(
    event: Event,
    start: games.Position,
    pairing: Pairing,
    *,
    first: Player,
    second: Player,
    number: int,
    clock: Clock | None = None,
    armageddon_percent: int | None = None,
) -> Game:
    # The pool of a game depends on the event, which each pairing would read.
    pairing.event = event
    return game_creation.new_game(
        start,
        first=first,
        second=second,
        clock=clock or game_clocks.clock_of(event),
        fuel=event.fuel,
        is_rated=event.is_rated,
        pairing=pairing,
        number=number,
        armageddon_percent=armageddon_percent,
        allows_vacation=event.allows_vacation,
    )


def _begin(event: Event, new_games: Sequence[Game]) -> list[Game]:
    of_bots = [game for game in new_games if game.first.is_boxed and game.second.is_boxed]
    of_people = [game for game in new_games if not (game.first.is_boxed and game.second.is_boxed)]
    now = database_time.now()
    no_show_at = now + timedelta(seconds=event.grace_s) if event.grace_s is not None else None
    is_common = not formats.of(event).is_continuous
    waits = is_common and event.start_mode == Event.Start.PRESENCE
    presence.prepare(of_people, now, waits=waits, no_show_at=no_show_at if is_common else None)
    for game in of_people:
        if game.fuel is not None:
            game.fuel_meter = fuel_game.meter()
    rows = game_creation.start_games(of_people)
    FuelCheck.objects.bulk_create(FuelCheck(game=row) for row in rows if row.fuel is not None)
    count = formats.of(event).games_a_pairing
    rows += matches.schedule_games(of_bots, event=event, games_count=count)
    return rows
