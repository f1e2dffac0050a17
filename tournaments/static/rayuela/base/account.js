// Whoever is signed in is told of a new game, a challenge, a turn, a bot or an event, on whatever page they are.

import { follow } from "./live.js";
import { dropToast, showLink, showToast, words } from "./toast.js";

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

/** A bot has changed: its own page is drawn afresh, any other shows a link. */
function tellBot(version) {
  const address = `/bots/versions/${version}/`;
  if (here(address)) return location.reload();
  return showLink(`bot ${version}`, words.bot, address);
}

const tell = {
  game: ({ game }) => here(`/game/${game}/`) || tellGame(`/game/${game}/`),
  turn: ({ game }) => here(`/game/${game}/`) || showLink(`turn ${game}`, words.turn, `/game/${game}/`),
  reminder: ({ game }) => showLink(`reminder ${game}`, words.reminder, `/game/${game}/`),
  challenge: ({ challenge }) => tellChallenge(challenge),
  "challenge-over": ({ challenge }) => dropToast(`challenge ${challenge}`),
  bot: ({ version }) => tellBot(version),
  reconnected: () => {},
  poll: () => {},
};

// All other news are notices, which the server puts into words.
follow(document.body, (kind, data) => (tell[kind] ?? (({ seq }) => tellNotice(seq)))(data));

/** The menu of the account closes by a click elsewhere and by Escape. */
const menu = document.querySelector("details[data-closes]");
addEventListener("click", (event) => menu?.contains(event.target) || menu?.removeAttribute("open"));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
