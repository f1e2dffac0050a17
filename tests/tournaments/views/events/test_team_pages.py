"""Pages of an event of teams, over the board, in every state."""

from __future__ import annotations

import html
import random
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import over_board, pages, shared_rows
from tests.tournaments.conftest import event_of
from tournaments.models import Entry, Event, Game, Player, Round, TeamBoard, User
from tournaments.queries.results import histories
from tournaments.services.arbiter import results
from tournaments.services.events import teams
from tournaments.services.rounds import lifecycle, publication

rows_of_file = over_board.rows(over_board.team_event_of)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def play_round(event: Event, ana: User, *, is_over: bool = True) -> Round:
    event.refresh_from_db()
    if event.state == Event.State.REGISTRATION:
        lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    round_ = publication.publish_round(event_id=event.pk, actor=ana)
    draw = random.Random(round_.number)
    for board in TeamBoard.objects.filter(pairing__round=round_).select_related("pairing"):
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=round_.number,
            board=board.pairing.board,
            game=board.number,
            result=draw.choice(results.ENTERED),
        )
    if is_over:
        results.close_round(event_id=event.pk, actor=ana, round_number=round_.number)
    return round_


ADDRESSES = [
    *("event", "event-live", "event-pairings", "event-standings", "event-strengths", "event-teams"),
    *("event-crosstable", "event-print", "event-log", "event-desk", "event-entries"),
    *("event-results", "event-screen", "embed-event", "event-report", "event-report-2025"),
    *("event-standings-csv", "event-crosstable-csv", "event-pairings-csv", "event-archive"),
    *("event-json", "event-settings", "event-prizes-csv"),
]


@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
@pytest.mark.part(0.4)
@pytest.mark.long
def test_all_pages_of_an_event_of_teams_open(event: Event, ana: User, rounds: int) -> None:
    for number in range(1, rounds + 1):
        play_round(event, ana, is_over=number != 2 or rounds != 2)
    client = pages.member(ana)
    for name in ADDRESSES:
        for visitor in (client, Client()):
            answer = visitor.get(reverse(name, args=[event.slug]))
            assert answer.status_code in {200, 302, 404}, name
    for number in range(1, rounds + 1):
        for kind in ("pairings", "names", "slips"):
            address = reverse("event-sheet-of-round", args=[event.slug, kind, number])
            assert client.get(address).status_code == 200
        for board in (1, 2):
            address = reverse("event-board", args=[event.slug, number, board])
            assert client.get(address).status_code == 200
        assert client.get(reverse("round-verify", args=[event.slug, number])).status_code == 200
    for kind in ("standings", "crosstable", "cards") if rounds else ():
        assert client.get(reverse("event-sheet", args=[event.slug, kind])).status_code == 200


@pytest.mark.long
@pytest.mark.parametrize("address", ["event-entries", "event-desk"])
def test_each_team_is_listed_with_its_members_below_it(
    event: Event, ana: User, address: str
) -> None:
    play_round(event, ana)
    page = pages.text_of(pages.member(ana).get(reverse(address, args=[event.slug])).content)
    rows = page[page.index("Rating") :]
    last = 0
    for team in event.entries.contestants().order_by("tpn"):
        for name in (team.player.name, *(f"{team.player.name} {n}" for n in (1, 2, 3))):
            last = rows.index(f" {name} ", last)  # which is after the one before


@pytest.mark.parametrize("name", ["event-entries", "event-desk", "event-teams"])
def test_the_average_of_a_team_is_there_before_the_start(
    event: Event, ana: User, name: str
) -> None:
    client, address = pages.member(ana), reverse(name, args=[event.slug])
    assert "1850" in pages.text_of(client.get(address).content)  # of 1900 and 1800
    assert not event.entries.exclude(seed_centielo=None).exists()
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert "1850" in pages.text_of(client.get(address).content)


@pytest.mark.long
def test_pairings_show_matches_with_their_boards(event: Event, ana: User) -> None:
    play_round(event, ana)
    text = pages.text_of(Client().get(reverse("event-pairings", args=[event.slug])).content)
    assert "1.1" in text
    assert "1.2" in text
    first = event.pairings.select_related("first__player").get(round__number=1, board=1).first
    assert first.player.name in text


