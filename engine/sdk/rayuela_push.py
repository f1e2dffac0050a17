#!/usr/bin/env python3
"""Upload bots to a Rayuela from a terminal or a build, and read their results.

    rayuela_push.py push mine.py --line 7 --wait    upload the next version, wait for its check
    rayuela_push.py logs 12                         the state and the log of a version's check
    rayuela_push.py games 12 --lost                 the games of a version, the latest first
    rayuela_push.py lab 12 --ruleset morlox --wait  an SPRT test against the version before

One file, standard library only. The site is RAYUELA_URL or --site. The token, with the scopes
`read` and `bots:upload`, is in RAYUELA_TOKEN, or in the file that --token-file or
RAYUELA_TOKEN_FILE names. The exit code is 0 when all is well, and 1 when a version is refused or
suspended or an SPRT test fails. It is 2 when the request is refused or does not get through, and 3
when there is no verdict within --patience.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

AGENT = "rayuela-push/1"
_PATIENCE_S = 60
# A server with a lower limit refuses with a message. Beyond this it would hang up in the middle.
_MOST_BYTES = 16_000_000
# The first and the longest pause between two looks at a check. Each pause is longer than the one
# before.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 15.0
# An answer that did not come, or "come back later", is asked for again so often.
_TRIES = 6
_LATER = {429, 503}
_GOOD = {"ready", "retired"}


class FailedError(Exception):
    """The site refuses with a code, or cannot be reached. Shown as it is."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.code = code


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for the site that was named, and for no other that it may point to."""

    def redirect_request(self, *_: object) -> None:
        """Refuse to follow any redirect."""


OPENER = urllib.request.build_opener(_NoRedirects)
PAUSE = time.sleep


@dataclass
class Site:
    """A Rayuela, and the token for it."""

    url: str
    token: str

    def get(self, path: str) -> Any:
        """Return the JSON at `path` below `/api/v1`."""
        return self._ask("GET", path)

    def post(self, path: str, data: bytes, key: str, kind: str = "application/octet-stream") -> Any:
        """Return the answer to a file, or to another body.

        Requests with one `key` have a single effect.
        """
        headers = {"Content-Type": kind, "Idempotency-Key": key}
        return self._ask("POST", path, data, headers)

    def _ask(
        self, method: str, path: str, data: bytes | None = None, more: dict[str, str] | None = None
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": AGENT, **(more or {})}
        for tries in range(1, _TRIES + 1):
            request = urllib.request.Request(  # noqa: S310 - of the site that was named
                f"{self.url}/api/v1{path}", data, headers, method=method
            )
            try:
                with OPENER.open(request, timeout=_PATIENCE_S) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                code, problem = _problem(error)
                is_passing = error.code in _LATER or code == "key-busy"
                if not is_passing or tries == _TRIES:
                    raise FailedError(problem, code) from error
                pause = error.headers.get("Retry-After", "")
                wait_s = float(pause) if pause.isdigit() else 2.0**tries
                if wait_s > _PATIENCE_S:
                    raise FailedError(f"{problem} (again in {wait_s:.0f} s)") from error
            except (OSError, http.client.HTTPException, ValueError) as error:
                if tries == _TRIES:
                    raise FailedError(f"{self.url} does not answer: {error}") from error
                wait_s = 2.0**tries
            PAUSE(wait_s)
        raise AssertionError("the last try returns or raises")


def push(site: Site, arguments: argparse.Namespace) -> int:
    """Upload a file as the next version of a line, or as a new line."""
    file = Path(arguments.file)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise FailedError(f"{file}: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise FailedError(f"{file}: {len(data)} bytes, of which a site takes 5 million")
    fields = {"filename": file.name, "note": arguments.note, "families": arguments.families}
    fields |= {"takes_over": "false" if arguments.keep else "true"}
    if arguments.line:
        path = f"/bots/lines/{arguments.line}/versions"
    else:
        path, fields["name"] = "/bots/lines", arguments.new
    query = urllib.parse.urlencode({name: text for name, text in fields.items() if text})
    # A build that runs twice, or whose answer was lost, sends one version.
    key = hashlib.sha256(f"{arguments.build} {path}?{query} ".encode() + data).hexdigest()
    try:
        version = site.post(f"{path}?{query}", data, key if arguments.build else _once())
    except FailedError as error:
        if error.code == "name-taken" and (line := _line_of_name(site, arguments.new)):
            words = f"{error} This is your bot: --line {line} uploads its next version."
            raise FailedError(words) from error
        raise
    print(f"{version['player']['name']}: version {version['id']} of line {version['line']}")
    print(f"{site.url}{version['url']}")
    if not arguments.wait:
        return 0
    return _conclude(_checked(site, version, arguments.patience))


def _line_of_name(site: Site, name: str) -> int | None:
    """Return the number of the caller's bot of this name, without regard to case, if the token may read it."""
    try:
        lines = site.get("/bots/lines?limit=200")["items"]
    except FailedError:
        return None
    return next((line["id"] for line in lines if line["name"].casefold() == name.casefold()), None)


