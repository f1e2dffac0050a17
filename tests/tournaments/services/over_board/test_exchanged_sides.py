"""Boards of closed rounds that were played with colours exchanged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

import games
from tests.tournaments import over_board, shared_rows
from tests.tournaments.over_board import event_of
from tests.tournaments.pages import member, text_of
from tournaments import trf
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Correction, Event, Game, Pairing, RatedResult, Round, Seat, User
from tournaments.queries.archives import event_archive, verification
from tournaments.queries.results import pairing_input, reports, tables
from tournaments.services.arbiter import (
    board_records,
    correction_preview,
    corrections,
    exchanged_sides,
    rated_results,
    undo,
)
from tournaments.services.operations.data_checks import checks
from tournaments.services.results import event_document
from tournaments.services.rounds import lifecycle

REASON = "both sheets say so"


def _played(ana: User) -> Event:
    """A Swiss with a closed round, in which the first players won, and a published one."""
    event = over_board.event_of(ana, format="dutch", tie_breaks="BPG,BH")
    over_board.enter_listed(event, "Alba", "Bruno", "Celia", "Dario", "Elena", "Felix")
    over_board.play(event)
    over_board.next_round(event)
    event.refresh_from_db()
    return event


rows_of_file = over_board.rows(_played)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


@pytest.fixture
def game(event: Event) -> Game:
    return Game.objects.get(pairing__event=event, pairing__round__number=1, pairing__board=1)


def exchange(game: Game, actor: User) -> Correction:
    return corrections.correct(
        game_id=game.pk, actor=actor, result=corrections.EXCHANGE, reason=REASON
    )


def sides(event: Event) -> Sequence[object]:
    """Return the sides and results of the event wherever they are stored."""
    return [
        *Pairing.objects.filter(event=event).order_by("pk").values_list("first", "second"),
        *Seat.objects.filter(round__event=event)
        .order_by("round", "entry")
        .values_list("entry", "kind", "pairing"),
        *Game.objects.filter(pairing__event=event)
        .order_by("pk")
        .values_list("first", "second", "result"),
        *(each.edits for each in event.rounds.order_by("number")),
    ]


def colours(report: str, event: Event, game: Game) -> list[str]:
    """Return the first results of both players in a report, in the order of `game` as it was read."""
    rows = {player.id: player.results[0] for player in trf.read(report).players}
    tpns = dict(event.entries.values_list("player", "tpn"))
    both = (rows[tpns[pk] or 0] for pk in (game.first_id, game.second_id))
    return [f"{'w' if each.is_white else 'b'}{each.code.value}" for each in both if each]


@pytest.mark.parametrize(
    ("result", "after", "codes"),
    [
        ("first", "second", ["b1", "w0"]),
        ("draw", "draw", ["b=", "w="]),
        ("draw-loss", "loss-draw", ["b=", "w0"]),
        ("short-second", "short-first", ["bL", "wW"]),
    ],
)
def test_every_later_use_of_the_game_has_the_other_colours_and_the_same_winner(
    event: Event, game: Game, ana: User, result: str, after: str, codes: list[str]
) -> None:
    if result != "first":
        corrections.correct(game_id=game.pk, actor=ana, result=result, reason=REASON)
    points = {row.entry.tpn: row.points_halves for row in tables.event_table(event).rows}
    correction = exchange(game, ana)
    assert (correction.before, correction.after) == (result, after)
    present = Game.objects.get(pk=game.pk)
    assert (present.first, present.second, present.result) == (game.second, game.first, after)
    assert points == {row.entry.tpn: row.points_halves for row in tables.event_table(event).rows}
    for report in (reports.trf_of(event), pairing_input.build(event, 2).report):
        assert colours(report, event, game) == codes
    comments = [row for row in reports.trf_of(event).splitlines() if row.startswith("###")]
    assert "### round 1: boards played with colours exchanged: 1" in comments
    ends = [row.rpartition(": ")[2] for row in comments if "correction of round 1" in row]
    assert ends[-1] == "colours exchanged"
    assert not any(offence for each in checks.run(replays=None) for offence in each.offences)


def test_the_other_colours_decide_a_tie_break(event: Event, game: Game, ana: User) -> None:
    def seconds() -> dict[int, str]:
        return {row.entry.player_id: row.values[0] for row in tables.event_table(event).rows}

    before = seconds()
    preview = correction_preview.preview(
        game_id=game.pk, actor=ana, result=corrections.EXCHANGE, reason=REASON
    )
    assert preview.after == "second"
    assert {each.entry.player_id for each in preview.rows} >= {game.first_id, game.second_id}
    assert (seconds(), Correction.objects.count()) == (before, 0)
    exchange(game, ana)
    own = [(seconds()[pk], before[pk]) for pk in (game.first_id, game.second_id)]
    assert own == [("1", "0"), ("0", "1")]


def test_a_second_exchange_gives_back_the_first_state(event: Event, game: Game, ana: User) -> None:
    before = sides(event)
    exchange(game, ana)
    assert sides(event) != before
    exchange(game, ana)
    assert sides(event) == before


def test_the_log_undoes_it_in_closed_and_in_open_rounds(
    event: Event, game: Game, ana: User
) -> None:
    before = sides(event)
    exchange(game, ana)
    exchanged_sides.exchange_sides(event_id=event.pk, actor=ana, round_number=2, board=1)
    closed, published = event.audit.filter(action="exchange-sides").order_by("pk")
    assert closed.reason == REASON
    for entry in (published, closed):
        undo.undo(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="wrong board")
    assert sides(event) == before
    again = event.audit.filter(action="exchange-sides").order_by("pk")[1]
    exchange(game, ana)
    with pytest.raises(StaleError, match=r"undone|undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=again.pk, reason="wrong board")


def test_an_exchange_that_was_exchanged_back_is_not_undone(
    event: Event, game: Game, ana: User
) -> None:
    exchange(game, ana)
    exchange(game, ana)
    entry = event.audit.filter(action="exchange-sides").order_by("pk")[0]
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="wrong board")


def test_a_draft_is_discarded(event: Event, game: Game, ana: User) -> None:
    over_board.type_results(event, rest="draw")
    over_board.close(event)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    exchange(game, ana)
    assert not event.rounds.filter(state=Round.State.DRAFT).exists()


def test_the_result_of_the_rating_report_keeps_its_winner(
    event: Event, game: Game, ana: User
) -> None:
    rated_results.rate_as(game.pk, ana, result="first-forfeit", reason=REASON)
    exchange(game, ana)
    assert RatedResult.objects.get(game=game).result == "second-forfeit"


def test_an_archive_has_the_colours_of_each_time(event: Event, game: Game, ana: User) -> None:
    exchange(game, ana)
    over_board.type_results(event, rest="draw")
    over_board.close(event)
    over_board.next_round(event)
    over_board.type_results(event, rest="draw")
    over_board.close(event)
    archive = event_archive.archive_of(event)
    assert not any(check.differences for check in verification.verify(archive))
    unknown = tuple(
        replace(each, corrections=tuple(replace(c, is_exchange=False) for c in each.corrections))
        for each in archive.games
    )
    differing = verification.verify(replace(archive, games=unknown))
    assert [each.name for each in differing if each.differences] == ["pairing inputs"]
    (correction,) = json.loads(event_document.text_of(event))["corrections"]
    assert (correction["round"], correction["is_exchange"]) == (1, True)


def test_both_games_of_a_mini_match_are_exchanged(ana: User) -> None:
    event = event_of(ana, games_per_pairing=2)
    over_board.enter_listed(event, "Alba", "Bruno")
    over_board.next_round(event)
    over_board.type_games(event, {1: ("first", "draw")})
    over_board.close(event)
    before = list(Game.objects.filter(pairing__event=event).order_by("number"))
    exchange(before[1], ana)
    after = Game.objects.filter(pairing__event=event).order_by("number")
    assert [(each.first, each.second, each.result) for each in after] == [
        (before[0].second, before[0].first, "second"),
        (before[1].second, before[1].first, "draw"),
    ]
    assert Correction.objects.filter(game__pairing__event=event).count() == 2


def test_a_record_that_names_the_winner_refuses_it(event: Event, game: Game, ana: User) -> None:
    moves = over_board.finished(game, games.Outcome.FIRST)
    board_records.add(game_id=game.pk, actor=ana, text="\n".join(moves))
    before = sides(event)
    with pytest.raises(RefusedError, match="exchange-record"):
        exchange(game, ana)
    assert sides(event) == before
    board_records.add(game_id=game.pk, actor=ana, text=moves[0], reason="another game")
    exchange(game, ana)


def test_games_whose_colours_follow_from_others_are_refused(
    event: Event, game: Game, ana: User, ben: User
) -> None:
    with pytest.raises(NotAllowedError):
        exchange(game, ben)
    Game.objects.filter(pk=game.pk).update(armageddon_percent=80)
    with pytest.raises(RefusedError, match="exchange-armageddon"):
        exchange(game, ana)
    Event.objects.filter(pk=event.pk).update(is_over_the_board=False)
    with pytest.raises(RefusedError, match="not-over-the-board"):
        exchange(game, ana)
    assert not Correction.objects.exists()


def test_a_knock_out_that_has_continued_refuses_it(event: Event, game: Game, ana: User) -> None:
    Event.objects.filter(pk=event.pk).update(format="knockout")
    with pytest.raises(RefusedError, match="correction-late"):
        exchange(game, ana)


@pytest.mark.engines
def test_the_database_exchanges_the_players_by_a_correction_alone(
    event: Event, game: Game, ana: User
) -> None:
    row = Game.objects.filter(pk=game.pk)
    other = event.entries.exclude(player__in=[game.first, game.second])[0].player
    with pytest.raises(IntegrityError, match="a finished game"), transaction.atomic():
        row.update(first=game.second, second=game.first)
    exchange(game, ana)
    for change in (
        {"first": other},
        {"first": game.first, "second": game.second},
        {"first": game.first, "second": game.second, "result": "first"},
    ):
        with pytest.raises(IntegrityError, match="a finished game"), transaction.atomic():
            row.update(**change)


@pytest.mark.long
def test_the_page_of_the_game_offers_it(event: Event, game: Game, ana: User) -> None:
    client, page = member(ana), reverse("game", args=[game.pk])
    assert 'value="exchange"' in client.get(page).content.decode()
    data = {"result": "exchange", "reason": REASON}
    preview = text_of(client.post(reverse("game-correct", args=[game.pk]), data).content)
    assert "→ colours exchanged" in preview
    assert Game.objects.get(pk=game.pk).first == game.first
    confirmed = {**data, "confirm": "1"}
    answer = client.post(reverse("game-correct", args=[game.pk]), confirmed, follow=True)
    text = text_of(answer.content)
    assert "The colours were exchanged. The result has the same winner." in text
    assert "Colours exchanged by Ana on" in text
    assert "by correction of the result" not in text
    pairings = client.get(reverse("event-round", args=[event.slug, 1])).content.decode()
    assert f'href="{game.get_absolute_url()}"' in pairings
    assert 'class="corrected"' not in pairings
