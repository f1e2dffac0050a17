"""The files of a deployment agree with the code: variables, queues, commands, and the document that explains them."""

from __future__ import annotations

import re

import pytest

from config import supervisor
from tests.processes import ROOT

FOLDER = ROOT / "config" / "deployment"
GUIDE = (ROOT / "docs" / "operations.md").read_text()
UNITS = sorted(FOLDER.glob("*.service"))
# Of the database's own image, not ours.
OF_OTHERS = {"POSTGRES_PASSWORD", "POSTGRES_USER", "POSTGRES_DB"}


def _names(text: str) -> set[str]:
    return set(re.findall(r"^(?:# )?([A-Z_]+)=", text, re.MULTILINE))


def test_every_variable_of_the_example_is_explained_and_read() -> None:
    names = _names((FOLDER / "env.example").read_text()) - OF_OTHERS
    assert names >= {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "SITE_URL", "ALLOWED_HOSTS"}
    source = "".join(path.read_text() for path in (ROOT / "config").glob("*.py"))
    for name in names:
        assert f"`{name}`" in GUIDE, name
        assert f'"{name}"' in source or name in {"SECRET_KEY"}, name


def test_somebody_works_for_every_queue() -> None:
    compose = (FOLDER / "compose.yaml").read_text()
    queues = set(re.findall(r'"-Q", "(\w+)"', compose))
    children = supervisor._site_and_workers(supervisor._parser().parse_args([]))
    names = {child.name for child in children} - {"site"}
    ours = {"clock": "ticks", "main": "default"}
    assert queues == {ours.get(name, name) for name in names}
    for queue in queues:
        assert f"-Q {queue}" in GUIDE


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_what_the_guide_starts(unit) -> None:
    text = unit.read_text()
    (command,) = re.findall(r"^ExecStart=/opt/rayuela/\.venv/bin/(\S+) (.*)$", text, re.MULTILINE)
    program, arguments = command
    assert program in {"python", "celery"}
    assert arguments.split()[:3] == (
        ["manage.py", "serve", "--processes"]
        if program == "python"
        else ["-A", "config.celery", arguments.split()[2]]
    )
    assert "Restart=always" in text
    assert "User=rayuela" in text


def test_the_image_holds_what_the_code_imports() -> None:
    image = (FOLDER / "Containerfile").read_text()
    folders = set(re.findall(r"^COPY (\w+) \1$", image, re.MULTILINE))
    assert folders == {"config", "engine", "games", "templates", "tournaments"}
    assert "SECRET_KEY=of-the-build" in image
    assert "--require-hashes" in image
