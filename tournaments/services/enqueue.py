"""Wake-ups for workers, sent on commit.

They carry ids and may be lost: the tick finds all due work (law 1).
"""

from __future__ import annotations

import logging

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from tournaments.courier import courier
from tournaments.queues import Queue

log = logging.getLogger(__name__)

# Messages that say only that there is something: the tick or the next visitor sends them again.
_ASKED_AGAIN_S, _ASKED_EVERY_MINUTE_S = 10, 60
# After the soft limit a task can still stop its bots. After the hard limit its process is killed.
_GRACE_S = 30


def reply(game_id: int, *, is_sandboxed: bool = False) -> None:
    """Ask a worker for a bot's reply in the game, in the sandbox if an author sent the bot."""
    _send("reply", game_id, queue=Queue.REPLIES if is_sandboxed else Queue.BUILTIN_REPLIES)


def match(match_id: int, *, is_sandboxed: bool, limit_s: int) -> None:
    """Ask a worker to play the due match, which takes `limit_s` at most."""
    _send(
        "play_match", match_id, queue=Queue.BOTS if is_sandboxed else Queue.BUILTIN, limit_s=limit_s
    )


def exhibitions() -> None:
    """Ask a worker to repeat finished exhibitions, because a visitor watches."""
    _send("repeat_exhibitions", queue=Queue.DEFAULT, expires_s=_ASKED_AGAIN_S)


def event(event_id: int) -> None:
    """The event may be ready for its next step."""
    _send("advance_event", event_id, queue=Queue.DEFAULT)


def check() -> None:
    """Ask a worker for the next check of a version. The worker chooses the version."""
    _send("check_next", queue=Queue.CHECKS, expires_s=_ASKED_AGAIN_S)


def fuel_check(game_id: int) -> None:
    """Plies of remote bots in a game by fuel are to be looked at, in the sandbox."""
    _send("check_fuel_game", game_id, queue=Queue.BOTS)


def forecast(forecast_id: int) -> None:
    """A forecast is to be computed, which may take minutes."""
    _send("compute_forecast", forecast_id, queue=Queue.BUILTIN)


def recomputation(pool_id: int) -> None:
    """A pool is to be computed again, for some seconds at a time."""
    _send("recompute_pool", pool_id, queue=Queue.DEFAULT)


def annulment(progress_id: int) -> None:
    """Games of a bot are to be voided, for some seconds at a time."""
    _send("annul_games", progress_id, queue=Queue.DEFAULT)


def computation(computation_id: int) -> None:
    """A visitor waits for a table, a file or an explanation of a large event."""
    _send("compute", computation_id, queue=Queue.PAGES)


def webhooks(topic: str) -> None:
    """Webhooks of a topic have news to deliver."""
    _send("call_webhooks_of", topic, queue=Queue.POST, expires_s=_ASKED_AGAIN_S)


def picture(picture_id: int) -> None:
    """Another site waits for a picture."""
    _send("draw_picture", picture_id, queue=Queue.PAGES, expires_s=_ASKED_EVERY_MINUTE_S)


def open_data() -> None:
    """A file of open data is to be built, which may take an hour."""
    _send("build_open_data", queue=Queue.BUILTIN, expires_s=_ASKED_EVERY_MINUTE_S)


def puzzles() -> None:
    """Finished games are to be searched for puzzles."""
    _send("mine_puzzles", queue=Queue.BUILTIN, expires_s=_ASKED_AGAIN_S)


def rating_source(source_id: int) -> None:
    """A rating list is to be downloaded."""
    _send("download_rating_list", source_id, queue=Queue.BUILTIN, expires_s=_ASKED_EVERY_MINUTE_S)


def rating_upload(upload_id: int) -> None:
    """A rating list is to be made of an upload."""
    _send("store_rating_upload", upload_id, queue=Queue.BUILTIN, expires_s=_ASKED_EVERY_MINUTE_S)


def _send(
    task: str,
    *keys: int | str,
    queue: Queue,
    limit_s: int | None = None,
    expires_s: int | None = None,
) -> None:
    def send() -> None:
        try:
            current_app.send_task(
                f"tournaments.tasks.{task}",
                list(keys),
                queue=queue,
                expires=expires_s,
                soft_time_limit=limit_s and limit_s + _GRACE_S,
                time_limit=limit_s and limit_s + 2 * _GRACE_S,
            )
        except OperationalError as error:
            if settings.SENDS_IN_BACKGROUND:
                raise  # the courier logs it, and makes a pause
            log.warning("wake.lost task=%s keys=%s error=%s", task, keys, error)

    # All other failures are logged: the change is committed, and must keep its news and its answer.
    transaction.on_commit(lambda: courier.send(send), robust=True)
