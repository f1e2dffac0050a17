"""Events of bots in an installation, and the agreement of their standings with the results."""

from __future__ import annotations

import json

from tests.faults.installation import Installation

_EVENT = """
from tests.tournaments import authors
from tournaments.models import Event
from tournaments.queries.events import plans
from tournaments.services.accounts import players
from tournaments.services.events import entries, registration
from tournaments.services.games import game_creation
from tournaments.services.rounds import lifecycle
organiser = players.sign_up(name="Olga {name}", password="rayuela-1963")
plan = plans.EventPlan(name="{name}", ruleset="morelli(size=5)", rounds_total=3, admits=Event.Admits.BOTS,
    clock=game_creation.Clock(120_000, 2_000), pause_s=0, seed=7)
event = registration.create_event(organiser=organiser, plan=plan)
for n in range(1, 5):
    entries.enter(event_id=event.pk, player={bot}, actor=organiser)
lifecycle.start_event(event_id=event.pk, actor=organiser)
"""
_HOUSE = 'players.add_bot(name=f"{name} {{n}}", engine="random")'
_AUTHORS = """authors.version(
        players.sign_up(name=f"Author {{n}}", password="rayuela-1963"),
        f"{name} {{n}}", authors.SLOW_MOVER + b"# %d" % n)"""
_STANDINGS = """
import json
from tournaments.models import Event
from tournaments.queries.results import tables
event = Event.objects.get(slug="{slug}")
print("ROWS", json.dumps({{row.entry.pk: row.points_halves for row in tables.event_table(event).rows}}))
"""


def event_of_house_bots(site: Installation, name: str) -> str:
    """Return the slug of a new Swiss of four built-in bots that has begun."""
    return _event(site, name, _HOUSE)


def event_of_authors(site: Installation, name: str) -> str:
    """Return the slug of a new Swiss of authors' programs, which think for 0.2 s and run in the sandbox."""
    return _event(site, name, _AUTHORS)


def _event(site: Installation, name: str, bot: str) -> str:
    site.manage("shell", "-v", "0", "-c", _EVENT.format(name=name, bot=bot.format(name=name)))
    ((slug,),) = site.rows(f"SELECT slug FROM tournaments_event WHERE name = '{name}'")
    return str(slug)


def is_over(site: Installation, slug: str) -> bool:
    return site.rows(f"SELECT state FROM tournaments_event WHERE slug = '{slug}'") == [
        ("finished",)
    ]


def assert_standings_follow_results(site: Installation, slug: str) -> None:
    """The standings add up three rounds of two games, each counted once."""
    query = (
        "SELECT g.result, f.id, s.id FROM tournaments_game g"
        " JOIN tournaments_pairing p ON p.id = g.pairing_id JOIN tournaments_event e ON e.id = p.event_id"
        " JOIN tournaments_entry f ON f.event_id = e.id AND f.player_id = g.first_id"
        " JOIN tournaments_entry s ON s.event_id = e.id AND s.player_id = g.second_id"
        f" WHERE e.slug = '{slug}'"
    )
    results = site.rows(query)
    assert len(results) == 6
    halves = {"first": (2, 0), "second": (0, 2), "draw": (1, 1)}
    points: dict[str, int] = {}
    for result, first, second in results:
        for entry, gained in zip((first, second), halves[str(result)], strict=True):
            points[str(entry)] = points.get(str(entry), 0) + gained
    text = site.manage("shell", "-v", "0", "-c", _STANDINGS.format(slug=slug))
    rows = next(line for line in text.splitlines() if line.startswith("ROWS "))
    assert json.loads(rows.removeprefix("ROWS ")) == points
