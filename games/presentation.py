"""The presentation of a family of games to people: words, pictures and the boards to begin with.

Plain data. Every text is English and the id of a message: `message` and `plural` mark it for the
catalogue of translations, and the interface that shows it translates it.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.messages import message as message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from games.core import Position


@dataclass(frozen=True, slots=True)
class Plural:
    """A message that depends on a number: its singular and its plural."""

    one: str
    many: str


def plural(one: str, many: str) -> Plural:
    """Return the two forms of a message, marked for the catalogue of translations."""
    return Plural(one, many)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture of a position and its highlights.

    Attributes:
        name: its name on the rules page.
        caption: the sentence below it.
        move: a legal move to show, as an arrow or, with `is_after`, by the marks it leaves.
        selected: the cell of the piece that the figure is about.
        targets: cells to point out, such as those that the piece on `selected` may reach.
        frame: four corners to join, or with `signs` to mark.
        examples: more moves that the text speaks of, all legal here.
        lines: continuations that the text speaks of, each a sequence of moves from here.
        signs: signs to write on cells, by name.
    """

    name: str
    caption: str
    position: Position
    move: str = ""
    is_after: bool = False
    selected: str | None = None
    targets: Sequence[str] = ()
    frame: Sequence[str] = ()
    examples: Sequence[str] = ()
    lines: Sequence[Sequence[str]] = ()
    signs: Mapping[str, str] = field(default_factory=dict)

    @property
    def moves(self) -> Sequence[str]:
        """Return the moves to click through, each from the figure's position."""
        return [
            *([self.move] if self.move else []),
            *self.examples,
            *(line[0] for line in self.lines),
        ]

    def next_moves(self, moves: Sequence[str]) -> Sequence[str]:
        """Return the next moves of the lines that begin with `moves`, each move once."""
        count = len(moves)
        following = [
            line[count]
            for line in self.lines
            if len(line) > count and list(line[:count]) == list(moves)
        ]
        return list(dict.fromkeys(following))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """A position with the right ways to continue.

    Attributes:
        lines: the right continuations, each a sequence of moves from the position. The moves of the
            learner are at even places, the replies between them. All have one length.
    """

    position: Position
    lines: Sequence[Sequence[str]]

    def begins_with(self, moves: Sequence[str]) -> bool:
        """Return whether the moves begin a right line, up to a turn of the learner or to its end."""
        count = len(moves)
        return any(
            list(line[:count]) == list(moves) and (count % 2 == 0 or count == len(line))
            for line in self.lines
        )

    def is_done_by(self, moves: Sequence[str]) -> bool:
        """Return whether the moves are a whole right line."""
        return any(list(line) == list(moves) for line in self.lines)

    def next_move(self, moves: Sequence[str], result: Position | None = None) -> str:
        """Return the next move of a line that begins with `moves`, the one that leads to `result` if given.

        Empty if there is none.
        """
        count = len(moves)
        for line in self.lines:
            if len(line) <= count or list(line[:count]) != list(moves):
                continue
            if result is None or self.after(line[: count + 1]) == result:
                return line[count]
        return ""

    def after(self, moves: Sequence[str]) -> Position:
        """Return the position after `moves`, which are legal."""
        return functools.reduce(lambda position, move: position.play(move), moves, self.position)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise(Drill):
    """A board of a game's course, with a task for the side to move.

    Attributes:
        name: its name in addresses.
        title: its name for people.
        task: the sentence that asks for the moves.
        hint: the answer to a legal move that is not right.
        done: the sentence after the last right move.
        paragraph: the paragraph of the rules that it teaches, such as `morelli-2015/5.6`.
    """

    name: str
    title: str
    task: str
    hint: str
    done: str
    paragraph: str


@dataclass(frozen=True, slots=True)
class Theme:
    """A kind of move that puzzles ask for.

    Attributes:
        name: its name for people.
        pattern: the pattern of the whole text of such moves.
        fits: returns whether a move of this pattern is one, given the position before it, the
            move, and the position after it. None if the pattern tells.
    """

    name: str
    pattern: str = ".*"
    fits: Callable[[Position, str, Position], bool] | None = None


def _is_of(theme: Theme, before: Position, move: str, after: Position) -> bool:
    """Return whether the move is of the theme."""
    if re.fullmatch(theme.pattern, move) is None:
        return False
    return theme.fits is None or theme.fits(before, move, after)


def right_moves(
    position: Position, is_right: Callable[[str, Position], object]
) -> Sequence[Sequence[str]]:
    """Return the lines of one move that `is_right` accepts, given the move and the position after it."""
    return [(move,) for move in position.legal_moves() if is_right(move, position.play(move))]


