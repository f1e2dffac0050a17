"""Connections to PostgreSQL are tried before a request without a question, replaced when ended, and encrypted as the URL says."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.db.backends.postgresql import base
from django.db.utils import ConnectionHandler

from config import environment
from tests import processes, servers
from tournaments import database_time, tasks
from tournaments.models import Email, Player, User
from tournaments.services.accounts import players

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")


@pytest.mark.django_db
def test_a_living_connection_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_again: list[base.DatabaseWrapper] = []
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", asked_again.append)
    Player.objects.exists()
    assert connection.is_usable()
    assert not asked_again


@pytest.mark.django_db
def test_a_connection_that_the_server_has_ended_is_replaced() -> None:
    other = connection.copy()
    assert isinstance(other, base.DatabaseWrapper)
    try:
        other.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(%s, 10000)", [other.connection.info.backend_pid]
            )
        assert not other.is_usable()
        # Django's preparation when a request comes.
        vars(other).update(health_check_enabled=True, health_check_done=False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1")
            assert cursor.fetchone() == (1,)
    finally:
        other.close()


def _send_email(user: User) -> int:
    """Let a worker send an email. Return the process of the server that works for the worker."""
    now = database_time.now()
    email = Email.objects.create(address="ana@example.org", user=user, due_at=now, made_at=now)
    tasks.post.delay()
    sent = Email.objects.filter(pk=email.pk, state=Email.State.SENT)
    processes.until(sent.exists, patience_s=60)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
        (pid,) = (pid for (pid,) in cursor.fetchall())
    return int(pid)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_worker_has_one_connection_that_is_replaced_when_it_is_ended(
    erasable: None,
) -> None:
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    with processes.worker("post"):
        first = _send_email(ana)
        assert _send_email(ana) == first
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [first])
        assert _send_email(ana) != first


def _certificate(folder: Path, name: str) -> Path:
    """Return a certificate for localhost that has signed itself, with its key beside it."""
    openssl = shutil.which("openssl") or pytest.skip("no openssl here")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{name}.key", "-out", f"{name}.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    (folder / f"{name}.key").chmod(0o600)
    return folder / f"{name}.pem"


@pytest.fixture(scope="module")
def tls_server() -> Iterator[tuple[str, Path, Path]]:
    """Yield the port of a server with TLS, its certificate, and that of another server."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rayuela-tls-")))
        own, other = (_certificate(folder, name) for name in ("own", "other"))
        for path in (folder, own, own.with_suffix(".key")):
            with contextlib.suppress(
                PermissionError, LookupError
            ):  # the server may be another user
                shutil.chown(path, "postgres")
        settings = ("ssl=on", f"ssl_cert_file={own}", f"ssl_key_file={own.with_suffix('.key')}")
        url = stack.enter_context(servers.postgresql(*settings))
        yield url.rpartition(":")[2].partition("/")[0], own, other


def _is_encrypted(port: str, host: str, query: str) -> bool:
    url = f"postgresql://rayuela@{host}:{port}/postgres?{query}"
    handler = ConnectionHandler({"default": environment.database(url)})
    with contextlib.closing(handler["default"]) as place, place.cursor() as cursor:
        cursor.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db
@pytest.mark.long
def test_the_way_to_the_database_is_encrypted_as_the_url_says(
    tls_server: tuple[str, Path, Path],
) -> None:
    port, own, other = tls_server
    assert _is_encrypted(port, "localhost", f"sslmode=verify-full&sslrootcert={own}")
    assert not _is_encrypted(port, "localhost", "sslmode=disable")
    with pytest.raises(OperationalError, match="certificate verify failed"):
        _is_encrypted(port, "localhost", f"sslmode=verify-full&sslrootcert={other}")
    with pytest.raises(OperationalError, match="does not match host name"):
        _is_encrypted(port, "127.0.0.1", f"sslmode=verify-full&sslrootcert={own}")


@pytest.mark.long
@pytest.mark.django_db
def test_of_several_hosts_one_that_answers_is_taken(tls_server: tuple[str, Path, Path]) -> None:
    port, _own, _other = tls_server
    away = servers.free_port()
    assert _is_encrypted(f"{away},localhost:{port}", "localhost", "sslmode=require")
