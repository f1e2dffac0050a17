"""Paper: sheets of an event to pin to a wall, to lay on tables and to write results on."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.models import Entry, Event, Pairing, Round, Seat, User
from tournaments.models.players import canonical_name
from tournaments.queries import formats
from tournaments.queries.events import prizes as prize_funds
from tournaments.queries.events import staff
from tournaments.queries.results import (
    categories,
    fide_rules,
    histories,
    report_links,
    schedule,
    tables,
)
from tournaments.queries.results.board_lines import board_lines, match_scores
from tournaments.services.results import stored_table
from tournaments.services.results.computations import computable
from tournaments.text import audit_log, setting_effects
from tournaments.text.house import event_name
from tournaments.views import qr_code
from tournaments.views.events import crosstables, player_reports, prizes, standings_parts
from tournaments.views.events.for_all import slim_rounds
from tournaments.views.events.pages import colours_of, require_rounds, tab_context
from tournaments.views.events.round_setup import round_setup

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_FIRST = 3  # the places of a tournament report


@dataclass(frozen=True, slots=True)
class Seated:
    """A player on a sheet: the entry, and the half points before the round. No entry at an empty board of a team."""

    entry: Entry | None
    halves: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of teams on a sheet, with their match points before the round.

    `game_halves` are the half game points of both, None before the first result.
    """

    first: Seated
    second: Seated
    game_halves: Sequence[int] | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board on a sheet, or one game of a mini-match.

    Attributes:
        number: the board, for mini-matches with the game.
        board: the board.
        is_return: whether it is the second game of a mini-match.
        result: a `Game.Result`, empty before a result is decided or entered.
        match: the match of teams that the board belongs to, or None.
        begins_match: whether it is the first board of a match.
    """

    number: str
    board: int
    is_return: bool
    first: Seated
    second: Seated
    result: str
    match: MatchRow | None = None
    begins_match: bool = False


@dataclass(frozen=True, slots=True)
class NameRow:
    """The seat of one player, with the team. Without a board the seat gives the reason."""

    player: Seated
    seat: Seat | None
    board: str | None
    colour: str
    opponent: Seated | None
    team: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of sheet: its heading, its contents, and whether it belongs to one round."""

    heading: _StrPromise
    about: _StrPromise
    content: Callable[[Event, Round | None], dict[str, Any]]
    is_of_round: bool = False


def index(request: HttpRequest, event: Event) -> HttpResponse:
    """All sheets of the event."""
    require_rounds(event)
    context = tab_context(request, event, "print")
    rounds = visible_rounds(request, event)
    is_begun = event.entries.exclude(tpn=None).exists()
    context |= {
        "rounds": rounds.order_by("-number"),
        "round_sheets": [(k, s) for k, s in SHEETS.items() if s.is_of_round],
        "event_sheets": [
            (key, sheet)
            for key, sheet in SHEETS.items()
            if not sheet.is_of_round
            and (key != "berger" or formats.of(event).is_table)
            and (key != "prizes" or context["prizes"] is not None)
            and (key != "categories" or categories.declared(event))
            and (is_begun or key in {"berger", "cards", "prizes"})
        ],
        "address": request.build_absolute_uri(event.get_absolute_url()),
    }
    embed_path = reverse("embed-event", args=[event.slug])
    context["embed_address"] = request.build_absolute_uri(embed_path)
    context["code"] = qr_code.svg(context["address"])
    return render(request, "events/print.html", context)


def sheet(request: HttpRequest, event: Event, kind: str, number: int | None = None) -> HttpResponse:
    """One sheet."""
    require_rounds(event)
    chosen = SHEETS.get(kind)
    if chosen is None or chosen.is_of_round != (number is not None):
        raise Http404
    if kind == "berger" and not formats.of(event).is_table:
        raise Http404
    if kind == "prizes" and not prize_funds.has_prizes(event):
        raise Http404
    if kind == "categories" and not categories.declared(event):
        raise Http404
    round_ = None
    if number is not None:
        round_ = visible_rounds(request, event).filter(number=number).first()
        if round_ is None:
            raise Http404
    heading = f"{chosen.heading} {round_.number}" if round_ is not None else str(chosen.heading)
    back = reverse("event-print", args=[event.slug])
    parts = [part(request, event, kind, round_)]
    return paper(
        request, kind=kind, name=event_name(event), heading=heading, back=back, parts=parts
    )


def paper(
    request: HttpRequest, *, kind: str, name: str, heading: str, back: str, parts: Sequence[str]
) -> HttpResponse:
    """Return the page with the parts of one print job. `back` is the address that it leads to."""
    context = {"kind": kind, "name": name, "heading": heading, "back": back, "parts": parts}
    return render(request, "events/print/paper.html", context)


