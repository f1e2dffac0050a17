"""Rating lists: read as federations publish them, replaced as a whole, and looked up on the desk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.over_board import event_of
from tests.tournaments.pages import member, text_of
from tournaments import tasks
from tournaments.errors import RefusedError
from tournaments.forms import rating_lists as forms
from tournaments.models import (
    AuditEntry,
    Event,
    RatedPlayer,
    RatingList,
    RatingUpload,
    RatingUploadPart,
    User,
)
from tournaments.queries.events import plans
from tournaments.queries.events import rating_lists as queries
from tournaments.queries.events.player_lists import rating_files
from tournaments.services import enqueue
from tournaments.services.events import rating_lists, rating_uploads
from tournaments.services.events import settings as event_settings

HEADING = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA {ratings} B-day Flag"
)
ALL = HEADING.format(ratings="SRtng SGm SK RRtng RGm Rk BRtng BGm BK")
STANDARD = HEADING.format(ratings="SEP26 Gms K ")


def _fixed(fide_id: str, name: str, fed: str, sex: str, title: str, elo: str, middle: str) -> str:
    start = f"{fide_id:<15}{name:<61}{fed:<4}{sex:<4}{title:<5}{'':<5}{'IA,FT':<15}{'':<4}"
    return f"{start}{elo:<6}{middle}"


def _file(heading: str, width: int) -> str:
    """Return a list with these columns of games and other ratings before the birth year."""
    rows = [
        _fixed("1503014", "Carlsen, Magnus", "NOR", "M", "GM", "2839", " " * width + "1990  "),
        _fixed("2212345", "Ruiz, Alba", "ESP", "F", "", "0", " " * width + "0000  i"),
        _fixed("2212346", "Ruiz Sá, Alberto", "ESP", "M", "", "1850", " " * width + "1990  "),
    ]
    return "\r\n".join([heading, *rows, ""])


XML = """<?xml version="1.0" encoding="UTF-8"?>
<playerslist>
<player><fideid>1503014</fideid><name>Carlsen, Magnus</name><country>NOR</country><sex>M</sex>
<title>GM</title><w_title></w_title><rating>2839</rating><birthday>1990</birthday></player>
<player><fideid>2212345</fideid><name>Ruiz, Alba</name><country>ESP</country><sex>F</sex>
<title></title><rating>0</rating><rapid_rating>1700</rapid_rating><birthday></birthday></player>
<player><fideid>2212346</fideid><name>Ruiz S&#225;, Alberto</name><country>ESP</country><sex>M</sex>
<rating>1850</rating><birthday>1990</birthday></player>
</playerslist>
"""
TABLE = (
    "Name;Fed;Sex;ClubName;Birthday;Fide_No;Rtg_Int;Title;K\n"
    "Carlsen, Magnus;NOR;m;;1990-11-30;1503014;2839;GM;10\n"
    "Ruiz, Alba;ESP;w;Torre;;2212345;0;;\n"
    "Ruiz Sá, Alberto;ESP;m;;1990-01-02;2212346;1850;;20\n"
)


def _zipped(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in members:
            container.writestr(name, content)
    return file.getvalue()


FORMS = {
    "FIDE's text with three ratings": _file(ALL, 33).encode(),
    "FIDE's text with one rating": _file(STANDARD, 7).encode("cp1252"),
    "FIDE's XML": XML.encode(),
    "table": TABLE.encode(),
    "table of an older program": b"\n" + TABLE.encode("cp1252"),
    "ZIP": _zipped(("list.txt", _file(STANDARD, 7).encode())),
}


def _store(content: bytes, name: str = "FIDE") -> rating_lists.Upload:
    return rating_lists.replace(name=name, stream=io.BytesIO(content))


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
def test_every_form_of_a_list_has_these_players(content: bytes, db: None) -> None:
    upload = _store(content)
    assert (upload.rating_list.count, upload.faults) == (3, 0)
    rows = upload.rating_list.players.order_by("fide_id")
    columns = ("fide_id", "name", "federation", "sex", "title", "rating_elo", "birth_year")
    assert list(rows.values_list(*columns)) == [
        ("1503014", "Carlsen, Magnus", "NOR", "m", "GM", 2839, "1990"),
        ("2212345", "Ruiz, Alba", "ESP", "w", "", None, ""),
        ("2212346", "Ruiz Sá, Alberto", "ESP", "m", "", 1850, "1990"),
    ]


def _three(standard: str, rapid: str, blitz: str) -> tuple[str, str]:
    """Return the standard rating, and the columns after it: games, K, and the other ratings with theirs."""
    others = "".join(f"{elo:<6}{'12':<4}{'20':<3}" for elo in (rapid, blitz))
    return standard, f"{'0':<4}{'20':<3}{others}1990  "


COMBINED = "\r\n".join(
    [
        ALL,
        _fixed("101", "Ruiz, Alba", "ESP", "F", "", *_three("2000", "2100", "0")),
        _fixed("102", "Sa, Bruno", "POR", "M", "", *_three("1900", "0", "1950")),
        _fixed("103", "Dahl, Dora", "NOR", "F", "", *_three("0", "1800", "1750")),
        "",
    ]
)
COMBINED_XML = (
    "<playerslist>"
    + "".join(
        f"<player><fideid>{fide_id}</fideid><name>{name}</name><rating>{standard}</rating>"
        f"<rapid_rating>{rapid}</rapid_rating><blitz_rating>{blitz}</blitz_rating></player>"
        for fide_id, name, standard, rapid, blitz in (
            ("101", "Ruiz, Alba", "2000", "2100", "0"),
            ("102", "Sa, Bruno", "1900", "", "1950"),
            ("103", "Dahl, Dora", "", "1800", "1750"),
        )
    )
    + "</playerslist>"
)


@pytest.mark.parametrize("content", [COMBINED, COMBINED_XML], ids=["text", "XML"])
def test_the_combined_file_of_fide_makes_three_lists(content: str, db: None) -> None:
    upload = _store(content.encode())
    assert [(each.name, each.kind, each.count) for each in upload.lists] == [
        ("FIDE", "standard", 3),
        ("FIDE rapid", "rapid", 2),
        ("FIDE blitz", "blitz", 2),
    ]
    rows = RatedPlayer.objects.order_by("list__name", "fide_id")
    assert list(rows.values_list("list__name", "fide_id", "rating_elo")) == [
        ("FIDE", "101", 2000),
        ("FIDE", "102", 1900),
        ("FIDE", "103", None),
        ("FIDE blitz", "102", 1950),
        ("FIDE blitz", "103", 1750),
        ("FIDE rapid", "101", 2100),
        ("FIDE rapid", "103", 1800),
    ]
    _store(content.encode())
    assert RatedPlayer.objects.count() == 7


@pytest.mark.parametrize("kind", ["rapid", "blitz"])
def test_a_file_of_one_time_control_is_a_list_of_this_kind(kind: str, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(is_superuser=True)
    file = SimpleUploadedFile("list.txt", _file(STANDARD, 7).encode())
    data = {"name": "Quick", "kind": kind, "file": file}
    member(ana).post(reverse("rating-lists"), data)
    tasks.store_rating_upload(RatingUpload.objects.get().pk)
    assert RatingList.objects.get().kind == kind
    with pytest.raises(RefusedError, match="rating-list-kind"):
        rating_lists.replace(name="Quick", kind="bullet", stream=io.BytesIO(TABLE.encode()))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "standard"),
        ("as usual", "standard"),
        ("90 minutes for 40 moves, then 30 minutes, 30 seconds a move", "standard"),
        ("1 h", "standard"),
        ("60+0", "standard"),
        ("50 min + 10 s", "standard"),
        ("50 min + 9 s", "rapid"),
        ("25 minutes each", "rapid"),
        ("15' + 10\"", "rapid"),
        ("10 + 1", "rapid"),
        ("25分", "rapid"),
        ("10 minutes", "blitz"),
        ("3+2", "blitz"),
        ("3\u2019 + 2\u2019\u2019", "blitz"),
    ],
)
def test_the_total_time_of_sixty_moves_is_the_kind_of_an_event(text: str, kind: str) -> None:
    assert queries.kind_of_time(text) == kind


@pytest.mark.parametrize(
    ("settings", "ratings"),
    [
        ({}, {"101": 2000, "102": 1900, "103": None}),
        ({"board_time": "25 min"}, {"101": 2100, "102": 1900, "103": 1800}),
        ({"board_time": "3+2"}, {"101": 2000, "102": 1950, "103": 1750}),
        ({"rating_lists": "fide blitz; FIDE rapid"}, {"101": 2100, "102": 1950, "103": 1750}),
        ({"rating_lists": "FIDE blitz"}, {"101": 2000, "102": 1950, "103": 1750}),
    ],
    ids=["standard", "rapid", "blitz", "chosen", "one-list"],
)
def test_the_rating_is_that_of_the_first_list_with_one(
    ana: User, settings: dict[str, str], ratings: dict[str, int | None]
) -> None:
    event = event_of(ana, **settings)
    _store(COMBINED.encode())
    for fide_id, elo in ratings.items():
        (match,) = queries.matches(fide_id, queries.order_of(event))
        assert match.player.rating_elo == elo


def test_the_order_is_changed_and_the_comparison_begins_with_its_first_list(ana: User) -> None:
    event = event_of(ana, board_time="15 min")
    _store(COMBINED.encode())
    assert [each.name for each in queries.order_of(event).every] == [
        "FIDE rapid",
        "FIDE",
        "FIDE blitz",
    ]
    plan = replace(plans.plan_of(event), rating_lists="FIDE blitz")
    event_settings.change(event_id=event.pk, actor=ana, plan=plan)
    event.refresh_from_db()
    names = [each.name for each in queries.order_of(event).every]
    assert names == ["FIDE blitz", "FIDE", "FIDE rapid"]
    page = member(ana).get(reverse("event-entries-compare", args=[event.slug]))
    assert page.context["chosen"].name == "FIDE blitz"


BOMB = (
    '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    "<playerslist><player><name>&b;</name></player></playerslist>"
)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"Alba\nBruno\n", id="no heading"),
        pytest.param(BOMB.encode(), id="a document type"),
        pytest.param(BOMB.encode("utf-16"), id="a document type in UTF-16"),
        pytest.param(XML[:-30].encode(), id="XML without an end"),
        pytest.param(b"<playerslist></playerslist>", id="no player"),
        pytest.param(b"PK\x03\x04 and no more", id="a broken ZIP file"),
        pytest.param(_zipped(("a", b"x"), ("b", b"y")), id="two files"),
        pytest.param(b"Name;Elo\n" + b"x" * 100_000, id="a line without an end"),
    ],
)
def test_a_refused_list_leaves_the_earlier_players(content: bytes, db: None) -> None:
    _store(TABLE.encode())
    with pytest.raises(RefusedError, match="rating-list-bad"):
        _store(content)
    assert RatingList.objects.get().count == RatedPlayer.objects.count() == 3


def test_a_list_that_expands_beyond_the_limit_is_refused(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_files, "MAX_BYTES", 1_000)
    long = b"Name;Elo\n" + b"Alba;1800\n" * 200
    for content in (long, _zipped(("list.csv", long))):
        with pytest.raises(RefusedError, match="rating-list-large"):
            _store(content)


def test_a_later_upload_replaces_the_list_of_that_name_alone(db: None) -> None:
    _store(TABLE.encode())
    _store(TABLE.encode(), "FEDA")
    upload = _store(b"Name;Elo\nKim;1500\n;1600\nLee;x\n", "  FEDA ")
    assert (upload.rating_list.count, upload.faults) == (1, 2)
    assert list(RatingList.objects.values_list("name", "count")) == [("FEDA", 1), ("FIDE", 3)]
    assert RatedPlayer.objects.count() == 4
    assert AuditEntry.objects.filter(action="rating-list").count() == 3
    with pytest.raises(RefusedError, match="rating-list-name"):
        _store(TABLE.encode(), " ")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("carl", ["Carlsen, Magnus"]),
        ("MAGNUS carlsen", ["Carlsen, Magnus"]),
        ("carlsen x", []),
        ("magnus", []),
        ("ruiz", ["Ruiz, Alba", "Ruiz Sá, Alberto"]),
        ("ruiz, a", ["Ruiz, Alba", "Ruiz Sá, Alberto"]),
        ("ruiz sa", ["Ruiz Sá, Alberto"]),
        ("2212345", ["Ruiz, Alba"]),
        ("221234", []),
        ("ru", []),
        ("%%%", []),
        ("", []),
    ],
)
def test_a_player_is_found_by_beginnings_of_words_or_by_an_id(
    text: str, names: list[str], db: None
) -> None:
    _store(TABLE.encode())
    rows = queries.matches(text, queries.ListOrder(list(RatingList.objects.all()), []))
    assert [each.player.name for each in rows] == names


@given(st.text(max_size=30))
@example("\U0001d468")  # a capital once it is decomposed
def test_words_of_words_are_these_words(name: str) -> None:
    words = queries.words_of(name)
    assert queries.words_of(words) == words
    assert words == " ".join(words.split())


def test_the_command_stores_a_list(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.csv"
    file.write_text(TABLE)
    call_command("rating_list", "FIDE", str(file))
    assert "FIDE: 3 players stored\n0 lines left out" in capsys.readouterr().out
    file.write_text("nothing")
    with pytest.raises(CommandError, match="rating-list-bad"):
        call_command("rating_list", "FIDE", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("rating_list", "FIDE", str(tmp_path / "other"))


@pytest.fixture
def upload(ana: User, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], str]:
    """Return a function with which an administrator uploads a file. It returns the page that follows."""
    User.objects.filter(pk=ana.pk).update(is_superuser=True)
    client = member(ana)

    def do(content: bytes) -> str:
        file = SimpleUploadedFile("list.csv", content)
        form = {"name": "FIDE", "kind": "standard", "file": file}
        return text_of(client.post(reverse("rating-lists"), form, follow=True).content)

    return do


def test_a_worker_stores_the_list_of_an_upload(
    ana: User, upload: Callable[[bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_uploads, "PART_BYTES", 50)
    sent: list[int] = []
    monkeypatch.setattr(enqueue, "rating_upload", sent.append)
    assert "FIDE in progress 0 players stored." in upload(TABLE.encode())
    assert not RatingList.objects.exists(), "not within the request"
    row = RatingUpload.objects.get()
    assert row.parts.count() > 3
    assert sent == [row.pk]
    tasks.store_rating_upload(row.pk)
    tasks.store_rating_upload(row.pk)  # a doubled message
    client, address = member(ana), reverse("rating-lists")
    page = text_of(client.get(address).content)
    assert "FIDE stored 3 players stored. Lines left out: 0." in page
    assert not RatingUploadPart.objects.exists()
    assert AuditEntry.objects.get(action="rating-list").actor == ana
    client.post(reverse("rating-list-remove", args=[RatingList.objects.get().pk]))
    assert not RatedPlayer.objects.exists()


def test_a_refused_upload_is_named_and_leaves_the_list(upload: Callable[[bytes], str]) -> None:
    _store(TABLE.encode())
    upload(b"no list")
    tasks.store_rating_upload(RatingUpload.objects.get().pk)
    assert RatingUpload.objects.get().failure == "rating-list-bad"
    assert RatedPlayer.objects.count() == RatingList.objects.get().count == 3
    page = upload(TABLE.encode())
    assert "FIDE in progress" in page, "it replaces the refused one"


def test_an_upload_whose_worker_died_is_taken_again(
    upload: Callable[[bytes], str], clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(**_: object) -> None:
        raise SystemExit

    upload(TABLE.encode())
    row = RatingUpload.objects.get()
    with monkeypatch.context() as patch:
        patch.setattr(rating_lists, "replace", die)
        with pytest.raises(SystemExit):
            rating_uploads.process(row.pk)
    sent: list[int] = []
    monkeypatch.setattr(enqueue, "rating_upload", sent.append)
    rating_uploads.wake(clock.wait(minutes=50))
    assert sent == []
    rating_uploads.wake(clock.wait(minutes=20))
    assert sent == [row.pk]
    rating_uploads.process(row.pk)
    assert RatingList.objects.get().count == 3
    rating_uploads.wake(clock.wait(days=8))
    assert not RatingUpload.objects.exists()


def test_a_list_is_stored_in_parts_and_used_as_a_whole(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth = len(connection.savepoint_ids)  # of the transaction of the test
    monkeypatch.setattr(rating_lists, "_BATCH", 1)
    _store(TABLE.encode())
    looks: list[tuple[int, bool, list[str]]] = []

    def look(count: int) -> None:
        rows = queries.matches("carlsen", queries.ListOrder(list(RatingList.objects.all()), []))
        is_inside = len(connection.savepoint_ids) > depth
        looks.append((count, is_inside, [row.player.name for row in rows]))

    later = TABLE.replace("Carlsen, Magnus", "Carlsen, M.").encode()
    rating_lists.replace(name="FIDE", stream=io.BytesIO(later), progress=look)
    assert looks == [(number, False, ["Carlsen, Magnus"]) for number in (1, 2, 3)]
    look(0)
    assert looks[-1][2] == ["Carlsen, M."]
    assert (RatingList.every.count(), RatedPlayer.objects.count()) == (1, 3)


def test_players_of_a_process_that_died_are_deleted_later(db: None, clock: FrozenClock) -> None:
    def die(_count: int) -> None:
        raise SystemExit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rating_lists.Intake, "delete_unused", lambda _: None)
        with pytest.raises(SystemExit):
            rating_lists.replace(name="FIDE", stream=io.BytesIO(TABLE.encode()), progress=die)
    assert not queries.matches("carlsen", queries.ListOrder([], []))
    clock.wait(hours=3)
    _store(TABLE.encode(), "FEDA")
    assert RatedPlayer.objects.count() == 3


def test_others_have_no_page_of_lists(ana: User) -> None:
    assert member(ana).get(reverse("rating-lists")).status_code == 404


@pytest.fixture
def event(ana: User) -> Event:
    """An event over the board, and a rating list."""
    _store(TABLE.encode())
    return event_of(ana)


def test_a_chosen_player_fills_in_the_form(event: Event, ana: User) -> None:
    client, address = member(ana), reverse("event-entries", args=[event.slug])
    page = client.get(address, {"name": "carls"}).content.decode()
    carlsen = RatedPlayer.objects.get(fide_id="1503014")
    assert f"?rated={carlsen.pk}#id_name" in page
    page = client.get(address, {"rated": carlsen.pk}).content.decode()
    for value in ("Carlsen, Magnus", "2839", "NOR", "1503014", "GM", "1990"):
        assert f'value="{value}"' in page
    assert not event.entries.exists()
    assert client.get(address, {"rated": 10**17}).status_code == 200


@pytest.mark.long
def test_the_look_up_has_the_ratings_of_all_lists(event: Event, ana: User) -> None:
    _store(b"Name;Fide_No;Rtg_Int\nCarlsen, Magnus;1503014;2888\n", "Blitz")
    address = reverse("event-entries", args=[event.slug])
    page = text_of(member(ana).get(address, {"name": "carls"}).content)
    for text in ("2839", "FIDE", "2888", "Blitz"):
        assert text in page
    for player in RatedPlayer.objects.filter(fide_id="1503014"):
        page = member(ana).get(address, {"rated": player.pk}).content.decode()
        assert f'value="{player.rating_elo}"' in page


def test_the_list_while_a_name_is_typed_is_for_the_staff(
    event: Event, ana: User, ben: User
) -> None:
    address = reverse("event-rated", args=[event.slug])
    page = text_of(member(ana).get(address, {"name": "ruiz"}).content)
    assert "Ruiz, Alba" in page
    assert "Ruiz Sá, Alberto" in page
    assert member(ben).get(address, {"name": "ruiz"}).status_code == 404
    assert Client().get(address, {"name": "ruiz"}).status_code == 302


def test_a_desk_without_lists_has_no_search(ana: User) -> None:
    page = member(ana).get(reverse("event-entries", args=[event_of(ana).slug])).content.decode()
    assert "rated-name" not in page


def test_a_file_beyond_the_limit_of_the_page_is_refused_in_words(
    upload: Callable[[bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "MOST_BYTES", 10)
    assert "The file has more than 15 MB." in upload(TABLE.encode())
    assert not RatingUpload.objects.exists()
