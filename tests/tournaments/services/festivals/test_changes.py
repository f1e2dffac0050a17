"""Festivals: their sections and deputies, one entry for each person, moves, and the numbers of boards."""

from __future__ import annotations

import pytest

from tests.tournaments.festival_events import act, festival_of
from tests.tournaments.series_events import play_round, registered
from tournaments.errors import NotAllowedError, RefusedError, StaleError, TournamentError
from tournaments.models import ByeRequest, Entry, Event, Festival, Section, StaffMember, User
from tournaments.queries.events import festivals as queries
from tournaments.queries.events import plans
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import entry_acts, forbidden_pairs, section_moves, undo
from tournaments.services.events import entries, listed_players, staff_members
from tournaments.services.festivals import changes
from tournaments.services.rounds import deletion, lifecycle, publication, rounds


def _enter(event: Event, user: User) -> Entry:
    return entries.enter(event_id=event.pk, player=user.player, actor=user)


def _order(festival: Festival) -> list[str]:
    return [event.name for event in queries.sections_for(festival, None)]


def _entry(event: Event, name: str) -> Entry:
    return event.entries.get(player__name=name)


def _publish(event: Event) -> list[int]:
    """Draft and publish the next round, and return the numbers of its boards."""
    organiser = event.organiser
    if event.state == Event.State.REGISTRATION:
        lifecycle.start_event(event_id=event.pk, actor=organiser)
        event.refresh_from_db()
    rounds.draft_round(event_id=event.pk, actor=organiser)
    round_ = publication.publish_round(event_id=event.pk, actor=organiser)
    return [pairing.board_number for pairing in round_.pairings.order_by("board")]


def test_a_section_is_put_before_another_and_removed(ana: User) -> None:
    festival, (_, b) = festival_of(ana, 0, 0)
    act(festival, "earlier", b.slug)
    assert _order(festival) == ["Weekend B", "Weekend A"]
    act(festival, "earlier", b.slug)
    assert _order(festival) == ["Weekend B", "Weekend A"]
    act(festival, "remove", b.slug)
    assert _order(festival) == ["Weekend A"]
    assert Event.objects.filter(pk=b.pk).exists()
    with pytest.raises(StaleError, match="section-removed"):
        act(festival, "remove", b.slug)


def test_a_deleted_festival_leaves_its_events(ana: User) -> None:
    festival, (a, b) = festival_of(ana, 0, 0)
    act(festival, "delete")
    assert not Section.objects.exists()
    assert Event.objects.filter(pk__in=[a.pk, b.pk]).count() == 2


def test_an_event_is_a_section_of_one_festival_of_its_organiser(ana: User, ben: User) -> None:
    festival, (a,) = festival_of(ana, 0)
    other = changes.create(organiser=ana, about=changes.About("Other"))
    with pytest.raises(RefusedError, match="section-there"):
        act(other, "add", a.slug)
    foreign = registered(ben, "Foreign")
    with pytest.raises(RefusedError, match="section-event"):
        act(festival, "add", foreign.slug)
    for slug in ("nothing", "\x00"):
        with pytest.raises(RefusedError, match="section-event"):
            act(festival, "add", slug)


def test_only_the_organiser_changes_a_festival(ana: User, ben: User) -> None:
    festival, (a,) = festival_of(ana, 0)
    plan = plans.plan_of(a)
    with pytest.raises(NotAllowedError, match="not-your-festival"):
        changes.run(code="remove", festival_id=festival.pk, actor=ben, subject=a.slug)
    with pytest.raises(NotAllowedError, match="not-your-festival"):
        changes.change(festival_id=festival.pk, actor=ben, about=changes.About("Mine"))
    with pytest.raises(NotAllowedError, match="not-your-festival"):
        changes.create_section(festival_id=festival.pk, actor=ben, plan=plan)


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\nb\x07"])
def test_a_festival_needs_a_name(ana: User, name: str) -> None:
    with pytest.raises(RefusedError, match="festival-name"):
        changes.create(organiser=ana, about=changes.About(name))


