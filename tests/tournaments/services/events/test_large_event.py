"""An event of bots through the web service, from the organiser's form to the report file that arbiters' programs check."""

from __future__ import annotations

import contextlib
import http.cookiejar
import re
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tests import processes
from tournaments import trf
from tournaments.commandline.pairing import main
from tournaments.commandline.requests import Exit
from tournaments.models import Event, Pairing, Seat
from tournaments.queries.arbiter import round_verification
from tournaments.services.accounts import players


class _Organiser:
    """A user at a browser without scripts."""

    def __init__(self, site: str) -> None:
        self._site = site
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def get(self, path: str) -> str:
        with self._opener.open(self._site + path, timeout=60) as response:
            text: str = response.read().decode()
        return text

    def send(self, page: str, path: str, fields: list[tuple[str, str]]) -> str:
        """Post a form on `page`. Return the next page."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(page))
        assert token is not None, page
        body = urllib.parse.urlencode([*fields, ("csrfmiddlewaretoken", token[1]), ("next", page)])
        request = urllib.request.Request(
            self._site + path, body.encode(), {"Referer": self._site + page}
        )
        with self._opener.open(request, timeout=60) as response:
            url: str = response.geturl()
        return urllib.parse.urlsplit(url).path


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.parametrize(
    ("bots", "rounds", "patience_s"),
    [(9, 4, 300), pytest.param(200, 9, 3600, marks=pytest.mark.slow)],
)
def test_an_event_of_bots_through_the_web_pairs_again_from_its_report(
    erasable: object,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    bots: int,
    rounds: int,
    patience_s: float,
) -> None:
    for number in range(1, bots + 1):
        players.add_bot(name=f"Bot {number}", engine="random" if number % 4 else "greedy")
    with contextlib.ExitStack() as stack:
        site = stack.enter_context(processes.site())
        for _ in range(2):
            stack.enter_context(processes.worker("default,builtin-replies,post,builtin"))
        organiser = _Organiser(site)
        organiser.send("/sign-up/", "/sign-up/", [("name", "Ana"), ("password", "rayuela-1963")])
        page = organiser.send("/events/new/", "/events/new/", _event_form(bots, rounds))
        bot_ids = re.findall(r'name="bots" value="(\d+)"', organiser.get(page))
        assert len(bot_ids) == bots
        organiser.send(
            page, f"{page}organise/", [("action", "bots"), *(("bots", pk) for pk in bot_ids)]
        )
        organiser.send(page, f"{page}organise/", [("action", "start")])
        event = Event.objects.get()
        processes.until(lambda: _is_over(event), patience_s=patience_s)
        report = organiser.get(f"{page}report.trf")
    assert event.rounds.count() == rounds
    assert Pairing.objects.count() == rounds * (bots // 2)
    assert Seat.objects.count() == rounds * bots
    for round_ in event.rounds.all():
        verdict = round_verification.verify(round_)
        assert verdict.is_confirmed, verdict
        assert verdict.is_seed_committed
    assert trf.rounds_played(trf.read(report)) == rounds
    file = tmp_path / "event.trf"
    file.write_text(report)
    assert main(["--dutch", str(file), "-c"]) == Exit.DONE
    output = capsys.readouterr().out
    assert output.split("\n")[:-1] == [f"Round #{n}" for n in range(1, rounds + 1)]


def _event_form(bots: int, rounds: int) -> list[tuple[str, str]]:
    return [
        ("name", "Large"),
        ("ruleset", "morelli(size=5)"),
        ("format", "dutch"),
        ("rounds_total", str(rounds)),
        ("clock", "180+2"),
        ("admits", "bots"),
        ("max_entries", str(bots)),
        ("is_rated", "on"),
        ("is_automatic", "on"),
        ("pause_s", "0"),
    ]


def _is_over(event: Event) -> bool:
    event.refresh_from_db()
    return event.state == Event.State.FINISHED
