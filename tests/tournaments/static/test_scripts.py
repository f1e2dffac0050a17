"""The scripts of the pages: their unit tests in Node, and the common rules of all scripts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted((ROOT / "tournaments" / "static").rglob("*.js"))
NODE = Path(sys.prefix, "bin", "node")


def test_what_a_script_looks_for_by_its_id_stands_in_a_template() -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    ids = set(re.findall(r'\bid="([\w-]+)"', templates))
    names = {
        name: path.name
        for path in SCRIPTS
        for name in re.findall(r'getElementById\("([\w-]+)"\)', path.read_text())
    }
    json_scripts = set(re.findall(r'json_script:"([\w-]+)"', templates))
    assert {name: path for name, path in names.items() if name not in ids | json_scripts} == {}


@pytest.mark.long
@pytest.mark.parametrize("name", ["scripts", "engine", "editor"])
def test_the_unit_tests_of_the_scripts_pass(name: str) -> None:
    path = Path(__file__).with_name(f"{name}.test.mjs")
    written = len(re.findall(r"(?<![.\w])test\(", path.read_text()))
    command = [str(NODE), "--test", str(path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert process.returncode == 0, process.stdout
    (count,) = re.findall(r"^. tests (\d+)$", process.stdout, re.MULTILINE)
    assert int(count) >= written > 0  # one in a loop is several
    assert re.search(r"^. fail 0$", process.stdout, re.MULTILINE), process.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_what_a_script_imports_exists(script: Path) -> None:
    imports = re.findall(r'from "(\.[^"]+)"', script.read_text())
    assert [name for name in imports if not (script.parent / name).resolve().exists()] == []
