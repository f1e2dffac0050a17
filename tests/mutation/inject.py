"""A mutant in place of its module, without a change of any file."""

from __future__ import annotations

import ast
import functools
import gc
import importlib.abc
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.mutation.choice import ROOT
from tests.mutation.mutants import Mutant, mutated_tree


class MutantFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finder that imports a module from a changed tree.

    It has to be asked before the module is imported.
    """

    def __init__(self, mutant: Mutant) -> None:
        self._path = mutant.path
        self._name = _module_name(mutant.path)
        self._tree: ast.Module = mutated_tree(mutant.path.read_text(), mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        is_package = self._path.stem == "__init__"
        return importlib.util.spec_from_file_location(
            fullname,
            self._path,
            loader=self,
            submodule_search_locations=[str(self._path.parent)] if is_package else None,
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._tree, self._path, "exec"), module.__dict__)  # noqa: S102 - the mutant


def install(mutant: Mutant) -> None:
    """Import the module of the mutant as the mutant."""
    sys.meta_path.insert(0, MutantFinder(mutant))


def swaps(mutant: Mutant) -> list[tuple[FunctionType, CodeType]]:
    """Return the loaded functions with their code of the mutant, or no functions if one cannot take it."""
    gc.unfreeze()  # `tests/conftest.py` freezes what is loaded, and frozen objects are not listed
    source = mutant.path.read_text()
    path = str(mutant.path)
    old = dict(_codes(compile(source, path, "exec")))
    new = dict(_codes(compile(mutated_tree(source, mutant), path, "exec")))
    pairs = [
        (function, new[key])
        for function in _functions(path)
        if (key := _key(function.__code__)) in new and new[key] != old.get(key)
    ]
    fits = all(len(f.__code__.co_freevars) == len(code.co_freevars) for f, code in pairs)
    return pairs if fits else []


def swap(pairs: Iterable[tuple[FunctionType, CodeType]]) -> None:
    """Give the functions their codes, and clear the caches."""
    for function, code in pairs:
        function.__code__ = code
    for each in gc.get_objects():
        # Not `isinstance`, which asks a lazy object of Django for its class, and so a database.
        if issubclass(type(each), functools._lru_cache_wrapper):
            each.cache_clear()


def _functions(path: str) -> list[FunctionType]:
    return [
        each
        for each in gc.get_objects()
        if issubclass(type(each), FunctionType) and each.__code__.co_filename == path
    ]


def _codes(code: CodeType) -> Iterator[tuple[tuple[object, ...], CodeType]]:
    """Yield every code object below a module's, by its constant part in a mutant."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield _key(constant), constant
            yield from _codes(constant)


def _key(code: CodeType) -> tuple[object, ...]:
    start = next(iter(code.co_positions()))
    column = start[2] if code.co_name == "<lambda>" else 0
    return code.co_qualname, code.co_firstlineno, column


def _module_name(path: Path) -> str:
    parts = path.resolve().relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
