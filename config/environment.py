"""Settings from the environment, and the files that the embedded default keeps on disk."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent


def flag(name: str, *, default: bool = False) -> bool:
    """Whether the variable is on: 1, true, yes or on; off: 0, false, no, off or empty."""
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}; it takes 1 or 0.")


def words(name: str, *, default: str = "") -> list[str]:
    """The variable split at commas, blanks dropped."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def figures(name: str) -> dict[str, float]:
    """The variable as `name=number` pairs split at commas."""
    values = {}
    for word in words(name):
        key, _, text = word.partition("=")
        try:
            values[key.strip()] = float(text) if "." in text else int(text)
        except ValueError:
            raise ImproperlyConfigured(
                f"{name} has {word!r}; it takes name=number, comma separated."
            ) from None
    return values


def factor(name: str, *, default: float) -> float:
    """The variable as a number that is not negative."""
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} is {text!r}; it is a number from 0 on.")
    return value


def choice(name: str, options: tuple[str, ...]) -> str:
    """The variable, one of the words that are allowed; the first of them when it is missing."""
    text = os.environ.get(name, "") or options[0]
    if text not in options:
        raise ImproperlyConfigured(f"{name} is {text!r}; it takes {', '.join(options)}.")
    return text


def folder(name: str, default: Path) -> Path:
    """The folder the variable names, else `default`; made when missing, for its owner only."""
    path = Path(os.environ.get(name) or default).resolve()
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def home() -> Path:
    """Where the embedded default keeps its files: RAYUELA_HOME, else `var/` in the checkout."""
    return folder("RAYUELA_HOME", ROOT / "var")


def secret_key() -> str:
    """SECRET_KEY, else a key drawn once and kept in the home folder, readable by its owner only."""
    key = os.environ.get("SECRET_KEY", "")
    if key:
        return key
    path = home() / "secret-key"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text()


def database(url: str) -> dict[str, object]:
    """Django's setting for a database URL, or for the embedded SQLite file when it is empty.

    A URL is `postgresql://user:password@host:port/name` or `sqlite:////path`.
    """
    if not url:
        return _sqlite(home() / "rayuela.sqlite3")
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(Path(unquote(parts.path)))
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ImproperlyConfigured(
            "DATABASE_URL must be postgresql://user:password@host:port/name or sqlite:////path."
        )
    return {
        "ENGINE": "config.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": parts.port or "",
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": 5,
            # A host that is cut off says nothing: what waits for it is answered within half a minute,
            # where the system's own patience is a quarter of an hour.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
            # A stuck statement or lock becomes an error that the caller sees, not a pile-up.
            "options": "-c lock_timeout=2000 -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000",
        },
    }


@dataclass(frozen=True, slots=True)
class Mail:
    """The server that sends mail. Without a host nothing is sent."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    is_encrypted: bool = False


def mail(url: str) -> Mail:
    """The server of `smtp://user:password@host:port`, or `smtp+tls://` for STARTTLS.

    An empty URL gives a server without a host.
    """
    if not url:
        return Mail()
    parts = urlsplit(url)
    if parts.scheme not in {"smtp", "smtp+tls"} or not parts.hostname:
        raise ImproperlyConfigured(
            "MAIL_URL must be smtp:// or smtp+tls://user:password@host:port."
        )
    is_encrypted = parts.scheme == "smtp+tls"
    return Mail(
        host=parts.hostname,
        port=parts.port or (587 if is_encrypted else 25),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_encrypted=is_encrypted,
    )


def cache(url: str, path: Path) -> dict[str, object]:
    """Django's setting for what is kept for all processes: in that Redis, or in files when the URL is empty."""
    if not url:
        return {
            "BACKEND": "config.caches.FileCache",
            "LOCATION": str(path),
            "OPTIONS": {"MAX_ENTRIES": 1000},
        }
    return {
        "BACKEND": "config.caches.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": "rayuela:results",
        "OPTIONS": {
            "serializer": "config.caches.Bytes",
            "socket_timeout": 0.25,
            "socket_connect_timeout": 0.25,
        },
    }


def _sqlite(path: Path) -> dict[str, object]:
    """SQLite with IMMEDIATE transactions and WAL, without which concurrent writers fail at once."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "TEST": {"NAME": path.with_name("test.sqlite3")},  # a file, so that processes can share it
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
                "PRAGMA mmap_size=134217728;PRAGMA cache_size=-16000;"
            ),
        },
    }
