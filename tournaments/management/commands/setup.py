"""`manage.py setup`: bring an installation up to date, from an empty database or from an earlier release.

Every step finds what an earlier run has done, so that the command can run again. It asks only for
what is missing.
"""

from __future__ import annotations

import io
import os
from argparse import ArgumentParser
from collections.abc import Sequence
from getpass import getpass
from pathlib import Path

import segno
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django_otp.oath import totp

from tournaments.errors import RefusedError
from tournaments.models import SiteText, User
from tournaments.models.site_texts import TEXT_LENGTH
from tournaments.queries import site_texts
from tournaments.services import house
from tournaments.services.accounts import second_factor
from tournaments.services.operations import bots_role

_PASSWORD = "DJANGO_SUPERUSER_PASSWORD"  # noqa: S105 - the name of a variable, as of Django's own command


class Command(BaseCommand):
    help = (
        "Apply migrations, collect files, add the site's own bots, store the operator's texts, and"
        " create the first administrator with a second factor. It can run again at any time."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--operator", help="name of the person or club that runs the site")
        parser.add_argument("--contact", help="an e-mail address or a link for its users")
        parser.add_argument("--privacy", type=Path, help="file with more text for /privacy/")
        parser.add_argument("--imprint", type=Path, help="file with the imprint for /contact/")
        parser.add_argument("--admin", help="name of the first administrator")
        parser.add_argument("--email", default="", help="e-mail address of the administrator")
        parser.add_argument(
            "--no-input",
            action="store_true",
            help=f"ask nothing: the password is in {_PASSWORD}, and the key for codes is printed",
        )

    def handle(self, *args: object, **options: object) -> None:
        texts = _texts(options)
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write("Rayuela: the tables are up to date")
        if bots_role.renew():
            self.stdout.write(f"Rayuela: the rights of {bots_role.ROLE} are up to date")
        # In an image the files are collected already, and cannot be written.
        if "STATIC_ROOT" in os.environ and os.access(settings.STATIC_ROOT, os.W_OK):
            call_command("collectstatic", verbosity=0, interactive=False)
            self.stdout.write("Rayuela: the files for browsers are collected")
        for part in house.set_up():
            self.stdout.write(f"Rayuela: {part}")
        for kind, text in texts.items():
            SiteText.objects.update_or_create(kind=kind, defaults={"text": text})
        for kind, text in site_texts.texts().items():
            self.stdout.write(f"Rayuela: {kind}: {text.splitlines()[0] if text else 'no text'}")
        name = options["admin"]
        if name is not None:
            assert isinstance(name, str), "argparse"
            self._administrator(name, str(options["email"]), asks=not options["no_input"])
        elif not User.objects.filter(is_superuser=True).exists():
            self.stdout.write("Rayuela: no administrator yet. --admin NAME creates one")

    def _administrator(self, name: str, email: str, *, asks: bool) -> None:
        """Create the administrator and the second factor, as far as they are missing.

        Raises CommandError for an account of that name that is no administrator, and for an address
        or a password that is refused.
        """
        user = User.objects.filter(username=name).first()
        if user is not None and not user.is_superuser:
            raise CommandError(f"{name} is the account of a player. Choose another name.")
        if user is not None and second_factor.is_on(user):
            self.stdout.write(f"Rayuela: {name} is an administrator with a second factor")
            return
        password = _password(name, is_new=user is None) if asks else os.environ.get(_PASSWORD, "")
        user = user or _create(name, email, password)
        device = second_factor.propose(user)
        self.stdout.write(f"Rayuela: key for the app with codes: {second_factor.key_of(device)}")
        if asks:
            picture = io.StringIO()
            segno.make(device.config_url, micro=False).terminal(picture, compact=True)
            self.stdout.write(picture.getvalue())
        codes: Sequence[str] = []
        while not codes:
            code = input("Code of the app: ") if asks else f"{totp(device.bin_key):06d}"
            try:
                codes = second_factor.turn_on(user=user, password=password, code=code)
            except RefusedError as refusal:
                if not asks or refusal.code != "factor-code-wrong":
                    raise CommandError(f"The second factor is refused: {refusal}") from refusal
                self.stderr.write("This code is wrong. Wait for the next one.")
        self.stdout.write(f"Rayuela: codes for the loss of the app: {' '.join(codes)}")
        self.stdout.write(f"Rayuela: {name} is an administrator with a second factor")


def _texts(options: dict[str, object]) -> dict[str, str]:
    """Return the given texts by kind. Raises CommandError for a file that cannot be read, and a long text."""
    texts = {}
    for kind in SiteText.Kind.values:
        value = options[kind]
        if value is None:
            continue
        try:
            text = value.read_text() if isinstance(value, Path) else str(value)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"--{kind}: {value}: {error}") from error
        if len(text) > TEXT_LENGTH:
            raise CommandError(f"--{kind}: more than {TEXT_LENGTH} characters")
        texts[kind] = text.strip()
    return texts


def _password(name: str, *, is_new: bool) -> str:
    password = getpass(f"Password of {name}: ")
    if is_new and password != getpass("The same password again: "):
        raise CommandError("The two passwords differ.")
    return password


def _create(name: str, email: str, password: str) -> User:
    user = User(username=name, email=email)
    try:
        user.clean_fields(exclude=["password"])
        if email:
            validate_email(email)
        validate_password(password, user)
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    return User.objects.create_superuser(name, email, password)
