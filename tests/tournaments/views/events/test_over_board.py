"""The organiser's pages of an event over the board."""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments import over_board
from tests.tournaments.pages import member, text_of
from tournaments.models import Event, Game, Round, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import tables
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle, publication

JSON = {"Accept": "application/json"}


def _url(name: str, event: Event, *more: object) -> str:
    return reverse(name, args=[event.slug, *more])


@pytest.mark.parametrize(("format_", "games"), [("dutch", 2), ("knockout", 1)])
def test_the_form_asks_a_swiss_for_games_per_pairing(ana: User, format_: str, games: int) -> None:
    form = {
        "name": "Thursday",
        "ruleset": "morelli(size=7)",
        "format": format_,
        "rounds_total": 5,
        "games_per_pairing": 2,
        "clock": "600+10",
        "admits": "people",
        "max_entries": 40,
        "pause_s": 60,
    }
    answer = member(ana).post(reverse("event-new"), form)
    assert answer.status_code == 302
    event = Event.objects.get()
    assert event.games_per_pairing == games
    page = member(ana).get(event.get_absolute_url()).content.decode()
    assert ("mini-matches of two games" in page) is (games == 2)


def _type(client: Client, event: Event, **changes: object) -> tuple[int, dict[str, object]]:
    form = {"round_number": 1, "board": 1, "result": "first", "page_result": "", **changes}
    answer = client.post(_url("event-result-enter", event), form, headers=JSON)
    return answer.status_code, answer.json()


def test_the_form_of_an_event_over_the_board_needs_no_clock(ana: User) -> None:
    form = {
        "name": "Thursday",
        "ruleset": "morelli(size=7)",
        "format": "dutch",
        "rounds_total": 5,
        "clock": "10+0.1",
        "admits": "bots",
        "max_entries": 40,
        "is_rated": "on",
        "is_automatic": "on",
        "pause_s": 60,
        "is_over_the_board": "on",
        "board_time": "25 minutes each",
    }
    answer = member(ana).post(reverse("event-new"), form)
    event = Event.objects.get()
    assert answer.status_code == 302
    assert event.is_over_the_board
    assert event.is_unlimited
    assert not event.is_rated
    page = text_of(member(ana).get(event.get_absolute_url()).content)
    assert "over the board, 25 minutes each" in page


def test_a_list_is_looked_at_before_it_is_entered(event: Event, ana: User) -> None:
    client = member(ana)
    text = "Alba;2000\nBruno;strong\nCelia\nalba"
    answer = client.post(_url("event-entries-preview", event), {"text": text})
    page = text_of(answer.content)
    assert "3 players were read" in page
    assert "A rating is a whole number up to 4000. strong" in page
    assert "same name as line 1" in page
    assert "Club" not in page  # no player of the list has one
    assert not event.entries.exists()
    answer = client.post(_url("event-entries-confirm", event), {"text": text, "lines": [1, 3]})
    assert answer.status_code == 302
    assert list(event.entries.values_list("player__name", flat=True)) == ["Alba", "Celia"]


def test_the_look_at_a_table_names_what_is_not_used(event: Event, ana: User) -> None:
    text = "Open Uno\nNo.;;Name;FideID;FED;Rtg;Gr\n1;FM;Alba;2212345;ESP;2105;A\n"
    url, client = _url("event-entries-preview", event), member(ana)
    page = text_of(client.post(url, {"text": text}).content)
    assert "Columns not used: No., Gr. 1 line above the heading was left out." in page
    page = text_of(client.post(url, {"text": "Name;Elo\nAlba;2105\n"}).content)
    assert "All columns are used." in page


@pytest.mark.parametrize(
    "page",
    ["event-pairings", "event-standings", "event-desk"],
)
def test_an_unrated_player_has_no_rating_of_zero(event: Event, ana: User, page: str) -> None:
    """A rating of the list is no guess, and no rating is not 0."""
    rows = [ListedPlayer("Alba", 2284), ListedPlayer("Bruno"), ListedPlayer("Celia")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=[*rows, ListedPlayer("Dario")])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    content = member(ana).get(_url(page, event)).content
    assert "2284?" not in text_of(content)
    assert "0?" not in text_of(content)
    assert "· 0 ·" not in text_of(content)
    assert 'rating">0<' not in content.decode()


