"""The versions in the sandbox: as a worker's machine has read them there, for pages and programs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from engine.errors import LaunchError
from engine.sandbox import Inventory
from engine.sandbox import inventory as engine_inventory
from tests.tournaments import pages, uploads
from tournaments import database_time
from tournaments.models import SandboxReport, User
from tournaments.queries.bots import sandboxes
from tournaments.queues import Queue
from tournaments.services.bots import sandbox_status


def _report(
    host: str,
    python: str,
    *,
    age_h: float = 0,
    numpy: str = "2.4.6",
    queue: str = Queue.BOTS,
    isolator: str = "bwrap",
) -> SandboxReport:
    return SandboxReport.objects.create(
        host=host,
        queue=queue,
        isolator=isolator,
        python=python,
        numpy=numpy,
        checked_at=database_time.now() - timedelta(hours=age_h),
    )


@pytest.mark.engine
@pytest.mark.django_db
@pytest.mark.long
def test_a_machine_reports_what_its_sandbox_has(monkeypatch: pytest.MonkeyPatch) -> None:
    uploads.require_box()
    monkeypatch.setattr(engine_inventory, "take", lambda *_: Inventory("3.99.1", "9.9.9"))
    assert sandbox_status.examine()
    row = SandboxReport.objects.get()
    assert (row.python, row.numpy) == ("3.99.1", "9.9.9")

    def fail(*_: object) -> Inventory:
        raise LaunchError("nothing starts")

    monkeypatch.setattr(engine_inventory, "take", fail)
    assert sandbox_status.examine(), "what is in the sandbox does not say whether it holds"
    row.refresh_from_db()
    assert (row.python, row.numpy) == ("", "")


@pytest.mark.django_db
def test_workers_of_one_machine_report_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_status, "_self_test", sandbox_status.SelfTest())
    monkeypatch.setattr(sandbox_status, "_findings", dict)
    sandbox_status.serve([Queue.REPLIES, Queue.CHECKS])
    assert not sandbox_status.examine()
    good = _report(SandboxReport.objects.all()[0].host, "3.11.2")
    assert sorted(row.queue for row in sandboxes.reports_without()) == ["checks", "replies"]
    assert list(sandboxes.reports_of(Queue.BOTS)) == [good]


@pytest.mark.django_db
def test_a_queue_has_no_sandbox_while_none_of_its_workers_has_one(staff: User) -> None:
    refused = _report("one", "", queue=Queue.REPLIES, isolator="")
    _report("two", "3.11.2")
    assert sandboxes.reports_without() == [refused]
    administration = reverse("admin:tournaments_sandboxreport_changelist")
    assert administration in pages.member(staff).get("/bots/").content.decode()
    other = _report("two", "3.11.2", queue=Queue.REPLIES)
    assert sandboxes.reports_without() == []
    # A worker that has ended counts no more.
    SandboxReport.objects.filter(pk=other.pk).update(
        checked_at=other.checked_at - timedelta(hours=9)
    )
    assert sandboxes.reports_without() == [refused]
    SandboxReport.objects.update(checked_at=other.checked_at - timedelta(hours=9))
    assert sandboxes.reports_without() == []


@pytest.mark.django_db
def test_versions_are_said_once_and_not_of_machines_that_are_gone() -> None:
    _report("one", "3.11.2", age_h=1)
    latest = _report("two", "3.11.2")
    other = _report("three", "3.13.1", age_h=2, numpy="")
    _report("gone", "3.12.0", age_h=9)
    _report("without", "")
    assert list(sandboxes.boxes(database_time.now())) == [latest, other]


@pytest.mark.django_db
def test_authors_and_programs_read_them(ana: User) -> None:
    _report("secret-host", "3.99.1", numpy="9.9.9")
    _report("other-host", "3.98.1", age_h=1, numpy="")
    member = Client()
    member.force_login(ana)
    for path in ("/bots/guide/", "/bots/new/"):
        page = member.get(path).content.decode()
        assert "Python 3.99.1, numpy 9.9.9" in page
        assert "Python 3.98.1, without numpy" in page
        assert "secret-host" not in page
    answer = Client().get("/api/v1/bots/boxes")
    items = answer.json()["items"]
    assert [(each["python"], each["numpy"]) for each in items] == [
        ("3.99.1", "9.9.9"),
        ("3.98.1", ""),
    ]
    assert b"secret-host" not in answer.content
