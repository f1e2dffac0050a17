"""Backups while others write, and their way back into an empty place."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from tests import processes
from tests.tournaments import pages
from tournaments.models import Topic
from tournaments.services.accounts import players
from tournaments.services.notifications import news
from tournaments.services.operations import backups

# Between two announcements of a busy writer, so that the others have the processor too.
_PAUSE_S = 0.002

pytestmark = [pytest.mark.engines, pytest.mark.usefixtures("erasable")]


@pytest.fixture
def empty_place(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables of a process with an empty database."""
    variables = processes.environment()
    if connection.vendor == "sqlite":
        yield {**variables, "DATABASE_URL": f"sqlite:///{tmp_path / 'restored.sqlite3'}"}
        return
    name = f"restored_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        try:
            url = urlunsplit(urlsplit(variables["DATABASE_URL"])._replace(path=f"/{name}"))
            yield {**variables, "DATABASE_URL": url}
        finally:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def owned_place() -> Iterator[dict[str, str]]:
    """The variables of a process with an empty database, whose owner has no other powers."""
    variables, name = processes.environment(), f"owned_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {name} LOGIN")
        cursor.execute(f"CREATE DATABASE {name} OWNER {name}")
        try:
            parts = urlsplit(variables["DATABASE_URL"])
            host = parts.netloc.rpartition("@")[2]
            url = urlunsplit(parts._replace(netloc=f"{name}@{host}", path=f"/{name}"))
            yield {**variables, "DATABASE_URL": url}
        finally:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
            cursor.execute(f"DROP ROLE {name}")


@pytest.fixture
def writer() -> Iterator[Callable[[], int]]:
    """Yield a function that returns the number of stored news of a thread that announces news all the while."""
    stored = [0]
    is_over = threading.Event()

    def write() -> None:
        while not is_over.wait(_PAUSE_S):
            with transaction.atomic():
                news.announce("site", "seek", {"n": stored[0]})
            stored[0] += 1
        connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    processes.until(lambda: stored[0] > 20)
    yield lambda: stored[0]
    is_over.set()
    thread.join()


def _manage(variables: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=processes.ROOT, env=variables, capture_output=True, text=True, check=False
    )


def _play() -> None:
    ana, ben = (players.sign_up(name=name, password="rayuela-1963") for name in ("Ana", "Ben"))
    pages.play_out(pages.new_game(ana.player, ben.player))


@pytest.mark.long
def test_backup_under_writes_is_one_moment_and_comes_back_whole(
    tmp_path: Path, empty_place: dict[str, str], writer: Callable[[], int]
) -> None:
    _play()
    path = tmp_path / "backup.zip"
    before = writer()
    manifest = backups.backup(path)
    processes.until(lambda: writer() > before + 20)
    assert manifest.counts["tournaments_ply"] > 0
    assert path.stat().st_mode & 0o077 == 0
    restored = _manage(empty_place, "restore", str(path))
    assert restored.returncode == 0, restored.stderr
    checked = _manage(empty_place, "check_data", "--all")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    (number,) = _values(
        empty_place["DATABASE_URL"], "SELECT seq FROM tournaments_topic WHERE name = 'site'"
    )
    # All news acknowledged before exist.
    assert before <= number <= Topic.objects.get(name="site").seq
    again = _manage(empty_place, "restore", str(path))
    assert again.returncode != 0
    assert "the database is not empty" in again.stderr


def test_backup_replaces_no_file_and_leaves_none_when_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    path.write_text("mine")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(path))
    assert path.read_text() == "mine"
    assert [each.name for each in tmp_path.iterdir()] == ["backup.zip"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no extensions")
@pytest.mark.long
def test_an_owner_without_powers_restores_a_backup_with_an_extension(
    tmp_path: Path, owned_place: dict[str, str]
) -> None:
    """Only a superuser may create pg_stat_statements, which many operators have."""
    _play()
    path = tmp_path / "backup.zip"
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION pg_stat_statements")
    try:
        manifest = backups.backup(path)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP EXTENSION pg_stat_statements")
    restored = _manage(owned_place, "restore", str(path))
    assert restored.returncode == 0, restored.stderr
    count = _values(owned_place["DATABASE_URL"], "SELECT count(*) FROM tournaments_ply")
    assert count == [manifest.counts["tournaments_ply"]]


@pytest.mark.parametrize("kind", ["text", "digest", "vendor", "version", "later"])
@pytest.mark.part(0.4)
@pytest.mark.long
def test_what_is_no_whole_backup_of_this_kind_is_refused_before_anything_changes(
    tmp_path: Path, empty_place: dict[str, str], kind: str
) -> None:
    path = tmp_path / "backup.zip"
    if kind == "text":
        path.write_text("no backup")
    else:
        _forge(path, kind)
    refused = _manage(empty_place, "restore", str(path))
    assert refused.returncode != 0
    words = {"text": "is no backup", "digest": "is damaged", "vendor": "a backup of",
             "version": "another version", "later": "a later release, with tournaments.0099_later"}  # fmt: skip
    assert words[kind] in refused.stderr
    assert _tables(empty_place["DATABASE_URL"]) == []


def _tables(url: str) -> list[str]:
    """Return the names of all tables of a database, possibly of an empty one."""
    if connection.vendor == "sqlite":
        return _values(url, "SELECT name FROM sqlite_master")
    return _values(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


def _values(url: str, query: str) -> list[Any]:
    """Return the first column of another database's answer."""
    if connection.vendor == "sqlite":
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as place:
            return [row[0] for row in place.execute(query)]
    with psycopg.connect(url) as place:
        return [row[0] for row in place.execute(query)]


def _forge(path: Path, kind: str) -> None:
    """A backup in which one thing is changed."""
    whole = path.with_suffix(".whole")
    backups.backup(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        manifest = json.loads(source.read("manifest.json"))
        (name,) = (each for each in source.namelist() if each != "manifest.json")
        content = source.read(name)
        if kind == "digest":
            content = content[:-1] + bytes([content[-1] ^ 1])
        if kind == "version":
            manifest["format"] = 99
        if kind == "later":
            manifest["migrations"].append("tournaments.0099_later")
        if kind == "vendor":
            manifest["vendor"] = "postgresql" if connection.vendor == "sqlite" else "sqlite"
            name = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}[manifest["vendor"]]
        target.writestr("manifest.json", json.dumps(manifest))
        target.writestr(name, content)
