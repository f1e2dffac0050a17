"""What an operation of the API says to whatever keeps its stream open."""

from __future__ import annotations

from typing import Final

# Never sent: `config.api_streams` takes it away. Its JSON is where the stream goes on from, and for whom.
HEADER: Final = "X-Rayuela-Stream"
