"""Bots of Ana's for the examples of the documentation: a line, its versions, a game, an event, an SPRT test."""

from __future__ import annotations

from engine.volunteer import tasks
from tests.tournaments import authors, uploads, volunteers
from tests.tournaments.conftest import CLOCK
from tournaments.models import Bot, Event, Game, Transcript, User
from tournaments.queries.bots import tunings
from tournaments.queries.events import plans
from tournaments.services import gauntlets, sprt_tests
from tournaments.services.accounts import players
from tournaments.services.accounts.bot_consents import Consent
from tournaments.services.bots import suites
from tournaments.services.events import bot_requests, entries, registration
from tournaments.services.volunteers import leasing

TRANSCRIPT = "bot Nilo 2\n0 0.100 > ugi\n0 1.200 < ugiok\n0 2.000 ! thinking\n"


def version(owner: User, name: str = "Nilo") -> Bot:
    """Return the second version of a line, ready and active. The first one is ready."""
    first = uploads.ready(uploads.line(owner, name))
    second = uploads.ready(uploads.version(first, uploads.CHEAT, note="Faster"), is_active=True)
    second.options = ["name Depth type spin default 3 min 1 max 9"]
    second.save(update_fields=["options"])
    return second


def game(bot: Bot) -> Game:
    """A game that the version lost by crashing, with its transcript."""
    winner = players.add_bot(name=f"Winner {Game.objects.count()}", engine="random")
    row = uploads.lost(bot.player, winner)
    Transcript.objects.create(game=row, side="first", attempt=1, text=TRANSCRIPT)
    return row


def event(organiser: User, name: str) -> Event:
    """A ladder for bots that takes entries."""
    plan = plans.EventPlan(
        name=name,
        ruleset="morlox(size=5)",
        rounds_total=1,
        clock=CLOCK,
        admits=Event.Admits.BOTS,
        format=Event.Format.LADDER,
        duration_s=3600,
    )
    return registration.create_event(organiser=organiser, plan=plan)


def sprt_test(owner: User, bot: Bot) -> int:
    """An SPRT test of the version against the one before, which is running."""
    plan = sprt_tests.Plan(
        candidate=bot,
        base=sprt_tests.base_of(owner, bot, None),
        ruleset="morlox(size=5)",
        clock=CLOCK,
    )
    return sprt_tests.start(owner, plan).pk


def suite(owner: User) -> int:
    """Return a suite that no test has begun from."""
    row = suites.add_openings(
        owner=owner, name="Late", ruleset="morlox(size=5)", plies=6, count=3, seed=1
    )
    return row.pk


def consent_values(owner: User, bot: Bot) -> dict[str, str]:
    """A gauntlet of the version, a request for it, a bot whose author can be asked, and one to play against."""
    author = players.sign_up(name="Author", password="rayuela-1963")
    asking = event(author, "Pregunta")
    house = players.add_bot(name="Gate", engine="random")
    plan = gauntlets.Plan(bot, [house.bot], "morlox(size=5)", CLOCK, pairs_each=1)
    request = bot_requests.request(event_id=asking.pk, player=bot.player, actor=author)
    return {
        "GAUNTLET": str(gauntlets.start(owner, plan).pk),
        "REQUEST": str(request.pk),
    }


def tuning(owner: User, bot: Bot) -> str:
    """Return the number of a tuning of the version that was stopped, so that another one may start."""
    plan = gauntlets.Plan(
        bot,
        [Bot.objects.get(player__name="Gate")],
        "morlox(size=5)",
        CLOCK,
        parameters=tunings.parameters_in("Depth, int, 3, 1, 9"),
        iterations=2,
    )
    row = gauntlets.start(owner, plan)
    gauntlets.stop(gauntlet_id=row.pk, actor=owner)
    return str(row.pk)


def worker_values(owner: User) -> dict[str, str]:
    """Return a worker with two processes, and the match that one of them plays."""
    volunteers.sprt_test(owner)
    worker = volunteers.worker(owner, processes=2)
    run = volunteers.leased(worker)
    [task, _other] = leasing.tasks_of(run)
    return {"WORKER": str(worker.pk), "RUN": str(run.pk), "DIGEST": task.first}


def values(owner: User) -> dict[str, str]:
    """Return the values that a reader of the documentation sets."""
    bot = version(owner)
    event(owner, "Escalera")
    return {
        "LINE": str(bot.line_id),
        "VERSION": str(bot.pk),
        "BEFORE": str(Bot.objects.get(line=bot.line, version=1).pk),
        "SPRT": str(sprt_test(owner, bot)),
        "SUITE": str(suite(owner)),
        "RULES": tasks.version(),
        **worker_values(owner),
        **consent_values(owner, bot),
    }


def other_values(owner: User, bot: Bot) -> dict[str, dict[str, str]]:
    """Return the values that a reader sets differently for single operations."""
    author = players.sign_up(name="Other", password="rayuela-1963")
    askable = authors.version(author, "Askable", consent=Consent())
    suspended = uploads.ready(uploads.line(owner, "Mono"))
    Bot.objects.filter(pk=suspended.pk).update(state=Bot.State.SUSPENDED)
    ladder = event(owner, "Torre")
    entries.enter(event_id=ladder.pk, player=bot.player, actor=owner)
    return {
        "bot-recheck": {"VERSION": str(suspended.pk)},
        "bot-leave": {"EVENT": ladder.slug},
        "event-bot-request": {"EVENT": ladder.slug, "OPPONENT": str(askable.pk)},
        **{
            operation: {"OPPONENT": str(Bot.objects.get(player__name="Gate").pk)}
            for operation in ("gauntlet-start", "tuning-start")
        },
        **{
            operation: {"GAUNTLET": tuning(owner, bot)}
            for operation in ("gauntlet-tuning", "gauntlet-iterations")
        },
        "bot-transcript": {"GAME": str(game(bot).pk)},
    }
