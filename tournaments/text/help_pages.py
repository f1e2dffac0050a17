"""The pages of `docs/` that the site serves at `/help/`, and the files that authors of bots copy."""

from __future__ import annotations

import functools
import json
import posixpath
import re
from dataclasses import dataclass
from html import escape, unescape

import mistune
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from mistune.plugins.table import table, table_in_list

_FOLDER = settings.BASE_DIR / "docs"
_NAVIGATION = settings.BASE_DIR / "config" / "documentation" / "nav.json"
# Sections for people who have the source.
_NOT_SERVED = {"Develop", "Decisions", "Benchmarks"}
PICTURES = {path.name: path for path in sorted((_FOLDER / "img").glob("*.*"))}
_ENGINE = settings.BASE_DIR / "engine"
_COPIED = {
    "sdk": ("rayuela_*.py", "samples/*.p[yl]", "samples/wasm/*.[cs]*", "samples/[!_w]*/*"),
    "kernel": ("bot.wasm", "source/*.[ch]pp"),
}
# Files of the SDK and of the kernel's bot, by their address below `/guides/files/`.
FILES = {
    path.relative_to(_ENGINE).as_posix().removeprefix("sdk/"): path
    for folder, patterns in _COPIED.items()
    for pattern in patterns
    for path in sorted((_ENGINE / folder).glob(pattern))
}


@dataclass(frozen=True, slots=True)
class Section:
    """A group of pages for one audience, in the order of the navigation."""

    title: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page, with the id that links lead to."""

    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page as HTML, with its heading."""

    title: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Match:
    """A heading whose part contains the words of a search, with its target and the title of its page."""

    target: str
    title: str
    page_title: str


@functools.cache
def sections() -> tuple[Section, ...]:
    """Return the sections that the site serves."""
    entries = json.loads(_NAVIGATION.read_text())["nav"]
    return tuple(
        Section(title, tuple(path.removesuffix(".md") for path in paths))
        for entry in entries
        if isinstance(entry, dict)
        for title, paths in entry.items()
        if title not in _NOT_SERVED
    )


@functools.cache
def names() -> frozenset[str]:
    """Return the names of all pages, such as `organise/rounds`."""
    return frozenset(name for section in sections() for name in section.names)


@functools.cache
def page(name: str) -> Page:
    """Return the page of this name, one of `names()`."""
    return Page(title=title(name), html=drawn(_text(name), name))


def drawn(text: str, name: str = "") -> SafeString:
    """Return Markdown as HTML, with the links of the page `name`."""
    draw = mistune.create_markdown(renderer=_Renderer(name), plugins=[table, table_in_list])
    html = draw(text)
    assert isinstance(html, str), "an HTML renderer was asked for"
    return mark_safe(html)  # noqa: S308 - our own text, escaped by the renderer


def headings(name: str) -> tuple[Heading, ...]:
    """Return the headings of a page, its title first."""
    return tuple(heading for heading, _words in _parts(name))


@functools.cache
def _parts(name: str) -> tuple[tuple[Heading, str], ...]:
    """Return the headings of a page with the text from each to the next, in small letters."""
    prose = re.sub(r"^ *```.*?^ *```", "", _text(name), flags=re.DOTALL | re.MULTILINE)
    _before, *pieces = re.split(r"^#{1,4} (.*)$", prose, flags=re.MULTILINE)
    words = [line.replace("`", "").replace("*", "") for line in pieces[::2]]
    texts = [
        " ".join(f"{words[0]} {heading} {text}".casefold().split())
        for heading, text in zip(words, pieces[1::2], strict=True)
    ]
    return tuple(
        (Heading(each, _anchor(each)), text) for each, text in zip(words, texts, strict=True)
    )


def title(target: str) -> str:
    """Return the heading at a target such as `organise/rounds#byes`. Raise LookupError without one."""
    name, _, anchor = target.partition("#")
    if name not in names():
        raise LookupError(target)
    for heading in headings(name):
        if heading.anchor == anchor or not anchor:
            return heading.title
    raise LookupError(target)


def address(target: str) -> str:
    """Return the address of a target."""
    name, _, anchor = target.partition("#")
    return reverse("help-page", args=[name]) + (f"#{anchor}" if anchor else "")


def search(words: str) -> list[Match]:
    """Return the parts of pages that contain every word, with those first whose headings do."""
    wanted_words = words.casefold().split()
    found_in_headings, found_in_texts = [], []
    for name in (name for section in sections() for name in section.names):
        for heading, text in _parts(name):
            match = Match(f"{name}#{heading.anchor}", heading.title, title(name))
            if all(word in f"{match.page_title} {match.title}".casefold() for word in wanted_words):
                found_in_headings.append(match)
            elif all(word in text for word in wanted_words):
                found_in_texts.append(match)
    return found_in_headings + found_in_texts


def _text(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text()


class _Renderer(mistune.HTMLRenderer):
    """HTML that keyboards and screen readers can follow, with links that stay on the site."""

    def __init__(self, name: str) -> None:
        super().__init__(escape=True)
        self.folder = posixpath.dirname(name)

    def heading(self, text: str, level: int, **_: object) -> str:
        """Return a heading that links can lead to."""
        return f'<h{level} id="{_anchor(text)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Return a link to a page of the site or out of it.

        For another page of `docs/`, return only the text.
        """
        if re.match("https?:|#|/", url):
            return super().link(text, url, title)
        path, _, anchor = url.partition("#")
        name = self._path(path).removesuffix(".md")
        if name not in names():
            return text
        return f'<a href="{escape(address(f"{name}#{anchor}" if anchor else name))}">{text}</a>'

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return a picture of `docs/img`, whose description is the text."""
        source = reverse("help-picture", args=[posixpath.basename(self._path(url))])
        return f'<img src="{escape(source)}" alt="{escape(text)}" loading="lazy">'

    def _path(self, url: str) -> str:
        """Return the path in `docs/` of a relative address."""
        return posixpath.normpath(posixpath.join(self.folder, url))

    def codespan(self, text: str) -> str:
        """Return code. The name of a file that authors copy is a link to the file."""
        code = super().codespan(text)
        name = text.removeprefix("engine/").removeprefix("sdk/")
        if name == text or name not in FILES:
            return code
        return f'<a href="{escape(reverse("guide-file", args=[name]))}">{code}</a>'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Return lines of code, which a keyboard can scroll."""
        return f'<pre tabindex="0"><code>{escape(code)}</code></pre>\n'

    def table(self, text: str) -> str:
        """Return a table, which a keyboard can scroll."""
        return f'<div class="table-scroll" tabindex="0"><table>\n{text}</table></div>\n'

    def table_cell(self, text: str, align: str | None = None, *, head: bool = False) -> str:
        """Return a cell of a table. An empty cell is not a heading."""
        tag = "th" if head and text else "td"
        return f"<{tag}>{text}</{tag}>\n"


def _anchor(heading: str) -> str:
    """Return the id of a heading as links in `docs/` write it: its words in small letters."""
    words = unescape(re.sub("<[^<>]*>", "", heading)).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
