"""The picture of a page for messengers and search engines, and the address of its frame by oEmbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tournaments.models import Event, Game, Picture, Player, Puzzle, Study
from tournaments.pictures import PREVIEW_HEIGHT, PREVIEW_WIDTH
from tournaments.queries import previews
from tournaments.queries.ratings.headlines import Headline
from tournaments.services.results import computations

register = template.Library()

_OF_SITE = "rayuela/base/preview.png"
_FRAMED = {Picture.Kind.GAME, Picture.Kind.EVENT}


@dataclass(frozen=True, slots=True)
class _Picture:
    url: str
    alt: str
    embed_url: str = ""
    width: int = PREVIEW_WIDTH
    height: int = PREVIEW_HEIGHT


@register.inclusion_tag("_preview.html")
def preview_of(shared: Game | Puzzle | Study | None) -> dict[str, _Picture]:
    """Draw the tags of the object's picture, or of the site's one without a public object."""
    return {"picture": _picture(previews.of(shared) if shared else None, shared)}


@register.inclusion_tag("_preview.html")
def preview_of_event(event: Event, state: str) -> dict[str, _Picture]:
    """Draw the tags of an event's picture. The drawn move is at most half a minute old."""
    if event.is_private:
        return {"picture": _picture(None, event)}
    return {"picture": computations.recall(_of_event, event, state)}


def _of_event(event: Event) -> _Picture:
    return _picture(previews.of(event), event)


@register.inclusion_tag("_preview.html")
def preview_of_player(player: Player, ratings: Sequence[Headline]) -> dict[str, _Picture]:
    """Draw the tags of the picture of a player with these ratings."""
    return {"picture": _picture(previews.of_player(player, ratings), player)}


def _picture(
    preview: previews.Preview | None, shared: Event | Game | Player | Puzzle | Study | None
) -> _Picture:
    if preview is None or shared is None:
        address = f"{settings.SITE_URL}{staticfiles_storage.url(_OF_SITE)}"
        return _Picture(address, _("Rayuela: tournaments and ratings for abstract board games"))
    embed_url = ""
    if preview.kind in _FRAMED:
        page = f"{settings.SITE_URL}{shared.get_absolute_url()}"
        query = urlencode({"url": page, "format": "json"})
        embed_url = f"{settings.SITE_URL}{reverse('oembed')}?{query}"
    return _Picture(preview.url, preview.alt, embed_url)
