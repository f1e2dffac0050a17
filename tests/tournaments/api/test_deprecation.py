"""Deprecated operations: their headers, their marks in the document, and the page of changes."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.tournaments.api.conftest import Program
from tournaments.api import openapi
from tournaments.api.deprecation import Deprecated, add_headers
from tournaments.api.operations import DEPRECATED
from tournaments.api.v1 import v1

pytestmark = pytest.mark.django_db
FORMER = "/suites/1/delete"


def test_every_answer_of_a_deprecated_operation_tells_its_end(anybody: Program) -> None:
    answer = anybody("POST", FORMER)
    assert answer.status_code == 401
    end = DEPRECATED["suite-delete-former"]
    since = datetime.fromtimestamp(int(answer["Deprecation"].removeprefix("@")), UTC)
    assert since.date() == end.since
    assert parsedate_to_datetime(answer["Sunset"]).date() == end.sunset
    link = re.search(r'<(\S+)>; rel="deprecation"', answer["Link"])
    assert link is not None
    assert Client().get(link[1]).status_code == 200


def test_no_other_operation_has_these_headers(anybody: Program) -> None:
    for answer in (anybody("GET", "/suites"), anybody("DELETE", "/suites/1")):
        assert not {"Deprecation", "Sunset"} & set(answer.headers)


def test_the_link_of_a_list_stays_beside_it() -> None:
    response = HttpResponse(headers={"Link": '</next>; rel="next"'})
    add_headers(response, DEPRECATED["suite-delete-former"])
    assert 'rel="next"' in response["Link"]
    assert 'rel="deprecation"' in response["Link"]


def test_the_document_and_the_page_mark_deprecated_operations() -> None:
    marked = {
        operation["operationId"]
        for _method, _path, operation in openapi.operations(openapi.document(v1))
        if operation.get("deprecated")
    }
    assert marked == set(DEPRECATED)
    page = Client().get("/api/changes/").content.decode()
    for name, each in DEPRECATED.items():
        assert f"#{name}" in page
        assert each.instead in page


@pytest.mark.parametrize("each", DEPRECATED.values(), ids=DEPRECATED)
def test_the_replacement_exists(each: Deprecated) -> None:
    method, _, path = each.instead.partition(" ")
    assert method.lower() in openapi.document(v1)["paths"][f"/api/v1{path}"]


def test_programs_have_half_a_year() -> None:
    with pytest.raises(AssertionError, match="half a year"):
        Deprecated(date(2026, 1, 1), date(2026, 6, 30), "GET /suites")


def test_the_page_has_the_changes_of_each_release() -> None:
    page = Client().get("/api/changes/").content.decode()
    assert '<h2 id="030' in page
    assert 'href="/help/bots/oauth/"' in page
    assert "Organisers" not in page
