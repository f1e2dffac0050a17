"""Clubs: who belongs to them, and how events, entries and teams name them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tests.tournaments import over_board
from tests.tournaments.conftest import event_of
from tests.tournaments.pages import member, text_of
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Club, ClubMember, Entry, Player, User
from tournaments.queries.events import clubs as queries
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services import clubs
from tournaments.services.account_data import deletion, export
from tournaments.services.accounts import players
from tournaments.services.events import entries, listed_players, teams
from tournaments.services.notifications import inbox
from tournaments.services.rounds import lifecycle
from tournaments.views import search

PASSWORD = "rayuela-1963"


@pytest.fixture
def cleo(db: None) -> User:
    return players.sign_up(name="Cleo", password=PASSWORD)


@pytest.fixture
def torre(ana: User) -> Club:
    """Return the club Torre, whose owner is Ana."""
    return clubs.create(founder=ana.player, name="Torre", about=clubs.About(place="Barcelona"))


@pytest.fixture
def join(ana: User) -> Callable[[Club, User], None]:
    """Return a function that makes an account a member."""

    def do(club: Club, user: User) -> None:
        clubs.run(code="join", club_id=club.pk, player=user.player)
        clubs.run(code="accept", club_id=club.pk, player=ana.player, member_id=user.player.pk)

    return do


def _roles(club: Club) -> dict[str, str]:
    return dict(club.members.values_list("player__name", "role"))


def _run(club: Club, code: str, user: User, other: User | None = None) -> None:
    other_id = other.player.pk if other else None
    clubs.run(code=code, club_id=club.pk, player=user.player, member_id=other_id)


def test_a_name_belongs_to_one_club_independent_of_capitals_and_widths(
    torre: Club, ben: User
) -> None:
    with pytest.raises(RefusedError, match="club-exists"):
        clubs.create(
            founder=ben.player, name="\N{FULLWIDTH LATIN CAPITAL LETTER T}orre", about=clubs.About()
        )
    other = clubs.create(founder=ben.player, name="New", about=clubs.About())
    assert other.slug == "new-2", "the address of the form of new clubs"


@pytest.mark.parametrize(
    ("name", "about", "code"),
    [
        ("\u200b", clubs.About(), "club-name"),
        ("x" * 61, clubs.About(), "club-name"),
        ("Alfil", clubs.About(federation="Spain"), "introduction-federation"),
        ("Alfil", clubs.About(address="javascript:alert(1)"), "club-address"),
        ("Alfil", clubs.About(address="https://"), "club-address"),
        ("Alfil", clubs.About(introduction="x" * 601), "club-words"),
    ],
    ids=["invisible", "long", "federation", "script", "no-host", "introduction"],
)
def test_words_of_a_club_are_checked(ana: User, name: str, about: clubs.About, code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        clubs.create(founder=ana.player, name=name, about=about)


def test_a_player_asks_and_an_officer_accepts(torre: Club, ana: User, ben: User) -> None:
    _run(torre, "join", ben)
    assert _roles(torre) == {"Ana": "owner", "Ben": "applicant"}
    assert [str(each.sentence) for each in inbox.notices(ana)[:1]] == ["Ben asks to join Torre"]
    with pytest.raises(NotAllowedError, match="club-leaders"):
        _run(torre, "accept", ben, ben)
    _run(torre, "accept", ana, ben)
    assert _roles(torre) == {"Ana": "owner", "Ben": "member"}
    assert inbox.notices(ben)[0].get_absolute_url() == torre.get_absolute_url()


def test_only_the_owner_appoints_and_officers_remove_members(
    torre: Club, ana: User, ben: User, cleo: User, join: Callable[[Club, User], None]
) -> None:
    join(torre, ben)
    join(torre, cleo)
    with pytest.raises(NotAllowedError, match="club-owner"):
        _run(torre, "officer", ben, cleo)
    _run(torre, "officer", ana, ben)
    with pytest.raises(NotAllowedError, match="club-owner"):
        _run(torre, "remove", ben, ana)
    _run(torre, "remove", ben, cleo)
    _run(torre, "owner", ana, ben)
    assert _roles(torre) == {"Ana": "officer", "Ben": "owner"}
    with pytest.raises(StaleError, match="no-such-member"):
        _run(torre, "remove", ben, cleo)


def test_an_owner_who_leaves_is_followed_and_an_empty_club_ends(
    torre: Club, ana: User, ben: User, cleo: User, join: Callable[[Club, User], None]
) -> None:
    join(torre, ben)
    join(torre, cleo)
    _run(torre, "officer", ana, cleo)
    _run(torre, "remove", ana)
    assert _roles(torre) == {"Ben": "member", "Cleo": "owner"}
    _run(torre, "remove", cleo)
    _run(torre, "remove", ben)
    assert not Club.objects.filter(pk=torre.pk).exists()


def test_an_account_takes_its_clubs_out_with_it_and_leaves_them(
    torre: Club, ana: User, ben: User, join: Callable[[Club, User], None]
) -> None:
    join(torre, ben)
    data = json.loads("".join(export.lines(ana, database_time.now(), {})))
    assert [row["club__name"] for row in data["clubs"]] == ["Torre"]
    deletion.delete_account(user=ana, password=PASSWORD)
    torre.refresh_from_db()
    assert (_roles(torre), torre.founder) == ({"Ben": "owner"}, None)


def test_a_hidden_introduction_waits_a_week_for_another_one(
    torre: Club, ana: User, ben: User
) -> None:
    clubs.change(club_id=torre.pk, player=ana.player, about=clubs.About(introduction="Spam"))
    with pytest.raises(NotAllowedError):
        clubs.hide_introduction(club_id=torre.pk, actor=ana)
    ben.user_permissions.add(Permission.objects.get(codename="moderate"))
    ben = User.objects.get(pk=ben.pk)
    member(ben).post(reverse("club-hide", args=[torre.slug]))
    assert "Spam" not in text_of(Client().get(torre.get_absolute_url()).content)
    with pytest.raises(RefusedError, match="club-hidden"):
        clubs.change(club_id=torre.pk, player=ana.player, about=clubs.About(introduction="More"))
    clubs.change(club_id=torre.pk, player=ana.player, about=clubs.About("T", introduction="Spam"))
    Club.objects.update(hidden_at=database_time.now() - timedelta(days=8))
    clubs.change(club_id=torre.pk, player=ana.player, about=clubs.About(introduction="More"))
    torre.refresh_from_db()
    assert torre.visible_introduction == "More"


def test_an_entry_keeps_the_club_of_its_time(
    torre: Club, ana: User, ben: User, join: Callable[[Club, User], None]
) -> None:
    event = event_of(ana)
    join(torre, ben)
    second = clubs.create(founder=ben.player, name="Alfil", about=clubs.About())
    page = member(ben).get(event.get_absolute_url()).content.decode()
    assert page.index("<option>Torre</option>") < page.index("<option>Alfil</option>")
    member(ben).post(reverse("event-enter", args=[event.slug]), {"club": "Alfil"})
    with pytest.raises(RefusedError, match="club-other"):
        entries.enter(event_id=event.pk, player=ana.player, actor=ana, club="Alfil")
    entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    _run(second, "remove", ben)
    assert dict(event.entries.values_list("player__name", "club")) == {
        "Ana": "Torre",
        "Ben": "Alfil",
    }


def test_an_officer_names_the_club_as_organiser(torre: Club, ana: User, ben: User) -> None:
    event = event_of(ana, name="Evening", organising_club=" torre ")
    assert event.organising_club == "Torre"
    page = text_of(Client().get(torre.get_absolute_url()).content)
    assert "Next events Evening" in page
    assert "Organising club Torre" in text_of(Client().get(event.get_absolute_url()).content)
    other = clubs.create(founder=ben.player, name="Alfil", about=clubs.About())
    for name, code in ((other.name, "club-officer"), ("Dama", "club-unknown")):
        with pytest.raises(RefusedError, match=code):
            event_of(ana, organising_club=name)


def test_an_officer_enters_a_team_with_members_in_board_order(
    torre: Club, ana: User, ben: User, cleo: User, join: Callable[[Club, User], None]
) -> None:
    event = event_of(ana, format="team-round-robin", boards=2)
    join(torre, ben)
    client = member(ana)
    page = text_of(client.get(reverse("event-teams", args=[event.slug])).content)
    assert "Enter a team of Torre" in page
    form = {"act": "team-of-club", "club": torre.slug, "name": "Torre 2"}
    members = [ana.player.pk, ben.player.pk]
    client.post(
        reverse("event-team-act", args=[event.slug]),
        {**form, "member": members, "place": ["2", "1"]},
    )
    team = event.entries.get(player__kind=Player.Kind.TEAM)
    assert (team.player.name, team.club, team.captain) == ("Torre 2", "Torre", ana)
    order = team.members.order_by("board_order").values_list("player__name", flat=True)
    assert list(order) == ["Ben", "Ana"]
    assert "Torre has entered you for Torre 2 in" in str(inbox.notices(ben)[0].sentence)
    assert "Torre 2" in text_of(Client().get(torre.get_absolute_url()).content)
    for actor, ids, code in (
        (ana, [cleo.player.pk], "club-members"),
        (ben, [ben.player.pk], "club-leaders"),
    ):
        with pytest.raises((NotAllowedError, RefusedError), match=code):
            teams.create_of_club(
                event_id=event.pk, actor=actor, club=torre.slug, name="", player_ids=ids
            )
    assert Entry.objects.filter(event=event, team=None).count() == 1


def test_texts_of_lists_lead_to_the_club_with_that_name(torre: Club, ana: User) -> None:
    event = over_board.event_of(ana, club_players=1, rounds_total=3)
    listed = [ListedPlayer("Alba", 2000, club="TORRE"), ListedPlayer("Bruno", 1900, club="Dama")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=listed)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert set(queries.by_names(["TORRE", "Dama", ""])) == {"TORRE"}
    page = Client().get(reverse("event-club-table", args=[event.slug])).content.decode()
    assert page.count(f'href="{torre.get_absolute_url()}"') == 1
    assert set(event.entries.values_list("club", flat=True)) == {"TORRE", "Dama"}


def test_the_search_and_the_profile_have_the_club(torre: Club, ana: User) -> None:
    assert list(search.find("orr", None).clubs) == [torre]
    assert list(queries.listing("barcel")) == [torre]
    assert "Clubs: Torre" in text_of(Client().get(ana.player.get_absolute_url()).content)


def test_members_come_with_their_ratings_and_role(
    torre: Club, ben: User, join: Callable[[Club, User], None]
) -> None:
    _run(torre, "join", ben)
    assert [row.role for row in queries.members_of(torre)] == [ClubMember.Role.OWNER]
    page = text_of(Client().get(torre.get_absolute_url()).content)
    assert "Ben" not in page, "requests are the officers' affair"
