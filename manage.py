#!/usr/bin/env python3
"""The front door of Rayuela.

`python3 manage.py up` runs the whole site, `python3 manage.py test` runs the tests; both set themselves up in
`.venv` first. Everything else is a Django command, run in that environment.
"""

import os
import sys

from config import bootstrap


def main() -> int:
    """Enter the project's environment, then run the command; returns the exit code."""
    arguments = sys.argv[1:]
    command = arguments[0] if arguments else "help"
    bootstrap.enter(with_tests=command == "test")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if command == "up":
        from config import supervisor

        return supervisor.main(arguments[1:])
    if command == "serve":
        from config import server

        return server.main(arguments[1:])
    if command == "test":
        from tests import run

        return run.main(arguments[1:])
    if command in {"help", "--help", "-h"} and len(arguments) < 2:
        print("manage.py up      run the site with its workers     (manage.py up --help)")
        print("manage.py serve   serve the site without workers    (manage.py serve --help)")
        print("manage.py setup   bring an installation up to date  (manage.py setup --help)")
        print("manage.py test    run the tests                     (manage.py test --help)\n")

    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
