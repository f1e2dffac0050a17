from __future__ import annotations

import pytest

import games
from tests.engine.bots import write_bot
from tests.engine.nim import Nim


@pytest.fixture
def nim(monkeypatch):
    """Every rule set is nim."""
    monkeypatch.setattr(games, "load", lambda key: Nim(key))


@pytest.fixture
def good(tmp_path):
    """Return a bot that plays nim without a fault."""
    return write_bot(tmp_path, "good")
