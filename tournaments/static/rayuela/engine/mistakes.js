// What the moves of a game have cost, in chances of winning. docs/play/analysis.md has the bounds and why they are so.

const KINDS = [
  ["blunder", 0.3],
  ["mistake", 0.2],
  ["inaccuracy", 0.1],
];

/** What a loss of so much of the chances is called; null below every bound. Tenths of a per cent are what is counted in. */
export function kindOf(loss) {
  return KINDS.find(([, bound]) => Math.round(loss * 1000) >= bound * 1000)?.[0] ?? null;
}

/** What a side loses of its chances from one evaluation to the next; nothing where they rise. */
export function lossOf(before, after, side) {
  const change = before.chance - after.chance;
  return Math.max(0, side ? -change : change);
}

/**
 * The share of its chances that a side kept in its moves on average, from 0 to 1; null for a side without a move that
 * was looked at.
 */
export function accuracyOf(evaluations, side, openingPlies = 0) {
  const losses = [];
  for (let ply = openingPlies + 1; ply < evaluations.length; ply += 1) {
    const [before, after] = [evaluations[ply - 1], evaluations[ply]];
    if (before?.side === side && after) losses.push(lossOf(before, after, side));
  }
  return losses.length ? 1 - losses.reduce((sum, loss) => sum + loss, 0) / losses.length : null;
}

/**
 * The inaccuracies, mistakes and blunders of a game, each `{ply, side, move, best, line, loss, kind}`.
 *
 * - `moves`: of the game, from ply 1.
 * - `evaluations`: of the position after each ply, from ply 0, each `{chance, side, line}` with the first side's chance,
 *   the side to move and its best moves; undefined where nobody has looked yet.
 * - `openingPlies`: so many plies were of the opening, and are nobody's mistakes.
 */
export function mistakesOf(moves, evaluations, openingPlies = 0) {
  const mistakes = [];
  for (let ply = openingPlies + 1; ply <= moves.length; ply += 1) {
    const [before, after, move] = [evaluations[ply - 1], evaluations[ply], moves[ply - 1]];
    if (!before || !after) continue;
    const [best] = before.line;
    const loss = lossOf(before, after, before.side);
    // What the engine would have played as well is no mistake, whatever the next look says.
    const kind = best && best !== move ? kindOf(loss) : null;
    if (kind) mistakes.push({ ply, side: before.side, move, best, line: before.line, loss, kind });
  }
  return mistakes;
}
