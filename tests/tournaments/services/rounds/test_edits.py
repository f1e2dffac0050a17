"""A draft changed by hand: places, sides, boards, and changes that the rules never allow."""

from __future__ import annotations

import pytest

from tests.tournaments import events, pages
from tests.tournaments.conftest import enter, event_of
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Round, Seat, User
from tournaments.services.accounts import players
from tournaments.services.arbiter import board_evidence
from tournaments.services.rounds import edits, lifecycle, publication, rounds
from tournaments.text import audit_log


@pytest.fixture
def draft(ana: User) -> Event:
    """Five people: two boards and a bye."""
    event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE)
    names = ["Cleo", "Dora", "Emil", "Finn", "Gina"]
    enter(event, *(players.sign_up(name=name, password="rayuela-1963").player for name in names))
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    return event


def _boards(event: Event) -> list[tuple[int | None, int | None]]:
    return list(event.pairings.order_by("board").values_list("first__tpn", "second__tpn"))


def _bye(event: Event) -> int | None:
    seats = Seat.objects.filter(round__event=event, kind=Seat.Kind.PAIRING_BYE)
    return seats.values_list("entry__tpn", flat=True).first()


def _is_sound(event: Event) -> None:
    """Require that every player has one seat, and that seats and boards agree."""
    round_ = event.rounds.get()
    assert round_.seats.count() == event.entries.count()
    for pairing in event.pairings.select_related("first", "second"):
        sides = dict(round_.seats.filter(pairing=pairing).values_list("kind", "entry"))
        assert sides == {"first": pairing.first_id, "second": pairing.second_id}
        assert {pairing.low_id, pairing.high_id} == {pairing.first_id, pairing.second_id}


def test_two_of_different_boards_change_places(draft: Event, ana: User) -> None:
    (a, b), (c, d) = _boards(draft)
    edits.swap(event_id=draft.pk, actor=ana, tpn=a or 0, other=d or 0)
    assert _boards(draft) == [(d, b), (c, a)]
    _is_sound(draft)


def test_two_of_one_board_change_sides(draft: Event, ana: User) -> None:
    (a, b), (c, d) = _boards(draft)
    edits.swap(event_id=draft.pk, actor=ana, tpn=a or 0, other=b or 0)
    edits.flip(event_id=draft.pk, actor=ana, board=2)
    assert _boards(draft) == [(b, a), (d, c)]
    _is_sound(draft)


def test_the_bye_goes_to_somebody_else(draft: Event, ana: User) -> None:
    (a, b), other = _boards(draft)
    before = _bye(draft)
    edits.swap(event_id=draft.pk, actor=ana, tpn=a or 0, other=before or 0)
    assert (_boards(draft), _bye(draft)) == ([(before, b), other], a)
    _is_sound(draft)


def test_a_board_is_taken_apart_and_others_are_paired(draft: Event, ana: User) -> None:
    (a, b), (c, d) = _boards(draft)
    bye = _bye(draft)
    edits.unpair(event_id=draft.pk, actor=ana, board=1, bye="half")
    assert _boards(draft) == [(c, d)]
    assert list(draft.pairings.values_list("board", flat=True)) == [1]
    edits.pair(event_id=draft.pk, actor=ana, tpn=bye or 0, other=a or 0)
    assert _boards(draft) == [(c, d), (bye, a)]
    assert draft.rounds.get().seats.get(entry__tpn=b).kind == Seat.Kind.HALF_BYE
    _is_sound(draft)
    with pytest.raises(RefusedError, match="edit-busy"):
        edits.pair(event_id=draft.pk, actor=ana, tpn=c or 0, other=b or 0)


def test_nobody_meets_twice_by_hand_either(draft: Event, ana: User) -> None:
    (a, b), (c, d) = _boards(draft)
    publication.publish_round(event_id=draft.pk, actor=ana)
    pages.resign_all(draft)
    lifecycle.advance_event(draft.pk)
    rounds.draft_round(event_id=draft.pk, actor=ana)
    second = draft.rounds.get(number=2)
    pairings = list(second.pairings.values_list("first__tpn", "second__tpn"))
    opponent = dict([*pairings, *((y, x) for x, y in pairings)])
    holder = next(tpn for tpn in (a, b, c, d) if tpn in opponent)
    met = {a: b, b: a, c: d, d: c}[holder]
    with pytest.raises(RefusedError, match="edit-"):
        edits.swap(event_id=draft.pk, actor=ana, tpn=met or 0, other=opponent[holder] or 0)


