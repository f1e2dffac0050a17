"""Tasks: an id in, one service called, nothing out.

All may run twice, late or not at all: the tick finds what is due.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from celery import Task, shared_task, signals
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from celery.worker import state
from django.db import Error, OperationalError, connections

from tournaments import database_time
from tournaments.errors import is_lock_refused
from tournaments.models import LostWork
from tournaments.services import lost_work, open_data, pictures
from tournaments.services import tick as ticks
from tournaments.services.arbiter import annulment, fuel_checks
from tournaments.services.bots import checks
from tournaments.services.events import rating_sources, rating_uploads
from tournaments.services.forecasts import computing
from tournaments.services.matches import matches, replies
from tournaments.services.notifications import email, push_messages, webhook_deliveries
from tournaments.services.puzzles import mining
from tournaments.services.ratings import recomputations
from tournaments.services.results import computations, stored_table
from tournaments.services.rounds import lifecycle

log = logging.getLogger(__name__)

_HALF_S = ticks.PERIOD.seconds // 2
_PAIR_LIMIT_S = 2 * 3600
_DRAFT_LIMIT_S = 900
_CHECK_LIMIT_S = 600
_FORECAST_LIMIT_S = 1200
_DOWNLOAD_LIMIT_S = 1800
_RECOMPUTATION_LIMIT_S = 300
_COMPUTATION_LIMIT_S = 100
_PICTURE_LIMIT_S = 30
# A solution takes up to 40 s of the processor (Morlox), with the lowest priority.
_PUZZLES_LIMIT_S = 900
# A start, and a minute's thinking by its own clock on a machine with little time for it.
_REPLY_LIMIT_S = 300


class Counted(Task):  # type: ignore[type-arg]  # generic in its stubs only
    """A task of one key whose lost processes are counted: it waits, and is given up after three."""

    abstract = True
    kind: LostWork.Kind

    def __call__(self, key: int | str) -> None:
        """Run, unless a process has died at it a moment ago or too often."""
        losses = lost_work.find(self.kind, key)
        if losses is not None and losses.due_at > database_time.now():
            log.info("work.put-off kind=%s key=%s until=%s", self.kind, key, losses.due_at)
            return
        self.run(key)
        if losses is not None:
            losses.delete()


@signals.task_failure.connect
def count_loss(
    sender: object, exception: BaseException, args: list[int | str], **_: object
) -> None:
    """Count the process that was lost at a task, in the worker's main process.

    It was killed, perhaps for its memory, or did not heed its time limit. Processes that end with their
    worker are not counted.
    """
    is_lost = isinstance(exception, WorkerLostError | TimeLimitExceeded)
    is_over = any(each is not None for each in (state.should_stop, state.should_terminate))
    if not is_lost or is_over or not isinstance(sender, Counted):
        return
    try:
        lost_work.note(sender.kind, args[0])
    except Error:
        log.exception("work.not-counted kind=%s key=%s", sender.kind, args[0])
    finally:
        connections.close_all()  # the pool's next process must not inherit one


# A wake-up says how long its match may take; nothing takes longer than this.
@shared_task(soft_time_limit=_PAIR_LIMIT_S, time_limit=_PAIR_LIMIT_S + 60)
def play_match(match_id: int) -> None:
    """Play a match of bots."""
    matches.play_match(match_id)


@shared_task(soft_time_limit=_REPLY_LIMIT_S, time_limit=_REPLY_LIMIT_S + 30)
def repeat_exhibitions() -> None:
    """Begin exhibitions again that are over."""
    matches.repeat_exhibitions()


@shared_task(soft_time_limit=_REPLY_LIMIT_S, time_limit=_REPLY_LIMIT_S + 30)
def reply(game_id: int) -> None:
    """Let a bot reply to a person."""
    replies.reply(game_id)


@shared_task(soft_time_limit=_CHECK_LIMIT_S, time_limit=_CHECK_LIMIT_S + 30)
def check_next() -> None:
    """Check the version of an author's bot that is next."""
    checks.check_next()


@shared_task(soft_time_limit=_CHECK_LIMIT_S, time_limit=_CHECK_LIMIT_S + 30)
def check_fuel_game(game_id: int) -> None:
    """Look at plies of remote bots in a game by fuel."""
    fuel_checks.check(game_id)


@shared_task(
    base=Counted,
    kind=LostWork.Kind.EVENT,
    soft_time_limit=_DRAFT_LIMIT_S,
    time_limit=_DRAFT_LIMIT_S + 60,
)
def advance_event(event_id: int) -> None:
    """Take the next step of an event.

    If another worker is at it, the task ends. The tick looks again.
    """
    with _unless_locked("event", event_id):
        lifecycle.advance_event(event_id)
    stored_table.renew(event_id)


@shared_task(soft_time_limit=_FORECAST_LIMIT_S, time_limit=_FORECAST_LIMIT_S + 60)
def compute_forecast(forecast_id: int) -> None:
    """Compute a requested forecast."""
    computing.compute(forecast_id)


@shared_task(soft_time_limit=_PUZZLES_LIMIT_S, time_limit=_PUZZLES_LIMIT_S + 60)
def mine_puzzles() -> None:
    """Search finished games for puzzles, for a while."""
    mining.mine()


