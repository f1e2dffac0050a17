"""No sandbox, no game: the missing part is named, and no foreign program runs."""

from __future__ import annotations

import io
import multiprocessing
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import __main__ as command
from engine import sandbox
from engine.errors import EngineError, LaunchError
from engine.match import BotSpec
from engine.process import Launch, unconfined
from engine.sandbox import choice, interpreters, landlock, selftest, users
from engine.sandbox.bubblewrap import Bubblewrap
from engine.sandbox.landlock import Landlock
from engine.sandbox.refusals import IsolationReason, NoIsolationError, UnavailableError
from engine.sandbox.selftest import SelfTest
from tests.engine.sandbox import children

pytestmark = pytest.mark.engine


@pytest.fixture(autouse=True)
def forget():
    """Forget the facts about the machine, which are found out once.

    Here they change from test to test.
    """
    interpreters.find.cache_clear()
    users._try_to_become.cache_clear()
    yield
    interpreters.find.cache_clear()
    users._try_to_become.cache_clear()


@dataclass(frozen=True)
class Sieve:
    """A sandbox without protection: programs run with the rights of the worker's user, unchanged."""

    name = "sieve"

    def launcher(self, limits=None, slot=0):
        def launch(bot: BotSpec) -> Launch:
            if bot.tree is None:
                return unconfined(bot)
            program = bot.argv[1].replace("/bot", bot.tree)
            root = str(Path(sandbox.__file__).parents[2])
            starter = (
                f"import sys, runpy; sys.path.insert(0, {root!r}); sys.argv = sys.argv[1:];"
                "runpy.run_path(sys.argv[0], run_name='__main__')"
            )
            argv = [sys.executable, "-B", "-c", starter, program, *bot.argv[2:]]
            return Launch(argv, environment=dict(os.environ))

        return launch


@pytest.fixture(scope="module")
def sieve():
    """Return the reports of the probes without a sandbox."""
    return selftest.run(Sieve())


@pytest.fixture
def passing(monkeypatch):
    """Make self-tests pass, in no time."""
    outcomes = tuple(selftest.ProbeOutcome(probe, True, "EPERM") for probe in selftest.PROBES)
    monkeypatch.setattr(selftest, "run", lambda isolator: SelfTest(isolator.name, outcomes))


def without(monkeypatch, *names):
    """Isolators that are not there."""

    def missing():
        raise UnavailableError(IsolationReason.NO_BUBBLEWRAP, "not here")

    isolators = {
        name: missing if name in names else find for name, find in choice.ISOLATORS.items()
    }
    monkeypatch.setattr(choice, "ISOLATORS", isolators)


@pytest.mark.parametrize("name", choice.ISOLATORS)
@pytest.mark.long
def test_every_probe_is_stopped_in_the_box(name):
    if reason := children.missing(name):
        pytest.skip(f"no such box on this machine: {reason}")
    finding = choice.examine(name)
    assert finding.selftest is not None
    assert finding.selftest.leaks == ""
    assert [outcome.probe for outcome in finding.selftest.outcomes] == list(selftest.PROBES)
    assert finding.refusal is None


