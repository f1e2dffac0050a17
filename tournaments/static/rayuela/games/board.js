// A board of the server's: its cells are clicked, dragged, walked by keyboard. It knows legal moves as cells to choose,
// one after the other, and nothing of rules.

import { Drag } from "./drag.js";
import { clearHints, hint } from "./hints.js";
import { Preview } from "./preview.js";

/**
 * Choosing cells of an `svg.board` becomes a move.
 *
 * - `root`: the element around the drawing, which may be replaced; `refresh` is to be called then.
 * - `choices()`: the legal moves now, each `{move, path, takes?, effect?, after?}`: the names of the cells that make it,
 *   in order, for each of them the cells it turns or takes, that in words, and what becomes of the cells (`Preview`).
 *   One marked `more` has only its first cell.
 * - `send(move)`: a move was chosen.
 * - `offer(moves, state)`: what is chosen so far: the moves complete with these cells, and `{path, complete, ways,
 *   taken, peeked}`: the same as choices, how many ways lead on, the cells turned or taken so far, and a choice that
 *   is only looked at.
 * - `load(cell)`: the choices that begin there, where there are more; a promise.
 * - `mustConfirm()`: whether a complete move waits for a button.
 * - `claim(cell)`: whether this click was meant for something else.
 * - `refuse(cells)`: after the cells chosen so far the last one leads to no legal move.
 */
export class Board {
  #root;
  #ask;
  #send;
  #offer;
  #load;
  #mustConfirm;
  #claim;
  #refuse;
  #choices = [];
  #known = "";
  #path = [];
  #highlights = [];
  #peeked = null;
  #cursor = "";
  #preview;
  #sent = null;