@dataclass(frozen=True, slots=True)
class Poster:
    """A game of random moves that stops after `plies`, to show the look of the game."""

    ruleset: str
    plies: int


@dataclass(frozen=True, slots=True)
class NoticeWords:
    """The sentence for a code of `Notice`.

    Attributes:
        sentence: may name `%(colour)s`, `%(kind)s` and `%(count)d`. A `Plural` depends on the
            count.
        uncoloured: the sentence of a notice without a colour, if it is another one.
        kinds: words for `%(kind)s` by the colour of the notice.
        picture: the token, with `%s` for the colour, of the pieces that wait beside the board. A
            notice with a picture is shown as that and its count.
        skips_zero: whether a count of zero is not shown.
        is_reason: whether it says, of a position that the rules have ended, why the result is so.
    """

    sentence: str | Plural
    uncoloured: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    picture: str = ""
    skips_zero: bool = False
    is_reason: bool = False


@dataclass(frozen=True, slots=True)
class MoveWords:
    """The sentence for the moves that `pattern` matches, from the first letter to the last.

    Attributes:
        sentence: may name `%(name)s` of the player, `%(start)s` and `%(end)s` of the path.
        sentence_with_effect: that sentence with `%(effect)s`.
        effect: the further effect, with `%(cells)s` taken or turned. Empty without one.
        is_seen: whether these cells are seen on the board alone, not in the text of the move.
        touches: the ground of a cell that such a move changes besides.
        touch: the words for choosing that, such as `take the Throne`.
        edition: the edition that has these words. Empty for all.
    """

    pattern: str
    sentence: str
    sentence_with_effect: str = ""
    effect: str = ""
    is_seen: bool = False
    touches: str = ""
    touch: str = ""
    edition: str = ""


@dataclass(frozen=True, slots=True)
class Click:
    """The text of a move of one click on an empty cell and on a piece, `{}` for the cell."""

    empty: str
    occupied: str


@dataclass(frozen=True, slots=True)
class AgreementWords:
    """The words for an end by agreement.

    Attributes:
        ended: the cause of the game's end.
        offered: the result of an offer that is accepted. Empty if `ended` says it all.
    """

    ended: str
    offered: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The outcome of a ballot: `mode` is the vote that decides the set-up, one of `Ballot.votes`.

    `first` and `second` are the votes of the sides, both empty if neither side has voted.
    """

    mode: str
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A sealed vote of both sides on the set-up of a game.

    A rule set with `options` takes the votes of the first side and of the second in
    `initial(votes="ONE/TWO")` and keeps them in its `setup_text`. `initial(mode="ONE")` sets the
    mode without a vote.

    Attributes:
        explanation: for voters: the games with the vote, and its effect.
        votes: the words for each vote, in order of display.
        required: the options without which a rule set has no vote.
        options: the options with which a game is played by this vote.
        tally: reads the outcome from a `setup_text` of a rule set with `options`.
        paragraph: the paragraph of the rules that decides it, such as `morelli-2015/2.2`.
        agreed: the sentence for two equal votes. It may name `%(first)s` and `%(second)s`, the
            players, and `%(mode)s`.
        differed: the sentence for two different votes. It may name `%(first_vote)s` and
            `%(second_vote)s` besides.
        unvoted: the sentence for a set-up without any votes. It may name `%(mode)s`.
    """

    explanation: str
    votes: Mapping[str, str]
    required: Mapping[str, str]
    options: Mapping[str, str]
    tally: Callable[[str], Tally]
    paragraph: str
    agreed: str
    differed: str
    unvoted: str


