// A move on the board that the server has not drawn yet: faint while it is only chosen, in full once it is sent.

const SVG = "http://www.w3.org/2000/svg";

/**
 * `root` holds the drawing. A choice says in `after` what the cells look like that it changes: their ground and their
 * piece, by the names of pictures that the drawing brings along.
 */
export class Preview {
  #root;
  #before = new Map(); // cells and what was in them

  constructor(root) {
    this.#root = root;
  }

  /** Point out what `choice` would make of the board, over what stands there. */
  outline(choice) {
    this.clear();
    for (const [cell, look] of this.#changes(choice)) {
      const way = choice.path.includes(cell.dataset.cell);
      const [ground, piece] = pictures(cell);
      const fresh = [look.ground !== nameOf(ground) && use(cell, look.ground), look.piece && use(cell, look.piece)];
      for (const picture of fresh.filter(Boolean)) {
        picture.classList.add("coming");
        // What is turned under one's hands is seen twice: as it is, and small as it will be.
        if (piece && !way) picture.setAttribute("transform", halved(cell));
      }
      piece?.classList.add("going");
      cell.append(...fresh.filter(Boolean));
    }
  }

  /** Draw `choice` as if it had been played. */
  draw(choice) {
    this.clear();
    for (const [cell, look] of this.#changes(choice)) {
      const way = choice.path.includes(cell.dataset.cell);
      const parts = [look.ground, look.piece, way ? "last" : "captured"].filter(Boolean);
      cell.replaceChildren(...parts.map((name) => use(cell, name)).filter(Boolean));
    }
  }

  /** Put back what was there. */
  clear() {
    for (const [cell, nodes] of this.#before) {
      for (const node of nodes) node.classList.remove("going");
      cell.replaceChildren(...nodes);
    }
    this.#before.clear();
  }

  *#changes(choice) {
    for (const [name, [ground, piece]] of Object.entries(choice.after ?? {})) {
      const cell = this.#root.querySelector(`svg.board [data-cell="${CSS.escape(name)}"]`);
      if (!cell) continue;
      this.#before.set(cell, [...cell.children].filter((node) => !node.classList.contains("hint")));
      yield [cell, { ground, piece }];
    }
  }
}

/** The ground of a cell, and the piece on it if there is one; marks come after them. */
function pictures(cell) {
  const [ground, above] = cell.querySelectorAll("use");
  return [ground, above && !["last", "captured"].includes(nameOf(above)) ? above : null];
}

function nameOf(picture) {
  return picture.getAttribute("href").replace(/^.*-i-/, "");
}

/** A picture of the drawing in the place of a cell; null where the drawing has none of this name. */
function use(cell, name) {
  const ground = cell.querySelector("use");
  const href = ground.getAttribute("href").replace(/-i-.*$/, `-i-${name}`);
  if (!document.getElementById(href.slice(1))) return null;
  const picture = document.createElementNS(SVG, "use");
  picture.setAttribute("href", href);
  picture.setAttribute("x", ground.getAttribute("x"));
  picture.setAttribute("y", ground.getAttribute("y"));
  return picture;
}

function halved(cell) {
  const { x, y } = cell.querySelector("use");
  return `translate(${(x.baseVal.value + 20) / 2} ${(y.baseVal.value + 20) / 2}) scale(.5)`;
}
