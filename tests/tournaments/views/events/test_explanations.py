"""The reasons of a board in words: for either player, in both languages, from the data stored with the round."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.tournaments import shared_rows
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.pairing.club_oracle import CLUBS
from tests.tournaments.pairing.histories import random_problem
from tests.tournaments.pairing.random_rounds import random_round
from tests.tournaments.shared_rows import EventRows
from tournaments.models import Entry, Event, Game, Player, Round, Seat, User
from tournaments.pairing import SYSTEMS, IdleReason, NoPairingError, explained_system, system
from tournaments.pairing.explained import AnsweringSystem
from tournaments.queries.formats import FORMATS
from tournaments.queries.results import reports
from tournaments.services.arbiter.explanations import (
    Reason,
    Refusal,
    RoundReasons,
    Step4,
    round_reasons,
)
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle, publication, rounds
from tournaments.views.events.explanations import (
    Speech,
    brackets,
    byes,
    counterfactuals,
    criteria,
    sides,
    systems,
)


@pytest.fixture
def people(ana: User, rows: EventRows) -> list[Player]:
    return [ana.player, *rows.entrants]


@pytest.fixture
def ben(people: list[Player]) -> User:
    assert people[1].user is not None
    return people[1].user


def _event(ana: User, others: list[Player]) -> Event:
    """Six people: two rounds played, Finn absent from the second, and a draft of the third."""
    new = event_of(ana, is_automatic=False, rounds_total=4)
    enter(new, ana.player, *others)
    lifecycle.start_event(event_id=new.pk, actor=ana)
    finn = others[4]
    entries.request_bye(
        event_id=new.pk, player=finn, actor=finn.user or ana, round_number=2, kind="zero"
    )
    for _ in range(2):
        rounds.draft_round(event_id=new.pk, actor=ana)
        publication.publish_round(event_id=new.pk, actor=ana)
        for game in Game.objects.ongoing().filter(pairing__event=new):
            play.resign(game_id=game.pk, player=game.player_on("second"))
        lifecycle.advance_event(new.pk)
    rounds.draft_round(event_id=new.pk, actor=ana)
    new.refresh_from_db()
    return new


rows_of_file = shared_rows.of_people(("Ben", "Cleo", "Dora", "Ella", "Finn"), _event)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def _member(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _board(event: Event, number: int, board: int = 1) -> str:
    return reverse("event-board", args=[event.slug, number, board])


def test_every_board_is_linked_and_explained(client: Client, event: Event) -> None:
    page = client.get(reverse("event-round", args=[event.slug, 2])).content.decode()
    for board in (1, 2):
        assert f'href="{_board(event, 2, board)}"' in page
        page_text = client.get(_board(event, 2, board)).content.decode()
        assert page_text.count('class="sides"') == 2, page_text
        assert "Why not another opponent?" in page_text
        assert "C6" in page_text
        assert "(C.04.3 5.2." in page_text


def test_the_bye_is_explained_and_linked(client: Client, event: Event) -> None:
    page_text = event.rounds.get(number=2)
    tpn = page_text.evidence["bye"]
    address = reverse("event-bye-why", args=[event.slug, 2, tpn])
    listed = client.get(reverse("event-round", args=[event.slug, 2])).content.decode()
    assert f'href="{address}"' in listed
    page = client.get(address).content.decode()
    assert "The bye goes to the player who is left over at the end" in page
    assert "floated down from the score group" in page


def test_the_bye_of_an_odd_number_is_explained_without_brackets(
    client: Client, ana: User, people: list[Player]
) -> None:
    event = event_of(ana, is_automatic=False, format="swiss")
    enter(event, *people[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    round_ = rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    round_ = event.rounds.get(number=1)
    assert not round_.evidence["brackets"]
    address = reverse("event-bye-why", args=[event.slug, 1, round_.evidence["bye"]])
    page = client.get(address).content.decode()
    assert "5 players were to be paired, an odd number" in page
    assert "not a result of the pairing" not in page


def _two_rounds_of_five(ana: User, people: list[Player], name: str) -> Event:
    event = event_of(ana, is_automatic=False, format=name, rounds_total=3)
    enter(event, *people[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(2):
        rounds.draft_round(event_id=event.pk, actor=ana)
        publication.publish_round(event_id=event.pk, actor=ana)
        for game in Game.objects.ongoing().filter(pairing__event=event):
            play.resign(game_id=game.pk, player=game.player_on("second"))
        lifecycle.advance_event(event.pk)
    return event


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "chapter", "about_bye"),
    [
        ("dutch-2017", "C.04.3 E.", "left over at the end"),
        ("dubov", "C.04.4.1 5.2.", "before the pairing"),
        ("burstein", "C.04.4.2 5.2.", "before the pairing"),
        ("lim", "C.04.4.3 ", "before the pairing"),
    ],
)
@pytest.mark.part(0.4)
def test_boards_and_byes_of_the_other_fide_systems_are_explained(
    ana: User, people: list[Player], name: str, chapter: str, about_bye: str
) -> None:
    """Two rounds of five, the second by the system's own rules. Pages of its boards and of its bye."""
    event = _two_rounds_of_five(ana, people, name)
    client = _member(ana)
    for board in (1, 2):
        page = client.get(_board(event, 2, board)).content.decode()
        assert "Why not another opponent?" in page
        assert f"({chapter}" in page
        assert page.count("<summary>Why not") >= 4
    round_ = event.rounds.get(number=2)
    address = reverse("event-bye-why", args=[event.slug, 2, round_.evidence["bye"]])
    page = client.get(address).content.decode()
    assert about_bye in page
    assert f"192 {SYSTEMS[name].report_codes[0]}" in reports.trf_of(event)


