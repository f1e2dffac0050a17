"""From signing up to the first move of a remote bot, as docs/bots/remote-bots.md says it, with its pages and commands."""

from __future__ import annotations

import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client

from tests import processes
from tests.processes import ROOT
from tournaments.models import Challenge, Game, Player
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.lobby import challenges

PAGE = ROOT / "docs/bots/remote-bots.md"
_ROW = re.compile(r"^ +\| (`/\S+`|\*[^|]+\*) \| (\*\*.*) \|$", re.M)
_FIELD = re.compile(r"\*\*([^*]+)\*\* `([^`]+)`")


class _Form(HTMLParser):
    """The fields of a page, with their values, by their labels."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, list[str]] = {}
        self.labels: dict[str, str] = {}
        self.fields: dict[str, dict[str, str]] = {}
        self.links: dict[str, str] = {}
        self._label = self._link = self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "label":
            self._label = of.get("for", "")
        elif tag == "a":
            self._link = of.get("href", "")
        elif tag in {"input", "select", "textarea"} and "name" in of:
            self.fields[of.get("id", of["name"])] = of
            self._select = of["name"] if tag == "select" else self._select
            if of.get("type") not in {"checkbox", "radio"} or "checked" in of:
                self.values.setdefault(of["name"], []).extend(
                    [of["value"]] if "value" in of else []
                )
        elif tag == "option" and "selected" in of:
            self.values[self._select] = [of.get("value", "")]

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._label = ""
        elif tag == "a":
            self._link = ""

    def handle_data(self, data: str) -> None:
        if self._label and data.strip():
            self.labels[data.strip()] = self._label
        if self._link and data.strip():
            self.links[data.strip()] = self._link

    def filled(self, words: str) -> dict[str, list[str]]:
        """Return the form's data when these fields are filled in, and the others are unchanged."""
        values = {name: list(held) for name, held in self.values.items()}
        for label, value in _FIELD.findall(words):
            if value in self.labels:  # a box with this word beside it
                box = self.fields[self.labels[value]]
                values.setdefault(box["name"], []).append(box["value"])
            else:
                values[self.fields[self.labels[label]]["name"]] = [value]
        return values


def _fill(client: Client, address: str, words: str) -> tuple[str, str]:
    """Open a page, fill in its form and send it. Return the next address, and its page."""
    form = _Form(client.get(address).content.decode())
    action = urlsplit(address).path
    if action == "/account/tokens/":
        action += "create/"
    answer = client.post(action, form.filled(words), follow=True)
    assert answer.status_code == 200, (address, answer.content.decode())
    place = answer.redirect_chain[-1][0] if answer.redirect_chain else address
    return place, answer.content.decode()


@pytest.mark.engines
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_first_move_is_made_as_the_page_says(erasable: None, tmp_path: Path) -> None:
    text = PAGE.read_text()
    sign_up, new_bot, token = _ROW.findall(text)
    client = Client()
    _fill(client, sign_up[0].strip("`"), sign_up[1])
    place, page = _fill(client, new_bot[0].strip("`"), new_bot[1])
    link = _Form(page).links[token[0].strip("*")]
    _, page = _fill(client, link, token[1])
    [secret] = re.findall(r'value="(rayuela_[^"]+)"', page)
    (tmp_path / "token.txt").write_text(secret)
    [engine] = re.findall(r"   ```python\n(.*?)   ```", text, re.S)
    (tmp_path / "first_engine.py").write_text(re.sub(r"(?m)^   ", "", engine))
    [console] = re.findall(r"   ```console\n(.*?)   ```", text, re.S)
    commands = re.findall(r"(?m)^   \$ (.*)$", console)
    assert place.startswith("/bots/remote/")
    with processes.site() as url:
        assert commands[0].startswith("export SITE=")
        script = "; ".join([f"export SITE={url}", *commands[1:-1], f"exec {commands[-1]}"])
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen(
                ["bash", "-c", script],  # noqa: S607 - the shell of the reader
                cwd=tmp_path,
                stdout=log,
                stderr=log,
                env={"PATH": os.environ["PATH"]},
                start_new_session=True,
            )
        try:
            _challenge_and_await_a_move(client, tmp_path)
        finally:
            processes.kill_group(process)
            process.wait()


def _challenge_and_await_a_move(client: Client, folder: Path) -> None:
    bot, julia = Player.objects.get(name="Cronopio"), Player.objects.get(name="Julia")

    def log() -> str:
        return (folder / "log").read_text()

    processes.until(lambda: "here player" in log(), otherwise=log)
    assert "Challenge" in _Form(client.get(bot.get_absolute_url()).content.decode()).links
    row = challenges.challenge(
        challenger=julia,
        opponent=bot,
        ruleset="morlox(size=5)",
        clock=Clock(600_000),
        side="second",
    )
    processes.until(lambda: Challenge.objects.get(pk=row.pk).game_id is not None, otherwise=log)
    processes.until(
        lambda: Game.objects.filter(first=bot, second=julia, ply=1).exists(), otherwise=log
    )


def test_the_client_on_the_site_is_the_one_in_the_source(db: None) -> None:
    answer = Client().get("/download/rayuela_bot.py")
    assert answer.content == (ROOT / "engine" / "sdk" / "rayuela_bot.py").read_bytes()
    assert "attachment" in answer["Content-Disposition"]


def test_every_option_of_the_client_is_on_the_page() -> None:
    source = (ROOT / "engine" / "sdk" / "rayuela_bot.py").read_text()
    options = re.findall(r'add_argument\("(--[a-z-]+)"', source)
    text = PAGE.read_text()
    assert options
    assert [option for option in options if f"{option} " not in text] == []
