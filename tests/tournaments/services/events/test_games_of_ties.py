"""Ties of knock-outs on line: matches of several games, and extra games after a level match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from engine import referee
from engine.match import Ending, Fault, GameReport, MatchSpec
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.events import assert_confirmed, decide, lower_number_wins, to_the_end
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models import AuditEntry, Event, Game, Player, Round, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.results import reports, tables
from tournaments.services.arbiter import game_acts
from tournaments.services.matches import matches
from tournaments.services.matches.recorders import Recorder
from tournaments.services.results import event_document, sheets
from tournaments.services.rounds import lifecycle

EnterAll = Callable[..., None]


@pytest.fixture
def start(eight: list[Player], ana: User) -> Callable[..., Event]:
    """Return a function that starts a knock-out of `count` players."""

    def do(count: int = 2, **changes: object) -> Event:
        event = event_of(ana, **{"format": "knockout", **changes})
        enter(event, *eight[:count])
        lifecycle.start_event(event_id=event.pk, actor=ana)
        return event

    return do


def play(event: Event, *results: str) -> None:
    """End the game of the only tie with each of these results for number 1: `win`, `draw`, `loss`."""
    for result in results:
        sides = {"win": lower_number_wins, "draw": lambda _game: "draw", "loss": higher_wins}
        assert decide(event, sides[result]) == 1, result
        lifecycle.advance_event(event.pk)


def higher_wins(game: Game) -> str:
    return {"first": "second", "second": "first"}[lower_number_wins(game)]


def games_of(event: Event) -> list[Game]:
    return list(Game.objects.filter(pairing__event=event).order_by("number"))


def champion(event: Event) -> int | None:
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    return tables.event_table(event).rows[0].entry.tpn


@pytest.mark.long
@pytest.mark.parametrize(
    ("tie_games", "results", "winner"),
    [
        (2, ["win", "win"], 1),
        (2, ["draw", "loss"], 2),
        (3, ["loss", "loss"], 2),
        (3, ["win", "loss", "draw", "loss"], 2),
        (4, ["win", "win", "draw"], 1),
        (4, ["draw", "draw", "draw", "draw", "win"], 1),
        (1, ["draw", "draw", "loss"], 2),
        (2, ["draw", "draw", "draw", "draw"], 1),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, list) else str(each),
)
def test_a_tie_ends_as_soon_as_it_is_decided(
    start: Callable[..., Event], tie_games: int, results: Sequence[str], winner: int
) -> None:
    event = start(tie_games=tie_games)
    play(event, *results)
    assert champion(event) == winner
    assert len(games_of(event)) == len(results)
    assert_confirmed(event)


@pytest.mark.long
def test_sides_alternate_in_all_games_of_a_tie(start: Callable[..., Event]) -> None:
    event = start(tie_games=3)
    play(event, "win", "loss", "draw", "draw", "win")
    firsts = [game.first_id for game in games_of(event)]
    assert firsts[::2] == [firsts[0]] * 3
    assert firsts[1::2] == [firsts[1]] * 2
    assert firsts[0] != firsts[1]


@pytest.mark.long
def test_extra_games_have_their_clock_and_are_rated_by_it(start: Callable[..., Event]) -> None:
    event = start(tie_games=2, extra_clock="90+0")
    play(event, "draw", "draw", "win")
    *regular, extra = games_of(event)
    assert {game.clock_initial_ms for game in regular} == {event.clock_initial_ms}
    assert extra.clock_initial_ms == 90_000
    pools = {game.pool.key for game in regular if game.pool}
    assert extra.pool is not None
    assert extra.pool.key not in pools
    notes = AuditEntry.objects.filter(event=event, action="replay")
    assert notes.count() == 1


@pytest.mark.parametrize(("extra_games", "count"), [(0, 1), (1, 2), (4, 5)])
def test_a_level_tie_has_as_many_extra_games_as_the_event_says(
    start: Callable[..., Event], extra_games: int, count: int
) -> None:
    event = start(extra_games=extra_games)
    play(event, *["draw"] * count)
    assert champion(event) == 1
    assert len(games_of(event)) == count


@pytest.mark.long
@pytest.mark.parametrize(
    ("results", "winner"),
    [
        (["draw", "win", "win"], 1),
        (["draw", "loss", "draw"], 2),
        (["draw", "win", "loss", "draw", "loss"], 2),
        (["draw", "win", "loss", "draw", "draw"], 1),
    ],
    ids=str,
)
def test_a_pair_of_extra_games_decides_when_it_is_complete(
    start: Callable[..., Event], results: Sequence[str], winner: int
) -> None:
    event = start(has_extra_pairs=True, extra_games=4)
    play(event, *results)
    assert champion(event) == winner
    assert len(games_of(event)) == len(results)
    assert_verified(event)


@pytest.mark.long
@pytest.mark.parametrize("result", ["draw", "win", "loss"])
def test_an_armageddon_game_decides_by_any_result(
    start: Callable[..., Event], client: Client, result: str
) -> None:
    event = start(extra_games=1, armageddon_percent=80, extra_clock="100+1")
    play(event, "draw", "draw")
    armageddon = games_of(event)[-1]
    assert (armageddon.first_ms, armageddon.second_ms) == (100_000, 80_000)
    assert [game.armageddon_percent for game in games_of(event)] == [None, None, 80]
    assert (
        "80 percent of the opponent" in client.get(armageddon.get_absolute_url()).content.decode()
    )
    play(event, result)
    second = event.entries.get(player=armageddon.second_id).tpn
    assert champion(event) == {"draw": second, "win": 1, "loss": 2}[result]
    assert_verified(event)
    page = client.get(f"/events/{event.slug}/draw/").content.decode()
    assert ("advanced with a draw" in page) is (result == "draw")
    assert "armageddon" in client.get(reverse("event-round", args=[event.slug, 1])).content.decode()
    assert "armageddon" in reports.trf_of(event)


def test_the_second_bot_of_an_armageddon_game_has_less_time(
    start: Callable[..., Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    event = start(extra_games=0, armageddon_percent=50)
    play(event, "draw")
    *_, game = games_of(event)
    specs: list[MatchSpec] = []

    def look(spec: MatchSpec, *, observer: Recorder, **_: object) -> None:
        specs.append(spec)
        names = (spec.ruleset, spec.setup, "a", "b")
        observer.game_ended(GameReport(0, *names, [], None, Ending.VOID, fault=Fault.STARVED))

    monkeypatch.setattr(referee, "play_match", look)
    assert game.match_id is not None
    matches.play_match(game.match_id)
    (spec,) = specs
    assert spec.second_ms == game.second_ms == game.clock_initial_ms // 2


@pytest.mark.long
def test_a_replayed_armageddon_game_is_one_again(start: Callable[..., Event], ana: User) -> None:
    event = start(extra_games=0, armageddon_percent=50)
    play(event, "draw", "draw")
    game = games_of(event)[-1]
    game_acts.replay(game_id=game.pk, actor=ana, reason="wrong pieces")
    again = games_of(event)[-1]
    assert (again.armageddon_percent, again.first_id) == (50, game.first_id)
    assert again.second_ms * 2 == again.first_ms
    play(event, "draw")
    assert champion(event) == event.entries.get(player=again.second_id).tpn


def test_an_armageddon_game_that_does_not_count_is_replaced(
    start: Callable[..., Event], ana: User
) -> None:
    event = start(extra_games=0, armageddon_percent=50)
    play(event, "draw")
    game = games_of(event)[-1]
    game_acts.decide(game_id=game.pk, actor=ana, result="void", reason="wrong set-up")
    lifecycle.advance_event(event.pk)
    again = games_of(event)[-1]
    assert (again.armageddon_percent, again.first_id) == (50, game.first_id)


def assert_verified(event: Event) -> None:
    archive = archive_file.unpacked(archive_file.packed(event_archive.archive_of(event)))
    assert [each for check in verification.verify(archive) for each in check.differences] == []


def test_the_next_game_of_a_tie_does_not_wait_for_other_ties(start: Callable[..., Event]) -> None:
    event = start(4, tie_games=2)
    ongoing = Game.objects.ongoing().filter(pairing__event=event).order_by("pk")
    game, other = ongoing
    game_acts.decide(game_id=game.pk, actor=event.organiser, result="draw", reason="agreed")
    lifecycle.advance_event(event.pk)
    assert [(each.pairing_id, each.number) for each in ongoing.all()] == [
        (other.pairing_id, 1),
        (game.pairing_id, 2),
    ]


def test_a_player_who_forfeits_a_game_forfeits_the_tie(people: list[Player], ana: User) -> None:
    event = event_of(ana, format="knockout", tie_games=3)
    enter(event, *people[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    (game,) = games_of(event)
    game_acts.decide(game_id=game.pk, actor=ana, result="second-forfeit", reason="away")
    lifecycle.advance_event(event.pk)
    assert [each.result for each in games_of(event)] == ["second-forfeit", "first-forfeit"]
    lost = {entry.player_id: entry.tpn for entry in event.entries.all()}[game.first_id]
    assert champion(event) != lost


@pytest.mark.long
def test_a_game_that_does_not_count_is_replaced_with_its_sides(
    start: Callable[..., Event], ana: User
) -> None:
    event = start(tie_games=3)
    play(event, "win")
    game = games_of(event)[-1]
    game_acts.decide(game_id=game.pk, actor=ana, result="void", reason="wrong set-up")
    lifecycle.advance_event(event.pk)
    again = games_of(event)[-1]
    assert (again.number, again.first_id) == (3, game.first_id)
    play(event, "win")
    assert champion(event) == 1


@pytest.mark.long
def test_an_earlier_game_of_a_tie_can_be_replayed(start: Callable[..., Event], ana: User) -> None:
    event = start(tie_games=3)
    play(event, "win", "win")
    first, _ = games_of(event)
    game_acts.replay(game_id=first.pk, actor=ana, reason="wrong pieces")
    play(event, "loss", "loss")
    assert champion(event) == 2
    assert [game.number for game in games_of(event)] == [1, 2, 3, 4]


@pytest.mark.long
def test_the_third_place_is_a_match_as_well(start: Callable[..., Event]) -> None:
    event = start(4, tie_games=2, has_third_place=True)
    to_the_end(event, lower_number_wins)
    last = event.rounds.get(number=2)
    assert Game.objects.filter(pairing__round=last).count() == 4
    assert [row.rank for row in tables.event_table(event).rows] == [1, 2, 3, 4]


@pytest.mark.long
def test_groups_play_single_games_and_their_knock_out_matches(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format="groups-knockout", groups=2, qualifiers=1, tie_games=2)
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    to_the_end(event, lower_number_wins)
    of_groups = event.pairings.filter(tie_games=None)
    assert Game.objects.filter(pairing__in=of_groups).count() == of_groups.count()
    assert event.pairings.get(tie_games=2).games.count() == 2


@pytest.fixture
def played(start: Callable[..., Event]) -> Event:
    """A best of two with a level match and an extra game, which number 2 has won: 1-1, then 0-1."""
    event = start(tie_games=2)
    play(event, "win", "loss", "loss")
    return event


@pytest.mark.long
def test_the_pages_have_the_score_of_the_match(played: Event, client: Client) -> None:
    url = f"/events/{played.slug}/"
    bracket = client.get(f"{url}draw/").content.decode()
    assert '<strong class="score">1</strong>' in bracket
    assert '<strong class="score">2</strong>' in bracket
    page = client.get(f"{url}pairings/1/").content.decode()
    assert [f"1.{n}" in page for n in (1, 2, 3, 4)] == [True, True, True, False]
    cells = client.get(f"{url}crosstable/").content.decode()
    assert "2 points in the games with" in cells


@pytest.mark.long
def test_a_match_in_progress_is_open_everywhere(
    start: Callable[..., Event], client: Client
) -> None:
    event = start(tie_games=3)
    play(event, "win")
    assert event.rounds.get().state == Round.State.PUBLISHED
    table = tables.event_table(event)
    assert {row.points_halves for row in table.rows} == {0}
    document = event_document.document_of(event)
    assert document["rounds"][0]["pairings"][0]["first_outcome"] is None  # type: ignore[index]
    assert "1·" in client.get(f"/events/{event.slug}/crosstable/").content.decode()


@pytest.mark.long
def test_the_archive_of_matches_is_verified(played: Event) -> None:
    archive = archive_file.unpacked(archive_file.packed(event_archive.archive_of(played)))
    assert archive.rounds[0].boards[0].tie_games == 2
    assert_verified(played)


@pytest.mark.long
def test_files_have_the_tie_as_a_round_and_its_games_in_a_comment(played: Event) -> None:
    text = reports.trf_of(played)
    report = trf.read(text)
    codes = {
        player.id: [result.code.value for result in player.results if result]
        for player in report.players
    }
    assert codes == {1: ["0"], 2: ["1"]}
    (comment,) = [line for line in text.splitlines() if "round 1, tie" in line]
    assert comment.count("-") >= 6
    row = sheets.pairings(played).splitlines()[1].split(",")
    assert sorted(row[4:6]) == ["0", "1"]
    games = event_document.document_of(played)["rounds"][0]["pairings"][0]["games"]  # type: ignore[index]
    assert len(games) == 3


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"tie_games": 25}, "options-bad"),
        ({"tie_games": 0}, "options-bad"),
        ({"extra_games": 9}, "options-bad"),
        ({"extra_clock": "soon"}, "extra-clock-bad"),
        ({"extra_clock": "unlimited"}, "extra-clock-bad"),
        ({"extra_clock": "89+5"}, "extra-clock-short"),
        ({"armageddon_percent": 9}, "options-bad"),
        ({"armageddon_percent": 80, "fuel": 10**7, "admits": "bots"}, "armageddon-fuel"),
    ],
)
def test_settings_of_ties_are_in_range(ana: User, changes: dict[str, object], code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        event_of(ana, format="knockout", **changes)
    assert refused.value.code == code
