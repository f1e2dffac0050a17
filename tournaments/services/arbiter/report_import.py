"""A foreign event from its FIDE report: it continues here at its next round, or is stored as finished."""

from __future__ import annotations

import contextlib
import random
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.utils.translation import gettext

from tournaments import database_time, trf
from tournaments.errors import RefusedError
from tournaments.models import (
    ByeRequest,
    Entry,
    Event,
    Game,
    Pairing,
    Prohibition,
    RatedResult,
    Round,
    Sanction,
    Seat,
    TeamBoard,
    User,
)
from tournaments.models.events import TieBreakRating
from tournaments.pairing import Contestant, PairingProblem, RoundKind, RoundRecord
from tournaments.pairing.baku import group_a
from tournaments.queries import formats
from tournaments.queries.arbiter import foreign_heads, foreign_reports, rule_comparison
from tournaments.queries.arbiter.foreign_reports import ForeignEvent
from tournaments.queries.arbiter.foreign_rounds import ForeignRound
from tournaments.queries.arbiter.rule_comparison import Comparison
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans, seed_chain
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import pairing_input, report_records, standings
from tournaments.round_kinds import Kind
from tournaments.services import audit
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players, registration, teams
from tournaments.services.games import game_creation

_BATCH = 500
_MOST_ENTRIES = 200
_REQUESTS = {Seat.Kind(kind.round_kind): kind for kind in ByeRequest.Kind}


@dataclass(frozen=True, slots=True)
class ImportChoice:
    """The choices of the organiser beside the file.

    Attributes:
        goes_on: False for keeping it as finished.
        rounds_total: for a file that does not say it.
    """

    name: str
    ruleset: str
    goes_on: bool
    rounds_total: int | None = None


def import_report(
    *, organiser: User, text: str, choice: ImportChoice, comparison: Comparison | None = None
) -> Event:
    """Return the event of the report over the board: its players, its closed rounds, its results.

    Its standings have the points of the file, and the input of its next round equals that of the
    file. The log stores the rounds that differ from the pairing rules: `comparison`, if the caller
    has it.

    Raises:
        RefusedError: `report-problems` (see `foreign_reports.read`), `report-obstacle` if it cannot
            continue, `report-no-rounds` without a played round to store, `report-differs` if the
            event here would differ from the file, and those of `registration.create_event`.
    """
    foreign = foreign_reports.read(text, rounds_total=choice.rounds_total)
    if foreign.problems:
        raise RefusedError("report-problems", foreign.problems[0].code)
    if choice.goes_on and foreign.obstacle:
        raise RefusedError("report-obstacle", foreign.obstacle)
    if not choice.goes_on and not foreign.rounds:
        raise RefusedError("report-no-rounds")
    comparison = comparison or rule_comparison.of_report(foreign)
    with transaction.atomic():
        event = registration.create_event(organiser=organiser, plan=_plan(foreign, choice))
        by_tpn, players = _enter(event, foreign)
        _rate_later(foreign, players)
        _begin(event, foreign, goes_on=choice.goes_on)
        for kinds in _requests(foreign):
            _request(by_tpn, kinds)
        _prohibit(event, foreign, by_tpn)
        _deduct(foreign, by_tpn)
        meetings: Counter[tuple[int, int]] = Counter()
        days = dict(enumerate(trf.round_dates(foreign.report), start=1))
        for number, round_ in enumerate(foreign.rounds, start=1):
            _add_round(event, number, round_, by_tpn, players, meetings, day=days.get(number))
        _rate_as(event, foreign)
        _require_same_points(event, foreign)
        if choice.goes_on:
            _require_same_problem(event, foreign)
        audit.note(
            "import",
            event=event,
            actor=organiser,
            entries=len(by_tpn),
            rounds=len(foreign.rounds),
            **comparison.detail,
        )
        return event


