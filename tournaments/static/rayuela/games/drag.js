// Pieces follow the pointer: mouse, pen and finger. A tap stays a click, and what begins elsewhere scrolls the page.

const SVG = "http://www.w3.org/2000/svg";
const SLACK_PX = 6;

/**
 * - `mayLift(cell)`: whether a piece there may be dragged; `lifted(cell)` once it is.
 * - `dropped(cell)`: where it was let go, if that is a cell.
 */
export class Drag {
  #root;
  #ways;
  #held = null;

  constructor(root, ways) {
    this.#root = root;
    this.#ways = ways;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#end());
    // The page does not scroll along with a piece. Only a listener that is not passive may say so.
    root.addEventListener("touchmove", (event) => this.#held && event.touches.length === 1 && event.preventDefault(), {
      passive: false,
    });
    // Cells that are links would be dragged as links.
    root.addEventListener("dragstart", (event) => event.target.closest?.("[data-cell]") && event.preventDefault());
  }

  #down(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.button || !event.isPrimary) return this.#end();
    const pieces = [...cell.querySelectorAll("use")].slice(1);
    if (!pieces.length || !this.#ways.mayLift(cell.dataset.cell)) return undefined;
    this.#held = { cell, pieces, x: event.clientX, y: event.clientY, ghost: null };
    // A finger holds on to the element it touched first; the piece must be able to leave it.
    if (cell.hasPointerCapture?.(event.pointerId)) cell.releasePointerCapture(event.pointerId);
    return undefined;
  }

  #move(event) {
    const held = this.#held;
    if (!held || !event.isPrimary) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost && Math.hypot(dx, dy) < SLACK_PX) return;
    if (!held.ghost) this.#lift();
    const svg = held.cell.ownerSVGElement;
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    held.ghost.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  }

  #lift() {
    const { cell, pieces } = this.#held;
    const ghost = document.createElementNS(SVG, "g");
    ghost.setAttribute("class", "ghost");
    ghost.append(...pieces.map((piece) => piece.cloneNode(true)));
    cell.ownerSVGElement.append(ghost);
    cell.classList.add("lifted");
    this.#held.ghost = ghost;
    this.#ways.lifted(cell.dataset.cell);
  }

  #up(event) {
    const wasLifted = Boolean(this.#held?.ghost);
    const from = this.#held?.cell;
    this.#end();
    if (!wasLifted) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    if (cell && this.#root.contains(cell) && cell !== from) this.#ways.dropped(cell.dataset.cell);
    // The click that browsers say after a drag was none.
    const swallow = (click) => click.stopPropagation();
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
  }

  #end() {
    this.#held?.ghost?.remove();
    this.#held?.cell.classList.remove("lifted");
    this.#held = null;
  }
}
