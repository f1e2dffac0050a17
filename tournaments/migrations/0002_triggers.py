"""What the database itself keeps as it is: records are only added to, and what is decided stays decided.

0001 is made by `manage.py makemigrations` and by nothing else; whatever is written by hand stands here or later.
"""

from django.db import migrations

from tournaments.migrations import _triggers

# The latest correction of the game leads from the old result to the new one.
CORRECTION = (
    "EXISTS (SELECT 1 FROM tournaments_correction c WHERE c.game_id = OLD.id AND c.before = OLD.result"
    " AND c.after = NEW.result AND c.seq ="
    " (SELECT MAX(l.seq) FROM tournaments_correction l WHERE l.game_id = OLD.id))"
)

# Somebody with an account has taken over the entry of a player of a list.
CLAIM = (
    "EXISTS (SELECT 1 FROM tournaments_entryclaim k WHERE k.state = 'accepted'"
    " AND k.listed_id = OLD.{column} AND k.player_id = NEW.{column})"
)

# A game over the board gets its record: the first one, or another as a further attempt.
RECORD = (
    "OLD.ending = 'over-board' AND ((OLD.ply = 0 AND NEW.attempt = OLD.attempt)"
    " OR NEW.attempt = OLD.attempt + 1)"
)

GUARDS = [
    *(
        _triggers.AppendOnly(table)
        for table in (
            "announcement",
            "annulment",
            "auditentry",
            "award",
            "clockcharge",
            "correction",
            "evaluation",
            "ledgerentry",
            "outage",
            "ply",
            "program",
            "transcript",
        )
    ),
    # Pages and notices have long shown it when it goes.
    _triggers.Perishable("newsitem", column="happened_at", days=7),
    # A result changes by a correction and not otherwise.
    _triggers.Correctable(
        name="game_result_once",
        table="game",
        columns=["ending", "pool_id"],
        message="a finished game does not change",
        once="OLD.result IS NOT NULL",
        column="result",
        correction=CORRECTION,
        function_name="rayuela_result_once",
    ),
    # The record of a game over the board may come after its result; another one is another attempt.
    _triggers.Fixed(
        name="game_plies_once",
        table="game",
        columns=["ply", "attempt"],
        message="a finished game does not change",
        once=f"OLD.result IS NOT NULL AND NOT ({RECORD})",
        function_name="rayuela_plies_once",
    ),
    # Who played stays, but that a player of a list may turn out to be somebody with an account.
    _triggers.Transferable(
        name="game_players_once",
        table="game",
        columns=["first_id", "second_id"],
        message="a finished game does not change",
        once="OLD.result IS NOT NULL",
        permission=CLAIM,
        function_name="rayuela_players_once",
    ),
    # What was expected of a game was expected before it.
    _triggers.Fixed(
        name="game_prediction_fixed",
        table="game",
        columns=["predicted_millionths", "predicted_by"],
        message="a prediction does not change",
        function_name="rayuela_prediction_fixed",
    ),
    # What a round was paired from and with, once everybody has seen it.
    _triggers.Fixed(
        name="round_frozen",
        table="round",
        columns=[
            "event_id",
            "number",
            "is_continuous",
            "report",
            "problem",
            "evidence",
            "engine",
            "setup",
            "setup_seed",
        ],
        message="a published round does not change",
        once="OLD.state <> 'draft'",
        function_name="rayuela_round_frozen",
    ),
    _triggers.Permanent("offer"),
    _triggers.Fixed(
        name="offer_answered_once",
        table="offer",
        columns=["game_id", "kind", "side", "attempt", "ply", "given_ms", "made_at"],
        message="an offer is answered once",
        over="OLD.answer IS NOT NULL",
    ),
    _triggers.Permanent("awardlist"),
    _triggers.Fixed(
        name="awardlist_taken_back_once",
        table="awardlist",
        columns=["event_id", "log_entry_id", "currency", "made_at"],
        message="awards are taken back once",
        over="OLD.taken_back_at IS NOT NULL",
        function_name="rayuela_awards_taken_back_once",
    ),
    # Whoever tests with a suite knows what it is made of.
    _triggers.Fixed(
        name="suite_fixed",
        table="suite",
        columns=["name", "ruleset", "setups", "count"],
        message="a suite does not change",
        function_name="rayuela_suite_fixed",
    ),
    _triggers.Permanent("vacation"),
    _triggers.Fixed(
        name="vacation_ended_once",
        table="vacation",
        columns=["player_id", "days", "started_at", "ends_at"],
        message="a vacation ends once",
        over="OLD.ended_at IS NOT NULL",
    ),
]


def add(apps, schema_editor):
    _triggers.recreate(schema_editor, GUARDS)


def remove(apps, schema_editor):
    """The functions of PostgreSQL stay; without a trigger they do nothing."""
    _triggers.drop(schema_editor, GUARDS)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [migrations.RunPython(add, remove)]