@shared_task(soft_time_limit=_DOWNLOAD_LIMIT_S, time_limit=_DOWNLOAD_LIMIT_S + 60)
def download_rating_list(source_id: int) -> None:
    """Download a rating list from its address."""
    with _unless_locked("rating-source", source_id):
        rating_sources.refresh(source_id)


@shared_task(soft_time_limit=_DOWNLOAD_LIMIT_S, time_limit=_DOWNLOAD_LIMIT_S + 60)
def store_rating_upload(upload_id: int) -> None:
    """Make the rating list of an upload."""
    with _unless_locked("rating-upload", upload_id):
        rating_uploads.process(upload_id)


@contextmanager
def _unless_locked(what: str, pk: int) -> Iterator[None]:
    """Leave the rest to the next message, which the tick sends, while a lock does not come."""
    try:
        yield
    except OperationalError as error:
        if not is_lock_refused(error):
            raise
        log.info("%s.busy id=%s", what, pk)


@shared_task(
    base=Counted,
    kind=LostWork.Kind.RATINGS,
    soft_time_limit=_RECOMPUTATION_LIMIT_S,
    time_limit=_RECOMPUTATION_LIMIT_S + 30,
)
def recompute_pool(pool_id: int) -> None:
    """Compute the ratings of a pool again, for a while."""
    with _unless_locked("recomputation", pool_id):
        recomputations.work(pool_id)


@shared_task(
    base=Counted,
    kind=LostWork.Kind.ANNULMENT,
    soft_time_limit=_RECOMPUTATION_LIMIT_S,
    time_limit=_RECOMPUTATION_LIMIT_S + 30,
)
def annul_games(progress_id: int) -> None:
    """Void games of an annulled bot, for a while."""
    with _unless_locked("annulment", progress_id):
        annulment.work(progress_id)


@shared_task(
    base=Counted,
    kind=LostWork.Kind.PAGE,
    soft_time_limit=_COMPUTATION_LIMIT_S,
    time_limit=_COMPUTATION_LIMIT_S + 10,
)
def compute(computation_id: int) -> None:
    """Compute a table, a file or an explanation of a large event."""
    computations.work(computation_id)


@shared_task(soft_time_limit=_PICTURE_LIMIT_S, time_limit=_PICTURE_LIMIT_S + 10)
def draw_picture(picture_id: int) -> None:
    """Draw a picture for other sites."""
    pictures.draw(picture_id)


@shared_task(soft_time_limit=open_data.LIMIT_S, time_limit=open_data.LIMIT_S + 60)
def build_open_data() -> None:
    """Build the next file of open data that is missing."""
    open_data.build_next()


@shared_task(soft_time_limit=20, time_limit=30)
def tick() -> None:
    """Find whatever is due, and send for ticks in between where something is waited for by the second.

    Most of the processor time of an idle site went into ticks, and messages for empty post.
    """
    ticks.tick(database_time.now())
    for task, has_addresses in _POST.items():
        if has_addresses():
            task.apply_async(expires=ticks.PERIOD.seconds)
    waits = ticks.seconds_of_next(database_time.now())
    for seconds in waits:
        tick_between.apply_async(countdown=seconds, expires=seconds + 1)
    if _HALF_S not in waits:
        tick_halfway.apply_async(countdown=_HALF_S, expires=_HALF_S + 1)


@shared_task(soft_time_limit=20, time_limit=30)
def tick_halfway() -> None:
    """Send for ticks where a game has begun since the last one: a flag waits five seconds for it, not ten."""
    if ticks.is_anything_played():
        for seconds in range(ticks.PERIOD.seconds - _HALF_S):
            tick_between.apply_async(countdown=seconds, expires=seconds + 1)


@shared_task(soft_time_limit=20, time_limit=30)
def tick_between() -> None:
    """Find what cannot wait for the next tick: flags, replies, matches, rounds."""
    ticks.tick(database_time.now(), is_between=True)


@shared_task(soft_time_limit=60, time_limit=90)
def post() -> None:
    """Send the waiting e-mails.

    Separate from the tick: no clock waits for another site's mail server.
    """
    email.send_due(database_time.now())


@shared_task(soft_time_limit=60, time_limit=90)
def push() -> None:
    """Write and send the messages of Web Push, apart from the tick for the same reason."""
    now = database_time.now()
    push_messages.write_due(now)
    push_messages.send_due(now)


@shared_task(soft_time_limit=60, time_limit=90)
def call_webhooks() -> None:
    """Write and send the deliveries of webhooks, apart from the tick for the same reason."""
    webhook_deliveries.write_due(webhook_deliveries.active())
    webhook_deliveries.send_due(database_time.now())


@shared_task(soft_time_limit=60, time_limit=90)
def call_webhooks_of(topic: str) -> None:
    """Write and send the deliveries of a topic that has news. Slow addresses wait for `call_webhooks`."""
    webhook_deliveries.call_quick(topic)


# The tasks that write to servers of others, and whether there is anything to write to.
_POST: dict[Task, Callable[[], bool]] = {  # type: ignore[type-arg]  # generic in its stubs only
    post: email.is_any_waiting,
    push: push_messages.is_any_device,
    call_webhooks: webhook_deliveries.is_any_webhook,
}