@pytest.mark.long
def test_the_best_of_each_board_are_listed_by_points(event: Event, ana: User) -> None:
    play_round(event, ana)
    play_round(event, ana)
    page = Client().get(reverse("event-teams", args=[event.slug]))
    tables = page.context["best_of_boards"]
    assert [board for board, _ in tables] == [1, 2]
    for board, best in tables:
        assert all(row.games[0].board == board for _, row in best)
        points = [row.points_halves for _, row in best]
        assert points == sorted(points, reverse=True)
        assert len(best) == 3


def test_a_captain_orders_the_team_on_its_page(event: Event, ana: User, ben: User) -> None:
    team = event.entries.contestants()[0]
    teams.set_captain(event_id=event.pk, actor=ana, entry_id=team.pk, username="Ben")
    members = list(team.members.order_by("board_order"))
    client = pages.member(ben)
    page = client.get(reverse("event-teams", args=[event.slug]))
    assert "Save the order" in page.content.decode()
    client.post(
        reverse("event-team-act", args=[event.slug]),
        {
            "act": "team-order",
            "entry_id": team.pk,
            "place": ["3", "1", "2"],
            "member": [member.pk for member in members],
        },
    )
    order = list(team.members.order_by("board_order").values_list("pk", flat=True))
    assert order == [members[1].pk, members[2].pk, members[0].pk]


@pytest.mark.long
def test_the_staff_sets_a_line_up_on_the_page(event: Event, ana: User) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    round_ = publication.publish_round(event_id=event.pk, actor=ana)
    pairing = round_.pairings.order_by("board")[0]
    members = list(pairing.first.members.order_by("board_order"))
    address = reverse("event-line-up", args=[event.slug])
    form = {"entry_id": pairing.first_id, "round_number": 1}
    client = pages.member(ana)
    client.post(address, {**form, "board": [str(members[0].pk), str(members[2].pk)]})
    board = TeamBoard.objects.get(pairing=pairing, number=2)
    assert board.second_id == members[2].pk
    client.post(address, {**form, "board": ["x", ""]})
    board.refresh_from_db()
    assert board.second_id == members[2].pk


def test_a_result_is_typed_with_its_match_and_board(event: Event, ana: User) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    url = reverse("event-result-enter", args=[event.slug])
    pages.member(ana).post(url, {"round_number": 1, "line": "2.1 ="})
    typed = TeamBoard.objects.exclude(entered_result="").get()
    assert (typed.pairing.board, typed.number, typed.entered_result) == (2, 1, "draw")


@pytest.mark.long
def test_the_captain_requests_byes_and_withdraws_the_team(
    event: Event, ana: User, ben: User
) -> None:
    team = event.entries.contestants().get(player__name="Mar")
    address = reverse("event-team-act", args=[event.slug])
    bye = {"entry_id": team.pk, "act": "team-bye", "round_number": 1, "kind": "half"}
    client = pages.member(ben)
    client.post(address, bye)
    assert not team.bye_requests.exists()  # Ben is no captain yet
    team.captain = ben
    team.save()
    client.post(address, bye)
    client.post(address, {**bye, "round_number": 2})  # one half-point bye an event
    assert list(team.bye_requests.values_list("round_number", "kind")) == [(1, "half")]
    Event.objects.filter(pk=event.pk).update(most_half_byes=2, rounds_total=5)
    question = client.post(address, {**bye, "round_number": 2})
    assert "half-point byes already, in rounds: 1." in pages.text_of(question.content)
    assert team.bye_requests.count() == 1
    page = client.get(reverse("event-teams", args=[event.slug])).text
    assert 'value="cancel-bye"' in page
    taken = {"entry": team.pk, "round_number": 1, "act": "cancel-bye", "next": address}
    client.post(reverse("event-desk-entry", args=[event.slug]), taken)
    assert not team.bye_requests.exists()
    client.post(address, bye)
    play_round(event, ana)
    assert event.rounds.get().seats.get(entry=team).kind == "half-bye"
    client.post(address, {"entry_id": team.pk, "act": "team-withdraw"})
    team.refresh_from_db()
    assert (team.state, team.left_round) == (Entry.State.WITHDRAWN, 2)
    play_round(event, ana)
    assert not event.rounds.get(number=2).seats.filter(entry=team).exists()