def _plan(foreign: ForeignEvent, choice: ImportChoice) -> plans.EventPlan:
    points = foreign.report.points
    total = foreign.report.rounds_total or 0
    return plans.EventPlan(
        name=choice.name,
        ruleset=choice.ruleset,
        clock=Clock.read("unlimited"),
        format=foreign.format,
        rounds_total=total if choice.goes_on else max(1, len(foreign.rounds)),
        max_entries=max(_MOST_ENTRIES, len(foreign.teams or foreign.players)),
        is_rated=False,
        is_automatic=False,
        is_over_the_board=True,
        **asdict(foreign_heads.head_of(foreign.report)),
        win_halves=points.win,
        draw_halves=points.draw,
        loss_halves=points.loss,
        bye_halves=points.pairing_bye,
        tie_breaks=foreign.tie_breaks,
        tie_break_rating=(
            TieBreakRating.ROUND
            if trf.takes_rating_of_round(foreign.report)
            else TieBreakRating.START
        ).value,
        is_accelerated=choice.goes_on and foreign_reports.is_accelerated(foreign.report),
        **foreign.house_rules._asdict(),
        **(asdict(foreign.match_settings) if foreign.match_settings else {}),
    )


def _enter(event: Event, foreign: ForeignEvent) -> tuple[dict[int, Entry], dict[int, Entry]]:
    """Return the contestants by TPN, and the players by their numbers in the file."""
    if foreign.teams:
        return _enter_teams(event, foreign)
    players = {tpn: _new_entry(event, player) for tpn, player in foreign.players.items()}
    for tpn, entry in players.items():
        entry.tpn = tpn
        entry.save()
    return players, players


def _rate_later(foreign: ForeignEvent, players: Mapping[int, Entry]) -> None:
    """Store the ratings of the file that hold from a later round on."""
    rated = []
    for number, ratings in foreign_reports.later_ratings(foreign.report).items():
        if number in players:
            players[number].later_ratings = [astuple(each) for each in ratings]
            rated.append(players[number])
    Entry.objects.bulk_update(rated, ["later_ratings"], batch_size=_BATCH)


def _rate_as(event: Event, foreign: ForeignEvent) -> None:
    """Store the results of the file that are for ratings alone."""
    for each in foreign.rated:
        games = Game.objects.filter(pairing__event=event, pairing__round__number=each.round_number)
        game = games.get(pairing__first__tpn=each.first)
        RatedResult.objects.create(game=game, result=each.result)


def _new_entry(event: Event, player: ListedPlayer) -> Entry:
    """Return the entry of the player, seeded by the rating of the file, not saved."""
    entry = listed_players.new_entry(event, player)
    entry.seed_centielo = entry.listed_centielo or 0
    return entry


def _enter_teams(event: Event, foreign: ForeignEvent) -> tuple[dict[int, Entry], dict[int, Entry]]:
    by_tpn, players = {}, {}
    for tpn, foreign_team in foreign.teams.items():
        team = by_tpn[tpn] = teams.new_team(event, foreign_team.name)
        for place, number in enumerate(foreign_team.members, start=1):
            member = players[number] = _new_entry(event, foreign.players[number])
            member.team, member.board_order = team, place
            member.save()
        best = [players[i].seed_centielo or 0 for i in foreign_team.members[: event.boards]]
        average = round(sum(best) / event.boards)
        strength = foreign_team.strength_elo
        if strength is not None and strength != round(average / 100):
            team.listed_centielo = average = 100 * strength
        team.tpn, team.seed_centielo = tpn, average
        team.save()
    return by_tpn, players


def _begin(event: Event, foreign: ForeignEvent, *, goes_on: bool) -> None:
    """Start the event, or finish it, with the dates of the file (C.07 has editions)."""
    now = database_time.now()
    days = [day for day in trf.round_dates(foreign.report) if day is not None]
    first = event.first_day or min(days, default=None)
    last = event.last_day or max(days, default=first)
    event.started_at = min(_noon(first) or now, now)
    event.state = Event.State.RUNNING if goes_on else Event.State.FINISHED
    ended_at = max(min(_noon(last) or now, now), event.started_at)
    event.finished_at = None if goes_on else ended_at
    # A finished event whose file has no colours keeps the seed that it was given.
    with contextlib.suppress(trf.UnpairableReportError):
        event.seed = _seed(is_first=_odd_tpn_is_first(event, foreign))
    if event.is_accelerated:
        last_id = max((v.last_id for v in foreign.report.virtual), default=0)
        event.accelerated_upto_tpn = last_id or group_a(len(foreign.players))
    event.save()


