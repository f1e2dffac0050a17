"""What a family of games says about itself to people: words, pictures and the boards to begin with.

Plain data. Every text is English and the id of a message: `message` and `plural` mark it for the
catalogue of translations, and whoever shows it translates it.
"""

from __future__ import annotations

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
    """The two forms of a message, marked for the catalogue of translations."""
    return Plural(one, many)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture of a position and what it points out.

    Attributes:
        name: what the rules page calls it.
        caption: the sentence below it.
        move: a legal move to show, as an arrow; with `is_after`, by the marks it leaves.
        selected: the cell of the piece that the figure is about.
        targets: cells to point out: the piece on `selected` may go there, say.
        frame: four corners to join, or with `signs` to mark.
        examples: more moves that the text speaks of, all legal here.
        lines: ways to play on that the text speaks of, each a sequence of moves from here.
        signs: what to write on cells, by name.
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
        """The moves to click through, each from the figure's position."""
        return [
            *([self.move] if self.move else []),
            *self.examples,
            *(line[0] for line in self.lines),
        ]

    def next_moves(self, moves: Sequence[str]) -> Sequence[str]:
        """How the lines that begin with `moves` go on, each move once."""
        count = len(moves)
        following = [
            line[count]
            for line in self.lines
            if len(line) > count and list(line[:count]) == list(moves)
        ]
        return list(dict.fromkeys(following))


@dataclass(frozen=True, slots=True)
class Poster:
    """A game of random moves that stops after `plies`, to show what the game looks like."""

    ruleset: str
    plies: int


@dataclass(frozen=True, slots=True)
class Highlight:
    """A figure on the front page, with a sentence for people who know nothing of the game yet."""

    figure: str
    sentence: str


@dataclass(frozen=True, slots=True)
class NoticeWords:
    """The sentence for a code of `Notice`.

    Attributes:
        sentence: may name `%(colour)s`, `%(kind)s` and `%(count)d`; a `Plural` goes by the count.
        uncoloured: the sentence of a notice without a colour, where it is another one.
        kinds: words for `%(kind)s` by the colour of the notice.
        picture: the token, with `%s` for the colour, of what waits beside the board; a notice with
            a picture is shown as that and its count.
        skips_zero: whether nothing is said of a count of zero.
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
        sentence_with_effect: the same with `%(effect)s`.
        effect: what happens besides, with `%(cells)s` taken or turned; empty when nothing does.
        is_seen: whether these cells are seen on the board alone, not in the text of the move.
        touches: the ground of a cell that such a move changes besides.
        touch: what choosing that says, such as `take the Throne`.
        edition: the edition that has these words; empty for all.
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
        offered: what comes of an offer that is accepted; empty where `ended` says it all.
    """

    ended: str
    offered: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The outcome of a ballot: `mode` is the vote that decides the set-up, one of `Ballot.votes`.

    `first` and `second` are the votes of the sides, both empty where nobody has voted.
    """

    mode: str
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A sealed vote of both sides on the set-up of a game.

    A rule set with `options` takes the votes of the first side and of the second in
    `initial(votes="ONE/TWO")` and keeps them in its `setup_text`; `initial(mode="ONE")` settles the
    same without a vote.

    Attributes:
        explanation: for whoever votes: which games have the vote, and what comes of it.
        votes: the words for each vote, in order of display.
        required: the options without which a rule set has no vote.
        options: the options with which a game is played by this vote.
        tally: reads the outcome from a `setup_text` of a rule set with `options`.
        paragraph: the paragraph of the rules that decides it, such as `morelli-2015/2.2`.
        agreed: the sentence for two equal votes; may name `%(first)s` and `%(second)s`, the
            players, and `%(mode)s`.
        differed: the sentence for two different votes; may name `%(first_vote)s` and
            `%(second_vote)s` besides.
        unvoted: the sentence for a set-up on which nobody has voted; may name `%(mode)s`.
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
    """Everything that pages, checks and ratings know of a family besides its rules.

    Attributes:
        name: what people call the game; a name, not a message.
        summary: the game in a sentence or two.
        topic: the word on the button that shows `Position.traits`.
        colours: the names of the colours that the sides play.
        poster: the picture of the game.
        figures: makes the figures of the rules page, which takes some moves.
        check_board: the rule set on which an uploaded bot is checked: small and quick.
        lobby_board: the rule set that the lobby proposes.
        first_side_centielo: what moving first is worth, in hundredths of an Elo point. It is part
            of the formula of casual ratings: another number is another formula and needs a new name
            in `tournaments.ratings.glicko2.FORMULA`.
        draw_thousandths: how many of a thousand games between equals are drawn, as far as it is known;
            forecasts of events begin with it.
        highlights: figures for the front page, if the game is the first of the registry.
        options: words for values of options that are not what people expect, by name and value.
        grounds: words for grounds by token; `band-*` is for all `band-NUMBER` without words of
            their own and may name `%(number)s`. A ground without words is not spoken of.
        pieces: words for pieces by token.
        tokens_of_edition: other words for tokens of both, by edition.
        traits: sentences by code and colour of the trait; they may name `%(name)s`, `%(cells)s`,
            `%(from)s` and `%(to)s`.
        trait_names: words for the first word of a trait's own name.
        notices: sentences by code; a code without one is shown by the board well enough.
        notices_of_edition: other sentences for some of these codes, by edition.
        agreement: words for an end by agreement.
        agreement_of_edition: other words for it, by edition.
        moves: words for moves; the first that fits counts.
        clicks: moves of one click, by phase.
        prompts: what to do while nothing is chosen yet, by phase.
        ballot: the vote on the set-up, if the game has one.
    """

    name: str
    summary: str
    topic: str
    colours: Mapping[str, str]
    poster: Poster
    figures: Callable[[], Sequence[Figure]]
    check_board: str
    lobby_board: str
    first_side_centielo: int
    draw_thousandths: int = 0
    highlights: Sequence[Highlight] = ()
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

    def words_of_notice(self, code: str, edition: str = "") -> NoticeWords | None:
        """The words for a notice in an edition; None where the board shows it well enough."""
        return self.notices_of_edition.get(edition, {}).get(code) or self.notices.get(code)

    def words_of_agreement(self, edition: str = "") -> AgreementWords:
        """The words for an end by agreement in an edition."""
        return self.agreement_of_edition.get(edition, self.agreement)

    def words_of_move(self, move: str, edition: str = "") -> MoveWords:
        """The words for `move` in an edition; the game without any repeats its text."""
        for words in self.moves:
            if words.edition in ("", edition) and re.fullmatch(words.pattern, move):
                return words
        return PLAYS

    def ballot_of(self, options: Mapping[str, str]) -> Ballot | None:
        """The vote on the set-up that a rule set of these options has; None without one."""
        if self.ballot is None or not self.ballot.required.items() <= options.items():
            return None
        return self.ballot

    def ballot_by(self, options: Mapping[str, str]) -> Ballot | None:
        """The vote that settles the set-up of a rule set of these options; None without one."""
        ballot = self.ballot_of(options)
        return ballot if ballot and ballot.options.items() <= options.items() else None
