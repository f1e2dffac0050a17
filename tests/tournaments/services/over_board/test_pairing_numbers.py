"""Pairing numbers of late entries, and after corrections (C.04.2 2.3-2.5)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, User
from tournaments.queries.arbiter import round_verification
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import reports
from tournaments.services.arbiter import correction_preview, entry_acts, renumbering
from tournaments.services.events import listed_players, numbering
from tournaments.services.rounds import lifecycle

NAMES = ("Alba", "Bruno", "Cleo", "Dino", "Elsa", "Fito", "Gala", "Hugo", "Iris", "Jose")
Play = Callable[[Event, int], None]


@pytest.fixture
def play() -> Play:
    """Return a function that plays rounds of an event: the first side wins at board 1, others draw."""

    def do(event: Event, rounds: int) -> None:
        for _ in range(rounds):
            next_round(event)
            type_results(event, {1: "first"}, rest="draw")
            close(event)
        event.refresh_from_db()

    return do


@pytest.fixture
def ten(ana: User) -> Callable[..., Event]:
    """Return a function that creates a Dutch event with ten players, rated 2000, 1990, …, 1910."""

    def make(**changes: object) -> Event:
        event = event_of(ana, **{"format": "dutch", "rounds_total": 9, **changes})
        enter_listed(event, *NAMES)
        return event

    return make


def enter_late(event: Event, ana: User, name: str, elo: int) -> None:
    player = ListedPlayer(name, elo)
    listed_players.enter_all(event_id=event.pk, actor=ana, players=[player])
    event.refresh_from_db()


def numbers(event: Event) -> list[str]:
    rows = event.entries.exclude(tpn=None).order_by("tpn")
    assert list(rows.values_list("tpn", flat=True)) == list(range(1, len(rows) + 1))
    return list(rows.values_list("player__name", flat=True))


def assert_confirmed(event: Event) -> None:
    """Every round is confirmed: by pairing it again, and from the archive."""
    for round_ in event.rounds.all():
        assert round_verification.verify(round_).is_confirmed, round_
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert [each.differences for each in verification.verify(archive) if each.differences] == []


@pytest.mark.parametrize("rounds", [1, 4], ids=["after round 1", "after round 4"])
@pytest.mark.long
def test_a_late_entry_gets_the_number_that_its_rating_asks_for(
    ten: Callable[..., Event], play: Play, ana: User, rounds: int
) -> None:
    event = ten()
    play(event, rounds)
    enter_late(event, ana, "Zoe", 1985)
    assert numbers(event) == [*NAMES[:2], "Zoe", *NAMES[2:]]
    assert_confirmed(event)
    play(event, 1)
    assert_confirmed(event)
    late = [each for each in trf.read(reports.trf_of(event)).players if each.name == "Zoe"]
    assert [each.id for each in late] == [3]


def test_a_late_entry_without_a_rating_gets_the_last_number(
    ten: Callable[..., Event], play: Play, ana: User
) -> None:
    event = ten()
    play(event, 1)
    enter_late(event, ana, "Zoe", 0)
    assert numbers(event) == [*NAMES, "Zoe"]
    assert event.rounds.get().renumbered == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("elo", "upto"), [(1955, 7), (1945, 6)], ids=["inside group A", "below group A"]
)
def test_the_last_player_of_group_a_is_still_the_last_one_after_a_late_entry(
    ten: Callable[..., Event], play: Play, ana: User, elo: int, upto: int
) -> None:
    event = ten(is_accelerated=True)
    play(event, 1)
    assert event.accelerated_upto_tpn == 6
    enter_late(event, ana, "Zoe", elo)
    assert event.accelerated_upto_tpn == upto
    assert event.entries.get(player__name="Fito").tpn == upto
    play(event, 1)
    assert_confirmed(event)


@pytest.mark.long
def test_a_player_with_a_bye_in_round_1_is_not_counted_in_group_a(
    ten: Callable[..., Event], play: Play, ana: User
) -> None:
    event = ten(is_accelerated=True)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for tpn in (1, 10):
        entry_acts.grant_bye(
            event_id=event.pk,
            actor=ana,
            entry_id=event.entries.get(tpn=tpn).pk,
            round_number=1,
            kind="half",
            reason="arrives later",
        )
    play(event, 1)
    event.refresh_from_db()
    # Eight are to be paired: 2, 3, 4 and 5 are group A, and 1 joins them on arrival.
    assert event.accelerated_upto_tpn == 5
    last_ids = {each.last_id for each in trf.read(reports.trf_of(event)).virtual}
    assert last_ids == {5}
    play(event, 1)
    assert_confirmed(event)


@pytest.mark.long
def test_a_corrected_rating_leads_to_other_numbers(
    ten: Callable[..., Event], play: Play, ana: User
) -> None:
    event = ten()
    play(event, 2)
    fito = event.entries.get(player__name="Fito")
    entry_acts.set_rating(
        event_id=event.pk, actor=ana, entry_id=fito.pk, centielo=198_500, reason="list of March"
    )
    assert numbers(event) == list(NAMES)
    moved = [(each.entry.player.name, each.before, each.after) for each in numbering.changes(event)]
    assert moved == [("Fito", 6, 3), ("Cleo", 3, 4), ("Dino", 4, 5), ("Elsa", 5, 6)]
    renumbering.renumber(event_id=event.pk, actor=ana, reason="list of March")
    assert numbers(event) == ["Alba", "Bruno", "Fito", "Cleo", "Dino", "Elsa", *NAMES[6:]]
    assert_confirmed(event)
    comment = "### Pairing numbers @ Round 2: 4 was 3, 5 was 4, 6 was 5, 3 was 6"
    assert comment in reports.trf_of(event).splitlines()
    play(event, 1)
    assert_confirmed(event)
    assert event.rounds.get(number=3).renumbered == []


def test_equal_ratings_keep_their_order(ten: Callable[..., Event], play: Play, ana: User) -> None:
    event = ten()
    play(event, 1)
    event.entries.filter(player__name__in=["Cleo", "Bruno", "Dino"]).update(seed_centielo=199_000)
    assert numbering.changes(event) == []
    with pytest.raises(RefusedError, match="numbers-right"):
        renumbering.renumber(event_id=event.pk, actor=ana, reason="to be sure")


@pytest.mark.long
def test_numbers_are_fixed_when_round_4_is_published(
    ten: Callable[..., Event], play: Play, ana: User
) -> None:
    event = ten()
    play(event, 3)
    event.entries.filter(player__name="Jose").update(seed_centielo=210_000)
    assert len(numbering.changes(event)) == 10
    next_round(event)
    assert numbering.changes(event) == []
    with pytest.raises(RefusedError, match="numbers-fixed"):
        renumbering.renumber(event_id=event.pk, actor=ana, reason="late")


@pytest.mark.long
def test_the_reasons_of_an_earlier_round_name_the_players_of_its_boards(
    ten: Callable[..., Event], play: Play, ana: User
) -> None:
    event = ten()
    play(event, 2)
    client = Client()
    address = f"{event.get_absolute_url()}pairings/2/boards/"
    before = [client.get(f"{address}{board}/") for board in (1, 3, 5)]
    enter_late(event, ana, "Zoe", 2100)
    after = [client.get(f"{address}{board}/") for board in (1, 3, 5)]
    assert [page.status_code for page in after] == [200] * 3
    assert [page.context["why"] for page in after] == [page.context["why"] for page in before]


@pytest.mark.long
def test_a_correction_doubts_the_same_boards_after_a_late_entry(
    ten: Callable[..., Event], play: Play, ana: User
) -> None:
    event = ten()
    play(event, 3)
    game = Game.objects.get(pairing__round__event=event, pairing__round__number=1, pairing__board=1)

    def doubted() -> list[tuple[int, list[int]]]:
        preview = correction_preview.preview(
            game_id=game.pk, actor=ana, result="second", reason="slip"
        )
        return [(each.number, [p.pk for p in each.pairings]) for each in preview.doubtful]

    before = doubted()
    enter_late(event, ana, "Zoe", 2100)
    assert before
    assert doubted() == before


@pytest.mark.long
def test_the_desk_warns_of_each_number_that_changes(
    ten: Callable[..., Event], play: Play, client: Client, ana: User
) -> None:
    event = ten()
    play(event, 1)
    client.force_login(ana)
    desk = f"{event.get_absolute_url()}desk/"
    assert "Renumber" not in client.get(desk).text
    event.entries.filter(player__name="Cleo").update(title="GM", seed_centielo=199_000)
    page = client.get(desk).text
    assert "2 players will get another number." in page
    answer = client.post(
        f"{event.get_absolute_url()}organise/",
        {"action": "renumber", "reason": "a title", "next": desk, "confirm": "1"},
    )
    assert answer.status_code == 302
    assert numbers(event)[:3] == ["Alba", "Cleo", "Bruno"]
    sentence = "The pairing numbers were changed: Cleo 3 → 2; Bruno 2 → 3."
    assert sentence in client.get(f"{event.get_absolute_url()}log/").text
