"""Rating lists from their addresses: downloaded from a server of this machine, which the guard allows here alone."""

from __future__ import annotations

import io
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from tests.tournaments import frozen_clock
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.over_board import event_of
from tests.tournaments.pages import member, text_of
from tests.tournaments.services.over_board.test_rating_lists import COMBINED, TABLE
from tournaments import public_hosts, tasks
from tournaments.errors import RefusedError
from tournaments.models import RatedPlayer, RatingList, RatingSource, User
from tournaments.queries.events.player_lists import ListedPlayer, rating_files
from tournaments.services import enqueue, tick
from tournaments.services.events import downloads, listed_players, rating_lists, rating_sources
from tournaments.views.rating_lists import FIDE_ADDRESS

SMALLER = b"Name;Fide_No;Rtg_Int\nCarlsen, Magnus;1503014;2839\n"


@dataclass
class Publisher:
    """A server with one file.

    `length` is the length that it states, 0 for none. `says_end` is whether it ends the TLS connection before it closes
    that of TCP, so that a lost connection differs from an end.
    """

    address: str = ""
    content: bytes = TABLE.encode()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    says_end: bool = True
    paths: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of `localhost` with its key, in one file."""
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    options = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", "req", *options.split(), *names, "-keyout", str(file), "-out", "-"]
    text = subprocess.run(command, check=True, capture_output=True).stdout
    with file.open("ab") as stream:
        stream.write(text)
    return file


@pytest.fixture(scope="module")
def server(certificate: Path) -> Iterator[Publisher]:
    """A publisher at `localhost`, by TLS."""
    publisher = Publisher()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            publisher.paths.append(self.path)
            self.send_response(publisher.status)
            length = len(publisher.content) if publisher.length is None else publisher.length
            if length:
                self.send_header("Content-Length", str(length))
            for name, value in publisher.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(publisher.content)
            if publisher.says_end:
                with suppress(OSError):
                    self.connection.unwrap()

        def log_message(self, *_: object) -> None:
            pass

    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.socket = context.wrap_socket(http.socket, server_side=True)
        publisher.address = f"https://localhost:{http.server_port}/list.csv?all=1"
        thread = Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield publisher
        http.shutdown()
        thread.join()


@pytest.fixture
def publisher(
    server: Publisher, certificate: Path, monkeypatch: pytest.MonkeyPatch, db: None
) -> Publisher:
    """The publisher with a good list. This test may connect to this machine, and trusts its certificate."""
    monkeypatch.setattr(public_hosts, "is_public", lambda _address: True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    vars(server).update(vars(Publisher(address=server.address)))
    return server


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return frozen_clock.freeze(monkeypatch)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sources whose download workers were asked for."""
    ids: list[int] = []
    monkeypatch.setattr(enqueue, "rating_source", ids.append)
    return ids


@pytest.fixture
def administrator(ana: User) -> User:
    User.objects.filter(pk=ana.pk).update(is_superuser=True)
    return ana


def _source(publisher: Publisher) -> RatingSource:
    return rating_sources.store(name="FIDE", kind="standard", address=publisher.address)


def _work(source: RatingSource) -> RatingSource:
    """Let a worker take the source, and return its row afterwards."""
    tasks.download_rating_list(source.pk)
    source.refresh_from_db()
    return source


def test_a_list_is_downloaded_when_it_is_a_day_old(
    publisher: Publisher, clock: FrozenClock, sent: list[int]
) -> None:
    publisher.content = COMBINED.encode()
    source = _source(publisher)
    _work(source)
    assert publisher.paths == ["/list.csv?all=1"]
    assert {each.name: each.count for each in RatingList.objects.all()} == {
        "FIDE": 3,
        "FIDE rapid": 2,
        "FIDE blitz": 2,
    }
    sent.clear()
    tick.tick(clock.wait(hours=22))
    assert sent == []
    tick.tick(clock.wait(hours=2))
    assert sent == [source.pk]
    publisher.content = COMBINED.replace("2000", "2001").encode()
    _work(source)
    assert RatedPlayer.objects.get(list__name="FIDE", fide_id="101").rating_elo == 2001
    assert {each.uploaded_at for each in RatingList.objects.all()} == {clock.now}


def test_a_doubled_message_downloads_once(publisher: Publisher) -> None:
    source = _source(publisher)
    _work(source)
    _work(source)
    assert len(publisher.paths) == 1


