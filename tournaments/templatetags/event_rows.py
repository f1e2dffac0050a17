"""The cells of long tables of events. Drawn here, as a template took longer for them than for the rest of its page."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.models import Entry, Player
from tournaments.queries.results.standings import EventRow
from tournaments.standings import TieBreak
from tournaments.templatetags.rayuela import bot_mark
from tournaments.text.points import halves, tie_break

register = template.Library()

_MEDALS = 3


@register.filter
def player_link(player: Player) -> SafeString:
    """The player's name, with the address of the page if there is one."""
    if player.is_guest or player.is_listed or player.is_team:
        return format_html('<span class="player">{}</span>', player.name)
    link = format_html('<a class="player" href="{}">{}</a>', player.get_absolute_url(), player.name)
    return format_html("{}{}", link, bot_mark(player)) if player.is_bot else link


@register.filter
def entry_link(entry: Entry) -> SafeString:
    """The title of a player, if there is one, and the name with its address."""
    return format_html("{}{}", title_mark(entry), player_link(entry.player))


@register.filter
def title_mark(entry: Entry) -> SafeString:
    """The title of a player with the space behind it; empty without one."""
    if not entry.title:
        return SafeString()
    return format_html('<span class="title small soft">{}</span> ', entry.title)


@register.filter
def standing_before(entry: Entry, points_before: Mapping[int, int]) -> SafeString:
    """Return the text beside a name in the pairings: number, rating, points before the round."""
    if not entry.tpn:
        return SafeString()
    words = [_("No. %(number)s") % {"number": entry.tpn}]
    if entry.seed_elo is not None:
        words.append(str(entry.seed_elo))
    points = halves(points_before.get(entry.pk))
    words.append(_("%(points)s pts") % {"points": points})
    return format_html(' <span class="soft small">{}</span>', " · ".join(words))


@register.simple_tag
def rank(place: int | None, points_halves: int) -> SafeString | str:
    """Return a place, or a dash without one. The first three with points are medals."""
    if place is None:
        return "–"
    if place > _MEDALS or not points_halves:
        return str(place)
    return format_html('<span class="medal medal-{}">{}</span>', place, place)


@register.simple_tag
def value_cells(row: EventRow, tie_breaks: list[TieBreak], page: int) -> SafeString:
    """The tie-breaks of a row of the standings, each the address that opens it."""
    cells = []
    for value, each in zip(row.values, tie_breaks, strict=False):
        decides = row.separated_by == each.name
        link = SafeString()
        if value:
            link = format_html(
                '<a href="?{}of={}&amp;by={}#opened"{}>{}</a>',
                format_html("page={}&amp;", page) if page > 1 else "",
                row.entry.tpn,
                quote(each.name),
                _decisive() if decides else "",
                tie_break(value),
            )
        cells.append(
            format_html(
                '<td class="number{}" data-label="{}">{}</td>',
                " decides" if decides else "",
                each.name,
                link,
            )
        )
    return mark_safe("".join(cells))  # noqa: S308 - of cells that are


def _decisive() -> SafeString:
    return format_html(' title="{}"', _("this put the row behind the one above"))
