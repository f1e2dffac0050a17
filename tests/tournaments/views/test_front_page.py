"""The front page for visitors: drawn when there is news, and not for each of them."""

from __future__ import annotations

import re
from functools import partial

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from tests import work
from tests.tournaments import large_events
from tournaments.models import Event
from tournaments.services.accounts import players
from tournaments.services.notifications import news

pytestmark = pytest.mark.django_db


def test_the_next_visitor_costs_a_tenth() -> None:
    Client().get("/archive/")  # whatever is loaded once
    first, second = (work.calls(partial(Client().get, "/")) for _ in range(2))
    assert 10 * second < first


@pytest.mark.long
def test_what_happens_is_on_the_page_at_once_or_after_the_lag(settings: LazySettings) -> None:
    assert "Large" not in Client().get("/").content.decode()
    event = large_events.published(4, "Large")
    assert "Large" in Client().get("/").content.decode()
    settings.NEWS_LAG_S = 60
    Event.objects.filter(pk=event.pk).update(name="Renamed")
    news.announce(news.SITE, "event", {"event": event.pk})
    assert "Renamed" not in Client().get("/").content.decode()
    settings.NEWS_LAG_S = 0
    assert "Renamed" in Client().get("/").content.decode()


def test_a_visitor_finds_one_primary_button() -> None:
    page = Client().get("/").content.decode()
    [primary] = re.findall(r'<a class="button primary[^>]*href="([^"]*)"', page)
    assert primary == reverse("lobby")


def test_members_languages_and_looks_have_pages_of_their_own() -> None:
    Client().get("/")
    member = Client()
    member.force_login(players.sign_up(name="Ana", password="rayuela-1963"))
    assert reverse("sign-out") in member.get("/").content.decode()
    assert reverse("sign-out") not in Client().get("/").content.decode()
    assert 'lang="ja"' in Client().get("/", headers={"accept-language": "ja"}).content.decode()
    assert 'lang="en"' in Client().get("/").content.decode()


def test_the_menu_under_the_name_leads_to_profile_settings_and_account() -> None:
    member, user = Client(), players.sign_up(name="Ana", password="rayuela-1963")
    member.force_login(user)
    menu = member.get("/").content.decode().split('<details class="menu"')[1].split("</details>")[0]
    assert "Ana" in menu.split("</summary>")[0]
    pages = (user.player.get_absolute_url(), reverse("settings"), reverse("account"))
    assert all(f'href="{page}"' in menu for page in pages)
    assert f'action="{reverse("sign-out")}"' in menu
    assert '<details class="menu"' not in Client().get("/").content.decode()
