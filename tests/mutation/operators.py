"""The small faults: the replacements of an expression or a statement."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple


class Variant(NamedTuple):
    """Replacement of a node, and the name of the operator."""

    operator: str
    node: ast.AST


_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_COUNTS = {"sum", "len"}


def variants(node: ast.AST) -> list[Variant]:
    """Return every fault of `node` itself. Faults of its children are separate."""
    return [
        *_operators(node),
        *_conditions(node),
        *_constants(node),
        *_calls(node),
        *_slices(node),
        *_returns(node),
        *_deletions(node),
    ]


def _operators(node: ast.AST) -> Iterator[Variant]:
    match node:
        case ast.Compare(ops=ops):
            for n, operator in enumerate(ops):
                for other in _COMPARISONS[type(operator)]:
                    new = copy.deepcopy(node)
                    new.ops[n] = other()
                    yield Variant("comparison", new)
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _ARITHMETIC:
            if not _is_text(node):
                changed = copy.deepcopy(node)
                changed.op = _ARITHMETIC[type(operator)]()
                yield Variant("arithmetic", changed)
        case ast.BoolOp(op=operator, values=values):
            swap = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield Variant("boolean operator", ast.BoolOp(op=swap, values=values))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield Variant("sign", operand)
        case _:
            pass


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _conditions(node: ast.AST) -> Iterator[Variant]:
    match node:
        case ast.If() | ast.While() | ast.IfExp():
            new = copy.copy(node)
            new.test = _opposite(node.test)
            yield Variant("condition", new)
        case ast.comprehension(ifs=ifs):
            for n, test in enumerate(ifs):
                clause = copy.copy(node)
                clause.ifs = [*ifs[:n], _opposite(test), *ifs[n + 1 :]]
                yield Variant("condition", clause)
        case _:
            pass


def _opposite(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case _:
            return ast.UnaryOp(op=ast.Not(), operand=test)


def _constants(node: ast.AST) -> Iterator[Variant]:
    match node:
        case ast.Constant(value=bool(value)):
            yield Variant("constant", ast.Constant(value=not value))
        case ast.Constant(value=int(value)):
            yield Variant("constant", ast.Constant(value=value + 1))
            yield Variant("constant", ast.Constant(value=value - 1))
        case ast.Constant(value=float(value)):
            yield Variant("constant", ast.Constant(value=value + 1))
        case _:
            pass


def _calls(node: ast.AST) -> Iterator[Variant]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            new = copy.copy(node)
            new.func = ast.Name(id=_FUNCTIONS[name], ctx=ast.Load())
            yield Variant("function", new)
        case ast.Call(func=ast.Name(id=name)) if name in _COUNTS:
            one = ast.Constant(value=1)
            yield Variant("count", ast.BinOp(left=node, op=ast.Add(), right=one))
        case _:
            pass


def _slices(node: ast.AST) -> Iterator[Variant]:
    if not isinstance(node, ast.Slice):
        return
    for bound in ("lower", "upper"):
        value = getattr(node, bound)
        if value is None:
            continue
        without = copy.copy(node)
        setattr(without, bound, None)
        yield Variant("slice", without)
        if not isinstance(value, ast.Constant):
            later = copy.copy(node)
            one = ast.Constant(value=1)
            setattr(later, bound, ast.BinOp(left=value, op=ast.Add(), right=one))
            yield Variant("slice", later)


def _returns(node: ast.AST) -> Iterator[Variant]:
    match node:
        case ast.Return(value=ast.expr() as value):
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield Variant("return", ast.Return(value=ast.Constant(value=None)))
        case _:
            pass


def _deletions(node: ast.AST) -> Iterator[Variant]:
    match node:
        case ast.If(body=[*_, ast.Return() | ast.Continue() | ast.Break() | ast.Raise()] as body):
            new = copy.copy(node)
            new.body = [*body[:-1], ast.Pass()]
            yield Variant("deletion", new)
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield Variant("deletion", ast.Pass())
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield Variant("deletion", ast.Pass())
        case _:
            pass
