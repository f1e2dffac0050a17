"""E-mails of a site without a mail server: in its terminal, and on a page of its administrator."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import User
from tournaments.services.notifications import email, inbox

_CONSOLE = "django.core.mail.backends.console.EmailBackend"


@pytest.fixture
def administrator(ben: User) -> User:
    ben.is_staff = ben.is_superuser = True
    ben.save()
    return ben


@pytest.fixture
def without_server(settings: Settings) -> None:
    settings.EMAIL_BACKEND = _CONSOLE


@pytest.mark.usefixtures("without_server")
def test_a_forgotten_password_is_replaced_by_the_link_on_the_page_and_in_the_terminal(
    ana: User, administrator: User, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    sent = client.post(reverse("password-reset"), {"email": "ana@example.org"}, follow=True)
    assert "appear in the terminal" in sent.content.decode()
    email.send_due(database_time.now())
    page = pages.member(administrator).get(reverse("mail")).content.decode()
    link = page.partition('<a href="http')[2].partition('"')[0]
    assert "/sign-in/reset/" in link
    assert f"http{link}" in capsys.readouterr().out
    assert "ana@example.org" in page
    assert client.get("/" + link.split("/", 3)[3], follow=True).status_code == 200


@pytest.mark.usefixtures("without_server")
def test_the_account_page_says_where_e_mails_are(ana: User, administrator: User) -> None:
    sentence = "appear in the terminal in which it was started"
    own = pages.member(ana).get(reverse("account")).content.decode()
    assert sentence in own
    assert reverse("mail") not in own
    assert reverse("mail") in pages.member(administrator).get(reverse("account")).content.decode()


@pytest.mark.usefixtures("without_server")
def test_nobody_else_reads_them(ana: User) -> None:
    assert pages.member(ana).get(reverse("mail")).status_code == 404
    assert Client().get(reverse("mail")).status_code in {302, 404}


def test_nobody_reads_what_a_server_sends(administrator: User) -> None:
    assert pages.member(administrator).get(reverse("mail")).status_code == 404