def test_a_deputy_of_the_festival_is_one_in_every_section(ana: User, ben: User) -> None:
    festival, (a, b) = festival_of(ana, 0, 0)
    staff_members.add(event_id=a.pk, actor=ana, player=ben.player, role=StaffMember.Role.RESULTS)
    assert not queries.deputies(festival)
    act(festival, "deputy", ben.player.name)
    c = changes.create_section(festival_id=festival.pk, actor=ana, plan=plans.plan_of(b))
    for event in (a, b, c):
        assert list(event.staff.values_list("user", "role")) == [(ben.pk, "deputy")]
    assert [member.user for member in queries.deputies(festival)] == [ben]


def test_a_deleted_event_leaves_the_festival_and_its_deputies(ana: User, ben: User) -> None:
    festival, (_, b) = festival_of(ana, 0, 0)
    act(festival, "deputy", ben.player.name)
    deletion.delete(event_id=b.pk, actor=ana, reason="Mistake", name=b.name)
    assert _order(festival) == ["Weekend A"]
    assert [member.user for member in queries.deputies(festival)] == [ben]


def test_a_deputy_of_one_section_is_none_of_the_festival(ana: User, ben: User) -> None:
    festival, (a, _) = festival_of(ana, 0, 0)
    staff_members.add(event_id=a.pk, actor=ana, player=ben.player, role=StaffMember.Role.DEPUTY)
    c = changes.create_section(festival_id=festival.pk, actor=ana, plan=plans.plan_of(a))
    assert not c.staff.exists()


def test_a_player_enters_one_section(ana: User, ben: User) -> None:
    _, (a, b) = festival_of(ana, 0, 0)
    _enter(a, ben)
    with pytest.raises(RefusedError, match="section-entered"):
        _enter(b, ben)
    entries.withdraw(event_id=a.pk, player=ben.player, actor=ben)
    _enter(b, ben)
    with pytest.raises(RefusedError, match="section-entered"):
        _enter(a, ben)


def test_events_without_a_festival_do_not_exclude_each_other(ana: User, ben: User) -> None:
    festival_of(ana, 0)
    for name in ("May", "June"):
        _enter(registered(ana, name), ben)
    assert ben.player.entries.count() == 2


def test_a_withdrawn_player_in_another_section_cannot_be_readmitted(ana: User, ben: User) -> None:
    _, (a, b) = festival_of(ana, 0, 0)
    entry = _enter(a, ben)
    entry_acts.withdraw(event_id=a.pk, actor=ana, entry_id=entry.pk, reason="Other section")
    _enter(b, ben)
    with pytest.raises(RefusedError, match="section-entered"):
        entry_acts.readmit(event_id=a.pk, actor=ana, entry_id=entry.pk)
    log = a.audit.get(action="withdrawal")
    with pytest.raises(RefusedError, match="section-entered"):
        undo.undo(event_id=a.pk, actor=ana, entry_id=log.pk, reason="Mistake")


def test_a_fide_id_of_a_list_is_in_one_section(ana: User) -> None:
    festival, (a, b) = festival_of(ana, 0, 0)
    listed = [ListedPlayer("Al", fide_id="17")]
    listed_players.enter_all(event_id=a.pk, actor=ana, players=listed)
    with pytest.raises(RefusedError, match="section-entered"):
        listed_players.enter_all(event_id=b.pk, actor=ana, players=listed)
    namesake = [ListedPlayer("Al"), ListedPlayer("Bo", fide_id="18")]
    assert listed_players.enter_all(event_id=b.pk, actor=ana, players=namesake)
    alone = registered(ana, "Alone", listed)
    with pytest.raises(RefusedError, match="section-entered"):
        act(festival, "add", alone.slug)
    assert not Section.objects.filter(event=alone).exists()


@pytest.mark.long
def test_a_moved_player_keeps_data_and_byes(ana: User) -> None:
    _, (a, b) = festival_of(ana, 3, 2)
    entry = _entry(a, "A 1")
    Entry.objects.filter(pk=entry.pk).update(club="Torre", listed_seed=1)
    pair = list(a.entries.values_list("pk", flat=True)[1:])
    forbidden_pairs.forbid(
        event_id=a.pk, actor=ana, entry_ids=pair, first_round=1, last_round=None, note=""
    )
    for number in (1, 3):
        entry_acts.grant_bye(
            event_id=a.pk, actor=ana, entry_id=entry.pk, round_number=number, kind="zero"
        )
    Event.objects.filter(pk=b.pk).update(rounds_total=2)
    section_moves.move(event_id=a.pk, actor=ana, entry_id=entry.pk, section=b.slug)
    moved = _entry(b, "A 1")
    assert (moved.pk, moved.club, moved.listed_seed) == (entry.pk, "Torre", None)
    assert list(ByeRequest.objects.values_list("round_number", flat=True)) == [1]
    assert not a.prohibitions.exists()
    assert a.entries.count() == 2
    for event, action, other in ((a, "section-to", b), (b, "section-from", a)):
        note = event.audit.get(action=action)
        assert note.detail == {"player": entry.player_id, "name": other.name}
    assert len(_publish(b)) == 1