  constructor(root, { choices, send, offer = () => {}, load = null, mustConfirm = () => false, claim = () => false, refuse = () => {} }) {
    this.#root = root;
    this.#ask = choices;
    this.#send = send;
    this.#offer = offer;
    this.#load = load;
    this.#mustConfirm = mustConfirm;
    this.#claim = claim;
    this.#refuse = refuse;
    this.#preview = new Preview(root);
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("focusin", (event) => this.#entered(event));
    root.addEventListener("pointerover", (event) => this.#peek(event));
    new Drag(root, {
      mayLift: (cell) => this.#beginningWith([cell]).length > 0,
      lifted: (cell) => this.#lift(cell),
      dropped: (cell) => this.#nextCells().has(cell) && this.choose(cell),
    });
    this.refresh();
  }

  /** What is drawn or may be played has changed. A move half chosen goes on while the choices are the same. */
  refresh() {
    const choices = this.#ask();
    const known = JSON.stringify(choices);
    if (known !== this.#known) {
      this.#choices = choices;
      this.#path = [];
    }
    this.#known = known;
    this.#rove();
    this.#mark();
  }

  /** Draw `move` as if it had been played, and let nothing be chosen until `release`. */
  play(move) {
    this.#sent = this.#choices.find((choice) => choice.move === move) ?? { move, path: [] };
    this.clear();
  }

  /** Put back what was there before the move, and let another one be chosen. */
  release() {
    this.#sent = null;
    this.#mark();
  }

  /** Outline one of several moves with the same cells. */
  outline(choice) {
    this.#preview.clear();
    this.#markHints();
    if (choice) this.#preview.outline(choice);
  }

  /** Forget the cells chosen so far. */
  clear() {
    this.#path = [];
    this.#mark();
  }

  /** Take back the last cell chosen. */
  undo() {
    this.#path = this.#path.slice(0, -1);
    this.#mark();
  }

  /** Lead the keyboard to the cell it was on last. */
  focus() {
    this.#cell(this.#cursor)?.focus({ preventScroll: true });
  }

  /** Point out the cells a move would turn or take. */
  show(cells) {
    this.#highlights = cells;
    this.#markHighlights();
  }

  /** The cell of this name is clicked, or chosen otherwise. */
  async choose(name) {
    const path = this.#path;
    if (this.#beginningWith([...path, name]).length) this.#path = [...path, name];
    else if (path[path.length - 1] === name) this.#path = path.slice(0, -1);
    else this.#path = this.#beginningWith([name]).length ? [name] : [];
    const isRefused = !this.#path.length && path[path.length - 1] !== name;
    await this.#loadMore();
    const left = this.#beginningWith(this.#path);
    const isMade = this.#path.length && left.length === 1 && left[0].path.length === this.#path.length;
    if (isMade && !this.#mustConfirm()) {
      this.clear();
      this.#send(left[0].move);
    } else this.#mark();
    if (isRefused) this.#refuse([...path, name]);
  }

  async #loadMore() {
    const [only] = this.#beginningWith(this.#path);
    if (!only?.more || !this.#load) return;
    const others = await this.#load(only.path[0]);
    if (this.#choices.includes(only)) this.#choices = this.#choices.filter((one) => one !== only).concat(others);
  }

  /** The choices that begin with the cells of `path`. */
  #beginningWith(path) {
    if (this.#sent) return [];

    return this.#choices.filter((choice) => choice.path.length && path.every((cell, i) => choice.path[i] === cell));
  }

  #nextCells() {
    const at = this.#path.length;
    return new Set(this.#beginningWith(this.#path).flatMap((choice) => choice.path.slice(at, at + 1)));
  }

  #clicked(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || this.#sent || !this.#choices.length) return;
    event.preventDefault();
    if (!this.#claim(cell.dataset.cell)) this.choose(cell.dataset.cell);
  }

  #lift(name) {
    if (this.#path.includes(name)) return;
    this.#path = [name];
    this.#loadMore().then(() => this.#mark());
  }

  /** Show where to go, what is chosen, and tell what can be done with it. */
  #mark() {
    const path = this.#path;
    const fitting = path.length ? this.#beginningWith(path) : [];
    const complete = fitting.filter((choice) => choice.path.length === path.length);
    const taken = takenBy(fitting[0], path.length);
    this.#highlights = taken;
    this.#peeked = null;
    this.#preview.clear();
    this.#markHints();
    // A page that shows another position by now has no choices.
    if (this.#sent && this.#choices.length) this.#preview.draw(this.#sent);
    if (complete.length === 1) this.#preview.outline(complete[0]);
    const ways = path.length ? this.#nextCells().size : 0;
    this.#offer(complete.map((choice) => choice.move), { path, complete, ways, taken, peeked: null });
  }

  #markHints() {
    const path = this.#path;
    const next = this.#nextCells();
    const starts = new Set(this.#beginningWith([]).map((choice) => choice.path[0]));
    clearHints(this.#root);
    for (const cell of this.#root.querySelectorAll("[data-cell]")) {
      const name = cell.dataset.cell;
      const isChosen = path.includes(name);
      cell.classList.toggle("can", next.has(name) || starts.has(name));
      const inGrid = cell.closest("[role=gridcell]"); // around a cell that is a link
      if (isChosen) inGrid?.setAttribute("aria-selected", "true");
      else inGrid?.removeAttribute("aria-selected");
      if (isChosen) hint(cell, "chosen");
      else if (path.length && next.has(name)) hint(cell, "target");
    }
    this.#markHighlights();
  }

  #markHighlights() {
    clearHints(this.#root, "will");
    for (const name of this.#highlights) {
      const cell = this.#cell(name);
      if (cell) hint(cell, "will");
    }
  }

  /** Show what going to the cell under the pointer or the keyboard would turn or take. */
  #peek(event) {
    const name = event.target.closest?.("[data-cell]")?.dataset.cell ?? "";
    const path = this.#path;
    const [way] = this.#nextCells().has(name) && path.length ? this.#beginningWith([...path, name]) : [];
    const before = path.length ? takenBy(this.#beginningWith(path)[0], path.length) : [];
    const peeked = way?.path.length === path.length + 1 ? way : null;
    const cells = way ? takenBy(way, path.length + 1) : before;
    if (peeked === this.#peeked && cells.join() === this.#highlights.join()) return;
    this.#peeked = peeked;
    const complete = this.#beginningWith(path).filter((choice) => path.length && choice.path.length === path.length);
    if (complete.length) return;
    this.show(cells);
    this.#offer([], { path, complete, ways: path.length ? this.#nextCells().size : 0, taken: before, peeked });
  }

  // --- by keyboard: one cell is in the order of tabs, arrows go from there

  #cell(name) {
    return this.#root.querySelector(`svg.board [data-cell="${CSS.escape(name)}"]`);
  }

  #rows() {
    return [...this.#root.querySelectorAll("svg.board [role=row]")].map((row) => [...row.querySelectorAll("[data-cell]")]);
  }

  #rove() {
    const cells = this.#rows().flat();
    if (!cells.length) return;
    const start = this.#choices.find((choice) => choice.path.length)?.path[0];
    if (!this.#cell(this.#cursor)) this.#cursor = start ?? cells[Math.floor(cells.length / 2)].dataset.cell;
    for (const cell of cells) cell.setAttribute("tabindex", cell.dataset.cell === this.#cursor ? "0" : "-1");
  }

  #entered(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell?.closest("[role=gridcell]")) return;
    this.#cell(this.#cursor)?.setAttribute("tabindex", "-1");
    this.#cursor = cell.dataset.cell;
    cell.setAttribute("tabindex", "0");
    this.#peek(event);
  }

  #pressed(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.#choices.length && !this.#sent && !this.#claim(cell.dataset.cell)) this.choose(cell.dataset.cell);
    } else if (event.key === "Escape" && this.#path.length) this.undo();
    else {
      const there = this.#from(cell, event);
      if (!there) return;
      event.preventDefault();
      there.focus();
    }
  }

  #from(cell, { key, ctrlKey }) {
    const rows = this.#rows();
    const y = rows.findIndex((row) => row.includes(cell));
    const x = rows[y]?.indexOf(cell);
    const last = rows.length - 1;
    const at = {
      ArrowLeft: [y, Math.max(0, x - 1)],
      ArrowRight: [y, Math.min(last, x + 1)],
      ArrowUp: [Math.max(0, y - 1), x],
      ArrowDown: [Math.min(last, y + 1), x],
      Home: [ctrlKey ? 0 : y, 0],
      End: [ctrlKey ? last : y, last],
      PageUp: [0, x],
      PageDown: [last, x],
    }[key];
    return at && y >= 0 ? rows[at[0]][at[1]] : null;
  }
}

/** What the first `steps` cells of a choice turn or take. */
function takenBy(choice, steps) {
  return (choice?.takes ?? []).slice(0, steps).flat();
}