@pytest.mark.parametrize(
    ("sheet", "cells"),
    [
        ("pairings", '<td class="number"></td><td class="number">0</td>'),
        ("names", 'Alba</th><td class="number">1</td><td class="number"></td>'),
        ("standings", 'Alba</th><td class="number"></td>'),
        ("crosstable", 'Alba</th><td class="number"></td>'),
        ("cards", "<span>No. 1</span></p>"),
    ],
)
def test_sheets_leave_the_rating_of_unrated_players_blank(
    event: Event, ana: User, sheet: str, cells: str
) -> None:
    rows = [ListedPlayer(name) for name in ("Alba", "Bruno", "Celia", "Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    address = _url("event-sheet", event, sheet)
    if sheet in ("pairings", "names"):
        address = _url("event-sheet-of-round", event, sheet, 1)
    page = member(ana).get(address).content.decode()
    assert cells in page


def test_a_file_is_read_in_its_encoding(event: Event, ana: User) -> None:
    upload = SimpleUploadedFile("list.csv", "Name;Elo\nSá;1900".encode("cp1252"))
    answer = member(ana).post(_url("event-entries-preview", event), {"text": "", "upload": upload})
    assert "Sá 1900" in text_of(answer.content)


@pytest.mark.parametrize("lines", [[], [2], ["x"]], ids=["none", "a bad line", "no number"])
def test_a_confirmation_without_a_line_enters_nobody(
    event: Event, ana: User, lines: list[object]
) -> None:
    form = {"text": "Alba\nx;y;z\n", "lines": lines}
    answer = member(ana).post(_url("event-entries-confirm", event), form)
    assert "Please choose at least one line." in text_of(answer.content)
    assert not event.entries.exists()


@pytest.mark.long
def test_one_player_is_entered_edited_and_deleted(event: Event, ana: User) -> None:
    client = member(ana)
    client.post(_url("event-entry-add", event), {"name": "Alba", "rating": 1900})
    entry = event.entries.get()
    form = {"name": "Alba Ruiz", "rating": "", "federation": "esp"}
    client.post(_url("event-entry-edit", event, entry.pk), form)
    entry.refresh_from_db()
    entry.player.refresh_from_db()
    assert (entry.player.name, entry.listed_centielo, entry.federation) == (
        "Alba Ruiz",
        None,
        "ESP",
    )
    bye = {"act": "bye", "entry": entry.pk, "round_number": 2, "kind": "half", "reason": "late"}
    client.post(_url("event-desk-entry", event), bye)
    assert "Round 2: half-point bye" in text_of(client.get(_url("event-entries", event)).content)
    client.post(_url("event-entry-remove", event, entry.pk))
    assert not event.entries.exists()


@pytest.mark.parametrize(
    "form",
    [{"name": "JENSEN, Jonas"}, {"name": "Jonas Jensen", "fide_id": "6660674"}],
    ids=["name", "FIDE id"],
)
def test_one_player_who_may_be_entered_already_is_asked_about(
    event: Event, ana: User, form: dict[str, str]
) -> None:
    known = ListedPlayer("Jensen, Jonas", 1900, fide_id="6660674")
    listed_players.enter_all(event_id=event.pk, actor=ana, players=[known])
    client = member(ana)
    page = text_of(client.post(_url("event-entry-add", event), form).content)
    assert "Jensen, Jonas (FIDE id 6660674) has entered already." in page
    assert "This is another person" in page
    assert event.entries.count() == 1
    client.post(_url("event-entry-add", event), {**form, "is_another": "on"})
    assert event.entries.count() == 2


@pytest.mark.long
def test_a_player_is_withdrawn_with_a_reason_that_the_log_has(started: Event, ana: User) -> None:
    client = member(ana)
    entry = started.entries.get(player__name="Alba")
    page = client.get(_url("event-entries", started)).content.decode()
    assert _url("event-desk-entry", started) in page
    assert 'name="act" value="withdraw"' in page
    act = {"act": "withdraw", "entry": entry.pk, "next": _url("event-entries", started)}
    client.post(_url("event-desk-entry", started), act)
    entry.refresh_from_db()
    assert entry.state == "active"
    answer = client.post(_url("event-desk-entry", started), {**act, "reason": "fell ill"})
    assert answer["Location"] == _url("event-entries", started)
    entry.refresh_from_db()
    assert entry.state == "withdrawn"
    assert "fell ill" in text_of(client.get(_url("event-log", started)).content)
    assert 'value="readmit"' in client.get(_url("event-entries", started)).content.decode()


def test_the_end_of_late_entries_is_told_with_a_remedy(started: Event, ana: User) -> None:
    Event.objects.filter(pk=started.pk).update(last_late_round=1)
    page = text_of(member(ana).get(_url("event-entries", started)).content)
    assert "set a later round in the settings" in page


def test_no_clock_is_asked_for_when_a_round_over_the_board_is_published(
    started: Event, ana: User
) -> None:
    publication.take_back(event_id=started.pk, actor=ana, reason="a late player")
    page = text_of(member(ana).get(_url("event-draft", started)).content)
    assert "Publish round 1" in page
    assert "Clocks start at" not in page


def test_wrong_words_come_back_with_their_reason(event: Event, ana: User) -> None:
    client = member(ana)
    page = client.post(_url("event-entry-add", event), {"name": "Alba", "federation": "12x"})
    assert "three letters" in text_of(page.content)
    page = client.post(_url("event-entries-preview", event), {"text": " "})
    assert "The list has no names." in text_of(page.content)


def test_results_are_typed_by_the_script(started: Event, ana: User) -> None:
    client = member(ana)
    assert _type(client, started) == (
        200,
        {
            "board": 1,
            "game": 1,
            "is_tie": False,
            "result": "first",
            "score": "1–0",
            "missing": 1,
            "notice": "",
        },
    )
    status, answer = _type(client, started, result="draw")
    assert status == 200
    assert answer["notice"] == "Board 1: another person had entered 1–0. It is now ½–½."
    assert _type(client, started, board=9)[0] == 422
    assert _type(client, started, round_number=2)[0] == 409
    assert _type(client, started, result="void")[0] == 422


def test_results_are_typed_without_a_script(started: Event, ana: User) -> None:
    client = member(ana)
    for board in (1, 2):
        form = {"round_number": 1, "board": board, "result": "first"}
        answer = client.post(_url("event-result-enter", started), form)
        assert answer["Location"] == f"{_url('event-results', started)}#board-{board}"
    page = text_of(client.get(_url("event-results", started) + "?missing=1").content)
    assert "All results are entered." in page
    client.post(_url("round-close", started, 1))
    assert started.rounds.get().state == Round.State.CLOSED
    assert Game.objects.filter(pairing__event=started, result="first").count() == 2


@pytest.mark.long
def test_the_set_up_that_was_drawn_is_on_the_pairings_and_on_every_slip(
    started: Event, ana: User, client: Client
) -> None:
    setup = started.rounds.get().setup
    assert setup
    page = client.get(_url("event-pairings", started)).content.decode()
    assert f"<code>{setup}</code>" in page
    assert 'class="round-setup"' in page
    sheet = client.get(_url("event-sheet-of-round", started, "pairings", 1)).content.decode()
    assert f"<code>{setup}</code>" in sheet
    slips = client.get(_url("event-sheet-of-round", started, "slips", 1)).content.decode()
    assert slips.count(f"<code>{setup}</code>") == 2
    assert slips.count('class="slip-setup"') == 2


def test_games_that_begin_as_the_rules_have_it_show_no_set_up(ana: User, client: Client) -> None:
    event = over_board.event_of(ana, ruleset="morlox(size=5,swap=on)", rounds_total=3)
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    page = client.get(_url("event-pairings", event)).content.decode()
    assert "round-setup" not in page
    slips = client.get(_url("event-sheet-of-round", event, "slips", 1)).content.decode()
    assert "slip-setup" not in slips


@pytest.mark.long
def test_mini_matches_are_typed_game_by_game_and_shown_so(ana: User, client: Client) -> None:
    event = over_board.event_of(ana, games_per_pairing=2, rounds_total=3)
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno", "Celia", "Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    staff = member(ana)
    page = staff.get(_url("event-results", event)).content.decode()
    assert [f'data-board="{board}"' in page for board in ("1.1", "1.2", "2.2", "3.1")] == [
        *(True, True, True, False)
    ]
    assert _type(staff, event, game=2, result="draw")[1]["missing"] == 3
    assert _type(staff, event, game=3)[0] == 422
    form = {"round_number": 1, "board": 1, "game": 1, "result": "first"}
    answer = staff.post(_url("event-result-enter", event), form)
    assert answer["Location"].endswith("#board-1.1")
    assert "2 of 4 games over" in text_of(client.get(event.get_absolute_url()).content)
    pairings = text_of(client.get(_url("event-pairings", event)).content)
    assert all(words in pairings for words in ("1.1", "1.2", "1–0", "½–½"))
    assert "1½" in text_of(client.get(_url("event-crosstable", event)).content)
    slips = text_of(client.get(_url("event-sheet-of-round", event, "slips", 1)).content)
    assert "Board 1.2" in slips
    log = text_of(client.get(_url("event-log", event)).content)
    assert "1.2" in log
    opened = client.get(_url("event-standings", event) + "?of=1&by=BH")
    assert opened.status_code == 200


def test_the_page_names_the_boards_without_a_result(started: Event, ana: User) -> None:
    answer = member(ana).post(_url("round-close", started, 1), follow=True)
    assert "Boards without a result: 1, 2" in text_of(answer.content)


@pytest.mark.long
def test_pages_name_the_typed_results_before_a_publication_is_taken_back(
    started: Event, ana: User
) -> None:
    client = member(ana)
    _type(client, started)
    for name in ("event-desk", "event-log"):
        assert "One board has a result." in text_of(client.get(_url(name, started)).content)
    client.post(
        _url("event-act", started),
        {"action": "take-back", "reason": "a wrong list", "confirm": "1"},
    )
    assert "Board 1: " in text_of(client.get(_url("event-draft", started)).content)
    flip = {"kind": "flip", "board": 1, "confirm": 1, "is_understood": 1}
    client.post(_url("event-draft", started), flip)
    assert "will be lost" in text_of(client.get(_url("event-draft", started)).content)


@pytest.mark.long
def test_a_complete_round_is_to_be_closed_before_the_next_is_paired(
    started: Event, ana: User
) -> None:
    client = member(ana)
    for board in (1, 2):
        page = text_of(client.get(_url("event-desk", started)).content)
        assert "All results are in." not in page
        assert "Close round 1" not in page
        _type(client, started, board=board)
    page = text_of(client.get(_url("event-desk", started)).content)
    assert "All results are in. The organiser closes the round." in page
    assert "Close round 1" in page
    page = text_of(client.get(_url("event-results", started)).content)
    assert "Change the results" not in page


@pytest.mark.long
def test_the_preview_of_a_correction_names_the_tie_breaks(started: Event, ana: User) -> None:
    client = member(ana)
    for board in (1, 2):
        _type(client, started, board=board)
    client.post(_url("round-close", started, 1))
    game = Game.objects.filter(pairing__event=started).earliest("pk")
    form = {"result": "draw", "reason": "the score sheet"}
    page = client.post(reverse("game-correct", args=[game.pk]), form).content.decode()
    for each in tables.event_table(started).tie_breaks:
        assert f">{each.name}</abbr>" in page


@pytest.mark.long
def test_the_desk_asks_who_goes_through_a_level_tie(ana: User) -> None:
    event = over_board.event_of(ana, format="knockout", rounds_total=3)
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    client = member(ana)
    _type(client, event, result="draw")
    page = text_of(client.post(_url("round-close", event, 1), follow=True).content)
    assert "Say on the desk who goes through. Level ties: boards 1" in page
    assert "Who goes through?" in text_of(client.get(_url("event-desk", event)).content)
    form = {"action": "let-through", "round_number": 1, "board": 1, "tpn": 2, "reason": "blitz"}
    client.post(_url("event-act", event), form)
    page = text_of(client.get(_url("event-log", event)).content)
    assert "board 1: level. Bruno advances by the arbiter's decision." in html.unescape(page)
    client.post(_url("round-close", event, 1))
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def test_the_page_of_results_has_a_line_for_each_game_of_a_tie(ana: User) -> None:
    event = over_board.event_of(ana, format="knockout", tie_games=3, rounds_total=3)
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    client = member(ana)
    status, answer = _type(client, event, result="draw")
    assert (status, answer["is_tie"], answer["missing"]) == (200, True, 1)
    page = client.get(_url("event-results", event)).content.decode()
    assert [f'id="board-1.{n}"' in page for n in (1, 2, 3)] == [True, True, False]
    form = {"round_number": 1, "line": "1 1"}
    refused = client.post(_url("event-result-enter", event), form, follow=True)
    assert "Write the board with its game" in text_of(refused.content)
    client.post(_url("event-result-enter", event), {**form, "line": "1.2 1"})
    assert [each.entered_result for each in event.pairings.get().later_games.all()] == ["first", ""]


@pytest.mark.long
def test_colours_are_exchanged_at_the_row_of_the_board(started: Event, ana: User) -> None:
    first = started.pairings.get(board=1).first
    form = {"action": "exchange-sides", "round_number": 1, "board": 1}
    client = member(ana)
    assert 'value="exchange-sides"' in client.get(_url("event-results", started)).content.decode()
    answer = client.post(_url("event-act", started), form)
    assert answer["Location"] == _url("event-results", started)
    assert started.pairings.get(board=1).second == first
    log = text_of(client.get(_url("event-log", started)).content)
    assert "Round 1, board 1 was played with colours exchanged" in log


def test_names_with_commas_are_apart_in_the_log(event: Event, ana: User) -> None:
    rows = [ListedPlayer(name, 1500) for name in ("Jensen, Jonas", "Gruber, Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    page = text_of(member(ana).get(_url("event-log", event)).content)
    assert "Jensen, Jonas; Gruber, Dario" in page


@pytest.mark.long
def test_everybody_sees_a_typed_result(started: Event, ana: User, client: Client) -> None:
    _type(member(ana), started)
    assert "1–0" in text_of(client.get(_url("event-pairings", started)).content)
    assert "1 of 2 games over" in text_of(client.get(started.get_absolute_url()).content)
    for name in ("event-crosstable", "event-standings"):
        assert client.get(_url(name, started)).status_code == 200


@pytest.mark.long
def test_a_closed_round_links_its_games(started: Event, ana: User, client: Client) -> None:
    staff = member(ana)
    for board in (1, 2):
        _type(staff, started, board=board, result="draw")
    staff.post(_url("round-close", started, 1))
    game = Game.objects.first()
    assert game is not None
    assert "over the board" in text_of(client.get(game.get_absolute_url()).content)
    assert client.get(_url("event-crosstable", started)).status_code == 200
    assert client.get(reverse("player", args=[game.first_id])).status_code == 404


@pytest.mark.parametrize("name", ["event-entries", "event-results"])
def test_the_desk_is_for_the_staff(started: Event, ben: User, client: Client, name: str) -> None:
    assert client.get(_url(name, started)).status_code == 302
    assert member(ben).get(_url(name, started)).status_code == 404


@pytest.mark.parametrize(
    "name", ["event-entry-add", "event-entries-preview", "event-entries-confirm"]
)
def test_forms_of_the_desk_are_for_the_staff(
    started: Event, ben: User, client: Client, name: str
) -> None:
    assert client.get(_url(name, started)).status_code == 405
    assert "/sign-in/" in client.post(_url(name, started))["Location"]
    assert member(ben).post(_url(name, started), {"text": "Alba"}).status_code == 404


def test_other_members_type_nothing(started: Event, ben: User) -> None:
    assert _type(member(ben), started)[0] == 403


def test_queries_of_the_desk_do_not_grow(
    event: Event, ana: User, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    rows = [ListedPlayer(f"Player {n}") for n in range(30)]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    client = member(ana)
    with django_assert_max_num_queries(20):  # type: ignore[attr-defined]  # a context manager
        client.get(_url("event-entries", event))


@pytest.mark.long
def test_the_desk_notes_penalties_and_the_standings_show_deducted_points(
    started: Event, ana: User
) -> None:
    client, winner = member(ana), started.pairings.get(board=1).first
    assert _type(client, started)[0] == 200
    form = {
        "act": "sanction", "entry": winner.pk, "round_number": 1, "sanction": "points",
        "points": "0.5", "reason": "Phone rang", "next": _url("event-desk", started),
    }  # fmt: skip
    desk = text_of(client.post(_url("event-desk-entry", started), form, follow=True).content)
    name = winner.player.name
    assert "Warnings and penalties (1)" in desk
    assert f"Round 1 · {name} · points deducted: −½ · Phone rang" in desk
    page = client.get(_url("event-standings", started)).content
    assert f"{name}, round 1: −½ (Phone rang)" in text_of(page)
    assert page.decode().count('href="#deductions"') == 1
    other = Client().get(_url("event-log", started)).content
    assert f"Round 1: points deducted (−0.5), {name}." in text_of(other)
