// The page of a game: moves are sent, news become a fresh page, part by part. The rules stay on the server.

import { Board } from "./board.js";
import { runClocks } from "./clocks.js";
import { follow, refresher } from "../base/live.js";
import { Parts } from "../base/parts.js";
import { Pointing } from "./pointing.js";
import { refusalIn, showRefusal } from "../base/refusals.js";
import { Replay } from "./replay.js";
import { Stage } from "./stage.js";
import { look, thought } from "./thinking.js";
import { Zoom } from "./zoom.js";

const root = document.getElementById("game");
const refusal = document.getElementById("refusal");
const told = document.getElementById("told");
const QUESTION = /^(\?|moves\b|[rf] ?[a-z0-9]{1,2}$|(my|their|last|clocks|show|help)$)/i;
const parts = new Parts(root);
let posts = 0;

const stage = new Stage(root, send);
const board = new Board(root, {
  choices,
  send,
  load,
  offer: (moves, state) => stage.offered(moves, state),
  mustConfirm: () => stage.mustConfirm,
  claim: (cell) => stage.claim(cell),
});
stage.of(board);
new Zoom(root);
const pointing = new Pointing(root, async (cell) => (await asked(`? ${cell}`)).traits ?? []);
const replay = new Replay(root, () => refresh());
const refresh = refresher(root, () => root.dataset.live + view(), (html) => {
  leadBack(() => {
    parts.renew(html);
    drawn();
  });
});

/** How the game is looked at, as this page's address says it, and what else is asked. */
function view(other = {}) {
  const here = new URLSearchParams(location.search);
  const kept = ["ply", "flip", "show", "at"].filter((name) => here.has(name)).map((name) => [name, here.get(name)]);
  const asked = new URLSearchParams([...kept, ...Object.entries(other)]).toString();
  return asked && `?${asked}`;
}

/** The legal moves that begin on `cell`, where the page was sent only beginnings. */
async function load(cell) {
  const response = await fetch(root.dataset.more + view({ from: cell }), { headers: { Accept: "application/json" } });
  return (await response.json()).choices;
}

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
  replay.drawn();
  tellAgain();
  document.title = document.title.replace(/^● /, "");
  if (choices().length) document.title = `● ${document.title}`;
}

/** Whoever is on something that `act` takes away, such as the button of a move, goes on from the board. */
function leadBack(act) {
  const wasHere = root.contains(document.activeElement);
  act();
  if (wasHere && document.activeElement === document.body) board.focus();
}

/** Screen readers hear what has changed only in a part of the page that stays. */
function tellAgain() {
  const said = [...root.querySelectorAll("[data-tell]")].map((part) => part.textContent.trim().replace(/\s+/g, " "));
  const stop = document.documentElement.lang === "ja" ? "。" : ".";
  const words = said.filter(Boolean).reduce(
    (before, part) => (before ? `${before}${/[.!?。！？]$/.test(before) ? "" : stop} ${part}` : part), "");
  if (told.textContent !== words) told.textContent = words;
}

async function send(move) {
  const form = root.querySelector("[data-move]");
  if (!form) return;
  const body = new FormData(form);
  body.set("move", move);
  body.set("thought_ms", thought());
  // Not randomUUID: browsers have it under https and on this machine only.
  body.set("client_key", [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-"));
  leadBack(() => board.clear());
  await post(form.action, body, () => {
    const field = root.querySelector("#move");
    if (field?.value.trim() === move) field.value = "";
  });
}

async function post(url, body, accepted = () => {}) {
  posts += 1;
  const number = posts;
  refusal.replaceChildren();
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      const response = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" } });
      const refused = response.ok ? null : await refusalIn(response);
      if (!refused) accepted();
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

/** What the board answers to a question: in words, and what there is to point out. */
async function asked(question) {
  const response = await fetch(root.dataset.ask + view({ q: question }));
  return response.ok ? response.json() : {};
}

/** Ask the board, say what it answers, and show it. */
async function ask(question) {
  const found = await asked(question);
  document.getElementById("answer").textContent = found.answer ?? "";
  pointing.draw(found.traits ?? []);
}

function typed(text, field) {
  const isMove = choices().some((choice) => choice.move === text);
  if (isMove || !QUESTION.test(text)) return send(text);
  field.value = "";
  return ask(text);
}

root.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return;
  const field = form.querySelector("#move");
  if ("askOnly" in form.dataset) ask(field.value);
  else if ("setting" in form.dataset) keep(form, event.submitter);
  else if ("move" in form.dataset) {
    if (event.submitter?.name === "move") send(event.submitter.value);
    else if (field?.value.trim()) typed(field.value.trim(), field);
  } else post(form.action, new FormData(form));
});

/** A setting is kept in a cookie; the board is then drawn by it. */
async function keep(form, submitter) {
  const body = new FormData(form);
  body.set(submitter.name, submitter.value);
  await fetch(form.action, { method: "POST", body, redirect: "manual" });
  refresh();
}

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.getAttribute("href").replace(/#.*/, ""));
  refresh();
});

drawn();
runClocks(root);
// An earlier position is looked at in peace: news change what stands beside it.
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
