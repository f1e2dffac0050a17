"""The page of the account: what it says, ends, hands out and deletes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments.models import Throttle, User
from tournaments.services.notifications import inbox

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.conf import LazySettings

    from tournaments.models import Event

PASSWORD = "rayuela-73"


@pytest.mark.parametrize("name", ["account", "account-data", "account-delete", "password-change"])
def test_guests_are_asked_to_sign_in(client: Client, db: None, name: str) -> None:
    for answer in (client.get(reverse(name)), client.post(reverse(name))):
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


def test_the_data_come_as_a_file_of_ones_own(ana: User, ben: User) -> None:
    pages.play_out(pages.new_game(ana.player, ben.player))
    answer = pages.member(ana).get(reverse("account-data"))
    assert answer["Content-Disposition"] == 'attachment; filename="rayuela-account.json"'
    assert "no-store" in answer["Cache-Control"]
    document = json.loads(answer.getvalue())
    assert document["player"]["name"] == "Ana"
    assert len(document["games"]) == 1
    assert document["preferences"]["appearance"] == "auto"


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
    assert "Your account is deleted." in answer.content.decode()
    assert "Sign up" in answer.content.decode()
    assert SESSION_KEY not in client.session
    game.refresh_from_db()
    assert game.result == "second"


def test_organisers_see_which_events_hold_them(ana: User, new_event: Callable[..., Event]) -> None:
    event = new_event()
    client = pages.member(ana)
    page = client.get(reverse("account-delete")).content.decode()
    assert event.get_absolute_url() in page
    assert "Delete the account for good" not in page
    refused = client.post(reverse("account-delete"), {"password": PASSWORD})
    assert (refused.status_code, User.objects.get(pk=ana.pk).is_active) == (422, True)


def test_the_password_cannot_be_guessed_on_any_of_the_pages(ana: User) -> None:
    client = pages.member(ana)
    for _ in range(5):
        client.post(reverse("sessions-end"), {"password": "wrong"})
        client.post(reverse("account-delete"), {"password": "wrong"})
    answer = client.post(reverse("sessions-end"), {"password": PASSWORD})
    assert "Too many tries" in answer.content.decode()
    assert Throttle.objects.get().tries == 10


def test_the_right_password_is_not_counted(ana: User) -> None:
    client = pages.member(ana)
    for _ in range(11):
        answer = client.post(reverse("sessions-end"), {"password": PASSWORD})
        assert answer.status_code == 302