@pytest.mark.long
@pytest.mark.parametrize("name", ["keizer", "mcmahon", "swiss"])
def test_systems_without_a_regulation_answer_why_not(
    ana: User, people: list[Player], name: str
) -> None:
    event = _two_rounds_of_five(ana, people, name)
    client, round_ = _member(ana), event.rounds.get(number=2)
    bye = round_.evidence["bye"]
    pairing = round_.pairings.get(board=1)
    who, opponent = pairing.first.tpn or 0, pairing.second.tpn or 0
    answers = set()
    for other in (*range(1, 6), "bye"):
        if other == who:
            continue
        page = client.get(_board(event, 2), {"who": str(who), "other": other}).content.decode()
        answer = re.search(r'role="status"><h3>Why not .*?</h3>(.*?)</div>', page)
        assert answer is not None, page
        answers.add(answer[1])
        if other == opponent:
            assert answer[1] == "<p>This is exactly the pairing that was made.</p>"
        address = f"/api/v1/events/{event.slug}/rounds/2/boards/1/explanation"
        document = client.get(address, {"who": who, "other": 0 if other == "bye" else other}).json()
        assert (document["answer"]["reason"] == "granted") is (other == opponent)
    assert len(answers) > 2
    page = client.get(
        reverse("event-bye-why", args=[event.slug, 2, bye]), {"who": bye, "other": who}
    ).content.decode()
    assert "5 players were to be paired, an odd number" in page
    assert "had the bye. It would have had to go to another player." in page
    # A round that was paired by hand may have no solution, or another one.
    draft = rounds.draft_round(event_id=event.pk, actor=ana)
    bye = draft.evidence["bye"]
    other = next(tpn for tpn in range(1, 6) if tpn != bye)
    for is_paired in (False, True):
        boards = draft.evidence["boards"] if is_paired else []
        edited = {**draft.evidence, "bye": other, "boards": boards}
        Round.objects.filter(pk=draft.pk).update(evidence=edited)
        page = client.get(reverse("event-bye-why", args=[event.slug, 3, bye])).content.decode()
        assert ("The organiser changed this pairing by hand." in page) is is_paired
        assert "Why not another opponent?" not in page


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(CLUBS))
def test_every_answer_of_a_system_without_a_regulation_is_a_sentence(name: str) -> None:
    pairing_system = system(name)
    assert isinstance(pairing_system, AnsweringSystem)
    speech = Speech({}, None, ("black", "white"))
    reasons = set()
    for seed in range(150):
        problem = random_round(seed, is_played=True)
        try:
            solution = pairing_system.pair(problem)
        except NoPairingError:
            continue
        tpns = [c.tpn for c in problem.contestants]
        for other in (None, *tpns[1:3]):
            refusal = pairing_system.why_not(problem, solution, tpns[0], other)
            for language in ("en", "ja"):
                with translation.override(language):
                    sentences = counterfactuals.plain_answer(speech, name, refusal)
                assert all(sentences)
                assert "%(" not in "".join(sentences)
            reasons |= {refusal.criterion, refusal.reason.value}
    assert reasons >= set(FORMATS[name].refusals) - {"order", "absolute", "neighbours"}


def test_every_reason_of_a_system_has_its_sentence() -> None:
    assert set(byes._IDLE) == set(IdleReason)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("zero", "The absence from this round was announced before it was paired."),
        ("half", "A half-point bye in this round was requested before it was paired."),
    ],
)
def test_what_was_requested_is_no_matter_of_pairing(
    client: Client, event: Event, people: list[Player], kind: str, sentence: str
) -> None:
    entry = event.entries.get(player=people[5])
    event.rounds.get(number=2).seats.filter(entry=entry).update(kind=f"{kind}-bye")
    page = client.get(reverse("event-bye-why", args=[event.slug, 2, entry.tpn]))
    assert sentence in page.content.decode()


