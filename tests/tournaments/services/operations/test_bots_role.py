"""The database role of workers that run uploaded programs: it does their work, and reads no account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.db import ProgrammingError, connection, transaction

from tests.tournaments import pages, uploads
from tournaments.models import Bot, Game, Match, Player, User
from tournaments.services.accounts import players
from tournaments.services.games import game_creation
from tournaments.services.matches import matches, replies
from tournaments.services.operations import bots_role

# Parts of the names of columns that may hold a secret or an address.
_SUSPICIOUS = ("password", "email", "secret", "token", "digest", "endpoint", "p256dh", "session")
# Columns with such a name that are no secret, but for the seed: the worker that ends a round of an
# event may draw the next round.
HARMLESS = {
    "tournaments_event.seed_secret",
    "tournaments_game.moves_digest",
    "tournaments_inbox.emailed_seq",
    "tournaments_ledgerentry.digest",
    "tournaments_program.digest",
    "tournaments_ratingsource.digest",
}


@pytest.fixture
def role(transactional_db: None) -> Iterator[None]:
    """The role with its rights, which ends with the test."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no roles")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {bots_role.ROLE}")
    assert bots_role.renew()
    assert bots_role.renew()
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA {bots_role.ROLE} CASCADE; DROP OWNED BY {bots_role.ROLE}")
        cursor.execute(f"DROP ROLE {bots_role.ROLE}")


@contextmanager
def _as_role() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"SET search_path = {bots_role.ROLE}, public; SET ROLE {bots_role.ROLE}")
        try:
            yield
        finally:
            cursor.execute("RESET ROLE; SET search_path = public")


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.usefixtures("role")
def test_a_worker_with_the_role_checks_plays_and_replies(ana: User) -> None:
    bot = uploads.line(ana)
    with _as_role():
        assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert bot.state == Bot.State.READY
    other = players.add_bot(name="Other", engine="random")
    match = matches.schedule(
        ruleset="morlox(size=5)",
        setup=game_creation.draw_setup("morlox(size=5)", 1),
        players=(bot.player, other),
        clock=game_creation.Clock(10_000, 100),
        games_count=2,
    )
    with _as_role():
        matches.play_match(match.pk)
    assert Match.objects.get(pk=match.pk).state == Match.State.DONE
    game = pages.new_game(bot.player, ana.player, ruleset="morlox(size=5)")
    with _as_role():
        replies.reply(game.pk)
    assert Game.objects.get(pk=game.pk).plies.count() == 1


@pytest.mark.usefixtures("role")
def test_the_role_sees_accounts_without_passwords_and_addresses(ana: User) -> None:
    ana.email = "ana@example.org"
    ana.save()
    with _as_role():
        user = Player.objects.select_related("user").get(user=ana.pk).user
        assert user is not None
        assert (user.username, user.password, user.email) == (ana.username, "", "")
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            User.objects.filter(pk=ana.pk).update(is_superuser=True)


@pytest.mark.usefixtures("role")
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT password FROM public.tournaments_user",
        "SELECT * FROM tournaments_session",
        "SELECT * FROM tournaments_accesstoken",
        "SELECT * FROM otp_totp_totpdevice",
        "SELECT * FROM tournaments_email",
        "SELECT * FROM tournaments_webhook",
        "DELETE FROM tournaments_user",
        "CREATE TABLE public.of_a_program (n int)",
    ],
)
def test_the_role_is_refused_secrets(statement: str) -> None:
    with (
        _as_role(),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_no_open_table_has_a_column_for_secrets(db: None) -> None:
    open_tables = set(bots_role._open_tables())
    columns = {
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.local_concrete_fields
        if model._meta.db_table in open_tables
        and any(part in str(field.column) for part in _SUSPICIOUS)
    }
    assert columns == HARMLESS


@pytest.mark.django_db
def test_without_the_role_nothing_is_granted() -> None:
    assert not bots_role.renew()
