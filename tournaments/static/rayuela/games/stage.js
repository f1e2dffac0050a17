// The bar below the board: what is chosen so far, what it does, and the buttons that send it or take it back.

export class Stage {
  #root;
  #board;
  #send;
  #ticked = null; // of captures that may be chosen: the cells chosen now
  #complete = [];
  #sent = "";

  constructor(root, send) {
    this.#root = root;
    this.#send = send;
    root.addEventListener("click", (event) => {
      if (event.target.closest("[data-undo]")) this.#board.undo();
    });
    root.addEventListener("change", (event) => {
      const { tick } = event.target.dataset;
      if (tick) this.#toggle(tick);
    });
  }

  /** The board whose choices these are. */
  of(board) {
    this.#board = board;
  }

  /** Whether a complete move waits for the button, as the settings say. */
  get mustConfirm() {
    const setting = this.#root.querySelector("[data-confirm-moves]")?.dataset.confirmMoves;
    return setting === "on" || (setting === "auto" && matchMedia("(pointer: coarse)").matches);
  }

  /** A move is on its way, or none any more. */
  set sent(move) {
    this.#sent = move;
  }

  /** A click on a stone that may be captured or not chooses that. */
  claim(cell) {
    if (!this.#ticked || !allTaken(this.#complete).includes(cell)) return false;
    this.#toggle(cell);
    return true;
  }

  offer(moves, state) {
    const place = this.#root.querySelector("[data-choices]");
    const status = this.#root.querySelector("[data-staged]");
    if (!place || !status) return;
    this.#complete = state.complete;
    const mayTick = moves.length > 1 && new Set(state.complete.map(takes)).size === moves.length;
    if (!mayTick) this.#ticked = null;
    else this.#ticked ??= new Set(mostTaking(state.complete).takes?.flat());
    const undo = this.#root.querySelector("[data-undo]");
    undo.disabled = !state.path.length; // it keeps its place
    if (mayTick) this.#drawTicks(place);
    else place.replaceChildren(...moves.map((move) => this.#button(move, status)));
    const text = this.#sent ? status.dataset.sending.replace("{move}", this.#sent) : words(status.dataset, state);
    if (!mayTick && status.textContent !== text) status.textContent = text;
  }

  /** Why the cells that were clicked make no move, while nothing else is chosen. */
  explain({ sentence = "", detail = "", paragraph = "" }) {
    const status = this.#root.querySelector("[data-staged]");
    if (!status || this.#sent || !sentence) return;
    status.textContent = [detail || sentence, paragraph && `(${paragraph})`].filter(Boolean).join(" ");
  }

  #toggle(cell) {
    if (this.#ticked.has(cell)) this.#ticked.delete(cell);
    else this.#ticked.add(cell);
    this.#drawTicks(this.#root.querySelector("[data-choices]"));
  }

  /** A box for every capture, and the one move that makes those chosen. */
  #drawTicks(place) {
    const status = this.#root.querySelector("[data-staged]");
    const held = document.activeElement?.dataset?.tick;
    const cells = [...this.#ticked].sort().join();
    const choice = this.#complete.find((one) => takes(one) === cells);
    const boxes = allTaken(this.#complete).map((cell) => this.#box(cell, status.dataset));
    place.replaceChildren(...boxes, ...(choice ? [this.#button(choice.move, status)] : []));
    status.textContent = choice ? [choice.move, choice.effect].filter(Boolean).join(": ") : status.dataset.cannot;
    this.#board.show([...this.#ticked]);
    this.#board.outline(choice);
    if (held) place.querySelector(`[data-tick="${CSS.escape(held)}"]`)?.focus();
  }

  #box(cell, says) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.dataset.tick = cell;
    box.checked = this.#ticked.has(cell);
    label.className = "tick";
    const touch = this.#complete.find((one) => one.touch?.cell === cell)?.touch;
    label.append(box, ` ${touch ? touch.words : says.tick.replace("{cell}", cell)}`);
    return label;
  }

  #button(move, status) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button primary";
    button.textContent = status.dataset.send.replace("{move}", move);
    button.addEventListener("click", () => this.#send(move));
    return button;
  }
}

function words(says, { path, complete, ways, taken, peeked }) {
  const [choice] = peeked ? [peeked] : complete;
  if (choice) return [choice.move, choice.effect].filter(Boolean).join(": ");
  if (!path.length) return says.idle;
  const where = says.chosen.replace("{cell}", path.join(" – ")).replace("{count}", ways);
  return taken.length ? `${where} ${says.taking.replace("{cells}", taken.join(", "))}` : where;
}

function takes(choice) {
  return (choice.takes ?? []).flat().sort().join();
}

function allTaken(choices) {
  return [...new Set(choices.flatMap((choice) => (choice.takes ?? []).flat()))];
}

function mostTaking(choices) {
  return choices.reduce((a, b) => ((b.takes ?? []).flat().length > (a.takes ?? []).flat().length ? b : a));
}
