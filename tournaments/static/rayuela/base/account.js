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

/** Whether the page in front is of a game that is being played. */
const isPlaying = () => here("/game/") && !document.querySelector(".game[data-over]");

/** A game has begun, and its clock runs: go there, unless the page in front is of a game that is being played. */
function tellGame(address) {
  if (!isPlaying() && (!here("/game/") || document.visibilityState === "visible")) return location.assign(address);
  return showLink(`game ${address}`, words.game, address, { isUrgent: true });
}

/** A bot has changed: its own page is drawn afresh, any other shows a link. */
function tellBot(version) {
  const address = `/bots/versions/${version}/`;
  if (here(address)) return location.reload();
  return showLink(`bot ${version}`, words.bot, address);
}

/** Draw a message into its conversation, and count it in the menu. A player at a board gets no toast. */
function tellMessage({ seq, sender, unread }) {
  if (here(`/messages/${sender}/`)) return whenSeen(drawConversation);
  for (const chip of document.querySelectorAll("[data-unread]")) {
    chip.textContent = unread;
    chip.hidden = false;
  }
  return isPlaying() || tellNotice(seq);
}

/** The messages count as read when they are drawn, so a page in the background waits. */
function whenSeen(draw) {
  if (document.visibilityState === "visible") draw();
  else document.addEventListener("visibilitychange", draw, { once: true });
}

function drawConversation() {
  const room = document.querySelector("#chat[data-room^=private]")?.dataset.room;
  if (room) document.dispatchEvent(new CustomEvent("rayuela:chat", { detail: { room } }));
}

const tell = {
  game: ({ game }) => here(`/game/${game}/`) || tellGame(`/game/${game}/`),
  turn: ({ game }) => here(`/game/${game}/`) || showLink(`turn ${game}`, words.turn, `/game/${game}/`),
  reminder: ({ game }) => showLink(`reminder ${game}`, words.reminder, `/game/${game}/`),
  challenge: ({ challenge }) => tellChallenge(challenge),
  "challenge-over": ({ challenge }) => dropToast(`challenge ${challenge}`),
  bot: ({ version }) => tellBot(version),
  "private-message": tellMessage,
  reconnected: () => whenSeen(drawConversation),
  poll: () => whenSeen(drawConversation),
};

// All other news are notices, which the server puts into words.
follow(document.body, (kind, data) => (tell[kind] ?? (({ seq }) => tellNotice(seq)))(data));

/** A menu closes by a click elsewhere and by Escape. */
for (const menu of document.querySelectorAll("details[data-closes]")) {
  addEventListener("click", (event) => menu.contains(event.target) || menu.removeAttribute("open"));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
