// Whoever is signed in is told of a new game, a challenge, a turn, a bot or an event, on whatever page they are.

import { follow } from "./live.js";

const place = document.getElementById("messages");
// News of events are notices, which the server puts into words.
const OF_EVENTS = ["round", "taken-back", "arbiter", "withdrawn", "admitted", "bye", "correction", "round-over", "announcement", "paused", "goes-on", "cancelled", "not-started", "prize", "prize-back", "entry", "bot-request", "bot-answer", "bot-entered"];

function toast(text, href) {
  const message = document.createElement("p");
  message.className = "message";
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  message.append(link);
  place.append(message);
}

/** By whom somebody is challenged and to what, as the server tells it; a challenge that is over by now is not told. */
async function tellChallenge(number, words) {
  try {
    const response = await fetch(`/play/challenge/${number}/`, { headers: { Accept: "text/html" } });
    if (response.ok) place.insertAdjacentHTML("beforeend", await response.text());
  } catch {
    toast(words, "/play/");
  }
}

/** A notice in the server's words, with a link; not on the page it leads to, which shows the news itself. */
async function tellNotice(number) {
  try {
    const response = await fetch(`/notices/${number}/`, { headers: { Accept: "text/html" } });
    if (!response.ok) return;
    const message = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("p");
    if (!here(message.querySelector("a").getAttribute("href"))) place.append(message);
  } catch {
    // Without a connection nothing is told; the list of notices has it.
  }
}

const here = (path) => location.pathname.startsWith(path);

follow(document.body.dataset.stream, ["game", "turn", "reminder", "challenge", "bot", ...OF_EVENTS], (kind, data) => {
  const words = document.getElementById("account-words")?.dataset ?? {};
  if (kind === "game" && !here(`/game/${data.game}/`)) {
    // The game waits with a running clock: go there, unless another game is being played.
    if (here("/game/")) toast(words.game ?? "Your next game has started", `/game/${data.game}/`);
    else location.assign(`/game/${data.game}/`);
  } else if (kind === "turn" && !here(`/game/${data.game}/`)) {
    toast(words.turn ?? "It is your turn", `/game/${data.game}/`);
  } else if (kind === "reminder") {
    toast(words.reminder ?? "Your time runs out", `/game/${data.game}/`);
  } else if (kind === "challenge") {
    tellChallenge(data.challenge, words.challenge ?? "A challenge has come");
  } else if (kind === "bot" && here(`/bots/versions/${data.version}/`)) {
    location.reload(); // its state is what the page is about
  } else if (kind === "bot") {
    toast(words.bot ?? "News of one of your bots", `/bots/versions/${data.version}/`);
  } else if (OF_EVENTS.includes(kind)) {
    tellNotice(data.seq);
  }
});
