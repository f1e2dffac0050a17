"""Backups: the database in one file with a manifest, at one moment, while the site runs, and the restore.

A backup is a ZIP file: `manifest.json`, and `database.sqlite3` or `database.dump` of pg_dump.
Uploads are rows, so they are in it. The secret key is not, because the owner of a backup could sign
with it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from tournaments import database_time
from tournaments.models import Upkeep
from tournaments.services.operations import health

log = logging.getLogger(__name__)

FORMAT = 1
_MANIFEST = "manifest.json"
_FILES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
_CHUNK = 1 << 20
# Options of `DATABASE_URL` for the encryption of the connection and its peer. libpq reads variables
# of these names with the prefix PG before them.
_TLS = {"sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "channel_binding", "gssencmode"}


class BackupError(Exception):
    """A backup that cannot be made or restored. The message gives the reason, for operators."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a backup.

    Attributes:
        format: the version of this form of backups.
        vendor: `sqlite` or `postgresql`.
        made_at: the moment, in ISO 8601.
        sha256: of the database's file.
        migrations: the applied ones, as `app.name`.
        counts: rows of each table at that moment.
        versions: of Python and of the database.
    """

    format: int
    vendor: str
    made_at: str
    sha256: str
    migrations: Sequence[str]
    counts: Mapping[str, int]
    versions: Mapping[str, str]


def backup(path: Path) -> Manifest:
    """Write a backup to `path`, whole or not at all, and return its manifest.

    Raises:
        BackupError: the file exists already, its folder does not exist, the disk is full, or a program failed.
    """
    if path.exists():
        raise BackupError(f"{path} exists already")
    if not path.resolve().parent.is_dir():
        raise BackupError(f"the folder {path.resolve().parent} does not exist")
    try:
        manifest = _write(path)
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror}") from error
    _note_success()
    return manifest


def _write(path: Path) -> Manifest:
    """Write a backup to `path` by way of a folder beside it. Raises OSError and BackupError."""
    vendor = connection.vendor
    with tempfile.TemporaryDirectory(dir=path.resolve().parent, prefix=".backup-") as folder:
        database = Path(folder) / _FILES[vendor]
        counts = _dump_sqlite(database) if vendor == "sqlite" else _dump_postgresql(database)
        manifest = Manifest(
            format=FORMAT,
            vendor=vendor,
            made_at=database_time.now().isoformat(),
            sha256=_sha256(database),
            migrations=_migrations(),
            counts=counts,
            versions={"python": platform.python_version(), "database": _database_version()},
        )
        whole = Path(folder) / "backup.zip"
        whole.touch(mode=0o600)
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            file.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=1))
            file.write(database, database.name)
        with whole.open("rb") as file_on_disk:
            os.fsync(file_on_disk.fileno())
        whole.rename(path)
    return manifest


def _note_success() -> None:
    """Store the moment for the monitoring. A database of an earlier release has no table for it."""
    try:
        with transaction.atomic():
            Upkeep.objects.update_or_create(
                task=Upkeep.Task.BACKUP, defaults={"done_at": database_time.now()}
            )
    except DatabaseError as error:
        log.warning("backup.not-noted error=%s", error)


def restore(path: Path) -> Manifest:
    """Fill the empty database of the settings from the backup, and return its manifest.

    Raises:
        BackupError: the database is not empty, or the file is no backup, is damaged, of another
            kind of database, or of a later release. The database is unchanged then.
    """
    _require_empty()
    with tempfile.TemporaryDirectory(prefix="rayuela-restore-") as folder:
        manifest, database = _unpack(path, Path(folder))
        if manifest.vendor != connection.vendor:
            raise BackupError(f"a backup of {manifest.vendor}, and this is {connection.vendor}")
        if newer := health.unknown(manifest.migrations):
            raise BackupError(
                f"a backup of a later release, with {', '.join(newer)}: upgrade first"
            )
        if connection.vendor == "sqlite":
            _load_sqlite(database)
        else:
            _load_postgresql(database)
    counts = _counts()
    wrong = [table for table, count in manifest.counts.items() if counts.get(table) != count]
    if wrong:
        raise BackupError(f"restored, with other counts of rows: {', '.join(wrong)}")
    return manifest


def _require_empty() -> None:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    if tables:
        raise BackupError(f"the database is not empty: it has {len(tables)} tables")


def _unpack(path: Path, folder: Path) -> tuple[Manifest, Path]:
    try:
        with zipfile.ZipFile(path) as file:
            manifest = Manifest(**json.loads(file.read(_MANIFEST)))
            if manifest.format != FORMAT or manifest.vendor not in _FILES:
                raise BackupError(f"{path} is a backup of another version: {manifest.format}")
            name = _FILES[manifest.vendor]
            database = folder / name
            with file.open(name) as source, database.open("wb") as target:
                shutil.copyfileobj(source, target, _CHUNK)
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise BackupError(f"{path} is no backup: {error}") from error
    if _sha256(database) != manifest.sha256:
        raise BackupError(f"{path} is damaged: the digest of its database is another one")
    return manifest, database


def _dump_sqlite(target: Path) -> dict[str, int]:
    """A copy as of one moment (VACUUM INTO), in which the rows are counted."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=60)) as source:
        source.execute("VACUUM INTO ?", [str(target)])
    with closing(sqlite3.connect(target)) as copy:
        return {
            table: copy.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]  # noqa: S608
            for table in _tables()
        }


