// What the last move did, seen happening: the piece comes from where it was, and what it took is pointed out.

const SLIDE_MS = 180;
const TAKE_MS = 450;

function isStill() {
  return document.documentElement.dataset.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Show in `root` how the position that is drawn came about. */
export function animateLastMove(root) {
  const svg = root.querySelector("svg.board");
  if (!svg || isStill()) return;
  for (const ring of svg.querySelectorAll('use[href$="-i-captured"]')) {
    ring.classList.add("taking");
    ring.animate([{ opacity: 0, scale: 1.5 }, { opacity: 1, scale: 1 }], { duration: TAKE_MS, easing: "ease-out" });
  }
  const marked = [...svg.querySelectorAll('.cell:has(> use[href$="-i-last"])')];
  const [empty, taken] = [marked.filter((cell) => !pieceOn(cell)), marked.filter(pieceOn)];
  // A series goes more than one way, and what is placed comes from nowhere.
  if (empty.length === 1 && taken.length === 1) slide(svg, empty[0], pieceOn(taken[0]));
}

function pieceOn(cell) {
  const above = cell.querySelectorAll("use")[1];
  return above && !/-i-(last|captured)$/.test(above.getAttribute("href")) ? above : null;
}

/** Cells that are drawn later would cover a piece on its way, so another one goes, above all of them. */
function slide(svg, from, piece) {
  const start = from.querySelector("use");
  const [dx, dy] = ["x", "y"].map((name) => start.getAttribute(name) - piece.getAttribute(name));
  const traveller = piece.cloneNode();
  traveller.classList.add("traveller");
  svg.append(traveller);
  piece.setAttribute("visibility", "hidden");
  const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  const done = () => {
    traveller.remove();
    piece.removeAttribute("visibility");
  };
  traveller.animate(way, { duration: SLIDE_MS, easing: "ease-out" }).finished.then(done, done);
}