def logs(site: Site, arguments: argparse.Namespace) -> int:
    """Show the state of a version and the log of its check."""
    return _conclude(site.get(f"/bots/versions/{arguments.version}"))


def games(site: Site, arguments: argparse.Namespace) -> int:
    """Show the games of a version, the latest first."""
    fields = {"limit": str(min(arguments.most, 200)), "opponent": arguments.opponent}
    fields |= {"event": arguments.event, "since": arguments.since, "ending": arguments.ending}
    fields |= {
        "result": "lost" if arguments.lost else "",
        "has_failed": "true" if arguments.failed else "",
    }
    query = urllib.parse.urlencode({name: text for name, text in fields.items() if text})
    page = site.get(f"/bots/versions/{arguments.version}/games?{query}")
    for game in page["items"]:
        words = [
            f"{game['result']:8}",
            f"{game['ending'] or '':12}",
            f"{game['opponent']['name']:24}",
        ]
        print(*words, f"{site.url}{game['url']}", game["ending_detail"])
    return 0


def lab(site: Site, arguments: argparse.Namespace) -> int:
    """Start an SPRT test of a version against the one before it, or another bot."""
    words = {"ruleset": arguments.ruleset, "clock": arguments.clock, "base": arguments.base}
    words |= {"elo0": arguments.elo0, "elo1": arguments.elo1, "max_pairs": arguments.pairs}
    if arguments.second_clock:
        words["second_clock"] = arguments.second_clock
    body = json.dumps(words).encode()
    test = site.post(f"/bots/versions/{arguments.version}/sprt", body, _once(), "application/json")
    print(f"{test['candidate']['name']} against {test['base']['name']}: {site.url}{test['url']}")
    if not arguments.wait:
        return 0
    ends, pause_s = time.monotonic() + arguments.patience, _FIRST_PAUSE_S
    while test["state"] in {"running", "advanced"} and time.monotonic() < ends:
        PAUSE(pause_s)
        pause_s = min(1.5 * pause_s, _LONGEST_PAUSE_S)
        test = site.get(f"/sprt/{test.get('second_stage') or test['id']}")
    elo = (test["difference"] or {"elo": None})["elo"]
    print(
        f"{test['state']} after {sum(test['pairs'])} pairs, LLR {test['llr']}, Elo {elo}",
        test["reason"],
    )
    return {"passed": 0, "failed": 1}.get(test["state"], 3)


def _checked(site: Site, version: dict[str, Any], patience_s: float) -> dict[str, Any]:
    """Return the version when its check is over, or when the patience is."""
    ends, pause_s, place = time.monotonic() + patience_s, _FIRST_PAUSE_S, None
    while version["state"] == "checking" and time.monotonic() < ends:
        queue = version["queue"] or {"position": 0}
        if queue["position"] != place:
            place = queue["position"]
            print(
                "being checked" if not place else f"waits for its check: number {place}", flush=True
            )
        PAUSE(pause_s)
        pause_s = min(1.5 * pause_s, _LONGEST_PAUSE_S)
        version = site.get(f"/bots/versions/{version['id']}")
    return version


def _conclude(version: dict[str, Any]) -> int:
    """Print a version with its log, and return the exit code of the command."""
    if version["check_log"]:
        print(version["check_log"].rstrip())
    print(f"{version['player']['name']}: {version['state']}")
    if version["reason"]:
        print(version["reason"]["sentence"], version["reason"]["particulars"])
    if version["state"] == "checking":
        place = version["queue"] and version["queue"]["position"]
        print(f"number {place} of those that wait" if place else "being checked")
        return 3
    return 0 if version["state"] in _GOOD else 1


