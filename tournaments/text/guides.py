"""What authors of bots need to know, from the pages of `docs/` that everybody reads in the source."""

from __future__ import annotations

import functools
import posixpath
import re
from dataclasses import dataclass
from html import escape

import mistune
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from mistune.plugins.table import table, table_in_list

_FOLDER = settings.BASE_DIR / "docs"
# By the last word of their addresses; the first one is where to begin.
PAGES = {
    "write-a-bot": "tutorials/first-bot.md",
    "remote-bots": "bots/remote-bots.md",
    "protocol": "reference/protocol.md",
    "wasm": "bots/wasm.md",
    "bots": "bots/how-bots-are-run.md",
    "sandbox": "operate/sandbox.md",
    "leagues": "bots/ladders-and-sprt.md",
}
_ENGINE = settings.BASE_DIR / "engine"
_COPIED = {
    "sdk": ("rayuela_*.py", "samples/*.p[yl]", "samples/wasm/*.[cs]*"),
    "kernel": ("bot.wasm", "source/*.[ch]pp"),
}
# What authors copy, by its address below `/guides/files/`: whole files, of the SDK and of the bot
# that the kernel is.
FILES = {
    path.relative_to(_ENGINE).as_posix().removeprefix("sdk/"): path
    for folder, patterns in _COPIED.items()
    for pattern in patterns
    for path in sorted((_ENGINE / folder).glob(pattern))
}


@dataclass(frozen=True, slots=True)
class Guide:
    """A page of `docs/`: its heading, and all of it as HTML with this heading."""

    title: str
    html: SafeString


@functools.cache
def guide(name: str) -> Guide:
    """The page of this name, one of `PAGES`; `KeyError` for any other."""
    text = (_FOLDER / PAGES[name]).read_text()
    html = mistune.create_markdown(renderer=_Renderer(PAGES[name]), plugins=[table, table_in_list])(
        text
    )
    assert isinstance(html, str), "an HTML renderer was asked for"
    title = text.partition("\n")[0].removeprefix("# ")
    return Guide(title=title, html=mark_safe(html))  # noqa: S308 - our own text, escaped by the renderer


class _Renderer(mistune.HTMLRenderer):
    """HTML that keyboards and screen readers can follow, with links that stay on the site."""

    def __init__(self, path: str) -> None:
        super().__init__(escape=True)
        self.folder = posixpath.dirname(path)

    def heading(self, text: str, level: int, **_: object) -> str:
        """A heading that links can lead to."""
        return f'<h{level} id="{_anchor(text)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link to another page of these, or out of the site; only the words of any other page of `docs/`."""
        if re.match("https?:|#", url):
            return super().link(text, url, title)
        path, _, anchor = url.partition("#")
        target = posixpath.normpath(posixpath.join(self.folder, path))
        names = [name for name, place in PAGES.items() if place == target]
        if not names:
            return text
        address = reverse("guide", args=names) + (f"#{anchor}" if anchor else "")
        return f'<a href="{escape(address)}">{text}</a>'

    def codespan(self, text: str) -> str:
        """Words of code; the name of a file that authors copy leads to it."""
        code = super().codespan(text)
        name = text.removeprefix("engine/").removeprefix("sdk/")
        if name == text or name not in FILES:
            return code
        return f'<a href="{escape(reverse("guide-file", args=[name]))}">{code}</a>'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Lines of code, which a keyboard can scroll."""
        return f'<pre tabindex="0"><code>{escape(code)}</code></pre>\n'

    def table(self, text: str) -> str:
        """A table, which a keyboard can scroll."""
        return f'<div class="table-scroll" tabindex="0"><table>\n{text}</table></div>\n'

    def table_cell(self, text: str, align: str | None = None, *, head: bool = False) -> str:
        """A cell of a table; an empty one is no heading."""
        tag = "th" if head and text else "td"
        return f"<{tag}>{text}</{tag}>\n"


def _anchor(heading: str) -> str:
    """The id of a heading, as links in `docs/` write it: its words in small letters."""
    words = re.sub("<[^<>]*>", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
