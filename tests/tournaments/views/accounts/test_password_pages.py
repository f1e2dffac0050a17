"""Pages for passwords: the forgotten, the changed, and the guessed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments import database_time
from tournaments.edges import streams as edge
from tournaments.models import Email, Inbox, Throttle, User
from tournaments.services.accounts import passwords
from tournaments.services.notifications import email, inbox, news

PASSWORD = "rayuela-1963"
NEW = {"new_password1": "cronopio-1962", "new_password2": "cronopio-1962"}


@pytest.fixture
def confirmed(ana: User) -> User:
    """Ana, with an address that she has confirmed."""
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    return ana


def _ask(address: str = "ana@example.org", client: Client | None = None) -> list[str]:
    """Return the reset links that are sent after a request."""
    mail.outbox.clear()
    answer = (client or Client()).post(reverse("password-reset"), {"email": address})
    assert answer["Location"] == reverse("password-reset-done")
    email.send_due(database_time.now())
    return [
        link
        for letter in mail.outbox
        for link in re.findall(r"http://127\.0\.0\.1:8000(/sign-in/reset/\S+)", str(letter.body))
    ]


def _form(client: Client, link: str) -> str | None:
    """Return the address of the form for the new password behind the link, or None when the link is void."""
    answer = client.get(link, follow=True)
    assert answer.status_code == 200
    if b"new_password1" not in answer.content:
        assert b"has been used, has expired" in answer.content
        return None
    return str(answer.redirect_chain[-1][0])


def _is_void(link: str) -> bool:
    return _form(Client(), link) is None


def _can_sign_in(password: str, name: str = "Ana") -> bool:
    client = Client()
    client.post(reverse("sign-in"), {"username": name, "password": password})
    return SESSION_KEY in client.session


def test_a_forgotten_password_is_replaced_by_way_of_the_confirmed_address(confirmed: User) -> None:
    client = Client()
    assert reverse("password-reset") in client.get(reverse("sign-in")).content.decode()
    elsewhere = pages.member(confirmed)
    (link,) = _ask("ANA@example.org", client)
    assert mail.outbox[0].to == ["ana@example.org"]
    address = _form(client, link)
    assert address is not None
    answer = client.post(address, NEW)
    assert answer["Location"] == reverse("password-reset-complete")
    assert _can_sign_in(NEW["new_password1"])
    assert not _can_sign_in(PASSWORD)
    assert elsewhere.get(reverse("notices")).status_code == 302


def test_a_link_works_once(confirmed: User) -> None:
    client = Client()
    (link,) = _ask()
    address = _form(client, link)
    assert address is not None
    client.post(address, NEW)
    assert _is_void(link)
    again = {"new_password1": "another-word-62", "new_password2": "another-word-62"}
    client.post(address, again)
    assert _can_sign_in(NEW["new_password1"])


def test_a_link_expires_after_a_day(
    confirmed: User, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (link,) = _ask()
    assert not _is_void(link)
    assert settings.PASSWORD_RESET_TIMEOUT == 24 * 3600
    tokens = passwords.reset_tokens
    now = tokens._now()  # as Django's own tests do
    later = now + timedelta(seconds=24 * 3600 + 2)
    monkeypatch.setattr(tokens, "_now", lambda: later)
    assert _is_void(link)


def test_a_link_is_for_its_own_account(confirmed: User, ben: User) -> None:
    inbox.confirm_address(inbox.ask_address(ben, "ben@example.org", language="en"))
    (of_ana,), (of_ben,) = _ask(), _ask("ben@example.org")
    *front, user_id, token, _end = of_ana.split("/")
    *_front, other_id, other_token, _end = of_ben.split("/")
    assert _is_void("/".join([*front, other_id, token, ""]))
    assert _is_void("/".join([*front, user_id, other_token, ""]))
    assert _is_void("/".join([*front, "x", token, ""]))
    assert not _is_void(of_ana)


def test_a_link_ends_with_a_change_of_the_address(confirmed: User) -> None:
    (link,) = _ask()
    inbox.forget_address(confirmed)
    assert _is_void(link)


@pytest.mark.parametrize("address", ["nobody@example.org", "ana@example.org"])
def test_the_answer_does_not_tell_whether_an_address_is_known(
    confirmed: User, address: str
) -> None:
    client = Client()
    answer = client.post(reverse("password-reset"), {"email": address}, follow=True)
    assert answer.redirect_chain == [(reverse("password-reset-done"), 302)]
    page = answer.content.decode()
    assert "If an account has confirmed this address" in page
    assert address not in page


def test_only_confirmed_addresses_get_a_link(ana: User) -> None:
    inbox.ask_address(ana, "ana@example.org", language="en")
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")
    assert _ask() == []
    assert _ask("nobody@example.org") == []


def test_accounts_that_nobody_may_enter_get_no_link(confirmed: User) -> None:
    User.objects.filter(pk=confirmed.pk).update(is_active=False)
    assert _ask() == []


def test_every_account_of_an_address_gets_its_link(confirmed: User, ben: User) -> None:
    inbox.confirm_address(inbox.ask_address(ben, "ana@example.org", language="ja"))
    assert len(_ask()) == 2
    assert len({letter.subject for letter in mail.outbox}) == 2


def test_an_account_gets_five_links_a_day(confirmed: User) -> None:
    assert [len(_ask()) for _ in range(6)] == [1, 1, 1, 1, 1, 0]
    Email.objects.update(made_at=database_time.now() - timedelta(days=2))
    assert len(_ask()) == 1


def test_one_place_asks_ten_times_an_hour(confirmed: User) -> None:
    for n in range(10):
        _ask(f"nobody{n}@example.org")
    answer = Client().post(reverse("password-reset"), {"email": "ana@example.org"})
    assert answer.status_code == 429
    assert b"Too many requests for a new password" in answer.content
    assert Email.objects.count() == 0
    Throttle.objects.update(until=database_time.now() - timedelta(seconds=1))
    assert len(_ask()) == 1


def test_a_site_without_mail_says_so(confirmed: User, settings: LazySettings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    client = Client()
    for page in (
        client.get(reverse("password-reset")),
        client.post(reverse("password-reset"), {"email": "ana@example.org"}),
    ):
        assert b"This site sends no e-mail" in page.content
        assert b'<input type="email"' not in page.content
    assert Email.objects.count() == 0


def test_a_change_ends_the_other_sessions_and_keeps_this_one(ana: User) -> None:
    here, elsewhere = pages.member(ana), pages.member(ana)
    topic = [news.of_user(ana.pk)]
    keys = [str(client.session.session_key) for client in (here, elsewhere)]
    assert [edge.access_to(topic, key) for key in keys] == [edge.Access.GRANTED] * 2
    answer = here.post(reverse("password-change"), {"old_password": PASSWORD, **NEW})
    assert answer["Location"] == reverse("account")
    assert here.get(reverse("account")).status_code == 200
    assert elsewhere.get(reverse("notices")).status_code == 302
    assert edge.access_to(topic, keys[1]) == edge.Access.FORBIDDEN
    assert edge.access_to(topic, str(here.session.session_key)) == edge.Access.GRANTED


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"old_password": "wrong"}, "This is not your password."),
        ({"new_password1": "12345678", "new_password2": "12345678"}, "too common"),
        ({"new_password2": "cronopio-1963"}, "match."),
    ],
    ids=["old-wrong", "new-weak", "new-differs"],
)
def test_a_change_that_is_refused_changes_nothing(
    ana: User, sent: dict[str, str], sentence: str
) -> None:
    form = {"old_password": PASSWORD, **NEW, **sent}
    page = pages.member(ana).post(reverse("password-change"), form).content
    assert sentence in pages.text_of(page)
    assert _can_sign_in(PASSWORD)


@pytest.mark.long
def test_the_old_password_cannot_be_guessed_from_within(ana: User) -> None:
    client = pages.member(ana)
    for n in range(10):
        client.post(reverse("password-change"), {"old_password": f"wrong {n}", **NEW})
    page = client.post(reverse("password-change"), {"old_password": PASSWORD, **NEW}).content
    assert b"Too many wrong passwords" in page
    assert _can_sign_in(PASSWORD)


def test_who_guesses_is_stopped_even_with_the_right_password(ana: User) -> None:
    client, address = Client(), reverse("sign-in")
    for n in range(10):
        client.post(address, {"username": "ana", "password": f"wrong {n}"})
    answer = client.post(address, {"username": "ana", "password": PASSWORD})
    assert b"Too many tries" in answer.content
    assert SESSION_KEY not in client.session
    Throttle.objects.update(until=database_time.now() - timedelta(seconds=1))
    client.post(address, {"username": "ana", "password": PASSWORD})
    assert SESSION_KEY in client.session


@pytest.mark.long
def test_who_signs_in_often_is_not_stopped(ana: User) -> None:
    assert all(_can_sign_in(PASSWORD) for _ in range(12))


def test_a_name_may_be_written_as_one_likes(ana: User) -> None:
    assert _can_sign_in(PASSWORD, " aNA ")


def test_a_deleted_inbox_leaves_no_link(confirmed: User) -> None:
    (link,) = _ask()
    Inbox.objects.all().delete()
    assert _is_void(link)
