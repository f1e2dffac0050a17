"""Examples of every kind of clock, as text: a new kind adds its own."""

from __future__ import annotations

from tournaments.clocks import Kind

EXAMPLES: dict[Kind, tuple[str, ...]] = {
    Kind.FISCHER: ("180+2", "1+0", "60.5+0.5"),
    Kind.DELAY: ("300d3", "60d0.5"),
    Kind.UNLIMITED: ("unlimited",),
    Kind.BANK: ("604800+86400<1209600", "86400+0<86400"),
}
EACH = [(kind, text) for kind in Kind for text in EXAMPLES[kind]]
