"""The rules of all games once more, in C++, as one WebAssembly module: fast, and checked against `games`."""
