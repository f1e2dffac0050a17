// A board of the server's whose cells are clicked. It knows legal moves as cells to click, and nothing of rules.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Clicks on the cells of an `svg.board` become moves.
 *
 * - `root`: the element around the drawing, which may be replaced; `refresh` is to be called then.
 * - `choices()`: the legal moves now, each `{move, path}` with the names of the cells that make it, in order.
 * - `send(move)`: a move was chosen.
 * - `offer(moves)`: these moves share the cells clicked, the person chooses between them by name; empty mostly.
 */
export class Board {
  #root;
  #ask;
  #send;
  #offer;
  #choices = [];
  #known = "";
  #path = [];

  constructor(root, { choices, send, offer = () => {} }) {
    this.#root = root;
    this.#ask = choices;
    this.#send = send;
    this.#offer = offer;
    root.addEventListener("click", (event) => this.#clicked(event));
    this.refresh();
  }

  /** What is drawn or may be played has changed. A move half clicked goes on while the choices are the same. */
  refresh() {
    this.#choices = this.#ask();
    const known = JSON.stringify(this.#choices);
    if (known !== this.#known) this.#path = [];
    this.#known = known;
    this.#mark();
  }

  /** Forget the cells clicked so far. */
  clear() {
    this.#path = [];
    this.#mark();
  }

  /** The choices that begin with the cells of `path`. */
  #beginningWith(path) {
    return this.#choices.filter((choice) => path.every((cell, i) => choice.path[i] === cell));
  }

  #clicked(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || !this.#choices.length) return;
    event.preventDefault();
    this.#choose(cell.dataset.cell);
  }

  #choose(name) {
    const path = this.#path;
    if (this.#beginningWith([...path, name]).length) this.#path = [...path, name];
    else if (path[path.length - 1] === name) this.#path = [];
    else this.#path = this.#beginningWith([name]).length ? [name] : [];
    const left = this.#beginningWith(this.#path);
    if (this.#path.length && left.length === 1 && left[0].path.length === this.#path.length) {
      this.clear();
      this.#send(left[0].move);
    } else this.#mark();
  }

  /** Show which cells can be clicked, which are chosen, and which moves are left to choose between. */
  #mark() {
    const path = this.#path;
    const fitting = this.#beginningWith(path);
    const next = new Set(fitting.filter((c) => c.path.length > path.length).map((c) => c.path[path.length]));
    const starts = new Set(this.#choices.filter((c) => c.path.length).map((c) => c.path[0]));
    for (const cell of this.#root.querySelectorAll("[data-cell]")) {
      const name = cell.dataset.cell;
      cell.classList.toggle("can", next.has(name) || starts.has(name));
      cell.querySelector(".hint")?.remove();
      if (path.includes(name)) cell.append(hint(cell, "chosen"));
      else if (path.length && next.has(name)) cell.append(hint(cell, "target"));
    }
    this.#offer(path.length ? fitting.filter((c) => c.path.length === path.length).map((c) => c.move) : []);
  }
}

/** A mark on a cell: a frame around the chosen ones, a disc on those that may follow. */
function hint(cell, kind) {
  const ground = cell.querySelector("use");
  const [x, y] = [ground.x.baseVal.value, ground.y.baseVal.value];
  const made = document.createElementNS(SVG, kind === "target" ? "circle" : "rect");
  const where =
    kind === "target" ? { cx: x + 20, cy: y + 20, r: 7 } : { x: x + 2, y: y + 2, width: 36, height: 36, rx: 5 };
  for (const [name, value] of Object.entries(where)) made.setAttribute(name, value);
  made.setAttribute("class", `hint ${kind}`);
  return made;
}
