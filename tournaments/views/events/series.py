"""The pages of series: the table with its terms, and the organiser's forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.edges.access import get_series
from tournaments.edges.files import attachment
from tournaments.errors import RefusedError
from tournaments.forms.series import CategoryForm, SeriesActForm, SeriesEventForm, SeriesForm
from tournaments.models import Event, Series
from tournaments.queries.archives import series_archive
from tournaments.queries.events import series as queries
from tournaments.services.series import changes, files, tables
from tournaments.services.series.tables import Person, SeriesTable
from tournaments.standings.series import Fate, Method, Row, Separator, Term
from tournaments.text import refusals as refusal_text
from tournaments.text import series as words
from tournaments.views import once, refusals
from tournaments.views.access import members_only, signed_in, user_of
from tournaments.views.events import answers, windows


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of an event in words."""

    event: Event
    place: int
    points: str
    source: str
    fate: str
    is_dropped: bool
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table: one cell for each event, None without a result."""

    row: Row
    person: Person
    total: str
    reason: str
    cells: Sequence[Cell | None]

    @property
    def terms(self) -> Sequence[Cell]:
        """Return the results alone."""
        return [each for each in self.cells if each is not None]

    @property
    def sum(self) -> str:
        """Return the total as the sum of the results that count."""
        counting = [each for each in self.terms if not (each.is_dropped or each.is_provisional)]
        return f"{' + '.join(each.points for each in counting) or '0'} = {self.total}"


@answers.computed
def page(request: HttpRequest, series: str) -> HttpResponse:
    """Return the table, or the part of one category or club, with one total opened by `of`."""
    row = get_series(series)
    table = tables.of(row)
    form = CategoryForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {"category": "", "club": ""}
    rows = table.of_category(label=chosen["category"], club=chosen["club"])
    opened = [each for each in rows if each.person == request.GET.get("of")]
    window = _window(request, table, rows)
    context = {
        "series": row,
        "table": table,
        "window": window,
        "opened": next(iter(_lines(table, opened)), None),
        "chosen": chosen,
        "has_provisional": any(c.is_provisional for line in window.rows for c in line.terms),
        "has_dropped": any(cell.is_dropped for line in window.rows for cell in line.terms),
        "rules": words.rules_in_words(table.rules),
        "may_change": queries.may_change(row, user_of(request)),
        **_categories(table),
    }
    return render(request, "events/series/series.html", context)


def _window(request: HttpRequest, table: SeriesTable, rows: Sequence[Row]) -> windows.Window[Line]:
    """Return a window of a hundred rows."""
    find = windows.find_of(request.GET)
    names = (table.people[row.person].name for row in rows)
    index = windows.first_index(names, find) if find else None
    return windows.window_at(
        len(rows), request.GET, index=index, cut=lambda start, end: _lines(table, rows[start:end])
    )


def _categories(table: SeriesTable) -> Mapping[str, Sequence[str]]:
    """Return the categories and the clubs of the people."""
    people = table.people.values()
    return {
        "labels": sorted({label for person in people for label in person.labels}),
        "clubs": sorted({person.club for person in people if person.club}, key=str.casefold),
    }


def _lines(table: SeriesTable, rows: Sequence[Row]) -> list[Line]:
    text = words.percent_text if table.rules.method is Method.PERCENT else words.points_text
    lines = []
    for row in rows:
        cells = {term.event: _cell(table, term, text) for term in row.terms}
        separator = row.separated_by
        is_plain = separator in (None, Separator.TOTAL)
        lines.append(
            Line(
                row,
                table.people[row.person],
                text(row.total),
                "" if separator is None or is_plain else str(words.SEPARATORS[separator]),
                [cells.get(number) for number in range(len(table.events))],
            )
        )
    return lines


def _cell(table: SeriesTable, term: Term, text: Callable[[Fraction], str]) -> Cell:
    event = table.events[term.event]
    possible = Fraction(event.possible_halves, 2)
    return Cell(
        event.event,
        term.rank,
        text(term.points),
        words.source_in_words(term, table.rules, possible),
        words.fate_in_words(term, table.rules),
        term.fate is Fate.DROPPED,
        term.fate is Fate.PROVISIONAL,
    )


@answers.computed
def table_csv(_request: HttpRequest, series: str) -> HttpResponse:
    """The table for a spreadsheet."""
    row = get_series(series)
    return attachment(files.csv_of(tables.of(row)), "text/csv; charset=utf-8", f"{row.slug}.csv")


@answers.computed
def archive(_request: HttpRequest, series: str) -> HttpResponse:
    """The series with everything that is needed to compute its totals again."""
    row = get_series(series)
    text = series_archive.text_of(files.archive_of(tables.of(row)))
    return attachment(text, "application/json", f"{row.slug}.json")


@refusals.refusal_as_message
@login_required
@once.once
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new series."""
    form = SeriesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            row = changes.create(
                organiser=signed_in(request), about=form.about(), rules=form.rules()
            )
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The series was created. Add its events."))
            return redirect("series-desk", row.slug)
    status = 422 if form.is_bound else 200
    return render(request, "events/series/new.html", {"form": form}, status=status)


@login_required
@answers.computed
def desk(request: HttpRequest, series: str) -> HttpResponse:
    """The organiser's page: the rules, the events, and rows that are one person."""
    row = _own(request, series)
    form = SeriesForm(request.POST) if request.method == "POST" else SeriesForm.of_series(row)
    if form.is_bound and form.is_valid():
        try:
            changes.change(
                series_id=row.pk,
                actor=signed_in(request),
                about=form.about(),
                rules=form.rules(),
            )
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The series was changed."))
            return redirect("series-desk", row.slug)
    context = {
        "series": row,
        "form": form,
        "rows": row.events.select_related("event"),
        "event_form": SeriesEventForm(events=queries.addable(row)[:100]),
        **_decisions(row),
    }
    status = 422 if form.is_bound else 200
    return render(request, "events/series/desk.html", context, status=status)


def _own(request: HttpRequest, slug: str) -> Series:
    """Return the series for its organiser. Raises Http404, PermissionDenied."""
    row = get_series(slug)
    if not queries.may_change(row, user_of(request)):
        raise PermissionDenied
    return row


def _decisions(series: Series) -> Mapping[str, object]:
    """Return the rows of the table by name, those with several results, and the stored decisions."""
    table = tables.of(series)
    people = sorted(table.people.values(), key=lambda each: each.name.casefold())
    names = {
        key: entry.player.name
        for person in people
        for entry in person.entries.values()
        for signature in [queries.signature(entry)]
        for key in (signature.entry, signature.person)
    }
    decisions = [(each, names.get(each.key, each.key)) for each in series.people.all()]
    return {
        "people": people,
        "entries": [
            (queries.signature(entry).entry, person.name, table.events[number].event.name)
            for person in people
            for number, entry in person.entries.items()
            if len(person.entries) > 1
        ],
        "decisions": [(each, name, names.get(each.same_as, "")) for each, name in decisions],
    }


@members_only
@refusals.refusal_as_message
@answers.computed
def act(request: HttpRequest, series: str) -> HttpResponse:
    """One act of the organiser: the button's name says which."""
    row = get_series(series)
    form = SeriesActForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    code = request.POST.get("act", "")
    changes.run(code=code, series_id=row.pk, actor=signed_in(request), arguments=form.arguments())
    messages.success(request, changes.ACTS[code].done)
    return redirect("events") if code == "delete" else redirect("series-desk", series)
