// An event's page draws its status afresh when something happens, and the tables too when they are in view.

import { follow, refresher } from "../base/live.js";

const tabs = document.querySelector(".tabs");
const current = tabs?.querySelector("[aria-current]");

/** Scroll the current tab into the middle. */
function centre() {
  if (current) tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}
centre();
document.fonts.ready.then(centre); // the font of the site makes the tabs wider

const status = document.getElementById("event-status");
const refresh = refresher(status, () => status.dataset.live);
const tables = document.getElementById("event-tables");

/** The same page again, for the part that is drawn by the whole page. */
async function refreshTables() {
  if (!tables) return;
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  tables.replaceChildren(...page.getElementById("event-tables").childNodes);
}

let waiting = 0;
follow(status, (kind, data) => {
  if (kind === "chat" || kind === "reconnected" || kind === "poll") {
    document.dispatchEvent(new CustomEvent("rayuela:chat", { detail: data }));
  }
  if (kind === "chat") return;
  refresh();
  clearTimeout(waiting);
  waiting = setTimeout(refreshTables, 300);
});
