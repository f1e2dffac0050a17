"""Routes each request: streams to ASGI coroutines over `live`, the rest to Django as WSGI.

Django's own ASGI handler costs two to six times the CPU on these views, and a thread for every
open stream (measured, docs/decisions/0003). The pool's threads live on, so persistent database
connections work as usual.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_wsgi_application()

from config import api_streams, metrics, server, streams, tracing  # noqa: E402 - needs Django ready
from config.attendance import Attendants  # noqa: E402
from config.feeds import Feeds  # noqa: E402
from config.wsgi_pool import WsgiPool  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Scope = dict[str, Any]
    Receive = Callable[[], Awaitable[dict[str, Any]]]
    Send = Callable[[dict[str, Any]], Awaitable[None]]

tracing.start("rayuela-web")
if metrics_folder := os.environ.get(server.FOLDER):
    metrics.note_lost_processes(Path(metrics_folder))
_pages = WsgiPool(django_application)
_feeds = Feeds(_pages.threads)
_attendants = Attendants(_feeds.run)
_streams = streams.Streams(_feeds, _attendants)
_api_streams = api_streams.ApiStreams(_pages, _feeds, _attendants)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one ASGI connection: the server's own start and stop, a stream, or a page."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] != "http":
        return  # web sockets are not spoken here; the server refuses the handshake
    elif streams.is_stream(scope["path"]):
        await _streams(scope, receive, send)
    elif api_streams.is_stream(scope["path"]):
        await _api_streams(scope, receive, send)
    else:
        await _pages(scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await _feeds.start()
            _attendants.start()
            await send({"type": "lifespan.startup.complete"})
        else:
            await _feeds.stop()
            await _attendants.stop()
            await send({"type": "lifespan.shutdown.complete"})
            return
