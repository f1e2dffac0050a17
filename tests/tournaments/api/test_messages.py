"""Private messages by the API."""

from __future__ import annotations

from tests.tournaments.api.conftest import program_of
from tournaments.models import ChatLine, Inbox, User


def test_two_programs_write_to_each_other(ana: User, ben: User) -> None:
    one, other = program_of(ana), program_of(ben)
    message = one("POST", "/me/messages", {"player": ben.player.pk, "text": "Hello\nBen"}).json()
    assert message["text"] == "Hello\nBen"
    (read,) = other("GET", "/me/messages?unread=true").json()["items"]
    assert (read["id"], read["is_read"]) == (message["id"], False)
    address = f"/me/messages/{ana.player.pk}"
    assert other("POST", f"{address}/read").json() == {"unread": 0}
    assert other("GET", "/me/messages?unread=true").json()["items"] == []
    other("POST", "/me/messages", {"player": ana.player.pk, "text": "Hi"})
    texts = [row["text"] for row in one("GET", "/me/messages").json()["items"]]
    assert texts == ["Hi", "Hello\nBen"]
    assert other("DELETE", address).status_code == 204
    assert other("GET", f"/me/messages?player={ana.player.pk}").json()["items"] == []
    assert len(one("GET", f"/me/messages?player={ben.player.pk}").json()["items"]) == 2


def test_the_author_does_not_learn_whether_a_message_was_read(ana: User, ben: User) -> None:
    one = program_of(ana)
    one("POST", "/me/messages", {"player": ben.player.pk, "text": "Hello"})
    assert not ChatLine.objects.get(author=ana.player).is_read
    assert one("GET", "/me/messages").json()["items"][0]["is_read"] is True


def test_the_writers_are_a_setting_of_the_account(ana: User, ben: User) -> None:
    one, other = program_of(ana), program_of(ben)
    change = {"message_writers": "no-one", "push_messages": False}
    answer = one("PATCH", "/me", change, **{"If-Match": one("GET", "/me")["ETag"]}).json()
    assert answer["settings"]["message_writers"] == "no-one"
    box = Inbox.objects.get(user=ana)
    assert (box.writers, box.pushes_messages, box.wants_messages) == ("no-one", False, True)
    refused = other("POST", "/me/messages", {"player": ana.player.pk, "text": "Hello"})
    assert (refused.status_code, refused.json()["code"]) == (422, "message-unwilling")
