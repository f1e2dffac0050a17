"""Events of every format from start to end: who is paired, what draws and departures do, and how the event ends."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from tournaments.models import AuditEntry, Event, Game, Match, Pairing, Round, Seat
from tournaments.services.accounts import players
from tournaments.services.arbiter import round_verification
from tournaments.services.errors import RefusedError
from tournaments.services.events import entries
from tournaments.services.games import game_end
from tournaments.services.results import tables
from tournaments.services.rounds import continuous, lifecycle
from tournaments.services.rounds.rounds import MAX_REPLAYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from tournaments.models import Player, User

    MakeEvent = Callable[..., Event]
    EnterAll = Callable[..., None]


@pytest.fixture
def eight(db: None) -> list[Player]:
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 9)]


def _decide(event: Event, choose: Callable[[Game], str]) -> int:
    """Give every running game of the event the result that `choose` says; how many there were."""
    ongoing = list(Game.objects.ongoing().filter(pairing__event=event).with_players())
    for game in ongoing:
        with transaction.atomic():
            game_end.finish_game(game, result=choose(game), ending=Game.Ending.RESIGNATION)
    return len(ongoing)


def _to_the_end(event: Event, choose: Callable[[Game], str], *, rounds: int = 60) -> None:
    for _ in range(rounds):
        _decide(event, choose)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
        if event.state == Event.State.FINISHED:
            return
    pytest.fail("the event did not finish")


def _lower_number_wins(game: Game) -> str:
    assert game.pairing is not None
    tpn = {e.player_id: e.tpn or 0 for e in (game.pairing.first, game.pairing.second)}
    return "first" if tpn[game.first_id] < tpn[game.second_id] else "second"


def _assert_confirmed(event: Event) -> None:
    for round_ in event.rounds.all():
        verdict = round_verification.verify(round_)
        assert verdict.is_confirmed, (round_, verdict)
        assert verdict.is_seed_committed


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize("count", [5, 6])
def test_everybody_meets_everybody_in_a_round_robin(
    new_event: MakeEvent,
    enter: EnterAll,
    eight: list[Player],
    ana: User,
    cycles: int,
    count: int,
) -> None:
    event = new_event(format="round-robin", cycles=cycles)
    enter(event, *eight[:count])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == cycles * (count if count % 2 else count - 1)
    rng = random.Random(count)
    _to_the_end(event, lambda _game: rng.choice(["first", "draw", "second"]))
    pairings = Pairing.objects.filter(event=event)
    assert pairings.count() == cycles * count * (count - 1) // 2
    assert {p.encounter for p in pairings} == set(range(1, cycles + 1))
    _assert_confirmed(event)


def test_who_leaves_a_round_robin_leaves_points_to_the_others(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="round-robin")
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _decide(event, _lower_number_wins)
    entries.withdraw(event_id=event.pk, player=eight[0], actor=ana)
    lifecycle.advance_event(event.pk)
    _to_the_end(event, _lower_number_wins)
    seats = Seat.objects.filter(round__event=event, kind=Seat.Kind.FORFEIT_WIN)
    assert {seat.absent.player for seat in seats if seat.absent} == {eight[0]}
    assert seats.count() == 2
    with pytest.raises(RefusedError, match="event-closed"):
        entries.enter(event_id=event.pk, player=eight[0], actor=ana)
    _assert_confirmed(event)


@pytest.mark.parametrize("count", [2, 5, 8])
@pytest.mark.parametrize("system", ["knockout", "double-knockout"])
def test_the_favourite_wins_a_knock_out_in_which_favourites_win(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User, system: str, count: int
) -> None:
    event = new_event(format=system)
    enter(event, *eight[:count])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _to_the_end(event, _lower_number_wins)
    games = Game.objects.filter(pairing__event=event)
    losses = 1 if system == "knockout" else 2
    assert games.count() == losses * (count - 1)
    final = games.order_by("-pairing__round__number").first()
    assert final is not None
    assert final.pairing is not None
    assert {final.pairing.first.tpn, final.pairing.second.tpn} == {1, 2}
    _assert_confirmed(event)


def test_a_drawn_tie_is_played_again_twice_and_then_goes_to_the_higher_seed(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="knockout")
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for number in (1, 2, 3):
        assert _decide(event, lambda _game: "draw") == 2, number
        lifecycle.advance_event(event.pk)
    first_round = event.rounds.get(number=1)
    assert first_round.state == Round.State.CLOSED
    games = Game.objects.filter(pairing__round=first_round).order_by("pairing", "number")
    assert [game.number for game in games] == [1, 2, 3, 1, 2, 3]
    assert games[0].first_id == games[1].second_id
    second = event.rounds.get(number=2)
    assert {p.first.tpn for p in second.pairings.all()} | {
        p.second.tpn for p in second.pairings.all()
    } == {1, 2}
    assert AuditEntry.objects.filter(event=event, action="replay").count() == 2


def test_nobody_goes_on_by_games_that_our_faults_have_voided(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User
) -> None:
    event = new_event(format="knockout", admits="bots")
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for number in range(1, 2 * MAX_REPLAYS + 2):
        game = Game.objects.ongoing().get(pairing__event=event)
        assert game.number == number
        with transaction.atomic():
            game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.FAULT)
        lifecycle.advance_event(event.pk)
    _decide(event, lambda _game: "second")
    winner = Game.objects.get(pairing__event=event, result="second").second
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert tables.event_table(event).rows[0].entry.player_id == winner.pk


def test_a_replay_decides_by_who_won_it_not_by_the_side(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="knockout")
    enter(event, *eight[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _decide(event, lambda _game: "draw")
    lifecycle.advance_event(event.pk)
    replay = Game.objects.ongoing().get(pairing__event=event)
    _decide(event, lambda _game: "second")
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    winner = tables.event_table(event).rows[0].entry
    assert winner.player_id == replay.second_id


def test_the_pages_of_a_knock_out_show_the_draw_and_every_game_of_a_tie(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User, client: Client
) -> None:
    event = new_event(format="knockout")
    url = f"/events/{event.slug}/"
    assert (
        "The bracket is made when the event starts." in client.get(f"{url}draw/").content.decode()
    )
    enter(event, *eight[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _decide(event, lambda _game: "draw")
    lifecycle.advance_event(event.pk)
    page = client.get(f"{url}pairings/1/").content.decode()
    assert "game 1" in page
    assert "bye" in page
    assert page.index(Game.objects.ongoing().get().first.name) < page.index("playing</span>")
    draw_page = client.get(f"{url}draw/").content.decode()
    assert "winner of 2" in draw_page
    _to_the_end(event, _lower_number_wins)
    draw_page = client.get(f"{url}draw/").content.decode()
    assert draw_page.count('class="slot winner"') == 4
    assert client.get(f"{url}standings/").status_code == 200
    assert client.get(f"{url}crosstable/").status_code == 200
    assert client.get(f"{url}report.trf").status_code == 200


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({"format": "league", "groups": 2, "seasons": 2}, ["Season 1", "Division 2", "promoted"]),
        ({"format": "groups-knockout", "groups": 2}, ["Group 2", "qualified"]),
        (
            {"format": "arena", "duration_s": 600, "admits": "bots"},
            ["every result counts double"],
        ),
        ({"format": "ladder", "admits": "bots"}, ["Rating now"]),
        ({"format": "round-robin", "cycles": 2}, ["Koya"]),
    ],
)
def test_the_standings_of_every_format_have_their_page(
    new_event: MakeEvent,
    enter: EnterAll,
    eight: list[Player],
    ana: User,
    client: Client,
    changes: dict[str, object],
    lines: list[str],
) -> None:
    event = new_event(**changes)
    url = f"/events/{event.slug}/"
    assert client.get(f"{url}standings/").status_code == 200
    enter(event, *eight)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _decide(event, _lower_number_wins)
    lifecycle.advance_event(event.pk)
    page = client.get(f"{url}standings/").content.decode()
    assert [word for word in lines if word not in page] == []
    for tab in ("", "pairings/", "pairings/1/", "pairings/1/boards/1/"):
        assert client.get(f"{url}{tab}").status_code == 200, tab
    boards = client.get(f"{url}pairings/1/boards/1/").content.decode()
    assert "There is no record for" not in boards


def test_groups_send_their_best_to_a_knock_out(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="groups-knockout", groups=2, qualifiers=2)
    enter(event, *eight)
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == 3 + 2
    _to_the_end(event, _lower_number_wins)
    places = [row.entry.tpn for row in tables.event_table(event).rows]
    assert places[:2] == [1, 2]
    assert [len(section.rows) for section in tables.sections(event)] == [4, 4]
    assert sum(r.movement == "qualified" for s in tables.sections(event) for r in s.rows) == 4
    bracket_rounds = tables.draw(event)
    assert [len(each.ties) for each in bracket_rounds] == [2, 1]
    _assert_confirmed(event)


def test_a_league_goes_on_for_its_seasons_and_moves_players(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="league", groups=2, promotion_places=1, seasons=2)
    enter(event, *eight[:6])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == 2 * 3
    # A newcomer in the first season waits for the second, which is longer by that.
    entries.enter(event_id=event.pk, player=eight[6], actor=ana)
    _to_the_end(event, lambda game: "second" if _lower_number_wins(game) == "first" else "first")
    seasons = {section.season for section in tables.sections(event)}
    assert seasons == {1, 2}
    first = [s for s in tables.sections(event) if s.season == 1]
    assert [r.movement for r in first[0].rows] == ["", "", "down"]
    assert [r.movement for r in first[1].rows] == ["up", "", ""]
    second = [s for s in tables.sections(event) if s.season == 2]
    assert [len(s.rows) for s in second] == [3, 4]
    assert event.rounds_total == 3 + 3
    with pytest.raises(RefusedError, match="no-byes"):
        entries.request_bye(
            event_id=event.pk, player=eight[0], actor=ana, round_number=3, kind="zero"
        )
    _assert_confirmed(event)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"format": "groups-knockout", "groups": 4}, "options-bad"),
        ({"format": "league", "groups": 2, "promotion_places": 3}, "options-bad"),
        ({"format": "groups-knockout", "groups": 2, "qualifiers": 3}, "options-bad"),
    ],
)
def test_options_that_do_not_fit_the_field_are_refused_at_the_start(
    new_event: MakeEvent,
    enter: EnterAll,
    eight: list[Player],
    ana: User,
    changes: dict[str, object],
    code: str,
) -> None:
    event = new_event(**changes)
    enter(event, *eight[:5])
    with pytest.raises(RefusedError, match=code):
        lifecycle.start_event(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    assert event.state == Event.State.REGISTRATION


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"format": "ladder"}, "admits-bad"),
        ({"format": "arena", "duration_s": 5}, "duration-bad"),
        ({"format": "arena", "duration_s": 600, "win_halves": 6}, "points-bad"),
        ({"cycles": 3}, "options-bad"),
        ({"win_halves": 1}, "points-bad"),
        ({"bye_halves": 3}, "points-bad"),
        ({"is_accelerated": True, "format": "swiss"}, "acceleration-bad"),
        ({"is_accelerated": True, "win_halves": 6, "draw_halves": 2}, "acceleration-bad"),
    ],
)
def test_plans_that_no_event_can_follow_are_refused(
    new_event: MakeEvent, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        new_event(**changes)


def test_an_arena_pairs_whoever_is_free_until_its_end(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="arena", duration_s=600, admits=Event.Admits.BOTS)
    enter(event, *eight[:5])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert Game.objects.ongoing().filter(pairing__event=event).count() == 2
    for _ in range(6):
        _decide(event, _lower_number_wins)
        lifecycle.advance_event(event.pk)
    late = eight[5]
    entries.enter(event_id=event.pk, player=late, actor=ana)
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    running = Game.objects.ongoing().filter(pairing__event=event).count()
    assert running > 0
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING  # the last games are played out
    _decide(event, _lower_number_wins)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    rows = tables.event_table(event).rows
    assert rows[0].entry.tpn in {1, 2}  # one of them had to sit out now and then
    games = Game.objects.filter(pairing__event=event)
    assert sum(row.games or 0 for row in rows) == 2 * games.count()
    assert rows[0].points_halves > 2 * 2 * 2  # more than two plain wins: the streak counts
    _assert_confirmed(event)


def test_nobody_sits_at_two_boards_of_an_arena(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="arena", duration_s=600, admits=Event.Admits.BOTS)
    enter(event, *eight)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rng = random.Random(3)
    for _ in range(10):
        ongoing = list(Game.objects.ongoing().filter(pairing__event=event).with_players())
        seats = [pk for game in ongoing for pk in (game.first_id, game.second_id)]
        assert len(seats) == len(set(seats))
        for game in rng.sample(ongoing, min(2, len(ongoing))):
            with transaction.atomic():
                game_end.finish_game(game, result="first", ending=Game.Ending.RESIGNATION)
        lifecycle.advance_event(event.pk)
    encounters = Pairing.objects.filter(event=event).values_list("low", "high", "encounter")
    assert len(encounters) == len(set(encounters))


def test_a_ladder_keeps_few_matches_waiting_and_plays_both_sides(
    new_event: MakeEvent, enter: EnterAll, eight: list[Player], ana: User
) -> None:
    event = new_event(format="ladder", admits=Event.Admits.BOTS)
    enter(event, *eight)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(3):
        pairs = Pairing.objects.filter(event=event, round__state=Round.State.PUBLISHED)
        assert 0 < pairs.count() <= continuous.LADDER_MATCHES
        for pairing in pairs:
            one, two = pairing.games.order_by("number")
            assert (one.first_id, one.setup) == (two.second_id, two.setup)
        _decide(event, _lower_number_wins)
        Match.objects.update(state=Match.State.DONE)
        lifecycle.advance_event(event.pk)
    rows = tables.event_table(event).rows
    ratings = [row.rating_centielo for row in rows]
    assert ratings == sorted(ratings, key=lambda rating: -(rating or 0))
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    _decide(event, _lower_number_wins)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
