// Learning from mistakes: the position before each of them, to be played better.

import { clearArrows, drawArrows } from "./arrows.js";
import { kindOf, lossOf } from "./mistakes.js";
import { cellsOf } from "./reports.js";
import { filled, percent } from "./words.js";

const SIDES = ["first", "second"];

/** The lesson over a `review` in `root`; `show(ply)` leads there, `renew()` lets the board ask for its choices again. */
export class Lesson {
  #root;
  #panel;
  #review;
  #show;
  #renew;
  #mistakes = [];
  #at = -1;
  #choices = [];
  #isTrying = false;

  constructor(root, panel, review, { show, renew }) {
    this.#root = root;
    this.#panel = panel;
    this.#review = review;
    this.#show = show;
    this.#renew = renew;
    root.addEventListener("click", ({ target }) => this.#clicked(target.closest("[data-lesson]")));
  }

  get #mistake() {
    return this.#mistakes[this.#at];
  }

  /** The legal moves to choose from, while the position of the lesson is on the board; null without a lesson. */
  get choices() {
    if (!this.#mistake) return null;
    return Number(this.#review.facts.shownPly) === this.#mistake.ply - 1 && !this.#isTrying ? this.#choices : [];
  }

  /** The buttons that begin a lesson, for the sides that have something to learn. */
  update() {
    for (const [side, name] of SIDES.entries()) {
      const button = this.#root.querySelector(`[data-lesson="${name}"]`);
      if (button) button.hidden = Boolean(this.#mistake) || !this.#review.isDone || !this.#of(side).length;
    }
    // Whose better moves are being looked for is not told them meanwhile.
    const list = this.#root.querySelector("[data-review] ol");
    if (list) list.hidden = Boolean(this.#mistake);
  }

  /** Moves that share their cells, to be chosen by name; those without a cell always. */
  offer(moves) {
    const all = [...moves, ...this.choices.filter(({ path }) => !path.length).map(({ move }) => move)];
    const buttons = all.map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.dataset.lesson = "try";
      button.value = button.textContent = move;
      return button;
    });
    this.#place("choices").replaceChildren(...buttons);
  }

  /** Somebody plays `move` instead of the mistake. */
  async tryMove(move) {
    const { ply, side, best, move: played } = this.#mistake;
    const { dataset } = this.#place("card");
    drawArrows(this.#root, [move]);
    if (move === played) return this.#tell(filled(dataset.same, { move }));
    const before = this.#review.at(ply - 1);
    let after = before;
    if (move !== best) {
      this.#tell(dataset.thinking);
      this.#isTrying = true;
      this.#renew();
      after = await this.#review.evaluate(ply - 1, [move]);
      this.#isTrying = false;
      if (!after || !this.#mistake) return;
      this.#renew();
    }
    const loss = lossOf(before, after, side);
    const isGood = !kindOf(loss);
    const chance = percent(side ? 1 - after.chance : after.chance);
    this.#tell(filled(isGood ? dataset.good : dataset.bad, { move, chance, points: Math.round(loss * 100) }));
    this.#place("solution").hidden = isGood && move === best;
  }

  #of(side) {
    return this.#review.mistakes.filter((one) => one.side === side && one.kind !== "inaccuracy");
  }

  #clicked(button) {
    switch (button?.dataset.lesson) {
      case "first":
      case "second":
        this.#mistakes = this.#of(SIDES.indexOf(button.dataset.lesson));
        this.#panel.hold(true);
        this.#go(0);
        // On a phone the button is far below the board.
        this.#root.querySelector("#board").scrollIntoView({ block: "nearest" });
        break;
      case "try":
        this.tryMove(button.value);
        break;
      case "solution":
        this.#solve();
        break;
      case "next":
        this.#go(this.#at + 1);
        break;
      case "end":
        this.#go(-1);
        break;
      default:
    }
  }

  async #go(at) {
    this.#at = at < this.#mistakes.length ? at : -1;
    this.#choices = [];
    this.#isTrying = false;
    clearArrows(this.#root);
    const card = this.#place("card");
    card.hidden = !this.#mistake;
    this.update();
    if (!this.#mistake) {
      this.#panel.hold(false);
      this.#renew();
      return;
    }
    const { ply, side } = this.#mistake;
    const name = this.#review.facts[SIDES[side]];
    const { length } = this.#mistakes;
    this.#place("solution").hidden = false;
    this.#place("next").hidden = at + 1 === length;
    this.#tell(card.dataset.thinking);
    this.#show(ply - 1);
    const answer = await this.#panel.thinker.ask({ ...this.#review.questionAt(ply - 1), task: "moves" });
    if (!answer?.moves) return;
    this.#choices = answer.moves.map((text) => ({ move: text, path: cellsOf(text) }));
    this.#tell(filled(card.dataset.find, { number: at + 1, count: length, name, move: this.#review.nameOf(ply) }));
    this.#renew();
  }

  #solve() {
    const { best, line } = this.#mistake;
    drawArrows(this.#root, [best]);
    this.#tell(filled(this.#place("card").dataset.solved, { move: best, line: line.join("  ") }));
  }

  #tell(text) {
    this.#place("status").textContent = text;
  }

  #place(name) {
    return this.#root.querySelector(`[data-lesson-part="${name}"]`);
  }
}