@pytest.mark.long
def test_the_staff_adds_bots_of_the_site_and_others_their_own(
    ana: User, ben: User, bots: list[Player]
) -> None:
    event = event_of(ana, format="team", boards=2)
    teams.create(event_id=event.pk, actor=ben, name="Torre")
    address = reverse("event-teams", args=[event.slug])
    offered = pages.member(ana).get(address).context["bots"]
    assert {bot.pk for bot in bots} <= {bot.pk for bot in offered}
    assert list(pages.member(ben).get(address).context["bots"]) == []
    team = event.entries.contestants().get()
    form = {"act": "team-join", "entry_id": team.pk, "player_id": bots[0].pk}
    pages.member(ana).post(reverse("event-team-act", args=[event.slug]), form)
    assert team.members.get().player == bots[0]
    assert bots[0] not in pages.member(ana).get(address).context["bots"]
    overview = pages.member(ana).get(event.get_absolute_url())
    assert "bot_form" not in overview.context


@pytest.mark.long
def test_the_page_of_a_match_has_all_its_boards(ana: User, bots: list[Player]) -> None:
    event = event_of(ana, format="team", boards=2)
    for place, name in enumerate(("Torre", "Alfil")):
        team = teams.create(event_id=event.pk, actor=ana, name=name)
        for bot in bots[2 * place : 2 * place + 2]:
            teams.join(event_id=event.pk, actor=ana, entry_id=team.pk, player_id=bot.pk)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    games = list(Game.objects.filter(pairing__event=event).order_by("number"))
    assert len(games) == 2
    page = Client().get(reverse("event-board", args=[event.slug, 1, 1])).content.decode()
    (address,) = re.findall(r'id="live-boards" data-live="([^"]*)"', page)
    assert "Boards of the match" in page
    for text in (page, Client().get(html.unescape(address)).content.decode()):
        places = [text.index(f'href="{game.get_absolute_url()}"') for game in games]
        assert places == sorted(places)
    other = reverse("event-boards", args=[event.slug])
    for bad in ("0", "x", "9" * 30):
        assert Client().get(other, {"match": bad}).status_code == 200


@pytest.mark.long
def test_sheets_name_teams_and_leave_out_numbers_of_members(event: Event, ana: User) -> None:
    play_round(event, ana)
    round_ = play_round(event, ana)
    first = round_.pairings.order_by("board")[0].first
    halves = histories.of_event(event)[first.pk][1].score_halves or 0
    client = pages.member(ana)

    def sheet(kind: str) -> str:
        address = reverse("event-sheet-of-round", args=[event.slug, kind, 2])
        return pages.text_of(client.get(address).content)

    assert f"{first.tpn} {first.player.name} ({halves // 2})" in sheet("pairings")
    assert "Player Team Rating Board Colour Opponent" in sheet("names")
    assert "Colour Player Result" in sheet("slips")


@pytest.mark.long
@pytest.mark.parametrize("number", [1, 2])
def test_a_match_with_an_adjourned_board_is_a_meeting_with_a_mark(
    event: Event, ana: User, number: int
) -> None:
    play_round(event, ana, is_over=False)
    TeamBoard.objects.filter(pairing__board=1, number=number).update(entered_result="")
    results.postpone(event_id=event.pk, actor=ana, round_number=1, board=1)
    results.close_round(event_id=event.pk, actor=ana, round_number=1)
    page = Client().get(reverse("event-crosstable", args=[event.slug]))
    texts = [cell.text for row in page.context["crosstable"] for cell in row.cells]
    assert sum(text.endswith("*") for text in texts) == 2
    pairing = event.pairings.get(round__number=1, board=1)
    history = histories.of_event(event)
    for own, other in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
        record = histories.pairing_records(history[own.pk], 1)[0]
        assert record.opponent == other.tpn
