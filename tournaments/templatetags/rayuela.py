"""Words and numbers as pages show them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import games
from tournaments.models import Event, Game, Player, User
from tournaments.queries import formats
from tournaments.services.notifications import kinds
from tournaments.text import (
    clocks,
    descriptions,
    help_pages,
    house,
    points,
    refusals,
    rulesets,
    tie_breaks,
)

register = template.Library()
register.filter(clocks.clock_of)
register.filter(clocks.waiting_time)
register.filter(house.event_name)
register.filter(points.halves)
register.filter(points.quarters)
register.filter("tie_break_value", points.tie_break)


@register.simple_tag
def form_key() -> SafeString:
    """The hidden field by which a form that is sent twice acts once (`tournaments.views.once`)."""
    return format_html(
        '<input type="hidden" name="form_key" value="{}">', secrets.token_urlsafe(16)
    )


@register.simple_tag(name="help")
def help_link(target: str) -> SafeString:
    """Return a link to a heading of the help, such as `organise/rounds#grace-time`."""
    words = _("Help: %(title)s") % {"title": help_pages.title(target)}
    return format_html(
        '<a class="help-link small" href="{}">{}</a>', help_pages.address(target), words
    )


register.simple_tag(help_pages.address, name="help_address")


@register.simple_tag
def listen_to(stream: str, page: str) -> SafeString:
    """Return the attributes of an element that listens to a stream as pages of this sort do.

    `page` is a `kinds.Page`. Scripts read the attributes (`follow` in `base/live.js`).
    """
    codes = " ".join(kinds.codes_of(kinds.Page(page)))
    return format_html('data-stream="/stream/{}" data-kinds="{}"', stream, codes)


@register.filter
def of(items: Mapping[object, object], key: object) -> object:
    """Return the value of `items` for the key, or None without one."""
    return items.get(key)


@register.filter
def at(items: Sequence[object], place: int) -> object:
    """The item at that place, from 0."""
    return items[place]


@register.filter
def tie_break_name(name: str) -> str:
    """A tie-break in words: `Buchholz, without the lowest`."""
    return tie_breaks.name_of(name)


@register.filter
def tie_break_meaning(name: str) -> str:
    """Return the meaning of a tie-break, in half a line."""
    return tie_breaks.meaning_of(name)


@register.filter
def elo(centielo: int) -> int:
    """Hundredths of an Elo point in whole points."""
    return round(centielo / 100)


@register.filter
def signed(number: float) -> str:
    """A change with its sign: `+8.1`, `−3.4`, `±0`."""
    if not number:
        return "±0"
    return f"{number:+.1f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def clock(milliseconds: int) -> str:
    """Time left: `9:58`, `1:02:03`, or days and hours when there are days."""
    seconds = -(-milliseconds // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return _("%(days)dd %(hours)dh") % {"days": days, "hours": hours}
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@register.filter
def millionths(number: int) -> str:
    """Millionths of a point with three decimals: 759_747 -> `0.760`."""
    return f"{number / 1_000_000:.3f}"


@register.filter
def signed_millionths(number: int) -> str:
    """Millionths of a point with their sign and three decimals: -240_253 -> `−0.240`."""
    return _with_minus(f"{number / 1_000_000:+.3f}")


@register.filter
def hundredths(number: int) -> str:
    """Return hundredths with the decimals that they need: 1500_00 -> `1500`, 76 -> `0.76`."""
    return _with_minus(f"{number / 100:.2f}".removesuffix(".00"))


@register.filter
def signed_hundredths(number: int) -> str:
    """Return hundredths with their sign: 810 -> `+8.10`, -342 -> `−3.42`, 0 -> `±0`."""
    return ("+" if number > 0 else "") + hundredths(number) if number else "±0"


@register.filter
def signed_whole(number: int) -> str:
    """A whole number with its sign: `+8`, `−3`, `±0`."""
    return _with_minus(f"{number:+d}") if number else "±0"


@register.filter
def times(number: int, factor: int) -> int:
    """The product of two whole numbers."""
    return number * factor


def _with_minus(number: str) -> str:
    return number.replace("-", "\N{MINUS SIGN}")


@register.filter
def four_digits(number: str) -> str:
    """A number with four significant digits: `0.1235` for `0.12345678901234568`. Whole ones in full."""
    return f"{float(number):.4g}" if "." in number or "e" in number else number


@register.filter
def thousandths(number: int) -> str:
    """Thousandths as per cent: 975 -> `97.5 %`."""
    return f"{number / 10:.1f} %"


@register.filter
def bin_name(from_millionths: int) -> str:
    """A bin of predicted scores by its bounds: 450_000 -> `0.45–0.50`."""
    start = from_millionths / 1_000_000
    return f"{start:.2f}–{start + 0.05:.2f}"


@register.filter
def bot_mark(player: Player) -> SafeString:
    """Return the mark behind the name of a bot, or an empty text for other players."""
    if not player.is_bot:
        return SafeString()
    word = _("remote bot") if player.is_remote else _("bot")
    return format_html(
        '<span class="bot-mark" title="{0}"><span class="visually-hidden">{0}</span></span>',
        word,
    )


@register.filter
def person_name(user: User) -> str:
    """The name an account is known by: its player's, or that of an account that does not play."""
    player = getattr(user, "player", None)
    return player.name if player else user.get_username()


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """Return whether a form's field is drawn as a box to tick, with its label behind it."""
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def has_several_boxes(field: BoundField) -> bool:
    """Return whether a form's field is drawn as several boxes to tick."""
    return isinstance(field.field.widget, CheckboxSelectMultiple)


