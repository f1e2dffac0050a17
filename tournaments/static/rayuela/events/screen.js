// A page for a projector: one slide after the other, drawn afresh when something happens, and the clock to the next round.

import { followEvent, renewer } from "./renewal.js";

const SLIDE_MS = 12_000;
// Also without news: a stream that a proxy has closed must not leave an old page on the wall.
const RENEWAL_MS = 60_000;

const clock = document.querySelector(".screen-clock");
const button = document.querySelector("[data-pause]");
let slides = [];
let place = 0;
let isPaused = false;
let skew = 0; // between the clock of the server and that of this machine
let next = null;

function show() {
  slides.forEach((slide, i) => (slide.hidden = i !== place));
}

/** The slides of the page as it is now; the one with the same heading stays in view. */
function take(main) {
  const title = slides[place]?.querySelector("h2").textContent;
  slides = [...main.querySelectorAll(".slide")];
  skew = Number(main.dataset.now) * 1000 - Date.now();
  next = main.dataset.next ? Number(main.dataset.next) * 1000 : null;
  const same = slides.findIndex((slide) => slide.querySelector("h2").textContent === title);
  place = same >= 0 ? same : Math.min(place, slides.length - 1);
  show();
  tick();
}

function turn() {
  if (isPaused) return;
  place = (place + 1) % slides.length;
  show();
}

/** Minutes and seconds to the next round, in the header and on its own slide. */
function tick() {
  const left = next === null ? 0 : Math.max(0, Math.ceil((next - skew - Date.now()) / 1000));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  clock.textContent = left ? `${clock.dataset.words} ${text}` : "";
  const countdown = document.querySelector(".screen-countdown");
  if (countdown && left) countdown.textContent = text;
}

const renew = renewer("slides", take);
take(document.getElementById("slides"));
followEvent(document.body, renew);
setInterval(turn, SLIDE_MS);
setInterval(tick, 1000);
setInterval(renew, RENEWAL_MS);

const pause = button.textContent;
button.hidden = false;
button.addEventListener("click", () => {
  isPaused = !isPaused;
  button.textContent = isPaused ? button.dataset.goOn : pause;
});
