// Marks a script draws on the cells of a board.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = {
  chosen: (x, y) => ["rect", { x: x + 2, y: y + 2, width: 36, height: 36, rx: 5 }],
  premove: (x, y) => ["rect", { x: x + 3, y: y + 3, width: 34, height: 34, rx: 5 }],
  target: (x, y) => ["circle", { cx: x + 20, cy: y + 20, r: 7 }],
  will: (x, y) => ["circle", { cx: x + 20, cy: y + 20, r: 16.5 }],
};

/** The middle of a cell in the drawing's own units. */
export function middle(cell) {
  const { x, y } = cell.querySelector("use");
  return [x.baseVal.value + 20, y.baseVal.value + 20];
}

/** Mark a cell as `chosen`, as one of a `premove`, as a `target`, or as one a move `will` turn or take. */
export function hint(cell, kind) {
  const ground = cell.querySelector("use");
  const [name, where] = SHAPES[kind](ground.x.baseVal.value, ground.y.baseVal.value);
  // Twice: a dark casing below, so that the mark is seen on every ground.
  for (const layer of ["casing", "core"]) {
    const shape = document.createElementNS(SVG, name);
    for (const [attribute, value] of Object.entries(where)) shape.setAttribute(attribute, value);
    shape.setAttribute("class", `hint ${kind} ${layer}`);
    cell.append(shape);
  }
}

/** Take away the marks, or those of one kind. */
export function clearHints(root, kind = "") {
  for (const one of root.querySelectorAll(kind ? `.hint.${kind}` : "[data-cell] .hint")) one.remove();
}