def part(request: HttpRequest, event: Event, kind: str, round_: Round | None) -> SafeString:
    """Return a sheet of the event in the visitor's language. Raises ComputingError in a large event."""
    address = request.build_absolute_uri(event.get_absolute_url())
    reports_at = player_reports.reports_at(request, event)
    number = round_.number if round_ else None
    arguments = (kind, number, address, reports_at, translation.get_language())
    is_draft = round_ is not None and round_.state == Round.State.DRAFT
    text = _text(event, *arguments) if is_draft else _text.of(event, *arguments)
    return mark_safe(text)  # noqa: S308 - a template drew it


@computable()
def _text(
    event: Event,
    kind: str,
    number: int | None,
    address: str,
    reports_at: str,
    language: str | None,
) -> str:
    """The sheet, equal for all readers of a language.

    With the site's address as `reports_at` it has the codes for reports of results.
    """
    chosen = SHEETS[kind]
    round_ = None if number is None else slim_rounds(event).get(number=number)
    context: dict[str, Any] = {
        "event": event,
        "round": round_,
        "heading": chosen.heading,
        "kind": kind,
        "colours": colours_of(event),
        "printed_at": database_time.now(),
        "code": qr_code.svg(address),
        "report_codes": {},
    }
    if reports_at and round_ is not None and round_.state == Round.State.PUBLISHED:
        context |= _report_codes(kind, round_, reports_at)
    with translation.override(language):
        context |= chosen.content(event, round_)
        return render_to_string(f"events/print/{kind}.html", context)


def _report_codes(kind: str, round_: Round, reports_at: str) -> dict[str, Any]:
    """Return the codes for reports of results: on slips of each board, on pairings of the round."""
    if kind == "slips":
        codes = {
            each.board_number: qr_code.svg(reports_at + report_links.path_of(each))
            for each in round_.pairings.select_related("round")
        }
        return {"report_codes": codes}
    if kind == "pairings":
        return {"report_code": qr_code.svg(reports_at + report_links.path_of(round_))}
    return {}


def visible_rounds(request: HttpRequest, event: Event) -> Any:  # noqa: ANN401 - a query set, whose type is long
    """Return the rounds, with drafts for the staff only."""
    is_staff = isinstance(request.user, User) and bool(staff.tasks_of(event, request.user))
    rounds = slim_rounds(event)
    return rounds if is_staff else rounds.exclude(state=Round.State.DRAFT)


def _halves_before(event: Event, number: int) -> Mapping[int, int]:
    """Everybody's half points before that round, by the id of the entry."""
    rounds_by_entry = histories.of_event(event)
    return {
        pk: sum(seat.score_halves or 0 for each, seat in history.items() if each < number)
        for pk, history in rounds_by_entry.items()
    }


def boards_of(event: Event, round_: Round | None) -> list[BoardRow]:
    """Return the boards of a round, with every player's points before it."""
    assert round_ is not None, "of a round"
    halves = _halves_before(event, round_.number)
    pairings = round_.pairings.with_lines(event).prefetch_related("games").order_by("board")
    lines = list(board_lines(event, pairings))
    scores = match_scores(event, lines) if event.is_of_teams else {}

    def seated(entry: Entry | None) -> Seated:
        return Seated(entry, halves.get(entry.pk, 0) if entry else 0)

    def match(pairing: Pairing) -> MatchRow | None:
        if not event.is_of_teams:
            return None
        return MatchRow(seated(pairing.first), seated(pairing.second), scores.get(pairing.pk))

    return [
        BoardRow(
            line.number,
            line.pairing.board_number,
            line.game_number > 1 and not event.is_of_teams,
            seated(line.first),
            seated(line.second),
            line.result,
            match(line.pairing),
            event.is_of_teams and line.game_number == 1,
        )
        for line in lines
    ]


def _seats_without_board(event: Event, round_: Round | None) -> list[NameRow]:
    assert round_ is not None, "of a round"
    halves = _halves_before(event, round_.number)
    seats = round_.seats.filter(pairing=None).exclude(kind=Seat.Kind.OUT)
    return [
        NameRow(Seated(seat.entry, halves.get(seat.entry_id, 0)), seat, None, "", None)
        for seat in seats.select_related("entry__player").order_by("entry__tpn")
    ]


def _pairings(event: Event, round_: Round | None) -> dict[str, Any]:
    assert round_ is not None, "of a round"
    return {
        "boards": boards_of(event, round_),
        "others": _seats_without_board(event, round_),
        "setup": round_setup(event, round_, id_prefix=f"round-{round_.pk}"),
    }


def _slips(event: Event, round_: Round | None) -> dict[str, Any]:
    assert round_ is not None, "of a round"
    slips = [
        (board, round_setup(event, round_, id_prefix=f"round-{round_.pk}-{number}"))
        for number, board in enumerate(boards_of(event, round_), start=1)
    ]
    return {"slips": slips}


