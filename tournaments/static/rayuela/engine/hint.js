// A good move in an unrated game against a bot, drawn on the board when the player asks for one.

import { clearArrows, drawArrows } from "./arrows.js";
import { readReport } from "./reports.js";
import { Thinker } from "./thinker.js";
import { filled } from "./words.js";

const MOST = { nodes: 300_000, ms: 1500 };

/** The button in `root`, which may be replaced; `update` is to be called then. The engine begins with the first question. */
export class Hint {
  #root;
  #thinker;
  #start = ""; // the position of the last question

  constructor(root) {
    this.#root = root;
    this.#thinker = new Thinker({}, () => this.#tell(this.#card?.dataset.failed));
    root.addEventListener("click", ({ target }) => target.closest("[data-hint-button]") && this.#ask());
  }

  get #card() {
    return this.#root.querySelector("[data-hint]");
  }

  /** The page has been drawn again, perhaps with another position. */
  update() {
    const card = this.#card;
    if (card) card.hidden = false;
    if (this.#root.querySelector("[data-over]")) this.#thinker.end();
    if (this.#start && card?.dataset.start !== this.#start) {
      this.#start = "";
      this.#thinker.rest();
      clearArrows(this.#root);
    }
  }

  async #ask() {
    const { worker, kernel, rules, start, loading, move } = this.#card.dataset;
    this.#start = start;
    this.#thinker.place = { worker, kernel };
    this.#tell(loading);
    const answer = await this.#thinker.ask({ rules, start, moves: [], task: "lines=1 seed=1", ...MOST });
    if (!answer || this.#card?.dataset.start !== start) return;
    const best = readReport(answer)?.lines[0]?.moves[0];
    if (!best) return this.#tell(this.#card.dataset.refused);
    this.#tell(filled(move, { move: best }));
    drawArrows(this.#root, [best]);
  }

  #tell(text = "") {
    const words = this.#card?.querySelector("[data-hint-words]");
    if (words) words.textContent = text;
  }
}
