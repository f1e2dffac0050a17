// Whoever is signed in is told of a new game, a challenge, a turn, a bot or an event, on whatever page they are.

import { follow } from "./live.js";
import { dropToast, showLink, showToast, words } from "./toast.js";

// News of events are notices, which the server puts into words.
const OF_EVENTS = ["round", "taken-back", "arbiter", "withdrawn", "admitted", "bye", "correction", "round-over", "announcement", "paused", "goes-on", "cancelled", "not-started", "prize", "prize-back", "entry", "bot-request", "bot-answer", "bot-entered"];

const here = (path) => location.pathname.startsWith(path);

/** The part of a page that the server answers with; null where it has none any more. */
async function partOf(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  if (!response.ok) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html").querySelector(".news");
}

/** By whom the reader is challenged, and to what. A challenge that has been answered meanwhile is not shown. */
async function tellChallenge(number) {
  const key = `challenge ${number}`;
  try {
    const element = await partOf(`/play/challenge/${number}/`);
    if (element) showToast(key, element);
  } catch {
    showLink(key, words.challenge, "/play/");
  }
}

/** A notice in the server's words, with a link; not on the page it leads to, which shows the news itself. */
async function tellNotice(number) {
  try {
    const element = await partOf(`/notices/${number}/`);
    if (element && !here(element.querySelector("a").getAttribute("href"))) showToast(`notice ${number}`, element);
  } catch {
    // Without a connection nothing is told; the list of notices has it.
  }
}

/** A game has begun, and its clock runs: go there, unless the page in front is of a game that is being played. */
function tellGame(address) {
  const isPlaying = here("/game/") && !document.querySelector(".game[data-over]");
  if (!isPlaying && (!here("/game/") || document.visibilityState === "visible")) return location.assign(address);
  return showLink(`game ${address}`, words.game, address, { isUrgent: true });
}

follow(document.body.dataset.stream, ["game", "turn", "reminder", "challenge", "challenge-over", "bot", ...OF_EVENTS], (kind, data) => {
  const game = `/game/${data.game}/`;
  if (kind === "game" && !here(game)) {
    tellGame(game);
  } else if (kind === "turn" && !here(game)) {
    showLink(`turn ${data.game}`, words.turn, game);
  } else if (kind === "reminder") {
    showLink(`reminder ${data.game}`, words.reminder, game);
  } else if (kind === "challenge") {
    tellChallenge(data.challenge);
  } else if (kind === "challenge-over") {
    dropToast(`challenge ${data.challenge}`);
  } else if (kind === "bot" && here(`/bots/versions/${data.version}/`)) {
    location.reload(); // its state is what the page is about
  } else if (kind === "bot") {
    showLink(`bot ${data.version}`, words.bot, `/bots/versions/${data.version}/`);
  } else if (OF_EVENTS.includes(kind)) {
    tellNotice(data.seq);
  }
});
