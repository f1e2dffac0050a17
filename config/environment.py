"""Settings from the environment, and the files that the embedded default keeps on disk."""

from __future__ import annotations

import os
import re
import secrets
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent

# Parameters of libpq that an operator may choose. Django and this module set the rest.
_DATABASE_OPTIONS = {
    "application_name", "channel_binding", "connect_timeout", "gssencmode", "host", "keepalives",
    "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname", "options", "passfile",
    "port", "require_auth", "requirepeer", "ssl_max_protocol_version", "ssl_min_protocol_version",
    "sslcert", "sslcrl", "sslcrldir", "sslkey", "sslmode", "sslpassword", "sslrootcert", "sslsni",
    "target_session_attrs", "tcp_user_timeout", "load_balance_hosts",
}  # fmt: skip
_TIMEOUTS = (
    "-c lock_timeout=2000 -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000"
)
_PUSH_KEY_BYTES = 32
# An IPv6 address is in brackets.
_HOST = re.compile(r"(?:\[(?P<address>[^\]]*)\]|(?P<name>[^:\[\]]*))(?::(?P<port>[0-9]{1,5})?)?")


def flag(name: str, *, default: bool = False) -> bool:
    """Return whether the variable is on. On: 1, true, yes or on. Off: 0, false, no, off or empty."""
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}; it takes 1 or 0.")


def secret(name: str) -> str:
    """Return the variable, or the text of the file that the variable `NAME_FILE` names, without outer blanks.

    Raises ImproperlyConfigured for a file that cannot be read, and for both variables.
    """
    text, path = os.environ.get(name, ""), os.environ.get(f"{name}_FILE", "")
    if not path:
        return text
    if text:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are set; only one of them may be.")
    try:
        return Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: {path} cannot be read: {error}.") from error


def words(name: str, *, default: str = "") -> list[str]:
    """Return the variable split at commas, blanks dropped."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def figures(name: str) -> dict[str, float]:
    """Return the variable as `name=number` pairs split at commas."""
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
    """Return the variable as a number that is not negative."""
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} is {text!r}; it is a number from 0 on.")
    return value


def choice(name: str, options: tuple[str, ...]) -> str:
    """Return the variable, one of the allowed words, or the first of them when it is missing."""
    text = os.environ.get(name, "") or options[0]
    if text not in options:
        raise ImproperlyConfigured(f"{name} is {text!r}; it takes {', '.join(options)}.")
    return text


def choices(name: str, options: tuple[str, ...]) -> list[str]:
    """Return the words of the variable, each one of the allowed, or the first of these when it is missing."""
    texts = words(name, default=options[0])
    if unknown := set(texts) - set(options):
        raise ImproperlyConfigured(f"{name} has {min(unknown)!r}; it takes {', '.join(options)}.")
    return texts


def web_address(name: str) -> str:
    """Return the variable, which is empty or an address of http or https."""
    text = os.environ.get(name, "").strip()
    parts = urlsplit(text)
    if text and (parts.scheme not in {"http", "https"} or not parts.hostname):
        raise ImproperlyConfigured(f"{name} is {text!r}; it takes http://host:port/path.")
    return text


def folder(name: str, default: Path) -> Path:
    """Return the folder the variable names, else `default`, made when missing, for its owner only."""
    path = Path(os.environ.get(name) or default).resolve()
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def home() -> Path:
    """Return the folder of the embedded default's files: RAYUELA_HOME, else `var/` in the checkout."""
    return folder("RAYUELA_HOME", ROOT / "var")


def secret_key() -> str:
    """SECRET_KEY, else a key drawn once and kept in the home folder, readable by its owner only."""
    return secret("SECRET_KEY") or _text_of_file("secret-key", secrets.token_urlsafe(50))


def push_key(*, is_service: bool) -> str:
    """PUSH_KEY: the private key of Web Push, 32 bytes in base64url, or an empty text for none.

    Without the variable a key is drawn once and kept in the home folder. A service has no such key,
    because its processes have several home folders and need one key.
    """
    key = secret("PUSH_KEY")
    if not key:
        return (
            "" if is_service else _text_of_file("push-key", secrets.token_urlsafe(_PUSH_KEY_BYTES))
        )
    try:
        size = len(urlsafe_b64decode(key + "=" * (-len(key) % 4)))
    except ValueError:
        size = 0
    if size != _PUSH_KEY_BYTES:
        raise ImproperlyConfigured("PUSH_KEY must be 32 bytes in base64url.")
    return key


