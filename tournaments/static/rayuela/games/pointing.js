// What is about one cell, shown while the pointer or the keyboard is on it: its frame, the stones it sees.

import { middle } from "./hints.js";

const SVG = "http://www.w3.org/2000/svg";
const REST_MS = 120; // a pointer on its way asks nothing

/**
 * While `root` holds an element marked `data-pointing`, `ask(cell)` is called for the cell somebody rests on; it
 * promises what there is about it, each `{shape, cells}`.
 */
export class Pointing {
  #root;
  #ask;
  #at = "";
  #timer = 0;

  constructor(root, ask) {
    this.#root = root;
    this.#ask = ask;
    for (const kind of ["pointerover", "focusin"]) {
      root.addEventListener(kind, ({ target }) => this.#rest(target.closest?.("[data-cell]")?.dataset.cell ?? ""));
    }
  }

  #rest(cell) {
    if (cell === this.#at) return;
    this.#at = cell;
    clearTimeout(this.#timer);
    this.#clear();
    if (!cell || !this.#root.querySelector("[data-pointing]")) return;
    this.#timer = setTimeout(async () => {
      const traits = await this.#ask(cell);
      if (cell === this.#at) this.draw(traits);
    }, REST_MS);
  }

  #clear() {
    for (const line of this.#root.querySelectorAll(".pointing")) line.remove();
  }

  /** Draw frames and lines over the board; whatever else there is about a cell stands on it already. */
  draw(traits) {
    this.#clear();
    const svg = this.#root.querySelector("svg.board");
    for (const { shape, cells } of traits) {
      if (shape === "spot") continue;
      const points = cells.map((name) => middle(svg.querySelector(`[data-cell="${CSS.escape(name)}"]`)).join());
      for (const layer of ["casing", "core"]) {
        const line = document.createElementNS(SVG, shape === "frame" ? "polygon" : "polyline");
        line.setAttribute("points", points.join(" "));
        line.setAttribute("class", `pointing hint ${layer}`);
        svg.append(line);
      }
    }
  }
}
