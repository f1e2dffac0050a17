// The page of a game: moves are sent, news become a fresh page, part by part. The rules stay on the server.

import { AfterGame } from "../engine/after_game.js";
import { Attendance } from "./attendance.js";
import { Hint } from "../engine/hint.js";
import { Board } from "./board.js";
import { runClocks } from "./clocks.js";
import { FullScreen } from "./full_screen.js";
import { newKey } from "../base/keys.js";
import { follow, refresher } from "../base/live.js";
import { animateLastMove } from "./motion.js";
import { Parts } from "../base/parts.js";
import { Pointing } from "./pointing.js";
import { Premove } from "./premove.js";
import { refusalIn, showRefusal } from "../base/refusals.js";
import { Replay } from "./replay.js";
import { answerTo, postUntilAnswered } from "./sending.js";
import { playSound } from "./sounds.js";
import { Stage } from "./stage.js";
import { look, thought } from "./thinking.js";
import { Zoom } from "./zoom.js";

const root = document.getElementById("game");
const refusal = document.getElementById("refusal");
const status = document.getElementById("game-status");
const QUESTION = /^(\?|moves\b|[rf] ?[a-z0-9]{1,2}$|(my|their|last|clocks|show|help)$)/i;
const REFUSAL_MS = 6000;
const BOT_MS = 10_500;
const parts = new Parts(root);
let posts = 0;
let sent = null; // the move on its way: where it was played, and whether it has been answered
let refusedAt = "";
let botTimer = 0;
let seen = null; // what was drawn last
let wasOver = "over" in root.querySelector(".game").dataset;

const engine = new AfterGame(root);
const hint = new Hint(root);
const stage = new Stage(root, send);
const board = new Board(root, {
  choices,
  send,
  load,
  offer: (moves, state) => {
    if (state.path.length) takeBackRefusal();
    if (!engine.offer(moves)) stage.offer(moves, state);
  },
  mustConfirm: () => stage.mustConfirm,
  claim: (cell) => stage.claim(cell),
  refuse: explain,
});
stage.of(board);
const zoom = new Zoom(root);
const premove = new Premove(root, send);
const fullScreen = new FullScreen(root);
const pointing = new Pointing(root, async (cell) => (await ask(`? ${cell}`)).traits ?? []);
const replay = new Replay(root, () => refresh());
engine.of(board, replay);
const attendance = new Attendance(root, () => refresh());
const refresh = refresher(root, () => root.dataset.live + view(), (html) => {
  leadBack(() => {
    parts.renew(html);
    settle();
    update();
  });
});

/** How the game is looked at, as this page's address says it, and what else is asked. */
function view(other = {}) {
  const here = new URLSearchParams(location.search);
  const entries = ["ply", "flip", "show", "at"].filter((name) => here.has(name)).map((name) => [name, here.get(name)]);
  const query = new URLSearchParams([...entries, ...Object.entries(other)]).toString();
  return query && `?${query}`;
}

/** Say in the bar below the board which rule forbids the move over these cells. A first cell alone is no move yet. */
async function explain(cells) {
  const isMove = choices().some(({ path }) => path.length === cells.length);
  if (engine.choices || (!isMove && cells.length < 2)) return;
  const response = await fetch(root.dataset.ask + view({ move: cells.join("-") }));
  if (response.ok) stage.explain(await response.json());
}

/** The legal moves that begin on `cell`, where the page was sent only beginnings. */
async function load(cell) {
  const response = await fetch(root.dataset.more + view({ from: cell }), { headers: { Accept: "application/json" } });
  return (await response.json()).choices;
}

/** The legal moves the server has sent along, none when it is not this visitor's turn; or those of a lesson. */
function choices() {
  if (engine.choices) return engine.choices;
  const data = document.getElementById("choices");
  return data ? JSON.parse(data.textContent) : [];
}

/** The position of the game, whatever is looked at. */
function position() {
  const { attempt, ply } = root.querySelector(".game").dataset;
  return `${attempt}/${ply}`;
}

/** Bring the result into view when the game ends: it is at the top of the column, which may be scrolled. */
function showEnd() {
  const game = root.querySelector(".game");
  const isOver = "over" in game.dataset;
  if (isOver && !wasOver) game.querySelector(".side").scrollTop = 0;
  wasOver = isOver;
}

/** Everything that follows from what is shown now. */
function update() {
  showEnd();
  board.refresh();
  engine.update();
  hint.update();
  look(position());
  replay.update();
  zoom.update();
  fullScreen.update();
  happen();
  tellAgain();
  if (refusedAt && refusedAt !== position()) takeBackRefusal();
  document.title = document.title.replace(/^● /, "");
  if (!engine.choices && choices().length) document.title = `● ${document.title}`;
  premove.update(choices());
  attendance.update();
  askForBot();
}

/** A bot that does not reply may lack a machine. The server tells nobody so: ask for its state again. */
function askForBot() {
  clearTimeout(botTimer);
  if ("botAsked" in root.querySelector(".game").dataset) botTimer = setTimeout(refresh, BOT_MS);
}

/** Let what has happened since the last drawing be seen and heard; one's own move was, when it was made. */
function happen() {
  const now = { at: position(), ply: root.querySelector(".game").dataset.ply, isOver: "over" in root.querySelector(".game").dataset };
  const before = seen;
  seen = now;
  const isLooking = !new URLSearchParams(location.search).has("ply");
  if (!before || !isLooking) return;
  const isNews = Number(now.ply) > Number(before.ply) && before.own !== now.ply;
  if (isNews) animateLastMove(root);
  if (now.isOver && !before.isOver) ring("end");
  else if (isNews) ring(lastSound());
}