SWAPS = MoveWords("swap", message("%(name)s swapped colours."))
PASSES = MoveWords("pass", message("%(name)s passes."))
AGREES = MoveWords("agree", message("The game is ended by agreement."))
PLAYS = MoveWords(".*", message("%(name)s plays %(move)s."))
AGREED = AgreementWords(message("Both agreed to end the game there."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """The properties of a family that pages, checks and ratings know besides its rules.

    Attributes:
        name: the usual name of the game. A name, not a message.
        summary: the game in a sentence or two.
        goal: the way to win, in one sentence, for the page of a game.
        nutshell: the rules in a few sentences.
        key_figures: the names of the figures beside these sentences.
        demonstration: the name of the figure whose move is animated beside these sentences: the
            main capture of the game. Empty for a game without one.
        topic: the word on the button that shows `Position.traits`.
        colours: the names of the colours that the sides play.
        poster: the picture of the game.
        figures: makes the figures of the rules page, which takes some moves.
        exercises: makes the course of the game, in the order in which it is learned.
        themes: the themes of puzzles. The first that fits a move counts.
        check_board: the rule set on which an uploaded bot is checked: small and quick.
        lobby_board: the rule set that the lobby proposes.
        first_side_centielo: the value of moving first, in hundredths of an Elo point. It is part of
            the formula of casual ratings: another number is another formula and needs a new name in
            `tournaments.ratings.glicko2.FORMULA`.
        draw_thousandths: how many of a thousand games between equals are drawn, as far as it is
            known. Forecasts of events begin with it.
        options: words for values of options that people do not expect, by name and value.
        grounds: words for grounds by token. `band-*` is for all `band-NUMBER` without their own
            words and may name `%(number)s`. A ground without words is not spoken of.
        pieces: words for pieces by token.
        tokens_of_edition: other words for tokens of both, by edition.
        traits: sentences by code and colour of the trait. They may name `%(name)s`, `%(cells)s`,
            `%(from)s` and `%(to)s`.
        trait_names: words for the first word of a trait's own name.
        notices: sentences by code. A code without one is shown by the board well enough.
        notices_of_edition: other sentences for some of these codes, by edition.
        agreement: words for an end by agreement.
        agreement_of_edition: other words for it, by edition.
        moves: words for moves. The first that fits counts.
        clicks: moves of one click, by phase.
        prompts: instructions while no cell is chosen yet, by phase.
        ballot: the vote on the set-up, if the game has one.
    """

    name: str
    summary: str
    goal: str = ""
    nutshell: Sequence[str] = ()
    key_figures: Sequence[str] = ()
    demonstration: str = ""
    topic: str
    colours: Mapping[str, str]
    poster: Poster
    figures: Callable[[], Sequence[Figure]]
    exercises: Callable[[], Sequence[Exercise]] = tuple
    themes: Sequence[Theme] = ()
    check_board: str
    lobby_board: str
    first_side_centielo: int
    draw_thousandths: int = 0
    options: Mapping[tuple[str, str], str] = field(default_factory=dict)
    grounds: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[str, str] = field(default_factory=dict)
    tokens_of_edition: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    traits: Mapping[tuple[str, str | None], str] = field(default_factory=dict)
    trait_names: Mapping[str, str] = field(default_factory=dict)
    notices: Mapping[str, NoticeWords] = field(default_factory=dict)
    notices_of_edition: Mapping[str, Mapping[str, NoticeWords]] = field(default_factory=dict)
    agreement: AgreementWords = AGREED
    agreement_of_edition: Mapping[str, AgreementWords] = field(default_factory=dict)
    moves: Sequence[MoveWords] = ()
    clicks: Mapping[str, Click] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    ballot: Ballot | None = None

    def themes_of(self, position: Position, line: Sequence[str]) -> Sequence[str]:
        """Return the names of the themes of the solver's moves in a puzzle's line, each once."""
        names: list[str] = []
        for number, move in enumerate(line):
            after = position.play(move)
            if number % 2 == 0:
                fitting = (each.name for each in self.themes if _is_of(each, position, move, after))
                names.append(next(fitting, ""))
            position = after
        return list(dict.fromkeys(filter(None, names)))

    def words_of_notice(self, code: str, edition: str = "") -> NoticeWords | None:
        """Return the words for a notice in an edition, or None if the board shows it well enough."""
        return self.notices_of_edition.get(edition, {}).get(code) or self.notices.get(code)

    def words_of_agreement(self, edition: str = "") -> AgreementWords:
        """Return the words for an end by agreement in an edition."""
        return self.agreement_of_edition.get(edition, self.agreement)

    def words_of_move(self, move: str, edition: str = "") -> MoveWords:
        """Return the words for `move` in an edition. A game without any repeats its text."""
        for words in self.moves:
            if words.edition in ("", edition) and re.fullmatch(words.pattern, move):
                return words
        return PLAYS

    def ballot_of(self, options: Mapping[str, str]) -> Ballot | None:
        """Return the vote on the set-up that a rule set of these options has, or None without one."""
        if self.ballot is None or not self.ballot.required.items() <= options.items():
            return None
        return self.ballot

    def ballot_by(self, options: Mapping[str, str]) -> Ballot | None:
        """Return the vote that settles the set-up of a rule set of these options, or None without one."""
        ballot = self.ballot_of(options)
        return ballot if ballot and ballot.options.items() <= options.items() else None
