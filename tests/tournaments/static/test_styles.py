"""The style sheets: each parses, and each custom property it uses is defined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import tinycss2

from tournaments.queries.formats import FORMATS

ROOT = Path(__file__).resolve().parents[3]
SHEETS = sorted((ROOT / "tournaments" / "static").rglob("*.css"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PAGES = [*TEMPLATES, *(ROOT / "tournaments" / "static").rglob("*.js")]
DEFINITION = re.compile(r"(?<![\w(-])(--[\w-]+)\s*:")
DEFINED_BY_A_PAGE = re.compile(r"[\"'`;\s](--[\w-]+)[\"'`:]")


def problems(rules: list) -> list[str]:
    """Return the faults of these rules and the rules inside them: those that a browser would drop."""
    messages = [rule.message for rule in rules if rule.type == "error"]
    for rule in rules:
        if getattr(rule, "content", None) is None:
            continue
        body = tinycss2.parse_blocks_contents(
            rule.content, skip_comments=True, skip_whitespace=True
        )
        names = [part.lower_name for part in body if part.type == "declaration"]
        prelude = tinycss2.serialize(rule.prelude).strip()
        if not body:
            messages.append(f"{prelude} has an empty block")
        messages += [f"{prelude} sets {name} twice" for name in set(names) if names.count(name) > 1]
        messages += problems(body)
    return messages


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_style_sheet_parses_and_says_nothing_twice(sheet: Path) -> None:
    rules = tinycss2.parse_stylesheet(sheet.read_text(), skip_comments=True, skip_whitespace=True)
    assert rules
    assert problems(rules) == []


def test_every_custom_property_is_defined() -> None:
    sheets = "\n".join(sheet.read_text() for sheet in SHEETS)
    pages = "\n".join(page.read_text() for page in PAGES)
    defined = {*DEFINITION.findall(sheets), *DEFINED_BY_A_PAGE.findall(pages)}
    used = set(re.findall(r"var\((--[\w-]+)\s*\)", sheets + pages))
    assert used - defined == set()
    assert len(used) > 10


# A class on a part of a table, and a rule for a class alone that lays elements out.
PART_OF_TABLE = re.compile(r"<(?:table|caption|thead|tbody|tr|th|td)\b[^>]*?\bclass=\"([^\"]*)\"")
LAYOUT = re.compile(r"display: (?:inline-)?(?:block|flex|grid)\b")


def qualified_rules(rules: list) -> Iterator[tuple[list[str], str]]:
    """The selectors and the declarations of each rule, those within `@media` and `@supports` too."""
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = tinycss2.serialize(rule.prelude).split(",")
            yield [selector.strip() for selector in selectors], tinycss2.serialize(rule.content)
        elif getattr(rule, "content", None):
            yield from qualified_rules(
                tinycss2.parse_blocks_contents(
                    rule.content, skip_comments=True, skip_whitespace=True
                )
            )


def classes_by_themselves(sheet: Path, declaration: re.Pattern[str]) -> set[str]:
    """Return classes that a rule of the sheet styles alone, in any context, with such a declaration."""
    rules = tinycss2.parse_stylesheet(sheet.read_text(), skip_comments=True, skip_whitespace=True)
    return {
        selector.removeprefix(".")
        for selectors, content in qualified_rules(rules)
        for selector in selectors
        if re.fullmatch(r"\.[\w-]+", selector) and declaration.search(content)
    }


def test_no_class_takes_a_table_apart() -> None:
    of_tables = {
        name
        for page in TEMPLATES
        for names in PART_OF_TABLE.findall(re.sub(r"\{[{%].*?[%}]\}", " ", page.read_text()))
        for name in names.split()
    }
    apart = {name: sheet.name for sheet in SHEETS for name in classes_by_themselves(sheet, LAYOUT)}
    assert {"number", "name", "chances"} <= of_tables
    assert {name: apart[name] for name in of_tables & apart.keys()} == {}


def test_a_class_means_one_thing_in_all_subjects() -> None:
    """Pages load the sheets of all subjects, so that two rules for one class alone would mix."""
    subjects: dict[str, set[str]] = {}
    for sheet in SHEETS:
        for name in classes_by_themselves(sheet, re.compile("")):
            subjects.setdefault(name, set()).add(sheet.parent.name)
    shared = {name: rooms - {"base"} for name, rooms in subjects.items()}
    assert len(subjects) > 100
    assert {name: rooms for name, rooms in shared.items() if len(rooms) > 1} == {}


@pytest.mark.parametrize(
    "selector",
    [".tabs", "#event-status", ".rounds", ".chip", "td.board a", ".site-footer", "main form"],
)
def test_what_is_only_for_clicking_is_not_printed(selector: str) -> None:
    text = (ROOT / "tournaments" / "static" / "rayuela" / "base" / "print.css").read_text()
    (media,) = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    assert (media.lower_at_keyword, tinycss2.serialize(media.prelude).strip()) == ("media", "print")
    hidden_selectors = [
        tinycss2.serialize(rule.prelude)
        for rule in tinycss2.parse_blocks_contents(media.content, skip_whitespace=True)
        if rule.type == "qualified-rule" and "display: none" in tinycss2.serialize(rule.content)
    ]
    assert selector in [each.strip() for group in hidden_selectors for each in group.split(",")]


def test_the_face_of_headings_is_small_and_has_its_licence_beside_it() -> None:
    (face,) = (ROOT / "tournaments" / "static").rglob("*.woff2")
    assert face.read_bytes()[:4] == b"wOF2"
    assert face.stat().st_size < 25_000
    licence = face.with_name("OFL.txt").read_text()
    assert "Copyright 2011 The Alegreya Project Authors" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    rule = re.search(r"@font-face \{(.*?)\}", (face.parents[1] / "base.css").read_text(), re.DOTALL)
    assert rule
    assert f'url("fonts/{face.name}")' in rule[1]
    assert "font-display: swap;" in rule[1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p { color: red; color: blue }", "p sets color twice"),
        ("p { }", "p has an empty block"),
        ("@media print { p { color red } }", "EOF reached before {} block for a qualified rule."),
    ],
)
def test_a_fault_is_named(text: str, problem: str) -> None:
    assert problem in problems(tinycss2.parse_stylesheet(text, skip_whitespace=True))


def test_each_field_of_a_format_is_hidden_in_the_others() -> None:
    styles = (ROOT / "tournaments/static/rayuela/events/formats.css").read_text()
    for field in {name for each in FORMATS.values() for name in each.fields}:
        rule = f'not(:has(option[data-fields~="{field}"]:checked)) .field-{field}'
        assert rule in styles, field
