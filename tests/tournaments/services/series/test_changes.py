"""Changes of a series: its events, its rules, and the rows that are one person."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.conftest import event_of
from tests.tournaments.series_events import RULES, act, finished, play_round, registered, series_of
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AuditEntry, Event, Game, Series, StaffMember, User
from tournaments.queries.events import series as queries
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import corrections
from tournaments.services.events import entries, staff_members
from tournaments.services.series import changes, tables
from tournaments.services.series.changes import About, Arguments
from tournaments.standings.series import Fate, Method, Rules


def _totals(series: Series) -> dict[str, list[int | float]]:
    """Return the totals by name: several if several rows have the name."""
    table = tables.of(series)
    totals: dict[str, list[int | float]] = {}
    for row in table.rows:
        totals.setdefault(table.people[row.person].name, []).append(float(row.total))
    return totals


def _key(series: Series, name: str, number: int = 0) -> str:
    """Return the key of the row of that name."""
    people = tables.of(series).people.values()
    return sorted(each.key for each in people if each.name == name)[number]


@pytest.mark.long
def test_the_points_of_its_events_are_added(ana: User) -> None:
    series = series_of(
        ana, finished(ana, "May", "Al", "Bo", "Cy"), finished(ana, "June", "Bo", "Cy")
    )
    assert _totals(series) == {"Al": [10], "Bo": [16], "Cy": [10]}


def test_a_correction_in_an_event_changes_the_table(ana: User) -> None:
    event = finished(ana, "May", "Al", "Bo")
    series = series_of(ana, event)
    assert _totals(series) == {"Al": [10], "Bo": [6]}
    game = Game.objects.get(pairing__event=event)
    result = "second" if game.result == "first" else "first"
    corrections.correct(game_id=game.pk, actor=ana, result=result, reason="mixed up")
    assert _totals(series) == {"Al": [6], "Bo": [10]}


def test_a_running_event_is_provisional(ana: User) -> None:
    listed = [ListedPlayer(name) for name in ("Al", "Bo", "Cy", "Di")]
    event = play_round(registered(ana, "May", listed))
    series = series_of(ana, event)
    rows = tables.of(series).rows
    assert {term.fate for row in rows for term in row.terms} == {Fate.PROVISIONAL}
    assert _totals(series) == {"Al": [0], "Bo": [0], "Cy": [0], "Di": [0]}


@pytest.mark.long
def test_an_account_and_a_bot_are_one_row(ana: User, ben: User) -> None:
    events = []
    for name in ("May", "June"):
        event = registered(ana, name)
        for user in (ana, ben):
            entries.enter(event_id=event.pk, player=user.player, actor=user)
        events.append(play_round(event))
    series = series_of(ana, *events)
    assert set(tables.of(series).people) == {f"player:{ana.player.pk}", f"player:{ben.player.pk}"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        pytest.param(ListedPlayer("Al"), ListedPlayer("AL"), True, id="name"),
        pytest.param(
            ListedPlayer("Al", club="Sur"),
            ListedPlayer("Al", club="sur"),
            True,
            id="name with club",
        ),
        pytest.param(
            ListedPlayer("Al", club="Sur"), ListedPlayer("Al", club="Norte"), False, id="two clubs"
        ),
        pytest.param(
            ListedPlayer("Al", fide_id="17"), ListedPlayer("Ali", fide_id="17"), True, id="FIDE id"
        ),
        pytest.param(
            ListedPlayer("Al", fide_id="17"), ListedPlayer("Al", fide_id="18"), False, id="two ids"
        ),
    ],
)
def test_a_player_of_a_list_is_known_by_fide_id_or_name_and_club(
    ana: User, first: ListedPlayer, second: ListedPlayer, is_one: bool
) -> None:
    series = series_of(ana, *(finished(ana, each.name, each, "Zoe") for each in (first, second)))
    assert len(tables.of(series).people) == (2 if is_one else 3)


def test_a_team_is_one_row_by_its_name(ana: User) -> None:
    members = [
        ListedPlayer(f"{team} {n}", club=team) for team in ("Torre", "Alfil") for n in (1, 2)
    ]
    keys = [
        {
            queries.signature(entry).person
            for entry in registered(
                ana, name, members, format="team-round-robin", boards=2
            ).entries.contestants()
        }
        for name in ("May", "June")
    ]
    assert keys == [{"team:torre", "team:alfil"}] * 2


@pytest.mark.long
def test_rows_can_be_joined_and_the_decision_withdrawn(ana: User) -> None:
    events = [finished(ana, name, ListedPlayer("Al", club=name), "Zoe") for name in ("May", "June")]
    series = series_of(ana, *events)
    assert _totals(series) == {"Al": [10, 10], "Zoe": [12]}
    key, other = _key(series, "Al"), _key(series, "Al", 1)
    act(series, "join", person=key, other=other)
    assert _totals(series)["Al"] == [20]
    # A later event of the joined row counts too.
    act(series, "add", finished(ana, "July", ListedPlayer("Al", club="June"), "Zoe").slug)
    assert _totals(series)["Al"] == [30]
    act(series, "restore", person=other)
    assert sum(_totals(series)["Al"]) == 30
    assert len(_totals(series)["Al"]) == 2
    with pytest.raises(StaleError, match="series-row-restored"):
        act(series, "restore", person=other)
    logged = AuditEntry.objects.filter(action="series-join").get()
    assert (logged.actor, logged.detail["person"], logged.detail["other"]) == (ana, key, other)


def test_rows_with_results_in_one_event_cannot_be_joined(ana: User) -> None:
    series = series_of(ana, finished(ana, "May", "Al", "Bo"))
    with pytest.raises(RefusedError, match="series-join"):
        act(series, "join", person=_key(series, "Al"), other=_key(series, "Bo"))
    for key in (_key(series, "Al"), "player:0"):
        with pytest.raises(RefusedError, match="series-row"):
            act(series, "join", person=_key(series, "Al"), other=key)


@pytest.mark.long
def test_a_result_can_be_separated_and_joined_again(ana: User) -> None:
    events = [finished(ana, name, "Al", "Zoe") for name in ("May", "June")]
    series = series_of(ana, *events)
    entry = events[1].entries.get(player__name="Al")
    act(series, "separate", person=f"entry:{entry.pk}")
    assert _totals(series)["Al"] == [10, 10]
    act(series, "join", person=_key(series, "Al", 1), other=f"entry:{entry.pk}")
    assert _totals(series)["Al"] == [20]


@pytest.mark.parametrize("key", ["entry:0", "entry:x", "entry:", "player:1", "entry:" + "9" * 30])
def test_only_an_entry_of_the_series_is_separated(ana: User, key: str) -> None:
    series = series_of(ana, finished(ana, "May", "Al", "Bo"))
    with pytest.raises(RefusedError, match="series-row"):
        act(series, "separate", person=key)


@pytest.mark.long
def test_a_player_without_a_played_game_has_no_result(ana: User) -> None:
    event = finished(ana, "May", "Al", "Bo", "Cy")
    late = event.entries.get(player__name="Cy")
    for game in Game.objects.of(late.player):
        is_first = game.first_id == late.player_id
        result = Game.Result.SECOND_FORFEIT if is_first else Game.Result.FIRST_FORFEIT
        corrections.correct(game_id=game.pk, actor=ana, result=result, reason="did not come")
    assert "Cy" not in _totals(series_of(ana, event))


@pytest.mark.long
def test_an_expelled_player_has_no_result(ana: User) -> None:
    event = finished(ana, "May", "Al", "Bo", "Cy")
    event.entries.filter(player__name="Al").update(
        state="withdrawn", withdrawn_at=event.finished_at, is_expelled=True
    )
    # The others move up.
    assert _totals(series_of(ana, event)) == {"Bo": [10], "Cy": [6]}


@pytest.mark.long
def test_percentages_use_the_games_of_a_player(ana: User) -> None:
    # Each of the three players misses one of the three rounds.
    series = series_of(ana, finished(ana, "May", "Al", "Bo", "Cy"), rules=Rules(Method.PERCENT))
    assert _totals(series) == {"Al": [100], "Bo": [50], "Cy": [0]}


@pytest.mark.long
def test_a_category_has_its_own_ranks(ana: User) -> None:
    listed = [
        ListedPlayer("Al"),
        ListedPlayer("Bo", category="U18, W"),
        ListedPlayer("Cy", category="W"),
    ]
    table = tables.of(series_of(ana, finished(ana, "May", *listed)))
    rows = table.of_category(label="w")
    assert [(table.people[row.person].name, row.rank) for row in rows] == [("Bo", 1), ("Cy", 2)]
    assert [float(row.total) for row in rows] == [6, 4]
    assert table.of_category(label="U18", club="Sur") == []


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        pytest.param({"is_private": True, "access_code": "sesame"}, "series-event", id="private"),
        pytest.param({"format": "team", "boards": 2}, "series-teams", id="teams"),
        pytest.param({"format": "groups-knockout"}, "series-percent", id="groups in percent"),
    ],
)
def test_an_event_that_does_not_fit_is_refused(
    ana: User, settings: dict[str, Any], code: str
) -> None:
    series = series_of(ana, registered(ana, "May"), rules=Rules(Method.PERCENT))
    with pytest.raises(RefusedError, match=code):
        act(series, "add", registered(ana, "June", **settings).slug)


def test_events_of_teams_are_offered_to_a_series_of_them_alone(ana: User) -> None:
    one, league = registered(ana, "May"), registered(ana, "June", format="team", boards=2)
    other = registered(ana, "July")
    assert set(queries.addable(series_of(ana))) == {one, league, other}
    assert list(queries.addable(series_of(ana, one))) == [other]


def test_rules_that_do_not_fit_an_event_are_refused(ana: User) -> None:
    series = series_of(ana, registered(ana, "May", format="groups-knockout"))
    with pytest.raises(RefusedError, match="series-percent"):
        changes.change(
            series_id=series.pk, actor=ana, about=About("Cup"), rules=Rules(Method.PERCENT)
        )


def test_an_event_is_in_a_series_once_and_can_be_in_several(ana: User) -> None:
    event = registered(ana, "May")
    series, other = series_of(ana, event), series_of(ana, event)
    assert (series.slug, other.slug) == ("cup", "cup-2")
    # An address of the site has this word.
    assert series_of(ana, name="New").slug == "new-2"
    with pytest.raises(RefusedError, match="series-event-there"):
        act(series, "add", event.slug)
    with pytest.raises(RefusedError, match="series-event"):
        act(series, "add", "no-such-event")


def test_an_event_that_becomes_private_is_left_out(ana: User) -> None:
    event = finished(ana, "May", "Al", "Bo")
    series = series_of(ana, event)
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    assert tables.of(series).events == []
    assert _totals(series) == {}


def test_events_are_moved_and_removed(ana: User) -> None:
    series = series_of(ana, *(registered(ana, name) for name in ("May", "June", "July")))

    def slugs() -> list[str]:
        return [event.slug for event in queries.events_of(series)]

    act(series, "earlier", "july")
    assert slugs() == ["may", "july", "june"]
    act(series, "earlier", "may")
    assert slugs() == ["may", "july", "june"]
    act(series, "remove", "july")
    assert slugs() == ["may", "june"]
    for code in ("remove", "earlier"):
        with pytest.raises(StaleError, match="series-event-removed"):
            act(series, code, "july")


def test_the_organiser_and_administrators_change_it(
    ana: User, ben: User, administrator: User
) -> None:
    series = series_of(ana, registered(ana, "May"))
    for code in changes.ACTS:
        with pytest.raises(NotAllowedError, match="not-your-series"):
            changes.run(code=code, series_id=series.pk, actor=ben, arguments=Arguments("may"))
    changed = changes.change(
        series_id=series.pk,
        actor=administrator,
        about=About(" New   name ", "For all"),
        rules=Rules(Method.POINTS, best=2),
    )
    assert (changed.name, changed.slug, changed.best) == ("New name", "cup", 2)
    act(series, "delete")
    assert not Series.objects.exists()
    with pytest.raises(StaleError, match="series-deleted"):
        act(series, "delete")


def test_a_bad_name_bad_rules_and_an_unknown_act_are_refused(ana: User) -> None:
    for about, rules, code in (
        (About("  "), RULES, "series-name"),
        (About("x" * 81), RULES, "series-name"),
        (About("Cup"), Rules(), "series-rules"),
    ):
        with pytest.raises(RefusedError, match=code):
            changes.create(organiser=ana, about=about, rules=rules)
    with pytest.raises(RefusedError, match="form-bad"):
        act(series_of(ana), "explode")


def test_an_event_links_to_series_of_its_organiser_and_staff(ana: User, ben: User) -> None:
    event = event_of(ana)
    own, foreign = series_of(ana, event), series_of(ben, event)
    assert set(queries.of_event(event)) == {own}
    staff_members.add(
        event_id=event.pk, actor=ana, player=ben.player, role=StaffMember.Role.RESULTS
    )
    assert set(queries.of_event(event)) == {own, foreign}
