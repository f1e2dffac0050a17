"""Entries to choose from in forms. A template took a second for 5,000 of them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from tournaments.models import Entry


def options(entries_: QuerySet[Entry]) -> SafeString:
    """Return the options of a select with which to choose an entry."""
    return format_html_join(
        "", '<option value="{}">{}</option>', entries_.values_list("pk", "player__name")
    )


def boxes(entries_: QuerySet[Entry]) -> SafeString:
    """To tick several."""
    rows = entries_.values_list("pk", "player__name")
    return format_html_join(
        "",
        '<div><label><input type="checkbox" name="entries" value="{}" id="id_entries_{}"> {}</label></div>',
        ((pk, number, name) for number, (pk, name) in enumerate(rows)),
    )
