"""A sentence for the code of every refusal, and additions to some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.text import (
    bot_consents,
    festivals,
    over_board,
    prizes,
    series,
    standings_filters,
    verdicts,
)

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# The other codes say it all: their details are for developers, and in English.
_WITH_PARTICULARS = {
    "illegal-move",
    "name-bad",
    "password-weak",
    "bad-position",
    "bad-record",
    "results-missing",
    "ties-open",
}

# The detail is the name of the bot, which is not translated.
_WITH_NAME = {"bot-inactive", "bot-other-game"}


class Refusal(Protocol):
    """An object with a stable code, such as a `TournamentError` of the services."""

    @property
    def code(self) -> str:
        """The stable code that `SENTENCES` is keyed by."""

    @property
    def pattern(self) -> str:
        """The detail in English, with places for `parts`."""

    @property
    def parts(self) -> Mapping[str, str]:
        """Return the values for the places of the pattern, by name."""


SENTENCES: dict[str, _StrPromise] = {
    "abort-event": _("A game of an event cannot be aborted. Ask the organiser."),
    "abort-late": _("You have made a move: the game can only be resigned now."),
    "account-needed": _("This is for players with an account: sign up, your games come along."),
    "access-code-bad": _("A private event needs an access code of at most 40 characters."),
    "act-bots": _("This is a game between bots, whose clocks the referee keeps."),
    "act-no-event": _("This game belongs to no event."),
    "announcement-bad": _("An announcement has 1 to 500 characters."),
    "announcements-many": _("An event has a hundred announcements at most."),
    "check-in-bad": _("Check-in opens before the start, which must be given."),
    "check-in-closed": _("Check-in is not open."),
    "claim-early": _("The opponent has not been away for long enough. Wait, or continue to play."),
    "claim-event": _("A game of an event cannot be claimed. Ask the arbiter."),
    "claim-first-moves": _("The game can be claimed when both players have made a move."),
    "claim-never": _("This game cannot be claimed."),
    "claim-own-turn": _("It is your turn. The game can be claimed on the opponent's turn."),
    "opponent-here": _("The opponent is at the table. The game continues."),
    "clocks-running": _("The clocks are running."),
    "clocks-stopped": _("The clocks are stopped."),
    "code-wrong": _("This event asks for an access code, and this is not it."),
    "edit-busy": _("One of them has an opponent already."),
    "edit-bye": _("This player has had a pairing-allocated bye already."),
    "edit-format": _("Only the draft of a Swiss or of a round robin can be changed by hand."),
    "edit-met": _("These two have met already."),
    "hand-automatic": _(
        "This event pairs its rounds automatically. Turn that off in the settings first."
    ),
    "edit-same": _("Please choose two different players."),
    "entries-many": _("More players than that have entered already."),
    "delete-entered": _("Other people have entered. Cancel the event instead."),
    "delete-played": _("The event has results, which remain."),
    "delete-published": _("A round was published. Cancel the event instead."),
    "event-name-other": _("This is not the name of the event. Type it as the heading shows it."),
    "event-over": _("The event is over."),
    "expelled": _("The organiser has expelled this player."),
    "form-bad": _("Something is missing in this form, or does not make sense."),
    "form-sent": _("This form was sent already, with other entries. Please fill it in again."),
    "games-few": _("This event asks for more rated games than this player has."),
    "grace-bad": _("The grace time is seven days at most."),
    "round-days-bad": _("A round has 1 to 366 days."),
    "round-days-clock": _("Only rounds with a clock of a day or more have a deadline."),
    "grace-needed": _("Clocks that wait for both players need a grace time."),
    "half-bye-late": _("Half-point byes are not given in rounds as late as this."),
    "no-published-round": _("No round is published that could be taken back."),
    "round-not-started": _("The games of this round have not begun."),
    "no-round-to-start": _("No round waits for its start."),
    "no-such-ladder": _("There is no standing ladder of this pool."),
    "no-such-board": _("The draft has no such board."),
    "no-such-bye": _("There is no such bye."),
    "no-such-entry": _("There is no such entry."),
    "no-such-player": _("There is no player of that name."),
    "not-paused": _("The event is not paused."),
    "paused": _("The event is paused. Resume it first."),
    "plies-played": _("A game of this round has begun already."),
    "rated-result": _(
        "Only a game over the board, of two players in a closed round, has another result in the rating report."
    ),
    "rating-bad": _("A rating lies between 100 and 4000."),
    "rating-band": _("The lowest rating must not be above the highest."),
    "rating-high": _("The rating is too high for this event."),
    "rating-low": _("The rating is too low for this event."),
    "registration-closed": _("The registration is closed."),
    "replay-by-hand": _("Over the board, enter the new result instead."),
    "replay-late": _("A later round is published. This game cannot be replayed."),
    "replay-many": _("This game has been played again too often."),
    "role-bad": _("There is no such role."),
    "rounds-played": _(
        "You cannot set fewer rounds than have been paired, and in this "
        "format the number may be fixed."
    ),
    "setting-fixed": _("Some of these settings cannot be changed any more."),
    "staff-already": _("This account already has a role in the event."),
    "staff-full": _("An event has twenty helpers at most."),
    "staff-gone": _("This role was taken away already."),
    "staff-no-account": _("Only people with accounts can help."),
    "start-mode-bad": _("There is no such start of the clocks."),
    "take-back-pool": _("In this format there are no rounds to take back."),
    "time-bad": _("This time cannot be added."),
    "time-past": _("Please choose a moment in the future, within a year."),
    "times-order": _("Each round must begin later than the one before."),
    "undo-late": _("This can no longer be undone, because later actions depend on it."),
    "undo-never": _("This cannot be undone."),
    "undone": _("This was undone already."),
    "acceleration-bad": _("Acceleration is for the Dutch Swiss, with a win worth two draws."),
    "admits-bad": _("An event is for people, for bots, or for both. A ladder is for bots."),
    "analysis-own-game": _(
        "You are playing this game: it can be analysed when it is over. Your casual and "
        "correspondence games can be analysed at any time."
    ),
    "engine-event": _("The event does without an engine until it is over."),
    "engine-own-game": _(
        "The engine is closed while you play a live game of this kind, for finished games too. It "
        "opens again when that game is over."
    ),
    "engine-own-position": _(
        "This position is on the board of a game that you are playing. The engine opens for it "
        "when that game is over."
    ),
    "engine-running-game": _(
        "This game is in progress. The engine may analyse it when it is over."
    ),
    "bad-position": _("This is not a position of the chosen game."),
    "bad-record": _("This cannot be read, or contains an illegal move."),
    "agree-alone": _("Both must agree: offer to end the game, and the other may accept."),
    "already-entered": _("You have already entered this event."),
    "being-paired": _("The next round is being paired at this moment."),
    "line-remote": _("This bot runs on its author's computer. No upload is possible."),
    "remote-refused": _("This event does not let remote bots enter."),
    "bots-only": _("This event is for bots."),
    "bye-kind": _("There is no such bye."),
    "bye-requested": _("A bye for that round is already registered."),
    "challenge-over": _("This challenge is no longer open."),
    "armageddon-fuel": _("An armageddon game needs clocks. Leave it empty in events under fuel."),
    "extra-clock-bad": _(
        "The clock of extra games is written like 180+2. Over the board leave it empty."
    ),
    "extra-clock-short": _("A clock of extra games with people has 90 seconds a player at least."),
    "clock-bots": _("Bots play with at most half an hour per player and game."),
    "clock-bad": _("This time control is not allowed."),
    "forecast-large": _("A field of this size cannot be simulated here."),
    "forecasts-many": _("Too many forecasts are being computed. Try again in a few minutes."),
    "decided": _("No games are left: the event is decided."),
    "correction-late": _("Later ties depend on this result. It can no longer be changed."),
    "correction-met": _("These two have met again since. The game can no longer be annulled."),
    "draft-outdated": _(
        "A player in this draft has left or asked for a bye since. Discard the draft and make a new one."
    ),
    "duration-bad": _("An arena lasts a minute at least, and a year at most."),
    "engine-unknown": _("There is no such engine."),
    "entries-bad": _("An event has 2 to 5,000 places."),
    "factor-code-wrong": _("This code is wrong, or was used before."),
    "factor-on": _("The second factor is on already."),
    "seed-bad": _("A pairing number is 1 or more."),
    "numbers-fixed": _(
        "Pairing numbers can no longer change: only a running Swiss changes them, until round 4 is published."
    ),
    "numbers-right": _("The ratings and titles ask for no other pairing numbers."),
    "seed-late": _("No number can be chosen after round 1 was published."),
    "event-closed": _("This event takes no more entries."),
    "event-full": _("All places of this event are taken."),
    "format-bad": _("There is no such format."),
    "fuel-bad": _("Fuel is only for events of bots, and is limited."),
    "lab-modules": _(
        "Fuel is only for WebAssembly modules: the fuel of other programs cannot be counted. Choose a clock."
    ),
    "volunteers-fuel": _("Volunteers play under fuel only. Choose fuel instead of a clock."),
    "volunteers-ladder": _("Volunteers' machines play only in ladders under fuel."),
    "volunteers-consent": _(
        "The author of this bot does not lend its module to volunteers. The page of its permissions allows it."
    ),
    "worker-version": _(
        "Your worker has other rules than this site. Install the version of this site."
    ),
    "worker-name": _("A worker's name has 1 to 60 visible characters."),
    "worker-processes": _("A worker has 1 to 64 processes."),
    "workers-many": _("You have twenty workers. Stop one first."),
    "worker-stopped": _("This worker was stopped. Enrol it again if you stopped it yourself."),
    "worker-wrong": _(
        "A worker of yours returned wrong transcripts and was stopped. Test the machine's memory, or ask the operator of this site."
    ),
    "transcript-long": _(
        "A transcript is longer than the longest game of these rules. Leave the match to the site."
    ),
    "run-over": _("The lease of this match has ended. Others play it."),
    "game-over": _("The game is over."),
    "key-busy": _("A request with this key is being answered at this moment."),
    "time-up": _("Your time was up before this move came: the game is lost on time."),
    "bye-exception": _(
        "The event gives this player no half-point bye in this round. To grant it "
        "nevertheless, mark it as an exception and give a reason."
    ),
    "half-bye-barred": _(
        "This entry has no right to half-point byes. Ask the organiser, or request a zero-point bye."
    ),
    "half-bye-used": _("You have had all the half-point byes that this event gives."),
    "guest-games": _("A guest cannot have more games in progress. Finish a game, or sign up."),
    "guests-many": _("Too many guests have come from your network. Sign up, or wait an hour."),
    "illegal-move": _("The rules do not allow this move."),
    "module-kept": _("A bot's module cannot be replaced. For another module make another bot."),
    "module-only": _("A remote bot deposits a WebAssembly module, and no other program."),
    "no-offers": _("In a game by fuel the modules decide everything. Offers are not possible."),
    "modules-only": _(
        "This event is for WebAssembly modules: the fuel of other programs cannot be counted."
    ),
    "key-used": _("This request was sent before with another content."),
    "moved-on": _("The position has changed. Check the board and move again."),
    "name-bad": _("Please choose another name."),
    "name-taken": _("Another player has this name already."),
    "no-agreement": _("This game cannot be ended by agreement."),
    "no-byes": _("This format has no byes on request."),
    "no-draft": _("There is no draft to publish."),
    "no-fuel": _("This game was played by the clock."),
    "no-more-rounds": _("All rounds have been paired."),
    "no-pairing": _(
        "These players cannot all be paired any more. The organiser can draft the round by hand."
    ),
    "no-return": _(
        "Players who have left this event cannot return: their place in its table is gone."
    ),
    "offer-again": _("You have offered this recently. Make some moves first."),
    "offer-open": _("Another offer is open. Answer it first."),
    "offer-gone": _("This offer is no longer valid."),
    "no-such-node": _("The tree has no such move."),
    "no-such-study": _("Nothing is saved under this link."),
    "no-such-prohibition": _("These players have no forbidden pairing."),
    "no-such-round": _("The event has no such round."),
    "not-entered": _("This player does not take part."),
    "not-over": _("The game is not over yet."),
    "own-game": _("You play in this game. Another member of the staff must do this."),
    "own-game-open": _("Your own game is still being played. Finish or resign it first."),
    "not-organiser": _("Only the organiser can do this."),
    "not-registering": _("The registration is over."),
    "not-running": _("The event is not running."),
    "annulled": _("The games of this bot have been annulled already."),
    "not-moderator": _("Only administrators can do this."),
    "not-your-bot": _("This bot belongs to another user."),
    "not-your-trial": _("This SPRT test belongs to another user."),
    "not-your-challenge": _("This challenge is for another player."),
    "not-your-game": _("You are not playing in this game."),
    "exchange-armageddon": _(
        "The second player of an armageddon game wins with a draw, so its colours cannot be exchanged. Correct the result instead."
    ),
    "exchange-record": _(
        "The record of this game ends with a win of the first or second player. Replace the record first if its colours are wrong."
    ),
    "exchange-teams": _(
        "Colours of a match of teams follow from its boards. Change the line-up instead."
    ),
    "line-up-bad": _(
        "Name a different member of the team for each board, or leave the board empty."
    ),
    "line-up-late": _("The games of this round have begun. The line-up cannot change any more."),
    "line-up-order": _("Members play in the order of the team's list."),
    "no-such-account": _("There is no account of that name."),
    "club-name": _("A club has a name of at most 60 characters."),
    "club-exists": _("There is a club of this name already. Search for it, and ask to join."),
    "clubs-many": _("A player belongs to 20 clubs at most, requests included, and owns 5 at most."),
    "club-words": _("One of these texts is too long."),
    "club-address": _("The web address of a club begins with https:// or http://."),
    "club-hidden": _(
        "A moderator has hidden the introduction. The club can have another one a week later."
    ),
    "club-gone": _("This club does not exist any more."),
    "no-such-member": _("The club has no such member any more. Reload the page."),
    "club-full": _("The club has no room for more members."),
    "club-leaders": _("Only officers of the club can do this."),
    "club-owner": _("Only the owner of the club can do this."),
    "club-unknown": _(
        "There is no club of this name on the site. Found it, or leave the field empty."
    ),
    "club-officer": _("You are no officer of this club. Ask one of them to name it."),
    "club-other": _("You are no member of this club. Choose one of yours, or none."),
    "club-members": _("Choose members of the club, each once."),
    "not-captain": _("Only the captain of the team can do this, or the organiser."),
    "not-teams": _("This is no event of teams."),
    "team-empty": _("A team has no members. Add members, or withdraw the team."),
    "team-exists": _("The event has a team of that name already."),
    "team-full": _("The team has as many members as possible."),
    "team-member": _("A team has byes and a number, not its members. Change the line-up instead."),
    "team-rating": _(
        "A rating from a later round on is that of a member. Rate the members of the team."
    ),
    "team-name-bad": _("The name of a team has 1 to 40 characters."),
    "team-column": _(
        "In an event of teams each player needs a team. Write its name into the column Team or Club."
    ),
    "team-needed": _("This is an event of teams. Join a team, or enter one."),
    "team-order-late": _(
        "The event has begun. Only the organiser can change the order of a team now."
    ),
    "postpone-over": _("This board has its result. Clear the result first."),
    "postpone-tie": _("The next round of this format needs the result. Pause the event instead."),
    "not-your-player": _("You cannot act for this player."),
    "not-your-turn": _("It is not your turn."),
    "not-yourself": _("You cannot challenge yourself."),
    "organises-events": _(
        "You organise an event that is not over. Cancel it or let it end before you delete the account."
    ),
    "password-weak": _("Please choose a better password."),
    "password-wrong": _("This is not your password."),
    "player-guest": _("This is a guest without an account. Send a link instead."),
    "name-alike": _("Another player has a name that looks like this one. Choose another name."),
    "player-unwilling": _("This player accepts no challenges from you."),
    "player-deleted": _("This player has deleted the account."),
    "mini-matches-plain": _("Mini-matches and acceleration do not go together."),
    "mini-matches-swiss": _("Mini-matches of two games are for a Swiss."),
    "options-bad": _("These numbers do not fit the number of players, or each other."),
    "paste-empty": _("Paste a position or a record first."),
    "people-only": _("This event is for people."),
    "points-bad": _(
        "A win must be worth more than a draw, two draws no more than a win and a loss, and a bye no more than a win."
    ),
    "prohibition-bad": _("Choose from two to a hundred players of the event, and rounds in order."),
    "reason-bad": _("Please give a reason, in up to 200 characters."),
    "result-other": _("Another person has entered another result meanwhile."),
    "clock-short": _("This clock is too short for people. Let only bots enter."),
    "round-other": _("This page is out of date. Reload it."),
    "result-bad": _("The result is unchanged."),
    "round-open": _("The last round is not over yet."),
    "round-paired": _("This round has already been paired."),
    "rounds-bad": _("An event has 1 to 30 rounds."),
    "rounds-many": _(
        "This number of players would need more than 400 rounds in this format. Cancel "
        "the event and choose another format."
    ),
    "ruleset-bad": _("Unknown game or option."),
    "session-over": _("This device has already been signed out."),
    "setting-bad": _("There is no such setting."),
    "setup-bad": _("This set-up does not fit the game."),
    "side-bad": _("There are two sides: first and second."),
    "signed-out": _("You are not signed in any more."),
    "study-large": _("This tree is too large to be shared. Delete some lines."),
    "ties-open": _("A tie of the knock-out is level. Say on the desk who goes through."),
    "tie-not-level": _("This tie is not level, or the decision has been made."),
    "tie-breaks-bad": _("Each tie-break must be known, fit the format and appear only once."),
    "unknown-option": _("Unknown game or option."),
    "unknown-ruleset": _("Unknown game or option."),
    "trial-bots": _("An SPRT test needs two different bots that are ready to play."),
    "trial-bounds": _("The lower bound must be below the upper one, both within 1,000 points."),
    "trial-clocks": _("The second clock must be longer than the first one."),
    "trials-many": _("Three of your SPRT tests are running. Stop one or wait for its verdict."),
    "rematch-begun": _("The rematch has already started."),
    "rematch-event": _("A game of an event has no rematch. Challenge the other player."),
    "suite-empty": _("There is no start position in the list."),
    "suite-game": _("The suite is of another game."),
    "suite-large": _("The list is too long."),
    "suite-many": _("A suite has a thousand start positions at most."),
    "suite-name": _("A suite needs a name of 1 to 60 characters."),
    "suite-name-taken": _("You have a suite of this game with this name already."),
    "suite-none": _("There is no such suite among yours and those of the site."),
    "suite-openings": _("There are no openings of this length: the games are over by then."),
    "suite-over": _("The game is over in this position."),
    "suite-start": _("This is neither a set-up nor a position of the game."),
    "suite-twice": _("A start position is in the list twice."),
    "suite-used": _("An SPRT test has begun from this suite, which must stay."),
    "suites-many": _("You have fifty suites. Delete one that is not used."),
    "not-your-suite": _("This suite belongs to another user."),
    "takeback-bot": _("Bots allow no take-backs in rated games."),
    "takeback-event": _("Events have no take-backs."),
    "takeback-none": _("You have no move that could be taken back."),
    "time-bot": _("You cannot add time to a bot's clock."),
    "time-enough": _("Your opponent already has twice the initial time."),
    "time-event": _("In an event all players have equal clocks."),
    "vacation-days": _("A vacation has one day at least, and no more than are left this year."),
    "vacation-over": _("You are not on vacation."),
    "vacation-running": _("You are on vacation already."),
    "too-many-bots": _("An event takes at most three bots of one author."),
    "without-people": _("No person had entered at the start."),
    "start-missed": _("The service was not available at the start."),
    "schedule-changed": _("The schedule was changed."),
    "schedule-deleted": _("This schedule was deleted."),
    "schedules-many": _("A site has 50 schedules at most. Delete one first."),
    "schedule-zone": _("There is no such time zone. Write a name such as Europe/Madrid."),
    "schedule-bad": _(
        "A schedule has a name of at most 60 characters, a day of the week, and a format for individuals and people."
    ),
    "too-few": _("At least two players are needed."),
    "too-many-challenges": _("You have many open challenges. Withdraw one first."),
    "address-bad": _("This is not an e-mail address."),
    "conditional-empty": _("Play at least one move of your opponent and your reply to it."),
    "conditional-large": _("There are too many replies. At most 300 are allowed."),
    "conditional-your-turn": _("It is your turn: play your move."),
    "emails-many": _("You have requested too many e-mails today. Try again tomorrow."),
    "no-mail": _("This site sends no e-mail."),
    "no-push": _("This site sends no notifications to devices."),
    "push-device": _(
        "This browser's address for notifications cannot be used. Turn them on again."
    ),
    "push-devices-many": _("You have 10 devices. Remove one first."),
    "note-long": _("A note has up to 5,000 characters."),
    "application-public": _(
        "This application has no secret. Register another one that runs on a server."
    ),
    "applications-many": _("You have twenty applications. Delete one first."),
    "authorization-over": _("This application can no longer act for you."),
    "grant-used": _("This code was used already."),
    "homepage-bad": _("The home page needs an address that begins with https://."),
    "redirect-bad": _(
        "A redirect address begins with https:// or with http://127.0.0.1, and has no fragment."
    ),
    "redirects-many": _("An application has one to ten redirect addresses."),
    "webhook-address": _("A webhook needs the address of a public host that begins with https://."),
    "webhook-kinds": _("There is no such kind of news."),
    "webhook-event": _("You have no part in this private event."),
    "webhooks-many": _("You have twenty webhooks. Delete one first."),
    "token-of-application": _("An application exchanges its refresh token instead."),
    "token-expiry-bad": _("A token lasts 30, 90 or 365 days."),
    "token-line": _(
        "A token that plays as a bot names one of your remote bots and has no other scope."
    ),
    "token-name-bad": _("A token needs a name of at most 60 characters."),
    "token-over": _("This token was revoked already, or has expired."),
    "token-scopes-bad": _("There is no such scope."),
    "tokens-many": _("You have twenty tokens. Revoke one first."),
    "token-bad": _("This link has expired, or a newer one has been sent."),
    "chat-closed": _("This chat is closed."),
    "chat-elsewhere": _("This message belongs to another game."),
    "chat-entrants": _("Only players and staff of the event write in this chat."),
    "chat-hours": _("A mute lasts a year at most, or has no end."),
    "chat-line-gone": _("This message was deleted already."),
    "chat-mute-staff": _("Members of the staff cannot be muted."),
    "chat-muted": _("The staff has muted you in this event."),
    "chat-empty": _("Write something first."),
    "chat-long": _("A message has up to 300 characters."),
    "chat-silenced": _("A moderator has muted you for some days."),
    "message-bot": _("Bots read no messages. Write to the bot's author."),
    "message-long": _("A message has up to 2,000 characters."),
    "message-muted": _("You have muted this player. Unmute the player first."),
    "message-unwilling": _("This player accepts no messages from you."),
    "message-writers": _("Choose everyone, players whom you follow, or no one."),
    "not-yourself-message": _("You cannot write to yourself."),
    "introduction-federation": _("A federation is a code of three letters, such as ESP."),
    "introduction-gone": _("There is no line to hide any more."),
    "introduction-hidden": _(
        "A moderator has hidden your line. You can write another one a week later."
    ),
    "introduction-long": _("A line about yourself has up to 200 characters."),
    "invitation-over": _("This invitation is no longer open."),
    "opening-over": _("This game is over. You cannot play on from here."),
    "record-contradicts": _("This record has another result than the game."),
    "record-no-board": _("Records are added to games that were played over the board."),
    "record-not-yours": _("The two players and the staff can add this record."),
    "record-rules": _("This record is of another game, or of other rules."),
    "record-setup": _("This record begins with another set-up than the game."),
    "record-there": _("There is a record. Only the staff can replace it."),
    "report-bot": _("A bot is not reported here: write to its author, or to an administrator."),
    "report-long": _("A report has up to 500 characters."),
    "reported-already": _("You have reported this player. A moderator has not answered yet."),
    "puzzle-reported": _("You have reported this puzzle. A moderator has not answered yet."),
    "puzzle-untried": _("Try this puzzle first, and look at its solution."),
    "puzzle-moves": _("These moves do not begin the solution. Begin with the puzzle's position."),
    "reports-many": _("Ten of your reports are open. Wait until a moderator has looked at them."),
    "resolved-already": _("This report has already been decided."),
    "not-your-invitation": _("This invitation belongs to another user."),
    "not-yourself-mute": _("You cannot mute yourself."),
    "not-yourself-follow": _("You cannot follow yourself."),
    "follows-many": _("You follow two hundred players. Unfollow one first."),
    "not-yourself-report": _("You cannot report yourself."),
    "too-many-invitations": _("You have many open invitations. Withdraw one first."),
    "verdict-bad": _("There is no such verdict."),
    "waiting-already": _("You are already waiting for an opponent."),
    "vote-bad": _("This game has no such vote on the set-up."),
    **verdicts.SENTENCES,
    **bot_consents.SENTENCES,
    **over_board.SENTENCES,
    **prizes.SENTENCES,
    **series.SENTENCES,
    **standings_filters.SENTENCES,
    **festivals.SENTENCES,
}


def sentence(refusal: Refusal) -> str:
    """The refusal in words for people."""
    return sentence_of(refusal.code)


def particulars(refusal: Refusal) -> str:
    """Return the refusal's addition to its sentence, in words for people, or an empty text without one."""
    if refusal.code in _WITH_NAME:
        return refusal.pattern
    has_any = refusal.code in _WITH_PARTICULARS or refusal.code.startswith(
        ("program-", "suite-", "tuning-")
    )
    if not has_any or not refusal.pattern:
        return ""
    pattern = gettext(refusal.pattern)
    # A part is a cell or a number, which no catalogue has, or a word that is marked as well.
    parts = {name: gettext(part) if part else "" for name, part in refusal.parts.items()}
    return pattern % parts if parts else pattern


def sentence_of(code: str) -> str:
    """The sentence for a refusal's code."""
    return str(SENTENCES.get(code, _("This is not available now. Reload the page and try again.")))
