// Moves that the engine thinks of, drawn over a board: an arrow, or a ring where a move has one cell, and its rank.

import { middle } from "../games/hints.js";
import { cellsOf } from "./reports.js";

const SVG = "http://www.w3.org/2000/svg";
const HEAD = 9;
const RING = 14;
const BADGE = 8;

/** Draw moves over the board in `root`, the best first, instead of those before. */
export function drawArrows(root, moves) {
  clearArrows(root);
  const board = root.querySelector("svg.board");
  if (!board) return;
  // The best one lies on top.
  moves.map((move, i) => [move, i + 1]).reverse().forEach(([move, rank]) => {
    const places = cellsOf(move).map((name) => board.querySelector(`[data-cell="${CSS.escape(name)}"]`));
    if (!places.length || !places.every(Boolean)) return;
    const group = arrow(places.map(middle), rank);
    if (moves.length > 1) group.append(...badge(middle(places.at(-1)), rank));
    board.append(group);
  });
}

/** Take the arrows away. */
export function clearArrows(root) {
  for (const group of root.querySelectorAll(".engine-arrow")) group.remove();
}

function arrow(points, rank) {
  const group = element("g", { class: `engine-arrow rank-${rank}`, "aria-hidden": "true" });
  const end = points.at(-1);
  for (const layer of ["casing", "core"]) {
    if (points.length === 1) group.append(element("circle", { class: layer, cx: end[0], cy: end[1], r: RING }));
    else group.append(element("path", { class: layer, d: way(points) }));
  }
  return group;
}

/** The rank in a corner of a cell, another for each, since moves may lead to one cell. */
function badge([middleX, middleY], rank) {
  const [x, y] = [middleX + (rank === 2 ? -13 : 13), middleY + (rank === 3 ? 13 : -13)];
  const number = element("text", { x, y: y + 3.6, "text-anchor": "middle" });
  number.textContent = rank;
  return [element("circle", { class: "badge", cx: x, cy: y, r: BADGE }), number];
}

/** The line through `points`, with a head at its end. */
function way(points) {
  const [[x1, y1], [x2, y2]] = points.slice(-2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [along, across] = [(x2 - x1) / length, (y2 - y1) / length];
  const wing = (side) => [x2 - HEAD * (along + side * across), y2 - HEAD * (across - side * along)];
  const text = (list) => list.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  return `M${text(points)}M${text([wing(1), [x2, y2], wing(-1)])}`;
}

function element(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  return node;
}
