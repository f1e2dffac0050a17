"""A worker of sandboxed queues takes them up and leaves them by the result of its own test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import processes
from tournaments.models import SandboxReport
from tournaments.queues import Queue
from tournaments.services import enqueue

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engines, pytest.mark.django_db(transaction=True)]

# The sandbox holds while the file exists.
_WORKER = """
import sys
from datetime import timedelta
from pathlib import Path
import django
from config.celery import app
django.setup()
from engine import sandbox
from tournaments.services.bots import checks, sandbox_status

class Isolator:
    name = "bwrap"

refusal = sandbox.IsolationRefusal(sandbox.IsolationReason.LEAKED, "thinks: did not run")
sandbox_status.AGAIN = sandbox_status.AGAIN_WITHOUT = timedelta(seconds=0.3)
sandbox_status._inventory = lambda _: sandbox_status._NOTHING
sandbox_status._findings = lambda: {
    "bwrap": sandbox.IsolatorFinding(Isolator(), None, None if Path(sys.argv[1]).exists() else refusal)
}
checks.check_next = Path(sys.argv[2]).touch
app.worker_main(["worker", "-Q", "checks", "-c", "1", "--without-gossip", "--without-mingle"])
"""


def _isolator() -> str | None:
    return (
        SandboxReport.objects.filter(queue=Queue.CHECKS).values_list("isolator", flat=True).first()
    )


@pytest.mark.long
def test_a_worker_takes_its_queue_up_when_its_sandbox_holds_and_leaves_it_again(
    tmp_path: Path,
) -> None:
    held, checked = tmp_path / "held", tmp_path / "checked"

    def consumes() -> bool:
        enqueue.check()
        return checked.exists()

    with processes.program(["-c", _WORKER, str(held), str(checked)]):
        processes.until(lambda: _isolator() == "")
        held.touch()
        processes.until(lambda: _isolator() == "bwrap")
        processes.until(consumes)
        held.unlink()
        processes.until(lambda: _isolator() == "")
