"""Tutorials of `docs/tutorials`, read as steps that a browser can follow.

The sentences of a step are its commands: "Open `/x/`", "Click **Label**", "Type `text` into **Label**". A sentence of another
form explains and is skipped, but a bold word outside a command is refused, so that no step is left out silently.
"""

import os
import re
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser import visitors
from tests.processes import ROOT

PICTURES = ROOT / "docs" / "img"
# Set to write the pictures of the tutorials. Otherwise they are taken and compared by name only.
WRITES = "WRITE_PICTURES"
_PATIENCE_S = 120
_WIDTH = 900
_HIGHEST = 800
# The larger palette if the picture remains small enough.
_COLOURS = (64, 32, 16)
_MOST_BYTES = 60_000

# A blank matches any white space, since lines are wrapped.
_SENTENCES = {
    "open": r"[Oo]pen `([^`]+)`",
    "choose_file": r"[Cc]hoose the file `([^`]+)` in \*\*([^*]+)\*\*",
    "choose": r"[Cc]hoose `([^`]+)` in \*\*([^*]+)\*\*",
    "type": r"[Tt]ype `([^`]+)` into \*\*([^*]+)\*\*",
    "tick": r"[Tt]ick \*\*([^*]+)\*\*",
    "click_beside": r"[Cc]lick \*\*([^*]+)\*\* beside \*\*([^*]+)\*\*",
    "click": r"[Cc]lick \*\*([^*]+)\*\*",
    "paste": r"Paste this list into \*\*([^*]+)\*\*:\n+```text\n(.*?)```",
    "press": r"[Pp]ress ((?:`[^`]+`(?:, | and )?)+)",
    "reload": r"[Ll]oad the page again until you see \*\*([^*]+)\*\*",
    "see": r"[Yy]ou see \*\*([^*]+)\*\*",
    "move": r"(Make a move)",
    "repeat": r"Repeat steps (\d+) to (\d+) for rounds? (\d+)(?: to (\d+))?",
    "picture": r"!\[[^\]]*\]\(\.\./img/([\w-]+\.png)\)",
}
_PATTERNS = {kind: sentence.replace(" ", r"\s+") for kind, sentence in _SENTENCES.items()}
_COMMAND = re.compile(
    "|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()), re.DOTALL
)


@dataclass(frozen=True)
class Command:
    """A sentence of a step: its kind, and the words in its places."""

    kind: str
    words: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Tutorial:
    """A page of `docs/tutorials`."""

    name: str
    text: str

    @classmethod
    def named(cls, name: str) -> "Tutorial":
        """Read the page of that name."""
        return cls(name, (ROOT / f"docs/tutorials/{name}.md").read_text())

    def steps(self) -> dict[int, str]:
        """Return the text of each numbered step."""
        steps = re.findall(r"^(\d+)\. (.*?)(?=^\S|\Z)", self.text, re.DOTALL | re.MULTILINE)
        return {int(number): textwrap.dedent(f"    {text}") for number, text in steps}

    def pictures(self) -> list[str]:
        """Return the names of the pictures of the page."""
        return re.findall(_PATTERNS["picture"], self.text)

    def labels(self) -> set[str]:
        """Return the words of the interface that the commands name."""
        return {
            label
            for text in self.steps().values()
            for command in commands(text)
            for label in re.findall(r"\*\*([^*]+)\*\*", command.text)
        }


def commands(text: str) -> Iterator[Command]:
    """Yield the commands of a step. Raises `AssertionError` for a bold word outside of them."""
    rest = _COMMAND.sub("", text)
    assert "**" not in rest, f"no command names the bold words of: {rest}"
    for match in _COMMAND.finditer(text):
        kind = match.lastgroup
        assert kind is not None, "each alternative is a group"
        parts = re.fullmatch(_PATTERNS[kind], match[0], re.DOTALL)
        assert parts is not None, "the same pattern"
        lines = kind == "paste"
        yield Command(
            kind,
            tuple(word if lines else " ".join(word.split()) for word in parts.groups("")),
            " ".join(match[0].split()),
        )


