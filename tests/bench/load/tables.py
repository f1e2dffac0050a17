"""Games that people play by the rules in their own heads, with an account of every move that was confirmed."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

import games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games import Position
    from tests.bench.load.browser import Answer, Browser

# The page's pauses before repeated requests: first this long, then twice as long.
_AGAIN_S = 0.5
_BUSY = {429, 503}


@dataclass
class Table:
    """A game of two, and its confirmed moves.

    Attributes:
        sides: the two players, first side first.
        moves: the moves that were confirmed, in order.
        plies: of each side the plies that came by its stream.
        waits_s: from the moment at which a move was due to its confirmation, without the moves that
            `Load.keeps` left out.
        hearings_s: from sending a move to the opponent's stream.
        statuses: the count of each status. 0 is no answer at all.
    """

    pk: int
    sides: tuple[Browser, Browser]
    position: Position
    moves: list[str] = field(default_factory=list)
    plies: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    waits_s: list[tuple[float, float]] = field(default_factory=list)
    hearings_s: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)
    _sent_at: float = 0.0
    _sent_ply: int = 0
    _sent_by: int = 0

    @property
    def is_over(self) -> bool:
        return self.position.outcome() is not None or bool(self.refusals)

    async def listen(self, side: int) -> None:
        """Follow the game as its page does."""

        def note(kind: str, content: Mapping[str, int]) -> None:
            if kind == "ply":
                self.plies[side].append(content["ply"])
                # The news may come before the answer, or after it.
                if (content["ply"], 1 - side) == (self._sent_ply, self._sent_by):
                    self.hearings_s.append(time.perf_counter() - self._sent_at)

        await self.sides[side].listen([f"game:{self.pk}"], note)

    async def play(self, draw: random.Random, *, every_s: float, until: float) -> None:
        """Make a move every `every_s`, by turns.

        Late moves are made up for, and counted from when they were due.
        """
        due = time.perf_counter() + draw.uniform(0, every_s)
        while not self.is_over and due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await self.move(draw, due)
            due += every_s

    async def move(self, draw: random.Random, due: float) -> None:
        """One move, sent with one key until it is answered."""
        move = draw.choice(self.position.legal_moves())
        form = {"move": move, "ply": len(self.moves), "client_key": uuid4().hex}
        self._sent_ply, self._sent_by = len(self.moves) + 1, self._to_move
        answer = await self._answered("move", form, draw)
        if answer.status != 204:
            self.refusals.append(f"game {self.pk} {form}: {answer.status} {answer.content[:200]!r}")
            return
        now = time.perf_counter()
        self.waits_s.append((due, now - due))
        self.moves.append(move)
        self.position = self.position.play(move)

    async def resign(self) -> None:
        """Resign for the side to move."""
        due = time.perf_counter()
        self._sent_by = self._to_move
        answer = await self._answered("resign", {"client_key": uuid4().hex}, random.Random(self.pk))
        if answer.status not in {204, 302}:
            self.refusals.append(f"game {self.pk}: {answer.status} {answer.content[:200]!r}")
        self.waits_s.append((due, time.perf_counter() - due))

    async def _answered(self, act: str, form: Mapping[str, object], draw: random.Random) -> Answer:
        """Return the first answer that does not say "come again"."""
        browser, pause_s = self.sides[self._sent_by], _AGAIN_S
        while True:
            self._sent_at = time.perf_counter()
            try:
                answer = await browser.request("POST", f"/game/{self.pk}/{act}/", form)
            except (OSError, EOFError):
                self.statuses[0] += 1
            else:
                self.statuses[answer.status] += 1
                if answer.status not in _BUSY:
                    return answer
                pause_s = max(pause_s, float(answer.headers.get("retry-after", "0")))
            await asyncio.sleep(pause_s * draw.uniform(0.8, 1.2))
            pause_s = min(10.0, 2 * pause_s)

    @property
    def _to_move(self) -> int:
        return 0 if self.position.side_to_move is games.Side.FIRST else 1
