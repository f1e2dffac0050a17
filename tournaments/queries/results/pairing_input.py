"""The input of a round's pairing: built from rows, stored with the round, and read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments import trf
from tournaments.models import ByeRequest, Entry, Event, Round
from tournaments.pairing import Contestant, PairingProblem, Solution
from tournaments.queries import formats
from tournaments.queries.results import histories, report_records
from tournaments.queries.results.round_seats import History

# The largest field whose first round is paired while the organiser waits. A worker pairs larger
# fields.
LARGE_FIELD = 200
# Types of record 192 of our Swiss events.
_SYSTEMS = [
    code for each in formats.FORMATS.values() if each.is_swiss for code in each.report_codes
]
_BOARDS_A_LINE = 10


@dataclass(frozen=True, slots=True)
class RoundInput:
    """The input of a pairing: the problem, its report file (Swiss), and the requested byes.

    `byes` are kinds of bye by the id of the entry; `playing` are the entries to be paired.
    """

    number: int
    problem: PairingProblem
    report: str
    playing: Sequence[Entry]
    byes: Mapping[int, str]


def build(event: Event, number: int) -> RoundInput:
    """Round `number` of the event as it is to be paired now."""
    entries = list(event.entries.exclude(tpn=None).order_by("tpn"))
    requests = ByeRequest.objects.filter(
        entry__event=event, round_number=number, entry__state=Entry.State.ACTIVE
    )
    byes = dict(requests.values_list("entry_id", "kind"))
    playing = [e for e in entries if e.state == Entry.State.ACTIVE and e.pk not in byes]
    if formats.of(event).is_swiss:
        # The round is paired from its file only, so that the stored file is the input.
        report = report_records.trf_before(event, number)
        return RoundInput(number, _read(report, number), report, playing, byes)
    problem = problem_of(event, number, entries, playing, histories.of_event(event))
    return RoundInput(number, problem, "", playing, byes)


def problem_of(
    event: Event,
    number: int,
    entries: Iterable[Entry],
    playing: Iterable[Entry],
    history: History,
) -> PairingProblem:
    """The problem of pairing that round after `history`, of formats other than the Swiss."""
    present = {entry.pk for entry in playing}
    contestants = {
        entry.pk: Contestant(
            tpn=entry.tpn or 0,
            records=histories.pairing_records(history.get(entry.pk, {}), number - 1),
            rating_centielo=entry.seed_centielo or 0,
            joined_round=entry.joined_round,
            left_round=entry.left_round or 0,
        )
        for entry in entries
    }
    return PairingProblem(
        round_number=number,
        rounds_total=event.rounds_total,
        contestants=tuple(c for pk, c in contestants.items() if pk in present),
        absent=tuple(c for pk, c in contestants.items() if pk not in present),
        odd_tpn_is_first=report_records.odd_tpn_is_first(event),
        points=formats.points(event),
        options=formats.options(event),
        most_meetings=formats.of(event).most_meetings(event),
        seed=event.seed,
    ).checked()


def read_stored(report: str, problem: Mapping[str, Any], number: int) -> PairingProblem:
    """Return the problem of a stored round: from its report file, or else from `problem`.

    Raises TrfError or PairingError for input that cannot be read.
    """
    return _read(report, number) if report else PairingProblem.from_json(problem)


def read_back(round_: Round) -> PairingProblem:
    """Return the problem from which a stored round was paired.

    Raises TrfError or PairingError for input that cannot be read.
    """
    return read_stored(round_.report, round_.problem, round_.number)


def _read(report: str, number: int) -> PairingProblem:
    return trf.pairing_problem(trf.read(report), number, systems=_SYSTEMS)


def with_answer(report: str, engine: str, solution: Solution) -> str:
    """The report file with the answer in comments.

    Other programs ignore them when they pair the round again.
    """
    if not report:
        return ""
    boards = [f"{board.first}-{board.second}" for board in solution.boards]
    lines = [f"paired by Rayuela {engine}; boards, first side first:"]
    lines += [
        " ".join(boards[start : start + _BOARDS_A_LINE])
        for start in range(0, len(boards), _BOARDS_A_LINE)
    ]
    if solution.bye is not None:
        lines.append(f"bye: {solution.bye}")
    return report + "".join(f"### {line}\n" for line in lines)
