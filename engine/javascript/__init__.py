"""Bots in JavaScript: the program of an author and an interpreter as one WebAssembly module.

The interpreter is QuickJS-ng (MIT). `python -m engine.javascript build` compiles it.
"""

from engine.javascript.modules import INTERPRETER, MAX_SOURCE_BYTES, module_of

__all__ = ["INTERPRETER", "MAX_SOURCE_BYTES", "module_of"]
