"""The first thing that runs in the sandbox, as a script: `inside.py ORDERS PROGRAM [ARGUMENT ...]`.

It sets the limits, closes the accesses that the isolator outside has left open, and then becomes
the program, in one process. It imports few modules and not ours, because every start of a bot waits
for it. ORDERS is the text that `isolator.orders` wrote.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

# Equal numbers on x86-64 and AArch64, as of all calls since Linux 5.1.
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_ADD_RULE = 445
_LANDLOCK_RESTRICT_SELF = 446
_LANDLOCK_CREATE_RULESET_VERSION = 1
_LANDLOCK_RULE_PATH_BENEATH = 1

# linux/landlock.h: the rights that each ABI can deny. A right that is not handled is not denied, so
# all are.
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FS_RIGHTS = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
_NET_RIGHTS = ((4, 0b11),)  # bind and connect TCP
_SCOPES = ((6, 0b11),)  # abstract Unix sockets, signals

_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2

_READY = b"ready"  # engine.launch.READY


def main() -> None:
    """Apply the orders, then run the program in this process."""
    # The worker's words, not the program's. To import json takes as long as to start Python: 12 ms.
    orders = eval(sys.argv[1], {})  # noqa: S307
    if os.getuid() == 0:
        sys.exit("the box: never as root")
    try:
        for name, value in orders["limits"].items():
            resource.setrlimit(getattr(resource, name), (value, value))
        _confine(orders["landlock"], bytes.fromhex(orders["system_calls"]))
    except (OSError, ValueError) as error:
        sys.exit(f"the box: {error!r}")
    # On a descriptor that the program never has. Therefore no later action of the program can forge
    # or undo this.
    os.write(orders["readiness"], _READY)
    os.close(orders["readiness"])
    _become(sys.argv[2], sys.argv[2:], orders["packages"])


def _confine(landlock: dict[str, list[str]] | None, system_calls: bytes) -> None:
    """Restrict this process to the files that `landlock` names, if it does, and to filtered calls.

    Raises:
        OSError: the kernel would not. No program has run yet.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    _check(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if landlock is not None:
        _restrict_files(libc, **landlock)
    _filter(libc, system_calls)


def _restrict_files(
    libc: ctypes.CDLL, readable: list[str], listable: list[str], writable: list[str]
) -> None:
    """Leave this process `readable` files and `writable` devices.

    In the `listable` directories it sees the names.
    """
    abi = libc.syscall(_LANDLOCK_CREATE_RULESET, None, 0, _LANDLOCK_CREATE_RULESET_VERSION)
    _check(abi)
    # struct landlock_ruleset_attr: three __u64. An older kernel takes the longer one when the rest
    # is zero.
    rights = [_at(abi, table) for table in (_FS_RIGHTS, _NET_RIGHTS, _SCOPES)]
    attributes = (ctypes.c_uint64 * 3)(*rights)
    rules = libc.syscall(_LANDLOCK_CREATE_RULESET, attributes, ctypes.sizeof(attributes), 0)
    _check(rules)
    for path in readable:
        _allow(libc, rules, path, _EXECUTE | _READ_FILE | _READ_DIR)
    for path in listable:
        _allow(libc, rules, path, _READ_DIR)
    for path in writable:
        _allow(libc, rules, path, _READ_FILE | _WRITE_FILE)
    _check(libc.syscall(_LANDLOCK_RESTRICT_SELF, rules, 0))
    os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    """Grant `rights` to `path` and to all paths below it."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not os.path.isdir(path):
        rights &= ~_READ_DIR
    # struct landlock_path_beneath_attr, packed: __u64 allowed_access, __s32 parent_fd.
    rule = rights.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
    _check(libc.syscall(_LANDLOCK_ADD_RULE, rules, _LANDLOCK_RULE_PATH_BENEATH, rule, 0))
    os.close(descriptor)


def _filter(libc: ctypes.CDLL, program: bytes) -> None:
    class SockFprog(ctypes.Structure):
        """linux/filter.h."""

        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    filters = SockFprog(len(program) // 8, program)
    _check(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filters), 0, 0))


def _at(abi: int, table: tuple[tuple[int, int], ...]) -> int:
    """Return the bits of every row of `table` that the kernel's ABI has."""
    return sum(bits for since, bits in table if since <= abi)


def _check(answer: int) -> None:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _become(path: str, argv: list[str], packages: str) -> None:
    """Run `path` as Python would, a file or a directory with `__main__.py`.

    `packages` is first on the import path.
    """
    sys.argv = argv
    if os.path.isdir(path):
        path = os.path.join(path, "__main__.py")
    sys.path[:0] = [os.path.dirname(path), packages, packages + "/engine/sdk"]
    module = type(sys)("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  # what the sandbox is for


if __name__ == "__main__":
    main()
