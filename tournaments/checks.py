import ipaddress
from importlib.util import find_spec
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.db import Error, connection
from django.http.request import validate_host

from tournaments import spans
from tournaments.queries.bots import sandboxes
from tournaments.services.operations import health

_TOKEN_LENGTH = 16


@checks.register(checks.Tags.security, deploy=True)
def a_sandbox_for_bots(**_: object) -> list[checks.CheckMessage]:
    try:
        reports = sandboxes.reports_without()
    except Error:
        return []  # a database that is not there has nothing to tell
    reasons = "; ".join(
        f"{row.host} {row.queue}: {' '.join(row.report.split())}" for row in reports
    )
    if not reports:
        return []
    return [
        checks.Warning(
            f"Uploaded bots do not play: no worker of their queue has a working sandbox ({reasons}).",
            hint="docs/operate/sandbox.md says what to do about each reason; `python -m engine sandbox` tries again.",
            id="tournaments.W001",
        )
    ]


@checks.register(checks.Tags.security, deploy=True)
def addresses_of_the_site(**_: object) -> list[checks.CheckMessage]:
    messages: list[checks.CheckMessage] = []
    if any(host.strip(".") in {"*", ""} for host in settings.ALLOWED_HOSTS):
        messages.append(
            checks.Error(
                "ALLOWED_HOSTS lets every host through: links in letters could lead to a stranger's.",
                hint="Name the hosts that people use.",
                id="tournaments.E001",
            )
        )
    parts = urlsplit(settings.SITE_URL)
    if parts.scheme != "https":
        messages.append(
            checks.Warning(
                "SITE_URL is not https: cookies go over the network as they are.",
                id="tournaments.W002",
            )
        )
    if not validate_host((parts.hostname or "").lower(), settings.ALLOWED_HOSTS):
        messages.append(
            checks.Error(
                f"ALLOWED_HOSTS lacks the host of SITE_URL, {parts.hostname}: the site answers 400.",
                id="tournaments.E003",
            )
        )
    networks = [ipaddress.ip_network(proxy) for proxy in settings.TRUSTED_PROXIES]
    if any(network.prefixlen == 0 for network in networks):
        messages.append(
            checks.Error(
                "TRUSTED_PROXIES is everybody: whoever asks chooses the address that limits count.",
                id="tournaments.E004",
            )
        )
    if settings.PUSH_TEST_HOSTS:
        messages.append(
            checks.Warning(
                "PUSH_TEST_HOSTS lets messages to devices go to hosts of this network without TLS.",
                id="tournaments.W011",
            )
        )
    if 0 < len(settings.METRICS_TOKEN) < _TOKEN_LENGTH:
        messages.append(
            checks.Error("METRICS_TOKEN is short enough to be guessed.", id="tournaments.E005")
        )
    return messages


@checks.register
def a_library_for_parquet(**_: object) -> list[checks.CheckMessage]:
    if "parquet" not in settings.OPEN_DATA or find_spec("pyarrow") is not None:
        return []
    return [
        checks.Warning(
            "OPEN_DATA has parquet, and this machine lacks pyarrow: its workers build no open data.",
            hint="Install pyarrow on machines with workers of the queue `builtin`.",
            id="tournaments.W012",
        )
    ]


@checks.register(checks.Tags.security, deploy=True)
def watching_of_work(**_: object) -> list[checks.CheckMessage]:
    messages: list[checks.CheckMessage] = []
    if settings.TRACES_URL and not spans.are_possible():
        messages.append(
            checks.Error(
                "TRACES_URL is set, and this machine lacks OpenTelemetry: nothing is traced.",
                hint="pip install --require-hashes --no-deps -r requirements-traces.lock",
                id="tournaments.E011",
            )
        )
    if settings.CELERY_WORKER_SEND_TASK_EVENTS and not settings.REDIS_URL:
        messages.append(
            checks.Warning(
                "CELERY_EVENTS needs REDIS_URL: the embedded broker has no events.",
                id="tournaments.W013",
            )
        )
    return messages


@checks.register(checks.Tags.database, deploy=True)
def a_database_of_this_release(**_: object) -> list[checks.CheckMessage]:
    try:
        names = health.migrations_of_a_later_release()
    except Error:
        return []  # a database that is not there has nothing to tell
    if not names:
        return []
    text = f"The database is of a later release than this code: it has {', '.join(names)}."
    if any(map(health.is_contraction, names)):
        hint = "This code cannot work with it. Deploy that release again, or restore a backup."
        return [checks.Error(text, hint=hint, id="tournaments.E010")]
    hint = "This code works with it for the time of an upgrade. Deploy that release."
    return [checks.Warning(text, hint=hint, id="tournaments.W010")]


@checks.register(checks.Tags.database, deploy=True)
def a_private_way_to_the_database(**_: object) -> list[checks.CheckMessage]:
    settings_of_database = connection.settings_dict
    hosts = [host for host in settings_of_database["HOST"].split(",") if not _is_local(host)]
    is_decided = "sslmode" in settings_of_database.get("OPTIONS", {})
    if connection.vendor != "postgresql" or is_decided or not hosts:
        return []
    return [
        checks.Warning(
            f"DATABASE_URL does not say whether the way to {', '.join(hosts)} is encrypted.",
            hint="Add ?sslmode=verify-full&sslrootcert=FILE, or ?sslmode=disable on a network of your own.",
            id="tournaments.W009",
        )
    ]


def _is_local(host: str) -> bool:
    """Return whether the host of a database is this machine: a socket, or a loopback address."""
    if not host or host.startswith("/") or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@checks.register(checks.Tags.database, deploy=True)
def hosts_that_share(**_: object) -> list[checks.CheckMessage]:
    messages: list[checks.CheckMessage] = []
    if settings.REDIS_URL and connection.vendor == "sqlite":
        messages.append(
            checks.Warning(
                "Redis is for several hosts, and SQLite is a file of one.",
                hint="DATABASE_URL takes a PostgreSQL.",
                id="tournaments.W006",
            )
        )
    if not settings.REDIS_URL and connection.vendor == "postgresql":
        messages.append(
            checks.Warning(
                "Without REDIS_URL the queue and the bus are files: workers of other hosts hear nothing.",
                id="tournaments.W007",
            )
        )
    policy = _eviction_policy() if settings.REDIS_URL else None
    if policy not in {None, "noeviction"}:
        messages.append(
            checks.Warning(
                f"Redis drops what it likes when its memory is full (maxmemory-policy {policy}).",
                hint="The broker's messages want noeviction.",
                id="tournaments.W008",
            )
        )
    return messages


def _eviction_policy() -> str | None:
    # Hidden, as in `live`: a start without Redis does not import its client.
    from tournaments import redis_bus

    return redis_bus.eviction_policy(settings.REDIS_URL)
