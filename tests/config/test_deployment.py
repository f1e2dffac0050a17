"""The files of a deployment agree with the code: variables, queues, commands, and the document that explains them."""

from __future__ import annotations

import fnmatch
import functools
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
import yaml
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from config import supervisor
from tests import processes, servers
from tests.faults import parts
from tests.processes import ROOT
from tournaments.queues import SANDBOXED, Queue

FOLDER = ROOT / "config" / "deployment"
GUIDE = (ROOT / "docs/operate/configure.md").read_text()
UNITS = sorted(FOLDER.glob("rayuela-*.service"))
COMMON = (FOLDER / "rayuela-.service.d/common.conf").read_text()
# Variables of the database's own image, not ours.
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


def _workers() -> dict[str, list[str]]:
    """Return the arguments of `celery` in compose.yaml for each queue."""
    compose = (FOLDER / "compose.yaml").read_text()
    lines = re.findall(r'command: (\["celery", .*"worker".*\])', compose)
    commands = [json.loads(line)[1:] for line in lines]
    return {command[command.index("-Q") + 1]: command for command in commands}


SERVICES = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]


@pytest.mark.parametrize("name", OURS)
def test_a_container_has_few_rights_and_ends_in_peace(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges" in service["security_opt"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    patience_s = int(service["stop_grace_period"].removesuffix("s"))
    assert patience_s > settings.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT
    command = service["command"]
    assert ("celery" in command) == (service.get("environment") == {"REMAP_SIGTERM": "SIGQUIT"})
    # The check of the image asks the site, which only `web` is.
    assert ("serve" in command) != ("healthcheck" in service)


@pytest.mark.parametrize("queue", Queue)
def test_a_container_has_room_for_the_processes_of_its_worker(queue: Queue) -> None:
    """A process that has grown is replaced before the system kills one."""
    command = _workers()[queue]
    processes_count = int(command[command.index("-c") + 1])
    limit_kb = settings.CELERY_WORKER_MAX_MEMORY_PER_CHILD
    assert limit_kb is not None
    room_kb = int(SERVICES[queue]["mem_limit"].removesuffix("g")) * 1024**2
    assert (processes_count + 0.5) * limit_kb <= room_kb


def test_containers_of_uploaded_programs_have_no_secret_of_the_site() -> None:
    apart = {name for name in OURS if SERVICES[name]["env_file"] == ".env.bots"}
    assert apart == set(SANDBOXED)
    unconfined = {name for name in OURS if "seccomp=unconfined" in SERVICES[name]["security_opt"]}
    assert unconfined == apart
    assert _is_ignored(PurePosixPath("config/deployment/.env.bots"))


def test_every_server_of_compose_says_whether_it_is_ready() -> None:
    for name in set(SERVICES) - set(OURS) - {"proxy"}:
        assert "test" in SERVICES[name]["healthcheck"], name
    # Floating tags have at least the release that the code is tested with.
    assert all(":" in SERVICES[name]["image"] for name in set(SERVICES) - set(OURS))


def test_the_guide_starts_workers_as_compose_does() -> None:
    """Each worker has a pool of processes. The machine decides its size."""
    assert all("-c" in command and "--pool" not in command for command in _workers().values())

    def options(command: list[str]) -> list[str]:
        return re.sub(r" -c (\d+|\$\(\(.*?\)\))", "", " ".join(command)).split()

    in_guide = [line.split() for line in re.findall(r"celery (-A .* worker .*)", GUIDE)]
    assert [options(each) for each in in_guide] == [options(each) for each in _workers().values()]


@pytest.mark.django_db
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no Redis here")
@pytest.mark.long
def test_a_worker_of_ticks_outlives_a_restart_of_redis(tmp_path: Path) -> None:
    """Celery's pool `solo` ended permanently in some restarts of Redis."""
    port = servers.free_port()
    redis = parts.redis(tmp_path, port)
    variables = {"REDIS_URL": f"redis://127.0.0.1:{port}/0"}
    log = tmp_path / "worker"
    redis.start()
    try:
        with (
            log.open("wb") as stderr,
            processes.program(["-m", "celery", *_workers()["ticks"]], variables, stderr) as worker,
        ):
            processes.until(lambda: _is_listened_to(port))
            redis.stop()
            processes.until(lambda: worker.poll() is not None or b"lost" in log.read_bytes())
            redis.start()
            processes.until(lambda: worker.poll() is not None or _is_listened_to(port))
            assert worker.poll() is None, log.read_text()
    finally:
        redis.stop()


def _is_listened_to(port: int) -> bool:
    """Return whether a worker waits for messages of that Redis."""
    try:
        with Redis(port=port) as client:
            return any(each["cmd"] == "brpop" for each in client.client_list())
    except RedisError:
        return False


def test_somebody_works_for_every_queue() -> None:
    queues = set(_workers())
    children = supervisor._site_and_workers(supervisor._parser().parse_args([]))
    assert queues == set(Queue)
    assert Counter(queue for child in children for queue in child.queues) == Counter(Queue)
    for queue in queues:
        assert f"-Q {queue}" in GUIDE


def test_each_worker_of_a_host_has_a_name_of_its_own() -> None:
    """Celery's remote control cannot tell two workers of one name apart."""
    commands = re.findall(r"celery -A .* worker .*", GUIDE)
    names = re.findall(r" -n (\S+)@%h ", "\n".join(commands))
    assert len(set(names)) == len(commands)
    for unit in ("worker", "bots"):
        assert " -n %i@%%h -Q %i " in (FOLDER / f"rayuela-{unit}@.service").read_text()
    children = supervisor._site_and_workers(supervisor._parser().parse_args([]))
    assert len({child.name for child in children}) == len(children)


# The parts that run until they are stopped, and the word of the guide with which each begins.
PARTS = {
    "rayuela-web": "serve",
    "rayuela-beat": "beat",
    "rayuela-worker@": "worker",
    "rayuela-bots@": "worker",
}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_what_the_guide_starts(unit: Path) -> None:
    text = unit.read_text()
    (command,) = re.findall(r"^ExecStart=/opt/rayuela/(\S+ .*)$", text, re.MULTILINE)
    if unit.stem in PARTS:
        assert f" {PARTS[unit.stem]}" in command
        assert "Restart=always" in text
    else:
        assert "Type=oneshot" in text
    program = command.split()[0]
    assert program.startswith(".venv/bin/") or (FOLDER / Path(program).name).is_file()


def test_units_of_workers_serve_every_queue() -> None:
    sandboxed = (FOLDER / "rayuela-bots@.service").read_text().splitlines()[:2]
    others = (FOLDER / "rayuela-worker@.service").read_text().splitlines()[:2]
    words = {
        name: set(re.findall(r"[a-z-]+", " ".join(text)))
        for name, text in (("bots", sandboxed), ("worker", others))
    }
    assert set(SANDBOXED) <= words["bots"]
    assert set(Queue) - set(SANDBOXED) <= words["worker"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_is_exposed_little(unit: Path, tmp_path: Path) -> None:
    """`systemd-analyze security` says at most 4 of 10."""
    shutil.copytree(FOLDER, tmp_path / "etc/systemd/system")
    name = unit.name.replace("@", "@bots")
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        f"--root={tmp_path}",
        "--threshold=40",
        name,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_knows_every_word_of_a_unit(unit: Path, tmp_path: Path) -> None:
    units, code = tmp_path / "units", tmp_path / "code"
    shutil.copytree(FOLDER, units)
    for file in (".venv/bin/python", ".venv/bin/celery", "config/deployment/backup"):
        (code / file).parent.mkdir(parents=True, exist_ok=True)
        (code / file).touch(mode=0o755)
    for path in units.rglob("rayuela-*"):
        if path.is_file():
            path.write_text(path.read_text().replace("/opt/rayuela", str(code)))
    for path in units.rglob("*.conf"):
        path.write_text(path.read_text().replace("/opt/rayuela", str(code)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit.name.replace("@.", "@bots.")],  # noqa: S607
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_workers_of_uploaded_programs_have_no_secret_of_the_site() -> None:
    text = (FOLDER / "rayuela-bots@.service.d/sandbox.conf").read_text()
    # An empty line removes those of common.conf.
    assert "EnvironmentFile=\nEnvironmentFile=/etc/rayuela-bots.env\n" in text
    assert "User=rayuela-bots\n" in text
    assert "User=rayuela\n" in COMMON
    drop_ins = ["common.conf", "sandbox.conf"]
    assert drop_ins == sorted(drop_ins), "the later name counts"


def test_the_image_holds_what_the_code_imports_and_the_pages_of_help() -> None:
    image = (FOLDER / "Containerfile").read_text()
    folders = set(re.findall(r"^COPY (\w+) \1$", image, re.MULTILINE))
    assert folders == {"config", "docs", "engine", "games", "templates", "tournaments"}
    assert "SECRET_KEY=of-the-build" in image
    assert "--require-hashes" in image
    # `manage.py backup` asks pg_dump, which must not be older than the server of compose.yaml.
    (version,) = re.findall(
        r"docker.io/library/postgres:(\d+)", (FOLDER / "compose.yaml").read_text()
    )
    assert f"postgresql-client-{version}" in image


def test_each_instruction_of_the_image_is_one_of_containerfiles() -> None:
    """The nearest to a build on a machine without a registry of images."""
    text = (FOLDER / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    words = [word for word, _ in lines]
    assert set(words) <= {"ARG", "FROM", "LABEL", "RUN", "WORKDIR", "COPY", "ENV", "USER",
                          "EXPOSE", "HEALTHCHECK", "CMD"}  # fmt: skip
    assert words[:2] == ["ARG", "FROM"]
    # After this line no instruction is of root.
    assert ["USER", "rayuela"] in lines
    assert "RUN" not in words[words.index("USER") :]
    for word, rest in lines:
        if word == "COPY":
            *sources, _target = rest.split()
            assert all((ROOT / source).exists() for source in sources), rest
        if word == "CMD":
            assert json.loads(rest)[:3] == ["python", "manage.py", "serve"]


def _copied(path: str) -> bool:
    """Return whether a COPY of the Containerfile takes the file, as far as `.dockerignore` lets it."""
    image = (FOLDER / "Containerfile").read_text()
    sources = {
        PurePosixPath(source)
        for line in re.findall(r"^COPY (.+) \S+$", image, re.MULTILINE)
        for source in line.split()
    }
    file = PurePosixPath(path)
    return bool(sources & {file, *file.parents}) and not _is_ignored(file)


def _is_ignored(file: PurePosixPath) -> bool:
    """Return whether Docker ignores the path: a pattern is for a path and all below it, and the last one decides."""
    verdict = False
    for is_exception, pattern in _ignore_lines():
        if any(pattern.fullmatch(str(each)) for each in (file, *file.parents)):
            verdict = not is_exception
    return verdict


@functools.cache
def _ignore_lines() -> list[tuple[bool, re.Pattern[str]]]:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    return [
        (line.startswith("!"), re.compile(_expression(line.removeprefix("!"))))
        for line in lines
        if line and not line.startswith("#")
    ]


def _expression(glob: str) -> str:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return "".join(parts.get(piece, re.escape(piece)) for piece in pieces)


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "config/.env",
        "config/.env.production",
        "config/deployment/.env",
        "config/deployment/production.env",
        "config/deployment/secrets.txt",
        "config/tls.key",
        "engine/sandbox/client.pem",
        "tournaments/rayuela.sqlite3",
        "tournaments/var/secret-key",
        "var/secret-key",
        ".git/config",
    ],
)
def test_no_secret_gets_into_the_image(path: str) -> None:
    assert not _copied(path)


@pytest.mark.long
def test_everything_that_the_image_needs_gets_into_it() -> None:
    folders = ("config", "engine", "games", "templates", "tournaments")
    files = ["manage.py", "pyproject.toml", "requirements.lock"]
    files += [
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    lost = {path for path in files if not _copied(path)}
    assert lost == {path for path in files if path.startswith("config/deployment/")}


def test_git_does_not_take_variables_of_an_installation() -> None:
    patterns = (ROOT / ".gitignore").read_text().split()
    for name in (".env", ".env.bots", "production.env"):
        assert any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
