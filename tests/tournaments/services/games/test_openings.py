"""Games that begin from a position: its plies are given, and no player has played them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

import games
from tests.tournaments import pages
from tournaments.errors import RefusedError
from tournaments.models import Challenge, Game, Invitation, Player, Pool, Study, User
from tournaments.queries.games import openings
from tournaments.queries.records import analyses
from tournaments.services.accounts import throttles
from tournaments.services.games import offers, play, takebacks
from tournaments.services.lobby import challenges, invitations
from tournaments.services.matches import replies
from tournaments.services.records import studies

RULESET = "morlox(size=5)"


def line_of(plies: int, ruleset: str = RULESET) -> Sequence[str]:
    """The first legal moves, one after another, from the start."""
    position, moves = games.load(ruleset).initial(seed=0), []
    for _ in range(plies):
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    return moves


def study_after(plies: int, ruleset: str = RULESET) -> Study:
    """A study of that line, shared at its last position."""
    analysis = analyses.analyse(analyses.new(ruleset, ""))
    for move in line_of(plies, ruleset):
        analysis = analyses.play(analysis, move)
    return studies.keep(analysis, visitor=throttles.Visitor())


@pytest.fixture
def study(db: None) -> Study:
    return study_after(3)


@pytest.fixture
def game(ana: User, ben: User, study: Study) -> Game:
    """Return the game after Ana's invitation from the position, in which the second side moves.

    She moves first.
    """
    invitation = invitations.invite(
        host=ana.player,
        ruleset="",
        clock=pages.CLOCK,
        is_rated=True,
        side="first",
        study=study,
    )
    joined = invitations.join(token=invitation.token, player=ben.player)
    assert joined.game is not None
    return joined.game


def test_it_begins_after_the_plies_of_the_line(game: Game) -> None:
    rows = list(game.plies.order_by("number"))
    assert [ply.move for ply in rows] == line_of(3)
    assert [ply.side for ply in rows] == ["first", "second", "first"]
    assert {ply.spent_ms for ply in rows} == {0}
    assert (game.ply, game.opening_plies, game.side_to_move) == (3, 3, "second")
    *_, last = Game.objects.get().plies.order_by("number")
    position = games.load(game.ruleset).start(game.setup)
    for move in line_of(3):
        position = position.play(move)
    assert game.position == position.text()
    assert last.remaining_ms == game.first_ms == game.second_ms == pages.CLOCK.initial_ms


def test_who_wants_the_first_move_gets_the_side_to_move(game: Game, ana: User) -> None:
    assert game.player_on(game.side_to_move) == ana.player
    assert game.deadline_at is not None


def test_it_is_casual_and_the_database_holds_that(game: Game) -> None:
    assert not game.is_rated
    assert not Invitation.objects.get().is_rated
    pool = pages.pool_of(Pool.Kind.PEOPLE, RULESET)
    with (
        pytest.raises(IntegrityError, match="game_after_an_opening_is_casual"),
        transaction.atomic(),
    ):
        Game.objects.filter(pk=game.pk).update(is_rated=True, pool=pool)


def test_given_plies_are_neither_taken_back_nor_in_the_way_of_an_abort(
    game: Game, ana: User, ben: User
) -> None:
    with pytest.raises(RefusedError, match="takeback-none"):
        takebacks.offer_takeback(game_id=game.pk, player=ben.player)
    pages.move(game)
    takebacks.offer_takeback(game_id=game.pk, player=ana.player)
    takebacks.offer_takeback(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    assert (game.ply, game.attempt) == (3, 2)
    page = pages.text_of(pages.member(ana).get(game.get_absolute_url()).content)
    assert "Abort" in page
    assert "Request take-back" not in page
    assert play.abort(game_id=game.pk, player=ana.player).result == Game.Result.VOID


def test_a_rematch_begins_from_the_same_position(game: Game) -> None:
    play.resign(game_id=game.pk, player=game.first)
    offers.offer_rematch(game_id=game.pk, player=game.first)
    rematch = offers.offer_rematch(game_id=game.pk, player=game.second)
    assert rematch is not None
    assert (rematch.first, rematch.position) == (game.second, game.position)
    assert [ply.move for ply in rematch.plies.order_by("number")] == line_of(3)


def test_a_bot_plays_from_it_at_once(ana: User, bots: list[Player], study: Study) -> None:
    game = challenges.challenge(
        challenger=ana.player, opponent=bots[0], ruleset="", clock=pages.CLOCK, study=study
    ).game
    assert game is not None
    assert (game.ruleset, game.opening_plies, game.is_rated) == (study.ruleset, 3, False)


@pytest.mark.engine
def test_a_bot_to_move_there_replies(ana: User, bots: list[Player], study: Study) -> None:
    game = challenges.challenge(
        challenger=ana.player,
        opponent=bots[0],
        ruleset="",
        clock=pages.CLOCK,
        side="second",
        study=study,
    ).game
    assert game is not None
    assert replies.reply(game.pk)
    game.refresh_from_db()
    assert (game.ply, game.player_on(game.side_to_move)) == (4, ana.player)


def test_the_start_of_a_set_up_is_a_position_too(ana: User, bots: list[Player]) -> None:
    study = studies.keep(
        analyses.analyse(analyses.new("morelli(size=5,setup=ring)", _RING)),
        visitor=throttles.Visitor(),
    )
    game = challenges.challenge(
        challenger=ana.player, opponent=bots[0], ruleset="", clock=pages.CLOCK, study=study
    ).game
    assert game is not None
    assert (game.setup, game.opening_plies, game.is_rated) == ("ring=BWBWBWBW", 0, False)


_RING = games.load("morelli(size=5,setup=ring)").initial(ring="BWBWBWBW").text()


def pasted(plies: int, ruleset: str = RULESET) -> tuple[games.Position, Study]:
    """Return the position after that line, and a study of it alone, as a user pastes it."""
    position = games.load(ruleset).initial(seed=0)
    for move in line_of(plies, ruleset):
        position = position.play(move)
    return position, studies.keep(
        analyses.analyse_text(position.text(), ruleset), visitor=throttles.Visitor()
    )


@pytest.mark.engine
@pytest.mark.parametrize("ruleset", [RULESET, "morelli(size=5)", "perfect()"])
def test_a_bot_plays_on_from_a_pasted_position(
    ana: User, bots: list[Player], client: Client, ruleset: str
) -> None:
    position, study = pasted(3, ruleset)
    game = challenges.challenge(
        challenger=ana.player,
        opponent=bots[0],
        ruleset="",
        clock=pages.CLOCK,
        side="second",
        study=study,
    ).game
    assert game is not None
    assert (game.ply, game.opening_plies, game.is_rated) == (0, 0, False)
    assert game.position == position.text()
    assert game.side_to_move == position.side_to_move.value
    assert replies.reply(game.pk)
    game.refresh_from_db()
    pages.move(game)
    moves = list(game.plies.order_by("number").values_list("move", flat=True))
    for move in moves:
        position = position.play(move)
    assert (len(moves), game.position) == (2, position.text())
    record = games.parse_record(client.get(reverse("game-record", args=[game.pk])).content.decode())
    assert [*record.positions()][-1] == position
    page = pages.text_of(client.get(game.get_absolute_url()).content)
    assert "The game began from a position that was given." in page


def test_a_pasted_position_is_played_by_two_and_again(ana: User, ben: User) -> None:
    position, study = pasted(3)
    invitation = invitations.invite(
        host=ana.player, ruleset="", clock=pages.CLOCK, is_rated=True, side="first", study=study
    )
    game = invitations.join(token=invitation.token, player=ben.player).game
    assert game is not None
    assert (game.position, game.is_rated) == (position.text(), False)
    assert game.player_on(game.side_to_move) == ana.player
    for _ in range(2):
        pages.move(game)
    takebacks.offer_takeback(game_id=game.pk, player=ana.player)
    takebacks.offer_takeback(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    assert (game.ply, game.position) == (0, position.text())
    play.resign(game_id=game.pk, player=game.first)
    offers.offer_rematch(game_id=game.pk, player=game.first)
    rematch = offers.offer_rematch(game_id=game.pk, player=game.second)
    assert rematch is not None
    assert (rematch.first, rematch.position) == (game.second, position.text())


def test_a_game_from_a_pasted_position_is_casual_and_the_database_holds_that(
    ana: User, bots: list[Player]
) -> None:
    _position, study = pasted(3)
    game = challenges.challenge(
        challenger=ana.player, opponent=bots[0], ruleset="", clock=pages.CLOCK, study=study
    ).game
    assert game is not None
    pool = pages.pool_of(Pool.Kind.PEOPLE, RULESET)
    with (
        pytest.raises(IntegrityError, match="game_from_a_position_is_casual"),
        transaction.atomic(),
    ):
        Game.objects.filter(pk=game.pk).update(is_rated=True, pool=pool)


def test_the_analysis_board_offers_a_game_from_a_pasted_position(client: Client, db: None) -> None:
    position, _study = pasted(3)
    form = {"text": position.text(), "ruleset": RULESET}
    board = client.post(reverse("analysis-load"), form, follow=True)
    assert "Play from here" in board.content.decode()
    refused = client.post(reverse("analysis-load"), {**form, "text": position.text() + "x"})
    assert refused.status_code == 422


def test_a_game_that_is_over_begins_no_other(db: None) -> None:
    analysis = analyses.analyse(analyses.new("morlox(size=5)", ""))
    while analysis.position.outcome() is None:
        analysis = analyses.play(analysis, analysis.position.legal_moves()[0])
    with pytest.raises(RefusedError, match="opening-over"):
        openings.of_analysis(analysis)


def test_a_position_is_not_voted_on(ana: User, ben: User, study: Study) -> None:
    with pytest.raises(RefusedError, match="vote-bad"):
        challenges.challenge(
            challenger=ana.player,
            opponent=ben.player,
            ruleset="",
            clock=pages.CLOCK,
            vote="free",
            study=study,
        )


def test_records_and_pages_say_which_plies_were_given(client: Client, game: Game) -> None:
    text = client.get(reverse("game-record", args=[game.pk])).content.decode()
    assert '[Opening "3"]' in text
    assert games.parse_record(text).moves == tuple(line_of(3))
    assert client.get(reverse("game-record-json", args=[game.pk])).json()["opening_plies"] == 3
    page = client.get(game.get_absolute_url()).content
    assert "its first 3 plies were given" in pages.text_of(page)
    assert page.decode().count('class="given"') == 3
    assert f"{game.first.name} plays" not in pages.text_of(page)
    clock = client.get(reverse("game-clock", args=[game.pk]))
    assert clock.context["bars"] == {}


def test_the_analysis_board_leads_to_the_play_page_and_that_to_a_game(
    ana: User, bots: list[Player]
) -> None:
    of_ana = pages.member(ana)
    board = {"rules": RULESET, "tree": ";".join(line_of(3)), "at": "3"}
    assert "Play from here" in of_ana.get(reverse("analysis"), board).content.decode()
    lobby = of_ana.post(reverse("analysis"), {**board, "do": "play"})["Location"]
    page = of_ana.get(lobby).content.decode()
    assert "From a position after 3 plies. The game is casual." in pages.text_of(page.encode())
    assert 'name="ruleset" value="morlox' in page
    assert ">Quick pairing<" not in page
    key = lobby.partition("study=")[2]
    form = {"study": key, "ruleset": "perfect()", "clock": "600+10", "side": "first"}
    of_ana.post(reverse("challenge"), {**form, "bot": bots[0].name, "is_rated": "on"})
    game = Game.objects.get()
    assert (game.opening_plies, game.is_rated) == (3, False)
    assert game.player_on(game.side_to_move) == ana.player
    of_ana.post(reverse("invite"), form)
    assert Invitation.objects.get().study_id == key
    of_ana.post(reverse("challenge"), {**form, "opponent": ""})
    assert "from a position" in of_ana.get(reverse("lobby")).content.decode()
    assert Challenge.objects.open().get().study_id == key


def test_a_study_there_is_not_is_refused(client: Client, db: None) -> None:
    page = client.get(reverse("lobby"), {"study": "nosuchkey0"}, follow=True).content.decode()
    assert "no-such-study" not in page
    assert 'class="message error"' in page
