"""Make the site of the roles (`tests/tournaments/role_world`) in the database of RAYUELA_HOME, for pictures of its pages.

Print as JSON the value of the session's cookie and the pages of each role.
"""

from __future__ import annotations

import json
import logging
import os
import sys

import django
from django.http.response import HttpResponseBase


def main() -> int:
    """Make the site and print its visitors."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    logging.disable(logging.CRITICAL)
    # These need the registry of applications.
    from django.conf import settings
    from django.core.management import call_command
    from django.test.utils import setup_test_environment
    from django.urls import reverse

    from tests.tournaments import role_world
    from tests.tournaments.views.test_roles import ROUTES

    call_command("migrate", verbosity=0)
    setup_test_environment()
    world = role_world.build()
    visitors = {}
    for role, client in world.clients.items():
        addresses = [
            reverse(name, kwargs=world.place(name, parts)) for name, parts in ROUTES.items()
        ]
        cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
        visitors[role] = {
            "cookies": {cookie.key: cookie.value} if cookie else {},
            "paths": [each for each in addresses if _is_page(client.get(each))],
        }
    json.dump(visitors, sys.stdout)
    return 0


def _is_page(answer: HttpResponseBase) -> bool:
    return answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")


if __name__ == "__main__":
    sys.exit(main())