def test_the_round_says_that_it_was_changed(draft: Event, ana: User) -> None:
    (a, _b), (_c, d) = _boards(draft)
    edits.swap(event_id=draft.pk, actor=ana, tpn=a or 0, other=d or 0)
    publication.publish_round(event_id=draft.pk, actor=ana)
    assert draft.rounds.get().edits == [{"kind": "swap", "tpn": a, "other": d}]
    page = pages.member(ana).get(f"/events/{draft.slug}/pairings/1/boards/1/").content.decode()
    assert "The organiser changed this pairing by hand." in page
    assert "Pairing rules this would break:" in page


def test_what_is_no_place_is_named(draft: Event, ana: User) -> None:
    with pytest.raises(StaleError, match="no-such-entry"):
        edits.swap(event_id=draft.pk, actor=ana, tpn=1, other=99)
    with pytest.raises(StaleError, match="no-such-board"):
        edits.flip(event_id=draft.pk, actor=ana, board=9)
    with pytest.raises(RefusedError, match="edit-same"):
        edits.swap(event_id=draft.pk, actor=ana, tpn=1, other=1)


@pytest.mark.long
def test_the_page_asks_before_it_changes(draft: Event, ana: User) -> None:
    (a, b), other = _boards(draft)
    client = pages.member(ana)
    address = f"/events/{draft.slug}/desk/draft/"
    words = {"kind": "swap", "tpn": a, "other": other[1]}
    page = client.post(address, words).content.decode()
    assert "The change would make:" in page
    assert _boards(draft) == [(a, b), other]
    # The round is compared with the pairing system's when it is published.
    assert "FIDE&#x27;s rules" not in page
    client.post(address, {**words, "confirm": "1"})
    assert _boards(draft) == [(other[1], b), (other[0], a)]


@pytest.mark.long
def test_the_log_has_the_words_of_each_edit_once_the_round_is_published(
    draft: Event, ana: User
) -> None:
    names = dict(draft.entries.values_list("tpn", "player__name"))
    (a, b), (c, d) = _boards(draft)
    edits.swap(event_id=draft.pk, actor=ana, tpn=a or 0, other=d or 0)
    edits.flip(event_id=draft.pk, actor=ana, board=2)
    edits.unpair(event_id=draft.pk, actor=ana, board=1, bye="zero")
    edits.pair(event_id=draft.pk, actor=ana, tpn=b or 0, other=d or 0)

    def sentences() -> list[str]:
        entries = draft.audit.filter(action="edit-draft").order_by("pk")
        words = audit_log.Words.of(draft, entries)
        return [words.sentence(entry) for entry in entries]

    assert set(sentences()) == {"The draft of round 1 was changed by hand."}
    publication.publish_round(event_id=draft.pk, actor=ana)
    begin = "Round 1, changed by hand:"
    assert sentences() == [
        f"{begin} {names[a]} and {names[d]} change places.",
        f"{begin} {names[c]} and {names[a]} change sides at board 2.",
        f"{begin} {names[d]} and {names[b]} do not meet at board 1.",
        f"{begin} {names[b]} plays {names[d]}.",
    ]


def test_the_pairing_system_objects_to_exchanged_sides(draft: Event, ana: User) -> None:
    publication.publish_round(event_id=draft.pk, actor=ana)
    events.decide(draft, lambda _: "draw")
    lifecycle.advance_event(draft.pk)
    round_ = rounds.draft_round(event_id=draft.pk, actor=ana)
    assert board_evidence.objections(round_, _pairs(draft, round_)) == []
    edits.flip(event_id=draft.pk, actor=ana, board=1)
    (first, second), *_ = _pairs(draft, round_)
    (objection,) = board_evidence.objections(round_, _pairs(draft, round_))
    assert objection == {"tpn": first, "opponent": second, "reason": "colours", "article": "5.2.1"}


def _pairs(event: Event, round_: Round) -> list[tuple[int, int | None]]:
    pairings = event.pairings.filter(round=round_).order_by("board")
    return [(pairing.first.tpn or 0, pairing.second.tpn) for pairing in pairings]


@pytest.mark.long
def test_no_player_gets_a_second_pairing_bye_by_hand(draft: Event, ana: User) -> None:
    first = _bye(draft)
    publication.publish_round(event_id=draft.pk, actor=ana)
    pages.resign_all(draft)
    lifecycle.advance_event(draft.pk)
    second = rounds.draft_round(event_id=draft.pk, actor=ana)
    other = second.seats.get(kind=Seat.Kind.PAIRING_BYE).entry.tpn
    with pytest.raises(RefusedError, match="edit-bye"):
        edits.swap(event_id=draft.pk, actor=ana, tpn=first or 0, other=other or 0)
    assert second.seats.get(kind=Seat.Kind.PAIRING_BYE).entry.tpn == other
