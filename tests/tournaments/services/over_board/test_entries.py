"""Entries of players without accounts, by the organiser."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from tests.tournaments import over_board
from tests.tournaments.conftest import event_of
from tests.tournaments.over_board import enter_listed, next_round
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, Player, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.records import archive
from tournaments.services.accounts import players
from tournaments.services.events import entries, listed_players
from tournaments.services.rounds import lifecycle


def _entry(event: Event, name: str) -> Entry:
    return event.entries.select_related("player").get(player__name=name)


def test_two_of_one_name_are_two_players(ana: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, "Alba", "Alba")
    assert len(set(event.entries.values_list("player", flat=True))) == 2
    assert Player.objects.filter(kind=Player.Kind.LISTED).count() == 2


def test_an_account_keeps_its_name_beside_a_list(ana: User) -> None:
    enter_listed(over_board.event_of(ana), "Alba")
    account = players.sign_up(name="Alba", password="rayuela-1963")
    assert archive.search_players("Alba", after="").players == [account.player]


def test_ratings_of_the_list_give_the_numbers_and_who_has_none_comes_last(
    ana: User, ben: User
) -> None:
    event = over_board.event_of(ana)
    rows = [ListedPlayer("Zoe"), ListedPlayer("Low", 1400), ListedPlayer("High", 2100)]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)  # 1500, as all begin
    lifecycle.start_event(event_id=event.pk, actor=ana)
    names = event.entries.order_by("tpn").values_list("player__name", flat=True)
    assert list(names) == ["High", "Ben", "Low", "Zoe"]


def test_players_of_one_rating_are_numbered_by_title_then_by_name(ana: User) -> None:
    """C.04.2 2.2: GM, IM, WGM, FM, WIM, CM, WFM, WCM, no title."""
    titles = ["", "WCM", "WFM", "CM", "WIM", "FM", "WGM", "IM", "GM"]
    rows = [ListedPlayer(f"A{n}", 2000, title=title) for n, title in enumerate(titles)]
    rows += [ListedPlayer("A", 2000, title="CM"), ListedPlayer("Z", 2001)]
    event = over_board.event_of(ana)
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    names = event.entries.order_by("tpn").values_list("player__name", flat=True)
    assert list(names) == ["Z", "A8", "A7", "A6", "A5", "A4", "A", "A3", "A2", "A1", "A0"]


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("list-first", "Both Less National None"),
        ("national-first", "Less National Both None"),
        ("higher", "Less Both National None"),
        ("lower", "Less National Both None"),
        ("list", "Both Less National None"),
        ("national", "Less National Both None"),
        ("site", "Both Less National None"),
    ],
)
def test_the_organiser_chooses_the_rating_for_numbers(ana: User, method: str, order: str) -> None:
    rows = [
        ListedPlayer("Both", 2000, national_elo=1600),
        ListedPlayer("Less", 1900, national_elo=2100),
        ListedPlayer("National", national_elo=1700),
        ListedPlayer("None"),
    ]
    event = over_board.event_of(ana, number_rating=method)
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    names = event.entries.order_by("tpn").values_list("player__name", flat=True)
    assert " ".join(names) == order


def test_a_list_is_entered_whole_or_not_at_all(ana: User) -> None:
    event = over_board.event_of(ana, max_entries=3)
    for rows, code in (
        ([ListedPlayer(str(n)) for n in range(4)], "event-full"),
        ([ListedPlayer("Alba"), ListedPlayer("Bruno", 9999)], "listed-rating"),
        ([], "list-empty"),
    ):
        with pytest.raises(RefusedError, match=code):
            listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    assert not event.entries.exists()
    assert not Player.objects.filter(kind=Player.Kind.LISTED).exists()


def test_only_an_event_over_the_board_takes_a_list(ana: User) -> None:
    event = event_of(ana)
    with pytest.raises(RefusedError, match="not-over-the-board"):
        listed_players.enter_all(event_id=event.pk, actor=ana, players=[ListedPlayer("Alba")])


def test_only_the_staff_enters_edits_and_deletes(ana: User, ben: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, "Alba")
    pk = _entry(event, "Alba").pk
    row = ListedPlayer("Bruno")
    for step in (
        lambda: listed_players.enter_all(event_id=event.pk, actor=ben, players=[row]),
        lambda: listed_players.edit(event_id=event.pk, actor=ben, entry_id=pk, player=row),
        lambda: listed_players.remove(event_id=event.pk, actor=ben, entry_id=pk),
        lambda: listed_players.preview(event_id=event.pk, actor=ben, text="Alba"),
    ):
        with pytest.raises(NotAllowedError):
            step()


def test_a_late_entry_joins_the_next_round(ana: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, "Alba", "Bruno")
    next_round(event)
    enter_listed(event, "Celia")
    entry = _entry(event, "Celia")
    assert (entry.tpn, entry.joined_round, entry.seed_centielo) == (2, 2, 200_000)


def test_an_entry_is_edited_and_its_rating_only_before_the_start(ana: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, "Alba", "Bruno")
    pk = _entry(event, "Alba").pk

    def edit(player: ListedPlayer) -> Entry:
        return listed_players.edit(event_id=event.pk, actor=ana, entry_id=pk, player=player)

    entry = edit(ListedPlayer("Alba Ruiz", 1700, "ESP", "Club Uno", "123", "W"))
    assert (entry.player.name, entry.listed_centielo, entry.club) == (
        "Alba Ruiz",
        170_000,
        "Club Uno",
    )
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert edit(ListedPlayer("Alba R.", 1700)).player.name == "Alba R."
    with pytest.raises(RefusedError, match="rating-late"):
        edit(ListedPlayer("Alba R.", 1800))


def test_the_organiser_does_not_rename_an_account(ana: User) -> None:
    event = over_board.event_of(ana)
    entry = entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    listed_players.edit(
        event_id=event.pk, actor=ana, entry_id=entry.pk, player=ListedPlayer("Nobody", 1900)
    )
    entry.refresh_from_db()
    assert (entry.player.name, entry.listed_centielo) == ("Ana", 190_000)


def test_an_entry_is_deleted_before_the_start_and_withdrawn_later(ana: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia")
    alba, bruno = _entry(event, "Alba"), _entry(event, "Bruno")
    entries.request_bye(
        event_id=event.pk, player=alba.player, actor=ana, round_number=2, kind="half"
    )
    listed_players.remove(event_id=event.pk, actor=ana, entry_id=alba.pk)
    assert not Player.objects.filter(name="Alba").exists()
    assert not ByeRequest.objects.exists()
    with pytest.raises(StaleError, match="entry-deleted"):
        listed_players.remove(event_id=event.pk, actor=ana, entry_id=alba.pk)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    with pytest.raises(StaleError, match="not-registering"):
        listed_players.remove(event_id=event.pk, actor=ana, entry_id=bruno.pk)


def test_somebody_with_an_account_is_not_deleted(ana: User) -> None:
    event = over_board.event_of(ana)
    entry = entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    with pytest.raises(RefusedError, match="not-listed"):
        listed_players.remove(event_id=event.pk, actor=ana, entry_id=entry.pk)


@pytest.mark.django_db
@pytest.mark.engines
def test_the_database_keeps_clocks_from_events_over_the_board(ana: User) -> None:
    event = over_board.event_of(ana)
    for columns in (
        {"is_rated": True},
        {"is_automatic": True},
        {"is_over_the_board": False, "board_time": "x"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Event.objects.filter(pk=event.pk).update(**columns)