@pytest.fixture
def drawn_up(ana: User, people: list[Player]) -> Callable[..., Event]:
    """An event of five people in this format, of whom the second leaves after the start."""

    def do(**plan: object) -> Event:
        event = event_of(ana, is_automatic=False, **plan)
        enter(event, *people[:5])
        lifecycle.start_event(event_id=event.pk, actor=ana)
        leaver = event.entries.get(tpn=2)
        entries.withdraw(event_id=event.pk, player=leaver.player, actor=leaver.player.user)
        rounds.draft_round(event_id=event.pk, actor=ana)
        publication.publish_round(event_id=event.pk, actor=ana)
        return event

    return do


def _why_no_opponent(event: Event, tpn: int | None) -> str:
    address = reverse("event-bye-why", args=[event.slug, 1, tpn])
    return html.unescape(Client().get(address).content.decode())


def test_the_free_one_of_a_table_and_the_opponent_of_who_left_read_their_reasons(
    drawn_up: Callable[..., Event],
) -> None:
    event = drawn_up(format="round-robin")
    seats = event.rounds.get(number=1).seats
    free, won = seats.get(kind="free"), seats.get(kind="forfeit-win")
    assert "in every round one of them has no opponent" in _why_no_opponent(event, free.entry.tpn)
    absent = event.entries.get(tpn=2).player.name
    assert f"{absent}, the opponent, is not playing this round: it counts as a win" in (
        _why_no_opponent(event, won.entry.tpn)
    )


def test_who_goes_through_and_who_is_out_read_their_reasons(drawn_up: Callable[..., Event]) -> None:
    event = drawn_up(format="knockout")
    round_ = event.rounds.get(number=1)
    assert "The place opposite in the bracket is empty" in _why_no_opponent(event, 1)
    round_.seats.filter(entry__tpn=3).update(kind="out")
    assert "has no place in the bracket any more" in _why_no_opponent(event, 3)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            "through",
            "The bracket has no opponent for this player: a bye.",
        ),
        ("free", "The table has no opponent for this player."),
    ],
)
def test_a_round_from_before_reasons_were_kept_says_what_is_known(kind: str, sentence: str) -> None:
    round_ = Round(evidence={"idle": [{"tpn": 1, "kind": kind, "opponent": None}]})
    seat = Seat(kind=kind, entry=Entry(tpn=1))
    assert byes.reason(round_, seat, Speech({}, None, ("black", "white"))) == sentence


def test_anybody_may_ask_why_not_somebody_else(client: Client, event: Event) -> None:
    pairing = event.rounds.get(number=1).pairings.get(board=1)
    query = {"who": pairing.first.tpn or 0, "other": pairing.second.tpn or 0}
    page = client.get(_board(event, 1), query).content.decode()
    assert "This is exactly the pairing that was made." in page
    meeting = event.rounds.get(number=2).pairings.get(board=1)
    bye_query = {"who": str(meeting.first.tpn), "other": "bye"}
    answer = client.get(_board(event, 2), bye_query)
    assert "Why not the bye for" in answer.content.decode()


def test_those_who_met_before_are_told_so(
    client: Client, event: Event, people: list[Player]
) -> None:
    first, second = event.rounds.get(number=1), event.rounds.get(number=2)
    before = next(
        p for p in first.pairings.all() if people[5] not in (p.first.player, p.second.player)
    )
    bye = second.evidence["bye"]
    who, other = before.first, before.second
    if who.tpn == bye:
        who, other = other, who
    after = second.pairings.filter(first=who).first() or second.pairings.get(second=who)
    query = {"who": who.tpn or 0, "other": other.tpn or 0}
    page = client.get(_board(event, 2, after.board), query).content.decode()
    assert "They had met in round 1, and no two players meet twice." in page


@pytest.mark.parametrize(
    "query",
    [{"who": "99", "other": "1"}, {"who": "x", "other": "<b>"}, {"who": "1"}, {"other": "bye"}],
)
def test_malformed_questions_get_no_answer(
    client: Client, event: Event, query: dict[str, str]
) -> None:
    answer = client.get(_board(event, 2), query)
    assert answer.status_code == 200
    assert 'role="status"' not in answer.content.decode()
    assert "<b>" not in answer.content.decode()


def test_a_player_is_addressed_as_you(ana: User, client: Client, event: Event) -> None:
    mine = next(
        p
        for p in event.rounds.get(number=1).pairings.all()
        if ana.player in (p.first.player, p.second.player)
    )
    address = _board(event, 1, mine.board)
    assert "You had scored 0" in _member(ana).get(address).content.decode()
    assert "You had scored" not in client.get(address).content.decode()