class Follower:
    """A reader who follows each step, in one page of a browser."""

    def __init__(self, tutorial: Tutorial, page: Page, files: Path) -> None:
        self._steps = tutorial.steps()
        self._page = page
        self._files = files
        self.pictures: list[str] = []
        page.set_viewport_size({"width": _WIDTH, "height": 640})

    def follow(self) -> None:
        """Do all steps."""
        for text in self._steps.values():
            for command in commands(text):
                self._do(command)

    def _do(self, command: Command) -> None:
        getattr(self, f"_{command.kind}")(*command.words)

    def _open(self, path: str) -> None:
        answer = self._page.goto(path)
        assert answer is not None, path
        assert answer.ok, f"{path}: {answer.status}"

    def _click(self, label: str) -> None:
        main, body = self._page.locator("main"), self._page.locator("body")
        beginning = re.compile(rf"^{re.escape(label)}\b")
        places = [self._controls(main, label), self._controls(body, label)]
        controls = next(
            (place for place in places if place.count()), self._controls(main, beginning)
        )
        controls.first.click()
        self._page.wait_for_load_state()

    def _click_beside(self, label: str, words: str) -> None:
        """Click the control of that name in the form or row that has these words."""
        rows = self._page.locator("main").locator("form, li, tr").filter(has_text=words)
        self._controls(rows.last, label).first.click()
        self._page.wait_for_load_state()

    def _controls(self, scope: Locator, label: str | re.Pattern[str]) -> Locator:
        """Return the buttons, links and unfolding lines of that name."""
        button = scope.get_by_role("button", name=label, exact=True)
        link = scope.get_by_role("link", name=label, exact=True)
        return button.or_(link).or_(scope.locator("summary", has_text=label)).filter(visible=True)

    def _type(self, text: str, label: str) -> None:
        self._field(label).fill(text)

    def _paste(self, label: str, text: str) -> None:
        self._field(label).fill(textwrap.dedent(text))

    def _tick(self, label: str) -> None:
        self._field(label).check()

    def _choose(self, option: str, label: str) -> None:
        field = self._field(label)
        texts = field.locator("option").all_text_contents()
        field.select_option(next(text for text in texts if text.strip().startswith(option)))

    def _choose_file(self, name: str, label: str) -> None:
        self._field(label).set_input_files(self._files / name)

    def _press(self, keys: str) -> None:
        for key in re.findall(r"`([^`]+)`", keys):
            self._page.keyboard.press(key)
            self._page.wait_for_timeout(150)  # a reader takes longer
        expect(self._page.locator(".saving")).to_have_count(0)

    def _see(self, text: str) -> None:
        expect(self._page.get_by_text(text).filter(visible=True).first).to_be_visible()

    def _reload(self, text: str) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        sight = self._page.get_by_text(text).filter(visible=True)
        while not sight.count():
            assert time.monotonic() < deadline, f"{text} is not on the page"
            self._page.wait_for_timeout(2_000)
            self._page.reload()

    def _move(self, _sentence: str) -> None:
        choice = visitors.choices(self._page)[0]
        visitors.click_move(self._page, choice)

    def _repeat(self, first: str, last: str, start: str, end: str) -> None:
        for number in range(int(start), int(end or start) + 1):
            for step in range(int(first), int(last) + 1):
                text = re.sub(r"round\s+1\b", f"round {number}", self._steps[step])
                for command in commands(text):
                    if command.kind != "picture":
                        self._do(command)

    def _picture(self, name: str) -> None:
        self._page.wait_for_timeout(300)  # motion ends
        picture = self._page.screenshot(full_page=True, clip=self._clip())
        png = next(
            (png for png in map(partial(reduced, picture), _COLOURS) if len(png) <= _MOST_BYTES),
            b"",
        )
        assert png, f"{name} has more than {_MOST_BYTES} bytes in every palette"
        self.pictures.append(name)
        if os.environ.get(WRITES):
            (PICTURES / name).write_bytes(png)

    def _clip(self) -> FloatRect:
        """Return the upper part of the page between its header and its footer."""
        self._page.evaluate("scrollTo(0, 0)")
        box = self._page.locator("main").bounding_box()
        assert box is not None, "every page has a main part"
        height = min(box["height"], _HIGHEST)
        return {"x": 0, "y": box["y"], "width": _WIDTH, "height": height}

    def _field(self, label: str) -> Locator:
        return self._page.get_by_label(label, exact=True).filter(visible=True).first


def reduced(png: bytes, colours: int) -> bytes:
    """Return the picture with a palette of so few colours."""
    output = BytesIO()
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(colours, dither=Image.Dither.NONE).save(output, "PNG", optimize=True)
    return output.getvalue()


def overview() -> bytes:
    """Return the picture of README: a game, a round and the explanation of a pairing."""
    sheet = Image.new("RGB", (1200, 540), "white")
    for name, box, place in (
        ("first-game-board.png", (0, 0, 900, 800), (0, 0)),
        ("first-swiss-pairings.png", (0, 530, 900, 800), (600, 0)),
        ("first-swiss-why.png", (0, 350, 900, 800), (600, 220)),
    ):
        with Image.open(PICTURES / name) as picture:
            part = picture.convert("RGB").crop(box)
        sheet.paste(part.resize((part.width * 2 // 3, part.height * 2 // 3)), place)
    output = BytesIO()
    sheet.save(output, "PNG")
    return reduced(output.getvalue(), _COLOURS[0])