def _once() -> str:
    return os.urandom(16).hex()


def _problem(error: urllib.error.HTTPError) -> tuple[str, str]:
    """Return the code of a problem of RFC 9457, and all of it in one line."""
    code = ""
    try:
        problem = json.load(error)
        code = problem["code"]
        words = [problem["title"], problem.get("detail", "")]
        words += [
            f"{each.get('parameter', '')}: {each['detail']}" for each in problem.get("errors", ())
        ]
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        words = [error.reason]
    return code, f"{error.code}: {' '.join(word for word in words if word)}"


def _site(arguments: argparse.Namespace) -> Site:
    url = arguments.site.rstrip("/")
    if not url.startswith(("https://", "http://")):
        raise FailedError("which site? RAYUELA_URL or --site https://...")
    return Site(url, _token(arguments))


def _token(arguments: argparse.Namespace) -> str:
    path = arguments.token_file or os.environ.get("RAYUELA_TOKEN_FILE", "")
    token = os.environ.get("RAYUELA_TOKEN", "")
    if path:
        try:
            token = Path(path).read_text()
        except (OSError, ValueError) as error:
            raise FailedError(f"{path}: {error}") from error
    if not token.strip():
        raise FailedError("no token: RAYUELA_TOKEN, RAYUELA_TOKEN_FILE or --token-file")
    return token.strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", default=os.environ.get("RAYUELA_URL", ""), help="https://...")
    parser.add_argument("--token-file", default="", help="a file with the token alone")
    commands = parser.add_subparsers(required=True)
    upload = commands.add_parser("push", help=push.__doc__)
    upload.set_defaults(run=push)
    upload.add_argument("file")
    place = upload.add_mutually_exclusive_group(required=True)
    place.add_argument("--line", type=int, help="the number of the bot, as in its address")
    place.add_argument("--new", default="", metavar="NAME", help="a new bot of this name")
    upload.add_argument("--families", default="", help="morlox,morelli; else as the version before")
    upload.add_argument("--note", default="", help="what is new, for everybody")
    upload.add_argument("--keep", action="store_true", help="do not activate it after its check")
    upload.add_argument("--build", default="", help="of one build the same file is one version")
    upload.add_argument("--wait", action="store_true", help="until its check is over")
    upload.add_argument("--patience", type=float, default=1800, help="seconds to wait at most")
    log = commands.add_parser("logs", help=logs.__doc__)
    log.set_defaults(run=logs)
    log.add_argument("version", type=int)
    table = commands.add_parser("games", help=games.__doc__)
    table.set_defaults(run=games)
    table.add_argument("version", type=int)
    table.add_argument("--lost", action="store_true")
    table.add_argument(
        "--failed", action="store_true", help="lost by a crash, on time and the like"
    )
    table.add_argument("--ending", default="", help="time, crash, illegal-move, rules ...")
    table.add_argument("--opponent", default="", help="a part of the name")
    table.add_argument("--event", default="", help="the last part of its address")
    table.add_argument("--since", default="", help="a day: 2026-11-23")
    table.add_argument("--most", type=int, default=50)
    _add_lab(commands)
    return parser


def _add_lab(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sprt = commands.add_parser("lab", help=lab.__doc__)
    sprt.set_defaults(run=lab)
    sprt.add_argument("version", type=int)
    sprt.add_argument("--ruleset", required=True, help="a set of rules, as the site names it")
    sprt.add_argument("--base", type=int, help="the number of a version or of a built-in bot")
    sprt.add_argument("--clock", default="5+0.1")
    sprt.add_argument("--second-clock", help="repeat a test that passes with this longer clock")
    sprt.add_argument("--elo0", type=float, default=0)
    sprt.add_argument("--elo1", type=float, default=20)
    sprt.add_argument("--pairs", type=int, default=1000, help="at most")
    sprt.add_argument("--wait", action="store_true", help="until there is a verdict")
    sprt.add_argument("--patience", type=float, default=7200, help="seconds to wait at most")


def main(words: Sequence[str] | None = None) -> int:
    """Run a command, and return the exit code."""
    arguments = _parser().parse_args(words)
    try:
        result: int = arguments.run(_site(arguments), arguments)
    except FailedError as error:
        print(f"rayuela_push: {error}", file=sys.stderr)
        return 2
    return result


if __name__ == "__main__":
    sys.exit(main())
