// A large board closer: by buttons, by + and - on the board, by Ctrl and the wheel, by two fingers. One finger scrolls.

import { Rulers } from "./rulers.js";

const LEVELS = [1, 1.5, 2, 3, 4, 6];

export class Zoom {
  #root;
  #level = 1;
  #pinch = null;
  #rulers = new Rulers();

  constructor(root) {
    this.#root = root;
    root.dataset.scripted = "";
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-zoom]");
      if (button) this.#step(Number(button.dataset.zoom));
    });
    root.addEventListener("keydown", (event) => {
      if (!event.target.closest("[data-cell]") || event.ctrlKey) return;
      if (event.key === "+" || event.key === "-") this.#step(event.key === "+" ? 1 : -1);
      if (event.key === "0") this.#to(1);
    });
    root.addEventListener("focusin", ({ target }) => {
      if (this.#level > 1) target.closest("[data-cell]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    const options = { passive: false };
    root.addEventListener("wheel", (event) => this.#wheel(event), options);
    root.addEventListener("touchstart", (event) => this.#begin(event), options);
    root.addEventListener("touchmove", (event) => this.#go(event), options);
    root.addEventListener("touchend", () => (this.#pinch = null));
    root.addEventListener("scroll", () => this.update(), { capture: true, passive: true });
  }

  /** The board has been drawn anew, or another part of it is in view. */
  update() {
    this.#rulers.hold(this.#place, this.#level);
  }

  get #place() {
    return this.#root.querySelector(".board-scroll");
  }

  #step(by) {
    const nearest = LEVELS.reduce((a, b) => (Math.abs(b - this.#level) < Math.abs(a - this.#level) ? b : a));
    const there = LEVELS[LEVELS.indexOf(nearest) + by];
    if (there) this.#to(there);
    if (there) this.#lead();
  }

  /** Bring what is chosen, or the last move, to the middle of the view. */
  #lead() {
    const place = this.#place;
    const moved = [...place.querySelectorAll('.cell:has(use[href$="-i-last"])')];
    const chosen = [...place.querySelectorAll('[aria-selected="true"]')].at(-1);
    const cell = chosen ?? moved.find((one) => one.querySelectorAll("use").length > 2) ?? moved[0];
    if (!cell) return;
    const [box, view] = [cell.getBoundingClientRect(), place.getBoundingClientRect()];
    place.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
    place.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
  }

  /** Show the board `level` times as large; the point at `x`, `y` of the view, its middle by default, stays. */
  #to(level, x = this.#place.clientWidth / 2, y = this.#place.clientHeight / 2) {
    const place = this.#place;
    const factor = level / this.#level;
    this.#level = level;
    this.#root.style.setProperty("--zoom", level);
    this.#root.classList.toggle("zoomed", level > 1);
    place.scrollLeft = (place.scrollLeft + x) * factor - x;
    place.scrollTop = (place.scrollTop + y) * factor - y;
    this.update();
  }

  #wheel(event) {
    if (!event.ctrlKey || !event.target.closest(".board-scroll")) return;
    event.preventDefault();
    this.#closer(this.#level * Math.exp(-event.deltaY / 300), event);
  }

  #closer(level, { clientX, clientY }) {
    const box = this.#place.getBoundingClientRect();
    this.#to(Math.min(6, Math.max(1, level)), clientX - box.left, clientY - box.top);
  }

  #begin(event) {
    if (event.touches.length !== 2 || !event.target.closest(".board-scroll")) return;
    event.preventDefault();
    this.#pinch = { distance: between(event.touches), level: this.#level };
  }

  #go(event) {
    if (!this.#pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
    this.#closer((this.#pinch.level * between(event.touches)) / this.#pinch.distance, middle);
  }
}

function between([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
