"""The commands of the pages for operators (`docs/operate`), and the reason of each that no test can run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.processes import ROOT

PAGES = ROOT / "docs/operate"
_DEPLOYMENT = ROOT / "config/deployment"
_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_LANGUAGES = {"", "sh", "console"}
# A word in a sentence that begins with a program and has arguments is a command too.
_PROGRAM = re.compile(
    r"(?:\w+=\S+ )?(?:\S*/)?(?:python3?|pip|manage\.py|celery|systemctl|docker|git|ssh-keygen|journalctl|npm|skopeo|sysctl|grype) .+"
    r"|\.ci/.+"
)

# The spellings of the site's own Python.
_PYTHON = re.compile(r"^(?:\.venv/bin/)?(?:python3? (?=manage\.py|-)|(?=manage\.py))")


def commands() -> list[str]:
    """Return each command once, in the order of the pages."""
    return list(dict.fromkeys(each for page in sorted(PAGES.glob("*.md")) for each in _of(page)))


def _of(page: Path) -> Iterator[str]:
    text = page.read_text()
    for language, block in _FENCE.findall(text):
        if language in _LANGUAGES:
            yield from (_bare(line) for line in block.splitlines() if line.strip())
    for span in re.findall(r"`([^`\n]+)`", _FENCE.sub("", text)):
        if _PROGRAM.fullmatch(span):
            yield span


def _bare(line: str) -> str:
    """Return the command of a line without its prompt and its comment."""
    return re.sub(r"^[$#] |  +# .*$", "", line.strip()).strip()


@dataclass(frozen=True)
class Elsewhere:
    """Commands that no test runs.

    Attributes:
        pattern: the beginning of the commands.
        reason: why no test runs them.
        check: the rest of their truth, which a test can see. It fails by an assertion.
    """

    pattern: str
    reason: str
    check: Callable[[str], None]


def _offers(*help_of: str) -> Callable[[str], None]:
    """Return a check that the help of the program has each option of the command."""

    def check(command: str) -> None:
        program, *words = help_of
        path = shutil.which(program, path=f"{ROOT}/.venv/bin:/usr/bin:/bin:/usr/local/bin")
        if path is None:
            return
        done = subprocess.run([path, *words], cwd=ROOT, capture_output=True, text=True, check=False)
        text = done.stdout + done.stderr
        for option in re.findall(r"(?<= )--?[\w-]+", command):
            assert re.search(rf"(?<![\w-]){re.escape(option)}\b", text), (command, option)

    return check


def _names_units(command: str) -> None:
    """Every unit of ours has a file, and every instance is one that the unit is for."""
    _program, verb, *words = command.split()
    assert verb in {"start", "stop", "restart", "reload", "status"}, command
    for word in words:
        name, _, instances = word.strip("'").partition("@")
        if not name.startswith("rayuela"):
            assert verb == "status", command
            continue
        suffix = "@" if instances else ""
        assert (_DEPLOYMENT / f"{name}{suffix}.service").is_file(), command
        head = (_DEPLOYMENT / f"{name}{suffix}.service").read_text()
        for instance in re.findall(r"[a-z-]+", instances):
            assert re.search(rf"\b{instance}\b", head), (command, instance)


def _is_a_script(command: str) -> None:
    script = ROOT / command.split()[0]
    assert script.stat().st_mode & 0o111, command
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0, command  # noqa: S607


def _is_a_lock(command: str) -> None:
    assert (ROOT / command.split(" -r ")[1].split()[0]).is_file(), command


def _is_compose(command: str) -> None:
    text = "docker compose build --build-arg BASE=TAG@sha256:..."
    assert command in {text, "docker compose build", "docker compose up --detach"}, command
    assert (_DEPLOYMENT / "compose.yaml").is_file()
    assert re.search(r"^ARG BASE=", (_DEPLOYMENT / "Containerfile").read_text(), re.MULTILINE)


def _is_the_base(command: str) -> None:
    image = command.rpartition("docker://")[2]
    assert f"ARG BASE={image}" in (_DEPLOYMENT / "Containerfile").read_text(), command


def _is_published(command: str) -> None:
    assert "requirements" in command
    assert ".cdx.json" in (ROOT / ".ci/release").read_text()


def _is_believed(command: str) -> None:
    """Accept it: nothing of it is ours."""


_LOADS = "it loads packages of a registry"
_UPSTREAM = "it needs the repository of the project or a release of it"
ELSEWHERE = (
    Elsewhere("systemctl ", "it needs systemd as the first process", _names_units),
    Elsewhere("journalctl ", "it needs the log of systemd", _offers("journalctl", "--help")),
    Elsewhere("docker compose ", "it needs a daemon of containers", _is_compose),
    Elsewhere("skopeo inspect ", "it asks a registry of images", _is_the_base),
    Elsewhere("sysctl ", "it sets the kernel of the machine", _is_believed),
    Elsewhere("npm pack ", _LOADS, _offers("npm", "pack", "--help")),
    Elsewhere("pip download ", _LOADS, _offers("pip", "download", "--help")),
    Elsewhere("pip install --require-hashes ", _LOADS, _is_a_lock),
    Elsewhere(".venv/bin/pip install ", _LOADS, _is_a_lock),
    Elsewhere("/opt/flower/bin/", _LOADS, _is_believed),
    Elsewhere(
        ".venv/bin/python -m engine.toolchain install ",
        "it needs an archive of a registry",
        _offers(f"{ROOT}/.venv/bin/python", "-m", "engine.toolchain", "install", "--help"),
    ),
    Elsewhere("grype ", "it is a program of others, with a list from the internet", _is_published),
    Elsewhere("git pull", _UPSTREAM, _is_believed),
    Elsewhere("git fetch ", _UPSTREAM, _offers("git", "fetch", "-h")),
    Elsewhere("git checkout ", _UPSTREAM, _is_believed),
    Elsewhere("git tag ", "it needs the key of the maintainers", _offers("git", "tag", "-h")),
    Elsewhere(".ci/audit", "it needs the list of known faults on the internet", _is_a_script),
    Elsewhere(".ci/run", "it runs all tests, this one too", _is_a_script),
    Elsewhere(".ci/release", "`.ci/run` runs it with `--try`", _is_a_script),
    Elsewhere(
        "python -m tests.bench.load capacity",
        "it measures for minutes",
        _offers(f"{ROOT}/.venv/bin/python", "-m", "tests.bench.load", "--help"),
    ),
    Elsewhere(
        "python -m engine verify",
        "it reads the transcript of a match",
        _offers(f"{ROOT}/.venv/bin/python", "-m", "engine", "verify", "--help"),
    ),
    Elsewhere("python -m tests.bench.league", "it simulates for minutes", _is_believed),
)


def elsewhere(command: str) -> Elsewhere | None:
    """Return the reason for which no test runs the command, if there is one."""
    return next((each for each in ELSEWHERE if command.startswith(each.pattern)), None)


def runnable() -> list[str]:
    """Return the commands that a test runs, without those that are a part of another, such as `manage.py setup`."""
    own = [_PYTHON.sub("python ", each) for each in commands() if elsewhere(each) is None]
    unique = list(dict.fromkeys(own))
    return [
        each
        for each in unique
        if not any(set(each.split()) < set(other.split()) for other in unique)
    ]
