// The chances of winning over a game, as a line that rises where the first side does better.

const SVG = "http://www.w3.org/2000/svg";
// As the graph of the bots' own evaluations, beside which it may stand.
const WIDTH = 320;
const HEIGHT = 88;
const MARGIN = 6;
const LEAST_PLIES = 8;

/** Where the chance of the first side after a ply is drawn. */
function placeOf(ply, chance, plies) {
  const x = (ply * WIDTH) / Math.max(LEAST_PLIES, plies);
  return [x, MARGIN + (HEIGHT - 2 * MARGIN) * (1 - chance)].map((value) => value.toFixed(1));
}

/**
 * Draw into `svg` the evaluations of a game of so many plies, its mistakes, and the ply that is looked at. `titleOf(ply)`
 * is what stands at a ply under the pointer; a click there leads to it, as every element with `data-step` does.
 */
export function drawGraph(svg, { plies, evaluations, mistakes, shownPly, titleOf }) {
  const entries = [...evaluations.entries()].filter(([, evaluation]) => evaluation);
  const points = entries.map(([ply, { chance }]) => placeOf(ply, chance, plies).join());
  const [x] = placeOf(shownPly, 0, plies);
  svg.replaceChildren(
    element("path", { class: "floor", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    element("path", { class: "cursor", d: `M${x} 0V${HEIGHT}` }),
    element("polyline", { class: "evaluation first", points: points.join(" ") }),
    ...mistakes.map(({ ply, kind }) => mark(kind, placeOf(ply, evaluations[ply].chance, plies))),
    ...entries.map(([ply]) => strip(ply, plies, titleOf(ply))),
  );
}

/** A disc for an inaccuracy, a square for a mistake, a lozenge for a blunder: no colour is needed to tell them. */
function mark(kind, [x, y]) {
  if (kind === "inaccuracy") return element("circle", { class: `mark ${kind}`, cx: x, cy: y, r: 3 });
  const turn = kind === "blunder" ? `rotate(45 ${x} ${y})` : "";
  const size = kind === "blunder" ? 8 : 6;
  return element("rect", { class: `mark ${kind}`, x: x - size / 2, y: y - size / 2, width: size, height: size, transform: turn });
}

function strip(ply, plies, words) {
  const unit = WIDTH / Math.max(LEAST_PLIES, plies);
  const link = element("a", { href: `?ply=${ply}`, "data-step": ply, tabindex: -1 });
  const left = Math.max(0, (ply - 0.5) * unit);
  const area = element("rect", { class: "strip", x: left.toFixed(2), y: 0, width: unit.toFixed(2), height: HEIGHT });
  const title = element("title", {});
  title.textContent = words;
  area.append(title);
  link.append(area);
  return link;
}

function element(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) if (value !== "") node.setAttribute(attribute, value);
  return node;
}
