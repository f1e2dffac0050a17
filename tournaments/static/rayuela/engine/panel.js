// The card of the engine: a switch, the chances of winning, the best lines, and their first moves on the board.

import { clearArrows, drawArrows } from "./arrows.js";
import { readReport } from "./reports.js";
import { Thinker } from "./thinker.js";
import { filled, hundredths, promise, short } from "./words.js";

// Where a search ends by itself, whichever comes first: a minute of a phone's battery is enough.
const MOST = { nodes: 50_000_000, ms: 60_000 };
const LINES = 3;
const SHOWN_MOVES = 6;

/**
 * The card in `root`, which may be replaced; `update` is to be called then, and when another position is shown.
 *
 * - `question()`: the position that is shown as `{rules, start, moves}`.
 * - `play(move)`: somebody clicked the first move of a line; null where nothing can be played.
 */
export class EnginePanel {
  #root;
  #question;
  #isOn = false;
  #isHeld = false;
  #questionText = "";
  #report = null; // the last one

  constructor(root, question, play = null) {
    this.#root = root;
    this.#question = question;
    const { worker, kernel } = this.#card?.dataset ?? {};
    this.thinker = new Thinker({ worker, kernel }, (why) => this.#failed(why));
    root.addEventListener("click", ({ target }) => {
      if (target.closest("[data-engine-switch]") && !this.#isHeld) this.#turn(!this.#isOn);
      const move = target.closest("[data-engine-move]")?.dataset.engineMove;
      if (move && play) play(move);
    });
    this.update();
  }

  get #card() {
    return this.#root.querySelector("[data-engine]");
  }

  /** The sentences of the card, and the names of both sides as they are now. */
  get says() {
    return { ...this.#card.dataset, ...this.#root.querySelector("[data-engine-facts]")?.dataset };
  }

  /** Something has been drawn anew, perhaps another position. */
  update() {
    const card = this.#card;
    if (!card) return this.#turn(false);
    card.hidden = false;
    Object.assign(this.thinker.place, { worker: card.dataset.worker, kernel: card.dataset.kernel });
    if (!this.#isOn || this.#isHeld) return;
    const question = this.#question();
    const text = JSON.stringify(question);
    if (text === this.#questionText) return this.#drawArrows();
    this.#questionText = text;
    this.#report = null;
    clearArrows(this.#root);
    this.#tell(card.dataset.loading);
    this.thinker.ask({ ...question, task: `lines=${LINES} seed=1`, ...MOST }, (answer) => this.#receive(answer));
  }

  /** Keep the engine's opinion to itself, while it is asked something else; or show it again. */
  hold(isHeld) {
    this.#isHeld = isHeld;
    this.#questionText = "";
    clearArrows(this.#root);
    this.#show();
    if (!isHeld && !this.#isOn) this.thinker.end();
    this.update();
  }

  #turn(isOn) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#questionText = "";
    clearArrows(this.#root);
    this.#tell("");
    this.#show();
    if (isOn) this.update();
    else this.thinker.end();
  }

  /** Let the switch and what is below it be as they are meant to. */
  #show() {
    const card = this.#card;
    if (!card) return;
    const button = card.querySelector("[role=switch]");
    button.setAttribute("aria-checked", String(this.#isOn));
    button.disabled = this.#isHeld;
    card.querySelector("[data-engine-body]").hidden = this.#isHeld || !this.#isOn;
    card.querySelector("[data-engine-status]").hidden = this.#isHeld;
  }

  #failed(why) {
    console.warn("The engine:", why);
    this.#turn(false);
    this.#tell(this.#card?.dataset.failed ?? "");
  }

  #receive(answer) {
    const { dataset } = this.#card;
    if (answer.refusal) return this.#tell(dataset.refused);
    const report = readReport(answer);
    if (!report?.lines.length) return;
    this.#report = report;
    const says = this.says;
    this.#drawChances(report.lines[0], says);
    this.#drawLines(report.lines, answer.side, says);
    this.#drawArrows();
    const speed = answer.ms ? short((report.nodes / answer.ms) * 1000) : "";
    const facts = answer.outcome ? dataset.over : filled(dataset.facts, { depth: report.depth, nodes: short(report.nodes), speed });
    this.#tell(facts);
    if (!answer.isDone || answer.outcome) return;
    const [best] = report.lines;
    const conclusion = filled(dataset.conclusion, {
      promise: promise(best, answer.side, says),
      side: answer.side ? says.second : says.first,
      move: best.moves[0],
    });
    this.#root.querySelector("[data-engine-conclusion]").textContent = conclusion;
  }

  #tell(text) {
    const place = this.#root.querySelector("[data-engine-status]");
    if (place) place.textContent = text;
  }

  #drawChances(best, says) {
    const bar = this.#root.querySelector("[data-engine-chances]");
    bar.hidden = false;
    bar.style.setProperty("--first", `${best.chance * 100}%`);
    const [first, second] = bar.querySelectorAll("span");
    const isCertain = Boolean(best.plies) || !best.moves.length;
    const whole = hundredths(best.chance, isCertain);
    first.textContent = `${says.first} ${whole} %`;
    second.textContent = `${100 - whole} % ${says.second}`;
  }

  /** The lines stay elements of the page, so that a click on one meets it. */
  #drawLines(lines, side, says) {
    [...this.#root.querySelectorAll("[data-engine-lines] li")].forEach((item, i) => {
      const line = lines[i];
      item.hidden = !line?.moves.length;
      if (item.hidden) return;
      const [next, ...later] = line.moves;
      item.querySelector("[data-engine-promise]").textContent = promise(line, side, says);
      const move = item.querySelector("[data-engine-move]");
      move.textContent = move.dataset.engineMove = next;
      const rest = later.slice(0, SHOWN_MOVES - 1).join("  ");
      item.querySelector("[data-engine-later]").textContent = later.length >= SHOWN_MOVES ? `${rest} …` : rest;
    });
  }

  #drawArrows() {
    const moves = this.#report?.lines.map((line) => line.moves[0]).filter(Boolean) ?? [];
    drawArrows(this.#root, moves);
  }
}
