from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.sandbox import seccomp, syscalls
from engine.sandbox.refusals import IsolationReason, UnavailableError
from engine.sandbox.seccomp import ALLOW, KILL_PROCESS, REFUSE, UNKNOWN, build_filter
from engine.sandbox.syscalls import NEWEST, Architecture
from tests.engine.sandbox.bpf import Call, verdict

_HEADERS = {
    Architecture.X86_64: (
        "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
        "/usr/include/asm/unistd_64.h",
    ),
    Architecture.AARCH64: ("/usr/include/asm-generic/unistd.h",),
}
_THREAD = 0x3D0F00  # what glibc passes to clone for a thread
_PROCESS = 0x1200011  # and for fork
both = pytest.mark.parametrize("architecture", Architecture, ids=lambda value: value.name)


def ask(architecture, number, *arguments):
    program = build_filter(architecture)
    return verdict(program, Call(number, architecture.value, arguments))


def ask_by_name(architecture, name, *arguments):
    number = syscalls.numbers(architecture)[name]
    return ask(architecture, number, *arguments)


@both
def test_every_call_up_to_the_newest_has_the_verdict_of_its_name(architecture):
    names = {number: name for name, number in syscalls.numbers(architecture).items()}
    conditional = {"clone", "clone3", "ioctl", "prctl", "fcntl", "madvise", "execve"}
    conditional |= {"prlimit64", "sched_setscheduler", "sched_setparam", "sched_setattr"}
    for number in range(NEWEST + 1):
        name = names.get(number)
        if name not in conditional:
            expected = REFUSE if name in syscalls.REFUSED else ALLOW
            assert ask(architecture, number) == expected, name or number


@both
def test_calls_of_later_kernels_do_not_exist(architecture):
    assert {ask(architecture, number) for number in (NEWEST + 1, 462, 4095)} == {UNKNOWN}


@both
def test_call_of_another_architecture_is_deadly(architecture):
    program = build_filter(architecture)
    i386 = 0x40000003
    assert verdict(program, Call(20, i386)) == KILL_PROCESS


def test_call_by_the_x32_table_is_deadly():
    assert ask(Architecture.X86_64, 0x40000000 | 39) == KILL_PROCESS
    assert ask(Architecture.X86_64, -1) == KILL_PROCESS


@both
def test_clone_makes_threads_and_no_processes(architecture):
    assert ask_by_name(architecture, "clone", _THREAD) == ALLOW
    assert ask_by_name(architecture, "clone", _PROCESS) == REFUSE
    # vfork and posix_spawn: memory shared, but still another process.
    assert ask_by_name(architecture, "clone", 0x4111) == REFUSE
    assert ask_by_name(architecture, "clone3", 0, 88) == UNKNOWN


@both
@pytest.mark.parametrize(
    ("name", "refused", "allowed"),
    [
        ("ioctl", (0, 0x5412), (0, 0x5401)),
        ("ioctl", (0, 0x541C), (0, 0x5413)),
        ("prctl", (1, 0), (16, 0)),
        ("prctl", (15, 0), (22, 0)),
        ("madvise", (0, 4096, 20), (0, 4096, 4)),
        ("madvise", (0, 4096, 21), (0, 4096, 14)),
        ("fcntl", (3, 8, 1), (3, 4, 1)),
        ("fcntl", (3, 10, 9), (3, 3)),
        ("fcntl", (3, 15, 0), (3, 1)),
        ("fcntl", (3, 6, 0), (3, 0, 0)),
        ("fcntl", (3, 37, 0), (3, 1030, 0)),
        ("fcntl", (3, 1024, 0), (3, 1031)),
        ("fcntl", (3, 1026, 0x80000001), (3, 1032)),
        ("prlimit64", (77, 7), (0, 7)),
        ("sched_setscheduler", (77,), (0,)),
        ("sched_setparam", (77,), (0,)),
        ("sched_setattr", (77,), (0,)),
    ],
)
def test_argument_decides(architecture, name, refused, allowed):
    assert ask_by_name(architecture, name, *refused) == REFUSE
    assert ask_by_name(architecture, name, *allowed) == ALLOW


@both
@pytest.mark.parametrize(("name", "arguments"), [("ioctl", (0, 0x5412)), ("prctl", (1, 0))])
def test_high_half_of_an_argument_hides_nothing(architecture, name, arguments):
    high = tuple(argument | 1 << 32 for argument in arguments)
    assert ask_by_name(architecture, name, *high) == REFUSE


@both
def test_no_program_becomes_another(architecture):
    assert ask_by_name(architecture, "execve") == REFUSE
    assert ask_by_name(architecture, "execveat") == REFUSE


@both
def test_numbers_are_those_of_the_kernels_headers(architecture):
    header = next((Path(name) for name in _HEADERS[architecture] if Path(name).exists()), None)
    if header is None:
        pytest.skip("no headers of this architecture's kernel here")
    pattern = r"#define __NR(?:3264)?_(\w+)\s+(\d+)"
    theirs = {name: int(number) for name, number in re.findall(pattern, header.read_text())}
    ours = syscalls.numbers(architecture)
    assert {name: theirs.get(name) for name in ours} == dict(ours)


@pytest.mark.parametrize(
    ("system", "machine"), [("darwin", "arm64"), ("linux", "riscv64"), ("linux", "")]
)
def test_machine_without_a_table_is_refused_by_name(monkeypatch, system, machine):
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    with pytest.raises(UnavailableError) as caught:
        seccomp.this_architecture()
    assert caught.value.refusal.reason is IsolationReason.NOT_LINUX