def test_an_unchanged_file_leaves_the_players_and_renews_the_day(
    publisher: Publisher, clock: FrozenClock
) -> None:
    source = _source(publisher)
    _work(source)
    players = set(RatedPlayer.objects.values_list("pk", flat=True))
    clock.wait(days=1)
    _work(source)
    assert set(RatedPlayer.objects.values_list("pk", flat=True)) == players
    assert RatingList.objects.get().uploaded_at == clock.now
    # An upload under the name in between is replaced.
    rating_lists.replace(name="FIDE", stream=io.BytesIO(SMALLER))
    clock.wait(days=1)
    publisher.content = TABLE.encode()
    _work(source)
    assert RatingList.objects.get().count == 3


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        pytest.param({"content": b"no list"}, "rating-list-bad", id="no list"),
        pytest.param({"length": 10_000}, "rating-source-broken", id="cut"),
        pytest.param({"length": 0, "says_end": False}, "rating-source-broken", id="lost"),
        pytest.param({"content": SMALLER}, "rating-source-smaller", id="smaller"),
        pytest.param({"status": 404}, "rating-source-answer", id="missing"),
        pytest.param(
            {"status": 302, "headers": {"Location": "https://example.org/list"}},
            "rating-source-answer",
            id="redirect",
        ),
    ],
)
def test_a_failed_update_leaves_the_list_and_is_named_with_its_time(
    wrong: dict[str, object],
    code: str,
    publisher: Publisher,
    clock: FrozenClock,
    administrator: User,
) -> None:
    source = _source(publisher)
    _work(source)
    first = RatingList.objects.get().uploaded_at
    vars(publisher).update(wrong)
    clock.wait(days=1)
    _work(source)
    assert (source.failure, source.failed_at) == (code, clock.now)
    assert (RatingList.objects.get().uploaded_at, RatedPlayer.objects.count()) == (first, 3)
    client, page = member(administrator), reverse("rating-lists")
    answer = client.get(page)
    assert dict(answer.context["sources"])[source] in text_of(answer.content)
    vars(publisher).update(vars(Publisher(address=publisher.address)))
    clock.wait(hours=1)
    _work(source)
    assert (source.failure, source.failed_at) == ("", None)
    assert RatingList.objects.get().uploaded_at == clock.now


def test_a_late_download_is_a_failure(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "_MAX_S", -1)
    assert _work(_source(publisher)).failure == "rating-source-late"


