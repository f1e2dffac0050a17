"""The pages of festivals: the sections with their entries, the print job, and the organiser's forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tournaments import database_time
from tournaments.edges.access import get_festival_for
from tournaments.edges.files import attachment
from tournaments.errors import RefusedError
from tournaments.forms.festivals import FestivalActForm, FestivalForm
from tournaments.models import Entry, Event, Festival, Round
from tournaments.queries import formats
from tournaments.queries.events import festivals as queries
from tournaments.queries.events import staff
from tournaments.queries.events.prizes import has_prizes, row_of
from tournaments.services.arbiter import festival_prizes
from tournaments.services.archives import event_files
from tournaments.services.festivals import changes
from tournaments.services.festivals.prizes import OfFestival
from tournaments.services.notifications import news
from tournaments.text import refusals as refusal_text
from tournaments.views import once, qr_code, refusals
from tournaments.views.access import account_player_of, members_only, signed_in, user_of
from tournaments.views.events import answers, printing, prizes
from tournaments.views.events.desk import prizes as desk_prizes
from tournaments.views.events.for_all import missing_games, slim_rounds

# The sheets that one print job has of all sections.
_SHEETS = ("pairings", "names", "slips", "standings", "crosstable")
_PRIZES = "prizes"
# A stream has no more topics (`config.streams`).
_MOST_TOPICS = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A section on the page of its festival.

    Attributes:
        playing: the number of active players, or teams.
        round: its latest public round, or None.
        reason: the reason that the visitor may not enter, in words, or empty.
        own: the visitor's entry, or None.
        is_staff: whether the visitor helps with the section.
    """

    event: Event
    playing: int
    round: Round | None
    games_left: int
    games_total: int
    reason: str
    own: Entry | None
    is_staff: bool

    @property
    def games_over(self) -> int:
        """The number of games of the round that are over."""
        return self.games_total - self.games_left


def page(request: HttpRequest, festival: str) -> HttpResponse:
    """Return the sections with their progress, and the visitor's way into one of them."""
    user = user_of(request)
    row = get_festival_for(user, festival)
    player = account_player_of(request)
    choices = queries.choices(row, user, player)
    # Before the lines are read, so that no news is missed.
    topics = [news.of_event(each.event.pk) for each in choices if each.event.is_open]
    reached = news.last_seqs(topics[:_MOST_TOPICS])
    lines = [_line(request, each) for each in choices]
    context = {
        "stream": news.stream_query(reached) if reached else "",
        "festival": row,
        "lines": lines,
        "player": player,
        "may_change": queries.may_change(row, user),
        "sheets": _sheets(row, lines),
        **prizes.summary_of(row),
        "has_archive": any(
            line.round and not formats.of(line.event).is_continuous for line in lines
        ),
    }
    return render(request, "events/festivals/festival.html", context)


def _line(request: HttpRequest, choice: queries.Choice) -> Line:
    event, user = choice.event, user_of(request)
    public = slim_rounds(event).exclude(state=Round.State.DRAFT)
    current = public.order_by("-number").first()
    return Line(
        event,
        choice.playing,
        current,
        missing_games(event, current),
        current.pairings.count() * event.games_per_pairing if current else 0,
        refusal_text.sentence(choice.obstacle) if choice.obstacle else "",
        choice.own,
        user is not None and bool(staff.tasks_of(event, user)),
    )


def _sheets(festival: Festival, lines: list[Line]) -> list[tuple[str, printing.Sheet]]:
    """Return the sheets that a section with a public round has, and that of the prizes of the festival."""
    has_rounds = any(line.round and not formats.of(line.event).is_continuous for line in lines)
    kinds = [*(_SHEETS if has_rounds else ()), *([_PRIZES] if has_prizes(festival) else ())]
    return [(kind, printing.SHEETS[kind]) for kind in kinds]


@answers.computed
def sheet(request: HttpRequest, festival: str, kind: str) -> HttpResponse:
    """Return one print job: a sheet of each section, of its latest round. Prizes begin with the festival's."""
    row = get_festival_for(user_of(request), festival)
    if kind == _PRIZES and has_prizes(row):
        parts = [_prize_sheet(request, row), *_prize_sheets(request, row)]
    elif kind in _SHEETS:
        parts = _section_sheets(request, row, kind)
    else:
        raise Http404
    return printing.paper(
        request,
        kind=kind,
        name=row.name,
        heading=str(printing.SHEETS[kind].heading),
        back=row.get_absolute_url(),
        parts=parts,
    )


def _prize_sheet(request: HttpRequest, festival: Festival) -> str:
    context = {
        "festival": festival,
        "heading": printing.SHEETS[_PRIZES].heading,
        "printed_at": database_time.now(),
        "code": qr_code.svg(request.build_absolute_uri(festival.get_absolute_url())),
        **prizes.context_of(festival),
    }
    return render_to_string("events/print/festival_prizes.html", context)


