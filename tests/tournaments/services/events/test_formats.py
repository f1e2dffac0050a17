"""Events of every format from start to end: pairings, draws and departures, and the end of the event."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.events import assert_confirmed, decide, lower_number_wins, to_the_end
from tournaments.errors import RefusedError
from tournaments.models import (
    Event,
    Game,
    Match,
    Pairing,
    PairTally,
    Player,
    Rating,
    Round,
    Seat,
    User,
)
from tournaments.queries.results import tables
from tournaments.services.events import entries
from tournaments.services.games import game_end
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import continuous, lifecycle

EnterAll = Callable[..., None]


@pytest.mark.long
@pytest.mark.parametrize(
    ("count", "cycles"),
    [
        (5, 2),
        (6, 1),
        pytest.param(5, 1, marks=pytest.mark.slow),
        pytest.param(6, 2, marks=pytest.mark.slow),
    ],
)
def test_everybody_meets_everybody_in_a_round_robin(
    eight: list[Player], ana: User, cycles: int, count: int
) -> None:
    event = event_of(ana, format="round-robin", cycles=cycles)
    enter(event, *eight[:count])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == cycles * (count if count % 2 else count - 1)
    rng = random.Random(count)
    to_the_end(event, lambda _game: rng.choice(["first", "draw", "second"]))
    pairings = Pairing.objects.filter(event=event)
    assert pairings.count() == cycles * count * (count - 1) // 2
    assert {p.encounter for p in pairings} == set(range(1, cycles + 1))
    assert_confirmed(event)


@pytest.mark.long
def test_who_leaves_a_round_robin_leaves_points_to_the_others(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format="round-robin")
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    decide(event, lower_number_wins)
    entries.withdraw(event_id=event.pk, player=eight[0], actor=ana)
    lifecycle.advance_event(event.pk)
    to_the_end(event, lower_number_wins)
    seats = Seat.objects.filter(round__event=event, kind=Seat.Kind.FORFEIT_WIN)
    assert {seat.absent.player for seat in seats if seat.absent} == {eight[0]}
    assert seats.count() == 2
    with pytest.raises(RefusedError, match="event-closed"):
        entries.enter(event_id=event.pk, player=eight[0], actor=ana)
    assert_confirmed(event)


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
@pytest.mark.part(0.4)
@pytest.mark.long
def test_the_standings_of_every_format_have_their_page(
    eight: list[Player], ana: User, client: Client, changes: dict[str, object], lines: list[str]
) -> None:
    event = event_of(ana, **changes)
    url = f"/events/{event.slug}/"
    assert client.get(f"{url}standings/").status_code == 200
    enter(event, *eight)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    decide(event, lower_number_wins)
    lifecycle.advance_event(event.pk)
    page = client.get(f"{url}standings/").content.decode()
    assert [word for word in lines if word not in page] == []
    for tab in ("", "pairings/", "pairings/1/", "pairings/1/boards/1/"):
        assert client.get(f"{url}{tab}").status_code == 200, tab
    boards = client.get(f"{url}pairings/1/boards/1/").content.decode()
    assert "There is no record for" not in boards


@pytest.mark.long
def test_groups_send_their_best_to_a_knock_out(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="groups-knockout", groups=2, qualifiers=2)
    enter(event, *eight)
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == 3 + 2
    to_the_end(event, lower_number_wins)
    places = [row.entry.tpn for row in tables.event_table(event).rows]
    assert places[:2] == [1, 2]
    assert [len(section.rows) for section in tables.sections(event)] == [4, 4]
    assert sum(r.movement == "qualified" for s in tables.sections(event) for r in s.rows) == 4
    bracket_rounds = tables.draw(event)
    assert [len(each.ties) for each in bracket_rounds] == [2, 1]
    assert_confirmed(event)


@pytest.mark.long
def test_a_league_goes_on_for_its_seasons_and_moves_players(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="league", groups=2, promotion_places=1, seasons=2)
    enter(event, *eight[:6])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == 2 * 3
    # A newcomer in the first season waits for the second, which is longer by that.
    entries.enter(event_id=event.pk, player=eight[6], actor=ana)
    to_the_end(event, lambda game: "second" if lower_number_wins(game) == "first" else "first")
    seasons = {section.season for section in tables.sections(event)}
    assert seasons == {1, 2}
    first = [s for s in tables.sections(event) if s.season == 1]
    assert [r.movement for r in first[0].rows] == ["", "", "down"]
    assert [r.movement for r in first[1].rows] == ["up", "", ""]
    second = [s for s in tables.sections(event) if s.season == 2]
    assert [len(s.rows) for s in second] == [3, 4]
    # No season comes after it.
    assert {row.movement for section in second for row in section.rows} == {""}
    assert event.rounds_total == 3 + 3
    with pytest.raises(RefusedError, match="no-byes"):
        entries.request_bye(
            event_id=event.pk, player=eight[0], actor=ana, round_number=3, kind="zero"
        )
    assert_confirmed(event)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"format": "groups-knockout", "groups": 4}, "options-bad"),
        ({"format": "league", "groups": 2, "promotion_places": 3}, "options-bad"),
        ({"format": "groups-knockout", "groups": 2, "qualifiers": 3}, "options-bad"),
    ],
)
def test_options_that_do_not_fit_the_field_are_refused_at_the_start(
    eight: list[Player], ana: User, changes: dict[str, object], code: str
) -> None:
    event = event_of(ana, **changes)
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
        ({"win_halves": 3, "draw_halves": 2}, "points-bad"),
        ({"is_accelerated": True, "format": "swiss"}, "acceleration-bad"),
        ({"is_accelerated": True, "win_halves": 6, "draw_halves": 2}, "acceleration-bad"),
    ],
)
def test_plans_that_no_event_can_follow_are_refused(
    ana: User, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        event_of(ana, **changes)


@pytest.mark.long
def test_an_arena_pairs_whoever_is_free_until_its_end(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="arena", duration_s=600, admits=Event.Admits.BOTS)
    enter(event, *eight[:5])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert Game.objects.ongoing().filter(pairing__event=event).count() == 2
    for _ in range(6):
        decide(event, lower_number_wins)
        lifecycle.advance_event(event.pk)
    late = eight[5]
    entries.enter(event_id=event.pk, player=late, actor=ana)
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    running = Game.objects.ongoing().filter(pairing__event=event).count()
    assert running > 0
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING  # the last games are played out
    decide(event, lower_number_wins)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    rows = tables.event_table(event).rows
    assert rows[0].entry.tpn in {1, 2}  # one of them had to sit out now and then
    games = Game.objects.filter(pairing__event=event)
    assert sum(row.games or 0 for row in rows) == 2 * games.count()
    assert rows[0].points_halves > 2 * 2 * 2  # more than two plain wins: the streak counts
    assert_confirmed(event)


@pytest.mark.long
def test_nobody_sits_at_two_boards_of_an_arena(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="arena", duration_s=600, admits=Event.Admits.BOTS)
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


@pytest.mark.long
def test_a_ladder_keeps_few_matches_waiting_and_plays_both_sides(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format="ladder", admits=Event.Admits.BOTS)
    enter(event, *eight)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(3):
        pairs = Pairing.objects.filter(event=event, round__state=Round.State.PUBLISHED)
        assert 0 < pairs.count() <= continuous.LADDER_MATCHES
        for pairing in pairs:
            one, two = pairing.games.order_by("number")
            assert (one.first_id, one.setup) == (two.second_id, two.setup)
        decide(event, lower_number_wins)
        Match.objects.update(state=Match.State.DONE)
        lifecycle.advance_event(event.pk)
    rows = tables.event_table(event).rows
    ratings = [row.rating_centielo for row in rows]
    assert ratings == sorted(ratings, key=lambda rating: -(rating or 0))
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    decide(event, lower_number_wins)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def test_a_bot_without_a_game_is_last_in_a_ladder_and_has_no_rating(
    bots: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="ladder", admits=Event.Admits.BOTS, is_rated=True)
    new, strong, weak = bots[:3]
    enter(event, new, strong, weak)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    pool = pool_assignment.of_event(event)
    for player in (strong, weak):
        Rating.objects.create(
            pool=pool, player=player, centielo=1500_00, peak_centielo=1500_00, games=9
        )
    PairTally.objects.create(pool=pool, first=strong, second=weak, wins=8, losses=1)
    rows = tables.event_table(event).rows
    assert [row.entry.player for row in rows] == [strong, weak, new]
    ratings = [row.rating_centielo for row in rows]
    assert ratings[2] is None
    assert (ratings[1] or 0) < 1500_00 < (ratings[0] or 0)
    for address, row in (
        (f"{event.get_absolute_url()}standings/", f"3 {new.name} bot – 0 0 0"),
        (f"/embed/event/{event.slug}/", f"3 {new.name} –"),
    ):
        text = pages.text_of(client.get(address).content)
        assert row in text
        assert "1500" not in text
