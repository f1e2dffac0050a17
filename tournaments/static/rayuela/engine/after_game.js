// What the engine does on the page of a game that is over: it looks at the position shown, reviews the game, and teaches.

import { Lesson } from "./lesson.js";
import { EnginePanel } from "./panel.js";
import { Review } from "./review.js";

/** The engine of the game in `root`. `update` is to be called when the page has been; it may be over by then. */
export class AfterGame {
  #panel;
  #review;
  #lesson;
  #board = null;
  #replay = null;

  constructor(root) {
    this.#panel = new EnginePanel(root, () => this.#review.questionAt(Number(this.#review.facts.shownPly)));
    this.#review = new Review(root, this.#panel, () => this.#lesson.update());
    this.#lesson = new Lesson(root, this.#panel, this.#review, {
      show: (ply) => this.#replay.go(ply),
      renew: () => this.#board.refresh(),
    });
  }

  /** The board and the replay of the page. */
  of(board, replay) {
    this.#board = board;
    this.#replay = replay;
  }

  /** The moves of a lesson that may be chosen on the board; null without one. */
  get choices() {
    return this.#lesson.choices;
  }

  /** Moves of a lesson that share their cells; whether there is a lesson. */
  offer(moves) {
    if (!this.choices) return false;
    this.#lesson.offer(moves);
    return true;
  }

  /** A move was chosen on the board; whether it was for a lesson. */
  tryMove(move) {
    if (!this.choices) return false;
    this.#lesson.tryMove(move);
    return true;
  }

  update() {
    this.#panel.update();
    this.#review.update();
    this.#lesson.update();
  }
}
