"""Changes that bypass the triggers are found, by name. The rows of the services pass."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from tests.tournaments import frozen_clock, page_world, pages
from tournaments.models import Game, LedgerEntry, Ply, Rating, Seat, Topic
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.operations import data_checks

pytestmark = [pytest.mark.django_db, pytest.mark.engines]


def offences() -> dict[str, list[str]]:
    """Return the offences of each check that has any, by its name."""
    reports = data_checks.run(replays=None)
    return {
        report.name: [f"{each.place}: {each.what}" for each in report.offences]
        for report in reports
        if report.offences
    }


def force(statement: str) -> None:
    """Change rows like a user with a database shell."""
    table = next(word for word in statement.split() if word.startswith("tournaments_"))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
            )
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute(statement)
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no row may wait for its check
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(statement)
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


@pytest.fixture(scope="module")
def rows_of_file(transaction_of_file: None) -> Game:
    """Return the first of two rated games of two players, the second of which was corrected, an hour apart."""
    rita, romy = (players.sign_up(name=name, password="rayuela-1963") for name in ("Rita", "Romy"))
    root = players.sign_up(name="Vera", password="rayuela-1963")
    root.is_superuser = True
    root.save()
    games = []
    with pytest.MonkeyPatch.context() as patch:
        clock = frozen_clock.freeze(patch)
        for _ in range(2):
            games.append(pages.new_game(rita.player, romy.player))
            pages.play_out(games[-1])
            clock.sleep(hours=1)
        games[1].refresh_from_db()
        other = "second" if games[1].result == "first" else "first"
        corrections.correct(game_id=games[1].pk, actor=root, result=other, reason="a test")
    games[0].refresh_from_db()
    return games[0]


@pytest.fixture
def rated_game(rows: Game, monkeypatch: pytest.MonkeyPatch) -> Game:
    frozen_clock.freeze(monkeypatch).sleep(hours=2)
    return rows


@pytest.mark.long
def test_what_services_have_written_is_in_order(rated_game: Game) -> None:
    assert offences() == {}
    out = StringIO()
    call_command("check_data", "--all", stdout=out)
    assert "ledger: in order" in out.getvalue()


@pytest.mark.long
def test_whole_site_with_events_and_bots_is_in_order() -> None:
    ana, ben = (players.sign_up(name=name, password="rayuela-1963") for name in ("Ana", "Ben"))
    bots = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 5)]
    event = page_world._event(ana, [ben.player, *bots])
    pages.play_out(pages.new_game(bots[0], bots[1]))
    page_world._over_the_board(ana, "Drafted")
    assert event.rounds.exists()
    assert offences() == {}


_OF_GAME = "UPDATE tournaments_game SET {} WHERE id = {{game}}"
_OF_LEDGER = "UPDATE tournaments_ledgerentry SET {} WHERE game_id = {{game}} AND side = 'first'"


# The eight kinds of the attack on the ledger, of which a computation from the games alone misses six.
@pytest.mark.long
@pytest.mark.parametrize(
    ("check", "statement"),
    [
        ("ledger", "UPDATE tournaments_rating SET centielo = centielo + 100"),
        ("ledger", "UPDATE tournaments_pairtally SET wins = wins + 1"),
        ("ratings", "DELETE FROM tournaments_rating WHERE player_id = {player}"),
        ("endings", _OF_GAME.format("ended_at = '2020-01-01 00:00:00+00:00'")),
        ("predictions", _OF_GAME.format("predicted_millionths = 999999")),
        ("endings", _OF_GAME.format("ending = 'resignation'")),
        ("moments", _OF_LEDGER.format("entered_at = '2020-01-01 00:00:00+00:00'")),
        ("moments", _OF_LEDGER.format("entered_at = '2090-01-01 00:00:00+00:00'")),
        ("revisions", _OF_LEDGER.format("revision = 3, kind = 're-entry'")),
        ("ledger", _OF_LEDGER.format("k_factor = 99")),
    ],
    ids=str,
)
@pytest.mark.part(0.4)
def test_tampering_with_ratings_is_found(rated_game: Game, check: str, statement: str) -> None:
    force(statement.format(game=rated_game.pk, player=rated_game.first_id))
    assert check in offences()
    for command in (("check_data",), ("ratings", "verify")):
        with pytest.raises(SystemExit) as error:
            call_command(*command, stdout=StringIO())
        assert error.value.code == 1


@pytest.mark.parametrize(
    ("check", "statement"),
    [
        ("plies", "DELETE FROM tournaments_ply WHERE game_id = {game} AND number = 2"),
        ("plies", _OF_GAME.format("ply = ply + 1")),
        (
            "replays",
            "UPDATE tournaments_ply SET move = 'Z99' WHERE game_id = {game} AND number = 1",
        ),
        ("clocks", _OF_GAME.format("turn_started_at = created_at")),
        ("corrections", "UPDATE tournaments_correction SET after = 'void'"),
        ("corrections", "UPDATE tournaments_correction SET seq = 2"),
        ("news", "DELETE FROM tournaments_newsitem WHERE seq = 2"),
        ("news", "UPDATE tournaments_topic SET seq = seq + 1"),
        ("leases", _OF_GAME.format("reply_lease_until = '2090-01-01 00:00:00+00:00'")),
    ],
    ids=str,
)
def test_tampering_with_games_is_found(rated_game: Game, check: str, statement: str) -> None:
    force(statement.format(game=rated_game.pk))
    assert check in offences()


def _shift_seat() -> None:
    seat = Seat.objects.filter(kind="first").first()
    bye = Seat.objects.exclude(kind__in=["first", "second"]).first()
    assert seat is not None
    if bye is not None:
        bye.delete()
    force(f"UPDATE tournaments_seat SET kind = 'zero-bye', pairing_id = NULL WHERE id = {seat.pk}")


@pytest.mark.parametrize(
    ("check", "tamper"),
    [
        ("seats", _shift_seat),
        ("rounds", lambda: force("UPDATE tournaments_round SET number = number + 1")),
        (
            "seats",
            lambda: force("UPDATE tournaments_game SET match_id = NULL, first_id = (SELECT MAX(id) FROM"
                          " tournaments_player) WHERE pairing_id IS NOT NULL"),
        ),
    ],
    ids=["a seat", "a round", "a player"],
)  # fmt: skip
@pytest.mark.long
def test_tampering_with_events_is_found(check: str, tamper: Callable[[], None]) -> None:
    page_world.build()
    tamper()
    assert check in offences()


def test_nothing_is_changed(rated_game: Game) -> None:
    def counts() -> list[object]:
        models = (Game, Ply, LedgerEntry, Rating, Topic)
        return [list(model._default_manager.order_by("pk").values()) for model in models]

    before = counts()
    list(data_checks.run(replays=None))
    assert counts() == before
