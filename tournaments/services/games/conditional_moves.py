"""Conditional moves: replies given in advance, which are played immediately when they apply."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

import games
from games import variations
from games.variations import ROOT, Tree
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Conditional, Game, Player
from tournaments.models.correspondence import TREE_LENGTH
from tournaments.queries.records import analyses, game_records

MAX_REPLIES = 300


def keep(*, game_id: int, player: Player, tree: Tree) -> Conditional:
    """Store the replies of `player` in `tree`, a tree over the whole game from the analysis board.

    The first reply to each move of the opponent after the position on the board counts. Moves
    without a reply are left out. Earlier conditional moves are replaced.

    Raises:
        NotAllowedError: `not-your-game`, or `analysis-own-game` if no analysis is allowed.
        StaleError: `game-over`, `moved-on` if the game has left the tree, `conditional-your-turn`.
        RefusedError: `conditional-empty`, `conditional-large`, `bad-record` if the rules refuse a
            move, `agree-alone`.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update(of=("self",), no_key=True).get(pk=game_id)
        side = game.side_of(player)
        if side is None:
            raise NotAllowedError("not-your-game")
        if not analyses.may_analyse(game, side):
            raise NotAllowedError("analysis-own-game")
        if game.result is not None:
            raise StaleError("game-over")
        if game.side_to_move == side:
            raise StaleError("conditional-your-turn")
        replies = _replies(tree, node_of(tree, game_records.record_of(game).moves))
        if len(replies.nodes) == 1:
            raise RefusedError("conditional-empty")
        text = replies.text()
        if len(replies.nodes) > 2 * MAX_REPLIES or len(text) > TREE_LENGTH:
            raise RefusedError("conditional-large", str(MAX_REPLIES))
        # Agreement needs an open offer, and an answer to it.
        if any(node.move == games.AGREE for node in replies.nodes):
            raise RefusedError("agree-alone")
        try:
            variations.positions(replies, games.load(game.ruleset).parse(game.position))
        except games.BadRecordError as error:
            raise RefusedError(error.code, str(error)) from error
        conditional, _ = Conditional.objects.update_or_create(
            game=game,
            side=side,
            defaults={
                "attempt": game.attempt,
                "ply": game.ply,
                "tree": text,
                "made_at": database_time.now(),
            },
        )
        return conditional


def keep_lines(*, game_id: int, player: Player, lines: Sequence[Sequence[str]]) -> Conditional:
    """Store replies of `player` as lines of moves, each from the position on the board.

    Raises as `keep`.
    """
    whole = variations.line(game_records.record_of(Game.objects.get(pk=game_id)).moves)
    replies = _tree_of(lines)
    try:
        tree = variations.graft(whole, whole.end(), replies)
    except games.BadRecordError as error:
        raise RefusedError(error.code, str(error)) from error
    return keep(game_id=game_id, player=player, tree=tree)


def drop(*, game_id: int, player: Player) -> None:
    """Forget the replies of `player`."""
    game = Game.objects.get(pk=game_id)
    game.conditionals.filter(side=game.side_of(player) or "").delete()


def of_player(game: Game, player: Player | None) -> Conditional | None:
    """Return the valid conditional moves of `player`, or None."""
    side = game.side_of(player)
    if side is None or game.result is not None:
        return None
    return game.conditionals.filter(side=side, attempt=game.attempt, ply=game.ply).first()


def lines(conditional: Conditional) -> Sequence[Sequence[str]]:
    """Return the tree as lines of moves, each from the position on the board to its end."""
    tree = variations.parse_tree(conditional.tree).tree
    return [tree.moves(at) for at in range(1, len(tree.nodes)) if not tree.children[at]]


def over_the_game(conditional: Conditional, whole: Tree) -> Tree:
    """The game's record `whole` with the conditional moves as lines after its end."""
    return variations.graft(whole, whole.end(), variations.parse_tree(conditional.tree).tree)


def reply_to(game: Game, move: str) -> str | None:
    """Return the reply that the side to move has given in advance to `move`, the ply just played.

    In the caller's transaction.

    The part of the tree after the reply is kept for the ply that the reply will be. The rest is
    deleted.
    """
    conditional = game.conditionals.filter(side=game.side_to_move).first()
    if conditional is None:
        return None
    is_current = (conditional.attempt, conditional.ply + 1) == (game.attempt, game.ply)
    tree = variations.parse_tree(conditional.tree).tree
    foreseen = (
        [at for at in tree.children[ROOT] if tree.nodes[at].move == move] if is_current else []
    )
    if not foreseen:
        conditional.delete()
        return None
    reply = tree.children[foreseen[0]][0]
    rest = _replies(tree, reply)
    if len(rest.nodes) == 1:
        conditional.delete()
    else:
        conditional.tree, conditional.ply = rest.text(), game.ply + 1
        conditional.save(update_fields=["tree", "ply"])
    return tree.nodes[reply].move


def node_of(tree: Tree, moves: Sequence[str]) -> int:
    """Return the node of `tree` after the moves of the game.

    Raises StaleError `moved-on` if the tree lacks them.
    """
    at = ROOT
    for move in moves:
        at = next((child for child in tree.children[at] if tree.nodes[child].move == move), -1)
        if at == -1:
            raise StaleError("moved-on")
    return at


def _tree_of(lines: Sequence[Sequence[str]]) -> Tree:
    """Return the tree of these lines. Raises RefusedError `conditional-large`."""
    tree = Tree()
    for line in lines:
        at = ROOT
        for move in line:
            edit = variations.add(tree, at, move)
            tree, at = edit.tree, edit.at
            if len(tree.nodes) > 2 * MAX_REPLIES + 1:
                raise RefusedError("conditional-large", str(MAX_REPLIES))
    return tree


def _replies(tree: Tree, at: int) -> Tree:
    """The tree below `at`.

    It has the opponent's moves that have a reply, with the first reply to each, and so on.
    """
    children: list[Sequence[int]] = [() for _node in tree.nodes]
    waiting = [at]
    while waiting:
        node = waiting.pop()
        children[node] = [foreseen for foreseen in tree.children[node] if tree.children[foreseen]]
        for foreseen in children[node]:
            reply = tree.children[foreseen][0]
            children[foreseen] = [reply]
            waiting.append(reply)
    return variations.below(tree, at, children)
