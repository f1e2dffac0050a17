"""The page of the account: its contents, sessions, downloads and deletion."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.conf import LazySettings, settings
from django.contrib.auth import SESSION_KEY
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import Session, Throttle, User
from tournaments.services.notifications import inbox
from tournaments.views import limits
from tournaments.views.accounts import sign_ins

PASSWORD = "rayuela-1963"


@pytest.mark.parametrize("name", ["account", "account-data", "account-delete", "password-change"])
def test_guests_are_asked_to_sign_in(client: Client, db: None, name: str) -> None:
    answers = [client.get(reverse(name))]
    if name in limits.LIMITS:
        answers.append(client.post(reverse(name)))
    for answer in answers:
        assert answer["Location"] == f"/sign-in/?next={reverse(name)}"


def test_every_page_and_the_settings_lead_to_the_account(ana: User) -> None:
    client = pages.member(ana)
    address = f'href="{reverse("account")}"'
    assert address in client.get("/").content.decode()
    assert client.get(reverse("settings")).content.decode().count(address) == 2
    assert address not in Client().get(reverse("settings")).content.decode()


def test_it_says_whether_an_address_is_confirmed(ana: User, settings: LazySettings) -> None:
    client = pages.member(ana)

    def text() -> str:
        return pages.text_of(client.get(reverse("account")).content)

    assert "Without a confirmed address" in text()
    token = inbox.ask_address(ana, "ana@example.org", language="en")
    assert "ana@example.org is not confirmed yet." in text()
    inbox.confirm_address(token)
    assert "E-mails go to ana@example.org." in text()
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    assert "This site sends no e-mail" in text()


def test_other_devices_are_signed_out_and_this_one_is_not(ana: User, ben: User) -> None:
    here, elsewhere, of_ben = pages.member(ana), pages.member(ana), pages.member(ben)
    refused = here.post(reverse("sessions-end"), {"password": "wrong"})
    assert refused.status_code == 422
    assert "This is not your password." in refused.content.decode()
    assert here.post(reverse("sessions-end")).status_code == 422
    assert elsewhere.get(reverse("account")).status_code == 200
    answer = here.post(reverse("sessions-end"), {"password": PASSWORD})
    assert answer["Location"] == reverse("account")
    assert here.get(reverse("account")).status_code == 200
    assert elsewhere.get(reverse("account")).status_code == 302
    assert of_ben.get(reverse("account")).status_code == 200
    ana.refresh_from_db()
    assert ana.check_password(PASSWORD)


_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
_PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1"
)


def _device(user_agent: str, name: str, address: str = "192.0.2.7") -> Client:
    client = Client(headers={"User-Agent": user_agent}, REMOTE_ADDR=address)
    client.post(reverse("sign-in"), {"username": name, "password": PASSWORD})
    return client


def _ends(client: Client) -> list[str]:
    """Return the targets of the buttons that end a session."""
    page = client.get(reverse("account")).content.decode()
    return re.findall(r'action="(/account/sessions/\w+/end/)"', page)


@pytest.mark.long
def test_devices_are_listed_and_one_is_signed_out(ana: User, ben: User) -> None:
    here, phone = _device(_FIREFOX, "Ana"), _device(_PHONE, "Ana", "198.51.100.9")
    elsewhere, of_ben = _device(_FIREFOX, "Ana"), _device(_PHONE, "Ben")
    page = pages.text_of(here.get(reverse("account")).content)
    assert page.count("Firefox, Linux") == 2
    assert page.count("Safari, iPhone") == 1
    assert "198.51.100.9" in page
    assert page.index("this one") < page.index("Safari, iPhone")
    keys = {row.pk for row in Session.objects.all()}
    assert not any(key in here.get(reverse("account")).content.decode() for key in keys)
    of_phone = next(iter({*_ends(here)} & {*_ends(elsewhere)}))
    assert "signed out" in pages.text_of(here.post(of_phone, follow=True).content)
    assert phone.get(reverse("account")).status_code == 302
    assert elsewhere.get(reverse("account")).status_code == 200
    again = pages.text_of(here.post(of_phone, follow=True).content)
    assert "This device has already been signed out." in again
    (of_here,) = _ends(elsewhere)
    assert "already" in pages.text_of(here.post(of_here, follow=True).content)  # this one itself
    assert "already" in pages.text_of(of_ben.post(of_here, follow=True).content)
    assert here.get(reverse("account")).status_code == 200


def test_what_a_new_password_has_ended_is_no_device(ana: User) -> None:
    here, _elsewhere = _device(_FIREFOX, "Ana"), _device(_PHONE, "Ana")
    assert len(_ends(here)) == 1
    here.post(reverse("sessions-end"), {"password": PASSWORD})
    assert _ends(here) == []


def test_a_session_that_is_used_lasts_on(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = _device(_FIREFOX, "Ana")
    (before,) = Session.objects.all()
    client.get(reverse("account"))
    assert Session.objects.get().expire_date == before.expire_date  # saved once a day
    moment = database_time.now() + timedelta(days=3)
    monkeypatch.setattr(database_time, "now", lambda: moment)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(reverse("account"))
    assert "tournaments_session" in "".join(q["sql"] for q in captured if "UPDATE" in q["sql"])
    assert Session.objects.get().expire_date > before.expire_date
    assert Session.objects.get().session_data == before.session_data
    assert answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == settings.SESSION_COOKIE_AGE


def test_a_database_that_takes_no_rows_renews_nothing_and_shows_the_page(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = _device(_FIREFOX, "Ana")
    moment = database_time.now() + timedelta(days=3)
    monkeypatch.setattr(database_time, "now", lambda: moment)

    def full(*_: object, **__: object) -> int:
        raise OperationalError("disk full")

    monkeypatch.setattr("django.db.models.query.QuerySet.update", full)
    answer = client.get(reverse("settings"))
    assert answer.status_code == 200
    assert settings.SESSION_COOKIE_NAME not in answer.cookies


def test_what_shared_caches_keep_carries_no_cookie(
    ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pages.finished_game(ana.player, ben.player, "first")
    client = _device(_FIREFOX, "Ana")
    moment = database_time.now() + timedelta(days=3)
    monkeypatch.setattr(database_time, "now", lambda: moment)
    answer = client.get(reverse("game-board-svg", args=[game.pk]))
    assert "public" in answer["Cache-Control"]
    assert not answer.cookies


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (_FIREFOX, "Firefox, Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/142.0 Safari/537.36 Edg/142.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18.5 Safari/605.1",
            "Safari, macOS",
        ),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/142.0 Mobile Safari/537.36", "Chrome, Android"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "an unknown browser"),
    ],
)
def test_browsers_are_named(user_agent: str, words: str) -> None:
    assert sign_ins.browser_words(user_agent) == words


def test_the_data_come_as_a_file_of_ones_own(ana: User, ben: User) -> None:
    pages.play_out(pages.new_game(ana.player, ben.player))
    answer = pages.member(ana).get(reverse("account-data"))
    assert answer["Content-Disposition"] == 'attachment; filename="rayuela-account.json"'
    assert "no-store" in answer["Cache-Control"]
    document = json.loads(answer.getvalue())
    assert document["player"]["name"] == "Ana"
    assert len(document["games"]) == 1
    assert document["preferences"]["appearance"] == "auto"


@pytest.mark.long
def test_the_account_is_deleted_with_the_password_only(ana: User, ben: User) -> None:
    client = pages.member(ana)
    game = pages.new_game(ana.player, ben.player)
    page = pages.text_of(client.get(reverse("account-delete")).content)
    assert "You resign 1 game that is being played." in page
    assert f"under the name Deleted player {ana.player.pk}" in page
    assert client.post(reverse("account-delete")).status_code == 422
    refused = client.post(reverse("account-delete"), {"password": "wrong"})
    assert (refused.status_code, User.objects.get(pk=ana.pk).is_active) == (422, True)
    answer = client.post(reverse("account-delete"), {"password": PASSWORD}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Your account was deleted." in answer.content.decode()
    assert "Sign up" in answer.content.decode()
    assert SESSION_KEY not in client.session
    game.refresh_from_db()
    assert game.result == "second"


def test_organisers_see_which_events_hold_them(ana: User) -> None:
    event = event_of(ana)
    client = pages.member(ana)
    page = client.get(reverse("account-delete")).content.decode()
    assert event.get_absolute_url() in page
    assert "Delete account permanently" not in page
    refused = client.post(reverse("account-delete"), {"password": PASSWORD})
    assert (refused.status_code, User.objects.get(pk=ana.pk).is_active) == (422, True)


@pytest.mark.long
def test_the_password_cannot_be_guessed_on_any_of_the_pages(ana: User) -> None:
    client = pages.member(ana)
    for _ in range(5):
        client.post(reverse("sessions-end"), {"password": "wrong"})
        client.post(reverse("account-delete"), {"password": "wrong"})
    answer = client.post(reverse("sessions-end"), {"password": PASSWORD})
    assert answer.status_code == 429
    assert "Too many wrong passwords" in answer.content.decode()
    assert Throttle.objects.get().tries == 10


def test_the_right_password_is_not_counted(ana: User) -> None:
    client = pages.member(ana)
    for _ in range(11):
        answer = client.post(reverse("sessions-end"), {"password": PASSWORD})
        assert answer.status_code == 302