def test_drafts_are_explained_to_the_organiser_only(
    client: Client, ana: User, ben: User, event: Event
) -> None:
    address = _board(event, 3)
    assert _member(ana).get(address).status_code == 200
    assert _member(ben).get(address).status_code == 404
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(("number", "board"), [(9, 1), (1, 9), (1, 0)])
def test_boards_that_do_not_exist_are_not_found(
    client: Client, event: Event, number: int, board: int
) -> None:
    assert client.get(_board(event, number, board)).status_code == 404
    assert client.get(reverse("event-bye-why", args=[event.slug, number, 99])).status_code == 404


def test_a_round_without_brackets_has_the_short_reasons(ana: User, event: Event) -> None:
    draft = event.rounds.get(number=3)
    board = {**draft.evidence["boards"][0], "meeting": "berger", "colour_rule": "annex"}
    Round.objects.filter(pk=draft.pk).update(evidence={"bye": None, "boards": [board]})
    page = _member(ana).get(_board(event, 3)).content.decode()
    assert "of the Berger table pairs these two" in page
    assert "Why not another opponent?" not in page
    listed = _member(ana).get(reverse("event-round", args=[event.slug, 3])).content.decode()
    assert "of the Berger table pairs these two" in listed


def test_evidence_that_does_not_fit_is_not_explained(ana: User, event: Event) -> None:
    draft = event.rounds.get(number=3)
    evidence = {**draft.evidence, "brackets": draft.evidence["brackets"] * 2}
    Round.objects.filter(pk=draft.pk).update(evidence=evidence)
    assert round_reasons(event.rounds.get(number=3)) is None
    page = _member(ana).get(_board(event, 3)).content.decode()
    assert "C.04.3 5.2" in page
    assert "Why not another opponent?" not in page


@pytest.mark.parametrize(
    "word", ["berger", "tie", "losers-tie", "final", "reset-final", "pool", "ladder"]
)
def test_every_meeting_of_other_formats_is_a_sentence(word: str) -> None:
    assert systems.meeting({"meeting": word}).endswith(".")
    assert systems.meeting({"meeting": ""}) == ""


def _reasons(seed: int, name: str = "dutch") -> RoundReasons:
    problem = random_problem(size=17, rounds=4, seed=seed)
    explained = explained_system(name)
    assert explained is not None
    solution = explained.pair(problem)
    return RoundReasons(solution, explained.explainer(problem, solution))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *(("dutch", n) for n in range(6)),
        ("dutch-2017", 3),
        ("dubov", 1),
        ("burstein", 2),
        ("lim", 1),
        ("double-swiss", 1),
    ],
)
@pytest.mark.part(0.3)
def test_everything_that_can_be_said_is_said_in_both_languages(
    language: str, name: str, seed: int
) -> None:
    """Names and numbers all come through, and no article is missing."""
    reasons = _reasons(seed, name)
    speech = Speech({tpn: f"P{tpn}" for tpn in range(1, 18)}, None, ("black", "white"))
    with translation.override(language):
        for tpn in reasons.playing:
            facts = reasons.facts(tpn)
            sentences = [
                brackets.score(speech, facts),
                sides.due(speech, facts, reasons.system),
                *brackets.way(speech, reasons, tpn, None),
                *(
                    text
                    for number in reasons.way(tpn)
                    for row in criteria.rows(reasons.bracket(number).criteria, reasons.system)
                    for text in (row.meaning, row.value, row.proof)
                ),
            ]
            for other in [*reasons.usual_opponents(tpn), None]:
                refusal = reasons.why_not(tpn, other)
                assert refusal is not None
                sentences += counterfactuals.answer(speech, reasons, refusal)
            text = " ".join(sentences)
            assert f"P{tpn}" in text
            assert "%(" not in text
            if language == "ja":
                assert not re.search(r"[a-z]{4}", text), text


@pytest.mark.parametrize("name", [f"C{n}" for n in range(5, 22)])
def test_every_criterion_that_can_be_worse_has_a_sentence_with_its_article(name: str) -> None:
    sentence = criteria.then(name, (0,), (1, 2))
    assert sentence.endswith(")")
    assert f"({name}, 2." in sentence


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    reasons = _reasons(1)
    tpns = sorted(reasons.playing)
    refusal = Refusal(
        tpns[0], tpns[1], reason, criterion="C12", value=(0,), other=(1,), step=Step4.EXCHANGE
    )
    speech = Speech({}, None, ("black", "white"))
    if reason is Reason.COLOUR:
        due = next(tpn for tpn in tpns if reasons.facts(tpn).due)
        refusal = Refusal(due, tpns[1], reason)
    assert all(counterfactuals.answer(speech, reasons, refusal))


@pytest.mark.parametrize("proof", sorted(criteria._PROOFS))
def test_every_proof_and_meaning_is_in_words(proof: str) -> None:
    from tournaments.services.arbiter.explanations import CriterionValue

    values = [CriterionValue(f"C{n}", "2.4", (1,), (1,), proof) for n in range(6, 22)]
    assert all(row.meaning and row.proof for row in criteria.rows(values))
