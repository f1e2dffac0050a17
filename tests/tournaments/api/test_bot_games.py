"""Games of bots by the API: searches, first looks, comparisons, transcripts and SPRT tests."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments import uploads
from tests.tournaments.api import bot_world
from tests.tournaments.api.conftest import Program as Client
from tests.tournaments.api.conftest import program_of
from tests.tournaments.sprt_pairs import open_pairs, play_pair
from tournaments.models import Bot, Game, Player, Pool, Rating, SprtTest, User
from tournaments.services import sprt_tests
from tournaments.services.ratings import pool_assignment


def _refusal(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


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
    pool = pool_assignment.pool_of("morlox(size=5)", 1_000, 0, Pool.Kind.BOTS)
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
    ci: Client, bot: Bot, bots: list[Player], ben: User
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


@pytest.mark.long
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


@pytest.mark.long
def test_an_sprt_test_of_two_clocks_names_its_stages(ci: Client, bot: Bot) -> None:
    body = {"ruleset": "morlox(size=5)", "clock": "5+0.1", "second_clock": "60+0.6"}
    row = ci("POST", f"/bots/versions/{bot.pk}/sprt", body).json()
    assert (row["second_clock"], row["first_stage"], row["second_stage"]) == ("60+0.6", None, None)
    first = SprtTest.objects.get(pk=row["id"])
    for pair in open_pairs(first):
        play_pair(pair, bot.player, (2, 2))
    sprt_tests.advance(first.pk)
    for pair in open_pairs(first):
        play_pair(pair, bot.player, (2, 2))
    SprtTest.objects.filter(pk=first.pk).update(elo1_centielo=300_00)
    sprt_tests.advance(first.pk)
    row = ci("GET", f"/sprt/{first.pk}").json()
    assert row["state"] == "advanced"
    later = ci("GET", f"/sprt/{row['second_stage']}").json()
    assert (later["clock"], later["first_stage"]) == ("60+0.6", first.pk)
    assert ci("GET", "/sprt?family=morlox&state=advanced").json()["items"][0]["id"] == first.pk
    assert ci("GET", "/sprt?family=perfect").json()["items"] == []


def test_two_versions_are_compared(ci: Client, bot: Bot, bots: list[Player], ben: User) -> None:
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
@pytest.mark.long
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


@pytest.mark.long
def test_a_suite_is_added_read_tested_with_and_deleted(ci: Client, bot: Bot) -> None:
    new = {"name": "Early", "ruleset": "morlox(size=5)", "openings": {"plies": 2, "count": 3}}
    response = ci("POST", "/suites", new)
    row = response.json()
    assert response.status_code == 201, row
    assert (row["count"], len(row["setups"])) == (3, 3)
    assert ci("GET", f"/suites/{row['id']}").json() == row
    listed = ci("GET", f"/suites?ruleset={row['ruleset']}").json()["items"]
    assert [each["name"] for each in listed] == ["Early"]
    assert _refusal(ci("POST", "/suites", new)) == (422, "suite-name-taken")
    again = {"name": "Again", "ruleset": row["ruleset"], "starts": "\n".join(row["setups"])}
    copy = ci("POST", "/suites", again).json()
    assert copy["setups"] == row["setups"]
    path = f"/bots/versions/{bot.pk}/sprt"
    test = ci("POST", path, {"ruleset": "morlox(size=5)", "suite": row["id"]}).json()
    assert test["suite"] == row["id"]
    of_site = ci("POST", path, {"ruleset": "morlox(size=5)", "start": "openings"}).json()
    assert ci("GET", f"/suites/{of_site['suite']}").json()["author"] is None
    usual = ci("POST", path, {"ruleset": "morlox(size=5)"}).json()
    assert usual["suite"] == of_site["suite"], "where the rules have one start"
    assert _refusal(ci("DELETE", f"/suites/{row['id']}")) == (422, "suite-used")
    assert ci("DELETE", f"/suites/{copy['id']}").status_code == 204


def test_a_wrong_line_of_a_suite_is_refused_by_its_number(ci: Client) -> None:
    body = {"name": "Bad", "ruleset": "morlox(size=5)", "starts": "# mine\nrubbish"}
    response = ci("POST", "/suites", body)
    assert _refusal(response) == (422, "suite-start")
    assert response.json()["detail"] == "Line 2."
    assert _refusal(ci("POST", "/suites", {"name": "Bad", "ruleset": "x"})) == (422, "ruleset-bad")
    nothing = {"name": "Bad", "ruleset": "morlox(size=5)"}
    assert _refusal(ci("POST", "/suites", nothing)) == (422, "suite-empty")