function lastSound() {
  return root.querySelector('svg.board use[href$="-i-captured"]') ? "capture" : "move";
}

function ring(name) {
  if (root.querySelector('button[name="sound"][aria-pressed="true"]')) playSound(name);
}

/** A move that has been answered, or is seen to have been played, is no longer on its way. */
function settle() {
  if (!sent || (!sent.isAnswered && sent.at === position())) return;
  sent = null;
  stage.sent = "";
  delete root.dataset.sending;
  sessionStorage.removeItem(location.pathname);
  takeBackRefusal();
  board.release();
}

/** Whoever is on something that `act` takes away, such as the button of a move, goes on from the board. */
function leadBack(act) {
  const wasHere = root.contains(document.activeElement);
  act();
  if (wasHere && document.activeElement === document.body) board.focus();
}

/** Screen readers hear what has changed only in a part of the page that stays. */
function tellAgain() {
  const sentences = [...root.querySelectorAll("[data-tell]")].map((part) => part.textContent.trim().replace(/\s+/g, " "));
  const stop = document.documentElement.lang === "ja" ? "。" : ".";
  const words = sentences.filter(Boolean).reduce(
    (before, part) => (before ? `${before}${/[.!?。！？]$/.test(before) ? "" : stop} ${part}` : part), "");
  if (status.textContent !== words) status.textContent = words;
}

/** Play `move`: it is drawn at once, and nothing else can be played until the server has answered. */
function send(move) {
  if (engine.tryMove(move)) return;
  const form = root.querySelector("[data-move]");
  if (!form || sent) return;
  const body = new FormData(form);
  body.set("move", move);
  body.set("thought_ms", thought());
  body.set("client_key", newKey());
  deliver(form.action, body);
}

async function deliver(url, body) {
  const mine = { at: position(), isAnswered: false };
  const move = body.get("move");
  sent = mine;
  stage.sent = move;
  root.dataset.sending = "";
  // Whoever loads the page again, because nothing seems to happen, has not given up the move.
  sessionStorage.setItem(location.pathname, JSON.stringify({ at: mine.at, url, body: [...body] }));
  takeBackRefusal();
  leadBack(() => board.play(move));
  seen.own = String(Number(seen.ply) + 1);
  ring(lastSound());
  const response = await postUntilAnswered(url, body, (tries) => {
    if (sent === mine && tries > 1) showRefusal(refusal, root.dataset.waiting);
    return sent === mine;
  });
  if (!response) return;
  mine.isAnswered = true;
  if (response.ok) {
    const field = root.querySelector("#move");
    if (field?.value.trim() === move) field.value = "";
    await refresh(); // what is drawn stays until the server's drawing has come
  } else {
    settle();
    update();
    await refuse(response);
  }
}

/** Send again what was on its way when the page was left, if the game still stands there. */
function resume() {
  const pending = JSON.parse(sessionStorage.getItem(location.pathname) ?? "null");
  if (!pending) return;
  const form = root.querySelector("[data-move]");
  sessionStorage.removeItem(location.pathname);
  if (pending.at !== position() || !form) return;
  const body = new FormData(form);
  for (const [name, value] of pending.body) if (name !== "csrfmiddlewaretoken") body.set(name, value);
  deliver(pending.url, body);
}

async function post(url, body) {
  posts += 1;
  const number = posts;
  takeBackRefusal();
  const response = await answerTo(url, body);
  // Whoever has tried something else since is told about that.
  if (number !== posts) return;
  if (!response) showRefusal(refusal, root.dataset.unreachable);
  else if (response.ok) await refresh();
  else await refuse(response);
}

/** Say why, and show how the game stands. The words stay until it goes on, or something else is done. */
async function refuse(response) {
  const refused = await refusalIn(response);
  showRefusal(refusal, refused.sentence, refused);
  await refresh();
  const at = position();
  refusedAt = at;
  // Whoever was too late has seen so by then.
  if (response.status === 409) setTimeout(() => refusedAt === at && takeBackRefusal(), REFUSAL_MS);
}

function takeBackRefusal() {
  refusal.replaceChildren();
  refusedAt = "";
}

/** What the board answers to a question: in words, and what there is to point out. */
async function ask(question) {
  const response = await fetch(root.dataset.ask + view({ q: question }));
  return response.ok ? response.json() : {};
}

/** Ask the board, say what it answers, and show it. */
async function showAnswer(question) {
  takeBackRefusal();
  const reply = await ask(question);
  document.getElementById("answer").textContent = reply.answer ?? "";
  pointing.draw(reply.traits ?? []);
}

function typed(text, field) {
  const isMove = choices().some((choice) => choice.move === text);
  if (isMove || !QUESTION.test(text)) return send(text);
  field.value = "";
  return showAnswer(text);
}

root.addEventListener("submit", (event) => {
  const form = event.target;
  if ("page" in form.dataset) return; // it leads to a page, with a message or a preview on it
  event.preventDefault();
  const field = form.querySelector("#move");
  if ("askOnly" in form.dataset) showAnswer(field.value);
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

update();
resume();
runClocks(root);
// An earlier position is looked at in peace: news change what stands beside it.
follow(root, (kind, data) => {
  if (kind === "chat" || kind === "reconnected" || kind === "poll") {
    document.dispatchEvent(new CustomEvent("rayuela:chat", { detail: data }));
  }
  if (kind === "reconnected") document.dispatchEvent(new Event("rayuela:connected"));
  if (kind === "chat") return;
  const { side } = root.querySelector(".game").dataset;
  // Both players go on to their next game; spectators are shown where it is.
  if (kind === "rematch" && side) location.assign(`/game/${data.game}/`);
  else refresh();
});
