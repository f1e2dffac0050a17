// The lobby: the level that fits follows the game and the clock that are chosen, and the list of open games what comes
// and goes.

import { follow, refresher } from "../base/live.js";
import { Parts } from "../base/parts.js";

const form = document.querySelector("form.lobby");
const place = document.getElementById("levels");
let requests = 0;
let hasChosenLevel = false;

async function renew() {
  const number = ++requests;
  const query = new URLSearchParams({ ruleset: form.elements.ruleset.value, clock: form.elements.clock.value });
  if (hasChosenLevel) query.set("level", form.elements.level.value);
  try {
    const response = await fetch(`${form.dataset.levels}?${query}`, { headers: { Accept: "text/html" } });
    // A slower answer to an earlier choice must not stand in for this one.
    if (response.ok && number === requests) place.innerHTML = await response.text();
  } catch {
    // The connection is gone; any level can be chosen all the same.
  }
}

form.addEventListener("change", (event) => {
  if (["ruleset", "clock"].includes(event.target.name)) renew();
  hasChosenLevel ||= event.target.name === "level";
});

// A finger or a pointer that is dragged over the steps chooses as it goes.
place.addEventListener("pointermove", (event) => {
  if (!event.buttons) return;
  const step = document.elementFromPoint(event.clientX, event.clientY)?.closest("#levels .level-step");
  const input = step?.querySelector("input");
  if (!input || input.checked) return;
  input.checked = true;
  hasChosenLevel = true;
});

// Enter at a step plays that level. The first button of the form, which Enter presses elsewhere, seeks a person.
place.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.name !== "level") return;
  event.preventDefault();
  event.target.closest(".level").querySelector("button").click();
});

const list = document.getElementById("open-games");
const parts = new Parts(list);
follow(list, refresher(list, () => list.dataset.live, (html) => parts.renew(html)));
