// The page of a game: clicks become moves, news become a fresh board. The rules stay on the server.

import { follow, refresher } from "./live.js";

const root = document.getElementById("game");
const refusal = document.getElementById("refusal");
const told = document.getElementById("told");
const SVG = "http://www.w3.org/2000/svg";
let choices = [];
let path = [];
let drawnPly = "";
let typed = { text: "", ply: "", hasFocus: false };
let held = "";
let drawnAt = performance.now();

const refresh = refresher(root, () => root.dataset.live, drawn);

/** Everything that belongs to the board just drawn. */
function drawn() {
  drawnAt = performance.now();
  const data = document.getElementById("choices");
  choices = data ? JSON.parse(data.textContent) : [];
  // Drawn again for other news, a move half clicked goes on.
  const { ply } = root.querySelector(".game").dataset;
  if (ply !== drawnPly || !choices.length) path = [];
  drawnPly = ply;
  const plies = root.querySelector(".plies");
  if (plies) plies.scrollTop = plies.scrollHeight;
  keepTyped();
  keepHeld();
  tellAgain();
  document.title = document.title.replace(/^● /, "");
  if (choices.length) document.title = `● ${document.title}`;
  mark();
}

/** What was being typed goes on, as long as it is for the same ply. */
function keepTyped() {
  const input = root.querySelector("input#move");
  if (!input || typed.ply !== root.querySelector(".game").dataset.ply) return;
  if (typed.text) input.value = typed.text;
  if (typed.hasFocus) input.focus();
}

/** Who was at a button stays there, or at the first of those that came in its place. */
function keepHeld() {
  if (!held || document.activeElement !== document.body) return;
  const buttons = [...root.querySelectorAll("[data-actions] button")];
  (buttons.find((one) => one.form.action === held) ?? buttons[0])?.focus();
}

/** Screen readers hear what has changed only in a part of the page that stays. */
function tellAgain() {
  const parts = [...root.querySelectorAll("[data-tell]")].map((part) => part.textContent.trim().replace(/\s+/g, " "));
  const words = parts.filter(Boolean).join(". ");
  if (told.textContent !== words) told.textContent = words;
}

/** The choices that begin with the cells clicked so far. */
function fitting() {
  return choices.filter((choice) => path.every((cell, i) => choice.path[i] === cell));
}

/** Show which cells can be clicked, which are chosen, and which moves are left to choose between. */
function mark() {
  const open = fitting().filter((choice) => choice.path.length > path.length);
  const next = new Set(open.map((choice) => choice.path[path.length]));
  const starts = new Set(choices.filter((c) => c.path.length).map((c) => c.path[0]));
  for (const cell of root.querySelectorAll(".cell")) {
    const name = cell.dataset.cell;
    cell.classList.toggle("can", next.has(name) || starts.has(name));
    cell.querySelector(".hint")?.remove();
    if (path.includes(name)) cell.append(hint(cell, "chosen"));
    else if (path.length && next.has(name)) cell.append(hint(cell, "target"));
  }
  const complete = fitting().filter((choice) => path.length && choice.path.length === path.length);
  const place = root.querySelector("[data-choices]");
  if (!place) return;
  place.replaceChildren(...complete.map((choice) => button(choice.move)));
}

/** A mark on a cell: a frame around the chosen ones, a disc on those that may follow. */
function hint(cell, kind) {
  const ground = cell.querySelector("use");
  const [x, y] = [ground.x.baseVal.value, ground.y.baseVal.value];
  const made = document.createElementNS(SVG, kind === "target" ? "circle" : "rect");
  const where =
    kind === "target" ? { cx: x + 20, cy: y + 20, r: 7 } : { x: x + 2, y: y + 2, width: 36, height: 36, rx: 5 };
  for (const [name, value] of Object.entries(where)) made.setAttribute(name, value);
  made.setAttribute("class", `hint ${kind}`);
  return made;
}

function button(move) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button primary";
  made.textContent = move;
  made.addEventListener("click", () => send(move));
  return made;
}

function clicked(name) {
  const extended = [...path, name];
  const fits = choices.filter((choice) => extended.every((cell, i) => choice.path[i] === cell));
  if (fits.length) path = extended;
  else if (path[path.length - 1] === name) path = [];
  else path = choices.some((choice) => choice.path[0] === name) ? [name] : [];
  const left = fitting();
  if (path.length && left.length === 1 && left[0].path.length === path.length) send(left[0].move);
  else mark();
}

async function send(move) {
  const form = root.querySelector("[data-move]");
  if (!form) return;
  const body = new FormData(form);
  body.set("move", move);
  // Not randomUUID: browsers have it under https and on this machine only.
  body.set("client_key", [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-"));
  path = [];
  await post(form.action, body);
}

async function post(url, body) {
  refusal.replaceChildren();
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      const response = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" } });
      if (!response.ok) await showRefusal(response);
      await refresh();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries)); // the key makes repeating safe
    }
  }
  showText(root.dataset.unreachable ?? "…");
}

async function showRefusal(response) {
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  const told = isJson ? await response.json() : { sentence: response.statusText };
  showText(told.sentence, told, told.code === "illegal-move" ? told.detail : "");
}

/** A refusal in words, with the paragraph of the rules it cites as a link. */
function showText(sentence, { rule = "", rule_url: url = "" } = {}, detail = "") {
  const message = document.createElement("p");
  message.className = "message error";
  message.textContent = sentence;
  if (rule) {
    const cited = document.createElement("a");
    cited.className = "mono";
    cited.href = url;
    cited.textContent = rule;
    message.append(" ", cited);
  }
  if (detail) {
    const small = document.createElement("span");
    small.className = "small";
    small.textContent = detail;
    message.append(document.createElement("br"), small);
  }
  refusal.replaceChildren(message);
}

for (const kind of ["input", "focusin"]) {
  root.addEventListener(kind, ({ target }) => {
    if (target.id !== "move") return;
    const { ply } = root.querySelector(".game").dataset;
    typed = { text: target.value, ply, hasFocus: document.activeElement === target };
  });
}

root.addEventListener("focusin", ({ target }) => {
  held = target.closest("[data-actions]") ? target.form.action : "";
});

root.addEventListener("focusout", ({ target }) => {
  // Browsers say this of a field that is replaced, too; such a one is gone a moment later.
  setTimeout(() => {
    if (!target.isConnected) return;
    if (target.id === "move") typed.hasFocus = false;
    if (document.activeElement === document.body) held = "";
  });
});

root.addEventListener("click", (event) => {
  const cell = event.target.closest(".cell");
  if (!cell || !choices.length) return;
  event.preventDefault();
  clicked(cell.dataset.cell);
});

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

function tell(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

setInterval(() => {
  for (const clock of root.querySelectorAll(".clock[data-running]")) {
    const left = Math.max(0, Number(clock.dataset.ms) - (performance.now() - drawnAt));
    if (left < 86_400_000) clock.textContent = tell(left);
    clock.classList.toggle("low", left < 20_000);
  }
}, 250);

drawn();
// An earlier position is looked at in peace; the present one follows the game.
if (!new URLSearchParams(location.search).has("ply")) {
  follow(root.dataset.stream, ["ply", "offer", "end", "restart", "rematch", "chat"], (kind, data) => {
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
