"""Changes of a series by its organiser: its rules, its events, and the rows that are one person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Entry, Event, Series, SeriesPerson, User
from tournaments.models.series import MAX_DESCRIPTION, MAX_EVENTS, NAME_LENGTH
from tournaments.queries.events import series as queries
from tournaments.services import audit
from tournaments.services.events import registration
from tournaments.services.series import tables
from tournaments.standings.series import BadRulesError, Method, Rules

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MAX_AN_ORGANISER = 100
_RESERVED_SLUGS = {"new"}


@dataclass(frozen=True, slots=True)
class About:
    """The name and the description of a series."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of all acts: the slug of an event, the keys of a row and another one."""

    slug: str = ""
    person: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class SeriesAct:
    """An act on a series, and the message after it. Its function gets the locked series."""

    done: _StrPromise
    function: Callable[[Series, Arguments], None]


def create(*, organiser: User, about: About, rules: Rules) -> Series:
    """Return a new series without events.

    Raises RefusedError: `series-name`, `series-rules`, `series-many`.
    """
    with transaction.atomic():
        # One row of the organiser's, so that two simultaneous requests do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=organiser.pk)
        if Series.objects.filter(organiser=organiser).count() >= MAX_AN_ORGANISER:
            raise RefusedError("series-many", str(MAX_AN_ORGANISER))
        series = Series(organiser=organiser, created_at=database_time.now())
        _fill(series, about, rules)
        registration.save_with_slug(series, _RESERVED_SLUGS)
        audit.note("series-create", actor=organiser, series=series.slug)
        return series


def change(*, series_id: int, actor: User, about: About, rules: Rules) -> Series:
    """Change the name, the description and the rules. The address stays.

    Raises NotAllowedError `not-your-series`, RefusedError `series-name`, `series-rules`, `series-percent`.
    """
    with transaction.atomic():
        series = _lock(series_id, actor)
        before = _words(series)
        _fill(series, about, rules)
        for row in series.events.select_related("event"):
            _require_fits(rules, row.event)
        series.save()
        audit.note(
            "series-change", actor=actor, series=series.slug, before=before, after=_words(series)
        )
        return series


def run(*, code: str, series_id: int, actor: User, arguments: Arguments) -> None:
    """Do an act of `ACTS`, and add it to the audit log.

    Raises:
        NotAllowedError: `not-your-series`.
        RefusedError: `form-bad` for an unknown code, and the errors of the act.
        StaleError: errors of the act.
    """
    if code not in ACTS:
        raise RefusedError("form-bad", code[:40])
    with transaction.atomic():
        series = _lock(series_id, actor)
        ACTS[code].function(series, arguments)
        detail = {name: getattr(arguments, name) for name in ("slug", "person", "other")}
        audit.note(f"series-{code}", actor=actor, series=series.slug, **detail)


def _lock(series_id: int, actor: User) -> Series:
    series = Series.objects.select_for_update(no_key=True).filter(pk=series_id).first()
    if series is None:
        raise StaleError("series-deleted", str(series_id))
    if not queries.may_change(series, actor):
        raise NotAllowedError("not-your-series", series.slug)
    return series


def _fill(series: Series, about: About, rules: Rules) -> None:
    name = " ".join(about.name.split())
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise RefusedError("series-name", name[:NAME_LENGTH])
    try:
        rules.check()
    except BadRulesError as error:
        raise RefusedError(error.code, str(error)) from error
    series.name = name
    series.description = about.description.replace("\x00", "").strip()[:MAX_DESCRIPTION]
    series.method, series.shared, series.best = rules.method, rules.shared, rules.best
    series.place_points = " ".join(map(str, rules.place_points))


def _words(series: Series) -> dict[str, object]:
    """Return the rules as the log keeps them."""
    names = ("name", "method", "place_points", "shared", "best")
    return {name: str(getattr(series, name)) for name in names}


def _require_fits(rules: Rules, event: Event) -> None:
    if rules.method is Method.PERCENT and not queries.has_maximum(event):
        raise RefusedError("series-percent", event.slug)


