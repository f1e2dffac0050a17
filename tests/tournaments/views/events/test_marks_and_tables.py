"""An event's tables beside the results: numbers, scores before the round, and marks of corrections."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from tests.tournaments import shared_rows
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.pages import text_of
from tests.tournaments.services.results.scripted import all_draw, play_rounds
from tournaments import database_time
from tournaments.models import Event, Game, Match, Player, User
from tournaments.queries.results import tables
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections, entry_acts
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle, publication, rounds
from tournaments.templatetags import event_rows
from tournaments.text import points
from tournaments.views.events import crosstables

EnterAll = Callable[..., None]

MARK = "result corrected"


def _running(ana: User, eight: list[Player]) -> Event:
    """The second of four rounds of six is being played."""
    event = event_of(ana, rounds_total=4, is_automatic=False)
    enter(event, *eight[:6])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 1)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    event.refresh_from_db()
    return event


rows_of_file = shared_rows.of_bots([f"Bot {n}" for n in range(1, 9)], _running)
ana = shared_rows.part("ana")
eight = shared_rows.part("entrants")
running = shared_rows.part("event")


def _page(client: Client, name: str, *args: object) -> str:
    return client.get(reverse(name, args=args)).content.decode()


def _corrected(event: Event, actor: User) -> Game:
    game = Game.objects.filter(pairing__event=event, pairing__round__number=1).earliest("pk")
    after = "second" if game.result == "first" else "first"
    corrections.correct(game_id=game.pk, actor=actor, result=after, reason="wrong side noted")
    game.refresh_from_db()
    return game


@pytest.mark.long
def test_a_corrected_result_has_a_mark_wherever_it_stands(
    running: Event, client: Client, ana: User
) -> None:
    pages: list[tuple[str, tuple[object, ...]]] = [
        ("event-round", (running.slug, 1)),
        ("event-crosstable", (running.slug,)),
        ("event-standings", (running.slug,)),
    ]
    for name, args in pages:
        assert MARK not in _page(client, name, *args), name
    game = _corrected(running, ana)
    for name, args in pages:
        assert MARK in _page(client, name, *args), name
    # Both players of the game only.
    assert _page(client, "event-standings", running.slug).count(f'title="{MARK}"') == 2 + 1
    assert game.get_ending_display() not in _row(
        _page(client, "event-round", running.slug, 1), game
    )


def test_a_result_is_the_link_to_its_game_with_the_ending_below(
    running: Event, client: Client
) -> None:
    game = Game.objects.finished().filter(pairing__event=running).earliest("pk")
    row = _row(_page(client, "event-round", running.slug, 1), game)
    link = rf'<a href="{game.get_absolute_url()}"><strong>[^<]+</strong></a>'
    assert re.search(rf'{link}<span class="[^"]*ending">{game.get_ending_display()}', row)
    assert row.count(game.get_absolute_url()) == 1


@pytest.mark.parametrize(
    ("place", "halves", "text"),
    [
        (1, 5, '<span class="medal medal-1">1</span>'),
        (3, 2, '<span class="medal medal-3">3</span>'),
        (4, 2, "4"),
        (1, 0, "1"),
        (None, 0, "–"),
    ],
)
def test_the_first_three_places_with_points_are_medals(
    place: int | None, halves: int, text: str
) -> None:
    assert event_rows.rank(place, halves) == text


def test_the_overview_has_the_first_boards_that_are_being_played(
    running: Event, client: Client
) -> None:
    ongoing = Game.objects.ongoing().filter(pairing__event=running).order_by("pairing__board")
    addresses = [game.get_absolute_url() for game in ongoing]
    pattern = r'class="card board-card" href="([^"]+)"'
    assert re.findall(pattern, _page(client, "event", running.slug)) == addresses
    assert re.findall(pattern, _page(client, "event-boards", running.slug)) == addresses
    play_rounds(running, 1)
    assert re.findall(pattern, _page(client, "event-boards", running.slug)) == []


def _row(page: str, game: Game) -> str:
    return next(row for row in page.split("<tr") if game.get_absolute_url() in row)


@pytest.mark.long
def test_a_board_paired_by_the_old_result_says_so(
    running: Event, client: Client, ana: User
) -> None:
    boards = running.pairings.filter(round__number=2)
    sentence = "was corrected after this round had been paired"
    assert not any(
        sentence in _page(client, "event-board", running.slug, 2, b.board) for b in boards
    )
    game = _corrected(running, ana)
    both = {game.first_id, game.second_id}
    for board in boards.select_related("first", "second"):
        is_told = sentence in _page(client, "event-board", running.slug, 2, board.board)
        assert is_told == bool(both & {board.first.player_id, board.second.player_id})
    # The board of the game itself was paired before.
    assert game.pairing is not None
    assert sentence not in _page(client, "event-board", running.slug, 1, game.pairing.board)


@pytest.mark.long
@pytest.mark.parametrize("after", ["second", "draw", "double-forfeit"])
def test_the_page_of_a_corrected_game_does_not_contradict_itself(
    client: Client, ana: User, ben: User, after: str
) -> None:
    event = event_of(ana, is_automatic=False)
    cleo = players.sign_up(name="Cleo", password="rayuela-1963").player
    enter(event, cleo, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    game = Game.objects.with_players().get(pairing__event=event)
    play.resign(game_id=game.pk, player=game.second)
    first, second = game.first.name, game.second.name
    page = " ".join(strip_tags(_page(client, "game", game.pk)).split())
    assert f"{first} won by resignation" in page
    corrections.correct(game_id=game.pk, actor=ana, result=after, reason="noted wrongly")
    page = " ".join(strip_tags(_page(client, "game", game.pk)).split())
    assert f"Before the correction: {second} resigned." in page
    assert "won by resignation" not in page
    words = {
        "second": f"{second} won by correction of the result",
        "draw": "Draw by correction of the result",
        "double-forfeit": "Both lost by forfeit",
    }
    assert words[after] in page


def test_a_void_game_is_no_zero_and_is_not_to_be_played(running: Event, client: Client) -> None:
    play_rounds(running, 1, lambda _: "void")
    page = _page(client, "event-round", running.slug, 2)
    assert page.count("not counted") == 3
    table = tables.event_table(running)
    rows = crosstables.rows(running, table, colours=("white", "black"))
    assert all(row.cells[1].text.endswith("–") for row in rows)


@pytest.mark.parametrize("colours", [("white", "black"), ("black", "white")])
def test_the_crosstable_names_opponents_by_number_and_w_for_the_first_ply(
    running: Event, colours: tuple[str, str]
) -> None:
    table = tables.event_table(running)
    rows = {row.number: row for row in crosstables.rows(running, table, colours=colours)}
    assert [row.rank for row in rows.values()] == [row.rank for row in table.rows]
    pairing = running.pairings.get(round__number=1, board=2)
    first, second = pairing.first.tpn or 0, pairing.second.tpn or 0
    assert rows[first].cells[0].text.startswith(f"{second}w")
    assert rows[second].cells[0].text.startswith(f"{first}b")


@pytest.mark.long
def test_rounds_after_a_withdrawal_are_not_called_rounds_before_an_entry(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, rounds_total=5, is_automatic=False)
    enter(event, *eight[:6])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 2)
    entries.withdraw(event_id=event.pk, player=eight[0], actor=ana)
    entries.enter(event_id=event.pk, player=eight[7], actor=ana)
    play_rounds(event, 1)
    table = tables.event_table(event)
    rows = {
        row.entry.player: [cell.label for cell in row.cells]
        for row in crosstables.rows(event, table, colours=("white", "black"))
    }
    assert rows[eight[0]][2] == "withdrawn"
    assert rows[eight[7]][:2] == ["not entered yet"] * 2


@pytest.mark.long
def test_a_player_who_has_left_is_marked_in_the_standings(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, rounds_total=5, is_automatic=False)
    enter(event, *eight[:6])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 1)
    entries.withdraw(event_id=event.pk, player=eight[0], actor=ana)
    page = text_of(client.get(f"{event.get_absolute_url()}standings/").content)
    assert page.count("(withdrawn)") == 1


@pytest.mark.long
def test_an_expelled_player_is_marked_in_the_standings(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, rounds_total=5, is_automatic=False)
    enter(event, *eight[:6])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 1)
    entry = event.entries.get(player=eight[0])
    entry_acts.expel(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="Cheating")
    page = text_of(client.get(f"{event.get_absolute_url()}standings/").content)
    assert page.count("(expelled)") == 1
    assert "(withdrawn)" not in page


def test_pairings_show_number_rating_and_points_before_the_round(
    running: Event, client: Client
) -> None:
    page = _page(client, "event-round", running.slug, 2)
    for pairing in running.pairings.filter(round__number=2).select_related("first", "second"):
        for entry in (pairing.first, pairing.second):
            won = Game.objects.filter(pairing__round__number=1).of(entry.player).get()
            points = "1" if won.winner_side == won.side_of(entry.player) else "0"
            rating = round((entry.seed_centielo or 0) / 100)
            assert re.search(rf"No\. {entry.tpn} · {rating} · {points} pts", strip_tags(page))


@pytest.mark.long
def test_the_heading_of_the_standings_says_what_they_are_after(
    running: Event, client: Client, ana: User
) -> None:
    page = _page(client, "event-standings", running.slug)
    assert "Standings after 1 round" in page
    assert "Round 2 is being played" in page
    play_rounds(running, 5)
    assert running.state == Event.State.FINISHED
    page = _page(client, "event-standings", running.slug)
    assert "<h2>Final standings</h2>" in page
    assert "is being played" not in page


@pytest.mark.parametrize(
    ("value", "text"),
    [("21.5", "21½"), ("0.25", "¼"), ("12", "12"), ("0", "0"), ("3.667", "3.667"), ("", "")],
)
def test_pages_write_quarters_of_points_as_signs(value: str, text: str) -> None:
    assert points.tie_break(value) == text


def test_points_and_tie_breaks_of_a_table_are_written_alike(running: Event, client: Client) -> None:
    play_rounds(running, 1, all_draw)
    for name in ("event", "event-standings"):
        cells = re.findall(r"<td[^>]*>.*?</td>", _page(client, name, running.slug), re.DOTALL)
        assert not [cell for cell in cells if ".5" in cell]
        assert [cell for cell in cells if "½" in cell]


@pytest.mark.long
def test_all_who_share_a_leading_place_are_shown_or_counted(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, rounds_total=3, is_automatic=False)
    enter(event, *eight)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 1, all_draw)
    table = _page(client, "event", event.slug).split("<tbody>")[1].split("</tbody>")[0]
    assert table.count("<tr") == 8
    others = [players.add_bot(name=f"More {n}", engine="random") for n in range(8)]
    event = event_of(ana, name="Large", rounds_total=3, is_automatic=False)
    enter(event, *eight, *others)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 1, all_draw)
    page = _page(client, "event", event.slug)
    assert page.split("<tbody>")[1].split("</tbody>")[0].count("<tr") == 5
    assert "11 more players share the last of these places." in page


def test_rounds_that_nobody_can_know_yet_are_not_shown(ana: User, client: Client) -> None:
    assert "3 rounds" in _page(client, "event", event_of(ana, rounds_total=3).slug)
    event = event_of(ana, name="All", format="round-robin", rounds_total=5)
    assert "5 rounds" not in _page(client, "event", event.slug)


@pytest.mark.long
def test_the_round_says_that_a_match_waits_for_the_machine(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana)
    enter(event, *eight[6:])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    words = "The machine is too busy for these bots. It will try again automatically:"
    assert words not in _page(client, "event-round", event.slug, 1)
    Match.objects.update(waits=2, fault="starved: 3 plies in a row")
    cache.clear()  # in which the page is kept for half a minute
    assert words in _page(client, "event-round", event.slug, 1)
    Match.objects.update(state="leased", lease_until=database_time.now() - timedelta(seconds=1))
    cache.clear()
    assert words not in _page(client, "event-round", event.slug, 1)


def test_both_games_of_a_pair_have_their_line_in_a_ladder(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="ladder", admits=Event.Admits.BOTS)
    enter(event, *eight[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    one, two = Game.objects.filter(pairing__event=event).order_by("number")
    page = _page(client, "event-round", event.slug, 1)
    lines = re.findall(r'<td class="number board">(.*?)</tr>', page, re.DOTALL)
    for line, number, game in zip(lines, ("1.1", "1.2"), (one, two), strict=True):
        assert strip_tags(line).strip().startswith(number)
        assert game.get_absolute_url() in line
        assert line.index(game.first.name) < line.index(game.second.name)


def test_only_a_running_event_of_bots_says_how_many_matches_wait(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="ladder", admits=Event.Admits.BOTS)
    enter(event, *eight[:2])
    words = "matches of bots are being played"
    assert words not in _page(client, "event-strengths", event.slug)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert words in _page(client, "event-strengths", event.slug)