@pytest.mark.long
def test_workers_of_one_machine_test_their_sandboxes_in_turn(monkeypatch):
    # The probes of two self-tests together could reach the limit of their user's processes.
    fork = multiprocessing.get_context("fork")
    running = fork.Semaphore(1)
    overlaps = fork.SimpleQueue()

    def run(isolator):
        is_alone = running.acquire(block=False)
        overlaps.put(not is_alone)
        sum(range(1_000_000))  # long enough for the others to come
        if is_alone:
            running.release()

    monkeypatch.setattr(selftest, "_run", run)
    workers = [fork.Process(target=selftest.run, args=(Sieve(),)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [overlaps.get() for _ in workers] == [False] * 3


@pytest.mark.long
def test_probes_leak_where_there_is_no_box(sieve):
    outcomes = {outcome.probe: outcome for outcome in sieve.outcomes}
    leaks = {name for name, outcome in outcomes.items() if not outcome.is_stopped}
    assert leaks >= {"reads-files", "reads-processes", "writes-files", "inherits"}
    assert leaks >= {"connects", "forks", "takes-memory", "signals", "outlives", "calls"}
    assert outcomes["thinks"].is_stopped


def test_leak_refuses_the_isolator_and_says_what_leaked(monkeypatch, sieve):
    monkeypatch.setattr(selftest, "run", lambda _: sieve)
    monkeypatch.setattr(choice, "ISOLATORS", {"sieve": Sieve})
    with pytest.raises(NoIsolationError) as caught:
        sandbox.choose()
    assert caught.value.refusals["sieve"].reason is IsolationReason.LEAKED
    assert "forks: fork" in caught.value.refusals["sieve"].detail


def test_bubblewrap_is_taken_before_landlock_and_landlock_for_want_of_it(monkeypatch, passing):
    if any(children.missing(name) for name in choice.ISOLATORS):
        pytest.skip("needs both isolators")
    assert sandbox.choose().name == "bwrap"
    without(monkeypatch, "bwrap")
    assert sandbox.choose().name == "landlock"


def test_without_any_isolator_there_is_an_error_with_every_reason(monkeypatch):
    without(monkeypatch, "bwrap", "landlock")
    with pytest.raises(EngineError) as caught:
        sandbox.choose()
    assert isinstance(caught.value, NoIsolationError)
    assert caught.value.code == "no-isolation"
    assert set(caught.value.refusals) == {"bwrap", "landlock"}
    assert "bubblewrap missing (not here)" in str(caught.value)


def refusal_of(find):
    with pytest.raises(UnavailableError) as caught:
        find()
    return caught.value.refusal


def test_missing_bubblewrap_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert refusal_of(Bubblewrap.here).reason is IsolationReason.NO_BUBBLEWRAP


@pytest.mark.parametrize(
    ("complaint", "reason"),
    [
        (
            "No permissions to create new namespace, likely because ...",
            IsolationReason.NO_USER_NAMESPACES,
        ),
        ("setting up uid map: Permission denied", IsolationReason.NO_USER_NAMESPACES),
        ("Unknown option --size", IsolationReason.BUBBLEWRAP_FAILED),
    ],
)
def test_what_bubblewrap_complains_of_is_named(monkeypatch, tmp_path, complaint, reason):
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\necho 'bwrap: {complaint}' >&2\nexit 1\n")
    tmp_path.chmod(0o755)
    for parent in (fake, *list(tmp_path.parents)[:3]):
        parent.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    refusal = refusal_of(Bubblewrap.here)
    assert refusal.reason is reason
    assert complaint in refusal.detail


def test_kernel_without_landlock_is_named(monkeypatch):
    monkeypatch.setattr(landlock, "kernel_abi", lambda: 0)
    assert str(refusal_of(Landlock.here)) == "no Landlock (kernel ABI 0)"


@pytest.mark.parametrize("find", [Bubblewrap.here, Landlock.here], ids=["bwrap", "landlock"])
def test_root_that_cannot_become_somebody_else_is_named(monkeypatch, find):
    def refused(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setattr(subprocess, "run", refused)
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/bwrap")
    monkeypatch.setattr(landlock, "kernel_abi", lambda: 7)
    assert refusal_of(find).reason is IsolationReason.RUNNING_AS_ROOT


def test_interpreter_that_the_bots_cannot_run_is_named(monkeypatch):
    monkeypatch.setattr(interpreters, "_candidates", lambda: [Path("/nonexistent/python3")])
    refusal = refusal_of(lambda: interpreters.find(None))
    assert refusal.reason is IsolationReason.NO_INTERPRETER
    assert "/nonexistent/python3" in refusal.detail


@pytest.mark.parametrize("name", choice.ISOLATORS)
def test_program_of_ours_runs_unboxed_and_a_missing_one_not_at_all(name, tmp_path):
    if reason := children.missing(name):
        pytest.skip(f"no such box on this machine: {reason}")
    launcher = choice.ISOLATORS[name]().launcher()
    ours = BotSpec("ours", ("/bin/true",))
    assert launcher(ours) == unconfined(ours)
    with pytest.raises(LaunchError, match="is not there"):
        launcher(BotSpec("gone", ("python", "/bot/main.py"), "/nonexistent/tree"))
    with pytest.raises(LaunchError, match="python FILE"):
        launcher(BotSpec("shell", ("/bin/sh", "-c", "id"), str(tmp_path)))


def test_command_writes_both_tables_and_what_runs(passing):
    out = io.StringIO()
    code = choice.write_report(out)
    assert [
        line for line in out.getvalue().splitlines() if line.startswith(("bwrap:", "landlock:"))
    ]
    assert (code == 0) == ("foreign programs run under" in out.getvalue())
    assert "  stopped  thinks" not in out.getvalue()


def test_command_fails_where_nothing_holds(monkeypatch, capsys):
    without(monkeypatch, "bwrap", "landlock")
    assert command.main(["sandbox"]) == 1
    assert "foreign programs do not run" in capsys.readouterr().out
