"""Levels of warnings before acts: a sentence, one question or two, and departures from FIDE's rules that stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import acts_table, over_board, shared_rows
from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tests.tournaments.pages import member, text_of
from tournaments.forms.events import EventForm
from tournaments.models import ByeRequest, Event, Game, Round, User
from tournaments.models.event_settings import SETTINGS
from tournaments.models.setting_types import Level
from tournaments.queries.results import reports
from tournaments.queries.results.fide_rules import Departure, departures
from tournaments.services.arbiter import entry_acts, results
from tournaments.services.arbiter.entry_acts import ENTRY_ACTS
from tournaments.services.arbiter.undo import undo
from tournaments.services.rounds import edits, hand_drafts, lifecycle, publication, rounds

TEMPLATES = Path(__file__).parents[4] / "templates"
NAMES = ("Alba", "Bruno", "Celia", "Dario", "Elena", "Felix", "Gala", "Hugo")
CONFIRM = {"confirm": "1"}
TWICE = {"confirm": "1", "is_understood": "1"}


def _entered(ana: User) -> Event:
    """A Swiss of eight players before its start."""
    event = over_board.event_of(ana, format="dutch")
    over_board.enter_listed(event, *NAMES)
    return event


rows_of_file = over_board.rows(_entered)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


@pytest.fixture
def play() -> Callable[[Event], None]:
    """Return a function that pairs and plays the next round."""

    def do(event: Event) -> None:
        next_round(event)
        type_results(event, rest="first")
        close(event)

    return do


def _entry(event: Event, name: str = "Alba") -> int:
    return event.entries.get(player__name=name).pk


def _url(name: str, event: Event, *more: object) -> str:
    return reverse(name, args=[event.slug, *more])


def _act(client: Client, event: Event, **form: object) -> str:
    """Send an act on an entry, and return the text of the answer."""
    return text_of(client.post(_url("event-desk-entry", event), form).content)


def _settings(event: Event, **changes: object) -> dict[str, object]:
    event.refresh_from_db()
    initial = EventForm.initial_of(event)
    values = {
        name: value for name, value in initial.items() if value is not None and value is not False
    }
    return {**values, "time_zone": "UTC", **changes}


def test_acts_on_entries_and_on_drafts_that_touch_pairings_have_a_warning() -> None:
    acts = [*ENTRY_ACTS.by_code.values(), *edits.EDITS.by_code.values()]
    assert {act.code for act in acts if act.warning is None} == {
        *("check-in", "check-out"),
        *("rating-from", "half-byes"),  # of tie-breaks and of later byes alone
    }
    assert {act.warning.level for act in edits.EDITS.by_code.values() if act.warning} == {
        Level.CONFIRM
    }


@pytest.mark.parametrize("code", sorted(acts_table.declared()))
def test_a_page_with_an_act_has_its_warning(code: str) -> None:
    act = acts_table.declared()[code]
    if act.warning is None or act.code in {"settings", *edits.EDITS.by_code}:
        return  # their pages show the effect
    tags = (
        tag
        for path in TEMPLATES.rglob("*.html")
        for tag in re.findall(r"{% warning (.*?)%}", path.read_text())
    )
    assert any(f'"{act.code}"' in tag for tag in tags)


@pytest.mark.long
def test_a_draft_by_hand_in_which_players_wait_is_published_after_a_question(
    event: Event, ana: User
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    entry_acts.grant_bye(
        event_id=event.pk, actor=ana, entry_id=_entry(event), round_number=1, kind="zero"
    )
    hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    client, address = member(ana), _url("event-act", event)
    answer = text_of(client.post(address, {"action": "publish"}).content)
    assert "7 players have no opponent." in answer
    assert event.rounds.get().state == Round.State.DRAFT
    for first in (2, 4, 6):
        edits.pair(event_id=event.pk, actor=ana, tpn=first, other=first + 1)
    client.post(address, {"action": "publish", **TWICE})
    assert event.rounds.get().state == Round.State.PUBLISHED


@pytest.mark.long
def test_a_draft_by_hand_leaves_the_rules_when_it_is_published_and_differs(
    event: Event, ana: User
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    client, draft_page, act = member(ana), _url("event-draft", event), _url("event-act", event)
    for first, second in ((1, 2), (3, 4), (5, 6), (7, 8)):
        words = {"kind": "pair", "tpn": first, "other": second}
        assert "will leave FIDE's rules" not in text_of(client.post(draft_page, words).content)
        client.post(draft_page, {**words, **CONFIRM})
    assert event.rounds.get().pairings.count() == 4
    assert departures(event) == []
    for answer in ({}, CONFIRM):
        page = text_of(client.post(act, {"action": "publish", **answer}).content)
        assert "The event will leave FIDE's rules from round 1 on, permanently: " in page
    client.post(act, {"action": "publish", **TWICE})
    event.refresh_from_db()
    assert (departures(event), event.departures) == ([Departure.BY_HAND], {"BY_HAND": 1})


@pytest.mark.long
def test_a_draft_by_hand_that_equals_the_answer_of_the_system_stays_in_the_rules(
    event: Event, ana: User
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    for first, second in event.rounds.get().evidence_by_pair:
        edits.pair(event_id=event.pk, actor=ana, tpn=first, other=second)
    member(ana).post(_url("event-act", event), {"action": "publish"})
    assert event.rounds.get().state == Round.State.PUBLISHED
    assert departures(event) == []
    assert "MPA" not in reports.trf_of(event)


def test_a_draft_without_changes_is_published_without_a_question(event: Event, ana: User) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    member(ana).post(_url("event-act", event), {"action": "publish"})
    assert event.rounds.get().state == Round.State.PUBLISHED


def test_forms_show_the_warnings_of_their_acts(event: Event, ana: User) -> None:
    page = text_of(member(ana).get(_url("event-desk", event)).content)
    for code in ("withdraw", "forbid", "seed"):
        act = next(each for each in acts_table.declared().values() if each.code == code)
        assert act.warning is not None
        assert str(act.warning.sentence) in page


def test_ordinary_acts_ask_nothing(event: Event, ana: User) -> None:
    _act(member(ana), event, act="withdraw", entry=_entry(event), reason="ill")
    assert event.entries.get(player__name="Alba").state == "withdrawn"


def test_leaving_the_rules_asks_twice(event: Event, ana: User) -> None:
    client = member(ana)
    form = {"act": "bye", "entry": _entry(event), "round_number": 2, "kind": "full"}
    form |= {"reason": "a title", "next": "/events/"}
    leaving = "The event will leave FIDE's rules from round 1 on, permanently: full-point byes."
    for answer, title in (({}, "Confirmation"), (CONFIRM, "Second confirmation")):
        page = client.post(_url("event-desk-entry", event), {**form, **answer})
        assert leaving in text_of(page.content)
        assert f"<h1>{title}</h1>" in page.text
        assert '<input type="hidden" name="reason" value="a title">' in page.text
        has_box = 'type="checkbox" name="is_understood" value="1" required' in page.text
        assert has_box is bool(answer)
        assert not ByeRequest.objects.exists()
    client.post(_url("event-desk-entry", event), {**form, "is_understood": "1"})
    assert not ByeRequest.objects.exists(), "the second answer is none without the first"
    client.post(_url("event-desk-entry", event), {**form, **TWICE})
    assert departures(event) == [Departure.FULL_BYES]


def test_the_question_comes_to_staff_with_the_task_alone(event: Event, ben: User) -> None:
    page = _act(member(ben), event, act="bye", entry=_entry(event), round_number=2, kind="full")
    assert "FIDE's rules" not in page


def _bye(event: Event, actor: User, kind: str = "full") -> None:
    entry_acts.grant_bye(
        event_id=event.pk,
        actor=actor,
        entry_id=_entry(event),
        round_number=3,
        kind=kind,
        reason="a title",
    )


@pytest.mark.long
@pytest.mark.parametrize("is_undone", [True, False])
def test_a_departure_stays_when_its_act_is_taken_back(
    event: Event, ana: User, play: Callable[[Event], None], is_undone: bool
) -> None:
    play(event)
    _bye(event, ana)
    if is_undone:
        entry = event.audit.get(action="bye-grant")
        undo(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="a mistake")
    else:
        entry_acts.cancel_bye(event_id=event.pk, actor=ana, entry_id=_entry(event), round_number=3)
    event.refresh_from_db()
    assert not ByeRequest.objects.exists()
    assert departures(event) == [Departure.FULL_BYES]
    line = "### not by the rules of FIDE from round 2 on: full-point byes\n"
    assert line in reports.trf_of(event)


def test_a_round_changed_by_hand_leaves_its_mark_when_its_publication_is_taken_back(
    event: Event, ana: User
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    edits.flip(event_id=event.pk, actor=ana, board=1)
    assert departures(event) == []
    publication.publish_round(event_id=event.pk, actor=ana)
    publication.take_back(event_id=event.pk, actor=ana, reason="too early")
    rounds.discard_draft(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    assert departures(event) == [Departure.BY_HAND]


def test_an_event_that_never_followed_the_rules_may_come_to_them_before_its_start(
    ana: User,
) -> None:
    event = event_of(ana, format="swiss")
    client, address = member(ana), _url("event-settings", event)
    client.post(address, {**_settings(event, format="dutch"), **CONFIRM})
    event.refresh_from_db()
    assert (event.format, departures(event)) == ("dutch", [])
    # The way back leaves them permanently.
    client.post(address, {**_settings(event, format="swiss"), **TWICE})
    client.post(address, {**_settings(event, format="dutch"), **CONFIRM})
    event.refresh_from_db()
    assert (event.format, departures(event)) == ("dutch", [Departure.SYSTEM])


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rounds_total": 6}, "Rounds: 5 → 6 (the event ends after that round."),
        ({"tie_break_1": "WIN"}, "Tie-breaks: "),
    ],
    ids=["rounds", "tie-breaks"],
)
def test_rounds_and_tie_breaks_change_after_two_confirmations(
    event: Event,
    ana: User,
    play: Callable[[Event], None],
    changes: dict[str, object],
    sentence: str,
) -> None:
    play(event)
    before = (event.rounds_total, event.tie_breaks)
    client, address = member(ana), _url("event-settings", event)
    data = _settings(event, **changes)
    assert "These changes would be made:" in text_of(client.post(address, data).content)
    page = client.post(address, {**data, **CONFIRM})
    assert "<h1>Second confirmation</h1>" in page.text
    assert sentence in text_of(page.content)
    event.refresh_from_db()
    assert (event.rounds_total, event.tie_breaks) == before
    assert client.post(address, {**data, **TWICE}).status_code == 302
    event.refresh_from_db()
    assert (event.rounds_total, event.tie_breaks) != before


def test_no_setting_is_changed_after_the_start_without_a_question() -> None:
    assert {each.level for each in SETTINGS.values()} == {Level.CONFIRM, Level.DOUBLE}
    assert {name for name, each in SETTINGS.items() if each.level is Level.DOUBLE} == {
        *("rounds_total", "tie_breaks", "tie_break_rating"),
    }


def test_the_second_half_point_bye_asks_once(event: Event, ana: User) -> None:
    client, form = member(ana), {"act": "bye", "entry": _entry(event), "kind": "half"}
    _act(client, event, **form, round_number=1)
    second = {**form, "round_number": 2, "is_exception": "on", "reason": "a doctor"}
    assert "half-point byes already, in rounds: 1." in _act(client, event, **second)
    assert ByeRequest.objects.count() == 1
    _act(client, event, **second, confirm=1)
    assert ByeRequest.objects.count() == 2


@pytest.mark.parametrize(
    ("number", "passed"), [(2, ""), (1, "Alba"), (4, "Celia; Dario"), ("", "")]
)
def test_a_number_against_the_order_of_ratings_asks_once(
    event: Event, ana: User, number: int | str, passed: str
) -> None:
    client = member(ana)
    form = {"act": "seed", "entry": _entry(event, "Bruno"), "seed": number, "reason": "by request"}
    page = _act(client, event, **form)
    assert (f"Players passed: {passed}." in page) is bool(passed)
    if passed:
        _act(client, event, **form, confirm=1)
    assert event.entries.get(player__name="Bruno").listed_seed == (number or None)


def test_equal_ratings_exchange_their_numbers_without_a_question(event: Event, ana: User) -> None:
    event.entries.update(listed_centielo=200_000)
    _act(member(ana), event, act="seed", entry=_entry(event, "Bruno"), seed=7, reason="by request")
    assert event.entries.get(player__name="Bruno").listed_seed == 7


@pytest.mark.long
@pytest.mark.parametrize(("result", "asks"), [("draw", False), ("first", True)])
def test_the_result_of_an_adjourned_game_that_is_no_draw_asks_once(
    event: Event, ana: User, result: str, asks: bool
) -> None:
    next_round(event)
    results.postpone(event_id=event.pk, actor=ana, round_number=1, board=1)
    for board in (2, 3, 4):
        results.enter_result(
            event_id=event.pk, actor=ana, round_number=1, board=board, result="first"
        )
    close(event)
    client, address = member(ana), _url("event-result-enter", event)
    form = {"round_number": 1, "board": 1, "result": result, "page_result": ""}
    page = text_of(client.post(address, form).content)
    assert ("The game has counted as a draw" in page) is asks
    if asks:
        client.post(address, {**form, **CONFIRM})
    assert Game.objects.get(pairing__board=1, pairing__event=event).result == result


@pytest.mark.long
def test_forbidden_pairs_after_round_1_leave_the_rules(
    event: Event, ana: User, play: Callable[[Event], None]
) -> None:
    client, address = member(ana), _url("event-forbid", event)
    form = {"entries": [_entry(event), _entry(event, "Bruno")], "first_round": "1"}
    client.post(address, form)
    assert event.prohibitions.count() == 1
    play(event)
    for answer in ({}, CONFIRM):
        assert "pairs forbidden after round 1" in text_of(
            client.post(address, {**form, **answer}).content
        )
    assert event.prohibitions.count() == 1
    client.post(address, {**form, **TWICE})
    event.refresh_from_db()
    assert departures(event) == [Departure.LATE_PAIRS]


@pytest.mark.long
@pytest.mark.parametrize(
    ("played", "is_late"), [(2, False), (3, True)], ids=["last but one", "before it"]
)
def test_results_before_the_last_round_but_one_are_corrected_outside_the_rules(
    event: Event, ana: User, play: Callable[[Event], None], played: int, is_late: bool
) -> None:
    for _ in range(played):
        play(event)
    game = Game.objects.get(pairing__event=event, pairing__round__number=1, pairing__board=1)
    client, address = member(ana), reverse("game-correct", args=[game.pk])
    form = {"result": "draw", "reason": "the score sheet"}
    page = text_of(client.post(address, {**form, **CONFIRM}).content)
    assert ("corrected results of rounds before the last but one" in page) is is_late
    if is_late:
        client.post(address, {**form, **TWICE})
    game.refresh_from_db()
    assert game.result == "draw"
    assert departures(event) == ([Departure.LATE_CORRECTIONS] if is_late else [])


@pytest.mark.long
def test_an_undo_that_leaves_the_rules_asks_twice(
    event: Event, ana: User, play: Callable[[Event], None]
) -> None:
    play(event)
    play(event)
    game = Game.objects.get(pairing__event=event, pairing__round__number=1, pairing__board=1)
    client = member(ana)
    form = {"result": "draw", "reason": "the score sheet"}
    client.post(reverse("game-correct", args=[game.pk]), {**form, **CONFIRM})
    play(event)
    address = _url("event-undo", event, event.audit.get(action="correct").pk)
    for answer in ({}, CONFIRM, TWICE):
        game.refresh_from_db()
        assert game.result == "draw"
        client.post(address, {"reason": "it was right", **answer})
    game.refresh_from_db()
    assert game.result == "first"


@pytest.mark.long
def test_the_report_file_names_players_who_come_go_and_miss_rounds(
    event: Event, ana: User, play: Callable[[Event], None]
) -> None:
    entry_acts.withdraw(event_id=event.pk, actor=ana, entry_id=_entry(event, "Hugo"), reason="ill")
    _bye(event, ana, kind="half")
    play(event)
    for name in ("Bruno", "Felix", "Gala"):
        entry_acts.withdraw(
            event_id=event.pk, actor=ana, entry_id=_entry(event, name), reason="ill"
        )
    undo(
        event_id=event.pk,
        actor=ana,
        entry_id=event.audit.filter(action="withdrawal").earliest("-pk").pk,
        reason="another player",
    )
    enter_listed(event, "Zoe")
    play(event)
    entry_acts.readmit(event_id=event.pk, actor=ana, entry_id=_entry(event, "Felix"))
    play(event)
    tpns = dict(event.entries.values_list("player__name", "tpn"))
    comments = [line for line in reports.trf_of(event).splitlines() if " @ Round " in line]
    assert [line for line in comments if "Pairing numbers" not in line] == [
        f"### HPB @ Round 3: {tpns['Alba']}",
        f"### Withdrawal @ Round 1: {tpns['Bruno']} {tpns['Felix']}",
        f"### Late entry @ Round 1: {tpns['Zoe']}",
        f"### Return @ Round 2: {tpns['Felix']}",
    ]