def _add(series: Series, arguments: Arguments) -> None:
    """Add a public event behind the others.

    Raises RefusedError: `series-event`, `series-event-there`, `series-full`, `series-teams`, `series-percent`.
    """
    slug = arguments.slug
    event = (
        Event.objects.filter(slug=slug, is_private=False).first() if "\x00" not in slug else None
    )
    if event is None:
        raise RefusedError("series-event", slug[:NAME_LENGTH])
    rows = list(series.events.select_related("event"))
    if any(row.event_id == event.pk for row in rows):
        raise RefusedError("series-event-there", slug)
    if len(rows) >= MAX_EVENTS:
        raise RefusedError("series-full", str(MAX_EVENTS))
    if any(row.event.is_of_teams != event.is_of_teams for row in rows):
        raise RefusedError("series-teams", slug)
    _require_fits(queries.rules_of(series), event)
    series.events.create(event=event, position=rows[-1].position + 1 if rows else 1)


def _remove(series: Series, arguments: Arguments) -> None:
    """Remove an event. Raises StaleError `series-event-removed`."""
    if not series.events.filter(event__slug=arguments.slug).delete()[0]:
        raise StaleError("series-event-removed", arguments.slug)


def _move_up(series: Series, arguments: Arguments) -> None:
    """Exchange an event with the one before it. Raises StaleError `series-event-removed`."""
    rows = list(series.events.select_related("event"))
    place = next((n for n, row in enumerate(rows) if row.event.slug == arguments.slug), None)
    if place is None:
        raise StaleError("series-event-removed", arguments.slug)
    if place:
        rows[place - 1], rows[place] = rows[place], rows[place - 1]
    for position, row in enumerate(rows, start=1):
        series.events.filter(pk=row.pk).update(position=position)


def _join(series: Series, arguments: Arguments) -> None:
    """Make the other row part of the row of the person.

    Raises RefusedError: `series-row` for an unknown row, `series-join` if both are in one event.
    """
    people = tables.of(series).people
    one, other = (people.get(key) for key in (arguments.person, arguments.other))
    if one is None or other is None or one is other:
        raise RefusedError("series-row", arguments.other[:NAME_LENGTH])
    if one.entries.keys() & other.entries.keys():
        raise RefusedError("series-join", other.name)
    _store(series, other.key, one.key)


def _separate(series: Series, arguments: Arguments) -> None:
    """Make an entry (`person` is its key) a row without the other entries. Raises RefusedError `series-row`."""
    number = arguments.person.removeprefix("entry:")
    is_key = (
        number != arguments.person and number.isascii() and number.isdigit() and len(number) < 16
    )
    entries = Entry.objects.filter(event__in_series__series=series)
    if not is_key or not entries.filter(pk=int(number)).exists():
        raise RefusedError("series-row", arguments.person[:NAME_LENGTH])
    _store(series, arguments.person, arguments.person)


def _store(series: Series, key: str, same_as: str) -> None:
    SeriesPerson.objects.update_or_create(series=series, key=key, defaults={"same_as": same_as})


def _restore(series: Series, arguments: Arguments) -> None:
    """Delete the decision about a key. Raises StaleError `series-row-restored`."""
    if not series.people.filter(key=arguments.person).delete()[0]:
        raise StaleError("series-row-restored", arguments.person[:NAME_LENGTH])


def _delete(series: Series, _arguments: Arguments) -> None:
    """Delete the series. Its events stay."""
    series.delete()


ACTS: Mapping[str, SeriesAct] = {
    "add": SeriesAct(_("The event was added to the series."), _add),
    "remove": SeriesAct(_("The event was removed from the series."), _remove),
    "earlier": SeriesAct(_("The event was moved up."), _move_up),
    "join": SeriesAct(_("The rows were joined."), _join),
    "separate": SeriesAct(_("The result has its own row."), _separate),
    "restore": SeriesAct(_("The decision was withdrawn."), _restore),
    "delete": SeriesAct(_("The series was deleted."), _delete),
}
