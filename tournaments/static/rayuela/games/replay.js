// The way through a game that has been played: buttons, keys, a slider. The server draws every position.

const KEYS = { ArrowLeft: -1, ArrowRight: 1, j: 1, k: -1, Home: -Infinity, End: Infinity };
const PLY_MS = 1200;

/**
 * The replay of the game in `root`. The page's address says `?ply=` while an earlier position is looked at; `show` is
 * called when that has changed, `update` is to be called when it has been drawn.
 */
export class Replay {
  #root;
  #show;
  #ply = 0;
  #playing = 0;

  constructor(root, show) {
    this.#root = root;
    this.#show = show;
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("input", ({ target }) => target.name === "ply" && this.go(Number(target.value)));
    root.addEventListener("submit", (event) => this.#submitted(event), true);
    document.addEventListener("keydown", (event) => this.#pressed(event));
    this.update();
  }

  /** What is shown has been drawn anew. */
  update() {
    const last = this.#last;
    const fromAddress = new URLSearchParams(location.search).get("ply") ?? "";
    this.#ply = /^\d+$/.test(fromAddress) ? Math.min(Number(fromAddress), last) : last;
    const slider = this.#root.querySelector(".slider input");
    if (slider) {
      slider.max = last;
      slider.form.hidden = !last;
      if (slider !== document.activeElement) slider.value = this.#ply;
    }
    const play = this.#root.querySelector("[data-play]");
    if (play) {
      play.hidden = !last;
      play.setAttribute("aria-pressed", String(Boolean(this.#playing)));
    }
    const plies = this.#root.querySelector(".plies");
    const current = plies?.querySelector("[aria-current]");
    if (current) {
      // The list is scrolled and never the page; `offsetTop` would depend on what is positioned around it.
      const middle = current.getBoundingClientRect().top - plies.getBoundingClientRect().top;
      plies.scrollTop += middle - (plies.clientHeight - current.clientHeight) / 2;
    }
  }

  get #last() {
    return Number(this.#root.querySelector(".game").dataset.ply);
  }

  /** Show the position after `ply`. */
  go(ply) {
    const to = Math.max(0, Math.min(this.#last, ply));
    if (to === this.#ply) return;
    this.#ply = to;
    const here = new URL(location.href);
    if (to === this.#last) here.searchParams.delete("ply");
    else here.searchParams.set("ply", to);
    here.searchParams.delete("path");
    history.replaceState(null, "", here);
    this.#show();
  }

  #clicked(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = event.target.closest("[data-step], [data-by], [data-now], [data-play]");
    if (!step) return;
    event.preventDefault();
    if ("play" in step.dataset) this.#playOrPause();
    else {
      this.#pause();
      this.go(this.#target(step.dataset));
    }
  }

  /** The ply that a link leads to: from what was asked for last, which a page not yet drawn does not know. */
  #target({ step, by }) {
    if (by) return this.#ply + Number(by);
    return step ? Number(step) : this.#last;
  }

  #submitted(event) {
    if (!event.target.matches(".slider")) return;
    event.preventDefault();
    event.stopPropagation(); // it is no move
    this.go(Number(event.target.elements.ply.value));
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    // Fields and boards have uses of their own for these keys; letters are free on a board.
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key.length > 1 && event.target.closest("svg.board, .board-area, details, dialog")) return;
    event.preventDefault();
    this.#pause();
    this.go(this.#ply + KEYS[event.key]);
  }

  #playOrPause() {
    if (this.#playing) return this.#pause();
    if (this.#ply === this.#last) this.go(0);
    this.#playing = setInterval(() => {
      if (this.#ply === this.#last) this.#pause();
      else this.go(this.#ply + 1);
    }, PLY_MS);
    this.update();
  }

  #pause() {
    if (!this.#playing) return;
    clearInterval(this.#playing);
    this.#playing = 0;
    this.update();
  }
}
