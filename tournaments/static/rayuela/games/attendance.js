// Players who are at the table or have left it: the seconds of an absence, the words for screen readers, the time of a claim.

import { tell } from "./clocks.js";

// The server's clock and this one's may differ by a little: the claim is asked for when it is surely due.
const LATE_MS = 300;

export class Attendance {
  #root;
  #refresh;
  #status = document.getElementById("attendance-status");
  #began = new WeakMap();
  #known = new Map();
  #timer = 0;

  constructor(root, refresh) {
    this.#root = root;
    this.#refresh = refresh;
    setInterval(() => this.#count(), 1000);
  }

  /** Say what has changed, and ask for the page again when the game can be claimed. */
  update() {
    this.#count();
    const news = this.#news();
    if (news.length) this.#status.textContent = news.join(" ");
    clearTimeout(this.#timer);
    const { claimMs } = this.#root.querySelector(".game").dataset;
    if (claimMs) this.#timer = setTimeout(this.#refresh, Number(claimMs) + LATE_MS);
  }

  /** Each sentence is said once, when it becomes true. */
  #news() {
    const words = [];
    for (const { dataset } of this.#root.querySelectorAll("[data-attendance]")) {
      const before = this.#known.get(dataset.part);
      this.#known.set(dataset.part, dataset.attendance);
      if (dataset.attendance !== (before ?? "here")) words.push(dataset[dataset.attendance]);
    }
    const claim = this.#root.querySelector("[data-claim-words]");
    if (claim && !this.#known.get("claim")) words.push(claim.dataset.claimWords);
    this.#known.set("claim", Boolean(claim));
    return words;
  }

  #count() {
    for (const place of this.#root.querySelectorAll("[data-away-ms]")) {
      if (!this.#began.has(place)) this.#began.set(place, performance.now());
      place.textContent = tell(Number(place.dataset.awayMs) + performance.now() - this.#began.get(place));
    }
  }
}