def _odd_tpn_is_first(event: Event, foreign: ForeignEvent) -> bool:
    if foreign.teams and foreign.report.odd_is_white is not None:
        return foreign.report.odd_is_white
    report = foreign.report._replace(rounds_total=event.rounds_total)
    return trf.odd_tpn_is_first(report, systems=foreign_reports.SYSTEMS)


def _noon(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(12), tzinfo=UTC)


def _seed(*, is_first: bool) -> int:
    """A seed by which odd numbers begin with the side that they began with in the file."""
    while True:
        seed = secrets.randbits(48)
        if bool(random.Random(seed).getrandbits(1)) is is_first:
            return seed


def _requests(foreign: ForeignEvent) -> list[dict[tuple[int, int], Seat.Kind]]:
    """The byes that were not the pairing's, of past rounds and of those to come."""
    past = {
        (tpn, number): kind
        for number, round_ in enumerate(foreign.rounds, start=1)
        for tpn, kind in round_.byes.items()
        if kind in _REQUESTS
    }
    return [past, {key: kind for key, kind in foreign.byes_to_come.items() if kind in _REQUESTS}]


def _request(by_tpn: Mapping[int, Entry], kinds: Mapping[tuple[int, int], Seat.Kind]) -> None:
    now = database_time.now()
    ByeRequest.objects.bulk_create(
        [
            ByeRequest(
                entry=by_tpn[tpn], round_number=number, kind=_REQUESTS[kind], requested_at=now
            )
            for (tpn, number), kind in kinds.items()
        ],
        batch_size=_BATCH,
    )


def _prohibit(event: Event, foreign: ForeignEvent, by_tpn: Mapping[int, Entry]) -> None:
    for group in foreign.report.forbidden:
        if len(set(group.ids)) < 2:
            continue
        prohibition = Prohibition.objects.create(
            event=event,
            first_round=max(1, group.first_round),
            last_round=group.last_round,
            created_at=database_time.now(),
        )
        prohibition.entries.set([by_tpn[tpn] for tpn in set(group.ids)])


def _deduct(foreign: ForeignEvent, by_tpn: Mapping[int, Entry]) -> None:
    """Store the points that the arbiter of the file deducted (299)."""
    Sanction.objects.bulk_create(
        Sanction(
            entry=by_tpn[tpn],
            round_number=each.round_number or 1,
            kind=Sanction.Kind.POINTS,
            halves=-(each.halves or each.match_halves),
            reason=gettext("As in the imported file."),
            given_at=database_time.now(),
        )
        for each in foreign_reports.deductions(foreign.report)
        for tpn in each.ids
    )


def _add_round(
    event: Event,
    number: int,
    foreign: ForeignRound,
    by_tpn: Mapping[int, Entry],
    players: Mapping[int, Entry],
    meetings: Counter[tuple[int, int]],
    *,
    day: date | None,
) -> None:
    """The round as it was: with the report it could have been paired from, and closed.

    A round of an unknown day began when it was stored, others before.
    """
    now = database_time.now()
    noon = _noon(day)
    began_at = now if noon is None else min(noon, now - timedelta(seconds=1))
    seed = seed_chain.round_seed(event.seed_secret, seed_chain.ROUNDS_LENGTH, number)
    is_swiss = formats.of(event).is_swiss
    round_ = Round.objects.create(
        event=event,
        number=number,
        state=Round.State.CLOSED,
        report=report_records.trf_before(event, number) if is_swiss else "",
        problem={},
        evidence={},
        engine=Round.PAIRED_ELSEWHERE,
        setup=game_creation.draw_setup(event.ruleset, int(seed, 16)),
        setup_seed=seed,
        drafted_at=now,
        published_at=began_at,
        started_at=began_at,
        closed_at=now,
    )
    pairings = _pairings(event, round_, foreign, by_tpn, meetings)
    seats = [
        Seat(round=round_, entry=entry, kind=kind, pairing=pairing)
        for pairing in pairings
        for entry, kind in (
            (pairing.first, Seat.Kind.FIRST),
            (pairing.second, Seat.Kind.SECOND),
        )
    ]
    seats += [
        Seat(round=round_, entry=by_tpn[tpn], kind=kind) for tpn, kind in foreign.byes.items()
    ]
    Seat.objects.bulk_create(seats, batch_size=_BATCH)
    if event.is_of_teams:
        _seat_members(pairings, foreign, players)
        results.record(event, round_, round_.pairings.with_lines(event))
    else:
        results.record(event, round_, pairings)


