// A move chosen while the opponent thinks. It is sent once it is one's turn, if the rules then allow it.

import { hint } from "./hints.js";

export class Premove {
  #root;
  #send;
  #path = [];

  /** `send(move)` plays a move. */
  constructor(root, send) {
    this.#root = root;
    this.#send = send;
    root.addEventListener("click", (event) => this.#chosen(event));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.#chosen(event);
      if (event.key === "Escape") this.#drop();
    });
  }

  /** The page has been drawn anew, with these legal moves: of the viewer, so none while the opponent thinks. */
  update(choices) {
    const path = this.#path;
    if (!this.#cells) this.#path = [];
    this.#mark();
    if (path.length < 1 || !choices.length) return;
    const fitting = choices.filter((choice) => choice.path.length === path.length && choice.path.every((cell, i) => cell === path[i]));
    // Of several captures to choose from none is meant.
    if (fitting.length === 1) this.#send(fitting[0].move);
  }

  /** How many cells make a move; none while there are no premoves. */
  get #cells() {
    return Number(this.#root.querySelector(".game").dataset.premove ?? 0);
  }

  #chosen(event) {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (!name || !this.#cells) return;
    event.preventDefault();
    const path = this.#path;
    if (path.includes(name)) this.#path = [];
    else this.#path = path.length < this.#cells ? [...path, name] : [name];
    this.#mark();
  }

  #drop() {
    this.#path = [];
    this.#mark();
  }

  #mark() {
    for (const old of this.#root.querySelectorAll(".hint.premove")) old.remove();
    for (const name of this.#path) {
      const cell = this.#root.querySelector(`svg.board [data-cell="${CSS.escape(name)}"]`);
      if (cell) hint(cell, "premove");
    }
    const words = this.#root.querySelector("[data-premove-words]");
    if (!words) return;
    words.hidden = !this.#path.length;
    const isWhole = this.#path.length === this.#cells;
    words.textContent = (isWhole ? words.dataset.premoveWords : "{move} …").replace("{move}", this.#path.join("-"));
  }
}
