"""Bots by the API: uploads, checks, versions and their events, games and SPRT tests."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import wsgi_pool
from tests.tournaments import uploads
from tests.tournaments.api import bot_world
from tournaments.models import Bot, Game, Pool, Program, Rating, Scope
from tournaments.services import sprt_tests
from tournaments.services.ratings import pools

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.tournaments.api.conftest import Program as Client
    from tournaments.models import Player, User

FILE = "application/octet-stream"


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def ci(program_of: Callable[..., Client], ana: User) -> Client:
    """What a build has: it may read, and upload."""
    return program_of(ana, "read", Scope.BOTS_UPLOAD.value)


@pytest.fixture
def bot(ana: User) -> Bot:
    return bot_world.version(ana)


def _push(ci: Client, path: str, data: bytes = uploads.GOOD, key: str = "") -> Any:
    headers = {"Content-Type": FILE} | ({"Idempotency-Key": key} if key else {})
    return ci("POST", path, None, data, **headers)


def _refusal(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def test_a_file_is_uploaded_as_the_body_of_a_request(ci: Client) -> None:
    response = _push(ci, "/bots/lines?name=Nilo&filename=main.py&families=morlox,morelli")
    version = response.json()
    assert response.status_code == 201, version
    assert response["Location"] == f"/api/v1/bots/versions/{version['id']}"
    assert (version["player"]["name"], version["state"]) == ("Nilo 1", "checking")
    assert version["families"] == ["morelli", "morlox"]
    assert version["queue"] == {"position": 1, "waiting": 1, "running": 0}
    assert bytes(Program.objects.get().upload) == uploads.GOOD
    assert ci("GET", f"/bots/versions/{version['id']}/program").content == uploads.GOOD
    lines = ci("GET", "/bots/lines").json()["items"]
    assert [(line["name"], len(line["versions"])) for line in lines] == [("Nilo", 1)]


def test_a_file_is_uploaded_by_a_form(ci: Client, bot: Bot) -> None:
    form = {
        "file": SimpleUploadedFile("main.py", uploads.SILENT),
        "families": ["morlox", "perfect"],
        "takes_over": "false",
        "note": "Quiet",
    }
    response = ci(
        "POST",
        f"/bots/lines/{bot.line_id}/versions",
        raw=encode_multipart(BOUNDARY, form),
        **{"Content-Type": MULTIPART_CONTENT},
    )
    version = response.json()
    assert response.status_code == 201, version
    assert (version["version"], version["note"], version["takes_over"]) == (3, "Quiet", False)
    assert version["families"] == ["morlox", "perfect"]


def test_without_families_a_version_plays_what_the_one_before_plays(ci: Client, bot: Bot) -> None:
    version = _push(ci, f"/bots/lines/{bot.line_id}/versions?filename=main.py").json()
    assert version["families"] == bot.families


def test_an_upload_with_one_key_is_one_version(ci: Client, bot: Bot) -> None:
    path = f"/bots/lines/{bot.line_id}/versions?filename=main.py"
    answers = [_push(ci, path, key="build-7") for _ in range(5)]
    assert [each.status_code for each in answers] == [201] * 5
    assert len({each.json()["id"] for each in answers}) == 1
    other = _push(ci, path, uploads.SILENT, key="build-7")
    assert _refusal(other) == (422, "key-used")
    assert Bot.objects.of_authors().count() == 3


@pytest.mark.parametrize(
    ("data", "query", "kind", "status", "code"),
    [
        (b"x" * 5_000_001, "filename=main.py", FILE, 413, "too-large"),
        (b"x", "filename=main.zip", FILE, 422, "program-wrong-content"),
        (b"x", "filename=main.rb", FILE, 422, "program-unknown-kind"),
        (b"x", "", FILE, 422, "invalid"),
        (b"x", "filename=main.py&families=chess", FILE, 422, "families-bad"),
        (b"x", "filename=main.py&takes_over=perhaps", FILE, 422, "invalid"),
        (b"{}", "filename=main.py", "application/json", 415, "type-refused"),
        (b"x", "filename=main.py", "multipart/form-data", 400, "malformed"),
        (b"--x--\r\n", "filename=main.py", "multipart/form-data; boundary=x", 422, "invalid"),
    ],
)
def test_an_upload_that_cannot_be_is_refused_by_name(
    ci: Client, bot: Bot, data: bytes, query: str, kind: str, status: int, code: str
) -> None:
    path = f"/bots/lines/{bot.line_id}/versions?{query}"
    response = ci("POST", path, raw=data, **{"Content-Type": kind})
    assert _refusal(response) == (status, code), response.content
    assert Bot.objects.of_authors().count() == 2


def test_a_nul_in_a_form_is_refused(ci: Client, bot: Bot) -> None:
    form = {"file": SimpleUploadedFile("main.py", b"x"), "note": "a\x00b"}
    response = ci(
        "POST",
        f"/bots/lines/{bot.line_id}/versions",
        raw=encode_multipart(BOUNDARY, form),
        **{"Content-Type": MULTIPART_CONTENT},
    )
    assert _refusal(response) == (400, "malformed")


def test_uploads_by_programs_are_large_where_those_of_pages_are() -> None:
    def is_upload(path: str) -> bool:
        length = str(wsgi_pool.MAX_BODY_BYTES + 1).encode()
        scope = {"method": "POST", "path": path, "headers": [(b"content-length", length)]}
        return wsgi_pool._is_upload(scope)

    assert is_upload("/api/v1/bots/lines")
    assert is_upload("/api/v1/bots/lines/3/versions")
    assert is_upload("/bots/new/")
    assert not is_upload("/api/v1/challenges")


def test_the_limits_of_uploads_are_a_person_s_whichever_way_they_come(
    ci: Client, bot: Bot, with_limits: None
) -> None:
    path = f"/bots/lines/{bot.line_id}/versions?filename=main.py"
    codes = [
        _refusal(each) for each in [_push(ci, path) for _ in range(4)] if each.status_code != 201
    ]
    assert codes == [(422, "too-many-checks")]


def test_the_place_in_the_queue_of_checks_counts_who_came_before(
    ci: Client, ana: User, ben: User
) -> None:
    earlier, own = uploads.line(ben, "Mono"), uploads.line(ana)
    now = timezone.now()
    running = uploads.line(ben, "Otro")
    Bot.objects.filter(pk=running.pk).update(check_lease_until=now + timedelta(minutes=1))
    Bot.objects.filter(pk=earlier.pk).update(created_at=now - timedelta(hours=1))
    queue = ci("GET", f"/bots/versions/{own.pk}").json()["queue"]
    assert queue == {"position": 2, "waiting": 2, "running": 1}


def test_the_reason_of_a_refusal_has_its_particulars(ci: Client, ana: User) -> None:
    bot = uploads.line(ana)
    Bot.objects.filter(pk=bot.pk).update(
        state=Bot.State.REFUSED,
        takes_over=False,
        state_code="program-bad-python",
        state_reason="line %(line)s: %(problem)s",
        state_parts={"line": "7", "problem": "bad syntax"},
        check_log="what it said",
    )
    version = ci("GET", f"/bots/versions/{bot.pk}").json()
    assert (version["queue"], version["check_log"]) == (None, "what it said")
    assert version["reason"]["code"] == "program-bad-python"
    assert "7" in version["reason"]["particulars"]


def test_faults_that_count_are_told(ci: Client, bot: Bot, bots: list[Player]) -> None:
    for ending in ("crash", "time"):
        uploads.lost(bot.player, bots[0], ending)
    version = ci("GET", f"/bots/versions/{bot.pk}").json()
    assert version["casual"] == {"games": 2, "failed": 2, "failed_in_a_row": 2}
    assert version["rated"] == {"games": 0, "failed": 0, "failed_in_a_row": 0}


def test_versions_are_activated_and_retired(ci: Client, bot: Bot) -> None:
    first = Bot.objects.get(line=bot.line, version=1)
    assert ci("POST", f"/bots/versions/{first.pk}/activate", {}).json()["is_active"]
    assert not ci("GET", f"/bots/versions/{bot.pk}").json()["is_active"]
    assert ci("POST", f"/bots/versions/{bot.pk}/retire").json()["state"] == "retired"
    assert _refusal(ci("POST", f"/bots/versions/{bot.pk}/retire")) == (409, "version-not-ready")
    assert _refusal(ci("POST", f"/bots/versions/{bot.pk}/recheck")) == (
        409,
        "version-not-suspended",
    )


def test_a_version_enters_an_event_and_leaves_it(ci: Client, ana: User, bot: Bot) -> None:
    ladder = bot_world.event(ana, "Escalera")
    path = f"/bots/versions/{bot.pk}"
    offered = ci("GET", f"{path}/events").json()["items"]
    assert [(row["event"], row["is_entered"]) for row in offered] == [(ladder.slug, False)]
    assert ci("POST", f"{path}/events", {"event": ladder.slug}).json()["is_entered"]
    assert ci("GET", path).json()["events"] == [ladder.slug]
    standing = ci("GET", f"{path}/standing").json()
    assert [(row["event"], row["next"]) for row in standing["events"]] == [(ladder.slug, None)]
    assert standing["events"][0]["waiting_since"]
    assert ci("DELETE", f"{path}/events/{ladder.slug}").status_code == 204
    assert ci("GET", path).json()["events"] == []


def test_the_standing_has_the_rating_with_its_interval(
    ci: Client, bot: Bot, bots: list[Player]
) -> None:
    pool = pools.pool_of("morlox(size=5)", 1_000, 0, Pool.Kind.BOTS)
    for player, centielo in ((bot.player, 1600_00), (bots[0], 1500_00)):
        Rating.objects.create(
            pool=pool, player=player, centielo=centielo, peak_centielo=centielo, games=30
        )
    [row] = ci("GET", f"/bots/versions/{bot.pk}/standing").json()["pools"]
    assert (row["rating_elo"], row["rank"], row["players"]) == (1600.0, 1, 2)


@pytest.fixture
def played(bot: Bot, bots: list[Player]) -> dict[str, Game]:
    """Games of the version, by how they ended."""
    return {
        "crash": uploads.lost(bot.player, bots[0], "crash"),
        "time": uploads.lost(bot.player, bots[1], "time"),
        "lost": uploads.lost(bot.player, bots[1], "rules"),
        "won": uploads.lost(bots[2], bot.player, "rules"),
        "drawn": uploads.lost(bot.player, bots[3], "rules", result="draw"),
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["drawn", "won", "lost", "time", "crash"]),
        ("result=lost", ["lost", "time", "crash"]),
        ("result=won", ["won"]),
        ("result=drawn", ["drawn"]),
        ("result=void", []),
        ("result=lost&ending=time", ["time"]),
        ("ending=crash", ["crash"]),
        ("has_failed=true", ["time", "crash"]),
        ("opponent=bot+2", ["lost", "time"]),
        ("family=morelli", []),
        ("since=2999-01-01", []),
        ("until=2999-01-01&result=won", ["won"]),
    ],
)
def test_games_of_a_version_are_searched(
    ci: Client, bot: Bot, played: dict[str, Game], query: str, names: list[str]
) -> None:
    rows = ci("GET", f"/bots/versions/{bot.pk}/games?{query}").json()["items"]
    assert [row["id"] for row in rows] == [played[name].pk for name in names]


def test_games_come_page_by_page_and_as_lines(
    ci: Client, bot: Bot, played: dict[str, Game]
) -> None:
    path = f"/bots/versions/{bot.pk}/games?limit=2"
    page = ci("GET", path).json()
    ids = [row["id"] for row in page["items"]]
    while page["next"]:
        page = ci("GET", f"{path}&cursor={page['next']}").json()
        ids += [row["id"] for row in page["items"]]
    assert ids == sorted((game.pk for game in played.values()), reverse=True)
    lines = b"".join(ci("GET", path, Accept="application/x-ndjson").streaming_content)
    assert len(lines.splitlines()) == len(played)


def test_failures_are_to_be_looked_at_first_then_losses_to_the_weakest(
    ci: Client, bot: Bot, bots: list[Player]
) -> None:
    pool = pools.pool_of("morlox(size=5)", 1_000, 0, Pool.Kind.BOTS)
    for player, centielo in ((bots[0], 1800_00), (bots[1], 1200_00)):
        Rating.objects.create(
            pool=pool, player=player, centielo=centielo, peak_centielo=centielo, games=30
        )
    strong = uploads.lost(bot.player, bots[0], "rules", pool=pool)
    weak = uploads.lost(bot.player, bots[1], "rules", pool=pool)
    crash = uploads.lost(bot.player, bots[0], "crash", pool=pool)
    looks = ci("GET", f"/bots/versions/{bot.pk}/first-looks").json()["looks"]
    assert {look["kind"]: [game["id"] for game in look["games"]] for look in looks} == {
        "crash": [crash.pk],
        "weakest": [weak.pk, strong.pk],
    }


def test_a_transcript_is_for_the_author_of_the_version(
    ci: Client, bot: Bot, bots: list[Player], ben: User, program_of: Callable[..., Client]
) -> None:
    game = bot_world.game(bot)
    path = f"/bots/versions/{bot.pk}/games/{game.pk}/transcript"
    [turn] = ci("GET", path).json()["turns"]
    assert [(line["channel"], line["text"]) for line in turn["lines"]] == [
        ("heard", "ugi"),
        ("said", "ugiok"),
        ("stderr", "thinking"),
    ]
    assert program_of(ben)("GET", path).status_code == 404
    assert ci("GET", f"{path}?attempt=2").status_code == 404
    other = uploads.lost(bots[0], bots[1])
    missing = f"/bots/versions/{bot.pk}/games/{other.pk}/transcript"
    assert ci("GET", missing).status_code == 404
    text = b"".join(ci("GET", f"/bots/versions/{bot.pk}/transcripts").streaming_content)
    assert b"thinking" in text


def test_an_sprt_test_is_started_read_and_stopped(ci: Client, bot: Bot, bots: list[Player]) -> None:
    path = f"/bots/versions/{bot.pk}/sprt"
    response = ci("POST", path, {"ruleset": "morlox(size=5)", "elo1": 30})
    row = response.json()
    assert response.status_code == 201, row
    assert (row["candidate"]["name"], row["base"]["name"]) == ("Nilo 2", "Nilo 1")
    assert (row["state"], row["elo1"], row["pairs"]) == ("running", 30.0, [0] * 5)
    assert ci("GET", f"/sprt?version={bot.pk}&state=running").json()["items"][0]["id"] == row["id"]
    assert ci("GET", f"/sprt/{row['id']}/trace").json()["items"] == []
    assert ci("POST", f"/sprt/{row['id']}/stop").json()["state"] == "stopped"
    body = {"ruleset": "morlox(size=5)", "base": bots[0].bot.pk}
    assert ci("POST", path, body).json()["base"]["name"] == bots[0].name
    assert _refusal(ci("POST", path, {**body, "base": 999_999})) == (422, "trial-bots")


def test_two_versions_are_compared(
    ci: Client, bot: Bot, bots: list[Player], program_of: Callable[..., Client], ben: User
) -> None:
    before = Bot.objects.get(line=bot.line, version=1)
    for _ in range(3):
        uploads.lost(before.player, bot.player, "rules")
    uploads.lost(bot.player, bots[0], "rules")
    uploads.lost(bots[0], before.player, "rules")
    path = f"/bots/versions/{bot.pk}/compare/{before.pk}"
    both = ci("GET", path).json()
    assert both["direct"] == {"games": 3, "wins": 3, "draws": 0, "losses": 0}
    assert both["difference"]["superiority"] > 0.5
    [row] = both["opponents"]
    assert (row["one"]["losses"], row["other"]["wins"]) == (1, 1)
    assert program_of(ben)("GET", path).status_code == 404


@pytest.mark.parametrize(
    "path", ["/bots", "/bots/lines", "/sprt", "/bots/versions/{}/games", "/bots/versions/{}"]
)
def test_what_is_asked_of_the_database_does_not_grow_with_the_rows(
    ci: Client, ana: User, bot: Bot, bots: list[Player], path: str
) -> None:
    counts = []
    for number in range(3):
        more = bot_world.version(ana, f"More {number}")
        bot_world.game(bot)
        if path == "/sprt":
            sprt_tests.stop(sprt_test_id=bot_world.sprt_test(ana, more), actor=ana)
        ci("GET", path.format(bot.pk))
        with CaptureQueriesContext(connection) as queries:
            assert ci("GET", path.format(bot.pk)).status_code == 200
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def test_bots_that_everybody_sees_are_listed(anybody: Client, bot: Bot, bots: list[Player]) -> None:
    rows = anybody("GET", "/bots?family=morlox").json()["items"]
    kinds = {row["player"]["name"]: row["kind"] for row in rows}
    assert kinds == {"Nilo 2": "python", **{each.name: "built-in" for each in bots}}
    assert {row["author"]["name"] for row in rows if row["author"]} == {"Ana"}
    assert bot.owner is not None
    own = anybody("GET", f"/bots?author={bot.owner.player.pk}&only_active=true").json()["items"]
    assert [row["id"] for row in own] == [bot.pk]
