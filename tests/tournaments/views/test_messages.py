"""The pages of private messages."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments.models import ChatLine, ChatReport, Inbox, Player, User
from tournaments.queries.accounts import private_messages
from tournaments.services.accounts import players
from tournaments.services.games import chat
from tournaments.services.games import private_messages as services


def _conversation(other: User) -> str:
    return reverse("conversation", args=[other.player.pk])


def _post(reader: User, other: User, text: str, **headers: str) -> int:
    address = reverse("message-write", args=[other.player.pk])
    return pages.member(reader).post(address, {"text": text}, headers=headers).status_code


def _page(reader: User, address: str) -> str:
    return pages.member(reader).get(address).content.decode()


def test_a_message_is_written_by_a_form_and_read_on_the_page(ana: User, ben: User) -> None:
    assert _post(ana, ben, "One\nTwo") == 302
    assert private_messages.unread(ben.player) == 1
    assert "One<br>Two" in _page(ben, _conversation(ana))
    assert private_messages.unread(ben.player) == 0


def test_every_page_has_the_number_of_unread_messages(ana: User, ben: User) -> None:
    number = '<span class="chip" data-unread>2</span>'
    assert number not in _page(ben, reverse("settings"))
    for text in ("One", "Two"):
        services.write(author=ana.player, recipient=ben.player, text=text)
    assert _page(ben, reverse("settings")).count(number) == 2
    assert number not in _page(ana, reverse("settings"))


def test_a_text_is_no_markup_and_an_address_becomes_a_link(ana: User, ben: User) -> None:
    text = "<b>See</b> https://example.org/?a=1&b=2 or javascript:alert(1)"
    services.write(author=ana.player, recipient=ben.player, text=text)
    page = _page(ben, _conversation(ana))
    assert "&lt;b&gt;See&lt;/b&gt;" in page
    assert '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow">' in page
    assert 'href="javascript' not in page


def test_a_script_gets_an_empty_answer_or_the_refusal(ana: User, ben: User) -> None:
    assert _post(ana, ben, "Hello", accept="application/json") == 204
    assert _post(ana, ben, "", accept="application/json") == 422


def test_a_form_that_is_sent_twice_writes_once(ana: User, ben: User) -> None:
    client, address = pages.member(ana), reverse("message-write", args=[ben.player.pk])
    for _ in range(2):
        client.post(address, {"text": "Hello", "form_key": "k" * 20})
    assert ChatLine.objects.filter(author=ana.player).count() == 1


def test_the_name_of_a_player_leads_to_the_conversation(ana: User, ben: User) -> None:
    address = reverse("conversations")
    answer = pages.member(ana).get(address, {"to": " BEN "})
    assert (answer.status_code, answer["Location"]) == (302, _conversation(ben))
    assert "No player is called Nemo." in _page(ana, f"{address}?to=Nemo")


@pytest.mark.parametrize("before", ["", "x", "-1", "²", "9" * 30, "0"])
def test_a_strange_number_in_the_address_is_no_fault(ana: User, ben: User, before: str) -> None:
    services.write(author=ana.player, recipient=ben.player, text="Hello")
    for address in (reverse("conversations"), _conversation(ben)):
        assert pages.member(ana).get(address, {"before": before}).status_code == 200


def test_the_page_tells_why_the_form_is_missing(ana: User, ben: User) -> None:
    assert 'name="text"' in _page(ana, _conversation(ben))
    services.choose_writers(ben, Inbox.Writers.NO_ONE)
    page = _page(ana, _conversation(ben))
    assert 'name="text"' not in page
    assert "This player accepts no messages from you." in page


def test_oneself_bots_and_guests_have_no_conversation(
    ana: User, bots: list[Player], client: Client
) -> None:
    member = pages.member(ana)
    for pk in (ana.player.pk, bots[0].pk, 10**6):
        assert member.get(reverse("conversation", args=[pk])).status_code == 404
    assert client.get(_conversation(ana))["Location"].startswith(reverse("sign-in"))


def test_the_writers_are_chosen_on_the_page(ana: User) -> None:
    member = pages.member(ana)
    member.post(reverse("message-writers"), {"writers": "followed"})
    assert ana.inbox.writers == Inbox.Writers.FOLLOWED
    assert 'value="followed" checked' in _page(ana, reverse("conversations"))
    member.post(reverse("message-writers"), {"writers": "friends"})
    ana.inbox.refresh_from_db()
    assert ana.inbox.writers == Inbox.Writers.FOLLOWED


def test_a_conversation_is_deleted_by_a_button(ana: User, ben: User) -> None:
    services.write(author=ana.player, recipient=ben.player, text="Hello")
    answer = pages.member(ben).post(reverse("conversation-delete", args=[ana.player.pk]))
    assert answer["Location"] == reverse("conversations")
    assert "Hello" not in _page(ben, _conversation(ana))
    assert "Hello" in _page(ana, _conversation(ben))


def test_a_reported_message_reaches_the_moderators_and_no_other_reader(
    ana: User, ben: User, staff: User
) -> None:
    line = services.write(author=ben.player, recipient=ana.player, text="Rude words")
    services.write(author=ben.player, recipient=ana.player, text="Kind words")
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    address = reverse("chat-report", args=[line.pk])
    assert pages.member(cleo).post(address).status_code == 404
    assert not ChatReport.objects.filter(line=line).exists()
    assert pages.member(ana).post(address)["Location"] == _conversation(ben)
    page = _page(staff, reverse("moderation-chat"))
    assert "Rude words" in page
    assert "Kind words" not in page
    report = ChatReport.objects.get(line=line)
    chat.resolve_report(report_id=report.pk, actor=staff, verdict=ChatReport.Verdict.HIDDEN)
    assert "Rude words" not in _page(ana, _conversation(ben))


def test_a_notice_of_a_message_is_drawn_for_its_reader_alone(ana: User, ben: User) -> None:
    services.write(author=ben.player, recipient=ana.player, text="Hello")
    address = reverse("notice", args=[1])
    assert "Message from Ben: Hello" in _page(ana, address)
    assert pages.member(ben).get(address).status_code == 404


def test_a_profile_of_a_person_leads_to_messages(ana: User, ben: User, bots: list[Player]) -> None:
    assert _conversation(ben) in _page(ana, ben.player.get_absolute_url())
    assert reverse("conversation", args=[bots[0].pk]) not in _page(ana, bots[0].get_absolute_url())
    assert _conversation(ana) not in _page(ana, ana.player.get_absolute_url())