@register.filter
def refusal_sentence(code: str) -> str:
    """The sentence for the code of a refusal."""
    return refusals.sentence_of(code)


@register.filter
def format_name(value: str) -> str:
    """The name of a format of events."""
    return str(Event.Format(value).label)


@register.filter
def is_length_known(event: Event) -> bool:
    """Return whether `rounds_total` is known, and does not follow from the entries later."""
    return event.state != Event.State.REGISTRATION or formats.of(event).has_chosen_length


@register.filter
def votes_of(key: str) -> list[tuple[str, str]]:
    """The votes on the set-up of a rule set, each with its words."""
    return rulesets.votes_of(key)


@register.filter
def ruleset_name(key: str) -> str:
    """A rule set's key in words."""
    return rulesets.ruleset_name(key)


@register.filter
def family_name(name: str) -> str:
    """A game as people know it."""
    return str(rulesets.family_name(name))


@register.filter
def visible(text: str) -> str:
    """A stranger's text with unprintable characters, except line ends, escaped as in Python."""
    characters = (c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
    return "".join(characters)


@register.filter
def family(key: str) -> str:
    """The game a rule set's key belongs to, as addresses name it."""
    return key.partition("(")[0]


@register.filter
def score(game: Game) -> str:
    """The result as it is written between the two names."""
    return score_of(game.result or "")


@register.filter
def ending_name(ending: str) -> str:
    """Return the ending of a game, in words.

    Django's own `get_ending_display` translates all choices to return one.
    """
    return str(Game.Ending(ending).label) if ending else ""


@register.filter
def score_of(result: str) -> str:
    """Return a result of `Game.Result` as it is written between two names, or a dot without a result."""
    scores: dict[str, str] = {
        Game.Result.FIRST: "1–0",
        Game.Result.SECOND: "0–1",
        Game.Result.DRAW: "½–½",
        Game.Result.FIRST_FORFEIT: "+ −",
        Game.Result.SECOND_FORFEIT: "− +",
        Game.Result.DOUBLE_FORFEIT: "− −",
        Game.Result.VOID: "–",
        Game.Result.DRAW_LOSS: "½–0",
        Game.Result.LOSS_DRAW: "0–½",
        Game.Result.BOTH_LOST: "0–0",
        Game.Result.SHORT_FIRST: "W–L",
        Game.Result.SHORT_SECOND: "L–W",
        Game.Result.SHORT_DRAW: "D–D",
    }
    return scores.get(result, "·")


@register.filter
def colour_name(colour: str) -> str:
    """A side's colour in words."""
    return descriptions.colour_name(colour)


@register.filter
def in_readers_language(description: str) -> str:
    """Return a description as its author wrote it, or one of the site's own in the reader's language."""
    return house.in_readers_language(description)


@register.filter
def notices_of(position: games.Position) -> list[str]:
    """The facts beside the board of a position, in sentences."""
    sentences = (descriptions.notice(position.ruleset, fact) for fact in position.notices())
    return [sentence for sentence in sentences if sentence]


@register.simple_tag
def game_names() -> str:
    """All games in a list."""
    return rulesets.family_names()
