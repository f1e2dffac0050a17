"""Changes of clubs by the API."""

from __future__ import annotations

from tests.tournaments.api.conftest import program_of
from tournaments.models import User
from tournaments.services import clubs


def test_an_officer_changes_the_version_that_was_read(ana: User, ben: User) -> None:
    about = clubs.About(place="Barcelona", introduction="We play on Fridays.")
    path = f"/clubs/{clubs.create(founder=ana.player, name='Torre', about=about).slug}"
    program = program_of(ana)
    tag = program("GET", path)["ETag"]
    changed = program("PATCH", path, {"place": "Girona"}, If_Match=tag).json()
    assert (changed["place"], changed["introduction"]) == ("Girona", "We play on Fridays.")
    assert program("GET", path).json() == changed
    assert program("PATCH", path, {"place": "Lleida"}, If_Match=tag).status_code == 412
    refused = program_of(ben)("PATCH", path, {"place": "Lleida"}, If_Match="*")
    assert (refused.status_code, refused.json()["code"]) == (403, "club-leaders")
