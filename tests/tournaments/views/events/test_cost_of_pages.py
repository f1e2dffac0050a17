"""The costs of an event's pages: those of a request do not grow with the players, and a worker's share is limited."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from tests import work
from tests.tournaments import large_events
from tournaments.models import Event
from tournaments.services import enqueue
from tournaments.services.results import computations
from tournaments.views.events import windows

pytestmark = pytest.mark.django_db

# A page of a list, or a board, for twice the players: a little is counted or sorted, or is a list of names.
_FLAT = 1.4
# A table or a file for twice the players.
_LINEAR = 2.6
_VALUES = {
    "number": ["1"],
    "board": ["3"],
    "tpn": ["1"],
    "kind": ["pairings", "names", "slips", "standings", "crosstable", "cards"],
}
_VISITED_MOST = {"event", "event-round", "event-standings", "event-json"}
# Files of a megabyte at 5,000 players, which no other way of storing them makes shorter.
_WHOLE = {"round-problem"}


class Costs(NamedTuple):
    """Calls of functions: of a request to a process without a cache, and of the worker that it woke."""

    request: int
    worker: int


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computations, "LARGE", 20)
    monkeypatch.setattr(windows, "ROWS", 20)


@pytest.mark.long
@pytest.mark.parametrize(
    ("names", "least"),
    [
        pytest.param(_VISITED_MOST, 4, id="the pages that are visited most"),
        # All pages that a guest may see. A new page is added automatically.
        pytest.param(None, 26, id="all pages", marks=pytest.mark.slow),
    ],
)
def test_no_request_for_a_page_of_an_event_does_more_for_more_players(
    names: set[str] | None, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(enqueue, "computation", sent.append)
    few, many = large_events.published(44, "Few"), large_events.published(88, "Many")
    checked, growing = 0, []
    for (name, address), (_, larger) in zip(_addresses(few), _addresses(many), strict=True):
        if names is not None and name not in names:
            continue
        before, after = _costs(address, sent), _costs(larger, sent)
        if before is None or after is None:
            continue
        checked += 1
        if after.request > _FLAT * before.request and name not in _WHOLE:
            growing.append((address, before, after))
        if after.worker > _LINEAR * before.worker:
            growing.append((address, before, after))
    assert growing == []
    assert checked >= least


def _addresses(event: Event) -> Iterator[tuple[str, str]]:
    resolver = get_resolver()
    names = [key for key in resolver.reverse_dict if isinstance(key, str)]
    for name in sorted(names):
        (_, parts), *_ = resolver.reverse_dict.getlist(name)[0][0]
        if "slug" not in parts or set(parts) - {"slug", *_VALUES}:
            continue
        for values in itertools.product(*(_VALUES.get(part, [event.slug]) for part in parts)):
            yield name, reverse(name, args=values)


def _costs(address: str, sent: list[int]) -> Costs | None:
    client = Client()
    worker = 0
    answer = client.get(address)  # and whatever is loaded once
    while answer.status_code == 202:
        while sent:
            worker += work.calls(partial(computations.work, sent.pop()))
        answer = client.get(address)
    if answer.status_code != 200 or "ETag" not in answer.headers:
        return None
    # As in another process, which finds the stored rows but draws a new page.
    address += "&again" if "?" in address else "?again"
    return Costs(work.calls(partial(client.get, address)), worker)