def _load_sqlite(database: Path) -> None:
    connections.close_all()
    with (
        closing(sqlite3.connect(database)) as source,
        closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=60)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode=WAL")


def _dump_postgresql(target: Path) -> dict[str, int]:
    """A dump and counts of one snapshot."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
        counts = _counts()
        _run("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", "--file",
             str(target))  # fmt: skip
    return counts


def _load_postgresql(database: Path) -> None:
    """Restore all objects except extensions, which only a superuser may create and which our tables do not need."""
    entries = _run("pg_restore", "--list", str(database)).splitlines()
    # An entry of the list is `3; 3079 16384 EXTENSION - name`. A comment on one is `COMMENT -
    # EXTENSION name`.
    is_of_extension = re.compile(r"\d+; \d+ \d+ (?:COMMENT - )?EXTENSION ")
    ours = database.with_suffix(".list")
    ours.write_text("\n".join(entry for entry in entries if not is_of_extension.match(entry)))
    _run("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction",
         "--use-list", str(ours), "--dbname", connection.settings_dict["NAME"], str(database))  # fmt: skip


def _run(program: str, *arguments: str) -> str:
    """Return the output of a program of PostgreSQL on this database. Raises BackupError with its words."""
    settings: dict[str, Any] = connection.settings_dict
    options = {
        f"PG{name.upper()}": str(settings["OPTIONS"][name])
        for name in _TLS & settings["OPTIONS"].keys()
    }
    environment = {
        **options,
        "PATH": os.environ.get("PATH", ""),
        "PGHOST": settings["HOST"],
        "PGPORT": str(settings["PORT"]),
        "PGUSER": settings["USER"],
        "PGPASSWORD": settings["PASSWORD"],
        "PGDATABASE": settings["NAME"],
        "PGOPTIONS": "-c statement_timeout=0 -c lock_timeout=60000",
    }
    environment = {name: value for name, value in environment.items() if value}
    try:
        finished = subprocess.run(  # noqa: S603 - our own words
            [program, *arguments], env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise BackupError(f"{program} is missing: install PostgreSQL's client programs") from error
    if finished.returncode:
        raise BackupError(f"{program}: {finished.stderr.strip()[:500]}")
    return finished.stdout


def _tables() -> list[str]:
    models = apps.get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models if model._meta.managed})


def _counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for table in _tables():
            cursor.execute(f'SELECT COUNT(*) FROM "{table}"')  # noqa: S608 - of our own models
            counts[table] = cursor.fetchone()[0]
    return counts


def _migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _database_version() -> str:
    if connection.vendor == "sqlite":
        return sqlite3.sqlite_version
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return str(cursor.fetchone()[0])


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
