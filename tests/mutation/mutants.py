"""The mutants of a module: each place of its source that can be changed, and the tree with the change."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.operators import variants

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_FOR_PEOPLE = {"__repr__", "__str__"}


@dataclass(frozen=True)
class Mutant:
    """One small fault.

    Attributes:
        path: the module's file.
        place: the node, counted in the order of `_places`.
        choice: which of the node's variants.
        is_live: the fault is in the body of a function, so that the function of a loaded module can be given it.
    """

    path: Path
    line: int
    place: int
    choice: int
    operator: str
    original: str
    mutated: str
    is_live: bool


@dataclass(frozen=True)
class _Place:
    node: ast.AST
    parent: ast.AST
    is_live: bool


def mutants_of(path: Path, source: str) -> list[Mutant]:
    """Return all mutants of a module, in the order of its source."""
    return [
        Mutant(
            path=path,
            line=getattr(place.node, "lineno", getattr(place.parent, "lineno", 0)),
            place=number,
            choice=choice,
            operator=variant.operator,
            original=_text(place.node),
            mutated=_text(variant.node),
            is_live=place.is_live,
        )
        for number, place in enumerate(_places(ast.parse(source)))
        for choice, variant in enumerate(variants(place.node))
    ]


def mutated_tree(source: str, mutant: Mutant) -> ast.Module:
    """Return the tree of the module with the fault in it. Lines are those of the source."""
    tree = ast.parse(source)
    place = list(_places(tree))[mutant.place]
    new = variants(place.node)[mutant.choice].node
    for child in ast.walk(new):
        if isinstance(child, ast.expr | ast.stmt) and not hasattr(child, "lineno"):
            ast.copy_location(child, place.node)
    _replace(place.parent, place.node, new)
    return ast.fix_missing_locations(tree)


def _replace(parent: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for name, value in ast.iter_fields(parent):
        if value is old:
            setattr(parent, name, new)
        elif isinstance(value, list):
            value[:] = [new if item is old else item for item in value]


def _places(tree: ast.Module) -> Iterator[_Place]:
    yield from _below(tree, is_live=False)


def _below(parent: ast.AST, *, is_live: bool) -> Iterator[_Place]:
    for name, value in ast.iter_fields(parent):
        if _is_left_out(parent, name):
            continue
        inside = is_live or (name == "body" and isinstance(parent, _FUNCTIONS))
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_no_code(child):
                continue
            if inside or not _may_be_type(child):
                yield _Place(child, parent, inside)
            yield from _below(child, is_live=inside)


def _is_left_out(parent: ast.AST, name: str) -> bool:
    """Return whether a field of a node is for readers, for the type checker, or a check like an assertion."""
    match parent:
        case ast.Raise() | ast.keyword(arg="strict"):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case _:
            return name in {"annotation", "returns", "decorator_list", "type_params"}


def _is_no_code(node: ast.AST) -> bool:
    match node:
        case ast.Assert() | ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.FunctionDef(name=name):
            return name in _FOR_PEOPLE
        case ast.AnnAssign(value=None):
            return True
        case _:
            return False


def _may_be_type(node: ast.AST) -> bool:
    """Return whether an expression outside functions may be a union of types."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _text(node: ast.AST) -> str:
    """Return the node as source on one line, a statement without its body."""
    if isinstance(node, ast.If | ast.While):
        test = f"{type(node).__name__.lower()} {ast.unparse(node.test)}:"
        return f"{test} ... {ast.unparse(node.body[-1]).splitlines()[0]}"
    if isinstance(node, ast.comprehension):
        return ast.unparse(node).strip()
    return " ".join(ast.unparse(node).split())[:160]
