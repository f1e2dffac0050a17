"""The prizes of a festival on pages and paper, in the API, and in the archive."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.festival_events import finished_festival, give_prize
from tournaments.models import Event, Festival, Game, User
from tournaments.queries.archives import festival_archive
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections, festival_prizes, prize_awards
from tournaments.services.festivals import changes


@dataclass
class Rows:
    """A festival that is over, with its sections and its organiser. Two prizes, and one of section A."""

    ana: User
    festival: Festival
    a: Event
    b: Event


@pytest.fixture(scope="module")
def rows_of_file(transaction_of_file: None) -> Rows:
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    festival, (a, b) = finished_festival(ana)
    about = changes.About("Weekend", prizes_by=Festival.PrizesBy.POINTS)
    festival = changes.change(festival_id=festival.pk, actor=ana, about=about)
    give_prize(festival, 10_000)
    give_prize(festival, 4_000)
    give_prize(a, 2_000)
    return Rows(ana, festival, a, b)


def _text(client: Client, name: str, *args: str) -> str:
    return " ".join(pages.text_of(client.get(reverse(name, args=args)).content).split())


def _act(rows: Rows, action: str, **data: str) -> str:
    path = reverse("festival-prizes-act", args=[rows.festival.slug])
    answer = pages.member(rows.ana).post(path, {"action": action, **data}, follow=True)
    return " ".join(pages.text_of(answer.content).split())


def test_the_page_has_the_winners_with_their_sections_and_the_rules(
    client: Client, rows: Rows
) -> None:
    text = _text(client, "festival-prizes", rows.festival.slug)
    assert "A 0 Weekend A Overall, place 1 EUR 100.00" in text
    assert "B 0 Weekend B Overall, place 2 EUR 40.00" in text
    assert "The order among the sections is the points, then the place in the section." in text
    assert "A player whose prize in the section is at least as large wins that one" in text
    assert "Prizes of the sections Weekend A" in text


def test_a_section_names_those_who_win_in_the_festival(client: Client, rows: Rows) -> None:
    text = _text(client, "event-prizes", rows.a.slug)
    assert "A 1 Overall, place 1 EUR 20.00" in text
    assert "With a prize of the festival instead: A 0" in text
    assert "Players who win a larger prize of the festival win none here." in text


def test_the_page_of_the_festival_has_the_fund_and_later_the_winners(
    client: Client, rows: Rows
) -> None:
    page = ("festival", rows.festival.slug)
    assert "Prizes of the festival EUR 140.00" in _text(client, *page)
    festival_prizes.confirm(festival_id=rows.festival.pk, actor=rows.ana)
    assert "A 0 Weekend A Overall, place 1 EUR 100.00" in _text(client, *page)


def test_winners_of_a_section_that_becomes_private_are_left_out(client: Client, rows: Rows) -> None:
    festival_prizes.confirm(festival_id=rows.festival.pk, actor=rows.ana)
    Event.objects.filter(pk=rows.a.pk).update(is_private=True, access_code="abc-234")
    for name in ("festival", "festival-prizes"):
        text = _text(client, name, rows.festival.slug)
        assert "A 0" not in text
        assert "B 0 Weekend B" in text


@pytest.mark.long
def test_one_print_job_has_the_prizes_of_the_festival_and_of_its_sections(
    client: Client, rows: Rows
) -> None:
    text = _text(client, "festival-sheet", rows.festival.slug, "prizes")
    assert "B 0 (Weekend B) Overall, place 2 EUR 40.00" in text
    assert text.index("A 0 (Weekend A)") < text.index("A 1 Overall, place 1 EUR 20.00")
    festival_prizes.confirm(festival_id=rows.festival.pk, actor=rows.ana)
    assert "Received (signature)" in _text(client, "festival-sheet", rows.festival.slug, "prizes")


@pytest.mark.long
def test_a_festival_without_prizes_has_no_such_pages(client: Client, rows: Rows) -> None:
    festival = changes.create(organiser=rows.ana, about=changes.About("Other"))
    changes.run(code="remove", festival_id=rows.festival.pk, actor=rows.ana, subject=rows.b.slug)
    changes.run(code="add", festival_id=festival.pk, actor=rows.ana, subject=rows.b.slug)
    assert client.get(reverse("festival-prizes", args=[festival.slug])).status_code == 404
    path = reverse("festival-sheet", args=[festival.slug, "prizes"])
    assert client.get(path).status_code == 404
    assert "Prizes of the festival" not in _text(client, "festival", festival.slug)


@pytest.mark.long
def test_the_organiser_changes_awards_and_withdraws_on_one_page(rows: Rows) -> None:
    prize = {"prize-kind": "sex", "prize-text": "w", "prize-amount": "5"}
    assert "Women 1 EUR 5.00" in _act(rows, "add", **prize)
    desk = pages.member(rows.ana).get(reverse("festival-desk-prizes", args=[rows.festival.slug]))
    assert "Award these prizes" in pages.text_of(desk.content)
    section = pages.member(rows.ana).get(reverse("event-desk-prizes", args=[rows.a.slug]))
    assert "The prizes of Weekend are awarded first." in pages.text_of(section.content)
    text = _act(rows, "award")
    assert "The prizes were awarded." in text
    assert "Add a prize" not in text
    assert "The award was withdrawn." in _act(rows, "withdraw")
    assert "Something is missing" in _act(rows, "fly")


def test_the_form_of_the_festival_sets_the_order(rows: Rows) -> None:
    path = reverse("festival-desk", args=[rows.festival.slug])
    data = {"name": "Weekend", "has_continuous_boards": "on", "prizes_by": "percent"}
    pages.member(rows.ana).post(path, data)
    rows.festival.refresh_from_db()
    assert rows.festival.prizes_by == "percent"


def _archive(rows: Rows) -> bytes:
    return Client().get(reverse("festival-archive", args=[rows.festival.slug])).content


def _differences(data: bytes, **changes: Any) -> dict[str, list[str]]:
    """Return the places that differ in an archive whose prizes were changed so."""
    record, archives = festival_archive.read(data)
    assert record.prizes is not None
    record = replace(record, prizes=replace(record.prizes, **changes))
    checks = festival_archive.verify(record, archives)
    return {each.name: [d.place for d in each.differences] for each in checks if each.differences}


def _award_all(rows: Rows) -> None:
    festival_prizes.confirm(festival_id=rows.festival.pk, actor=rows.ana)
    prize_awards.confirm(event_id=rows.a.pk, actor=rows.ana)


@pytest.mark.long
def test_the_archive_computes_the_awards_again_as_they_were_confirmed(rows: Rows) -> None:
    assert _differences(_archive(rows)) == {}
    _award_all(rows)
    record, _ = festival_archive.read(_archive(rows))
    assert record.prizes is not None
    assert [(each.section, each.amount) for each in record.prizes.awards] == [
        ("weekend-a", 10_000),
        ("weekend-b", 4_000),
    ]
    assert _differences(_archive(rows)) == {}
    # A later correction is no difference: the confirmed awards follow from the earlier results.
    game = Game.objects.filter(pairing__event=rows.b).earliest("pk")
    other = "second" if game.result == "first" else "first"
    corrections.correct(game_id=game.pk, actor=rows.ana, result=other, reason="mixed up")
    assert _differences(_archive(rows)) == {}


@pytest.mark.long
def test_a_false_award_of_a_festival_is_named(rows: Rows) -> None:
    _award_all(rows)
    data = _archive(rows)
    record, _ = festival_archive.read(data)
    assert record.prizes is not None
    first, second = record.prizes.awards
    for false in (
        (replace(first, amount=1), second),
        (replace(first, section="weekend-b"), second),
        (first,),
    ):
        assert list(_differences(data, awards=false)) == ["prizes of the festival"]
    assert list(_differences(data, confirmed_at=None)) == ["prizes of the festival"]
    with pytest.raises(ArchiveError, match="sharing"):
        _differences(data, sharing="other")
