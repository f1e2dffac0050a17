"""Versions sent as source in C: built by a machine with a compiler, refused with its log, and left to it by others."""

from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings

from engine import sdk, toolchain
from engine.programs import UploadRefusedError
from tests import compiler
from tests.engine.programs.zips import zip_of
from tests.tournaments import pages, uploads
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Bot, Build, Player, Program, SandboxReport, User
from tournaments.queries.bots import sandboxes
from tournaments.queues import Queue
from tournaments.services.bots import checks, programs, sandbox_status

SAMPLES = Path(sdk.__file__).parent / "samples"
SAMPLE = (SAMPLES / "wasm/morlox.c").read_bytes()
TYPESCRIPT = (SAMPLES / "typescript/morlox.ts").read_bytes()


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def reported(db: None) -> None:
    """A worker of the site has a compiler."""
    SandboxReport.objects.create(
        host="far",
        queue=Queue.CHECKS,
        isolator="bwrap",
        compiler="clang 22.1.0",
        checked_at=database_time.now(),
    )


@pytest.fixture
def here(reported: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has the compiler, too, and a sandbox."""
    uploads.require_box()
    monkeypatch.setattr(sandbox_status, "_self_test", sandbox_status.SelfTest())
    (tmp_path / "toolchain").symlink_to(compiler.FOLDER)


def _send(author: User, source: bytes = SAMPLE, name: str = "Nilo", filename: str = "bot.c") -> Bot:
    return uploads.line(author, name, data=source, filename=filename)


def test_a_source_is_refused_where_no_worker_has_a_compiler(ana: User) -> None:
    with pytest.raises(RefusedError) as caught:
        _send(ana)
    assert caught.value.code == "program-no-compiler"


@pytest.mark.long
def test_a_source_waits_for_a_machine_with_a_compiler(reported: None, ana: User) -> None:
    uploads.require_box()
    bot = _send(ana)
    assert not checks.check(bot.pk)
    assert not checks.check_next()
    bot.refresh_from_db()
    assert (bot.state, bot.check_attempts) == (Bot.State.CHECKING, 0)


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.engine
def test_a_source_is_built_and_plays_as_a_module(here: None, ana: User, ben: User) -> None:
    bot = _send(ana)
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert bot.state == Bot.State.READY, bot.check_log
    program = programs.of(bot)
    assert (program.kind, program.runnable.kind) == (Program.Kind.SOURCE, Program.Kind.WASM)
    assert bot.check_log.startswith(f"clang 22.1.0: a module of {program.runnable.size_bytes}")
    assert Player.objects.metered().filter(bot=bot).exists()
    assert programs.spec(bot, 1, fuel=10**7).argv[2].endswith("main.wasm")
    # An equal source of another author is not built again.
    other = programs.of(_send(ben, name="Otra"))
    assert other == program
    log = io.StringIO()
    programs.build(other, log)
    assert bot.check_log.startswith(log.getvalue())
    assert Build.objects.count() == 1


@pytest.mark.long
@pytest.mark.engine
def test_typescript_is_built_and_plays_where_no_compiler_is_installed(db: None, ana: User) -> None:
    uploads.require_box()
    bot = _send(ana, TYPESCRIPT, filename="bot.ts")
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert bot.state == Bot.State.READY, bot.check_log
    program = programs.of(bot)
    assert (program.language, program.runnable.kind) == ("TypeScript", Program.Kind.WASM)
    assert Player.objects.metered().filter(bot=bot).exists()
    assert bot.check_log.startswith("sucrase 3.35.1: a module of")


@pytest.mark.parametrize(("filename", "builds"), [("bot.zig", False), ("bot.c", True)])
def test_a_compiler_builds_its_languages_only(reported: None, filename: str, builds: bool) -> None:
    assert sandboxes.builds(filename) is builds


def test_the_page_of_an_upload_names_the_compilers_of_workers(reported: None, ana: User) -> None:
    page = pages.text_of(pages.member(ana).get("/bots/new/").content)
    assert "C, C++ clang 22.1.0, to WebAssembly" in page
    assert "Go no compiler here: send a .wasm module" in page
    SandboxReport.objects.update(compiler="clang 22.1.0, go 1.27.3")
    page = pages.text_of(pages.member(ana).get("/bots/new/").content)
    assert "Go go 1.27.3, one file, to WebAssembly" in page


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.engine
def test_an_archive_of_sources_is_built_and_plays(here: None, ana: User) -> None:
    """The sample with its first lines in a header."""
    head, rest = SAMPLE.split(b"\n\n", 1)
    archive = zip_of(("main.c", b'#include "head.h"\n' + rest), ("head.h", head))
    bot = _send(ana, archive, filename="bot.zip")
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert bot.state == Bot.State.READY, bot.check_log
    program = programs.of(bot)
    assert (program.kind, program.runnable.kind) == (Program.Kind.SOURCE, Program.Kind.WASM)
    assert programs.name_of(bot, program).endswith(".zip")


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.engine
def test_a_faulty_source_is_refused_with_what_the_compiler_said(here: None, ana: User) -> None:
    bot = _send(ana, b"int main(void) { return x; }")
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert (bot.state, bot.state_code) == (Bot.State.REFUSED, "program-does-not-compile")
    assert "use of undeclared identifier 'x'" in bot.check_log
    assert bot.state_parts["output"].startswith("main.c:1:25: error")


@pytest.mark.parametrize(
    ("log", "fault"),
    [
        (
            "ERROR TS2304: Cannot find name 'x'.\n   :\n 1 │ x();\n\nFAILURE 1 compile error(s)",
            "ERROR TS2304: Cannot find name 'x'.",
        ),
        ("note: 1\nmain.c:1:25: error: no 'x'\n1 error", "main.c:1:25: error: no 'x'"),
    ],
    ids=["asc", "clang"],
)
def test_the_first_fault_is_the_reason_of_a_refusal(
    db: None, monkeypatch: pytest.MonkeyPatch, log: str, fault: str
) -> None:
    tool = mock.Mock(spec=toolchain.Tool)
    tool.build.return_value = toolchain.Build(None, log)
    monkeypatch.setattr(toolchain, "tool_for", lambda *_: tool)
    with pytest.raises(UploadRefusedError) as caught:
        programs.build(programs.keep(data=b"x();", filename="bot.as"), io.StringIO())
    assert caught.value.parts["output"] == fault


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.engine
def test_a_source_of_a_large_module_is_refused(here: None, ana: User) -> None:
    bot = _send(ana, b"char table[9 << 20] = {1}; int main(int n, char **v) { return table[n]; }")
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert (bot.state, bot.state_code) == (Bot.State.REFUSED, "program-upload-too-large")


@compiler.NEEDED
def test_a_worker_reports_its_compiler(here: None) -> None:
    sandbox_status.serve([Queue.CHECKS])
    assert sandbox_status.examine()
    assert sandboxes.compilers("clang") == ["clang 22.1.0"]
    assert {box.compiler for box in sandboxes.boxes(database_time.now())} == {"clang 22.1.0"}
