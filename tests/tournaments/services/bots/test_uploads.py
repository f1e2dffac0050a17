"""Authors' bots: accepted uploads, their limits, their owners, and the states of versions."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from engine.errors import LaunchError
from engine.programs import DamagedProgramError
from tests.tournaments import pages, uploads
from tests.tournaments.conftest import event_of
from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError, StaleError, TooManyError
from tournaments.models import Bot, BotLine, Event, Player, Pool, Program, Rating, Throttle, User
from tournaments.services.bots import programs
from tournaments.services.bots import versions as bots
from tournaments.services.events import entries
from tournaments.services.lobby import challenges
from tournaments.services.ratings import pool_assignment, rating
from tournaments.services.rounds import lifecycle


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HOME", tmp_path)


def _refusal(code: str) -> pytest.RaisesExc[RefusedError]:
    return pytest.raises(RefusedError, match=code)


def test_a_new_line_has_a_first_version_that_waits_for_its_check(ana: User) -> None:
    bot = uploads.line(ana)
    assert (bot.player.name, bot.version, bot.state) == ("Nilo 1", 1, Bot.State.CHECKING)
    assert not bot.is_active
    assert uploads.version(bot, uploads.CHEAT).player.name == "Nilo 2"


def test_the_same_upload_is_one_program_whoever_sends_it(ana: User, ben: User) -> None:
    one, other = uploads.line(ana), uploads.line(ben, "Mono", filename="secret.py")
    assert one.program_id == other.program_id
    assert Program.objects.get().filename == "upload.py"
    assert bytes(Program.objects.get().upload) == uploads.GOOD


def test_a_form_sent_twice_is_one_version(ana: User) -> None:
    first = uploads.line(ana, key="k1")
    assert uploads.line(ana, key="k1").pk == first.pk
    second = uploads.version(first, uploads.CHEAT, key="k2")
    assert uploads.version(first, uploads.CHEAT, key="k2").pk == second.pk
    assert Bot.objects.count() == 2
    assert BotLine.objects.count() == 1


def test_the_key_of_a_form_is_its_author_s_alone(ana: User, ben: User) -> None:
    assert uploads.line(ana, key="k").pk != uploads.line(ben, "Mono", key="k").pk


def test_the_database_takes_a_key_once(ana: User) -> None:
    first = uploads.line(ana, key="k")
    second = uploads.version(first, uploads.CHEAT)
    with pytest.raises(IntegrityError), transaction.atomic():
        Bot.objects.filter(pk=second.pk).update(upload_key="k")


@pytest.mark.parametrize(
    ("data", "filename", "code"),
    [
        (b"", "main.py", "program-empty"),
        (b"x" * 5_000_001, "main.py", "program-upload-too-large"),
        (b"print()", "main.pl", "program-unknown-kind"),
        (b"print()", "main.zip", "program-wrong-content"),
        (b"PK\x03\x04nonsense", "bot.zip", "program-bad-archive"),
        (b"\x7fELF", "main.py", "program-native-code"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("program") else "",
)
def test_what_is_no_program_is_refused_by_name_and_leaves_nothing(
    ana: User, data: bytes, filename: str, code: str
) -> None:
    with _refusal(code):
        uploads.line(ana, data=data, filename=filename)
    assert not BotLine.objects.exists()
    assert not Program.objects.exists()
    assert not Player.objects.bots().exists()


def test_only_known_games_can_be_played_and_one_at_least(ana: User) -> None:
    for families in ([], ["chess"], ["morlox", "chess"]):
        with _refusal("families-bad"):
            uploads.line(ana, families=families)


def test_a_line_cannot_have_the_name_of_a_player_or_of_another_line(ana: User, ben: User) -> None:
    uploads.line(ana)
    with _refusal("name-taken"):
        uploads.line(ben, "NILO")
    with _refusal("name-taken"):
        uploads.line(ben, "Ana")
    with _refusal("name-bad"):
        uploads.line(ben, "N" * 35)


def test_a_version_whose_name_is_taken_gets_another(ana: User) -> None:
    first = uploads.line(ana)
    Player.objects.create(
        kind="bot", name="Nilo 2", canonical="nilo 2", created_at=database_time.now()
    )
    assert uploads.version(first, uploads.CHEAT).player.name == f"Nilo 2.{first.line_id}"


def test_an_author_has_ten_lines(ana: User) -> None:
    for number in range(bots.MAX_LINES):
        BotLine.objects.create(
            owner=ana, name=f"L{number}", canonical=f"l{number}", created_at=database_time.now()
        )
    with _refusal("too-many-lines"):
        uploads.line(ana)


def test_three_versions_of_an_author_are_checked_at_once(ana: User, ben: User) -> None:
    first = uploads.line(ana)
    for _ in range(bots.MAX_IN_CHECK - 1):
        uploads.version(first, uploads.GOOD)
    with _refusal("too-many-checks"):
        uploads.version(first, uploads.GOOD)
    uploads.line(ben, "Mono")
    uploads.ready(first)
    uploads.version(first, uploads.GOOD)


def test_ten_versions_of_an_author_are_taken_a_day(ana: User) -> None:
    first = uploads.ready(uploads.line(ana))
    for _ in range(limits.UPLOADS.most - 1):
        uploads.ready(uploads.version(first, uploads.GOOD))
    with pytest.raises(TooManyError, match="uploads-by-account"):
        uploads.version(first, uploads.GOOD)
    Throttle.objects.update(until=database_time.now() - timedelta(seconds=1))
    uploads.version(first, uploads.GOOD)


def test_versions_come_from_the_author_alone(ana: User, ben: User) -> None:
    first = uploads.ready(uploads.line(ana))
    with pytest.raises(NotAllowedError):
        bots.add_version(line_id=first.line_id or 0, actor=ben, upload=uploads.upload())
    for act in (bots.activate, bots.retire, bots.recheck):
        with pytest.raises(NotAllowedError):
            act(bot_id=first.pk, actor=ben)


def test_one_version_plays_and_an_older_one_can_be_taken_up_again(ana: User) -> None:
    first = uploads.ready(uploads.line(ana), is_active=True)
    second = uploads.ready(uploads.version(first, uploads.GOOD), is_active=True)
    first.refresh_from_db()
    assert (first.is_active, first.state, second.is_active) == (False, Bot.State.READY, True)
    bots.activate(bot_id=first.pk, actor=ana)
    assert Bot.objects.get(is_active=True) == first


def test_what_has_not_passed_its_check_cannot_play(ana: User) -> None:
    bot = uploads.line(ana)
    with pytest.raises(StaleError):
        bots.activate(bot_id=bot.pk, actor=ana)
    with pytest.raises(StaleError):
        bots.retire(bot_id=bot.pk, actor=ana)


def test_a_retired_version_is_out_for_good(ana: User) -> None:
    bot = uploads.ready(uploads.line(ana), is_active=True)
    bots.retire(bot_id=bot.pk, actor=ana)
    bot.refresh_from_db()
    assert (bot.state, bot.is_active) == (Bot.State.RETIRED, False)
    with pytest.raises(StaleError):
        bots.activate(bot_id=bot.pk, actor=ana)


def test_what_was_to_take_over_does_so_though_its_checker_died(ana: User) -> None:
    bot = uploads.line(ana)
    Bot.objects.filter(pk=bot.pk).update(state=Bot.State.READY)
    bots.activate_next()
    bots.activate_next()
    bot.refresh_from_db()
    assert (bot.is_active, bot.takes_over) == (True, False)


@pytest.mark.parametrize("both_passed", [True, False])
def test_a_version_whose_check_took_longer_takes_over_from_no_later_one(
    ana: User, both_passed: bool
) -> None:
    older = uploads.line(ana)
    later = uploads.version(older, uploads.GOOD + b"# better\n")
    Bot.objects.filter(pk=later.pk).update(state=Bot.State.READY)
    if not both_passed:
        bots.activate_next()
    Bot.objects.filter(pk=older.pk).update(state=Bot.State.READY)
    bots.activate_next()
    later.refresh_from_db()
    assert later.is_active
    bots.activate(bot_id=older.pk, actor=ana)  # its author may still want it
    older.refresh_from_db()
    assert older.is_active


def test_a_bot_is_asked_only_for_games_that_it_plays(ana: User, ben: User) -> None:
    bot = uploads.ready(uploads.line(ana), is_active=True)
    clock = {"challenger": ben.player, "opponent": bot.player, "clock": pages.CLOCK}
    with _refusal("bot-other-game"):
        challenges.challenge(ruleset="morelli(size=5)", **clock)  # type: ignore[arg-type]
    assert challenges.challenge(ruleset="morlox(size=5)", **clock).game  # type: ignore[arg-type]
    with _refusal("bot-other-game"):
        entries.enter(event_id=event_of(ana).pk, player=bot.player, actor=ana)


def test_the_database_tells_who_plays_a_game_as_the_bot_does(ana: User, bots: list[Player]) -> None:
    one = uploads.ready(uploads.line(ana), is_active=True)
    two = uploads.ready(uploads.line(ana, "Duo", families=["morelli", "perfect"]), is_active=True)
    uploads.ready(uploads.version(one, uploads.CHEAT))
    ours = {player.bot.pk for player in bots}
    for ruleset, plays in (
        ("morlox(size=5)", {one.pk}),
        ("morelli(size=5)", {two.pk}),
        ("perfect()", {two.pk}),
    ):
        assert {bot.pk for bot in Bot.objects.playing(ruleset)} == ours | plays
        assert {bot.pk for bot in (one, two) if bot.plays(ruleset)} == plays


def test_a_version_that_is_not_ready_cannot_enter_events(ana: User) -> None:
    event = event_of(ana, ruleset="morlox(size=5)")
    bot = uploads.line(ana)
    with _refusal("bot-inactive"):
        entries.enter(event_id=event.pk, player=bot.player, actor=ana)
    uploads.ready(bot)
    entries.enter(event_id=event.pk, player=Player.objects.get(pk=bot.player_id), actor=ana)
    assert event.entries.get().player_id == bot.player_id


@pytest.fixture
def ladder(ana: User, bots: list[Player]) -> Event:
    """Return a running ladder at Morlox 5x5 with two bots of the site."""
    event = event_of(
        ana,
        ruleset="morlox(size=5)",
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        duration_s=3600,
        rounds_total=0,
    )
    for bot in bots[:2]:
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    return event


def _entered_names(event: Event) -> set[str]:
    return set(event.entries.active().values_list("player__name", flat=True))


def test_a_new_version_takes_the_place_of_the_one_before_in_a_ladder(
    ana: User, ladder: Event
) -> None:
    first = uploads.ready(uploads.line(ana), is_active=True)
    entries.enter(event_id=ladder.pk, player=first.player, actor=ana)
    second = uploads.ready(uploads.version(first, uploads.GOOD))
    bots.activate(bot_id=second.pk, actor=ana, passes_on=True)
    assert _entered_names(ladder) == {"Bot 1", "Bot 2", "Nilo 2"}
    bots.activate(bot_id=first.pk, actor=ana, passes_on=True)
    assert _entered_names(ladder) == {"Bot 1", "Bot 2", "Nilo 1"}


def test_a_version_takes_no_places_unless_its_author_wants_it(ana: User, ladder: Event) -> None:
    first = uploads.ready(uploads.line(ana), is_active=True)
    entries.enter(event_id=ladder.pk, player=first.player, actor=ana)
    second = uploads.ready(uploads.version(first, uploads.GOOD))
    bots.activate(bot_id=second.pk, actor=ana)
    assert "Nilo 1" in _entered_names(ladder)


def test_a_new_version_is_paired_by_the_rating_of_the_last_rated_one(ana: User) -> None:
    pool = pool_assignment.pool_of("morlox(size=5)", 600_000, 5_000, Pool.Kind.BOTS)
    versions = [uploads.ready(uploads.line(ana))]
    versions += [uploads.ready(uploads.version(versions[0], uploads.GOOD)) for _ in range(3)]
    for bot, centielo in zip(versions[:2], (140_000, 171_000), strict=True):
        Rating.objects.create(
            pool=pool, player=bot.player, centielo=centielo, games=9, peak_centielo=centielo
        )
    seeds = rating.seeds([bot.player for bot in versions], pool)
    assert list(seeds.values()) == [140_000, 171_000, 171_000, 171_000]
    other = pool_assignment.pool_of("perfect()", 600_000, 5_000, Pool.Kind.BOTS)
    assert set(rating.seeds([versions[3].player], other).values()) == {150_000}


def test_a_machine_unpacks_from_the_database_once_and_notices_changes(
    ana: User, tmp_path: Path
) -> None:
    bot = uploads.line(ana)
    spec = programs.spec(bot, 7)
    assert spec == programs.spec(bot, 7)
    assert spec.name == "Nilo 1"
    main = Path(spec.tree or "") / "main.py"
    assert main.read_bytes() == uploads.GOOD
    assert main.is_relative_to(tmp_path / "programs")
    main.chmod(0o644)
    main.write_bytes(b"changed")
    with pytest.raises(DamagedProgramError):
        programs.spec(bot, 7)


def test_nobody_counts_the_fuel_of_a_python_program(ana: User) -> None:
    with pytest.raises(LaunchError):
        programs.spec(uploads.line(ana), 7, fuel=1_000)


def test_our_own_bots_need_no_tree(bots: list[Player]) -> None:
    assert programs.spec(bots[0].bot, 7).tree is None
