"""One style sheet and one script for all pages: their parts, and their storage."""

from __future__ import annotations

import re
import subprocess
import sys
from graphlib import CycleError
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import bundles
from tests.processes import ROOT

NODE = Path(sys.prefix, "bin", "node")
NAMED = re.compile(r'<meta name="rayuela-script" content="([^"]+)">')


def _run(parts: dict[str, str], *, named: list[str]) -> list[str]:
    """Return the logs of the bundle of `parts` on a page that names these."""
    metas = ", ".join(f'{{ content: "{name}" }}' for name in named)
    page = f"globalThis.document = {{ querySelectorAll: () => [{metas}] }};"
    page += "globalThis.reportError = (error) => console.log(error.message);"
    process = subprocess.run(
        [str(NODE), "--input-type=module"],
        input=page + bundles.script(parts),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.split("\n")[:-1]


def test_every_style_sheet_has_its_place_in_the_order() -> None:
    names = [path.relative_to(bundles.PARTS).as_posix() for path in bundles.PARTS.rglob("*.css")]
    assert sorted(bundles.SHEETS) == sorted(names)


def test_a_part_runs_once_when_a_page_names_it_and_what_it_imports_before() -> None:
    parts = {
        "a/one": 'import { say, Word } from "../b/two.js";\nsay(new Word().text);\n',
        "a/other": 'import { say } from "../b/two.js";\nsay("other");\n',
        "a/unnamed": 'console.log("unnamed");\n',
        "b/two": (
            'console.log("two");\n'
            "export function say(word) {\n  console.log(word);\n}\n"
            'export class Word {\n  text = "one";\n}\n'
        ),
    }
    assert _run(parts, named=["a/one", "a/other"]) == ["two", "one", "other"]


def test_a_part_that_fails_does_not_stop_the_others() -> None:
    parts = {"bad": 'throw new Error("bad");\n', "good": 'console.log("good");\n'}
    assert _run(parts, named=["bad", "good"]) == ["bad", "good"]


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;\n",
        "export { a };\n",
        'import * as all from "./a.js";\n',
        'import "./a.js";\n',
        'const late = () => import("./a.js");\n',
        "const here = import.meta.url;\n",
    ],
)
def test_a_way_to_import_or_export_that_no_bundle_knows_is_refused(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="has no place in a bundle"):
        bundles.script({"a": "\n", "b": text})


def test_a_circle_of_imports_is_refused() -> None:
    with pytest.raises(CycleError):
        bundles.script(
            {
                "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
            }
        )


def test_what_pages_name_is_a_part_and_every_part_is_used() -> None:
    parts = {path.relative_to(bundles.PARTS).as_posix() for path in bundles.PARTS.rglob("*.js")}
    pages = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    named = {f"{name}.js" for name in NAMED.findall(pages)}
    assert named <= parts
    imports = (
        re.findall(r'from "\.[./]*([^"]+)"', (bundles.PARTS / name).read_text()) for name in parts
    )
    imported = {Path(name).name for names in imports for name in names}
    unused = {name for name in parts - named if Path(name).name not in imported}
    assert unused == set(bundles.SEPARATE)


def test_a_page_takes_one_style_sheet_and_one_script(client: Client, db: None) -> None:
    page = client.get("/games/morelli/").content.decode()
    assert len(re.findall('rel="stylesheet"', page)) == 1
    assert len(re.findall(r"<script\b", page)) == 1


@pytest.mark.parametrize(
    "name", ["site.css", "site.js", "base/logo.svg", "base/fonts/alegreya-bold.woff2"]
)
def test_a_file_is_kept_for_good_under_an_address_with_its_version(
    client: Client, name: str
) -> None:
    address = staticfiles_storage.url(f"rayuela/{name}")
    assert re.search(r"\?v=[0-9a-f]{12}$", address)
    answer = client.head(address)
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "max-age=315360000, public, immutable"


def test_the_style_sheet_names_files_that_exist_with_their_versions() -> None:
    named = re.findall(r'url\("([^"]+)"\)', bundles.style_sheet())
    assert named
    for address in named:
        path = address.partition("?")[0].removeprefix("/static/")
        assert finders.find(path)
        assert staticfiles_storage.url(path) == address


def test_a_file_of_the_admin_is_not_kept_for_good(client: Client) -> None:
    answer = client.head("/static/admin/css/base.css")
    assert answer["Cache-Control"] == "max-age=60, public"
