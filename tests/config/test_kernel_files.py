"""The engine of the pages as static files: the files, their policy, and their size."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from config import bundles
from config.kernel_files import ModuleFinder
from engine.javascript import INTERPRETER, LIBRARY, TRANSPILER
from engine.kernel.build import MODULE

KERNEL, WORKER = "rayuela/engine/kernel.wasm", "rayuela/engine/worker.js"
# All that the engine adds to a page, compressed: the module, its worker, and its parts of the bundles.
MOST_BYTES = 150_000


def _answer(client: Client, name: str) -> tuple[dict[str, str], bytes]:
    answer = client.get(staticfiles_storage.url(name), headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    return dict(answer.items()), answer.getvalue()


def test_the_kernel_is_served_from_where_it_lies(client: Client) -> None:
    assert finders.find(KERNEL) == str(MODULE)
    assert re.search(r"\?v=[0-9a-f]{12}$", staticfiles_storage.url(KERNEL))
    headers, body = _answer(client, KERNEL)
    assert headers["Content-Type"] == "application/wasm"
    assert headers["Cache-Control"] == "max-age=315360000, public, immutable"
    assert gzip.decompress(body) == MODULE.read_bytes()


def test_the_interpreter_of_bots_is_served_from_where_it_lies(client: Client) -> None:
    headers, body = _answer(client, "rayuela/bots/interpreter.wasm")
    assert headers["Content-Type"] == "application/wasm"
    assert gzip.decompress(body) == INTERPRETER.read_bytes()


@pytest.mark.parametrize("place", [LIBRARY, TRANSPILER], ids=lambda place: place.name)
def test_the_programs_that_remove_types_are_those_of_builds(client: Client, place: Path) -> None:
    _headers, body = _answer(client, f"rayuela/bots/{place.name}")
    assert gzip.decompress(body) == place.read_bytes()


def test_nothing_else_of_its_folder_is_served(client: Client) -> None:
    assert {name for name, _storage in ModuleFinder().list(None)} == {
        "kernel.wasm",
        "interpreter.wasm",
        "sucrase.js",
        "transpile.js",
    }
    for name in ("build.py", "source/exports.cpp", "../kernel/kernel.wasm"):
        assert not finders.find(f"rayuela/engine/{name}")
        assert client.get(f"/static/rayuela/engine/{name}").status_code == 404


@pytest.mark.parametrize("name", [WORKER, "rayuela/bots/worker.js"])
def test_a_worker_may_compile_a_module_and_do_nothing_else(client: Client, name: str) -> None:
    headers, _body = _answer(client, name)
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'"
    )
    assert "Content-Security-Policy" not in _answer(client, KERNEL)[0]
    assert "Content-Security-Policy" not in _answer(client, "rayuela/site.js")[0]


def test_the_worker_of_python_may_import_scripts_of_the_site_too(client: Client) -> None:
    headers, _body = _answer(client, "rayuela/bots/python.js")
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    )


def test_the_engine_costs_a_page_150_kilobytes_at_most() -> None:
    parts = list((bundles.PARTS / "engine").iterdir())
    bytes_of = {path.name: len(gzip.compress(path.read_bytes())) for path in [MODULE, *parts]}
    assert {"kernel.wasm", "worker.js", "panel.js", "engine.css"} <= bytes_of.keys()
    assert sum(bytes_of.values()) <= MOST_BYTES, bytes_of
