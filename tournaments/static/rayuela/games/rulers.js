// The names of files and ranks stay at the edges of what is in view of an enlarged board.

export class Rulers {
  #home = new WeakMap(); // where the server has put a name
  #held = false;

  /** Put the names where they are read in `place`, which shows a part of the board `level` times as large. */
  hold(place, level) {
    const svg = place.querySelector("svg.board");
    const group = svg?.querySelector(".coordinates");
    if (!group || (level === 1 && !this.#held)) return;
    this.#held = level > 1;
    if (level > 1) svg.append(group); // above the cells
    const texts = [...group.children].map((text) => [text, this.#homeOf(text)]);
    const edge = Math.min(...texts.map(([, { x }]) => x)); // the names of ranks stand nearest to it
    const { width } = svg.viewBox.baseVal;
    const unit = width / svg.getBoundingClientRect().width;
    const [left, top] = [place.scrollLeft * unit, place.scrollTop * unit];
    const [right, bottom] = [left + place.clientWidth * unit, top + place.clientHeight * unit];
    const near = edge / level;
    const smaller = Number(group.getAttribute("font-size")) / level;
    for (const [text, { x, y }] of texts) {
      const isRank = x === edge || x === width - edge;
      if (isRank) text.setAttribute("x", x === edge ? Math.max(x, left + near) : Math.min(x, right - near));
      else text.setAttribute("y", y < width / 2 ? Math.max(y, top + 1.3 * near) : Math.min(y, bottom - 0.7 * near));
      if (level > 1) text.setAttribute("font-size", smaller);
      else text.removeAttribute("font-size");
    }
  }

  #homeOf(text) {
    if (!this.#home.has(text)) {
      this.#home.set(text, { x: Number(text.getAttribute("x")), y: Number(text.getAttribute("y")) });
    }
    return this.#home.get(text);
  }
}
