"""The rules of all games once more, in C++, as one WebAssembly module: fast, and checked against `games`."""

# Levels of the built-in player "level:N", from the weakest on.
LEVELS = range(1, 9)
