// The page of a game: moves are sent, news become a fresh page, part by part. The rules stay on the server.

import { Board } from "./board.js";
import { runClocks } from "./clocks.js";
import { follow, refresher } from "./live.js";
import { Parts } from "./parts.js";
import { refusalIn, showRefusal } from "./refusals.js";
import { look, thought } from "./thinking.js";

const root = document.getElementById("game");
const refusal = document.getElementById("refusal");
const told = document.getElementById("told");
const parts = new Parts(root);
let posts = 0;

const board = new Board(root, { choices, send, offer });
const refresh = refresher(root, () => root.dataset.live, (html) => {
  parts.renew(html);
  drawn();
});

/** The legal moves the server has sent along; none when it is not this visitor's turn. */
function choices() {
  const data = document.getElementById("choices");
  return data ? JSON.parse(data.textContent) : [];
}

/** Everything that follows from what is shown now. */
function drawn() {
  board.refresh();
  const { attempt, ply } = root.querySelector(".game").dataset;
  look(`${attempt}/${ply}`);
  const plies = root.querySelector(".plies");
  if (plies) plies.scrollTop = plies.scrollHeight;
  tellAgain();
  document.title = document.title.replace(/^● /, "");
  if (choices().length) document.title = `● ${document.title}`;
}

/** Screen readers hear what has changed only in a part of the page that stays. */
function tellAgain() {
  const said = [...root.querySelectorAll("[data-tell]")].map((part) => part.textContent.trim().replace(/\s+/g, " "));
  const words = said.filter(Boolean).join(". ");
  if (told.textContent !== words) told.textContent = words;
}

/** Buttons for moves that share their cells. */
function offer(moves) {
  const place = root.querySelector("[data-choices]");
  place?.replaceChildren(
    ...moves.map((move) => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = "button primary";
      made.textContent = move;
      made.addEventListener("click", () => send(move));
      return made;
    }),
  );
}

async function send(move) {
  const form = root.querySelector("[data-move]");
  if (!form) return;
  const body = new FormData(form);
  body.set("move", move);
  body.set("thought_ms", thought());
  // Not randomUUID: browsers have it under https and on this machine only.
  body.set("client_key", [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-"));
  board.clear();
  await post(form.action, body);
}

async function post(url, body) {
  posts += 1;
  const number = posts;
  refusal.replaceChildren();
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      const response = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" } });
      const refused = response.ok ? null : await refusalIn(response);
      // Whoever has tried something else since is told about that.
      if (refused && number === posts) showRefusal(refusal, refused.sentence, refused);
      await refresh();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries)); // the key makes repeating safe
    }
  }
  showRefusal(refusal, root.dataset.unreachable);
}

root.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return;
  if ("move" in form.dataset) {
    const named = event.submitter?.name === "move" ? event.submitter.value : "";
    const move = named || form.querySelector("input[name=move]")?.value.trim();
    if (move) send(move);
  } else post(form.action, new FormData(form));
});

drawn();
runClocks(root);
// An earlier position is looked at in peace; the present one follows the game.
if (!new URLSearchParams(location.search).has("ply")) {
  follow(root.dataset.stream, ["ply", "offer", "end", "restart", "rematch", "clock", "chat"], (kind, data) => {
    if (kind === "chat" || kind === "reconnected" || kind === "poll") {
      document.dispatchEvent(new CustomEvent("rayuela:chat", { detail: data }));
    }
    if (kind === "chat") return;
    const { side } = root.querySelector(".game").dataset;
    // Both players go on to their next game; spectators are shown where it is.
    if (kind === "rematch" && side) location.assign(`/game/${data.game}/`);
    else refresh();
  });
}