def _prize_sheets(request: HttpRequest, festival: Festival) -> list[str]:
    events = queries.sections_for(festival, user_of(request))
    return [printing.part(request, event, _PRIZES, None) for event in events if has_prizes(event)]


def _section_sheets(request: HttpRequest, row: Festival, kind: str) -> list[str]:
    parts: list[str] = []
    for event in queries.sections_for(row, user_of(request)):
        if formats.of(event).is_continuous:
            continue
        round_ = printing.visible_rounds(request, event).order_by("-number").first()
        if round_ is not None:
            of_round = printing.SHEETS[kind].is_of_round
            parts.append(printing.part(request, event, kind, round_ if of_round else None))
    return parts


@answers.computed
def archive(request: HttpRequest, festival: str) -> HttpResponse:
    """The festival with everything that is needed to compute its sections again."""
    row = get_festival_for(user_of(request), festival)
    content = event_files.festival_archive_of(row, database_time.now())
    return attachment(content, "application/zip", f"{row.slug}-archive.zip")


@refusals.refusal_as_message
@login_required
@once.once
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new festival, which leads to that of its first section."""
    form = FestivalForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            row = changes.create(organiser=signed_in(request), about=form.about())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The festival was created. Add its first section."))
            return redirect(f"{reverse('event-new')}?{urlencode({'festival': row.slug})}")
    status = 422 if form.is_bound else 200
    return render(request, "events/festivals/new.html", {"form": form}, status=status)


@login_required
def desk(request: HttpRequest, festival: str) -> HttpResponse:
    """The organiser's page: the name, the sections and the deputies of all of them."""
    row = _own(request, festival)
    form = FestivalForm(request.POST) if request.method == "POST" else FestivalForm.of_festival(row)
    if form.is_bound and form.is_valid():
        try:
            changes.change(festival_id=row.pk, actor=signed_in(request), about=form.about())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The festival was changed."))
            return redirect("festival-desk", row.slug)
    status = 422 if form.is_bound else 200
    context = {"festival": row, "form": form, **_parts(row)}
    return render(request, "events/festivals/desk.html", context, status=status)


def _own(request: HttpRequest, slug: str) -> Festival:
    """Return the festival for its organiser. Raises Http404, PermissionDenied."""
    row = get_festival_for(user_of(request), slug)
    if not queries.may_change(row, user_of(request)):
        raise PermissionDenied
    return row


def _parts(festival: Festival) -> Mapping[str, object]:
    """Return all sections, the deputies, and the events of the organiser that can become sections."""
    own = Event.objects.filter(organiser=festival.organiser_id, section=None)
    return {
        "sections": [row.event for row in festival.sections.select_related("event")],
        "deputies": queries.deputies(festival),
        "own_events": own.open()[:100],
    }


@answers.computed
def prize_page(request: HttpRequest, festival: str) -> HttpResponse:
    """Return the prizes of the festival with their winners by the current standings, or as awarded."""
    row = get_festival_for(user_of(request), festival)
    if not has_prizes(row):
        raise Http404
    sections = queries.sections_for(row, user_of(request))
    context = {
        "festival": row,
        "may_change": queries.may_change(row, user_of(request)),
        "section_prizes": [event for event in sections if has_prizes(event)],
        **prizes.context_of(row),
    }
    return render(request, "events/festivals/prizes.html", context)


@login_required
def prize_desk(request: HttpRequest, festival: str) -> HttpResponse:
    """Return the prizes of the festival with the forms of its organiser."""
    row = _own(request, festival)
    context = {"festival": row, **prizes.context_of(row), **desk_prizes.forms_context(row)}
    context["is_editable"] = context["confirmed"] is None
    return render(request, "events/festivals/desk_prizes.html", context)


@members_only
@refusals.refusal_as_message
def prize_act(request: HttpRequest, festival: str) -> HttpResponse:
    """Change the prizes of the festival, award them, or withdraw the award: the button's name says which."""
    row, user = get_festival_for(user_of(request), festival), signed_in(request)
    match request.POST.get("action"):
        case "award":
            festival_prizes.confirm(festival_id=row.pk, actor=user)
            messages.success(request, _("The prizes were awarded. The winners were notified."))
        case "withdraw":
            festival_prizes.withdraw(festival_id=row.pk, actor=user)
            messages.success(request, _("The award was withdrawn. The winners were notified."))
        case _other:
            desk_prizes.change(request, OfFestival(row.pk), row_of(row).currency)
    return redirect("festival-desk-prizes", festival)


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, festival: str) -> HttpResponse:
    """One act of the organiser: the button's name says which."""
    row = get_festival_for(user_of(request), festival)
    form = FestivalActForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    code = request.POST.get("act", "")
    changes.run(code=code, festival_id=row.pk, actor=signed_in(request), subject=form.subject())
    messages.success(request, changes.ACTS[code].done)
    return redirect("events") if code == "delete" else redirect("festival-desk", festival)