def test_a_waiting_player_of_the_old_section_gets_the_place(ana: User, ben: User) -> None:
    _, (a, b) = festival_of(ana, 2, 0, max_entries=2, has_waiting_list=True)
    waiting = _enter(a, ben)
    assert waiting.state == Entry.State.WAITING
    entry = _entry(a, "A 0")
    section_moves.move(event_id=a.pk, actor=ana, entry_id=entry.pk, section=b.slug)
    waiting.refresh_from_db()
    assert waiting.state == Entry.State.ACTIVE


def test_no_player_moves_after_the_start_of_one_of_the_two(ana: User) -> None:
    _, (a, b) = festival_of(ana, 2, 2)
    lifecycle.start_event(event_id=b.pk, actor=ana)
    for source, target in ((a, b), (b, a)):
        entry = source.entries.first()
        assert entry is not None
        with pytest.raises(RefusedError, match="section-begun"):
            section_moves.move(
                event_id=source.pk, actor=ana, entry_id=entry.pk, section=target.slug
            )


def test_a_move_needs_the_task_in_both_sections(ana: User, ben: User) -> None:
    _, (a, b) = festival_of(ana, 2, 2)
    entry = _entry(a, "A 0")
    arguments = {"event_id": a.pk, "actor": ben, "entry_id": entry.pk, "section": b.slug}
    for event in (a, b):
        with pytest.raises(NotAllowedError, match="not-organiser"):
            section_moves.move(**arguments)  # type: ignore[arg-type]  # keywords of one call
        staff_members.add(
            event_id=event.pk, actor=ana, player=ben.player, role=StaffMember.Role.PAIRINGS
        )
    section_moves.move(**arguments)  # type: ignore[arg-type]
    assert _entry(b, "A 0").pk == entry.pk


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        pytest.param({"slug": "nowhere"}, "section-unknown", id="unknown"),
        pytest.param({"slug": "weekend-a"}, "section-unknown", id="own section"),
        pytest.param({"max_entries": 2}, "event-full", id="full"),
        pytest.param({"admits": "bots"}, "bots-only", id="bots only"),
        pytest.param({"format": "team-round-robin"}, "section-teams", id="teams"),
    ],
)
def test_a_move_is_refused_with_its_reason(
    ana: User, settings: dict[str, object], code: str
) -> None:
    _, (a, b) = festival_of(ana, 2, 2)
    slug = str(settings.pop("slug", b.slug))
    if "format" in settings:
        settings["games_per_pairing"] = b.boards
    Event.objects.filter(pk=b.pk).update(**settings)
    with pytest.raises(TournamentError, match=code):
        section_moves.move(event_id=a.pk, actor=ana, entry_id=_entry(a, "A 0").pk, section=slug)


@pytest.mark.long
def test_boards_of_a_section_follow_those_before(ana: User) -> None:
    _, (a, b, c) = festival_of(ana, 7, 6, 4)
    assert _publish(b) == [4, 5, 6]
    assert _publish(a) == [1, 2, 3]
    assert _publish(c) == [7, 8]


@pytest.mark.long
def test_board_numbers_stay_when_a_player_leaves(ana: User) -> None:
    _, (a, b) = festival_of(ana, 4, 4)
    play_round(a)
    play_round(b)
    for name in ("A 0", "A 1"):
        entry_acts.withdraw(event_id=a.pk, actor=ana, entry_id=_entry(a, name).pk, reason="Travel")
    assert list(b.rounds.values_list("first_board", flat=True)) == [3]
    assert _publish(b) == [2, 3]


@pytest.mark.long
def test_each_section_can_count_its_boards_alone(ana: User) -> None:
    _, (a, b) = festival_of(ana, 4, 4, has_continuous_boards=False)
    assert _publish(a) == _publish(b) == [1, 2]
