"""`manage.py serve`: the site by uvicorn with the edge of `config.edge`, in one process or several."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

# Shared folder of the counters of this host's web processes (`config.metrics` reads it when it is
# imported).
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# Answers that are not written after this are cut. Streams are closed before (`config.edge`).
_GRACEFUL_S = 3


def main(arguments: Sequence[str]) -> int:
    """Serve until a signal to stop, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="manage.py serve", description="Serve the site, without workers, until told to stop."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to serve at (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="port to serve at (8000)")
    parser.add_argument("--processes", type=int, default=1, help="processes that serve (1)")
    options = parser.parse_args(arguments)
    serve(options.host, options.port, processes=options.processes)
    return 0


def serve(host: str, port: int, *, processes: int = 1) -> None:
    """Serve the site until a signal to stop.

    With several processes the files and limits of each are its own. Raises SystemExit if the port
    is taken.
    """
    import django
    import uvicorn
    from uvicorn.config import STARTUP_FAILURE
    from uvicorn.supervisors import Multiprocess

    django.setup()
    from django.conf import settings

    os.environ[FOLDER] = _empty_folder(settings.HOME / f"metrics-{port}")
    from config.edge import EdgeProtocol, EdgeServer, raise_file_limit

    raise_file_limit()
    config = uvicorn.Config(
        "config.asgi:application",
        host=host,
        port=port,
        workers=processes,
        http=EdgeProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        # Only a proxy may name another address as the client.
        proxy_headers=bool(settings.TRUSTED_PROXIES),
        forwarded_allow_ips=settings.TRUSTED_PROXIES,
        backlog=4096,
        timeout_graceful_shutdown=_GRACEFUL_S,
    )
    if processes > 1:
        Multiprocess(config, sockets=[config.bind_socket()]).run()
        return
    # Outside of the loop, in which Django allows no query.
    config.load_app()
    server = EdgeServer(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def _empty_folder(path: Path) -> str:
    """Return the folder, without the files of an earlier run."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True, mode=0o700)
    return str(path)
