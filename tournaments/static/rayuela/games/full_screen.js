// The game alone on the screen, where browsers know how.

/** Let the button marked `data-full` in `root` give the whole screen to the game, and give it back. */
export class FullScreen {
  #root;

  constructor(root) {
    this.#root = root;
    root.addEventListener("click", (event) => event.target.closest("[data-full]") && this.#turn());
    document.addEventListener("fullscreenchange", () => this.update());
    this.update();
  }

  /** The button has been drawn anew, or the screen has changed. */
  update() {
    const button = this.#root.querySelector("[data-full]");
    if (!button) return;
    button.hidden = !document.fullscreenEnabled;
    button.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
  }

  #turn() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  }
}
