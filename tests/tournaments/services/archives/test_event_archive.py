"""Archives of events: a true one verifies, and every kind of tampering is named with its place."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import shared_rows
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.services.results.scripted import play_rounds
from tournaments.models import Event, Game, LedgerEntry, Match, Player, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.queries.archives.archive_file import MEMBER
from tournaments.services.arbiter import corrections
from tournaments.services.events import entries
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle

EnterAll = Callable[..., None]
Tamper = Callable[[dict[str, Any]], object]


def _played(ana: User, six: list[Player]) -> Event:
    """A Swiss of five bots, whose games were played by the rules, with a bye and a correction."""
    event = event_of(ana, rounds_total=3)
    enter(event, *six[:5])
    entries.request_bye(event_id=event.pk, player=six[0], actor=ana, round_number=2, kind="half")
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(3):
        for match in Match.objects.filter(state=Match.State.QUEUED):
            matches.play_match(match.pk)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    game = Game.objects.filter(pairing__event=event, pairing__round__number=1).earliest("pk")
    after = "draw" if game.result != "draw" else "first"
    corrections.correct(game_id=game.pk, actor=ana, result=after, reason="both said so")
    return event


rows_of_file = shared_rows.of_bots([f"Bot {n}" for n in range(1, 7)], _played)
ana = shared_rows.part("ana")
six = shared_rows.part("entrants")
played = shared_rows.part("event")


def _differences(data: bytes) -> dict[str, list[str]]:
    checks = verification.verify(archive_file.unpacked(data))
    return {c.name: [d.place for d in c.differences] for c in checks if c.differences}


def _tampered(data: bytes, tamper: Tamper) -> bytes:
    content = json.loads(zipfile.ZipFile(io.BytesIO(data)).read(MEMBER))
    tamper(content)
    return _zipped(json.dumps(content).encode())


def _zipped(text: bytes, name: str = MEMBER) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr(name, text)
    return file.getvalue()


def _set(*path: str | int, to: object) -> Tamper:
    def change(content: dict[str, Any]) -> None:
        holder: Any = content
        for step in path[:-1]:
            holder = holder[step]
        assert holder[path[-1]] != to
        holder[path[-1]] = to

    return change


def _swapped_sides(content: dict[str, Any]) -> None:
    board = content["rounds"][1]["boards"][0]
    board["first"], board["second"] = board["second"], board["first"]


def _without_ply(content: dict[str, Any]) -> None:
    del content["games"][0]["plies"][-1]


def _other_result(content: dict[str, Any]) -> None:
    game = content["games"][-1]
    game["result"] = "draw" if game["result"] != "draw" else "first"


@pytest.mark.long
@pytest.mark.engine
def test_the_archive_of_a_played_event_verifies(
    played: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    data = event_archive.of_event(played)
    assert data == event_archive.of_event(played)
    with django_assert_num_queries(0):
        checks = verification.verify(archive_file.unpacked(data))
    assert {c.name: list(c.differences) for c in checks if c.differences} == {}
    counts = {check.name: check.count for check in checks}
    assert counts["ratings"] == LedgerEntry.objects.filter(game__pairing__event=played).count() > 0
    assert (counts["pairings"], counts["corrections"], counts["standings"]) == (3, 1, 5)
    file = tmp_path / "event.zip"
    file.write_bytes(data)
    call_command("verify", str(file))
    assert "pairings: 3, as computed" in capsys.readouterr().out
    assert played.seed_secret not in zipfile.ZipFile(io.BytesIO(data)).read(MEMBER).decode()


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.django_db
def test_every_kind_of_tampering_is_named(
    played: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = event_archive.of_event(played)
    cases: list[tuple[Tamper, str, str]] = [
        (_swapped_sides, "pairings", "round 2, board 1"),
        (_set("rounds", 0, "setup_seed", to="0" * 64), "seeds and set-ups", "round 1, seed"),
        (_set("rounds", 2, "setup", to="ring=BBBBBBBB"), "seeds and set-ups", "round 3, set-up"),
        (_set("games", 0, "plies", 0, to="Z9-Z9"), "games", "plies"),
        (_without_ply, "games", "ending"),
        (_other_result, "games", "result"),
        (_set("games", 1, "setup", to="ring=BBBBBBBB"), "games", "set-up"),
        (_set("standings", 0, "points_halves", to=99), "standings", "half points"),
        (_set("standings", 1, "rank", to=5), "standings", "rank"),
        (_set("standings", 0, "tie_breaks", 0, to="77"), "standings", "tie-breaks"),
        (_set("ledger", 0, "delta_centielo", to=12345), "ratings", "change"),
        (_set("ledger", 0, "digest", to="f" * 64), "ratings", "digest"),
        (_set("ledger", 0, "after_centielo", to=1), "ratings", "rating after"),
    ]
    for tamper, check, place in cases:
        named = _differences(_tampered(data, tamper))
        assert any(place in each for each in named.get(check, [])), (check, place, named)
    # A result changed in the games alone contradicts the data from which later rounds were paired.
    named = _differences(_tampered(data, _earlier_result))
    assert any("round 2, input, player" in each for each in named["pairing inputs"])
    assert "ratings" in named
    file = tmp_path / "event.zip"
    file.write_bytes(_tampered(data, _swapped_sides))
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(file))
    assert ended.value.code == 1
    assert "round 2, board 1: computed " in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.parametrize(
    ("report", "problem"),
    [
        ("012 none", {}),
        ("", {}),
        ("", {"round_number": "x", "rounds_total": [], "contestants": 7}),
        ("", {"round_number": 1, "rounds_total": 1, "contestants": [], "odd_tpn_is_first": 1}),
    ],
)
def test_an_input_that_cannot_be_used_is_a_difference(
    played: Event, report: str, problem: dict[str, Any]
) -> None:
    def change(content: dict[str, Any]) -> None:
        content["rounds"][0] |= {"report": report, "problem": problem}

    named = _differences(_tampered(event_archive.of_event(played), change))
    assert any(place.startswith("round 1, ") for place in named["pairings"])


def _earlier_result(content: dict[str, Any]) -> None:
    game = next(g for g in content["games"] if g["round"] == 1 and not g["corrections"])
    game["result"] = "second" if game["result"] == "first" else "first"


@pytest.mark.long
@pytest.mark.parametrize(
    ("format_", "options"),
    [
        ("round-robin", {}),
        ("swiss", {"rounds_total": 3}),
        ("knockout", {}),
        ("double-knockout", {}),
        ("groups-knockout", {"groups": 2, "qualifiers": 1}),
        ("league", {"groups": 2, "promotion_places": 1, "seasons": 2}),
    ],
)
@pytest.mark.part(0.4)
def test_every_format_is_computed_again(
    six: list[Player], ana: User, format_: str, options: dict[str, int]
) -> None:
    event = event_of(ana, format=format_, **options)
    enter(event, *six)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 2)
    entries.withdraw(event_id=event.pk, player=six[2], actor=ana)
    play_rounds(event, 20)
    named = _differences(event_archive.of_event(event))
    # The script gives results without plies. All other data are as the site made them.
    assert set(named) <= {"games"}
    assert all(place.endswith("ending") for place in named.get("games", []))


def test_the_archive_is_a_download(six: list[Player], ana: User, client: Client) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *six)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    answer = client.get(f"/events/{event.slug}/archive.zip")
    assert answer["Content-Type"] == "application/zip"
    assert archive_file.unpacked(answer.content).rounds == ()
    assert _differences(answer.content) == {}


def _minimal() -> dict[str, Any]:
    words = ("name", "slug", "url", "state", "seed_commitment", "tie_breaks")
    ones = (
        "cycles",
        "groups",
        "promotion_places",
        "qualifiers",
        "seasons",
        "rounds_total",
        "games_per_pairing",
    )
    event: dict[str, Any] = {
        **dict.fromkeys(words, ""),
        **dict.fromkeys(ones, 1),
        "format": "dutch",
        "ruleset": "morelli(size=5)",
        "seed": 0,
        "win_halves": 2,
        "draw_halves": 1,
        "loss_halves": 0,
        "bye_halves": 2,
        "created_at": "2026-11-22T10:00:00+00:00",
        "started_at": None,
    }
    lists: dict[str, Any] = {
        name: [] for name in ("entries", "rounds", "games", "standings", "ledger")
    }
    return {"schema": archive_file.SCHEMA, "event": event, **lists, "prizes": None}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schema": "other/1"}, "schema"),
        ({"event": []}, "archive.json, event: not an object"),
        ({"entries": {}}, "entries: not a list"),
        ({"entries": [{"tpn": True}]}, "entries 1, tpn: not a whole number"),
        ({"games": [7]}, "games 1: not an object"),
        ({"standings": [{"rank": 10**30}]}, "standings 1, rank: a number beyond all bounds"),
    ],
)
def test_what_is_wrong_with_an_archive_is_said_with_its_place(
    change: dict[str, Any], place: str
) -> None:
    data = _zipped(json.dumps({**_minimal(), **change}).encode())
    with pytest.raises(ArchiveError, match=place):
        archive_file.unpacked(data)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "arena"}, "event, format"),
        ({"ruleset": "chess(size=8)"}, "event, ruleset"),
        ({"tie_breaks": "XX"}, "event: no standings follow"),
        ({"groups": 0}, "event, groups"),
    ],
)
def test_an_event_that_cannot_be_is_refused(change: dict[str, Any], place: str) -> None:
    content = _minimal()
    content["event"] |= change
    with pytest.raises(ArchiveError, match=place):
        verification.verify(archive_file.unpacked(_zipped(json.dumps(content).encode())))


def test_a_file_that_unpacks_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_file, "MAX_JSON_BYTES", 1000)
    with pytest.raises(ArchiveError, match="larger than 1000 bytes"):
        archive_file.unpacked(_zipped(b" " * 100_000))


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04", _zipped(b"{}", "other.json"), _zipped(b"["), _zipped(b"[" * 200_000)],
)
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(ArchiveError):
        archive_file.unpacked(data)


@given(st.data())
def test_any_flaw_of_the_file_is_an_error_with_a_name(data: st.DataObject) -> None:
    whole = bytearray(_zipped(json.dumps(_minimal()).encode()))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ArchiveError):  # every other exception fails the test
        verification.verify(archive_file.unpacked(bytes(whole)))


def test_a_file_that_is_not_there_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(tmp_path / "none.zip"))
    assert ended.value.code == 2
    assert "none.zip: file: No such file" in capsys.readouterr().err
