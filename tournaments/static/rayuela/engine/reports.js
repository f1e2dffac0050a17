// What the kernel says of a position, read from its lines of text and seen from the first side.

const HEAD = /^depth (\d+) nodes (\d+) finished ([01])$/;
const LINE = /^win (\d+) forced (-?\d+) pv(.*)$/;
// The chances of the first side when the game is over, by the kernel's number of the outcome.
const OVER = [null, 1, 0, 0.5];

/**
 * An answer of the worker as `{depth, nodes, isFinished, lines}`, the best line first, each `{chance, plies, moves}`:
 * the chance that the first side wins, from 0 to 1; in how many plies the first side wins by force, below 0 the other
 * one, 0 where nothing is proved. A game that is over has one line without moves. Null where nothing can be read.
 */
export function readReport({ report = "", side, outcome }) {
  if (outcome) return { depth: 0, nodes: 0, isFinished: true, lines: [{ chance: OVER[outcome], plies: 0, moves: [] }] };
  const [first, ...rest] = report.trim().split("\n");
  const head = HEAD.exec(first);
  if (!head) return null;
  const lines = rest.map((text) => readLine(text, side)).filter(Boolean);
  return { depth: Number(head[1]), nodes: Number(head[2]), isFinished: head[3] === "1", lines };
}

function readLine(text, side) {
  const match = LINE.exec(text);
  if (!match) return null;
  const chance = Math.min(1000, Number(match[1])) / 1000;
  const plies = Number(match[2]);
  const moves = readMoves(match[3]);
  return side ? { chance: 1 - chance, plies: plies ? -plies : 0, moves } : { chance, plies, moves };
}

/** Moves with blanks between. What a move takes is a word of its own, `A1-B2 xC3`, and no move begins like it. */
function readMoves(text) {
  const moves = [];
  for (const word of text.split(" ").filter(Boolean)) {
    if (/^x[A-Z]/.test(word) && moves.length) moves[moves.length - 1] += ` ${word}`;
    else moves.push(word.replaceAll("_", " "));
  }
  return moves;
}

/** The cells that somebody would click for a move, in order; none for a pass or a swap. */
export function cellsOf(move) {
  return move.split(" ")[0].match(/[A-Za-z]{1,2}\d{1,2}/g)?.map((cell) => cell.replace(/^x(?=[a-z])/, "")) ?? [];
}
