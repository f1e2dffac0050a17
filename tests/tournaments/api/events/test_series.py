"""Series by the API: created, filled, read with all terms, changed and deleted."""

from __future__ import annotations

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.series_events import finished
from tournaments.models import Series, User

pytestmark = pytest.mark.long


def test_a_program_makes_a_series_and_reads_its_terms(anybody: Program, ana: User) -> None:
    program = program_of(ana)
    events = [finished(ana, name, "Al", "Bo") for name in ("May", "June")]
    created = program("POST", "/series", {"name": "Cup", "place_points": [5, 2], "best": 1})
    assert (created.status_code, created["Location"]) == (201, "/api/v1/series/cup")
    *_, answer = (
        program("POST", "/series/cup/acts", {"act": "add", "event": event.slug}) for event in events
    )
    assert [each["slug"] for each in answer.json()] == ["may", "june"]
    series = anybody("GET", "/series/cup").json()
    assert series["rules"] == {
        "method": "places", "place_points": [5, 2], "shared": "share", "best": 1,
    }  # fmt: skip
    first = series["totals"][0]
    assert (first["rank"], first["name"], first["total"], first["wins"]) == (1, "Al", "5", 2)
    assert [(term["event"], term["fate"]) for term in first["terms"]] == [
        (1, "counts"),
        (2, "dropped"),
    ]
    assert anybody("GET", "/series").json()["items"][0]["name"] == "Cup"


def test_a_change_keeps_what_it_does_not_name(ana: User) -> None:
    program = program_of(ana)
    program("POST", "/series", {"name": "Cup", "place_points": [5, 2], "best": 3})
    answer = program("PATCH", "/series/cup", {"method": "points", "best": 0}, If_Match="*")
    assert answer.json()["name"] == "Cup"
    assert answer.json()["rules"] == {
        "method": "points", "place_points": [5, 2], "shared": "share", "best": 0,
    }  # fmt: skip
    assert program("PATCH", "/series/cup", {"best": 1}).status_code == 428
    assert program("DELETE", "/series/cup").status_code == 204
    assert not Series.objects.filter(slug="cup").exists()
