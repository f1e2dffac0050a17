"""Rating lists: read as federations publish them, replaced as a whole, and looked up on the desk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.pages import member, text_of
from tournaments.errors import RefusedError
from tournaments.models import AuditEntry, Event, RatedPlayer, RatingList, User
from tournaments.queries.events import rating_lists as queries
from tournaments.queries.events.player_lists import rating_files
from tournaments.services.events import rating_lists

MakeEvent = Callable[..., Event]
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
    rows = RatedPlayer.objects.order_by("fide_id")
    columns = ("fide_id", "name", "federation", "sex", "title", "rating_elo", "birth_year")
    assert list(rows.values_list(*columns)) == [
        ("1503014", "Carlsen, Magnus", "NOR", "m", "GM", 2839, "1990"),
        ("2212345", "Ruiz, Alba", "ESP", "w", "", None, ""),
        ("2212346", "Ruiz Sá, Alberto", "ESP", "m", "", 1850, "1990"),
    ]


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
    assert [player.name for player in queries.matches(text)] == names


@given(st.text(max_size=30))
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
    assert "3 players stored, 0 lines left out" in capsys.readouterr().out
    file.write_text("nothing")
    with pytest.raises(CommandError, match="rating-list-bad"):
        call_command("rating_list", "FIDE", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("rating_list", "FIDE", str(tmp_path / "other"))


def test_an_administrator_uploads_and_deletes_a_list(ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(is_superuser=True)
    client, address = member(ana), reverse("rating-lists")
    upload = SimpleUploadedFile("list.csv", b"no list")
    page = text_of(client.post(address, {"name": "FIDE", "file": upload}).content)
    assert "This file is no rating list." in page
    upload = SimpleUploadedFile("list.csv", TABLE.encode())
    answer = client.post(address, {"name": "FIDE", "file": upload}, follow=True)
    assert "3 players were stored. Lines left out: 0." in text_of(answer.content)
    client.post(reverse("rating-list-remove", args=[RatingList.objects.get().pk]))
    assert not RatedPlayer.objects.exists()


def test_others_have_no_page_of_lists(ana: User) -> None:
    assert member(ana).get(reverse("rating-lists")).status_code == 404


@pytest.fixture
def event(board_event: MakeEvent) -> Event:
    """An event over the board, and a rating list."""
    _store(TABLE.encode())
    return board_event()


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


def test_a_desk_without_lists_has_no_search(board_event: MakeEvent, ana: User) -> None:
    page = member(ana).get(reverse("event-entries", args=[board_event().slug])).content.decode()
    assert "rated-name" not in page
