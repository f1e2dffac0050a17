"""An event as input of a forecast: the pairing's input, and the public state of the current round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.forecasts import (
    Absence,
    Course,
    OpenRound,
    Prohibition,
    TeamMatches,
    most_players,
)
from tournaments.models import ByeRequest, Entry, Event, Round
from tournaments.pairing import Board, Contestant, RoundKind, RoundRecord
from tournaments.pairing.knockout import TIES
from tournaments.queries import formats
from tournaments.queries.forecasts import strengths
from tournaments.queries.ratings import pools
from tournaments.queries.results import histories, pairing_input, standings
from tournaments.queries.results.round_seats import RoundSeat
from tournaments.standings import edition_at

# Formats of plans, whose players are individuals.
FORMATS = [
    each.code for each in formats.FORMATS.values() if each.has_forecast and not each.is_of_teams
]
# Boards that must have a winner, as the evidence of a round calls them.


def has_forecast(event: Event) -> bool:
    """Return whether its end can be foreseen: it has rounds, and one winner."""
    return formats.of(event).has_forecast


def course_of(event: Event) -> Course | None:
    """The running event after its closed rounds.

    None before its start and after its end, for formats without a forecast, and for fields that are
    too large.
    """
    if event.state != Event.State.RUNNING or not has_forecast(event):
        return None
    entries = list(event.entries.exclude(tpn=None).order_by("tpn"))
    number = event.rounds.filter(state=Round.State.CLOSED).count() + 1
    if not 2 <= len(entries) <= most_players(event.format):
        return None
    if formats.of(event).is_swiss and number > event.rounds_total:
        return None
    begin = event.started_at or event.created_at
    problem = pairing_input.build(event, number).problem
    history = histories.of_event(event)
    rounds_by_tpn = {entry.tpn or 0: history.get(entry.pk, {}) for entry in entries}
    is_match = event.games_per_pairing > 1 and not event.is_of_teams
    if is_match:
        contestants = _by_game(problem.contestants, rounds_by_tpn)
        absent = _by_game(problem.absent, rounds_by_tpn)
        problem = problem._replace(contestants=contestants, absent=absent).checked()
    priors_of = strengths.team_priors if event.is_of_teams else strengths.priors
    return Course(
        system=event.format,
        problem=problem,
        priors=tuple(priors_of(event, entries)),
        model=strengths.model_of(event.ruleset, [pools.key_of(event)]),
        tie_breaks=tuple(standings.tie_break_names(event)),
        edition=edition_at(begin.date()).value,
        is_swiss=formats.of(event).is_swiss,
        open_round=_open_round(event, number, rounds_by_tpn),
        prohibitions=tuple(_prohibitions(event)),
        absences=tuple(_absences(event, number)),
        group_a=event.accelerated_upto_tpn or 0,
        most_replays=event.extra_games,
        tie_games=event.tie_games,
        has_extra_pairs=event.has_extra_pairs,
        has_armageddon=event.armageddon_percent is not None,
        matches=_matches(event, entries) if event.is_of_teams else None,
        game_points=formats.points(event) if is_match else None,
    )


def _by_game(
    contestants: Sequence[Contestant], rounds_by_tpn: Mapping[int, Mapping[int, RoundSeat]]
) -> tuple[Contestant, ...]:
    """Return the contestants with the points of the second game in the record of each mini-match."""
    return tuple(
        each._replace(
            records=tuple(
                _record_by_game(record, rounds_by_tpn[each.tpn].get(number))
                for number, record in enumerate(each.records, start=1)
            ),
        )
        for each in contestants
    )


def _record_by_game(record: RoundRecord, round_seat: RoundSeat | None) -> RoundRecord:
    if round_seat is None or len(round_seat.by_game) == 1:
        return record
    return record._replace(second_halves=round_seat.by_game[1].score_halves or 0)


def _open_round(
    event: Event, number: int, rounds_by_tpn: Mapping[int, Mapping[int, RoundSeat]]
) -> OpenRound | None:
    """Return the published round, whose results count only when it is closed; None without one."""
    round_ = event.rounds.filter(number=number, state=Round.State.PUBLISHED).first()
    if round_ is None:
        return None
    pairings = round_.pairings.select_related("first", "second").order_by("board")
    boards = tuple(Board(p.first.tpn or 0, p.second.tpn or 0) for p in pairings)
    paired_tpns = {tpn for board in boards for tpn in (board.first, board.second)}
    evidence = round_.evidence.get("boards", ())
    return OpenRound(
        boards=boards,
        records=tuple(
            (tpn, _record_by_game(histories.pairing_records(own, number)[-1], own.get(number)))
            for tpn, own in rounds_by_tpn.items()
            if tpn not in paired_tpns
        ),
        ties=tuple(b["first"] for b in evidence if b.get("meeting") in TIES),
    )


def _matches(event: Event, entries: Sequence[Entry]) -> TeamMatches:
    """Return the first members of each team as the players of all rounds to come."""
    members = strengths.active_members(event)
    return TeamMatches(
        line_ups=tuple(
            (team.tpn or 0, _above(team, members.get(team.pk, []), event.boards))
            for team in entries
        ),
        match_points=formats.match_points(event),
        game_points=formats.points(event),
        alternates_boards=event.alternates_boards,
    )


def _above(team: Entry, members: Sequence[Entry], boards: int) -> tuple[float | None, ...]:
    own = [((each.seed_centielo or 0) - (team.seed_centielo or 0)) / 100 for each in members]
    return (*own[:boards], *([None] * (boards - len(own))))


def _prohibitions(event: Event) -> list[Prohibition]:
    groups = event.prohibitions.prefetch_related("entries")
    return [
        Prohibition(
            group.first_round,
            group.last_round,
            tuple(sorted(e.tpn for e in group.entries.all() if e.tpn is not None)),
        )
        for group in groups
    ]


def _absences(event: Event, number: int) -> list[Absence]:
    requests = ByeRequest.objects.filter(
        entry__event=event,
        entry__state=Entry.State.ACTIVE,
        entry__tpn__isnull=False,
        round_number__gte=number,
    ).order_by("round_number", "entry__tpn")
    return [
        Absence(
            request.entry.tpn or 0,
            request.round_number,
            RoundKind(ByeRequest.Kind(request.kind).round_kind),
        )
        for request in requests.select_related("entry")
    ]
