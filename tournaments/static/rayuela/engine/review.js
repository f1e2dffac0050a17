// A game that is over, gone through ply by ply: a graph of the chances, and what each mistake has cost.

import { drawGraph } from "./graph.js";
import { accuracyOf, mistakesOf } from "./mistakes.js";
import { readReport } from "./reports.js";
import { filled, percent } from "./words.js";

const GAME_MS = 60_000;
const [LEAST_MS, MOST_MS] = [250, 1000];
const MOST_NODES = 2_000_000;
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The way through the game in `root`, by the engine of `panel`. `changed()` is called when its mistakes are known. */
export class Review {
  #root;
  #panel;
  #changed;
  #evaluations = [];
  #isRunning = false;
  #key = "";

  constructor(root, panel, changed) {
    this.#root = root;
    this.#panel = panel;
    this.#changed = changed;
    root.addEventListener("click", ({ target }) => {
      if (!target.closest("[data-review-button]")) return;
      if (this.#isRunning) panel.thinker.rest();
      else this.#run();
    });
  }

  get #card() {
    return this.#root.querySelector("[data-review]");
  }

  /** The facts of the game: its rules, start, players. */
  get facts() {
    return this.#root.querySelector("[data-engine-facts]")?.dataset ?? {};
  }

  /** The moves of the game. */
  get moves() {
    const links = [...this.#root.querySelectorAll(".plies a[data-step]")];
    return links.filter((link) => link.dataset.step !== "0").map((link) => link.textContent);
  }

  /** The move of `ply` as the list of moves numbers it, `4... B1-B2`; empty for the start. */
  nameOf(ply) {
    const link = ply && this.#root.querySelector(`.plies a[data-step="${ply}"]`);
    return link ? `${link.dataset.number} ${link.textContent}` : "";
  }

  /** The position after `ply` as a question without a task. */
  questionAt(ply) {
    const { rules, start } = this.facts;
    return { rules, start, moves: this.moves.slice(0, ply) };
  }

  /** What the engine thinks of the position after so many plies and of `more` moves there; null where it is stopped. */
  async evaluate(ply, more = []) {
    const ms = Math.min(MOST_MS, Math.max(LEAST_MS, GAME_MS / (this.moves.length + 1)));
    const { moves, ...place } = this.questionAt(ply);
    const question = { ...place, moves: [...moves, ...more], task: "lines=1 seed=1", nodes: MOST_NODES, ms };
    const answer = await this.#panel.thinker.ask(question);
    const best = answer && readReport(answer)?.lines[0];
    return best ? { chance: best.chance, plies: best.plies, side: answer.side, line: best.moves } : null;
  }

  /** What the engine has thought of the position after `ply`. */
  at(ply) {
    return this.#evaluations[ply];
  }

  get mistakes() {
    return mistakesOf(this.moves, this.#evaluations, Number(this.facts.openingPlies));
  }

  /** Whether every ply has been looked at. */
  get isDone() {
    return this.#evaluations.filter(Boolean).length === this.moves.length + 1;
  }

  /** The page has been drawn anew. */
  update() {
    const card = this.#card;
    if (!card) return;
    card.hidden = false;
    // A game that is played again is another one.
    const key = this.moves.join();
    if (key !== this.#key) this.#evaluations = [];
    this.#key = key;
    this.#draw();
  }

  async #run() {
    this.#isRunning = true;
    this.#panel.hold(true);
    const { length } = this.moves;
    for (let ply = 0; ply <= length && this.#isRunning; ply += 1) {
      this.#evaluations[ply] ??= await this.evaluate(ply);
      this.#isRunning = Boolean(this.#evaluations[ply]);
      this.#draw();
    }
    this.#isRunning = false;
    this.#panel.hold(false);
    this.#draw();
    this.#changed();
  }

  #draw() {
    const card = this.#card;
    const { dataset } = card;
    const { length } = this.moves;
    const done = this.#evaluations.filter(Boolean).length;
    const button = card.querySelector("[data-review-button]");
    button.textContent = this.#isRunning ? dataset.stop : done ? dataset.goOn : dataset.begin;
    button.hidden = this.isDone;
    const progress = card.querySelector("progress");
    progress.hidden = !this.#isRunning;
    progress.max = length + 1;
    progress.value = done;
    card.querySelector("[data-review-summary]").textContent = this.isDone ? this.#summary() : "";
    card.querySelector("figure").hidden = !done;
    const mistakes = this.mistakes;
    if (done) this.#drawGraph(mistakes);
    card.querySelector("ol").replaceChildren(...mistakes.map((mistake) => this.#item(mistake, dataset)));
    this.#markMoves(mistakes);
  }

  #drawGraph(mistakes) {
    drawGraph(this.#card.querySelector("figure svg"), {
      plies: this.moves.length,
      evaluations: this.#evaluations,
      mistakes,
      shownPly: Number(this.facts.shownPly),
      titleOf: (ply) => `${ply ? `${this.nameOf(ply)}: ` : ""}${percent(this.at(ply).chance)}`,
    });
  }

  #summary() {
    const { dataset } = this.#card;
    const { first, second } = this.facts;
    const countOf = (side, kind) => this.mistakes.filter((one) => one.side === side && one.kind === kind).length;
    return [first, second].map((name, side) => {
      const counts = Object.keys(SIGNS).map((kind) => [kind, countOf(side, kind)]);
      const share = accuracyOf(this.#evaluations, side, Number(this.facts.openingPlies));
      const accuracy = share === null ? "–" : (100 * share).toFixed(1);
      return filled(dataset.summary, { name, accuracy, ...Object.fromEntries(counts) });
    }).join(" ");
  }

  #item({ ply, best, loss, kind }, says) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `?ply=${ply}`;
    link.dataset.step = ply;
    link.textContent = `${this.nameOf(ply)}${SIGNS[kind]}`;
    const words = filled(says[kind], { points: Math.round(loss * 100), move: best });
    item.append(link, ` ${words}`);
    return item;
  }

  /** The signs that score sheets have for them, in the list of moves. */
  #markMoves(mistakes) {
    for (const link of this.#root.querySelectorAll(".plies a[data-sign]")) delete link.dataset.sign;
    for (const { ply, kind } of mistakes) {
      const link = this.#root.querySelector(`.plies a[data-step="${ply}"]`);
      if (link) link.dataset.sign = SIGNS[kind];
    }
  }
}
