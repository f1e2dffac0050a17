"""A first bot without an installation: written, played and uploaded in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from engine import pyodide
from tests.browser.conftest import PYTHON
from tests.browser.test_engine import violations
from tests.browser.visitors import sign_up
from tests.processes import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import RunningSite

# The programs of a page of the documentation.
_PROGRAM = re.compile(r"```python(.*?)```", re.DOTALL)
_RESIGNS = """
for (let line = readLine(); line !== null; line = readLine()) {
  if (line.startsWith("go")) {
    console.log("I give up");
    print("bestmove resign");
  }
}
"""

# A version of Caretta that the compiler has refused.
_REFUSED = """
import django; django.setup()
from django.db import transaction
from tournaments.models import Bot, User
from tournaments.services.bots import versions
log = "main.c:1:80: error: expected ';'\\n" + 80 * "a" + "\\n" + 79 * " " + "^\\n"
with transaction.atomic():
    upload = versions.Upload(data=b"def (", filename="main.py", families=["morlox"])
    owner = User.objects.get(player__name="Caretta")
    bot = versions.create_line(owner=owner, name="Caret", upload=upload)
    Bot.objects.filter(pk=bot.pk).update(
        state="refused", state_code="program-does-not-compile", takes_over=False, check_log=log
    )
"""


@pytest.mark.long
def test_the_carets_of_a_compiler_point_at_their_column_on_a_phone(
    page: Page, running_site: RunningSite
) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    sign_up(page, "Caretta")
    running_site.run(_REFUSED)
    page.goto("/bots/mine/")
    page.get_by_role("link", name="Caret 1").first.click()
    log = page.locator("pre.log")
    expect(log).to_contain_text("expected ';'")
    # Three lines, and the box scrolls.
    line_px, height_px, width_px, box_px = log.evaluate(
        "e => { const s = getComputedStyle(e); return [parseFloat(s.lineHeight),"
        " e.clientHeight - parseFloat(s.paddingTop) - parseFloat(s.paddingBottom),"
        " e.scrollWidth, e.clientWidth]; }"
    )
    assert height_px < 4 * line_px
    assert width_px > box_px


@pytest.mark.long
def test_a_bot_is_tried_in_the_browser_and_uploaded(page: Page) -> None:
    sign_up(page, "Editora")
    page.goto("/bots/editor/?rules=morlox(size=5)")
    status, log = (
        page.get_by_role("status").last,
        page.get_by_role("region", name="Log of your bot"),
    )
    page.get_by_role("button", name="Play a game").click()
    expect(status).to_have_text(re.compile(r"Your bot has (won|lost)\.|drawn"), timeout=30_000)
    expect(log).to_contain_text(re.compile(r"1\. bestmove [a-e][1-5]"))
    # The board follows the game, and the slider leads back to the start.
    expect(page.locator(".editor [aria-label$=stone]").first).to_be_visible()
    page.get_by_label("Ply").fill("0")
    expect(page.locator(".editor [aria-label$=stone]")).to_have_count(0)
    assert violations(page) == []

    code = page.get_by_label("Program", exact=True)
    for program, ending, words in (
        (
            "nothing();",
            "Ply 1: the program ended without a line “bestmove”.",
            "nothing is not defined",
        ),
        ('print("bestmove z9");', "Ply 1: z9 is not a legal move.", "Legal moves: a1, a2"),
        (_RESIGNS, "The bot has resigned.", "I give up"),
    ):
        code.fill(program)
        page.get_by_role("button", name="Play a game").click()
        expect(status).to_have_text(ending)
        expect(log).to_contain_text(words)

    # The program is still there after another visit, and is the file that is uploaded.
    page.reload()
    expect(code).to_have_value(_RESIGNS)
    page.get_by_label("Name").fill("Editorial")
    page.get_by_role("button", name="Upload this program").click()
    expect(page.get_by_role("heading", name="Editorial 1")).to_be_visible()
    page.get_by_role("link", name="Edit in the browser").click()
    expect(page.get_by_label("Program", exact=True)).to_have_value(_RESIGNS)


@pytest.mark.long
def test_a_bot_in_typescript_is_tried_and_uploaded(page: Page) -> None:
    sign_up(page, "Tipografa")
    page.goto("/bots/editor/?rules=morlox(size=5)")
    page.get_by_label("Programming language").select_option("TypeScript")
    page.get_by_role("button", name="Choose").click()
    code, status = page.get_by_label("Program", exact=True), page.get_by_role("status").last
    expect(code).to_have_value(re.compile("interface Choices"))
    page.get_by_role("button", name="Play a game").click()
    expect(status).to_have_text(re.compile(r"Your bot has (won|lost)\.|drawn"), timeout=30_000)
    code.fill("let x: number = 1;\nlet y: = 2;")
    page.get_by_role("button", name="Play a game").click()
    expect(status).to_have_text("The program has a fault. The log has its line.")
    expect(page.get_by_role("region", name="Log of your bot")).to_contain_text("main.ts:2:8: error")
    assert violations(page) == []

    code.fill(f"const colour: string = 'b';\n{_RESIGNS}")
    page.get_by_label("Name").fill("Tipos")
    page.get_by_role("button", name="Upload this program").click()
    expect(page.get_by_role("heading", name="Tipos 1")).to_be_visible()
    expect(page.get_by_text("TypeScript,")).to_be_visible()
    page.get_by_role("link", name="Edit in the browser").click()
    expect(code).to_have_value(re.compile("const colour: string"))


@pytest.mark.long
@pytest.mark.skipif(not pyodide.is_installed(PYTHON), reason="no pyodide is installed in var")
def test_a_bot_in_python_is_tried_and_uploaded(page: Page) -> None:
    tutorial = (ROOT / "docs/tutorials/first-bot.md").read_text()
    program = _PROGRAM.findall(tutorial)[0].replace("\n   ", "\n").strip()
    sign_up(page, "Pitonisa")
    page.goto("/bots/editor/?rules=morlox(size=5)&language=py")
    code, status = page.get_by_label("Program", exact=True), page.get_by_role("status").last
    log = page.get_by_role("region", name="Log of your bot")
    expect(code).to_have_value(re.compile("from rayuela_sdk import"))
    page.get_by_role("button", name="Play a game").click()
    expect(status).to_have_text("The program is being loaded.")
    page.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("The game was stopped.")
    code.fill(program.replace("    return min", "    print('I think')\n    return min"))
    page.get_by_role("button", name="Play a game").click()
    expect(status).to_have_text(re.compile(r"Your bot has (won|lost)\.|drawn"))
    expect(log).to_contain_text(re.compile(r"1\. bestmove [a-e][1-5]"))
    expect(log).to_contain_text("I think")
    expect(page.locator(".editor [aria-label$=stone]").first).to_be_visible()
    assert violations(page) == []

    for wrong, ending, words in (
        ("import sys\nfor line in sys.stdin:\n    1 / 0", "ended without a line", "in <module>"),
        ("print(input())\nprint('bestmove z9')", "z9 is not a legal move", "Legal moves: a1"),
        ("import js\njs.fetch('/')", "ended without a line", "AttributeError"),
    ):
        code.fill(wrong)
        page.get_by_role("button", name="Play a game").click()
        expect(status).to_contain_text(ending)
        expect(log).to_contain_text(words)
    code.fill("while True: pass")
    page.get_by_role("button", name="Play a game").click()
    expect(status).to_have_text("The game is being played.")
    page.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("The game was stopped.")

    code.fill(program)
    page.get_by_label("Name").fill("Sibila")
    page.get_by_role("button", name="Upload this program").click()
    expect(page.get_by_role("heading", name="Sibila 1")).to_be_visible()
    page.get_by_role("link", name="Edit in the browser").click()
    expect(code).to_have_value(program)


def test_an_endless_program_is_stopped(page: Page) -> None:
    page.goto("/bots/editor/")
    page.get_by_label("Program", exact=True).fill("for (;;);")
    page.get_by_role("button", name="Play a game").click()
    status = page.get_by_role("status").last
    expect(status).to_have_text("The game is being played.")
    page.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("The game was stopped.")
