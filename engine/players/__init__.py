"""Built-in engines by name: `random`, `careless:50`, `greedy`, `search:200`, `level:3`, `kernel:200`.

from engine import players

players.available()          # cards to choose from
players.spec("search:200")   # a BotSpec for the referee
players.command("random", seed=7)  # its argument list
"""

from engine.players.registry import (
    PlayerCard,
    available,
    command,
    create,
    is_player,
    opponent,
    spec,
    uses_kernel,
)

__all__ = [
    "PlayerCard",
    "available",
    "command",
    "create",
    "is_player",
    "opponent",
    "spec",
    "uses_kernel",
]