def test_a_silent_host_is_late(publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "_SILENCE_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"https://localhost:{silent.getsockname()[1]}/"
        source = rating_sources.store(name="FIDE", kind="standard", address=address)
        assert _work(source).failure == "rating-source-late"


def test_a_download_that_never_ended_is_named(
    publisher: Publisher, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> str:
        raise SystemExit

    source = _source(publisher)
    with monkeypatch.context() as patch:
        patch.setattr(downloads, "fetch", die)
        with pytest.raises(SystemExit):
            _work(source)
    source.refresh_from_db()
    assert (source.failure, source.failed_at) == ("rating-source-unfinished", clock.now)
    clock.wait(hours=1)
    assert _work(source).failure == ""


def test_a_large_file_is_refused_before_it_is_stored(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(downloads, "MAX_FILE_BYTES", 10)
        assert _work(_source(publisher)).failure == "rating-list-large"
    with monkeypatch.context() as patch:
        patch.setattr(rating_files, "MAX_BYTES", 10)
        assert _work(_source(publisher)).failure == "rating-list-large"
    assert not RatingList.objects.exists()


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - refused
        ("224.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("fe80::1%1", False),
        ("fd00::1", False),
    ],
)
def test_only_addresses_of_the_public_network_are_public(address: str, is_public: bool) -> None:
    assert public_hosts.is_public(address) == is_public


def test_a_host_of_a_private_network_is_not_asked(
    server: Publisher, certificate: Path, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    server.paths.clear()
    source = _work(_source(server))
    assert (source.failure, source.detail) == (
        "rating-source-address",
        "localhost is not public",
    )
    assert server.paths == []


def test_a_host_without_a_trusted_certificate_is_refused(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    assert _work(_source(publisher)).failure == "rating-source-broken"
    assert publisher.paths == []


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/list.zip",
        "file:///etc/passwd",
        "https://",
        "https://user:word@example.org/list.zip",
        "https://example.org:port/",
        "https://example.org/a list",
        f"https://{64 * 'a'}.example.org/list.zip",
        "https://example..org/list.zip",
        "https://example.org/" + 300 * "a",
    ],
)
def test_an_address_without_https_or_a_good_host_or_with_a_password_is_refused(
    address: str, db: None
) -> None:
    with pytest.raises(RefusedError, match="rating-source-address"):
        rating_sources.store(name="FIDE", kind="standard", address=address)
    assert not RatingSource.objects.exists()


def test_nothing_is_downloaded_before_an_address_is_stored(
    publisher: Publisher, clock: FrozenClock, sent: list[int], administrator: User
) -> None:
    rating_lists.replace(name="FIDE", stream=io.BytesIO(TABLE.encode()))
    tick.tick(clock.wait(days=2))
    call_command("rating_list", "--refresh")
    page = text_of(member(administrator).get(reverse("rating-lists")).content)
    assert "No list has an address: the service downloads nothing." in page
    assert (publisher.paths, sent) == ([], [])


def test_an_administrator_takes_the_lists_of_fide_from_their_address(
    sent: list[int], administrator: User
) -> None:
    client, page = member(administrator), reverse("rating-lists")
    fide = client.get(page).context["fide"]
    assert fide["address"] == FIDE_ADDRESS
    answer = client.post(reverse("rating-source-store"), fide, follow=True)
    assert "The address was stored." in text_of(answer.content)
    assert answer.context["has_fide"]
    source = RatingSource.objects.get()
    assert (source.name, source.address, sent) == ("FIDE", FIDE_ADDRESS, [source.pk])
    answer = client.post(reverse("rating-source-store"), fide | {"address": "http://a.example"})
    assert "The address must begin with https://" in text_of(answer.content)
    client.post(reverse("rating-source-remove", args=[source.pk]))
    assert not RatingSource.objects.exists()


def test_one_button_updates_all_lists(
    publisher: Publisher, sent: list[int], administrator: User
) -> None:
    sources = [
        rating_sources.store(name=name, kind="standard", address=publisher.address)
        for name in ("FEDA", "FIDE")
    ]
    for each in sources:
        _work(each)
    sent.clear()
    publisher.content = TABLE.replace("2839", "2840").encode()
    member(administrator).post(reverse("rating-lists-update"))
    assert sorted(sent) == [each.pk for each in sources]
    for each in sources:
        _work(each)
    assert RatedPlayer.objects.filter(rating_elo=2840).count() == 2


def test_the_lists_are_updated_before_a_comparison(
    publisher: Publisher, ana: User, administrator: User
) -> None:
    event = event_of(ana, format="dutch")
    carlsen = ListedPlayer("Carlsen, Magnus", 2839, fide_id="1503014")
    listed_players.enter_all(event_id=event.pk, actor=administrator, players=[carlsen])
    source = _work(_source(publisher))
    client = member(administrator)
    address = reverse("event-entries-compare", args=[event.slug])
    assert reverse("rating-lists") in client.get(address).content.decode()
    publisher.content = TABLE.replace("2839", "2840").encode()
    rating_sources.make_due()
    _work(source)
    assert "2840" in text_of(client.get(address).content)


def test_the_command_stores_an_address_and_downloads_all_lists(
    publisher: Publisher, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("rating_list", "FEDA", "--address", publisher.address, "--kind", "rapid")
    assert not RatingList.objects.exists()
    call_command("rating_list", "--refresh")
    assert "FEDA: 3 players stored" in capsys.readouterr().out
    assert RatingList.objects.get().kind == "rapid"
    publisher.status = 500
    with pytest.raises(CommandError, match="FEDA: rating-source-answer 500"):
        call_command("rating_list", "--refresh")
    for arguments in ((), ("FEDA",), ("FEDA", "--refresh")):
        with pytest.raises(CommandError, match="Give a name with a file"):
            call_command("rating_list", *arguments)


def test_a_deleted_list_does_not_come_back(publisher: Publisher, administrator: User) -> None:
    source = _source(publisher)
    _work(source)
    rating_lists.remove(list_id=RatingList.objects.get().pk, actor=administrator)
    rating_sources.make_due()
    tasks.download_rating_list(source.pk)
    assert not RatingList.objects.exists()
