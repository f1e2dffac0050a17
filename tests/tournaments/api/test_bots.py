"""Bots by the API: uploads, checks, versions and their events, games and SPRT tests."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from config import wsgi_pool
from tests.tournaments import uploads
from tests.tournaments.api import bot_world
from tests.tournaments.api.conftest import Program as Client
from tournaments import database_time
from tournaments.models import Bot, Game, Player, Pool, Program, Rating, User
from tournaments.services.events import entries
from tournaments.services.matches import leases
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import lifecycle

FILE = "application/octet-stream"


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HOME", tmp_path)


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
    assert version["options"] == []
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
        (b"x" * ((8 << 20) + 1), "filename=main.wasm", FILE, 413, "too-large"),
        (b"x" * 5_000_001, "filename=main.py", FILE, 422, "program-upload-too-large"),
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
    now = database_time.now()
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
    pool = pool_assignment.pool_of("morlox(size=5)", 1_000, 0, Pool.Kind.BOTS)
    for player, centielo in ((bot.player, 1600_00), (bots[0], 1500_00)):
        Rating.objects.create(
            pool=pool, player=player, centielo=centielo, peak_centielo=centielo, games=30
        )
    [row] = ci("GET", f"/bots/versions/{bot.pk}/standing").json()["pools"]
    assert (row["rating_elo"], row["rank"], row["players"]) == (1600.0, 1, 2)


def test_bots_that_everybody_sees_are_listed(anybody: Client, bot: Bot, bots: list[Player]) -> None:
    rows = anybody("GET", "/bots?family=morlox").json()["items"]
    kinds = {row["player"]["name"]: row["kind"] for row in rows}
    assert kinds == {"Nilo 2": "python", **{each.name: "built-in" for each in bots}}
    assert {row["author"]["name"] for row in rows if row["author"]} == {"Ana"}
    assert bot.owner is not None
    own = anybody("GET", f"/bots?author={bot.owner.player.pk}&only_active=true").json()["items"]
    assert [row["id"] for row in own] == [bot.pk]


def _part(head: bytes, body: bytes = b"x") -> bytes:
    return b"--b\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + body + b"\r\n"


@pytest.mark.parametrize(
    "body",
    [
        b"".join(_part(b'name="f%d"' % n) for n in range(2_000)) + b"--b--\r\n",
        b"".join(_part(b'name="f"; filename="%d.py"' % n) for n in range(300)) + b"--b--\r\n",
        _part(b'name="file"; filename="\xff\xfe.py"') + b"--b--\r\n",
        _part(b"name*=utf-8''%ed%a0%80; filename=\"a.py\"") + b"--b--\r\n",
        _part(b'name="file"; filename="../../main.py"') + b"--b--\r\n",
        _part(b'name="note"', b"n" * 3_000_000) + b"--b--\r\n",
        _part(b'name="file"\r\nContent-Transfer-Encoding: base64', b"!!") + b"--b--\r\n",
        b"--b",
        b"",
    ],
)
def test_no_form_breaks_an_upload(ci: Client, bot: Bot, body: bytes) -> None:
    kind = "multipart/form-data; boundary=b"
    path = f"/bots/lines/{bot.line_id}/versions"
    response = ci("POST", path, raw=body, **{"Content-Type": kind})
    assert 201 <= response.status_code < 500, response.content
    assert response["Content-Type"].startswith("application/")


def test_the_standing_names_the_next_game_and_its_opponent(
    ci: Client, ana: User, bot: Bot, bots: list[Player]
) -> None:
    ladder = bot_world.event(ana, "Escalera")
    for player in (bot.player, bots[0]):
        entries.enter(event_id=ladder.pk, player=player, actor=ana)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    lifecycle.advance_event(ladder.pk)
    [row] = ci("GET", f"/bots/versions/{bot.pk}/standing").json()["events"]
    assert row["next"]["opponent"]["name"] == bots[0].name
    assert not row["next"]["is_playing"]
    assert row["waiting_since"]
    match = Game.objects.get(pk=row["next"]["game"]).match
    assert match is not None
    assert leases.claim(match.pk) is not None
    [row] = ci("GET", f"/bots/versions/{bot.pk}/standing").json()["events"]
    assert row["next"]["is_playing"]
    assert row["waiting_since"] is None