def _names(event: Event, round_: Round | None) -> dict[str, Any]:
    colours = colours_of(event)
    rows = _seats_without_board(event, round_)
    for board in boards_of(event, round_):
        if board.is_return:
            continue
        sides = ((board.first, board.second), (board.second, board.first))
        for (own, opponent), colour in zip(sides, colours, strict=True):
            if own.entry is not None:
                team = _team_name(own.entry, board.match)
                rows.append(NameRow(own, None, board.number, colour, opponent, team))
    return {"names": sorted(rows, key=lambda row: _alphabetical(row.player.entry))}


def _team_name(member: Entry, match: MatchRow | None) -> str:
    if match is None:
        return ""
    team = next(
        each.entry
        for each in (match.first, match.second)
        if each.entry is not None and each.entry.pk == member.team_id
    )
    return team.player.name


def _alphabetical(entry: Entry | None) -> str:
    """Return the sort key of a list by name.

    Capitals and accents do not count, as in a telephone book.
    """
    name = entry.player.name if entry else ""
    letters = unicodedata.normalize("NFKD", canonical_name(name))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _standings(event: Event, _round: Round | None) -> dict[str, Any]:
    return {"table": stored_table.current(event), "sections": tables.sections(event)}


def _categories(event: Event, _round: Round | None) -> dict[str, Any]:
    table = stored_table.current(event)
    return {"table": table, "categories": standings_parts.named_tables(event, table)}


def _crosstable(event: Event, _round: Round | None) -> dict[str, Any]:
    table = stored_table.current(event)
    return {
        "table": table,
        "crosstable": crosstables.rows(event, table, colours=colours_of(event)),
        "round_numbers": range(1, table.rounds + 1),
    }


def _berger(event: Event, _round: Round | None) -> dict[str, Any]:
    entries = list(event.entries.contestants().select_related("player"))
    by_number = {e.tpn: e for e in entries if e.tpn is not None}
    without_number = [e for e in entries if e.tpn is None and e.state == Entry.State.ACTIVE]
    return {
        "schedule": schedule.schedule(event),
        "numbered": [by_number[tpn] for tpn in sorted(by_number)],
        "without_number": sorted(without_number, key=_alphabetical),
    }


def _cards(event: Event, _round: Round | None) -> dict[str, Any]:
    entries = event.entries.active().select_related("player")
    return {"entries": sorted(entries, key=lambda e: (e.tpn or 0, _alphabetical(e)))}


def _report(event: Event, _round: Round | None) -> dict[str, Any]:
    closed = slim_rounds(event).exclude(state=Round.State.DRAFT).order_by("number")
    log = list(event.audit.select_related("actor__player", "undone_by", "undoes").reverse())
    words = audit_log.Words.of(event, log)
    table = stored_table.current(event)
    return {
        "facts": list(setting_effects.facts(event)),
        "departures": fide_rules.departures(event),
        "has_rules_of_fide": bool(formats.of(event).report_code),
        "first_rows": [row for row in table.rows if row.place is not None and row.place <= _FIRST],
        "rounds": closed.annotate(
            boards=Count("pairings", distinct=True),
            without=Count(
                "seats",
                filter=Q(seats__pairing=None) & ~Q(seats__kind=Seat.Kind.OUT),
                distinct=True,
            ),
        ),
        "log": [(entry, words.sentence(entry), words.conflict(entry)) for entry in log],
    }


SHEETS: Mapping[str, Sheet] = {
    "pairings": Sheet(
        _("Pairings by board"),
        _("with numbers, ratings and points"),
        _pairings,
        is_of_round=True,
    ),
    "names": Sheet(
        _("Pairings by name"),
        _("in alphabetical order: players and their boards"),
        _names,
        is_of_round=True,
    ),
    "slips": Sheet(
        _("Result slips"),
        _("eight a page, to be cut apart and signed"),
        _slips,
        is_of_round=True,
    ),
    "standings": Sheet(_("Standings"), _("with all tie-breaks"), _standings),
    "categories": Sheet(
        _("Tables of categories"), _("the categories of the prizes, a table each"), _categories
    ),
    "crosstable": Sheet(_("Crosstable"), _("every result of every player"), _crosstable),
    "prizes": Sheet(
        _("Prizes"),
        _("prizes and winners, with room for signatures"),
        lambda event, _round: prizes.context_of(event),
    ),
    "report": Sheet(
        _("Tournament report"),
        _("settings, rounds and everything that happened, for the arbiter to sign"),
        _report,
    ),
    "berger": Sheet(_("Schedule"), _("all rounds of the round robin, by Berger's tables"), _berger),
    "cards": Sheet(
        _("Name cards"), _("ten a page, to be cut apart and laid on the tables"), _cards
    ),
}