def _text_of_file(name: str, fresh: str) -> str:
    """Return the text of that file of the home folder, which is `fresh` if the file is new."""
    path = home() / name
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        file.write(fresh)
    return path.read_text()


def database(url: str) -> dict[str, object]:
    """Django's setting for a database URL, or for the embedded SQLite file when it is empty.

    A URL is `postgresql://user:password@host:port/name?option=value` or `sqlite:////path`. It may name
    several hosts with commas between them, and has `%` before two digits for any character, as libpq
    reads it. Raises ImproperlyConfigured for a URL or an option that is unknown.
    """
    if not url:
        return _sqlite(home() / "rayuela.sqlite3")
    # Split here, because `urlsplit` knows of one host only.
    scheme, _, rest = url.partition("://")
    place, _, query = rest.partition("?")
    network, _, name = place.partition("/")
    if scheme == "sqlite":
        return _sqlite(Path(unquote(f"/{name}")))
    if scheme not in {"postgres", "postgresql"} or not name.strip("/"):
        raise ImproperlyConfigured(
            "DATABASE_URL must be postgresql://user:password@host:port/name or sqlite:////path."
        )
    credentials, _, authority = network.rpartition("@")
    user, _, password = credentials.partition(":")
    hosts, ports = _hosts(authority)
    options = _database_options(query)
    own_options = options.pop("options", "")
    return {
        "ENGINE": "config.postgresql",
        "NAME": unquote(name.lstrip("/")),
        "USER": unquote(user),
        "PASSWORD": unquote(password),
        "HOST": options.pop("host", hosts),
        "PORT": options.pop("port", ports),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": 5,
            # A host that is cut off sends no message. Its waiting clients get an error within half
            # a minute, while the system's own patience is a quarter of an hour.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
            # A stuck statement or lock becomes an error that the caller sees, not a pile-up. If two
            # name one setting, the last one counts: that of the URL.
            "options": f"{_TIMEOUTS} {own_options}".strip(),
            **options,
        },
    }


def _hosts(text: str) -> tuple[str, str]:
    """Return the hosts and the ports of `host:port,host:port`, each with commas between them."""
    pairs = [_HOST.fullmatch(each) for each in text.split(",")]
    if not all(pairs):
        raise ImproperlyConfigured(
            f"DATABASE_URL has {text!r}; it takes host:port, comma separated."
        )
    hosts = [unquote(pair["address"] or pair["name"]) for pair in pairs if pair]
    ports = [pair["port"] or "" for pair in pairs if pair]
    return ",".join(hosts), ",".join(ports) if any(ports) else ""


def _database_options(query: str) -> dict[str, str]:
    """Return the options of a database URL.

    Raises ImproperlyConfigured for an unknown, doubled or empty one.
    """
    options: dict[str, str] = {}
    for part in query.split("&") if query else []:
        name, _, value = part.partition("=")
        name, value = unquote(name), unquote(value)
        if name not in _DATABASE_OPTIONS:
            known = ", ".join(sorted(_DATABASE_OPTIONS))
            raise ImproperlyConfigured(f"DATABASE_URL has the option {name!r}; it takes {known}.")
        if name in options or not value:
            raise ImproperlyConfigured(
                f"DATABASE_URL has the option {name!r} twice or without a value."
            )
        options[name] = value
    return options


@dataclass(frozen=True, slots=True)
class Mail:
    """The server that sends mail. Without a host no mail is sent."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    is_encrypted: bool = False


def mail(url: str) -> Mail:
    """Return the server of `smtp://user:password@host:port`, or `smtp+tls://` for STARTTLS.

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


def _sqlite(path: Path) -> dict[str, object]:
    """Return SQLite with IMMEDIATE transactions and WAL, without which concurrent writers fail immediately."""
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