def _seat_members(
    pairings: Sequence[Pairing], foreign: ForeignRound, players: Mapping[int, Entry]
) -> None:
    """Make the boards of the matches, with the line-ups of the file."""
    TeamBoard.objects.bulk_create(
        [
            TeamBoard(
                pairing=pairing,
                number=number,
                first=players.get(game.first),
                second=players.get(game.second),
                entered_result=game.result,
            )
            for pairing, match in zip(pairings, foreign.boards, strict=True)
            for number, game in enumerate(match.games, start=1)
        ],
        batch_size=_BATCH,
    )


def _pairings(
    event: Event,
    round_: Round,
    foreign: ForeignRound,
    by_tpn: Mapping[int, Entry],
    meetings: Counter[tuple[int, int]],
) -> list[Pairing]:
    pairings = []
    for board, each in enumerate(foreign.boards, start=1):
        first, second = by_tpn[each.first], by_tpn[each.second]
        low, high = sorted((first, second), key=lambda entry: entry.pk)
        meetings[low.pk, high.pk] += each.is_met
        pairings.append(
            Pairing(
                event=event,
                round=round_,
                board=board,
                first=first,
                second=second,
                low=low,
                high=high,
                encounter=max(1, meetings[low.pk, high.pk]),
                entered_result=each.result,
                is_met=each.is_met,
            )
        )
    return Pairing.objects.bulk_create(pairings, batch_size=_BATCH)


def _require_same_points(event: Event, foreign: ForeignEvent) -> None:
    points = trf.points_halves(foreign.report)
    for row in standings.event_table(event).rows:
        if row.points_halves != points[row.entry.tpn or 0]:
            raise RefusedError("report-differs", f"points of {row.entry.tpn}")
    if foreign.teams:
        field = standings.event_field(event).by_score("GP")
        for tpn, (_, game_halves) in trf.match_scores(foreign.report).items():
            if field.points[field.position[tpn]] != game_halves:
                raise RefusedError("report-differs", f"game points of {tpn}")


def _require_same_problem(event: Event, foreign: ForeignEvent) -> None:
    """The next round here and that of the file are one problem, so that they have one answer."""
    theirs = trf.pairing_problem(foreign.report, systems=foreign_reports.SYSTEMS)
    ours = pairing_input.build(event, len(foreign.rounds) + 1).problem
    if _comparable(ours) != _comparable(theirs):
        raise RefusedError("report-differs", event.slug)


def _comparable(problem: PairingProblem) -> PairingProblem:
    """The problem in one order of players and of forbidden pairs among them alone."""
    return problem._replace(
        contestants=_ordered(problem.contestants), absent=_ordered(problem.absent)
    )


def _ordered(contestants: Iterable[Contestant]) -> tuple[Contestant, ...]:
    return tuple(
        each._replace(records=tuple(map(_plain, each.records)))
        for each in sorted(contestants, key=lambda each: each.tpn)
    )


def _plain(record: RoundRecord) -> RoundRecord:
    if record.opponent is not None:
        return record
    return record._replace(kind=RoundKind(Kind(record.kind).without_opponent))
